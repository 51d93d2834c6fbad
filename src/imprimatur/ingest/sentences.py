"""Sentences that a finished knowledge base with a graph supports, for a person to begin with.

Invariant: each sentence was checked against the opened knowledge base, and is supported by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from imprimatur.extract.words import forms
from imprimatur.language.units import by_iri
from imprimatur.sources.graph.terms import NUMERIC_TYPES, RDF

if TYPE_CHECKING:
    from imprimatur.oracle import Oracle
    from imprimatur.sources.graph.schema import PropertyInfo
    from imprimatur.sources.graph.store import Graph

__all__ = ["supported"]

_SENTENCES = 5
_TRIED = 60
_SUBJECTS = 3


def supported(oracle: Oracle, *, most: int = _SENTENCES) -> tuple[str, ...]:
    """At most so many sentences, of as many properties as can be; none where the knowledge base has no graph."""
    part = oracle.knowledge.part
    if part is None:
        return ()
    used = sorted((info for info in part.schema.properties.values() if info.used), key=lambda info: -info.used)
    proposals = [list(islice(_proposed(part.graph, info), _SUBJECTS)) for info in used]
    proposals.append(list(islice(_classes(part.graph), _SUBJECTS)))
    rounds = [each[number] for number in range(_SUBJECTS) for each in proposals if number < len(each)]
    found: dict[str, None] = {}
    for ways in rounds[:_TRIED]:
        right = (way for way in ways if oracle.check(way).segments[0].label.value == "supported")
        found.update(dict.fromkeys(islice(right, 1)))
        if len(found) == most:
            break
    return tuple(found)


def _proposed(graph: Graph, info: PropertyInfo) -> Iterator[tuple[str, ...]]:
    """What can be said of a property's first facts, each in one or more ways."""
    number = graph.id(info.iri)
    if number is None or not info.labels:
        return
    for subject, value in graph.pairs(number):
        said = _value(graph, info, value)
        if graph.named(subject) and said:
            yield tuple(_ways(graph.label(subject), info.labels[0], said))


def _value(graph: Graph, info: PropertyInfo, value: int) -> str:
    """A value as it would be written; empty for one that has no name."""
    if not graph.is_literal(value):
        return graph.label(value) if graph.named(value) else ""
    text = graph.label(value)
    unit = by_iri(info.unit_iri) if info.unit_iri else None
    if unit is not None and info.datatype in NUMERIC_TYPES:
        return f"{text} {unit.symbol}"
    return text if len(text) <= 80 else ""


def _ways(subject: str, words: str, value: str) -> Iterator[str]:
    """Ways to state a fact, the natural ones first."""
    verb = "are" if forms(words.split()[-1].lower()).plural else "is"
    yield f"The {words} of {subject} {verb} {value}."
    yield f"{subject} {words} {value}."
    yield f"{subject} is {words} {value}."
    yield f"{subject} {words} in {value}."


def _classes(graph: Graph) -> Iterator[tuple[str, ...]]:
    kind = graph.id(RDF + "type")
    for subject, cls in graph.pairs(kind) if kind is not None else ():
        if graph.named(subject) and graph.is_iri(cls):
            name = graph.label(cls)
            yield (f"{graph.label(subject)} is a{'n' if name[:1].lower() in 'aeiou' else ''} {name}.",)
