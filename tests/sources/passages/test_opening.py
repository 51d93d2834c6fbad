"""Opening hours: what a text says of them, and whether a table bears it out."""

from __future__ import annotations

import json

import pytest

from imprimatur.sources.passages.opening import compare, read_hours
from imprimatur.sources.passages.records import DAYS, read_record

_TABLE = {
    "Tuesday": "11:0-21:0",
    "Wednesday": "11:0-21:0",
    "Thursday": "11:0-21:0",
    "Friday": "11:0-22:30",
    "Saturday": "12:0-22:30",
    "Sunday": "0:0-0:0",
}


def _verdicts(text: str, table: dict[str, str] | None = None) -> list[bool | None]:
    record = read_record(json.dumps({"hours": table or _TABLE}))
    assert record is not None
    return [compare(said, record.hours) for said in read_hours(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is open from 11 AM to 9 PM on Tuesday to Thursday.", [True]),
        ("Hours are 11:00-21:00 from Tuesday to Thursday and 11:00 am - 10:30 pm on Friday.", [True, True]),
        ("Open Tuesday through Friday from 11 am to 9 pm.", [False]),
        ("The shop is open from 11 to 9 pm on Wednesdays.", [True]),
        ("Saturday hours are from noon to 10:30 p.m.", [True]),
        ("It is open every day from 11 am to 9 pm.", [False]),
        ("The café opens seven days a week.", [False]),
        ("It is closed on Mondays.", [True]),
        ("It is closed on Sundays.", [True]),
        ("It is closed on Fridays.", [False]),
        ("It is open on weekdays.", [False]),
        ("It is open on Friday and Saturday.", [True]),
    ],
)
def test_statements_of_hours_are_compared(text: str, expected: list[bool]) -> None:
    """Days before and behind the times, spans of days, closed days and days that the table leaves out."""
    assert _verdicts(text) == expected


@pytest.mark.parametrize("text", ["She was born on Monday.", "The review is from 11 to 9.", "They met on Sunday.", ""])
def test_other_days_and_times_are_no_hours(text: str) -> None:
    """Nothing that speaks of opening, nothing read."""
    assert _verdicts(text) == []


def test_a_table_of_empty_spans_tells_nothing() -> None:
    """Every day from midnight to midnight: closed or open all day, nobody knows."""
    table = {day.title(): "0:0-0:0" for day in DAYS}
    assert _verdicts("It is closed on Mondays.", table) == [None]
