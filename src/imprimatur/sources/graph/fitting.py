"""Which values the shapes allow for a property: for choosing among the things and properties that words may mean.

A value that shapes rule out does not fit the reading, as one of the wrong class does not; what the claim is judged to
be when nothing fits is the shapes' own affair (``constrained``). Nothing is licensed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from imprimatur.language import rounding, units
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import RdfLiteral, parse_number
from imprimatur.values import Bound as Comparator
from imprimatur.values import DateValue, Quantity, TextValue

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource

__all__ = ["allowed_objects", "allows_value"]


def allowed_objects(source: GraphSource, info: PropertyInfo, objects: Sequence[int]) -> list[int]:
    """Of some things those that shapes allow as value of the property."""
    implied = info.implied
    if implied is None:
        return list(objects)
    listed = {value for value in implied.allowed if isinstance(value, str)}
    return [
        each
        for each in objects
        if (not implied.allowed or source.graph.iri(each) in listed)
        and all(source.of_class(each, (cls,)) for cls in implied.classes)
    ]


def allows_value(info: PropertyInfo, stated: Quantity | DateValue | TextValue) -> bool:
    """Whether shapes allow a stated number as value of the property; other values are not looked at."""
    implied = info.implied
    if implied is None or not implied.bounds or not isinstance(stated, Quantity):
        return True
    if stated.bound is not Comparator.EXACT or stated.high is not None:
        return True
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    value = stated.low.value if stated.unit is None else rounding.convert(stated.low.value, stated.unit, unit)
    return value is None or all(_keeps(value, each.mark, each.limit) for each in implied.bounds)


def _keeps(value: Fraction, mark: str, limit: RdfLiteral) -> bool:
    other = parse_number(limit.lexical, limit.datatype)
    if other is None:
        return True
    match mark:
        case "<":
            return value < other
        case "<=":
            return value <= other
        case ">":
            return value > other
    return value >= other
