"""Arithmetic of two or three steps, of a few shapes only.

Two changes or two shares are compared, a product is lessened or multiplied once more, a part is taken from a total, an
amount is spread over a span of time. Everything is typed, as in ``formulas``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from imprimatur.language import units
from imprimatur.language.rounding import convert
from imprimatur.sources.text.formulas import (
    TIMELY,
    Formula,
    cancels,
    days_between,
    product,
    quotient,
    share_of,
    times_between,
)
from imprimatur.sources.text.leaves import Leaf, same_kind
from imprimatur.values import Unit

__all__ = ["deep"]

_WITHIN = frozenset("in to for per each every".split())


def deep(leaves: Sequence[Leaf], frames: dict[int, int]) -> Iterator[Formula]:
    """The formulas of two or three steps; ``frames`` gives the clause of each leaf by its piece."""
    numbers = [leaf for leaf in leaves if leaf.day is None and not leaf.clock]
    plain = [leaf for leaf in numbers if not leaf.own]
    yield from _of_pairs(plain, frames)
    yield from _scaled(numbers)
    yield from _totals(plain)
    yield from _spread(leaves)
    yield from _rates(plain)
    yield from _sums_of_products(plain, frames)


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
    products = [f for a, b in pairs for f in (*product(a, b), *_shares(a, b), *_durations(a, b))]
    for made in products:
        a, b = made.leaves
        for c in leaves:
            if c in (a, b) or c.day is not None:
                continue
            inner = Leaf(piece=-1, said=made.said, value=made.value, unit=made.unit)
            for found in (product(inner, c), quotient(inner, c) if c.unit is None else (), share_of(inner, c)):
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
                for each in (*product(inner, c), *product(c, inner)):
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
        yield from (f for f in quotient(a, b) if f.unit is not None)
    elif a.unit is not None and b.unit is not None and same_kind(a, b) is None and cancels(a.unit, b.unit) is False:
        yield from (f for f in quotient(a, b) if f.unit is not None and f.unit.dimension in TIMELY)


def _shares(a: Leaf, b: Leaf) -> Iterator[Formula]:
    return share_of(a, b) if b.share and not a.share else iter(())


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
    for made in product(a, b) if a.unit is not None else product(b, a):
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
    days, clocks = [leaf for leaf in leaves if leaf.day is not None], [leaf for leaf in leaves if leaf.clock]
    for span in (*days_between(days), *times_between(clocks)):
        if span.unit is None or span.value <= 0 or span.clock or span.shape == "a - b":
            continue
        for a in numbers:
            less = convert(a.value, a.unit, span.unit) if a.unit is not None and a.unit.dimension in TIMELY else None
            if less is not None and 0 < less < span.value:
                said, value = f"({span.said}) - {a.said}", span.value - less
                yield Formula(shape="span - a", leaves=(a, *span.leaves), said=said, value=value, unit=span.unit)
        for a in numbers:
            unit = units.ratio(a.unit or Unit("", (), Fraction(1)), span.unit)
            if unit is not None and not a.share:
                said = f"{a.said} / ({span.said})"
                leaves_ = (a, *span.leaves)
                yield Formula(shape="a / span", leaves=leaves_, said=said, value=a.value / span.value, unit=unit)


def _rates(leaves: Sequence[Leaf]) -> Iterator[Formula]:
    """A change over the time that it took ("from 20 °C to 180 °C in 80 minutes")."""
    for a, b in permutations(leaves, 2):
        y = same_kind(a, b)
        if y is None or a.value <= y or a.unit is None or a.partner != b.piece:
            continue
        plain = replace(a.unit, offset=Fraction(0))
        for c in leaves:
            unit = units.ratio(plain, c.unit) if c.unit is not None and c.unit.dimension in TIMELY and c.value else None
            if unit is not None:
                said = f"({a.said} - {b.said}) / {c.said}"
                yield Formula(
                    shape="(a - b) / c", leaves=(a, b, c), said=said, value=(a.value - y) / c.value, unit=unit
                )


def _sums_of_products(leaves: Sequence[Leaf], frames: dict[int, int]) -> Iterator[Formula]:
    """Numbers of things at a price each, put together ("200 at 3 euros and 50 at 2 euros")."""
    pairs = [
        (a, b)
        for a, b in permutations(leaves, 2)
        if a.unit is None and b.unit is not None and not a.share and a.piece < b.piece
        if frames.get(a.piece) == frames.get(b.piece) and b.joint in _EACH_AT
    ]
    for (a, b), (c, d) in permutations(pairs, 2):
        z = same_kind(b, d)
        if z is not None and a.piece < c.piece:
            said = f"{a.said} x {b.said} + {c.said} x {d.said}"
            value = a.value * b.value + c.value * z
            yield Formula(shape="sum", leaves=(a, b, c, d), said=said, value=value, unit=b.unit)


_EACH_AT = frozenset("at of for".split())
