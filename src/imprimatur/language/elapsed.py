"""The time between two dates: whether it is what a text says, by the number rules and as coarse as the dates are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache

from imprimatur.language import calendar, rounding, units
from imprimatur.language.rounding import Match
from imprimatur.values import DateValue, Number, Quantity, Unit

__all__ = ["elapsed"]


@cache
def _unit(name: str) -> Unit:
    found = units.by_name(name)
    assert found is not None, name
    return found


def elapsed(stated: Quantity, start: DateValue, end: DateValue, about: Fraction, *, age: bool = False) -> Match:
    """Whether the time from one date to another is what is stated; a bare number is of years.

    AMBIGUOUS when the dates are too coarse to tell, and where only the whole years that are completed fit a length of
    time. An ``age`` is what is completed; years alone leave it open, but lengths of time between years are what the
    calendar says.
    """
    if start.first is None or start.last is None or end.first is None or end.last is None:
        return Match.AMBIGUOUS
    year, unit = _unit("YR"), stated.unit or _unit("YR")
    said = replace(stated, unit=unit, low=_to_the_unit(stated.low), high=stated.high and _to_the_unit(stated.high))
    ends = ((start.last, end.first), (start.first, end.last))
    if unit.dimension == _unit("DAY").dimension:
        days = [Fraction(calendar.serial(b) - calendar.serial(a)) for a, b in ends]
        return _either(rounding.matches(said, span, _unit("DAY"), about=about) for span in days)
    if unit.dimension != year.dimension:
        return Match.UNIT
    if start.precision == end.precision == "year" and unit == year and not age:
        return _by_calendar(said, start.first[0], end.first[0], about)
    months = [_months(a, b) for a, b in ends]
    years = [Fraction(m // 12 * 12) for m in months]
    if age:
        return _either(rounding.matches(said, m, _unit("MO"), about=about) for m in _through(years))
    found = _either(rounding.matches(said, m, _unit("MO"), about=about) for m in months)
    begun = any(rounding.matches(said, m, _unit("MO"), about=about) is Match.YES for m in years)
    return Match.AMBIGUOUS if found is Match.NO and begun else found


def _to_the_unit(number: Number) -> Number:
    """A number in words, that is exact elsewhere: of time it is as exact as its unit."""
    whole = number.step == 0 and number.value.denominator == 1
    return Number(number.value, Fraction(1), len(str(number.value.numerator))) if whole else number


def _by_calendar(stated: Quantity, start: int, end: int, about: Fraction) -> Match:
    """The difference of two years; one more or less may be true too."""
    years = Fraction(calendar.astronomical(end) - calendar.astronomical(start))
    found = [rounding.matches(stated, years + d, _unit("YR"), about=about) for d in (0, -1, 1)]
    return Match.AMBIGUOUS if found[0] is Match.NO and Match.YES in found else found[0]


def _through(years: list[Fraction]) -> list[Fraction]:
    """Every whole year, in months, that may have been completed."""
    return [years[0] + 12 * n for n in range(int((years[1] - years[0]) / 12) + 1)][:100]


def _either(found: Iterable[Match]) -> Match:
    """What all of several matches say; AMBIGUOUS when they do not agree."""
    kinds = set(found)
    return kinds.pop() if len(kinds) == 1 else Match.AMBIGUOUS


def _months(start: calendar.Day, end: calendar.Day) -> Fraction:
    """Whole months from one day to another, and the part of one that is left."""
    years = calendar.astronomical(end[0]) - calendar.astronomical(start[0])
    return Fraction(years * 12 + end[1] - start[1]) + Fraction(end[2] - start[2], 31)
