"""What a sentence says of opening hours, beside those of a row.

Contract: ``agrees`` is False where the cell of a day says otherwise, None where it says nothing (it is empty, or ends
where it begins, which may mean closed or all day), and True else. Hours without a day agree with those of any day. What
is closed and silent is not told of. Nothing raises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from imprimatur.language.clock_times import hours
from imprimatur.sources.tables.attributes.flags import Told
from imprimatur.sources.tables.attributes.hours_said import Said, read
from imprimatur.sources.tables.attributes.record import Opening, Record, shown

__all__ = ["told"]

_DAY_LONG = 1440


def told(text: str, record: Record) -> tuple[Told, ...]:
    """What a text of one sentence says of a record's hours, in order."""
    by_day = {each.day: each for each in record.hours}
    if not by_day:
        return ()
    found = (_told(each, by_day) for each in read(text))
    return tuple(each for each in found if each is not None)


def _told(said: Said, by_day: Mapping[str, Opening]) -> Told | None:
    """A statement beside the cells of its days; None where there is nothing to say of it."""
    cells = [by_day.get(day) or by_day.get("") for day in said.days]
    known = [each for each in cells if each is not None]
    if not known or said.kind == "unsaid":
        return None
    if said.kind in ("vary", "longer", "shorter"):
        agrees = _compared(said, by_day)
    elif said.kind in ("always", "count"):
        agrees = _whole(said, [_span(each.said) for each in known])
    else:
        single = [_of_day(said, each.said if each is not None else None) for each in cells]
        agrees = False if False in single else None if None in single else True
        if said.kind == "some":  # of which days, it does not say
            agrees = True if True in single else agrees
    if agrees is None and said.kind in ("vary", "closed", "some"):
        return None
    said_there = "; ".join(shown(each.column, each.said) for each in known)
    columns = tuple(each.column for each in known)
    return Told(said.start, said.end, columns, said.kind == "closed", agrees, said_there)


def _of_day(said: Said, cell: str | None) -> bool | None:
    span = _span(cell)
    if span is None:
        return None
    if said.kind not in ("from", "some"):
        return bool(span) is (said.kind == "open")
    if not span:
        return False
    first, last = span
    return (not said.first or first in said.first) and (not said.last or last in said.last)


def _whole(said: Said, spans: Sequence[tuple[int, int] | tuple[()] | None]) -> bool | None:
    """Whether it is open day and night, or on so many days; all of the week must have cells."""
    opened, silent = sum(bool(span) for span in spans), spans.count(None)
    if said.kind == "always":
        return False if silent < len(spans) else None
    if opened == said.count:
        return True
    return False if opened > said.count or opened + silent < said.count else None


def _span(cell: str | None) -> tuple[int, int] | tuple[()] | None:
    """The minutes of a cell, of the day it begins: none for "closed"; None for silence, and for several stretches."""
    found = hours(cell) if cell is not None else None
    if found is None or len(found) > 1:
        return None
    return (found[0][0], found[0][1] % _DAY_LONG) if found else ()


def _compared(said: Said, by_day: Mapping[str, Opening]) -> bool | None:
    """Whether days have longer (shorter) hours than is usual on the others; whether hours are not all the same."""
    spans = {day: span for day, each in by_day.items() if (span := _span(each.said))}
    lengths = {day: (span[1] - span[0]) % _DAY_LONG for day, span in spans.items() if len(span) == 2}
    if len(lengths) < 2:
        return None
    if said.kind == "vary":
        return len(set(spans.values())) > 1
    own = [length for day, length in lengths.items() if day in said.days]
    others = [length for day, length in lengths.items() if day not in said.days]
    if not own or not others:
        return None
    usual = median(others)
    return max(own) > usual if said.kind == "longer" else min(own) < usual
