"""The arithmetic that a conclusion may rest on: the formulas over some leaves, each with its exact value and unit.

One step (a sum, difference, ratio, product, share, mean, rate, or a move in the calendar or on the clock), or two or
three steps of a few shapes (a difference of two differences or of two shares, a total less a part, a price times a
number less a share). Everything is typed: amounts of different kinds are never added, and what a product or quotient
measures is computed. Nothing here decides whether a formula is what the claim's words mean.
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

__all__ = ["Formula", "deep", "simple"]

_MOST_ADDED = 4
#: So many times a day or a year.
_OFTEN = ((("s", -1),), (("yr", -1),))
_TIMELY = ((("s", 1),), (("yr", 1),))
_WITHIN = frozenset("in to for per each every".split())
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A result and what it was made of.

    Attributes:
        shape: the arithmetic with letters for the leaves in order ("a - b"); formulas of one shape are comparable.
        value: the result in ``unit``; a plain ratio has ``ratio`` and no unit, a count neither.
        day: the result where it is a day.
    """

    shape: str
    leaves: tuple[Leaf, ...]
    said: str
    value: Fraction = Fraction(0)
    unit: Unit | None = None
    ratio: bool = False
    day: tuple[int, int, int] | None = None
    clock: bool = False


def simple(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """The formulas of one step."""
    numbers = [leaf for leaf in leaves if leaf.day is None and not leaf.clock]
    yield from _of_one(numbers)
    yield from _given(leaves)
    yield from _sums(numbers)
    for a, b in permutations(numbers, 2):
        if (a.own and b.own) or (a.piece == b.piece and not (a.own or b.own)):
            continue
        yield from _of_two(a, b)
    yield from _of_times(leaves)
    yield from _of_days(leaves)


def deep(leaves: Sequence[Leaf], frames: dict[int, int]) -> Iterator[Formula]:
    """The formulas of two or three steps; ``frames`` gives the clause of each leaf by its piece."""
    numbers = [leaf for leaf in leaves if leaf.day is None and not leaf.clock]
    plain = [leaf for leaf in numbers if not leaf.own]
    yield from _of_pairs(plain, frames)
    yield from _scaled(numbers)
    yield from _totals(plain)
    yield from _spread(leaves)


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
        if a.derived:
            yield Formula(shape="a", leaves=(a,), said=a.said, value=a.value, unit=a.unit, day=a.day, clock=a.clock)


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
        yield from _share_of(a, b)
    yield from _product(a, b)
    gradient = a.unit is not None and b.unit is not None and y is not None and a.unit.symbol != b.unit.symbol
    if y is None or gradient or (a.unit is None and b.unit is None and a.noun != b.noun):
        yield from _quotient(a, b)


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


def _share_of(a: Leaf, b: Leaf) -> Iterator[Formula]:
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


def _product(a: Leaf, b: Leaf) -> Iterator[Formula]:
    """A number of times an amount, or a rate by how long or how much."""
    said = f"{a.said} x {b.said}"
    if b.unit is None and not b.share and ((a.unit is not None and not a.percent) or b.own):
        shape = "a x n" if b.own else "a x b"
        yield Formula(shape=shape, leaves=(a, b), said=said, value=a.value * b.value, unit=a.unit)
        return
    if a.unit is None or b.unit is None or b.percent or a.percent or not _cancels(a.unit, b.unit):
        return
    unit = units.product(a.unit, b.unit)
    if unit is not None:
        yield _typed("a x n" if a.own or b.own else "a x b", (a, b), said, a.value * b.value, unit)


def _cancels(a: Unit, b: Unit) -> bool:
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


def _quotient(a: Leaf, b: Leaf) -> Iterator[Formula]:
    """So much each, so much per unit of something else, or how long or how often."""
    if b.value == 0 or b.share or a.percent:
        return
    said = f"{a.said} / {b.said}"
    if b.unit is None:
        yield Formula(shape="a / b", leaves=(a, b), said=said, value=a.value / b.value, unit=a.unit)
        return
    unit = units.ratio(a.unit or Unit("", (), Fraction(1)), b.unit)
    if unit is not None:
        yield _typed("a / b", (a, b), said, a.value / b.value, unit)


# -- times and days -------------------------------------------------------------------------------------------------
def _of_times(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """From one time of day to another, past midnight where it is earlier; a time so much before or after one."""
    clocks = [leaf for leaf in leaves if leaf.clock]
    for a, b in permutations(clocks, 2):
        gap = (b.value - a.value) % _DAY_MINUTES
        if a.piece < b.piece:
            said = f"from {a.said} to {b.said}"
            yield Formula(shape="from a to b", leaves=(a, b), said=said, value=gap, unit=a.unit)
    for a in clocks:
        for b in leaves:
            gap_ = convert(b.value, b.unit, a.unit) if b.unit is not None and not b.clock and b.day is None else None
            if gap_ is None or gap_ >= _DAY_MINUTES:
                continue
            for sign, word in ((1, "+"), (-1, "-")):
                when = (a.value + sign * gap_) % _DAY_MINUTES
                said = f"{a.said} {word} {b.said}"
                yield Formula(shape=f"a {word} b", leaves=(a, b), said=said, value=when, unit=a.unit, clock=True)


def _of_days(leaves: Sequence[Leaf]) -> Iterator[Formula]:
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
                    yield Formula(shape=f"day {word} b", leaves=(a, b), said=said, day=when)


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
    yield Formula(shape="between", leaves=(a, b), said=said, value=gap, unit=year)
    if exact:
        length = Fraction(calendar.serial(last) - calendar.serial(first))
        yield Formula(shape="between", leaves=(a, b), said=said, value=length, unit=day)
        if first[2] == last[2]:
            months = Fraction((last[0] - first[0]) * 12 + last[1] - first[1])
            yield Formula(shape="between", leaves=(a, b), said=said, value=months, unit=month)


# -- two and three steps --------------------------------------------------------------------------------------------
def _of_pairs(leaves: Sequence[Leaf], frames: dict[int, int]) -> Iterator[Formula]:
    """Two changes compared, each within one clause; two shares compared."""
    gaps, shares = [], []
    for a, b in permutations(leaves, 2):
        y = same_kind(a, b)
        if y is None or a.share or a.piece == b.piece:
            continue
        if a.piece < b.piece and a.value != y and _one_series(a, b, frames):
            gaps.append((a, b, abs(a.value - y)))
        if 0 < a.value < y:
            shares.append((a, b, a.value / y))
    for (a, b, x), (c, d, z) in permutations(gaps, 2):
        other = convert(z, c.unit, a.unit) if a.unit is not None and c.unit is not None else z
        if other is None or (a.unit is None) is not (c.unit is None) or {a.piece, b.piece} & {c.piece, d.piece}:
            continue
        four, said = (a, b, c, d), f"|{a.said} - {b.said}| against |{c.said} - {d.said}|"
        if x > other:
            yield Formula(shape="|a - b| - |c - d|", leaves=four, said=said, value=x - other, unit=a.unit)
        yield Formula(shape="|a - b| / |c - d|", leaves=four, said=said, value=x / other, ratio=True)
    points = units.parse("percentage points")
    for (a, b, x), (c, d, z) in permutations(shares, 2):
        if x > z and a.piece != c.piece and same_kind(a, c) is not None:
            four, said = (a, b, c, d), f"{a.said} / {b.said} - {c.said} / {d.said}"
            yield Formula(shape="a / b - c / d", leaves=four, said=said, value=(x - z) * 100, unit=points)


def _one_series(a: Leaf, b: Leaf, frames: dict[int, int]) -> bool:
    """Whether two numbers are the ends of one change."""
    if a.partner >= 0 or b.partner >= 0:
        return a.partner == b.piece
    return frames.get(a.piece) == frames.get(b.piece)


def _scaled(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """A product that is multiplied, divided, or lessened by a share or by what is free."""
    pairs = [(a, b) for a, b in permutations(leaves, 2) if not (a.own and b.own)]
    products = [f for a, b in pairs for f in (*_product(a, b), *_shares(a, b), *_durations(a, b))]
    for made in products:
        a, b = made.leaves
        for c in leaves:
            if c in (a, b) or c.day is not None:
                continue
            inner = Leaf(piece=-1, said=made.said, value=made.value, unit=made.unit)
            for found in (_product(inner, c), _quotient(inner, c) if c.unit is None else (), _share_of(inner, c)):
                for each in found:
                    if each.shape == "a / b" and c.share:
                        continue
                    yield Formula(
                        shape=f"({made.shape}) {each.shape}",
                        leaves=(a, b, c),
                        said=each.said,
                        value=each.value,
                        unit=each.unit,
                        ratio=each.ratio,
                    )
    for a, b in permutations(leaves, 2):
        y = same_kind(a, b)
        if y is None or a.value <= y or b.own:
            continue
        inner = Leaf(piece=-1, said=f"({a.said} - {b.said})", value=a.value - y, unit=a.unit)
        for c in leaves:
            if c not in (a, b) and not c.own:
                for each in (*_product(inner, c), *_product(c, inner)):
                    yield Formula(
                        shape="(a - b) x c", leaves=(a, b, c), said=each.said, value=each.value, unit=each.unit
                    )


def _durations(a: Leaf, b: Leaf) -> Iterator[Formula]:
    """How long an amount takes at a rate, and how much of one thing is in so much of another ("120 mg in 5 mL")."""
    if (
        a.piece < b.piece
        and b.joint in _WITHIN
        and a.unit is not None
        and b.unit is not None
        and same_kind(a, b) is None
    ):
        yield from (f for f in _quotient(a, b) if f.unit is not None)
    elif a.unit is not None and b.unit is not None and same_kind(a, b) is None and _cancels(a.unit, b.unit) is False:
        yield from (f for f in _quotient(a, b) if f.unit is not None and f.unit.dimension in _TIMELY)


def _shares(a: Leaf, b: Leaf) -> Iterator[Formula]:
    return _share_of(a, b) if b.share and not a.share else iter(())


def _totals(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """A sum less a part, a part less several, the rest as a share, a product less a part."""
    for a, b in permutations(leaves, 2):
        y = same_kind(a, b)
        if y is None or a.share:
            continue
        for c in leaves:
            z = same_kind(a, c)
            if z is None or len({a.piece, b.piece, c.piece}) < 3:
                continue
            three, unit = (a, b, c), a.unit
            if a.piece < b.piece and a.value + y > z:
                said = f"{a.said} + {b.said} - {c.said}"
                yield Formula(shape="a + b - c", leaves=three, said=said, value=a.value + y - z, unit=unit)
                if z:
                    said = f"({a.said} + {b.said}) / {c.said}"
                    yield Formula(shape="(a + b) / c", leaves=three, said=said, value=(a.value + y) / z, ratio=True)
            if b.piece < c.piece and a.value > y + z:
                said = f"{a.said} - {b.said} - {c.said}"
                yield Formula(shape="a - b - c", leaves=three, said=said, value=a.value - y - z, unit=unit)
    for a, b in permutations(leaves, 2):
        if a.piece < b.piece:
            yield from _products_with(a, b, leaves)


def _products_with(a: Leaf, b: Leaf, leaves: Sequence[Leaf]) -> Iterator[Formula]:
    for made in _product(a, b) if a.unit is not None else _product(b, a):
        inner = Leaf(piece=-1, said=f"{a.said} x {b.said}", value=made.value, unit=made.unit)
        for c in leaves:
            z = same_kind(inner, c)
            if z is None or c in (a, b) or (made.unit is not None and made.unit.symbol == "%"):
                continue
            three = (a, b, c)
            if made.value > z:
                said, value = f"{inner.said} - {c.said}", made.value - z
                yield Formula(shape="a x b - c", leaves=three, said=said, value=value, unit=made.unit)
            elif z > made.value:
                said, value = f"{c.said} - {inner.said}", z - made.value
                yield Formula(shape="c - a x b", leaves=three, said=said, value=value, unit=made.unit)
            if made.value and c.unit is None:
                said = f"{c.said} / ({inner.said})"
                yield Formula(shape="c / (a x b)", leaves=three, said=said, value=z / made.value, ratio=True)


def _spread(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """An amount over the time between two dates or times."""
    numbers = [leaf for leaf in leaves if leaf.day is None and not leaf.clock and not leaf.own]
    spans = [
        f for f in (*_of_days([x for x in leaves if x.day is not None]), *_of_times([x for x in leaves if x.clock]))
    ]
    for span in spans:
        if span.unit is None or span.value <= 0 or span.clock:
            continue
        for a in numbers:
            unit = units.ratio(a.unit or Unit("", (), Fraction(1)), span.unit)
            if unit is not None and not a.share:
                said = f"{a.said} / ({span.said})"
                leaves_ = (a, *span.leaves)
                yield Formula(shape="a / span", leaves=leaves_, said=said, value=a.value / span.value, unit=unit)
