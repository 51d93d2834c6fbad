"""What a text says of opening hours, and whether a table of hours bears it out.

Contract: ``read_hours`` gives what is said of which days: open at certain times, open at all, or closed. ``compare``
says of each such statement whether the hours agree, differ, or are silent. A day that the table leaves out is closed
when other days are in it, and so is a day whose span has no length; where every day is written so, it may as well mean
that they never close, and the table tells nothing. Half a clock time ("from 5 to 9") agrees with either half
of the day. Nothing raises; time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from imprimatur._expressions import expression
from imprimatur.sources.passages.records import DAYS, Hours

__all__ = ["Said", "compare", "read_hours"]

_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\b\.?"
_DAYS = expression(
    rf"(?P<first>\b{_DAY})(?:\s*(?:-|–|—|to|through|thru|until|till)\s*(?P<last>{_DAY}))?"
    r"|\b(?P<all>(?:seven|7) days (?:a|per) week|every ?day|daily|all week|throughout the week|each day)\b"
    r"|\b(?P<week>week ?days?)\b|\b(?P<end>weekends?)\b",
    re.IGNORECASE,
)
_TIME = r"(\d{1,2})(?::(\d{2}))?\s*([ap]\.?\s?m\b\.?)?|\b(noon|midnight)\b"
_SPAN = expression(rf"(?:{_TIME})\s*(?:-|–|—|to|until|till|and|through)\s*(?:{_TIME})", re.IGNORECASE)
_ABOUT_HOURS = expression(r"\b(?:open|opens|operat\w+|hours|close\w*|closing|serv\w+|availab\w+)\b", re.IGNORECASE)
_CLOSED = expression(r"\b(?:closed|not open|isn't open|n't open|closes)\b", re.IGNORECASE)
_OPEN = expression(r"\b(?:open|opens|operat\w+|hours)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """One statement of hours: ``text[start:end]``; ``spans`` are the possible readings of a time, none: open at all."""

    start: int
    end: int
    days: tuple[str, ...]
    spans: tuple[tuple[int, int], ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True)
class _Event:
    start: int
    end: int
    days: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


def read_hours(text: str) -> tuple[Said, ...]:
    """What a text says of opening hours, in order; nothing when it does not speak of them."""
    if _ABOUT_HOURS.search(text) is None:
        return ()
    events = sorted([*_times(text), *_days(text)], key=lambda event: event.start)
    if any(event.spans for event in events):
        return tuple(_timed(_joined(text, events)))
    return tuple(_untimed(text, _joined(text, events)))


def _days(text: str) -> Iterator[_Event]:
    for found in _DAYS.finditer(text):
        days: tuple[str, ...]
        if found["all"]:
            days = DAYS
        elif found["week"]:
            days = DAYS[:5]
        elif found["end"]:
            days = DAYS[5:]
        else:
            days = _between(_day(found["first"]), _day(found["last"] or found["first"]))
        yield _Event(*found.span(), days=days)


def _day(word: str) -> int:
    return next(index for index, name in enumerate(DAYS) if name.startswith(word.lower()[:3]))


def _between(first: int, last: int) -> tuple[str, ...]:
    """The days of a span, which may go over the end of the week."""
    length = (last - first) % 7 + 1
    return tuple(DAYS[(first + step) % 7] for step in range(length))


def _times(text: str) -> Iterator[_Event]:
    for found in _SPAN.finditer(text):
        first, last = found.group(1, 2, 3, 4), found.group(5, 6, 7, 8)
        marked = [bool(part[2] or part[1] or part[3]) for part in (first, last)]
        if any(marked):
            starts, ends = _minutes(first), _minutes(last)
            yield _Event(*found.span(), spans=tuple((start, end) for start in starts for end in ends))


def _minutes(parts: Sequence[str | None]) -> tuple[int, ...]:
    """The minutes since midnight that a clock time may mean: two, where nothing says which half of the day."""
    hour, minute, own, word = parts
    if word:
        return (720,) if word.lower() == "noon" else (0, 1440)
    at = int(hour or 0) * 60 + int(minute or 0)
    if int(hour or 0) > 12 or int(minute or 0) > 59:
        return (at,)
    early = at % 720
    if own:
        return (early + (720 if own[0] in "pP" else 0),)
    return (early, early + 720)


def _joined(text: str, events: Sequence[_Event]) -> list[_Event]:
    """The events with neighbouring days as one ("Friday and Saturday")."""
    out: list[_Event] = []
    for event in events:
        between = text[out[-1].end : event.start].strip().lower() if out else "x"
        if out and event.days and out[-1].days and between in ("", ",", "and", "&", ", and", "or", "and on"):
            out[-1] = _Event(out[-1].start, event.end, days=(*out[-1].days, *event.days))
        else:
            out.append(event)
    return out


def _timed(events: Sequence[_Event]) -> Iterator[Said]:
    """Times with the days they stand beside: those before them, or behind where a time comes first."""
    behind = bool(events[0].spans)
    days: _Event | None = None
    for index, event in enumerate(events):
        if event.days:
            days = event
            continue
        beside = days
        if behind:
            beside = next((each for each in events[index + 1 :] if each.days), None)
        if beside is None:
            yield Said(event.start, event.end, DAYS, event.spans)
        else:
            start, end = min(beside.start, event.start), max(beside.end, event.end)
            yield Said(start, end, tuple(dict.fromkeys(beside.days)), event.spans)


def _untimed(text: str, events: Sequence[_Event]) -> Iterator[Said]:
    for event in events:
        before = text[max(0, event.start - 60) : event.start]
        opened = max((found.end() for found in _OPEN.finditer(before)), default=-1)
        closed = max((found.end() for found in _CLOSED.finditer(before)), default=-1)
        if max(opened, closed) >= 0:
            yield Said(event.start, event.end, event.days, closed=closed >= opened)


def compare(said: Said, table: Sequence[Hours]) -> bool | None:
    """Whether a table of hours bears out what is said: True, False, or None when it tells nothing of it."""
    stored = {hours.day: hours.spans for hours in table}
    if all(first == last for spans in stored.values() for first, last in spans):
        return None
    verdicts = [_of_day(said, stored.get(day, ())) for day in said.days]
    return all(verdicts)


def _of_day(said: Said, stored: Sequence[tuple[int, int]]) -> bool:
    spans = [(first, last) for first, last in stored if first != last]
    if said.closed or not spans:
        return said.closed and not spans
    return not said.spans or any(_same(one, other) for one in said.spans for other in spans)


def _same(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return all(abs(a - b) % 1440 == 0 for a, b in zip(one, other))
