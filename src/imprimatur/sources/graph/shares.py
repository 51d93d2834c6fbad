"""Judges shares: how many of the things of a description are as the claim says.

To be supported or refuted the world must be closed: what there is of the description is declared to be all, and of each
thing it is known whether it is of it. A thing of which it is not known whether the rest holds counts both ways: the
share must be right, or wrong, however that turns out. "All" and "none" are refuted by one thing in any world.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from imprimatur.claim import Claim, Share
from imprimatur.language import rounding, units
from imprimatur.sources.graph.bound import Checked, candidates, check
from imprimatur.sources.graph.counted import fits
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.outcomes import Outcome
from imprimatur.sources.graph.reckoning import Figure, Reckoning
from imprimatur.values import Bound, Quantity
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["share_outcome"]

_PERCENT = units.parse("%")


def share_outcome(source: GraphSource, reading: Share, claim: Claim, limits: Limits) -> Outcome:
    """Whether as large a part of the things is such as the claim says."""
    of, how = reading.of, (claim, limits)
    found = candidates(source, of.conditions, of.it, says=reading.says)
    told = [check(source, (of.conditions, of.it), x, how) for x in found.ids]
    members = [c for c in told if c.label is Label.SUPPORTED]
    said = [check(source, (reading.says, of.it), c.entity, how) for c in members]
    sure = [c for c in said if c.label is Label.SUPPORTED]
    wrong = [c for c in said if c.label is Label.CONTRADICTED]
    against = _counterexample(reading.value, sure, wrong)
    if against is not None and reading.total is None:
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), against.facts, shown=12)
    facts = _rows([*sure, *wrong])
    known = found.declared and not any(c.label is Label.NOT_FOUND for c in told) and members
    if not known:
        return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts[:4])
    numbers = range(len(sure), len(members) - len(wrong) + 1)
    results = {_fits(reading, n, len(members), limits) for n in numbers}
    reckoning = Reckoning(
        figure=Figure.SHARE,
        value=Fraction(len(sure)),
        of=tuple(c.entity for c in members),
        counted=tuple(c.entity for c in sure),
        facts=_rows(sure),
        base=_rows(members),
    )
    exact = len(numbers) == 1
    if results == {True}:
        shown = reckoning if exact else None
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts, shown=12, reckoning=shown)
    if results == {False}:
        right = f"{len(sure)} of {len(members)}" if exact else None
        reason = (Reason.VALUE_MISMATCH,)
        return Outcome(
            Label.CONTRADICTED, reason, facts, correction=right, shown=12, reckoning=reckoning if exact else None
        )
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts, shown=12)


def _counterexample(stated: Quantity, sure: Sequence[Checked], wrong: Sequence[Checked]) -> Checked | None:
    """A thing that refutes "all" or "none" by itself."""
    if stated.bound is not Bound.EXACT or stated.unit is not None or stated.low.step or stated.high is not None:
        return None
    against = {Fraction(1): wrong, Fraction(0): sure}.get(stated.low.value, ())
    return next(iter(against), None)


def _rows(found: Sequence[Checked]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(f for c in found for f in c.facts))


def _fits(reading: Share, number: int, total: int, limits: Limits) -> bool | None:
    """Whether ``number`` of ``total`` is what is stated; None where it is neither right nor wrong to say so."""
    stated = reading.value
    if reading.total is not None:
        return fits(reading.total, total, limits.about) and fits(stated, number, limits.about)
    if stated.bound in (Bound.MORE_THAN, Bound.LESS_THAN) and stated.high is not None:  # "most", "a minority"
        return None if Fraction(number, total) == stated.high.value else _states(stated, number, total, limits)
    right = _states(stated, number, total, limits)
    return None if not right and _nearly(stated, Fraction(number, total)) else right


def _states(stated: Quantity, number: int, total: int, limits: Limits) -> bool:
    if stated.unit is None:
        return rounding.matches(stated, Fraction(number, total), None, about=limits.about) is rounding.Match.YES
    return rounding.matches(stated, Fraction(100 * number, total), _PERCENT, about=limits.about) is rounding.Match.YES


def _nearly(stated: Quantity, share: Fraction) -> bool:
    """Whether a part in words is so near that it may be meant loosely ("a third" of 34 in 100)."""
    loose = stated.bound is Bound.EXACT and stated.unit is None and not stated.low.step and 0 < stated.low.value < 1
    return loose and abs(stated.low.value - share) <= rounding.ABOUT * stated.low.value
