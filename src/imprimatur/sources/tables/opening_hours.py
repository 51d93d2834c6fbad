"""Columns of opening hours: "8:00-17:00", "9 am to 5 pm", "closed", of every day or of a day of the week.

Such a cell says when a thing opens, when it closes, from when to when it is open (there may be several stretches), and
whether it is open at all. A cell that begins and ends at one time says nothing: it may mean all day, or not known.
"""

from __future__ import annotations

from typing import NamedTuple

from imprimatur.language.clock_matching import CLOSED
from imprimatur.language.clock_times import hours, written
from imprimatur.sources.graph.terms import CLOCK, XSD
from imprimatur.sources.tables.relation import Column

__all__ = ["Said", "opening_day", "said", "stated"]

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {day[:3]: day for day in _DAYS}
_HOURS = frozenset(("hours", "opening", "open"))
_BOOLEAN = XSD + "boolean"
_WORDINGS = {
    "opens": ("opens at …", "opens its doors at …", "is open from …", "opens before …", "opens after …", "opens by …"),
    "closes": (
        *("closes at …", "closes its doors at …", "is open until …", "is open till …", "stays open until …"),
        *("stays open till …", "remains open until …", "closes before …", "closes after …", "closes by …"),
    ),
    "hours": (
        *("is open from … to …", "is open from … until …", "is open from … till …", "is open between … and …"),
        *("opens from … to …", "is open … to …", "is open … until …", "is open at …"),
    ),
}


class Said(NamedTuple):
    """One thing that a column of hours says: its part of the column, wordings ("…" for a time), datatype."""

    part: str
    wordings: tuple[str, ...]
    datatype: str


def opening_day(words: str) -> str | None:
    """The day of the week that the hours in a column are of; empty for every day; None where it has no such name."""
    parts = words.lower().split()
    found = [_SHORT.get(part, part) for part in parts if part in _DAYS or part in _SHORT]
    if len(found) == 1:
        return found[0]
    return "" if _HOURS & set(parts) and not found else None


def said(column: Column) -> tuple[Said, ...]:
    """What a column of hours says."""
    day = opening_day(column.name.replace("_", " ")) or opening_day(column.words)
    times = [
        Said(part, tuple(each for line in lines for each in _on(line, day)), CLOCK) for part, lines in _WORDINGS.items()
    ]
    if not day:
        return tuple(times)
    at = f"on {day}"
    return (*times, Said("open", (f"is open {at}",), _BOOLEAN), Said("closed", (f"is closed {at}",), _BOOLEAN))


def _on(line: str, day: str | None) -> tuple[str, ...]:
    """A wording with its day at the end, or before the times."""
    if not day:
        return (line,)
    verb, space, rest = line.partition(" ")
    if rest.startswith("open "):
        verb, rest = f"{verb} open", rest.removeprefix("open ")
    return f"{line} on {day}", f"{verb} on {day}{space}{rest}"


def stated(column: Column, cell: str) -> tuple[tuple[str, tuple[str, str]], ...]:
    """What a cell says, by part: lexical forms and datatypes."""
    found = hours(cell)
    if found is None:
        return ()
    known = {each.part for each in said(column)}
    values = {"open": (str(bool(found)).lower(), _BOOLEAN), "closed": (str(not found).lower(), _BOOLEAN)}
    if not found:
        values |= dict.fromkeys(_WORDINGS, (CLOSED, CLOCK))
    else:
        times = [(written(first), written(last)) for first, last in found]
        values |= {
            "opens": (",".join(f"{first}-" for first, _ in times), CLOCK),
            "closes": (",".join(f"-{last}" for _, last in reversed(times)), CLOCK),
            "hours": (",".join(f"{first}-{last}" for first, last in times), CLOCK),
        }
    return tuple((part, value) for part, value in values.items() if part in known)
