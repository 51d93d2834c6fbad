"""Whether a stated date is true of a stored one.

Every date, with its bound, is a closed interval of days with open ends; "before 1900" ends on 31 December 1899, "around
1900" reaches two years either way. Invariants: a date with one reading matches itself; "no" is symmetric; nothing
raises. What is stated more finely than what is stored is neither supported nor refuted (``PARTIAL``).
"""

from __future__ import annotations

from enum import StrEnum

from imprimatur.language import calendar
from imprimatur.values import Bound, DateValue

__all__ = ["Match", "compare", "within"]


class Match(StrEnum):
    """How two dates meet."""

    YES = "yes"
    NO = "no"
    PARTIAL = "partial"
    AMBIGUOUS = "ambiguous"


_Span = tuple[calendar.Day, calendar.Day]

_EVER_BEFORE: calendar.Day = (-(10**9), 1, 1)
_EVER_AFTER: calendar.Day = (10**9, 12, 31)


def compare(stated: DateValue, stored: DateValue) -> Match:
    """Whether ``stated`` is true when the graph holds ``stored``.

    YES when the stored interval lies within the stated one; NO when they are disjoint; PARTIAL when they overlap
    otherwise (stated "9 December 1925", stored 1925). AMBIGUOUS when some readings give YES and others do not: the
    order in which readings are listed never decides. "About" allows 2 years from AD 1000 on and 5 before, one decade
    for decades and centuries, one month for months, one quarter for quarters and 3 days for days.
    """
    return _together([_compare_one(left, right) for left in (stated, *stated.other) for right in _facing(left, stored)])


def _facing(stated: DateValue, stored: DateValue) -> tuple[DateValue, ...]:
    """The readings of ``stored`` that matter: two moments compare as moments, whatever day a zone puts them on."""
    moments = isinstance(stated, calendar.Instant) and isinstance(stored, calendar.Instant)
    return (stored,) if moments else (stored, *stored.other)


def within(point: DateValue, first: DateValue | None, last: DateValue | None) -> Match:
    """Whether ``point`` lies in the validity interval from ``first`` to ``last`` (both included; None: open).

    YES when inside, NO when wholly outside, PARTIAL when it straddles an end, or when an end is stored too coarsely
    to tell (March 2010 in an interval that starts in 2010).
    """
    starts = (first, *first.other) if first else (None,)
    ends = (last, *last.other) if last else (None,)
    return _together([_within_one(p, s, e) for p in (point, *point.other) for s in starts for e in ends])


def _together(matches: list[Match]) -> Match:
    kinds = set(matches)
    if len(kinds) == 1:
        return matches[0]
    return Match.AMBIGUOUS if Match.YES in kinds else Match.PARTIAL


def _compare_one(stated: DateValue, stored: DateValue) -> Match:
    outer, inner = _span(stated), _span(stored)
    if _disjoint(outer, inner):
        return Match.NO
    if isinstance(stated, calendar.Instant) and stated.bound is Bound.EXACT:
        return _compare_instants(stated, stored)
    return Match.YES if _contains(outer, inner) else Match.PARTIAL


def _compare_instants(stated: calendar.Instant, stored: DateValue) -> Match:
    """Both on one day. Moments less than a second apart may be one moment written more or less finely."""
    if not isinstance(stored, calendar.Instant) or stored.bound is not Bound.EXACT:
        return Match.PARTIAL
    apart = abs(stated.seconds - stored.seconds)
    if apart == 0:
        return Match.YES
    return Match.PARTIAL if apart < 1 else Match.NO


def _within_one(point: DateValue, first: DateValue | None, last: DateValue | None) -> Match:
    start = _span(first) if first else (_EVER_BEFORE, _EVER_BEFORE)
    end = _span(last) if last else (_EVER_AFTER, _EVER_AFTER)
    inner, outer = _span(point), (start[0], end[1])
    if _disjoint(outer, inner):
        return Match.NO
    blurred = any(not _disjoint(edge, inner) and not _contains(inner, edge) for edge in (start, end))
    return Match.PARTIAL if blurred or not _contains(outer, inner) else Match.YES


def _disjoint(left: _Span, right: _Span) -> bool:
    return left[1] < right[0] or right[1] < left[0]


def _contains(outer: _Span, inner: _Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _span(value: DateValue) -> _Span:
    """All the days that ``value`` allows."""
    first, last = value.first or _EVER_BEFORE, value.last or _EVER_AFTER
    match value.bound:
        case Bound.LESS_THAN:
            return _EVER_BEFORE, _moved(first, days=-1)
        case Bound.MORE_THAN:
            return _moved(last, days=1), _EVER_AFTER
        case Bound.AT_LEAST:
            return first, _EVER_AFTER
        case Bound.AT_MOST:
            return _EVER_BEFORE, last
        case Bound.ABOUT:
            return _widened(value.precision, first, last)
        case _:
            return first, last


def _widened(precision: str, first: calendar.Day, last: calendar.Day) -> _Span:
    if precision in ("day", "time"):
        return _moved(first, days=-3), _moved(last, days=3)
    if precision in ("month", "quarter"):
        months = 1 if precision == "month" else 3
        return _moved(first, months=-months), _month_end(_moved(last, months=months))
    years = 10 if precision in ("decade", "century") else 2 if first[0] >= 1000 else 5
    return _moved(first, months=-12 * years), _moved(last, months=12 * years)


def _moved(value: calendar.Day, *, days: int = 0, months: int = 0) -> calendar.Day:
    if value in (_EVER_BEFORE, _EVER_AFTER):
        return value
    return (
        calendar.shift_days(calendar.shift_months(value, months) if months else value, days)
        if days or months
        else value
    )


def _month_end(value: calendar.Day) -> calendar.Day:
    return value if value == _EVER_AFTER else (*value[:2], calendar.month_length(*value[:2]))
