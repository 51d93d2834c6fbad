"""One number or date that a thing has by a property, and how two of them compare (exact arithmetic throughout)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from imprimatur.language import calendar, rounding, units
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.outcomes import holds
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.values import DateValue, Quantity
from imprimatur.verdict import Label

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["Scalar", "beyond", "differs_by", "elapsed", "scalar_of"]

_YEAR = units.by_name("YR")
_MONTH = units.by_name("MO")
_DAY = units.by_name("DAY")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value with the fact that says so: a number in the property's unit, or a date."""

    fact: Fact
    value: Fraction | DateValue


def scalar_of(
    source: GraphSource, subject: int, info: PropertyInfo, how: tuple[bool, Limits]
) -> Scalar | None:
    """The one value that a thing has by a property now (or had, of a past claim); None when unknown or not one."""
    past, limits = how
    facts = [f for f in source.entailment.values(subject, info.iri) if source.entailment.trust(f) in limits.trust]
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
        return elapsed(stated, b, a, limits.about)
    if isinstance(a, DateValue) or isinstance(b, DateValue):
        return rounding.Match.UNIT
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    unit = replace(unit, offset=Fraction(0)) if unit is not None else None  # differences know no zero point
    said = replace(stated.unit, offset=Fraction(0)) if stated.unit is not None else None
    return rounding.matches(replace(stated, unit=said), a - b, unit, about=limits.about)


def elapsed(
    stated: Quantity, start: DateValue, end: DateValue, about: Fraction, *, age: bool = False
) -> rounding.Match:
    """Whether the time from one date to another is what is stated.

    AMBIGUOUS when the dates are too coarse to tell. Whole years apart count by the calendar, but an ``age`` is only
    what is completed.
    """
    first, last = _bounds(start), _bounds(end)
    if first is None or last is None or _YEAR is None or _MONTH is None or _DAY is None:
        return rounding.Match.UNIT
    unit = stated.unit or _YEAR
    if unit.dimension == _DAY.dimension:
        spans = [Fraction(_days(last[n]) - _days(first[1 - n])) for n in (0, 1)]
        return _either(rounding.matches(stated, span, _DAY, about=about) for span in spans)
    said = replace(stated, unit=unit)
    if unit.dimension != _YEAR.dimension:
        return rounding.Match.UNIT
    if start.precision == end.precision == "year" and unit == _YEAR:
        years = calendar.astronomical(last[0][0]) - calendar.astronomical(first[0][0])
        return _by_calendar(said, Fraction(years), about, age=age)
    months = [_months(first[1 - n], last[n]) for n in (0, 1)]
    if age or unit == _MONTH:
        whole = [Fraction(m.numerator // m.denominator) for m in months]
        if age and unit == _YEAR:
            whole = [m // 12 * Fraction(12) for m in whole]
        return _either(rounding.matches(said, m, _MONTH, about=about) for m in whole)
    found = _either(rounding.matches(said, m, _MONTH, about=about) for m in months)
    begun = any(rounding.matches(said, m // 12 * Fraction(12), _MONTH, about=about) is rounding.Match.YES for m in months)
    return rounding.Match.AMBIGUOUS if found is rounding.Match.NO and begun else found


def _by_calendar(stated: Quantity, years: Fraction, about: Fraction, *, age: bool) -> rounding.Match:
    exact = rounding.matches(stated, years, _YEAR, about=about)
    near = [rounding.matches(stated, years + d, _YEAR, about=about) for d in ((-1, 0) if age else (-1, 1))]
    if age:
        return _either(near)
    if exact is rounding.Match.NO and rounding.Match.YES in near:
        return rounding.Match.AMBIGUOUS
    return exact


def _either(found: object) -> rounding.Match:
    """What all of several matches say; AMBIGUOUS when they do not agree."""
    kinds = set(found)  # type: ignore[call-overload]
    return next(iter(kinds)) if len(kinds) == 1 else rounding.Match.AMBIGUOUS


def _bounds(date: DateValue) -> tuple[calendar.Day, calendar.Day] | None:
    return (date.first, date.last) if date.first is not None and date.last is not None else None


def _days(day: calendar.Day) -> int:
    return calendar.serial(day)


def _months(start: calendar.Day, end: calendar.Day) -> Fraction:
    """Whole months from one day to another, and the part of one that is left."""
    years = calendar.astronomical(end[0]) - calendar.astronomical(start[0])
    return Fraction(years * 12 + end[1] - start[1]) + Fraction(end[2] - start[2], 31)

