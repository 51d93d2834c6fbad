"""The things that a knowledge base has already: who bears a name, of what classes it is, and what is said of it.

Invariants: the graph is only read; things that are words of the ontology or have no IRI are not things here. A fact
tells a thing from others only if few have it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Literal

from imprimatur.ingest.candidate import Thing, Value
from imprimatur.ingest.name_keys import alike, exact, qualifier, shorter
from imprimatur.ingest.ontology import ANY_THING, Guardrail
from imprimatur.ingest.place_names import is_place_class, place_key
from imprimatur.ingest.refusing import same_value
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import RDF, UNNAMED, RdfLiteral
from imprimatur.sources.graph.vocabulary import class_noun, is_person_noun

__all__ = ["Fit", "Found", "KnownThings", "Strength", "persons"]

Found = Literal["same", "opposed", "silent"]
#: A fact that more things have tells none of them from the others.
_SHARED_BY = 5
_VALUES = 200


class Strength(Enum):
    """How a thing bears a name: letter by letter, alike, but for its qualifier, or in a longer form."""

    EXACT = 0
    ALIKE = 1
    QUALIFIED = 2
    SHORT = 3


class Fit(Enum):
    """How what a thing is taken for goes with what another is."""

    SAME = "same"
    UNTOLD = "untold"
    #: Of another class, but both of one above: a footballer and a politician are persons.
    KIN = "kin"
    OTHER = "other"
    DISJOINT = "disjoint"


def persons(labels: Iterable[str]) -> bool:
    """Whether classes of these names are classes of persons."""
    return any(is_person_noun(class_noun(label).partition("<")[0]) for label in labels)


class KnownThings:
    """The things of one graph. Make it once for a batch: names are indexed when it is made."""

    def __init__(self, graph: Graph, schema: Schema, guardrail: Guardrail) -> None:
        self.graph, self.schema, self.guardrail = graph, schema, guardrail
        self._exact: dict[str, list[int]] = defaultdict(list)
        self._alike: dict[str, list[int]] = defaultdict(list)
        self._places: dict[str, list[int]] = defaultdict(list)
        self._bare: dict[str, list[int]] = defaultdict(list)
        self._short: dict[str, list[int]] = defaultdict(list)
        self._kinds: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
        own = {*schema.properties, *schema.classes}
        for number in graph.subjects_all():
            if graph.is_iri(number) and (iri := graph.iri(number)) not in own and not iri.startswith(UNNAMED):
                self._enter(number)

    def _enter(self, number: int) -> None:
        person, place = self.is_person(number), self.are_places(self.kinds(number)[0])
        for label in self.graph.labels(number):
            if place:
                _put(self._places, place_key(label), number)
            _put(self._exact, exact(label), number)
            _put(self._alike, alike(label), number)
            bare, told = qualifier(label)
            if told:
                _put(self._bare, alike(bare), number)
            for key in shorter(label, person=person):
                _put(self._short, key, number)

    def __contains__(self, iri: str) -> bool:
        """Whether something is said of the IRI."""
        number = self.graph.id(iri)
        return number is not None and (self.graph.degree(number) > 0)

    def iri(self, number: int) -> str:
        """The IRI of a thing."""
        return self.graph.iri(number)

    def label(self, number: int) -> str:
        """What a thing is called."""
        return self.graph.label(number)

    def bearing(self, name: str, *, person: bool, place: bool = False) -> dict[int, Strength]:
        """The things that may be meant by a name, each with the strongest way in which it bears it.

        Args:
            person, place: what the name is of, by its classes.
        """
        key = alike(name)
        bare, told = qualifier(name)
        found: dict[int, Strength] = {}
        ways: list[tuple[Strength, Iterable[int]]] = [
            (Strength.EXACT, self._exact.get(exact(name), ())),
            (Strength.ALIKE, self._alike.get(key, ())),
            (Strength.ALIKE, self._places.get(place_key(name), ()) if place else ()),
            (Strength.QUALIFIED, self._bare.get(key, ())),
            (Strength.QUALIFIED, self._alike.get(alike(bare), ()) if told else ()),
            (Strength.SHORT, self._short.get(key, ())),
            (Strength.SHORT, (n for each in shorter(name, person=person) for n in self._alike.get(each, ()))),
        ]
        for strength, numbers in ways if key else ():
            for number in numbers:
                found.setdefault(number, strength)
        return dict(sorted(found.items(), key=lambda each: self.graph.iri(each[0])))

    # Classes

    def kinds(self, number: int) -> tuple[frozenset[str], frozenset[str]]:
        """The classes that are asserted of a thing, and those with all that they are kinds of."""
        found = self._kinds.get(number)
        if found is None:
            kind = self.graph.id(RDF + "type")
            asserted = self.graph.objects(number, kind) if kind is not None else ()
            direct = frozenset(self.graph.iri(each) for each in asserted if self.graph.is_iri(each)) - {ANY_THING}
            above = {up for each in direct for up in self.guardrail.above(each)}
            found = self._kinds[number] = direct, frozenset(above | self.schema.types(number)) - {ANY_THING}
        return found

    def is_person(self, number: int) -> bool:
        """Whether a thing is of a class of persons."""
        infos = (self.schema.class_(iri) for iri in self.kinds(number)[1])
        return persons(label for info in infos if info is not None for label in (*info.labels, *info.alt_labels))

    def are_places(self, classes: Iterable[str]) -> bool:
        """Whether something of these classes is a place, and no person."""
        labels = [self._labels(iri) for iri in classes]
        return any(map(is_place_class, labels)) and not any(map(persons, labels))

    def _labels(self, iri: str) -> tuple[str, ...]:
        info, own = self.schema.class_(iri), self.guardrail.class_(iri)
        graph = (*info.labels, *info.alt_labels) if info is not None else ()
        return (*(own.labels if own is not None else ()), *graph)

    def disjoint(self, left: str, right: str) -> bool:
        """Whether two classes share no member, by the guardrail or by the graph."""
        return self.guardrail.disjoint(left, right) or self.schema.disjoint(left, right)

    def fit(self, classes: Iterable[str], number: int) -> Fit:
        """Whether something that is taken for these classes may be a thing of the graph."""
        taken = frozenset(classes) - {ANY_THING}
        direct, all_ = self.kinds(number)
        if any(self.disjoint(mine, theirs) for mine in taken for theirs in all_):
            return Fit.DISJOINT
        if not taken or not direct:
            return Fit.SAME if not taken and not direct else Fit.UNTOLD
        if any(mine in all_ for mine in taken):
            return Fit.SAME
        above = {up for each in taken for up in self.above(each)}
        if direct & above:
            return Fit.SAME
        return Fit.KIN if all_ & above - {ANY_THING} else Fit.OTHER

    def above(self, iri: str) -> frozenset[str]:
        """A class and all that it is a kind of, by the guardrail or by the graph."""
        info = self.schema.class_(iri)
        return self.guardrail.above(iri) | frozenset((iri, *(info.supers if info is not None else ())))

    # Facts

    def says(self, number: int, property_: str, value: Value, *, single: bool) -> Found:
        """What the graph says of a thing beside a proposed fact of it.

        ``same`` where it has that very value and few others have it; ``opposed`` where it has others only and there may
        be one; else ``silent``.
        """
        predicate = self.graph.id(property_)
        held = self.graph.objects(number, predicate) if predicate is not None else ()
        if predicate is None or not held:
            return "silent"
        equal = [each for each in held[:_VALUES] if self._is(each, value)]
        if any(len(self.graph.subjects(predicate, each)) <= _SHARED_BY for each in equal):
            return "same"
        return "opposed" if single and not equal else "silent"

    def says_of(self, subject: Thing, property_: str, number: int) -> Found:
        """As ``says``, for a fact whose value is the thing."""
        predicate = self.graph.id(property_)
        if predicate is None:
            return "silent"
        held = self.graph.subjects(predicate, number)
        if 0 < len(held) <= _SHARED_BY and any(self._is(each, subject) for each in held):
            return "same"
        return "silent"

    def _is(self, number: int, value: Value) -> bool:
        if self.graph.is_literal(number):
            return isinstance(value, RdfLiteral) and same_value(self.graph.literal(number), value)
        if isinstance(value, RdfLiteral):
            return False
        if value.iri:
            return self.graph.iri(number) == value.iri
        return alike(value.name) in {alike(label) for label in self.graph.labels(number)}

    def single(self, property_: str, classes: Iterable[str]) -> bool:
        """Whether a thing of these classes has one value of a property at most."""
        known, info = self.guardrail.property_(property_), self.schema.property(property_)
        taken = tuple(classes)
        told = known is not None and any(self.guardrail.is_a(taken, each) for each in known.single)
        return told or (info is not None and info.functional)

    def told(self, number: int, most: int = 12) -> tuple[str, Mapping[str, tuple[str, ...]]]:
        """A thing for a reader: its label, and its first facts by the names of their properties."""
        found: dict[str, list[str]] = {}
        for predicate, value in self.graph.out(number):
            info = self.schema.property(self.graph.iri(predicate))
            if info is not None and sum(map(len, found.values())) < most:
                found.setdefault(info.labels[0], []).append(self.graph.label(value))
        return self.graph.label(number), {name: tuple(values) for name, values in found.items()}


def _put(index: dict[str, list[int]], key: str, number: int) -> None:
    if key and number not in index[key][-1:]:
        index[key].append(number)
