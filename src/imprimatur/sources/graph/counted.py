"""Judges counts, and claims about described things (several steps through the graph).

"At least n" needs n witnesses. An exact count, "at most", "no" and "only" need a closed world: then the candidates are
all there are, and each is decided. One witness too many contradicts in any world.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from imprimatur.claim import Claim, Count, Route
from imprimatur.sources.graph.bound import Checked, candidates, check
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.outcomes import Outcome
from imprimatur.sources.graph.reckoning import Figure, Reckoning
from imprimatur.values import Bound, Quantity
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["count_outcome", "fits", "route_outcome"]

_SILENT = Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))


def count_outcome(source: GraphSource, reading: Count, claim: Claim, limits: Limits) -> Outcome:
    """Whether as many things are of the description as the claim says."""
    of = reading.of
    found = candidates(source, of.conditions, of.it)
    checked = [check(source, (of.conditions, of.it), x, (claim, limits)) for x in found.ids]
    sure = [c for c in checked if c.label is Label.SUPPORTED]
    open_ = sum(c.label is Label.NOT_FOUND for c in checked)
    most = len(sure) + open_ if found.all else None
    facts = _rows(sure)
    entities = tuple(c.entity for c in sure)
    reckoning = Reckoning(figure=Figure.COUNT, value=Fraction(len(sure)), of=found.ids, counted=entities, facts=facts)
    if _always(reading.value, len(sure), most if found.declared else None, limits.about):
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts, shown=12, reckoning=reckoning)
    if _never(reading.value, len(sure), most, limits.about):
        reason = Reason.COMPLETE if found.all else Reason.VALUE_MISMATCH
        correction = str(len(sure)) if most == len(sure) else None
        return Outcome(Label.CONTRADICTED, (reason,), facts, correction=correction, shown=12, reckoning=reckoning)
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts, shown=12)


def _rows(found: Sequence[Checked]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(f for c in found for f in c.facts))


def _always(stated: Quantity, least: int, most: int | None, about: Fraction) -> bool:
    """Whether the stated count is right for every number from ``least`` to ``most`` (None: no end)."""
    if most is None:
        return stated.bound in (Bound.AT_LEAST, Bound.MORE_THAN) and fits(stated, least, about)
    return all(fits(stated, n, about) for n in range(least, most + 1))


def _never(stated: Quantity, least: int, most: int | None, about: Fraction) -> bool:
    if most is not None:
        return not any(fits(stated, n, about) for n in range(least, most + 1))
    top = (stated.high or stated.low).value
    return stated.bound not in (Bound.AT_LEAST, Bound.MORE_THAN) and least > top and not fits(stated, least, about)


def fits(stated: Quantity, number: int, about: Fraction) -> bool:
    """Whether a true count fits the stated one; whole things are counted exactly."""
    low, high = stated.low.value, (stated.high or stated.low).value
    match stated.bound:
        case Bound.AT_LEAST:
            return number >= low
        case Bound.AT_MOST:
            return number <= low
        case Bound.MORE_THAN:
            return number > low
        case Bound.LESS_THAN:
            return number < low
        case Bound.ABOUT:
            return abs(number - low) <= about * low
        case Bound.RANGE:
            return low <= number <= high
        case _:
            return number == low


def route_outcome(source: GraphSource, reading: Route, claim: Claim, limits: Limits) -> Outcome:
    """Whether something is of the description and what the claim says holds of it."""
    of, how = reading.of, (claim, limits)
    if of.definite:
        found = candidates(source, of.conditions, of.it)
        meant = [c for x in found.ids if (c := check(source, (of.conditions, of.it), x, how)).label is Label.SUPPORTED]
        return _all_of(source, meant, reading, how)
    every = (*of.conditions, *reading.says)
    found = candidates(source, every, of.it)
    checked = [check(source, (every, of.it), x, how) for x in found.ids]
    witness = next((c for c in checked if c.label is Label.SUPPORTED), None)
    if witness is not None:
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), witness.facts, shown=12)
    if found.all and checked and all(c.label is Label.CONTRADICTED for c in checked):
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), _rows(checked), shown=12)
    if found.all and not checked:
        return Outcome(Label.CONTRADICTED, (Reason.COMPLETE,))
    return _SILENT


def _all_of(source: GraphSource, meant: Sequence[Checked], reading: Route, how: tuple[Claim, Limits]) -> Outcome:
    """One thing is meant: if several fit, all must agree."""
    said = [check(source, (reading.says, reading.of.it), c.entity, how) for c in meant]
    labels = {c.label for c in said}
    if len(labels) > 1:
        names = tuple(source.graph.label(c.entity) for c in meant)
        return Outcome(Label.AMBIGUOUS, (Reason.AMBIGUOUS_ENTITY,), candidates=names)
    label = next(iter(labels), Label.NOT_FOUND)
    facts = tuple(dict.fromkeys((*_rows(meant), *_rows(said))))
    if label is Label.SUPPORTED:
        return Outcome(label, (Reason.ENTAILED,), facts, shown=12)
    if said and all(c.label is Label.CONTRADICTED or c.loose for c in said):
        firm = not any(c.loose for c in said)
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), facts, shown=12, firm=firm)
    return _SILENT
