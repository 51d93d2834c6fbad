"""Times of day in text: "8 am", "8:30 p.m.", "17:30", "noon"; and hours from one to another.

A time is written as ``HH:MM`` of 24 hours. "12 am" is 00:00, "12 pm" and "noon" are 12:00, "midnight" is 00:00. Times
without am or pm are taken as of 24 hours. Bare numbers are times only for ``spoken``, in the places where opening hours
have them ("from 9 to 5"); then ``~`` behind the time says that it may be of either half of the day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from imprimatur._expressions import expression

__all__ = ["TIME", "FoundTime", "find", "hours", "spoken", "written"]

#: A time as it is written here.
TIME = r"\d\d:\d\d~?"
_HALF = r"(?P<half>[ap])(?:\.\s?m\b\.?|m\b)"
_BEFORE, _AFTER = r"(?<![\d:.,])", r"|\b(?P<word>noon|midday|midnight)\b)"
_TIME = expression(
    rf"{_BEFORE}(?:(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d\d))?\s?{_HALF}"
    rf"|(?P<whole>\d{{1,2}}):(?P<part>\d\d)(?![\d:]){_AFTER}",
    re.IGNORECASE,
)
#: Programs write 9:0 for 9:00.
_IN_CELLS = expression(
    rf"{_BEFORE}(?:(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d{{1,2}}))?\s?{_HALF}"
    rf"|(?P<whole>\d{{1,2}}):(?P<part>\d{{1,2}})(?![\d:]){_AFTER}",
    re.IGNORECASE,
)
_BETWEEN = expression(r"\s*(?:-|–|—|to|until|till)\s*", re.IGNORECASE)
_APART = expression(r"\s*(?:[,;/&]|,?\s+and)\s*", re.IGNORECASE)
_CLOSED = frozenset(("closed", "closed all day"))
_OPENING = expression(r"\b(?:open|opens|opening|opened|close|closes|closing|closed|shut|shuts)\b", re.IGNORECASE)
#: A number of one or two digits, with the words around it that make it a time of day.
_ENDS = (
    r"(?=\s*(?:$|[.,;!?)]|[-–—]|(?:on|from|to|until|till|and|every|daily|each|during|at|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday|weekdays|weekends|seven days|7 days)\b))"
)
_BARE = expression(
    rf"(?:\b(?:at|until|till|by|before|after|from|between|to|and|open)\s|(?<=\d)[-–—]|m\s?[-–—]\s?)"
    rf"(?P<hour>\d{{1,2}})(?![\d:%°]|[.,]\d){_ENDS}",
    re.IGNORECASE,
)
_TO_DIGIT = expression(r"\s*(?:to|until|till|and|[-–—])\s*(?=\d)", re.IGNORECASE)
_AFTER_MIDNIGHT = 24 * 60


class FoundTime(NamedTuple):
    """A time of day and where it stands."""

    start: int
    end: int
    time: str


def find(text: str) -> tuple[FoundTime, ...]:
    """The times of day in a text, in order."""
    return _found(_TIME.finditer(text))


def spoken(text: str) -> tuple[FoundTime, ...]:
    """The times of day in a text, and the bare numbers that are such beside words for opening and closing, in order."""
    found = find(text)
    if not _OPENING.search(text):
        return found
    taken = {place for each in found for place in range(each.start, each.end)}
    bare = [m for m in _BARE.finditer(text) if m.start("hour") not in taken and int(m["hour"]) <= 24]
    exact = any(int(m["hour"]) > 12 or m["hour"].startswith("0") for m in bare)
    bare = [
        m for m in bare if (after := _TO_DIGIT.match(text, m.end("hour"))) is None or _is_time(after.end(), found, bare)
    ]
    made = [
        FoundTime(m.start("hour"), m.end("hour"), f"{int(m['hour']) % 24:02}:00{'' if exact else '~'}") for m in bare
    ]
    return tuple(sorted((*found, *made)))


def _is_time(place: int, found: Iterable[FoundTime], bare: Iterable[re.Match[str]]) -> bool:
    """Whether a time begins at a place."""
    return any(each.start == place for each in found) or any(m.start("hour") == place for m in bare)


def _found(matches: Iterable[re.Match[str]]) -> tuple[FoundTime, ...]:
    return tuple(FoundTime(m.start(), m.end(), time) for m in matches if (time := _read(m)))


def _read(match: re.Match[str]) -> str:
    if match["word"]:
        return "00:00" if match["word"].lower() == "midnight" else "12:00"
    hour, minute = int(match["hour"] or match["whole"]), int(match["minute"] or match["part"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else ""


def hours(cell: str) -> tuple[tuple[int, int], ...] | None:
    """The stretches of a text like "8:00-17:00" or "11:30-14:00, 17:00-22:00", in minutes; none for "closed".

    An end after midnight is more than 24 hours. None for anything else: a stretch that ends where it begins says
    nothing that is sure (all day, or not known), and stretches that are not in order may be of several days.
    """
    if cell.lower() in _CLOSED:
        return ()
    found = _found(_IN_CELLS.finditer(cell))
    if not found or len(found) % 2 or found[0].start or found[-1].end != len(cell):
        return None
    gaps = [cell[a.end : b.start] for a, b in pairwise(found)]
    if not all((_APART if n % 2 else _BETWEEN).fullmatch(gap) for n, gap in enumerate(gaps)):
        return None
    times = [_minutes(each.time) for each in found]
    if times[-1] < times[-2]:
        times[-1] += _AFTER_MIDNIGHT
    if any(a >= b for a, b in pairwise(times)) or times[-1] - times[0] > _AFTER_MIDNIGHT:
        return None
    return tuple(zip(times[::2], times[1::2]))


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:5])


def written(minutes: int) -> str:
    """A number of minutes since the day began as ``HH:MM``; of the next day as more than 24 hours."""
    return f"{minutes // 60:02}:{minutes % 60:02}"
