"""Days, months, years, decades and centuries as closed intervals of days, before and after the turn of the era.

Invariants: a day is ``(year, month, day)``; year -384 is 384 BC and there is no year 0, so tuples sort in time order.
Day arithmetic follows the proleptic Gregorian calendar, with one leniency: 29 February is also a day where the Julian
calendar has it (before 1583), because historical sources write such days. Every constructor raises ``ValueError`` for
a date that no calendar has; none returns one.
"""

from __future__ import annotations

from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.values import DateValue

__all__ = [
    "MONTHS",
    "Day",
    "Instant",
    "astronomical",
    "century",
    "day",
    "decade",
    "historical",
    "instant",
    "is_day",
    "month",
    "month_length",
    "quarter",
    "serial",
    "shift_days",
    "shift_months",
    "shift_years",
    "weekday",
    "year",
]

Day = tuple[int, int, int]

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_GREGORIAN_FROM = 1583


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant(DateValue):
    """A moment on one day: ``seconds`` after midnight UTC of ``first`` (which equals ``last``); precision "time".

    Two instants are the same moment exactly when both days and both ``seconds`` are equal.
    """

    seconds: Fraction


def astronomical(year_number: int) -> int:
    """The year on the scale that has a year 0: 1 BC (-1) is 0, 384 BC (-384) is -383."""
    return year_number + 1 if year_number < 0 else year_number


def historical(astronomical_year: int) -> int:
    """The inverse of ``astronomical``: year 0 becomes -1 (1 BC)."""
    return astronomical_year if astronomical_year > 0 else astronomical_year - 1


def month_length(year_number: int, month_number: int) -> int:
    """The days of a month; February has 29 in leap years of the Gregorian and, before 1583, of the Julian calendar."""
    if month_number != 2:
        return _LENGTHS[month_number - 1]
    counted = astronomical(year_number)
    julian = year_number < _GREGORIAN_FROM and counted % 4 == 0
    gregorian = counted % 4 == 0 and (counted % 100 != 0 or counted % 400 == 0)
    return 29 if julian or gregorian else 28


def is_day(value: Day) -> bool:
    """Whether ``value`` is a day of the calendar."""
    year_number, month_number, day_number = value
    return year_number != 0 and 1 <= month_number <= 12 and 1 <= day_number <= month_length(year_number, month_number)


def day(year_number: int, month_number: int, day_number: int) -> DateValue:
    """One day. Raises ValueError when there is no such day."""
    value = (year_number, month_number, day_number)
    if not is_day(value):
        raise ValueError(f"no such day: {value}; give a year other than 0, a month 1-12 and a day of that month")
    return DateValue(first=value, last=value, precision="day")


def instant(date: Day, seconds: Fraction) -> Instant:
    """A moment, ``seconds`` (0 <= seconds < 86400) after midnight UTC. Raises ValueError when there is no such day."""
    if not is_day(date) or not 0 <= seconds < 86400:
        raise ValueError(f"no such moment: {date} + {seconds} s; give a day of the calendar and 0 <= seconds < 86400")
    return Instant(first=date, last=date, precision="time", seconds=seconds)


def _months(year_number: int, first_month: int, last_month: int, precision: str) -> DateValue:
    if year_number == 0 or not 1 <= first_month <= last_month <= 12:
        raise ValueError(f"no such {precision}: year {year_number}, month {first_month}; the year may not be 0")
    last = (year_number, last_month, month_length(year_number, last_month))
    return DateValue(first=(year_number, first_month, 1), last=last, precision=precision)


def month(year_number: int, month_number: int) -> DateValue:
    """One month of a year."""
    return _months(year_number, month_number, month_number, "month")


def quarter(year_number: int, number: int) -> DateValue:
    """One quarter (1-4) of a calendar year."""
    return _months(year_number, 3 * number - 2, 3 * number, "quarter")


def year(number: int) -> DateValue:
    """One year; -384 is 384 BC."""
    return _months(number, 1, 12, "year")


def _years(first: int, last: int, precision: str) -> DateValue:
    return DateValue(first=(first, 1, 1), last=(last, 12, 31), precision=precision)


def decade(number: int) -> DateValue:
    """The decade written "1990s" (1990) or "420s BC" (-420: 429 BC to 420 BC); a multiple of 10, not 0."""
    if number == 0 or number % 10:
        raise ValueError(f"no such decade: {number}; give a multiple of 10 other than 0")
    return _years(number, number + 9, "decade") if number > 0 else _years(number - 9, number, "decade")


def century(number: int) -> DateValue:
    """The ``number``-th century: 19 is 1801-1900, -3 is 300 BC to 201 BC."""
    if number == 0:
        raise ValueError("no such century: 0; the first centuries are 1 and -1")
    last = abs(number) * 100
    return _years(last - 99, last, "century") if number > 0 else _years(-last, 99 - last, "century")


def shift_months(value: Day, months: int) -> Day:
    """``value`` moved by whole months; a day that the new month lacks becomes its last day."""
    year_number, month_number, day_number = value
    counted = astronomical(year_number) * 12 + month_number - 1 + months
    moved, number = historical(counted // 12), counted % 12 + 1
    return moved, number, min(day_number, month_length(moved, number))


def shift_years(value: Day, years: int) -> Day:
    """``value`` moved by whole years, across the turn of the era without a year 0."""
    return shift_months(value, 12 * years)


def shift_days(value: Day, days: int) -> Day:
    """``value`` moved by days."""
    return _day_of(serial(value) + days)


def weekday(value: Day) -> int:
    """The day of the week, Monday 0, on the proleptic Gregorian calendar."""
    return (serial(value) + 2) % 7


def serial(value: Day) -> int:
    """Days since 1 March of astronomical year 0 (years are counted from March, so the leap day comes last)."""
    year_number, month_number, day_number = value
    shifted = (month_number + 9) % 12
    counted = astronomical(year_number) - shifted // 10
    return 365 * counted + counted // 4 - counted // 100 + counted // 400 + (shifted * 306 + 5) // 10 + day_number - 1


def _day_of(number: int) -> Day:
    """The inverse of ``serial``."""
    era, rest = divmod(number, 146097)
    in_era = (rest - rest // 1460 + rest // 36524 - rest // 146096) // 365
    of_year = rest - (365 * in_era + in_era // 4 - in_era // 100)
    shifted = (5 * of_year + 2) // 153
    month_number = (shifted + 2) % 12 + 1
    counted = era * 400 + in_era + shifted // 10
    return historical(counted), month_number, of_year - (153 * shifted + 2) // 5 + 1
