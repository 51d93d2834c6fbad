"""What a claim states as the result of a computation: ``Target``, a number, ratio, day or time with its words.

"A third", "70%", "twice", "one in five", "four times", "half as much again" and "most" are ratios; "2,400 dollars a
year" has the unit of both; "12 May" and "2:10:25" are a day and a time. ``meets`` says whether a formula gives what is
stated, by the number rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from imprimatur.language import rounding
from imprimatur.language.rounding import convert
from imprimatur.sources.text.formulas import Formula
from imprimatur.sources.text.leaves import clock_of, day_of, per_after, wide_unit
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Bound, DateValue, Number, Quantity, Unit

__all__ = ["Target", "meets", "states", "targets_of"]

_TIMES = {
    **dict.fromkeys("twice double doubled doubles doubling twofold".split(), Fraction(2)),
    **dict.fromkeys("thrice triple tripled triples trebled treble threefold".split(), Fraction(3)),
    **dict.fromkeys("quadruple quadrupled quadruples fourfold".split(), Fraction(4)),
    **dict.fromkeys("halved halves halving".split(), Fraction(1, 2)),
}
#: "Called out 210 times more" counts.
_MOST_TIMES = 20
#: A computed value is no measured one: "2 g" is not said of 1.5 g, though that is its last written digit.
_NEAR = Fraction(1, 20)
_OVER_HALF = {"most": Bound.MORE_THAN, "majority": Bound.MORE_THAN, "minority": Bound.LESS_THAN}
#: Words right before a ratio that bound it.
_BOUNDS = {
    **dict.fromkeys(["than", "over", "above"], Bound.MORE_THAN),
    **dict.fromkeys("about around roughly approximately nearly almost some".split(), Bound.ABOUT),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is stated, and the pieces of the claim that state it.

    ``at`` is the first of them in the claim; ``changed``: a verb says it ("doubled"), so that it compares two times.
    """

    at: int
    pieces: frozenset[int]
    quantity: Quantity | None = None
    ratio: bool = False
    changed: bool = False
    date: DateValue | None = None
    day: tuple[int, int] | None = None
    clock: tuple[Fraction, Unit] | None = None

    @property
    def bounded(self) -> bool:
        """Whether it is only a bound or a range, which much satisfies."""
        return self.quantity is not None and self.quantity.bound not in (Bound.EXACT, Bound.ABOUT)


def targets_of(pieces: Sequence[Piece], members: Sequence[int]) -> Iterator[Target]:
    """All that the members of a clause or sentence state as numbers, ratios, days or times."""
    taken: set[int] = set()
    for n, k in enumerate(members):
        if k in taken:
            continue
        found = _target(pieces, members, n)
        if found is not None:
            taken |= found.pieces
            yield found


def _target(pieces: Sequence[Piece], members: Sequence[int], n: int) -> Target | None:
    k = members[n]
    piece = pieces[k]
    if piece.label or piece.one:
        return None
    if piece.date is not None:
        return Target(at=k, pieces=frozenset({k}), date=piece.date)
    if piece.quantity is not None and not piece.quantity.ordinal:
        return _number(pieces, members, n)
    if piece.lower == "one" and n + 2 < len(members) and pieces[members[n + 1]].lower in ("in", "out"):
        return _one_in(pieces, members, n)
    if (times := _TIMES.get(piece.lower)) is not None:
        return _times(pieces, k, times)
    if piece.lower in _OVER_HALF and not _superlative(pieces, k):
        half = Quantity(low=Number(Fraction(1, 2)), bound=_OVER_HALF[piece.lower])
        return Target(at=k, pieces=frozenset({k}), quantity=half, ratio=True)
    if piece.part is Part.NAME and (clock := clock_of(piece)) is not None:
        return Target(at=k, pieces=frozenset({k}), clock=clock)
    if piece.part is Part.NAME and (day := day_of(piece)) is not None:
        return Target(at=k, pieces=frozenset({k}), day=day[1:])
    return None


def _superlative(pieces: Sequence[Piece], k: int) -> bool:
    """Whether "most" makes a superlative or a bound ("the most that", "at most", "most expensive")."""
    before = pieces[k - 1].lower if k else ""
    after = pieces[k + 1].part if k + 1 < len(pieces) else Part.MARK
    return pieces[k].lower == "most" and (before in ("the", "at") or after in (Part.ADJECTIVE, Part.ADVERB))


def _number(pieces: Sequence[Piece], members: Sequence[int], n: int) -> Target:
    k = members[n]
    quantity = pieces[k].quantity
    assert quantity is not None
    after = [pieces[m] for m in members[n + 1 : n + 6]]
    if (whole := _one_in(pieces, members, n)) is not None:
        return whole
    if after and quantity.unit is None and after[0].lower in ("times", "fold") and quantity.low.value <= _MOST_TIMES:
        return Target(at=k, pieces=frozenset({k, members[n + 1]}), quantity=quantity, ratio=True)
    counted = quantity.low.step > 0 and bool(after) and after[0].part in (Part.NOUN, Part.NAME)
    small = quantity.unit is None and 0 < quantity.low.value < 1 and not counted
    share = small or (quantity.unit is not None and quantity.unit.symbol == "%")
    again = next((m for m, piece in enumerate(after) if piece.lower == "again"), None)
    if share and again is not None and after and after[0].lower == "as":
        more = 1 + (quantity.low.value if small else quantity.low.value / 100)
        value = replace(quantity, low=Number(more), unit=None)
        return Target(at=k, pieces=frozenset({k, members[n + 1 + again]}), quantity=value, ratio=True)
    per = per_after(pieces, k)
    own = frozenset({k, per} if per >= 0 else {k})
    timed = quantity.unit is not None and quantity.unit.dimension == (("s", 1),)
    unit = quantity.unit if timed else wide_unit(pieces, k)  # "eight hours a day" are eight hours
    return Target(at=k, pieces=own, quantity=replace(quantity, unit=unit), ratio=share)


def _one_in(pieces: Sequence[Piece], members: Sequence[int], n: int) -> Target | None:
    """ "One claim in five", "two out of three", "one in six"."""
    k = members[n]
    first = pieces[k].quantity or Quantity(low=Number(Fraction(1)))
    for m in range(n + 1, min(len(members) - 1, n + 4)):
        piece, after = pieces[members[m]], pieces[members[m + 1]]
        if piece.lower == "out" and after.lower == "of" and m + 2 < len(members):
            after = pieces[members[m + 2]]
        elif piece.lower not in ("in",) or not after.text.isalpha():
            if piece.part not in (Part.NOUN, Part.NAME):
                return None
            continue
        second = after.quantity
        if second is None or second.unit is not None or first.unit is not None or second.low.value <= first.low.value:
            return None
        ratio = replace(first, low=Number(first.low.value / second.low.value), bound=first.bound)
        end = next(i for i in members[m + 1 :] if pieces[i] is after)
        return Target(at=k, pieces=frozenset({k, end}), quantity=ratio, ratio=True)
    return None


def _times(pieces: Sequence[Piece], k: int, times: Fraction) -> Target:
    own, bound = {k}, Bound.EXACT
    if k > 0 and (before := pieces[k - 1].lower) in _BOUNDS:
        bound = _BOUNDS[before]
        own.add(k - 1)
        if before == "than" and k > 1:
            own.add(k - 2)
            bound = Bound.LESS_THAN if pieces[k - 2].lower in ("less", "fewer") else Bound.MORE_THAN
    changed = pieces[k].part in (Part.VERB, Part.PARTICIPLE) or pieces[k].lower in ("doubled", "halved", "tripled")
    quantity = Quantity(low=Number(times), bound=bound)
    return Target(at=k, pieces=frozenset(own), quantity=quantity, ratio=True, changed=changed)


def meets(target: Target, formula: Formula, about: Fraction) -> bool:
    """Whether a formula gives what is stated."""
    if target.date is not None:
        if formula.day is None or target.date.first is None or target.date.last is None:
            return False
        bounds = (Bound.EXACT, Bound.AT_MOST) if formula.deadline else (Bound.EXACT,)
        return target.date.bound in bounds and target.date.first <= formula.day <= target.date.last
    if target.day is not None:
        return formula.day is not None and formula.day[1:] == target.day
    if target.clock is not None:
        return _same_clock(target.clock, formula)
    if target.quantity is None or formula.day is not None or formula.clock:
        return False
    return any(_gives(formula, quantity, target, about) for quantity in _readings(target.quantity))


def _readings(quantity: Quantity) -> tuple[Quantity, ...]:
    """The readings that differ in the unit word alone ("cents", "pounds")."""
    if not quantity.other:
        return (quantity,)
    same = [other for other in quantity.other if other.low.value == quantity.low.value]
    return (quantity, *(replace(quantity, unit=other.unit) for other in same))


def _gives(formula: Formula, quantity: Quantity, target: Target, about: Fraction) -> bool:
    value = _value(formula, quantity, ratio=target.ratio)
    if value is None or (quantity.bound is Bound.EXACT and abs(quantity.low.value - value) > _NEAR * abs(value)):
        return False
    return rounding.matches(quantity, value, quantity.unit, about=about) is rounding.Match.YES


def states(target: Target, formula: Formula) -> bool:
    """Whether a formula's result is of the kind that is stated, whatever its value."""
    if target.date is not None or target.day is not None:
        return formula.day is not None
    if target.clock is not None:
        return formula.clock is not (target.clock[1].symbol == "s") and formula.day is None and formula.unit is not None
    if target.quantity is None or formula.day is not None or formula.clock:
        return False
    return any(_value(formula, each, ratio=target.ratio) is not None for each in _readings(target.quantity))


def _same_clock(stated: tuple[Fraction, Unit], formula: Formula) -> bool:
    value, unit = stated
    if formula.clock is (unit.symbol == "s") or formula.unit is None:
        return False
    return convert(formula.value, formula.unit, unit) == value


def _value(formula: Formula, like: Quantity, *, ratio: bool) -> Fraction | None:
    """The result in the unit of what is stated; a ratio may be stated as a percentage, fraction or number of times."""
    percent = like.unit is not None and like.unit.symbol == "%"
    if formula.ratio:
        if not ratio:
            return None
        return formula.value * 100 if percent else formula.value
    if formula.unit is not None and formula.unit.symbol in ("%", "pp"):
        if percent or (like.unit is not None and like.unit.symbol == "pp"):
            return formula.value
        return formula.value / 100 if ratio and like.unit is None else None
    if ratio and not percent:
        return None
    if formula.unit is None or like.unit is None:
        return formula.value if formula.unit is like.unit else None
    if formula.shape == "whole years" and like.unit.symbol != "yr":
        return None
    if not formula.unit.dimension:  # metres per kilometre
        return formula.value if formula.unit.symbol == like.unit.symbol else None
    if like.unit.symbol == "°" and formula.unit.offset and formula.shape == "a - b":
        return formula.value
    return convert(formula.value, formula.unit, like.unit)
