"""The arithmetic that a conclusion may rest on: the formulas over some leaves, each with its exact value and unit.

One step: a sum, difference, ratio, product, share, mean or rate, or a move in the calendar or on the clock (those of
several steps are in ``composed``). Everything is typed: amounts of different kinds are never added, and what a product
or quotient measures is computed. Nothing here decides whether a formula is what the claim's words mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

from imprimatur.language import calendar, units
from imprimatur.language.rounding import convert
from imprimatur.sources.text.leaves import Leaf, same_kind
from imprimatur.sources.text.references import moved as day_moved
from imprimatur.values import Unit

__all__ = [
    "TIMELY",
    "Formula",
    "cancels",
    "days_between",
    "product",
    "quotient",
    "share_of",
    "simple",
    "times_between",
]

_MOST_ADDED = 4
#: So many times a day or a year.
_OFTEN = ((("s", -1),), (("yr", -1),))
TIMELY = ((("s", 1),), (("yr", 1),))
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A result and what it was made of.

    Attributes:
        shape: the arithmetic with letters for the leaves in order ("a - b"); formulas of one shape are comparable.
        value: the result in ``unit``; a plain ratio has ``ratio`` and no unit, a count neither.
        day: the result where it is a day; ``deadline``: the last one on which something is to be done.
    """

    shape: str
    leaves: tuple[Leaf, ...]
    said: str
    value: Fraction = Fraction(0)
    unit: Unit | None = None
    ratio: bool = False
    day: tuple[int, int, int] | None = None
    clock: bool = False
    deadline: bool = False


def simple(leaves: Sequence[Leaf], *, sums: bool = True) -> Iterator[Formula]:
    """The formulas of one step; ``sums``: also sums and means of several."""
    numbers = [leaf for leaf in leaves if leaf.day is None and not leaf.clock]
    yield from _of_one(numbers)
    yield from _given(leaves)
    if sums:
        yield from _sums(numbers)
    for a, b in permutations(numbers, 2):
        if (a.own and b.own) or (a.piece == b.piece and not (a.own or b.own)):
            continue
        yield from _of_two(a, b)
    yield from times_between(leaves)
    yield from days_between(leaves)


# -- one step -------------------------------------------------------------------------------------------------------
def _of_one(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """The rest of a whole."""
    for a in leaves:
        if a.percent and 0 < a.value < 100:
            yield Formula(shape="1 - a", leaves=(a,), said=f"100% - {a.said}", value=100 - a.value, unit=a.unit)
        elif a.unit is None and 0 < a.value < 1:
            yield Formula(shape="1 - a", leaves=(a,), said=f"1 - {a.said}", value=1 - a.value, ratio=True)


def _given(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """What a text gives by another number, just so."""
    for a in leaves:
        if a.derived or (a.unit is not None and "/" in a.unit.symbol):
            due = a.joint == "within"
            yield Formula(
                shape="a",
                leaves=(a,),
                said=a.said,
                value=a.value,
                unit=a.unit,
                day=a.day,
                clock=a.clock,
                deadline=due,
            )


def _sums(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    plain = [leaf for leaf in leaves if not (leaf.own or leaf.derived or leaf.gap)]
    for size in range(2, _MOST_ADDED + 1):
        for chosen in combinations(plain, size):
            if len({leaf.piece for leaf in chosen}) < size:
                continue
            values = [same_kind(chosen[0], leaf) for leaf in chosen]
            if None in values:
                continue
            total = sum((value for value in values if value is not None), Fraction(0))
            said = " + ".join(leaf.said for leaf in chosen)
            unit = chosen[0].unit
            if not chosen[0].percent or total <= 100:
                yield Formula(shape="sum", leaves=chosen, said=said, value=total, unit=unit)
            if len({leaf.noun for leaf in chosen}) == 1 or chosen[0].unit is not None:
                yield Formula(shape="mean", leaves=chosen, said=f"mean of {said}", value=total / size, unit=unit)


def _of_two(a: Leaf, b: Leaf) -> Iterator[Formula]:
    if a.piece == b.piece and a.own is b.own and a.value == b.value:
        return
    y = same_kind(a, b)
    if y is not None and not (a.own or b.own or a.gap or b.gap):
        yield from _of_one_kind(a, b, y)
    if b.share:
        yield from share_of(a, b)
    yield from product(a, b)
    gradient = a.unit is not None and b.unit is not None and y is not None and a.unit.symbol != b.unit.symbol
    if y is None or gradient or (a.unit is None and b.unit is None and a.noun != b.noun):
        yield from quotient(a, b)


def _of_one_kind(a: Leaf, b: Leaf, y: Fraction) -> Iterator[Formula]:
    x, two = a.value, (a, b)
    if x > y:
        points = units.parse("percentage points") if a.percent else a.unit
        yield Formula(shape="a - b", leaves=two, said=f"{a.said} - {b.said}", value=x - y, unit=points)
    if y > 0:
        yield Formula(shape="a / b", leaves=two, said=f"{a.said} / {b.said}", value=x / y, ratio=True)
        said = f"{a.said} / ({a.said} + {b.said})"
        if x > 0:
            yield Formula(shape="a / (a + b)", leaves=two, said=said, value=x / (x + y), ratio=True)
        said = f"({a.said} - {b.said}) / {b.said}"
        if x != y:
            shape = "(a - b) / b" if x > y else "(b - a) / b"
            yield Formula(shape=shape, leaves=two, said=said, value=abs(x - y) / y, ratio=True)


def share_of(a: Leaf, b: Leaf) -> Iterator[Formula]:
    """A share ``b`` of an amount ``a``: the part, what is left, what it makes, and the whole."""
    if not b.share or b.gap or a.share:
        return
    part = b.value / 100 if b.percent else b.value
    two = (a, b)
    if b.sense == 0:
        yield Formula(shape="b of a", leaves=two, said=f"{b.said} of {a.said}", value=a.value * part, unit=a.unit)
        if part > 0:
            yield Formula(shape="a / b", leaves=two, said=f"{a.said} / {b.said}", value=a.value / part, unit=a.unit)
    if 0 < part < 1 and b.sense <= 0:
        rest = a.value * (1 - part)
        shape = "a less b" if b.sense == 0 else "a reduced by b"
        yield Formula(shape=shape, leaves=two, said=f"{a.said} less {b.said}", value=rest, unit=a.unit)
    if part > 0 and b.sense > 0:
        more = a.value * (1 + part)
        yield Formula(shape="a plus b", leaves=two, said=f"{a.said} plus {b.said}", value=more, unit=a.unit)
        before = a.value / (1 + part)
        yield Formula(shape="a / (1 + b)", leaves=two, said=f"{a.said} / (1 + {b.said})", value=before, unit=a.unit)


def product(a: Leaf, b: Leaf) -> Iterator[Formula]:
    """A number of times an amount, or a rate by how long or how much."""
    if _own_price(a) or _own_price(b):
        return  # a price of the claim's own is no premise
    said = f"{a.said} x {b.said}"
    if b.unit is None and not b.share and ((a.unit is not None and not a.percent) or b.own):
        shape = "a x n" if b.own else "a x b"
        yield Formula(shape=shape, leaves=(a, b), said=said, value=a.value * b.value, unit=a.unit)
        return
    if a.unit is None or b.unit is None or b.percent or a.percent or not cancels(a.unit, b.unit):
        return
    unit = units.product(a.unit, b.unit)
    if unit is not None:
        yield _typed("a x n" if a.own or b.own else "a x b", (a, b), said, a.value * b.value, unit)


def _own_price(leaf: Leaf) -> bool:
    return leaf.own and leaf.unit is not None and leaf.unit.symbol.startswith("cur:")


def cancels(a: Unit, b: Unit) -> bool:
    """Whether one is a rate in what the other measures; a power by a time makes an energy."""
    times = dict(a.dimension)
    if (
        b.symbol.startswith("%/")
        or b.dimension in _OFTEN
        or any(times.get(base, 0) * power < 0 for base, power in b.dimension)
    ):
        return True
    return {"yr", "s"} <= {*times, *dict(b.dimension)} and any(
        each < 0 for each in (*times.values(), *dict(b.dimension).values())
    )


def _typed(shape: str, leaves: tuple[Leaf, ...], said: str, value: Fraction, unit: Unit) -> Formula:
    """A formula whose unit may have cancelled to a plain number."""
    if unit.dimension or (leaves[0].unit is not None and leaves[1].unit is not None and shape == "a / b"):
        return Formula(shape=shape, leaves=leaves, said=said, value=value, unit=unit)
    return Formula(shape=shape, leaves=leaves, said=said, value=value * unit.factor)


def quotient(a: Leaf, b: Leaf) -> Iterator[Formula]:
    """So much each, so much per unit of something else, or how long or how often."""
    if b.value == 0 or b.share or (a.percent and b.unit is not None):
        return
    said = f"{a.said} / {b.said}"
    if b.unit is None:
        yield Formula(shape="a / b", leaves=(a, b), said=said, value=a.value / b.value, unit=a.unit)
        return
    unit = units.ratio(a.unit or Unit("", (), Fraction(1)), b.unit)
    if unit is not None:
        yield _typed("a / b", (a, b), said, a.value / b.value, unit)


# -- times and days -------------------------------------------------------------------------------------------------
def times_between(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """From one time of day to another, past midnight where it is earlier; a time so much before or after one."""
    clocks = [leaf for leaf in leaves if leaf.clock]
    for a, b in permutations(clocks, 2):
        gap = (b.value - a.value) % _DAY_MINUTES
        if a.piece < b.piece:
            said = f"from {a.said} to {b.said}"
            yield Formula(shape="from a to b", leaves=(a, b), said=said, value=gap, unit=a.unit)
        if a.value > b.value:
            said = f"{a.said} - {b.said}"
            yield Formula(shape="a - b", leaves=(a, b), said=said, value=a.value - b.value, unit=a.unit)
    for a in clocks:
        for b in leaves:
            gap_ = convert(b.value, b.unit, a.unit) if b.unit is not None and not b.clock and b.day is None else None
            if gap_ is None or gap_ >= _DAY_MINUTES:
                continue
            for sign, word in ((1, "+"), (-1, "-")):
                when = (a.value + sign * gap_) % _DAY_MINUTES
                said = f"{a.said} {word} {b.said}"
                yield Formula(shape=f"a {word} b", leaves=(a, b), said=said, value=when, unit=a.unit, clock=True)


def days_between(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """The time between two dates, and days or years that lie so much before or after one."""
    days = [leaf for leaf in leaves if leaf.day is not None]
    for a, b in combinations(days, 2):
        yield from _between(a, b)
    for a in days:
        for b in leaves:
            if b.day is not None or b.unit is None or a.derived or b.derived:
                continue
            for sign, word in ((1, "+"), (-1, "-")):
                when = day_moved(a, b, sign) if b.toward == sign or (sign > 0 and not b.toward) else None
                if when is not None:
                    said = f"{a.said} {word} {b.said}"
                    due = b.joint == "within"
                    yield Formula(shape=f"day {word} b", leaves=(a, b), said=said, day=when, deadline=due)
                if (
                    when is not None
                    and sign > 0
                    and a.day is not None
                    and a.day[2] == 1
                    and b.unit.symbol in ("mo", "yr")
                ):
                    eve = calendar.shift_days(when, -1)
                    yield Formula(shape="last day", leaves=(a, b), said=f"the day before {said}", day=eve)


def _between(a: Leaf, b: Leaf) -> Iterator[Formula]:
    assert a.day is not None
    assert b.day is not None
    first, last = sorted((a.day, b.day))
    said = f"from {a.said} to {b.said}"
    year, day, month = units.parse("years"), units.parse("days"), units.parse("months")
    gap = Fraction(calendar.astronomical(last[0]) - calendar.astronomical(first[0]))
    exact = a.precision == b.precision == "day"
    if "day" in (a.precision, b.precision) and first[1:] != last[1:]:
        gap = gap - (last[1:] < first[1:]) + Fraction(1, 2)
    yield Formula(shape="whole years", leaves=(a, b), said=said, value=gap, unit=year)
    if exact:
        length = Fraction(calendar.serial(last) - calendar.serial(first))
        yield Formula(shape="between", leaves=(a, b), said=said, value=length, unit=day)
        if first[2] == last[2]:
            months = Fraction((last[0] - first[0]) * 12 + last[1] - first[1])
            yield Formula(shape="between", leaves=(a, b), said=said, value=months, unit=month)
