"""Facts of a graph in words: “Tarn: length: 381 km”."""

from __future__ import annotations

from fractions import Fraction

from imprimatur.language import units
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph

__all__ = ["told"]

_LONGEST = 1000


def told(fact: Fact, graph: Graph, schema: Schema) -> str:
    """Thing, property and value of a fact, the way round that the property has it, in the property's unit."""
    subject, object_ = (fact.object, fact.subject) if fact.inverse else (fact.subject, fact.object)
    info = schema.property(fact.property)
    name = schema.shown(info) if info is not None else _local(fact.property)
    return f"{graph.label(subject)}: {name}: {_value(object_, graph, info.unit_iri if info else None)}"


def _value(number: int, graph: Graph, unit_iri: str | None) -> str:
    value = graph.number(number) if graph.is_literal(number) else None
    unit = units.by_iri(unit_iri) if unit_iri and value is not None else None
    if value is None or unit is None or not unit.symbol:
        return graph.label(number)[:_LONGEST]
    return f"{_plain(value, graph.label(number))} {unit.symbol}"


def _local(iri: str) -> str:
    return iri.rpartition("#")[2].rpartition("/")[2]


def _plain(value: Fraction, written: str) -> str:
    """The number without zeros that say nothing ("44640.0"), grouped."""
    if value.denominator == 1:
        return f"{value.numerator:,}"
    return written
