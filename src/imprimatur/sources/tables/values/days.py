"""Days of the week in a text about one day: the record's only date.

Contract: asked only where all dates of the record are one day; a sentence without a verb in the past, or that speaks of
what is to come or has been before ("will", "next", "last"), is not about that day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from imprimatur.extract.words import forms
from imprimatur.language import dates
from imprimatur.sources.tables.relation import ColumnKind
from imprimatur.sources.tables.values.clauses import clause_of
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.reading import Sentence
from imprimatur.sources.tables.values.record import At, Record

__all__ = ["check_days"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_AGAINST = frozenset("against over to of with from versus".split())
_OTHER_TIMES = frozenset("will 'll next upcoming last previous earlier later since until ago".split())


def check_days(record: Record, sentence: Sentence) -> Iterator[Finding]:
    """What the record's date says of the days that a sentence names."""
    days = [item for item in sentence.items if item.day]
    if not days:
        return
    only = _only_day(record)
    if only is None:
        return
    at, column, day = only
    contest = any(item.means("ahead") or item.means("behind") for item in sentence.items)
    past = contest or any("past" in forms(token.lower).verb_forms for token in sentence.tokens)
    for item in days:
        start, stop = clause_of(sentence, item.first)
        words = {token.lower for token in sentence.tokens[start:stop]} | {sentence.low(i) for i in range(start)}
        fits = item.day == day.lower()
        if not past or words & _OTHER_TIMES or _other_event(sentence, start, stop, item.first):
            yield Finding(start=item.start, end=item.end, kind="date", outcome=Outcome.NOT_FOUND)
            continue
        yield Finding(
            start=item.start,
            end=item.end,
            kind="date",
            outcome=Outcome.SUPPORTED if fits else Outcome.CONTRADICTED,
            rows=(at,),
            columns=(column,),
            right="" if fits else day,
        )


def _other_event(sentence: Sentence, start: int, stop: int, day: int) -> bool:
    """Whether a clause is about something with a name that the record does not know ("against Charlotte on Monday")."""
    for item in sentence.items:
        if item.kind == "unknown" and start <= item.first < min(day, stop):
            at = item.first - 1 - (sentence.low(item.first - 1) == "the")
            if sentence.low(at) in _AGAINST:
                return True
    return False


def _only_day(record: Record) -> tuple[At, str, str] | None:
    """The one day of all dates of a record: its cell and its name."""
    found: set[tuple[int, int, int]] = set()
    place: tuple[At, str] | None = None
    for sheet in record.sheets.values():
        for column in sheet.relation.columns:
            if column.kind is not ColumnKind.DATE:
                continue
            for row in sheet.rows():
                cell = sheet.cell(row, column.name)
                read = dates.find(cell) if cell is not None else ()
                if len(read) != 1 or read[0].value.first is None or read[0].value.first != read[0].value.last:
                    return None
                found.add(read[0].value.first)
                place = place or (At(sheet.name, row), column.name)
    if len(found) != 1 or place is None:
        return None
    year, month, day = found.pop()
    return (*place, _DAYS[date(year, month, day).weekday()])
