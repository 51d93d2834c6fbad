"""How a number or date of an inference follows from those of its premises: the arithmetic that is looked for.

Equal, a sum, a difference, a ratio, a product, a share or a percentage of change, a mean, a count, or a step in the
calendar or on the clock. The result is held against the claim by the number rules. ``derive`` gives the steps that fit,
with what they were made of; nothing here decides whether the words fit too.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from imprimatur.language import rounding
from imprimatur.language.rounding import convert
from imprimatur.sources.text.pieces import Piece
from imprimatur.sources.text.steps import Step, days_of, steps_of
from imprimatur.sources.text.terms import DAY, MONTHS, Term
from imprimatur.values import Bound, DateValue, Quantity

__all__ = ["derive", "rates", "results"]


def derive(stated: Piece, terms: Sequence[Term], about: Fraction) -> list[Step]:
    """The steps from the terms that give what is stated."""
    if day := DAY.fullmatch(stated.lower):
        month, number = MONTHS.index(day[2]) + 1, int(day[1])
        return [step for step in days_of(terms) if step.day is not None and step.day[1:] == (month, number)]
    if stated.date is not None:
        return [step for step in days_of(terms) if step.day is not None and _same_day(stated.date, step.day)]
    if stated.quantity is None:
        return []
    quantity = stated.quantity
    return [step for step in steps_of(terms) if step.day is None and _fits(quantity, step, about)]


def rates(stated: Piece, per: Quantity, terms: Sequence[Term], about: Fraction) -> list[Step]:
    """The steps by which so much ``per`` unit of time follows: an amount over a time, or how often an interval fits."""
    if stated.quantity is None or per.unit is None:
        return []
    found: list[Step] = []
    for time in terms:
        long = convert(time.value, time.unit, per.unit) if time.unit is not None else None
        if not long:
            continue
        often = Step(
            f"{per.low.value} {per.unit.symbol} / {time.said}", frozenset({time.piece}), per.low.value / long, rate=True
        )
        found.append(often)
        for term in terms:
            if term.piece != time.piece and term.day is None:
                own = frozenset({term.piece, time.piece})
                found.append(Step(f"{term.said} / {time.said}", own, term.value / long, term.unit, rate=True))
    return [step for step in found if _fits(stated.quantity, step, about)]


def results(terms: Sequence[Term], like: Quantity) -> list[Step]:
    """All steps whose result is of the kind of a quantity."""
    return [s for s in steps_of(terms) if s.day is None and _value(s, like) is not None]


def _fits(stated: Quantity, step: Step, about: Fraction) -> bool:
    value = _value(step, stated)
    if value is None:
        return False
    return rounding.matches(stated, value, stated.unit, about=about) is rounding.Match.YES


def _value(step: Step, like: Quantity) -> Fraction | None:
    """A result in the unit of a quantity; a plain ratio is a percentage or a number of times."""
    if like.ordinal:
        return None
    percent = like.unit is not None and like.unit.symbol == "%"
    if step.unit is None:
        if percent:
            return step.value * 100 if step.ratio else None
        return step.value if like.unit is None else None
    if step.unit.symbol in ("%", "pp"):
        if like.unit is not None and like.unit.symbol in ("%", "pp"):
            return step.value
        share = like.unit is None and 0 < like.low.value <= 1 and like.low.value.denominator > 1
        return step.value / 100 if share else None
    if like.unit is None:
        return None
    return convert(step.value, step.unit, like.unit)


def _same_day(stated: DateValue, day: tuple[int, int, int]) -> bool:
    if stated.first is None or stated.last is None:
        return False
    return stated.first <= day <= stated.last and stated.bound is Bound.EXACT
