"""The lexicon of a graph: its names, the keys of its properties, and the nouns of its classes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from imprimatur.extract.words import forms
from imprimatur.language import calendar, wordnet
from imprimatur.protocols import Entry, Found, Word
from imprimatur.sources.graph.names import NameIndex, literal_names
from imprimatur.sources.graph.schema import ClassInfo, PropertyInfo, Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.wordings import wordings
from imprimatur.values import DateValue

__all__ = ["GraphLexicon"]

_NUMERIC = frozenset("decimal integer int long double float nonNegativeInteger positiveInteger short byte".split())
_DATED = frozenset("gYear gYearMonth date dateTime".split())
#: Nouns that say nothing of a thing but that it is one.
_THINGS = frozenset("thing one someone something somebody entity object item place person".split())


class GraphLexicon:
    """Names, wordings and class nouns of one graph (implements ``protocols.Lexicon``)."""

    def __init__(self, graph: Graph, schema: Schema) -> None:
        self.graph = graph
        self.schema = schema
        self.names = NameIndex()
        self._entries: dict[str, list[Entry]] = {}
        self._classes: dict[str, list[str]] = {}
        self._heads: dict[str, list[str]] = {}
        self._fill_names()
        silent = self._machinery()
        for info in schema.properties.values():
            if self.graph.id(info.iri) not in silent:
                self._fill_property(info)
        for cls in schema.classes.values():
            self._fill_class(cls)
        self.general = lru_cache(maxsize=65536)(self._general)

    # -- building -----------------------------------------------------------------------------------------------
    def _fill_names(self) -> None:
        vocabulary = {*self.schema.properties, *self.schema.classes}
        for subject in self.graph.subjects_all():
            if not self.graph.is_iri(subject):
                continue
            iri = self.graph.iri(subject)
            if iri in vocabulary:
                continue
            for label in self.graph.labels(subject):
                self.names.add(label, iri)
        for info in self.schema.properties.values():
            number = self.graph.id(info.iri)
            if number is None or self.value_kind(info) not in ("text", "any"):
                continue
            texts = (self.graph.literal(o) for _, o in self.graph.pairs(number) if self.graph.is_literal(o))
            for text in literal_names(t.lexical for t in texts):
                self.names.add(text, None)

    def _machinery(self) -> frozenset[int]:
        """Properties that only hold statement nodes together: links to them, and their times."""
        links = {link.link for found in self.schema.statement_links.values() for link in found}
        return frozenset(links | set(self.schema.statements.times.all())) if links else frozenset()

    def value_kind(self, info: PropertyInfo) -> str:
        """What the property's values are: ``entity``, ``quantity``, ``date``, ``text`` or ``any``."""
        if info.is_object:
            return "entity"
        local = (info.datatype or "").rpartition("#")[2]
        if local in _NUMERIC and _period_of(info):
            return "date"
        if local in _NUMERIC or info.unit_iri:
            return "quantity"
        if local in _DATED:
            return "date"
        return "text" if info.is_object is False or local in ("string", "langString") else "any"

    def period(self, info: PropertyInfo, stored: DateValue) -> DateValue:
        """A stored date as the property means it: "decade of naming: 1850" stands for 1850 to 1859."""
        if _period_of(info) == "decade" and stored.first is not None and stored.precision == "year":
            return calendar.decade(stored.first[0])
        return stored

    def _fill_property(self, info: PropertyInfo) -> None:
        kind = self.value_kind(info)
        ends = (*info.inverses, *((info.iri,) if info.symmetric else ()))
        for key, tier in wordings(info, self.schema).items():
            self._entries.setdefault(key.key, []).append(Entry(info.iri, key.subject, kind, tier, ends))

    def _fill_class(self, cls: ClassInfo) -> None:
        for label in (*cls.labels, *cls.alt_labels):
            noun = _chain(label)
            if noun:
                self._heads.setdefault(noun.partition("<")[0], []).append(cls.iri)
                self._classes.setdefault(noun, []).append(cls.iri)

    # -- protocol -----------------------------------------------------------------------------------------------
    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """Known names among the tokens."""
        return self.names.find(tokens)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name."""
        return self.names.candidates(name)

    def entries(self, key: str) -> Sequence[Entry]:
        """The properties that a key may mean."""
        return self._entries.get(key, ())

    def classes(self, noun: str) -> Sequence[str]:
        """The classes that a noun chain may name, closest words first."""
        return self._classes.get(noun, ())

    def of_kind(self, noun: str, entity: str) -> bool:
        """Whether the entity is of a class that bears the noun as its name, or as the head of its name."""
        number = self.graph.id(entity)
        return number is not None and any(self.schema.is_a(number, c) for c in (*self.classes(noun), *self._heads.get(noun, ())))

    def is_person(self, entity: str) -> bool | None:
        """Whether the entity's classes are kinds of persons; None when they do not tell."""
        number = self.graph.id(entity)
        kinds = set()
        for iri in self.schema.types(number) if number is not None else ():
            cls = self.schema.class_(iri)
            for label in (*cls.labels, *cls.alt_labels) if cls else ():
                kinds.add(wordnet.noun_kind(_chain(label).partition("<")[0]))
        kinds.discard(None)
        return "noun.person" in kinds if kinds else None

    def _general(self, noun: str, entity: str) -> bool:
        """Whether the entity's class or name says that it is a ``noun``."""
        number = self.graph.id(entity)
        if noun in _THINGS:
            return True
        if number is None:
            return False
        if any(self.schema.is_a(number, c) for c in self.classes(noun)):
            return True
        if "<" in noun:
            return False
        for label in self.graph.labels(number):
            words = label.partition("(")[0].split()
            if words and words[-1][:1].isupper() and (forms(words[-1].lower()).noun or words[-1].lower()) == noun:
                return True
        for iri in self.schema.types(number):
            cls = self.schema.class_(iri)
            for label in (*cls.labels, *cls.alt_labels) if cls else ():
                word = _chain(label).partition("<")[0]
                if word == noun or noun in wordnet.hypernyms(word, "n", depth=3, max_senses=1):
                    return True
        return False


def _period_of(info: PropertyInfo) -> str:
    """"year", "decade" or "century" when the property's main label says that its numbers are such."""
    for label in info.labels[:1]:
        words = label.lower().split()
        for word in ("decade", "century", "year"):
            if words and (words[0] == word or words[-1] == word):
                return word
    return ""


def _chain(label: str) -> str:
    words = [w for w in label.lower().split() if "det" not in forms(w).closed]
    if not words:
        return ""
    if "of" in words[1:-1]:
        cut = words.index("of")
        words = [*words[cut + 1 :], *words[:cut]]
    head = forms(words[-1]).noun or words[-1]
    return "<".join([head, *reversed(words[:-1])])
