"""The classes and properties of a graph as terms for an extractor."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from imprimatur.extractors.terms import Term, Terms

if TYPE_CHECKING:
    from imprimatur.sources.graph.schema import ClassInfo, PropertyInfo, Schema

__all__ = ["terms_of"]


def terms_of(schema: Schema, *, locale: str = "en") -> Terms:
    """The terms of a graph's vocabulary, in the order of their IRIs: classes with members, properties with facts.

    What is only said of classes and properties themselves (a unit, a comment) is left out.
    """
    from imprimatur.sources.graph.vocabulary import value_kind

    classes = sorted((each for each in schema.classes.values() if each.instances), key=lambda each: each.iri)
    told = _of_vocabulary(schema)
    facts = (each for each in schema.properties.values() if each.used > told[each.iri] and each.labels)
    used = sorted(facts, key=lambda each: each.iri)
    return Terms(
        classes=tuple(_class(each) for each in classes if each.labels),
        properties=tuple(_property(schema, each, value_kind(each)) for each in used),
        locale=locale,
    )


def _of_vocabulary(schema: Schema) -> Counter[str]:
    """How many facts of each property are about classes and properties (their units, their comments)."""
    graph = schema.graph
    numbers = (graph.id(iri) for iri in (*schema.classes, *schema.properties))
    return Counter(graph.iri(p) for number in numbers if number is not None for p, _ in graph.out(number))


def _class(info: ClassInfo) -> Term:
    return Term(iri=info.iri, label=info.labels[0], above=frozenset((info.iri, *info.supers)))


def _property(schema: Schema, info: PropertyInfo, value: str) -> Term:
    known = schema.classes
    return Term(
        iri=info.iri,
        label=schema.shown(info),
        domains=frozenset(each for each in info.domains if each in known),
        ranges=frozenset(each for each in info.ranges if each in known),
        value=value,
    )
