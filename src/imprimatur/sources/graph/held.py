"""Whether a fact holds at the time that a claim gives, and which facts count now.

Contract: ``holds`` gives the label of one fact for a time; ``ruling`` keeps the facts that rule at that time, all where
none is dated. A claim without a time is about the day of the check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from imprimatur.claim import When
from imprimatur.language import dates, rounding
from imprimatur.language.calendar import day
from imprimatur.language.elapsed import elapsed
from imprimatur.sources.graph.facts import Fact, Validity
from imprimatur.values import Bound, DateValue
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import Limits

__all__ = ["apart", "holds", "ruling", "timed"]


def holds(fact: Fact, when: tuple[When | None, bool, Limits]) -> Label:
    """Whether a fact holds at the time that is meant."""
    return timed(fact, when)[0]


def timed(fact: Fact, when: tuple[When | None, bool, Limits]) -> tuple[Label, Reason]:
    """Whether a fact holds when the claim says."""
    moment, past, limits = when
    valid = fact.valid
    if valid is None:
        return (Label.SUPPORTED, Reason.ENTAILED) if moment is None else (Label.NOT_FOUND, Reason.NO_EVIDENCE)
    if not valid.known:
        return (Label.SUPPORTED, Reason.ENTAILED) if moment is None and past else (Label.NOT_FOUND, Reason.NO_EVIDENCE)
    if moment is not None:
        found = _held(moment, valid) | _lasted(moment, valid, limits)
        if found == {dates.Match.YES}:
            return Label.SUPPORTED, Reason.ENTAILED
        return (
            (Label.CONTRADICTED, Reason.OUTDATED) if dates.Match.NO in found else (Label.NOT_FOUND, Reason.NO_EVIDENCE)
        )
    if past or valid.first == valid.last:
        return Label.SUPPORTED, Reason.ENTAILED
    now = limits.as_of or date.today()
    held = dates.within(day(now.year, now.month, now.day), valid.first, valid.last)
    if held is dates.Match.YES:
        return Label.SUPPORTED, Reason.ENTAILED
    return (Label.CONTRADICTED, Reason.OUTDATED) if held is dates.Match.NO else (Label.NOT_FOUND, Reason.NO_EVIDENCE)


def _within(at: DateValue, valid: Validity) -> dates.Match:
    """Whether it held at a time; "in 2006" is also true of what began or ended in that year."""
    found = dates.within(at, valid.first, valid.last)
    if found is dates.Match.PARTIAL and at.bound is Bound.EXACT:
        for end in (valid.first, valid.last):
            if end is not None and dates.compare(at, end) is dates.Match.YES:
                return dates.Match.YES
    return found


def _begun(when: When, valid: Validity) -> bool:
    """Whether an event of that time may be what made it hold: it began then."""
    if not when.event or when.at is None:
        return True
    return valid.first is not None and dates.compare(when.at, valid.first) is dates.Match.YES


def _held(when: When, valid: Validity) -> set[dates.Match]:
    """How the times of a claim meet a validity: a moment must lie in it, a start and an end must be its own."""
    found: set[dates.Match] = set()
    if when.at is not None:
        point = valid.first if valid.first is not None and valid.first == valid.last else None
        held = dates.compare(when.at, point) if point else _within(when.at, valid)
        found.add(dates.Match.PARTIAL if held is dates.Match.YES and not _begun(when, valid) else held)
    for stated, stored in ((when.start, valid.first), (when.end, valid.last)):
        if stated is not None:
            found.add(
                dates.Match.PARTIAL if stored is None else dates.compare(replace(stated, bound=Bound.EXACT), stored)
            )
    return found


def _lasted(when: When, valid: Validity, limits: Limits) -> set[dates.Match]:
    """Whether it held as long as is said."""
    if when.lasting is None:
        return set()
    if valid.first is None or valid.last is None:
        return {dates.Match.PARTIAL}
    found = elapsed(when.lasting, valid.first, valid.last, limits.about)
    return {_MATCHES.get(found, dates.Match.PARTIAL)}


def apart(when: When, valid: Validity | None) -> bool:
    """Whether a fact held at no moment of the time that a claim gives, for certain.

    That a start, an end or a length is not the fact's own does not tell: "from 2003 to 2006" is not when somebody led
    who led from 2001 to 2007, and yet it is false that he did not lead from 2003 to 2006.
    """
    if valid is None or not valid.known or when.lasting is not None:
        return False
    spans = [when.at] if when.at is not None else []
    if when.start is not None or when.end is not None:
        if any(end is not None and end.other for end in (when.start, when.end)):
            return False
        first = when.start.first if when.start is not None else None
        last = when.end.last if when.end is not None else None
        spans.append(DateValue(first=first, last=last, precision="day"))
    return bool(spans) and any(dates.within(span, valid.first, valid.last) is dates.Match.NO for span in spans)


_MATCHES = {rounding.Match.YES: dates.Match.YES, rounding.Match.NO: dates.Match.NO}


def ruling(facts: Sequence[Fact], when: tuple[When | None, bool, Limits]) -> list[Fact]:
    """The facts that leave no room for another value at the time that is meant.

    A former holder does not rule out another one at a time of which nothing is known ("the coach was …").
    """
    moment, past, _ = when
    open_ = moment is None and past
    return [
        f
        for f in facts
        if f.valid is None
        or (f.valid.first is not None and f.valid.first == f.valid.last)
        or (not open_ and timed(f, when)[0] is Label.SUPPORTED)
    ]
