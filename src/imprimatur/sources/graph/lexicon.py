"""The lexicon of a graph: its names, the keys of its properties, and the nouns of its classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from imprimatur.extract.words import forms
from imprimatur.language import calendar, wordnet
from imprimatur.protocols import Entry, Found, Word
from imprimatur.sources.graph.own_words import PERSONS
from imprimatur.sources.graph.schema import PropertyInfo, Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.vocabulary import (
    MUTUAL,
    Vocabulary,
    class_head,
    class_noun,
    kept,
    period_of,
    value_kind,
)
from imprimatur.values import DateValue

__all__ = ["GraphLexicon"]

#: Nouns that say nothing of a thing but that it is one.
_THINGS = frozenset("thing one someone something somebody entity object item".split())
_MEMO = 65536
_MOST = 200
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


class GraphLexicon:
    """Names, wordings and class nouns of one graph (implements ``protocols.Lexicon``)."""

    def __init__(self, graph: Graph, schema: Schema, words: Vocabulary) -> None:
        self.graph = graph
        self.schema = schema
        self.words = words
        self.general: Callable[[str, str], bool] = lru_cache(_MEMO)(self._general)
        self.is_person: Callable[[str], bool | None] = lru_cache(_MEMO)(self._is_person)

    @cached_property
    def mutual(self) -> frozenset[str]:
        """The properties whose own words have no direction ("spouse")."""
        return frozenset(e.iri for entries in self.words.entries.values() for e in entries if MUTUAL in e.traits)

    @classmethod
    def of(cls, graph: Graph, schema: Schema, *, cache_dir: Path | None = None) -> GraphLexicon:
        """The lexicon of a graph; its words are kept under ``cache_dir`` (None: the user's cache folder)."""
        return cls(graph, schema, kept(graph, schema, cache_dir))

    def period(self, info: PropertyInfo, stored: DateValue) -> DateValue:
        """A stored date as the property means it: "decade of naming: 1850" stands for 1850 to 1859.

        A year that is stored as its first day ("founding year: 2003-01-01") is that year: nobody said which day.
        """
        if stored.first is None:
            return stored
        kind, year = period_of(info), stored.first[0]
        if kind == "decade" and stored.precision == "year":
            return calendar.decade(year)
        if kind == "year" and stored.first == stored.last == (year, 1, 1):
            return calendar.year(year)
        return stored

    def dated(self, info: PropertyInfo) -> bool:
        """Whether a property's values are dates."""
        return value_kind(info) == "date"

    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """Known names among the tokens."""
        return self.words.names.find(tokens)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name."""
        return self.words.names.candidates(name)

    def candidates_known(self, text: str) -> bool:
        """Whether the text is a name or a literal of the graph."""
        return self.words.names.knows(text)

    def entries(self, key: str) -> Sequence[Entry]:
        """The properties that a key may mean."""
        return self.words.entries.get(key, ())

    def classes(self, noun: str) -> Sequence[str]:
        """The classes that a noun chain may name."""
        return self.words.classes.get(noun, ())

    def instances(self, class_iri: str, *, most: int = _MOST) -> Sequence[str]:
        """The members of a class and of its subclasses; none when there are more than ``most``."""
        wanted = [class_iri, *(cls.subs if (cls := self.schema.class_(class_iri)) is not None else ())]
        kind = self.graph.id(_TYPE)
        found: dict[str, None] = {}
        for iri in wanted:
            number = self.graph.id(iri)
            for s in self.graph.subjects(kind, number) if kind is not None and number is not None else ():
                found[self.graph.iri(s)] = None
                if len(found) > most:
                    return ()
        return tuple(found)

    def of_kind(self, noun: str, entity: str) -> bool:
        """Whether the entity is of a class that bears the noun as its name, or as the head of its name."""
        named = (*self.classes(noun), *self.words.heads.get(noun, ()))
        number = self.graph.id(entity) if named else None
        return number is not None and any(self.schema.is_a(number, c) for c in named)

    def _is_person(self, entity: str) -> bool | None:
        """Whether the entity's classes are kinds of persons; None when they do not tell."""
        heads = {class_noun(label).partition("<")[0] for label in self._class_labels(entity)}
        kinds = {"noun.person" if head in PERSONS else wordnet.noun_kind(head) for head in heads} - {None}
        return "noun.person" in kinds if kinds else None

    def _class_labels(self, entity: str) -> list[str]:
        number = self.graph.id(entity)
        found = (self.schema.class_(iri) for iri in (self.schema.types(number) if number is not None else ()))
        return [label for cls in found if cls is not None for label in (*cls.labels, *cls.alt_labels)]

    def _general(self, noun: str, entity: str) -> bool:
        """Whether the entity's class, a class above it, or its label says that it is a ``noun``."""
        number = self.graph.id(entity)
        if noun in _THINGS:
            return True
        if number is None:
            return False
        if any(self.schema.is_a(number, c) for c in self.classes(noun)):
            return True
        if "<" in noun:
            return False
        if any(_last_noun(label) == noun for label in self.graph.labels(number)):
            return True
        heads = {class_head(label) for label in self._class_labels(entity)} - {""}
        return any(head == noun or noun in wordnet.hypernyms(head, "n", depth=3, max_senses=1) for head in heads)


def _last_noun(label: str) -> str:
    """The common noun that ends a name ("brook" of "Swale Brook")."""
    words = label.partition("(")[0].split()
    return (forms(words[-1].lower()).noun or "") if len(words) > 1 and words[-1][:1].isupper() else ""
