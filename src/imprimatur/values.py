"""Exact values that text and graphs state: numbers with units, and dates.

Invariants: no binary floats anywhere; every number is a ``Fraction`` together with the place value of its last written
digit, so that rounding (DESIGN section 3) can be judged later. All values are frozen and hashable.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from imprimatur._dataclasses import dataclass

__all__ = ["Bound", "DateValue", "Number", "Quantity", "TextValue", "Unit", "Value"]


class Bound(StrEnum):
    """How a stated quantity limits the true one."""

    EXACT = "="
    ABOUT = "~"
    AT_LEAST = ">="
    AT_MOST = "<="
    MORE_THAN = ">"
    LESS_THAN = "<"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Number:
    """A written number: its exact value and how precisely it was written.

    ``step`` is the place value of the last written digit (1/100 for "12.50", 1 for "2,334" and for "8,000": trailing
    zeros count as written; ``significant`` is the number of digits before the trailing zeros of an integer, or all
    digits of a decimal). Words and fractions ("a third") have ``step`` 0: they are exact.
    """

    value: Fraction
    step: Fraction = Fraction(0)
    significant: int = 0


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: ``value_in_base = value * factor + offset`` in the base unit of ``dimension``.

    ``dimension`` is a tuple of (base symbol, exponent) pairs sorted by symbol, for instance ``(("m", 1), ("s", -1))``;
    a currency is its own dimension, ``(("cur:EUR", 1),)``; percent is dimensionless with factor 1/100 and symbol "%".
    """

    symbol: str
    dimension: tuple[tuple[str, int], ...]
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A stated quantity: a number or a range, its bound, and its unit (None: a bare number or a count).

    ``other`` holds the readings under other separators ("16.181" as 16181), ``partner`` the conversion in brackets that
    must fit too ("400 feet (120 m)"). ``ordinal`` marks "2nd", "third".
    """

    low: Number
    high: Number | None = None
    bound: Bound = Bound.EXACT
    unit: Unit | None = None
    ordinal: bool = False
    other: tuple[Quantity, ...] = ()
    partner: Quantity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DateValue:
    """A stated or stored date as a closed interval of days on the proleptic Gregorian calendar.

    ``first`` and ``last`` are ``(year, month, day)`` with astronomical-free BCE years: year -384 is 384 BC and there is
    no year 0. None leaves that end open. ``precision`` names the finest written part. ``bound`` as for quantities
    ("before 1900" is LESS_THAN). ``other`` holds other readings ("03/04/2024").
    """

    first: tuple[int, int, int] | None
    last: tuple[int, int, int] | None
    precision: str  # "day" | "month" | "quarter" | "year" | "decade" | "century" | "time"
    bound: Bound = Bound.EXACT
    other: tuple[DateValue, ...] = ()


@dataclass(frozen=True, slots=True)
class TextValue:
    """A literal string value, as written."""

    text: str


Value = Quantity | DateValue | TextValue
