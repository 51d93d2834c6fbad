"""Whether a number or date of a claim is one of a text (DESIGN section 3, numbers and dates).

A figure fits when what the text says makes what the claim says true: the same value at the claim's last written digit,
in any unit of its kind; a bound or range that follows from the text's; a date whose interval holds the text's. A bound
or "about" of the text must not be dropped.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from imprimatur.language import dates, rounding
from imprimatur.language.rounding import convert
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.pieces import Piece
from imprimatur.values import Bound, DateValue, Quantity

__all__ = ["Fit", "bare", "comparable", "fits"]


class Fit(StrEnum):
    """How a claim's figure meets a text's."""

    YES = "yes"
    HEDGE = "hedge"
    BOUND = "bound"
    NO = "no"
    APART = "apart"


_UPPER = (Bound.AT_MOST, Bound.LESS_THAN)
_LOWER = (Bound.AT_LEAST, Bound.MORE_THAN)


def fits(claim: Piece, text: Piece, limits: TextLimits) -> Fit:
    """APART: not of one kind; HEDGE, BOUND: the same value, but the text's "about" or bound is dropped."""
    if claim.date is not None and text.date is not None:
        return Fit.YES if _by_then(claim, text.date) else _dated(claim.date, text.date)
    if claim.quantity is None or text.quantity is None or claim.label or text.label:
        return Fit.APART
    stated, stored = claim.quantity, text.quantity
    if stated.ordinal is not stored.ordinal:
        return Fit.APART
    found = [_quantities(a, b, limits.about) for a in _units(stated) for b in _units(stored) if _one_kind(a, b)]
    return next((fit for fit in (Fit.YES, Fit.HEDGE, Fit.BOUND, Fit.NO) if fit in found), Fit.APART)


def _by_then(claim: Piece, stored: DateValue) -> bool:
    """Whether what was so at a time was so by a later one of that year ("by 2025", "in May 2025")."""
    stated = claim.date
    if stated is None or not claim.lower.startswith("by ") or stored.bound is not Bound.EXACT:
        return False
    if stated.last is None or stored.last is None:
        return False
    return stored.last[0] == stated.last[0] and stored.last <= stated.last


def _units(quantity: Quantity) -> tuple[Quantity, ...]:
    """The readings that differ in the unit word alone ("pounds"): the text tells which is meant."""
    if not quantity.other:
        return (quantity,)
    plain = replace(quantity, other=tuple(o for o in quantity.other if o.low.value != quantity.low.value))
    same = (replace(o, other=()) for o in quantity.other if o.low.value == quantity.low.value)
    return (plain, *same)


def _one_kind(a: Quantity, b: Quantity) -> bool:
    return _scaled(b, a) is not None


def comparable(a: Piece, b: Piece) -> bool:
    """Whether two figures are of one kind: dates, or numbers of one dimension."""
    if a.date is not None and b.date is not None:
        return True
    if a.quantity is None or b.quantity is None:
        return False
    one, other = a.quantity, b.quantity
    if one.ordinal is not other.ordinal:
        return False
    return any(_one_kind(x, y) for x in _units(one) for y in _units(other))


def bare(piece: Piece) -> bool:
    """Whether a piece is a plain number without a unit."""
    quantity = piece.quantity
    return quantity is not None and not piece.label and quantity.unit is None and not quantity.ordinal


def _scaled(stored: Quantity, stated: Quantity) -> Fraction | None:
    """The stored number in the stated unit; a share of one is a percentage."""
    value = stored.low.value
    if stored.unit is None and stated.unit is None:
        return value if _share(stored) is _share(stated) else None
    if stated.unit is not None and stated.unit.symbol == "%" and stored.unit is None:
        return value * 100 if _share(stored) else None
    if stored.unit is not None and stored.unit.symbol == "%" and stated.unit is None:
        return value / 100 if _share(stated) else None
    if stored.unit is None or stated.unit is None:
        return None
    return convert(value, stored.unit, stated.unit)


def _share(quantity: Quantity) -> bool:
    return 0 < quantity.low.value <= 1 and quantity.low.value.denominator > 1


def _quantities(stated: Quantity, stored: Quantity, about: Fraction) -> Fit:
    if stored.high is not None:
        return _ranges(stated, stored, about)
    if stored.bound is Bound.EXACT:
        return _exact(stated, stored, about)
    plain = Quantity(low=stated.low, high=stated.high, unit=stated.unit)
    same = _exact(plain, stored, about) is Fit.YES
    if stored.bound is Bound.ABOUT:
        if stated.bound is Bound.ABOUT:
            return _exact(stated, stored, about)
        return Fit.HEDGE if same else Fit.NO
    near = ((Bound.AT_LEAST, Bound.MORE_THAN), (Bound.AT_MOST, Bound.LESS_THAN))
    if stated.bound is stored.bound or (stated.bound, stored.bound) in near:
        return Fit.YES if same else Fit.NO
    return Fit.BOUND if same else Fit.NO


def _exact(stated: Quantity, stored: Quantity, about: Fraction) -> Fit:
    value = _scaled(stored, stated)
    if value is None:
        return Fit.NO
    if stated.unit is None or stored.unit is None:
        found = rounding.matches(stated, value, stated.unit, about=about)
    else:
        found = rounding.matches(stated, stored.low.value, stored.unit, about=about)
    return Fit.YES if found is rounding.Match.YES else Fit.NO


def _ranges(stated: Quantity, stored: Quantity, about: Fraction) -> Fit:
    """A text's range: the claim must have both its ends, or a bound that both satisfy."""
    assert stored.high is not None
    low = Quantity(low=stored.low, unit=stored.unit)
    high = Quantity(low=stored.high, unit=stored.unit)
    if stated.high is not None:
        ends = Quantity(low=stated.low, unit=stated.unit), Quantity(low=stated.high, unit=stated.unit)
        both = _exact(ends[0], low, about) is Fit.YES and _exact(ends[1], high, about) is Fit.YES
        return Fit.YES if both else Fit.NO
    if stated.bound in (*_LOWER, *_UPPER):
        both = _exact(stated, low, about) is Fit.YES and _exact(stated, high, about) is Fit.YES
        return Fit.YES if both else Fit.NO
    return Fit.NO


def _dated(stated: DateValue, stored: DateValue) -> Fit:
    bounded = (Bound.EXACT, Bound.ABOUT)
    if stated.bound not in bounded or stored.bound not in bounded:
        same = stated.bound is stored.bound and (stated.first, stated.last) == (stored.first, stored.last)
        return Fit.YES if same else Fit.BOUND if _same_ends(stated, stored) else Fit.NO
    if stored.bound is Bound.ABOUT and stated.bound is Bound.EXACT:
        return Fit.HEDGE
    return Fit.YES if dates.compare(stated, stored) is dates.Match.YES else Fit.NO


def _same_ends(stated: DateValue, stored: DateValue) -> bool:
    ends = {end for end in (stated.first, stated.last) if end is not None}
    return bool(ends & {end for end in (stored.first, stored.last) if end is not None})
