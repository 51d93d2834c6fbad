"""The words by which the parts of a graph are asked for: of properties, of classes, of things.

A property's words are those of its labels, and those of each wording that the lexicon knows for it and whose words the
question has all of them ("bear" alone does not ask for what somebody "bears the imprint of"). A wording that only a
frame or a synonym gives counts less than the property's own. Nothing here is about one domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import log

from imprimatur._expressions import expression
from imprimatur.retrieve.asked import alternatives, known_words
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.vocabulary import value_kind

__all__ = ["Words"]

_MEMO = 1 << 16
#: How much a word counts by the tier of the wording that it stands in: own, frame, synonym.
_TIERS = (1.0, 0.85, 0.75)
#: The words of a key, without the names of its roles ("loc=").
_IN_KEY = expression(r"(?<![^\W_])[^\W\d_]+(?![^\W_]|=)")
#: What the least telling word counts.
_LEAST = 0.3


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
        self.classes = {
            cls.iri: known_words((*cls.labels, *cls.alt_labels)) for cls in self._schema.classes.values()
        }
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
        found = dict.fromkeys(self._own.get(iri, frozenset()) & asked, _TIERS[0])
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
        return known_words((graph.literal(number).lexical[:1000],) if graph.is_literal(number) else graph.labels(number))

    def _of_classes(self, number: int) -> frozenset[str]:
        """The words of the classes of a thing."""
        if self._graph.is_literal(number):
            return frozenset()
        return frozenset().union(*(self.classes.get(iri, frozenset()) for iri in self._schema.types(number)))

    def kind(self, iri: str) -> str:
        """What a property's values are: ``entity``, ``quantity``, ``date``, ``text`` or ``any``."""
        info = self._schema.property(iri)
        return "any" if info is None else value_kind(info)
