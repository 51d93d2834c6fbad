"""Whether a fact holds at the time that a claim gives, and which facts count now.

Contract: ``holds`` gives the label of one fact for a time; ``timed`` its reason, and whether the contrary is proven
where it does not hold; ``ruling`` keeps the facts that rule at that time, all where none is dated. A claim without a
time is about the day of the check.

What is certain of a validity: it held when it began and when it ended, and in between. An unknown start says nothing
of earlier times, a point nothing of any other; what has begun and has no end holds until the day of the check, and
what comes after is not known. That a claim gives other years ("until 2005", of what ended in 1999) refutes it, but
only where all of that time lies outside the validity it was *not* so then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from imprimatur.claim import When
from imprimatur.language import dates, rounding
from imprimatur.language.calendar import day
from imprimatur.language.elapsed import elapsed
from imprimatur.sources.graph.facts import Fact, Validity
from imprimatur.values import Bound, DateValue
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import Limits

__all__ = ["Timed", "holds", "rules", "ruling", "timed"]

_YES, _NO, _PARTIAL = dates.Match.YES, dates.Match.NO, dates.Match.PARTIAL


class Timed(NamedTuple):
    """Whether a fact holds when a claim says. ``firm``: where it does not, the contrary is proven."""

    label: Label
    reason: Reason
    firm: bool = True


_HELD = Timed(Label.SUPPORTED, Reason.ENTAILED)
_OVER = Timed(Label.CONTRADICTED, Reason.OUTDATED)
_OTHER_TIME = Timed(Label.CONTRADICTED, Reason.OUTDATED, firm=False)
_UNKNOWN = Timed(Label.NOT_FOUND, Reason.NO_EVIDENCE)


def holds(fact: Fact, when: tuple[When | None, bool, Limits]) -> Label:
    """Whether a fact holds at the time that is meant."""
    return timed(fact, when).label


def timed(fact: Fact, when: tuple[When | None, bool, Limits]) -> Timed:
    """Whether a fact holds when the claim says."""
    moment, past, limits = when
    valid = fact.valid
    if valid is None:
        return _HELD if moment is None else _UNKNOWN
    if not valid.known:
        return _HELD if moment is None and past else _UNKNOWN
    now = _now(limits)
    if moment is None:
        return _before(valid, now) if past else _at_present(valid, now)
    found = [*_held(moment, valid, (past, now)), *_lasted(moment, valid, limits)]
    if all(match is _YES for match, _ in found):
        return _HELD
    if any(match is _NO and firm for match, firm in found):
        return _OVER
    return _OTHER_TIME if any(match is _NO for match, _ in found) else _UNKNOWN


def _now(limits: Limits) -> DateValue:
    today = limits.as_of or date.today()
    return day(today.year, today.month, today.day)


def _before(valid: Validity, now: DateValue) -> Timed:
    """Whether it was so: it has begun; where no start is given, it has as a fact without times has."""
    if valid.first is None:
        return _HELD
    begun = dates.within(now, valid.first, None)
    return _HELD if begun is _YES else _OVER if begun is _NO else _UNKNOWN


def _at_present(valid: Validity, now: DateValue) -> Timed:
    """Whether it is so on the day of the check. Of what held at one time, nothing is known now, unless it is done.

    The newest figure of a property that only has figures of points (a population by censuses) is what it is said to be.
    """
    held = dates.within(now, valid.first, valid.last)
    if valid.point or valid.single:
        begun = _before(valid, now)
        return begun if valid.done or valid.latest or (begun is _OVER and not valid.point) else _UNKNOWN
    return _HELD if held is _YES else _OVER if held is _NO else _UNKNOWN


# -- a claim's own times ------------------------------------------------------------------------------------------
_Found = tuple[dates.Match, bool]


def _held(when: When, valid: Validity, how: tuple[bool, DateValue]) -> list[_Found]:
    """How the times of a claim meet a validity, each with whether a "no" proves the contrary."""
    found: list[_Found] = []
    if when.at is not None:
        held = _point(when, valid) if valid.single else _within(when, valid, how[1])
        if held is _YES and _is_to_come(when.at, how[1]) and (how[0] or valid.point or valid.last is None):
            held = _PARTIAL
        found.append((_PARTIAL if held is _YES and not _begun(when, valid) else held, not valid.point))
    if when.start is not None or when.end is not None:
        found.append((_stretch(when, valid, how), _is_apart(when, valid)))
    return found


def _point(when: When, valid: Validity) -> dates.Match:
    """How a time meets what is one: whatever goes on may have held at other times, too."""
    assert when.at is not None
    assert valid.first is not None
    held = dates.compare(when.at, valid.first)
    if held is _YES and when.whole:
        return _within_whole(when.at, valid)
    return _PARTIAL if held is _NO and valid.point and not (when.event or valid.done) else held


def _is_to_come(at: DateValue, now: DateValue) -> bool:
    """Whether all of a time is after the day of the check."""
    if at.first is None or at.last is None or now.last is None or at.bound in (Bound.LESS_THAN, Bound.AT_MOST):
        return False
    return at.last >= now.last if at.bound is Bound.MORE_THAN else at.first > now.last


def _within(when: When, valid: Validity, now: DateValue) -> dates.Match:
    """Whether it held at a time; "in 2006" is also true of what began or ended in that year."""
    at = when.at
    assert at is not None
    found = dates.within(at, valid.first, valid.last)
    if found is _NO:
        return _NO
    if when.whole:
        return _within_whole(at, replace(valid, last=valid.last or now))
    edges = [end for end in (valid.first, valid.last) if end is not None and dates.compare(at, end) is _YES]
    if at.bound is Bound.LESS_THAN:
        return _YES if valid.last in edges else _PARTIAL
    if valid.first is None:
        told = replace(at, bound=Bound.EXACT) if at.bound is Bound.AT_MOST else at
        ended = valid.last is not None and dates.compare(told, valid.last) is _YES
        return _YES if ended and at.bound is not Bound.MORE_THAN else _PARTIAL
    return _YES if edges and at.bound is Bound.EXACT else found


def _within_whole(at: DateValue, valid: Validity) -> dates.Match:
    """Whether it held on every day of a time, as exactly as start and end are given."""
    first, last = valid.first, valid.last
    if first is None or first.last is None or at.first is None or at.last is None:
        return _PARTIAL
    ended = last is not None and (last.first is None or last.first < at.last)
    return _PARTIAL if first.last > at.first or ended else _YES


def _begun(when: When, valid: Validity) -> bool:
    """Whether an event of that time may be what made it hold: it began then."""
    if not when.event or when.at is None:
        return True
    return valid.first is not None and dates.compare(when.at, valid.first) is _YES


def _stretch(when: When, valid: Validity, how: tuple[bool, DateValue]) -> dates.Match:
    """Whether it began and ended when the claim says. "Since" says of the present that it holds still."""
    if valid.point:
        return _PARTIAL
    found = set()
    for stated, stored in ((when.start, valid.first), (when.end, valid.last)):
        if stated is not None:
            found.add(_PARTIAL if stored is None else dates.compare(replace(stated, bound=Bound.EXACT), stored))
    if when.start is not None and when.end is None and (not how[0] or when.start.bound is Bound.AT_LEAST):
        still = dates.within(how[1], valid.first, valid.last)
        found.add(still if not how[0] or still is _YES else _PARTIAL)
    if _is_apart(when, valid) or _NO in found:
        return _NO
    return _YES if found == {_YES} else _PARTIAL


def _is_apart(when: When, valid: Validity) -> bool:
    """Whether all of a stretch of time lies before or after a validity.

    "Not until 1990" may say that it began then, and so such an end alone is apart from nothing.
    """
    if when.start is None or valid.point:
        return False
    begin, end = when.start.first, when.end.last if when.end is not None else None
    before = end is not None and valid.first is not None and valid.first.first is not None and end < valid.first.first
    after = begin is not None and valid.last is not None and valid.last.last is not None and begin > valid.last.last
    return before or after


def _lasted(when: When, valid: Validity, limits: Limits) -> list[_Found]:
    """Whether it held as long as is said; that it did not says nothing of a single day."""
    if when.lasting is None:
        return []
    if valid.first is None or valid.last is None or valid.point:
        return [(_PARTIAL, False)]
    found = elapsed(when.lasting, valid.first, valid.last, limits.about)
    return [(_MATCHES.get(found, _PARTIAL), False)]


_MATCHES = {rounding.Match.YES: _YES, rounding.Match.NO: _NO}


# -- what rules ---------------------------------------------------------------------------------------------------
def ruling(facts: Sequence[Fact], when: tuple[When | None, bool, Limits]) -> list[Fact]:
    """The facts that leave no room for another value at the time that is meant.

    A former holder does not rule out another one at a time of which nothing is known ("the coach was …").
    """
    return [f for f in facts if f.valid is None or rules(f, when) or _is_newest(f.valid, when)]


def _is_newest(valid: Validity, when: tuple[When | None, bool, Limits]) -> bool:
    """Whether a figure is the one that is meant now: another one is wrong, but it is no proof that it is not so."""
    moment, past, limits = when
    return valid.latest and moment is None and not past and _at_present(valid, _now(limits)) is _HELD


def rules(fact: Fact, when: tuple[When | None, bool, Limits]) -> bool:
    """Whether the graph says that a fact holds at all of the time that is meant."""
    moment, past, limits = when
    valid = fact.valid
    if valid is None:
        return moment is None
    if not valid.known:
        return False
    if valid.done and (valid.point or valid.single):
        return True
    if moment is None:
        return not past and not valid.latest and _at_present(valid, _now(limits)) is _HELD
    if moment.at is None or moment.start is not None or moment.end is not None or moment.lasting is not None:
        return timed(fact, when).label is Label.SUPPORTED
    whole = replace(moment, whole=True, event=False)
    return moment.at.bound is Bound.EXACT and timed(fact, (whole, past, limits)).label is Label.SUPPORTED
