"""A number, day or time from which a conclusion may be computed: ``Leaf``, with what it is the number of.

A leaf knows its value, its unit (with "a day", "per kilo" taken in), the noun that it counts (a bare number without a
noun counts what the number before it does), and where it stands. A bound is kept: what is only known to be "at least"
so much is no plain number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.language import calendar, units
from imprimatur.language.rounding import convert
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Bound, Quantity, Unit

__all__ = ["PER_WITHIN", "Leaf", "clock_of", "day_of", "own_leaves", "per_after", "same_kind", "wide_unit"]

_CLOCK = expression(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_LAP = expression(r"(\d{1,2}):(\d{2}\.\d{1,2})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY = expression(rf"(\d{{1,2}}) ({'|'.join(_MONTHS)})")
#: How many pieces may stand between a number and what it is "per" ("4% interest a year").
PER_WITHIN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A number, day or time of day of the texts, or (``own``) a number that the claim itself brings.

    ``piece`` is its index among the pieces of the evidence (of the claim for an own one), ``noun`` that of the noun
    that it counts or -1; ``clock``: minutes since midnight; ``sense``: -1 for a share "less" or "off", 1 for "more";
    ``partner``: the other number of "from … to …", whose second one is ``later``; ``derived``: the text gives it by
    another number (a count of what is listed, "four seconds faster than Ueda"), and ``reference`` are the pieces that
    say whose it is; ``gap``: it is itself how much more or less something is; ``joint``: the word before it; ``step``:
    the place of the last of its decimals; ``toward``: 1 for a time "later" or "after", -1 for one "earlier" or
    "before".
    """

    piece: int
    said: str
    value: Fraction = Fraction(0)
    unit: Unit | None = None
    day: tuple[int, int, int] | None = None
    precision: str = ""
    clock: bool = False
    bound: Bound = Bound.EXACT
    noun: int = -1
    own: bool = False
    sense: int = 0
    partner: int = -1
    later: bool = False
    reference: frozenset[int] = frozenset()
    derived: bool = False
    gap: bool = False
    joint: str = ""
    step: Fraction = Fraction(0)
    toward: int = 0

    @property
    def percent(self) -> bool:
        """Whether it is so many per cent."""
        return self.unit is not None and self.unit.symbol == "%"

    @property
    def share(self) -> bool:
        """Whether it is a fraction of a whole, in words or per cent."""
        if self.unit is None:
            return 0 < self.value.numerator < self.value.denominator
        return self.unit.symbol == "%"


def own_leaves(pieces: Sequence[Piece], indices: Sequence[int]) -> Iterator[Leaf]:
    """Numbers of the claim itself by which those of the texts may be multiplied ("two berths", "an hour")."""
    for k in indices:
        piece = pieces[k]
        if piece.quantity is None or piece.quantity.ordinal or piece.quantity.high is not None:
            continue
        if piece.quantity.bound not in (Bound.EXACT, Bound.ABOUT):
            continue  # "more than half" is no factor
        yield Leaf(piece=k, said=piece.text, value=piece.quantity.low.value, unit=_money(piece.quantity), own=True)


def day_of(piece: Piece) -> tuple[int, int, int] | None:
    """A day without its year, in a year without 29 February."""
    day = _DAY.fullmatch(piece.lower)
    when = (2001, _MONTHS.index(day[2]) + 1, int(day[1])) if day else None
    return when if when is not None and calendar.is_day(when) else None


def clock_of(piece: Piece) -> tuple[Fraction, Unit] | None:
    """A time of day in minutes, or "2:09:48" as a time in seconds."""
    clock, lap = _CLOCK.fullmatch(piece.lower), _LAP.fullmatch(piece.lower)
    minute, second = units.parse("min"), units.parse("s")
    if lap is not None and second is not None:
        return int(lap[1]) * 60 + Fraction(lap[2]), second
    if clock is None or minute is None or second is None:
        return None
    if clock[3] is not None:
        return Fraction(int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3])), second
    return Fraction(int(clock[1]) * 60 + int(clock[2])), minute


def per_after(pieces: Sequence[Piece], k: int) -> int:
    """The "a day" or "per kilo" that a number is said of; -1 for none."""
    for n in range(k + 1, min(len(pieces), k + 1 + PER_WITHIN)):
        if pieces[n].one and pieces[n - 1].part is Part.PREPOSITION and pieces[n - 1].lower != "of":
            return -1  # "in a week" is no rate
        if pieces[n].one and not pieces[n].lower.startswith("one "):
            counts = n + 1 < len(pieces) and pieces[n + 1].part is Part.NOUN and " " not in pieces[n].lower
            return -1 if counts else n  # "daily rates" are no rates a day
        if pieces[n].figure or pieces[n].part in (Part.MARK, Part.CONJUNCTION) or pieces[n].lower in ("than", "as"):
            return -1
    return -1


def wide_unit(pieces: Sequence[Piece], k: int) -> Unit | None:
    """The unit of a number with what it is per ("2,400 dollars a year")."""
    quantity = pieces[k].quantity
    if quantity is None:
        return None
    n = per_after(pieces, k)
    below = pieces[n].quantity if n >= 0 else None
    own = _money(quantity)
    if below is None or below.unit is None:
        return own
    times = Unit("", (), Fraction(1))
    if own is not None and own.offset:
        own = replace(own, offset=Fraction(0))  # so many degrees a minute are a difference
    return units.ratio(own or times, below.unit) or own


def _money(quantity: Quantity) -> Unit | None:
    """The unit of a quantity; of "pounds" the money, for weights in pounds are hardly reckoned with."""
    if quantity.unit is not None and quantity.unit.symbol.startswith("cur:"):
        return quantity.unit
    readings = [other.unit for other in quantity.other if other.low.value == quantity.low.value]
    money = next((unit for unit in readings if unit is not None and unit.symbol.startswith("cur:")), None)
    return money or quantity.unit


def same_kind(a: Leaf, b: Leaf) -> Fraction | None:
    """The value of ``b`` in the unit of ``a``; None where they measure different things."""
    if a.unit is None or b.unit is None:
        return b.value if a.unit is b.unit and a.share is b.share else None
    return convert(b.value, b.unit, a.unit)
