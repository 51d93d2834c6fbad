"""Dates in text and in graphs: find them, read them, compare them, write them.

Contract: ``find`` gives every date of a text with its exact span, in order, never overlapping; a bare number that may
be a year is among them, and the caller tells years from numbers by context. The words "before", "after", "since",
"until", "by" and "around" belong to the span and set the ``Bound``; "in", "on", "the", "early", "late" stay outside,
so that nothing that limits a date is lost unseen. Time is linear in the text.

A stated and a stored date meet in ``compare``; validity intervals in ``within``; graph literals come in by ``stored``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import cast

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import calendar
from imprimatur.language._date_forms import BLANK, forms
from imprimatur.language._date_matching import Match, compare, within
from imprimatur.language._date_readers import Form, Part
from imprimatur.language._dates_in_graphs import stored
from imprimatur.values import Bound, DateValue

__all__ = [
    "FoundDate",
    "FoundInterval",
    "Match",
    "compare",
    "find",
    "find_intervals",
    "read",
    "stored",
    "within",
    "write",
]


@dataclass(frozen=True, slots=True)
class FoundDate:
    """One date in a text: ``text[start:end]`` says ``value``."""

    start: int
    end: int
    value: DateValue


@dataclass(frozen=True, slots=True)
class FoundInterval:
    """Two dates in a text that bound one interval; the span includes "from" and "between"."""

    start: int
    end: int
    first: DateValue
    last: DateValue


def find(text: str, *, locale: str = "en") -> tuple[FoundDate, ...]:
    """The dates of ``text`` in order; an interval gives its two ends.

    Args:
        text: any text; no date in it is not an error.
        locale: decides "03/04/2024": "en-US" reads the month first, "en-GB" and its kin and every other language the
            day first; plain "en" keeps both readings (``DateValue.other``), which ``compare`` calls ambiguous.
    """
    return read(text, locale=locale)[0]


def find_intervals(text: str, *, locale: str = "en") -> tuple[FoundInterval, ...]:
    """The intervals of ``text`` in order: "1584-1654", "from 1991 to 1993", "between 2002 and 2008", "1878-79"."""
    return read(text, locale=locale)[1]


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY_BEFORE = expression(rf"(?<!\w)({'|'.join(_WEEKDAYS)}),?{BLANK}\Z", re.IGNORECASE)
_ABOUT_BEFORE = expression(
    rf"(?:(?<!\w)(?:c\.|ca\.|approx\.)(?:{BLANK})?|(?<!\w)(?:(?-i:c)|ca|circa|about|around|approximately|roughly){BLANK}"
    rf"|[~≈](?:{BLANK})?)(?:the{BLANK})?\Z",
    re.IGNORECASE,
)
_BOUNDS = {
    "before": Bound.LESS_THAN,
    "prior to": Bound.LESS_THAN,
    "earlier than": Bound.LESS_THAN,
    "pre": Bound.LESS_THAN,
    "after": Bound.MORE_THAN,
    "later than": Bound.MORE_THAN,
    "post": Bound.MORE_THAN,
    "since": Bound.AT_LEAST,
    "not before": Bound.AT_LEAST,
    "no earlier than": Bound.AT_LEAST,
    "not earlier than": Bound.AT_LEAST,
    "until": Bound.AT_MOST,
    "till": Bound.AT_MOST,
    "up to": Bound.AT_MOST,
    "by": Bound.AT_MOST,
    "not after": Bound.AT_MOST,
    "no later than": Bound.AT_MOST,
    "not later than": Bound.AT_MOST,
}
_BOUND_BEFORE = expression(
    rf"(?<!\w)(?:({'|'.join(sorted(_BOUNDS.keys() - {'pre', 'post'}, key=len, reverse=True))}){BLANK}(?:the{BLANK})?"
    r"|(pre|post)-)\Z",
    re.IGNORECASE,
)
_OPENING = expression(rf"(?<!\w)(from|between){BLANK}(?:the{BLANK})?\Z", re.IGNORECASE)
_JOINING = expression(
    rf"(?:{BLANK})?[-\u2010-\u2014\u2212](?:{BLANK})?(?:the{BLANK})?"
    rf"|{BLANK}(to|until|till|through|up to|and)(?:{BLANK}the)?{BLANK}",
    re.IGNORECASE,
)
_REACH = 28
#: Characters; what is read in a longer text is not kept.
_MOST_KEPT = 600
_Read = tuple[tuple[FoundDate, ...], tuple[FoundInterval, ...]]


def read(text: str, *, locale: str = "en") -> _Read:
    """What ``find`` and ``find_intervals`` give, read in one go; what a sentence gives is kept for a while."""
    return _kept(text, locale) if len(text) <= _MOST_KEPT else _read(text, locale)


@lru_cache(maxsize=512)
def _kept(text: str, locale: str) -> _Read:
    return _read(text, locale)


def _read(text: str, locale: str) -> _Read:
    found = [_widen(form, text) for form in forms(text, locale=locale)]
    dates: list[FoundDate] = []
    intervals: list[FoundInterval] = []
    taken = False  # the form before this one was joined with it
    for index, form in enumerate(found):
        following = found[index + 1] if index + 1 < len(found) else None
        opening = _before(_OPENING, text, form.start, _end(dates))
        joined = (
            len(form.parts) == 1 and following is not None and not taken and _joined(text, form, following, opening)
        )
        parts = form.parts
        if joined and following is not None:
            parts = form.parts + following.parts[:1]
        if len(parts) == 2 and _spans(text, parts, opening):
            intervals += _interval(parts, opening)
        bounded = form if taken or len(parts) == 2 else _bound(form, text, _end(dates))
        dates += [FoundDate(part.start, part.end, part.value) for part in bounded.parts]
        taken = joined
    return tuple(dates), tuple(intervals)


def _end(dates: list[FoundDate]) -> int:
    return dates[-1].end if dates else 0


def _before(pattern: re.Pattern[str], text: str, start: int, floor: int) -> re.Match[str] | None:
    """The match of ``pattern`` that ends at ``start``, not reaching below ``floor``; its span counts from ``text``."""
    return pattern.search(text, max(floor, start - _REACH), start)


def _joined(text: str, form: Form, following: Form, opening: re.Match[str] | None) -> bool:
    """Whether the words between two dates make them the ends of one interval."""
    return len(following.parts) == 1 and _spans(text, (form.parts[0], following.parts[0]), opening)


def _spans(text: str, parts: tuple[Part, ...], opening: re.Match[str] | None) -> bool:
    """ "to" and dashes always join two dates to an interval; "and" only after "between", which takes nothing else."""
    match = _JOINING.fullmatch(text, parts[0].end, parts[1].start)
    between = opening is not None and opening[1].lower() == "between"
    return match is not None and ((match[1] or "").lower() == "and") == between


def _interval(parts: tuple[Part, ...], opening: re.Match[str] | None) -> Iterable[FoundInterval]:
    first, last = parts[0].value, parts[1].value
    if first.first is not None and last.last is not None and first.first <= last.last:
        start = opening.start() if opening else parts[0].start
        yield FoundInterval(start, parts[1].end, first, last)


def _widen(form: Form, text: str) -> Form:
    """The form with the right weekday or the word "about" before it; a wrong weekday stays outside, as residue."""
    part, floor = form.parts[0], 0
    match = _before(_WEEKDAY_BEFORE, text, part.start, floor)
    if match and part.value.precision == "day" and _is_weekday(part.value, match[1]):
        part = replace(part, start=match.start())
    match = _before(_ABOUT_BEFORE, text, part.start, floor)
    if match:
        part = Part(match.start(), part.end, _with_bound(part.value, Bound.ABOUT))
    return Form((part, *form.parts[1:]))


def _is_weekday(value: DateValue, name: str) -> bool:
    first = cast("calendar.Day", value.first)
    return not value.other and first[0] >= 1583 and calendar.weekday(first) == _WEEKDAYS.index(name.lower())


def _bound(form: Form, text: str, floor: int) -> Form:
    """The form with the preposition before it; "before about 1900" counts as "before 1900"."""
    part = form.parts[0]
    match = _before(_BOUND_BEFORE, text, part.start, floor)
    if match is None:
        return form
    bound = _BOUNDS[" ".join((match[1] or match[2]).lower().split())]
    return Form((Part(match.start(), part.end, _with_bound(part.value, bound)), *form.parts[1:]))


def _with_bound(value: DateValue, bound: Bound) -> DateValue:
    """``value``, and each of its other readings, under ``bound``."""
    return replace(value, bound=bound, other=tuple(replace(other, bound=bound) for other in value.other))


_WRITTEN_BOUNDS = {
    Bound.EXACT: "",
    Bound.RANGE: "",
    Bound.ABOUT: "around ",
    Bound.LESS_THAN: "before ",
    Bound.MORE_THAN: "after ",
    Bound.AT_LEAST: "since ",
    Bound.AT_MOST: "by ",
}


def write(value: DateValue) -> str:
    """``value`` in English words: "384 BC", "4 June 1976", "the 1850s", "before 1900"; ``find`` reads it back.

    Only the first reading is written. A value with an open end is written by its other end; an interval that is no
    calendar unit is written by both.
    """
    if value.first is None or value.last is None:
        return _write_open(value)
    return _WRITTEN_BOUNDS[value.bound] + _write_closed(value, value.first, value.last)


def _write_open(value: DateValue) -> str:
    if value.first is not None:
        return f"since {_write_day(value.first)}"
    return f"until {_write_day(value.last)}" if value.last is not None else "an unknown date"


def _write_closed(value: DateValue, first: calendar.Day, last: calendar.Day) -> str:
    if isinstance(value, calendar.Instant):
        return _write_instant(value, first)
    if value.precision == "day":
        return _write_day(first)
    if value.precision == "month" and value == replace(
        calendar.month(*first[:2]), bound=value.bound, other=value.other
    ):
        return f"{calendar.MONTHS[first[1] - 1]} {_write_year(first[0])}"
    if value.precision == "quarter":
        return f"Q{first[1] // 3 + 1} {first[0]}"
    if value.precision == "year" and first[0] == last[0]:
        return _write_year(first[0])
    if value.precision in ("decade", "century") and (name := _write_years(first[0], last[0])):
        return f"the {name}"
    if value.precision in ("year", "decade", "century"):
        return f"{_write_year(first[0])} to {_write_year(last[0])}"
    return f"{_write_day(first)} to {_write_day(last)}"


def _write_years(first: int, last: int) -> str:
    """The name of a decade or a century; empty where it has none that means only this."""
    length, era = last - first, " BC" if first < 0 else ""
    start = -last if first < 0 else first
    if length == 9 and start % 10 == 0 and (start % 100 or first < 0):
        return f"{start}s{era or (' AD' if start < 1000 else '')}"
    if length == 99 and start % 100 == 1:
        return f"{_ordinal(start // 100 + 1)} century{era}"
    return f"{start}s" if length == 99 and not era and start % 100 == 0 and 1000 <= start < 1900 else ""


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _write_year(number: int) -> str:
    if number < 0:
        return f"{-number} BC"
    return str(number) if 1000 <= number <= 2199 else f"AD {number}"


def _write_day(value: calendar.Day) -> str:
    return f"{value[2]} {calendar.MONTHS[value[1] - 1]} {_write_year(value[0])}"


def _write_instant(value: calendar.Instant, date: calendar.Day) -> str:
    whole = value.seconds.numerator // value.seconds.denominator
    clock = f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
    rest = value.seconds - whole
    fraction = f".{int(rest * 10**9):09}".rstrip("0") if rest else ""
    return f"{date[0]:04}-{date[1]:02}-{date[2]:02}T{clock}{fraction}Z"
