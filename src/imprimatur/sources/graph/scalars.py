"""One number or date that a thing has by a property, and how two of them compare (exact arithmetic throughout)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from imprimatur.language import rounding, units
from imprimatur.language.elapsed import elapsed
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.held import holds
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.values import DateValue, Quantity
from imprimatur.verdict import Label

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["Scalar", "beyond", "differs_by", "scalar_of"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value with the fact that says so: a number in the property's unit, or a date."""

    fact: Fact
    value: Fraction | DateValue


def scalar_of(source: GraphSource, subject: int, info: PropertyInfo, how: tuple[bool, Limits]) -> Scalar | None:
    """The one value that a thing has by a property now (or had, of a past claim); None when unknown or not one."""
    past, limits = how
    facts = source.entailment.trusted(source.entailment.values(subject, info.iri), limits.trust)
    facts = [f for f in facts if holds(f, (None, past, limits)) is Label.SUPPORTED]
    found: dict[Fraction | DateValue, Fact] = {}
    for fact in facts:
        value = _value(source, info, fact)
        if value is None:
            return None
        found.setdefault(value, fact)
    return next((Scalar(f, v) for v, f in found.items()), None) if len(found) == 1 else None


def _value(source: GraphSource, info: PropertyInfo, fact: Fact) -> Fraction | DateValue | None:
    if source.lexicon.dated(info):
        stored = source.graph.date(fact.object)
        return source.lexicon.period(info, stored) if stored is not None else None
    return source.graph.number(fact.object)


def beyond(a: Fraction | DateValue, b: Fraction | DateValue) -> bool | None:
    """Whether ``a`` is larger or later than ``b``; None when they are equal, or dates too coarse to tell."""
    if isinstance(a, DateValue) and isinstance(b, DateValue):
        if a.first is None or a.last is None or b.first is None or b.last is None:
            return None
        if a.first > b.last or a.last < b.first:
            return a.first > b.last
        return None
    if isinstance(a, DateValue) or isinstance(b, DateValue) or a == b:
        return None
    return a > b


def differs_by(stated: Quantity, larger: Scalar, smaller: Scalar, info: PropertyInfo, limits: Limits) -> rounding.Match:
    """Whether the difference of two values is what is stated."""
    a, b = larger.value, smaller.value
    if isinstance(a, DateValue) and isinstance(b, DateValue):
        return elapsed(stated, b, a, limits.about) if stated.unit is not None else rounding.Match.UNIT
    if isinstance(a, DateValue) or isinstance(b, DateValue):
        return rounding.Match.UNIT
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    unit = replace(unit, offset=Fraction(0)) if unit is not None else None  # differences know no zero point
    said = replace(stated.unit, offset=Fraction(0)) if stated.unit is not None else None
    return rounding.matches(replace(stated, unit=said), a - b, unit, about=limits.about)
