"""The words by which the parts of a graph are asked for: of properties, of classes, of things.

A property's words are those of its labels, and those of each wording that the lexicon knows for it and whose words the
question has all of ("bear" alone does not ask for what somebody "bears the imprint of"). A wording that only a frame or
a synonym gives, or a word of the same stem, counts less than the property's own. Nothing here is about one domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import log

from imprimatur._expressions import expression
from imprimatur.language import units
from imprimatur.language.wordnet import derived
from imprimatur.retrieve.asked import alternatives, known_words
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.vocabulary import value_kind
from imprimatur.values import Unit

__all__ = ["Words"]

_MEMO = 1 << 16
#: How much a word counts by the tier of the wording that it stands in: own, frame, synonym.
_TIERS = (1.0, 0.85, 0.75)
#: The words of a key, without the names of its roles ("loc=").
_IN_KEY = expression(r"(?<![^\W_])[^\W\d_]+(?![^\W_]|=)")
#: What the least telling word counts.
_LEAST = 0.3


@lru_cache(_MEMO)
def _stems(word: str) -> frozenset[str]:
    """A word and the words of its stem ("employment": "employ"); short words have none."""
    if len(word) < 4:
        return frozenset((word,))
    return frozenset({word, *(other for pos in "nv" for other, _ in derived(word, pos) if other[:3] == word[:3])})


class Words:
    """The words of one graph's parts. Everything but the properties' is found when it is first asked for."""

    def __init__(self, lexicon: GraphLexicon) -> None:
        self._graph, self._schema = lexicon.graph, lexicon.schema
        self._own: dict[str, frozenset[str]] = {}
        for info in self._schema.properties.values():
            self._own[info.iri] = known_words((*info.labels, *info.alt_labels))
        self._wordings: dict[str, dict[frozenset[str], float]] = {}
        for key, entries in lexicon.words.entries.items():
            found = frozenset(word for word in _IN_KEY.findall(key) if alternatives(word))
            for entry in entries if found else ():
                for iri in (entry.iri, *entry.inverses):
                    wordings = self._wordings.setdefault(iri, {})
                    wordings[found] = max(wordings.get(found, 0.0), _TIERS[entry.tier])
        self.classes = {cls.iri: known_words((*cls.labels, *cls.alt_labels)) for cls in self._schema.classes.values()}
        self.weights = self._weights()
        # Per graph, so that they go with it; lru_cache is bounded and safe between threads.
        self.asked_of: Callable[[str, frozenset[str]], Mapping[str, float]] = lru_cache(_MEMO)(self._asked_of)
        self.of_thing: Callable[[int], frozenset[str]] = lru_cache(_MEMO)(self._of_thing)
        self.of_classes: Callable[[int], frozenset[str]] = lru_cache(_MEMO)(self._of_classes)

    def _weights(self) -> Mapping[str, float]:
        """How much each known word tells: less, the more properties it is a word of."""
        count = max(1, len(self._schema.properties))
        having: dict[str, int] = {}
        for iri in {*self._own, *self._wordings}:
            for word in self._own.get(iri, frozenset()).union(*self._wordings.get(iri, ())):
                having[word] = having.get(word, 0) + 1
        whole = log((count + 1) / 0.5)
        found = {word: max(_LEAST, log((count + 1) / (k + 0.5)) / whole) for word, k in having.items()}
        for words in self.classes.values():
            for word in words:
                found.setdefault(word, 0.5)
        return found

    def _asked_of(self, iri: str, asked: frozenset[str]) -> Mapping[str, float]:
        """The words of a property that a question has, with how much each counts."""
        own = self._own.get(iri, frozenset())
        stems = frozenset().union(*map(_stems, own))
        found = {word: _TIERS[-1] for word in asked if not stems.isdisjoint(_stems(word))}
        found.update(dict.fromkeys(own & asked, _TIERS[0]))
        for words, weight in self._wordings.get(iri, {}).items():
            if words <= asked:
                found.update({word: max(weight, found.get(word, 0.0)) for word in words})
        return found

    @property
    def properties(self) -> tuple[str, ...]:
        """The IRIs of the properties that have words."""
        return tuple(dict.fromkeys((*self._own, *self._wordings)))

    def _of_thing(self, number: int) -> frozenset[str]:
        """The words of a thing's labels, or of a text."""
        graph = self._graph
        return known_words(
            (graph.literal(number).lexical[:1000],) if graph.is_literal(number) else graph.labels(number)
        )

    def _of_classes(self, number: int) -> frozenset[str]:
        """The words of the classes of a thing."""
        if self._graph.is_literal(number):
            return frozenset()
        return frozenset().union(*(self.classes.get(iri, frozenset()) for iri in self._schema.types(number)))

    def measures(self, iri: str, meant: Sequence[Unit]) -> bool:
        """Whether a property's values may be given in one of some units."""
        info = self._schema.property(iri)
        own = units.by_iri(info.unit_iri) if info is not None and info.unit_iri else None
        return own is not None and any(each.dimension == own.dimension for each in meant)

    def kind(self, iri: str) -> str:
        """What a property's values are: ``entity``, ``quantity``, ``date``, ``text`` or ``any``."""
        info = self._schema.property(iri)
        return "any" if info is None else value_kind(info)
