"""Times of day in text: "8 am", "8:30 p.m.", "17:30", "noon"; and hours from one to another.

A time is written as ``HH:MM`` of 24 hours. "12 am" is 00:00, "12 pm" and "noon" are 12:00, "midnight" is 00:00. Times
without am or pm are taken as of 24 hours. Invariant: bare numbers are no times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from imprimatur._expressions import expression

__all__ = ["FoundTime", "find", "hours"]

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
_CLOSED = frozenset(("closed", "closed all day"))


class FoundTime(NamedTuple):
    """A time of day and where it stands."""

    start: int
    end: int
    time: str


def find(text: str) -> tuple[FoundTime, ...]:
    """The times of day in a text, in order."""
    return _found(_TIME.finditer(text))


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


def hours(cell: str) -> tuple[str, str] | None:
    """The first and last time of a text like "8:00-17:00"; two empty texts for "closed"; None for anything else.

    A stretch that ends where it begins says nothing that is sure (all day, or not known), and is None too.
    """
    if cell.lower() in _CLOSED:
        return "", ""
    found = _found(_IN_CELLS.finditer(cell))
    if len(found) != 2 or found[0].start or found[1].end != len(cell) or found[0].time == found[1].time:
        return None
    between = cell[found[0].end : found[1].start]
    return (found[0].time, found[1].time) if _BETWEEN.fullmatch(between) else None
