"""Rises, falls and days of extremes in running text, in a made series."""

from __future__ import annotations

import pytest

from imprimatur.sources.tables.opening import open_relations
from imprimatur.sources.tables.values.checking import check_values
from imprimatur.sources.tables.values.record import Record

_ROWS = (
    "month,visitors\n2023-01-15,100\n2023-02-15,180\n2023-03-15,260\n2023-04-15,90\n2023-05-15,140\n2023-06-15,240\n"
)


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = tmp_path_factory.mktemp("series") / "hall.csv"
    path.write_text(_ROWS, encoding="utf-8")
    return Record(open_relations([path]))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The number of visitors increased over time.", [("increased", "supported")]),
        ("The number of visitors decreased over time.", [("decreased", "contradicted")]),
        ("The number of visitors increased steadily over time.", [("increased", "supported")]),
        ("There was a steady increase in visitors.", [("steady increase", "contradicted")]),
        ("The visitors fell from March 2023 to April 2023.", [("fell", "supported")]),
        ("The visitors rose from March 2023 to April 2023.", [("rose", "contradicted")]),
        ("The visitors rose from April 2023 to June 2023.", [("rose", "supported")]),
        ("The visitors reached their peak in March 2023.", [("March 2023", "supported")]),
        ("The visitors reached their peak in June 2023.", [("June 2023", "contradicted")]),
        ("The lowest number was in May 2023.", [("May 2023", "contradicted")]),
    ],
)
def test_rises_falls_and_peaks_are_held_against_cells(record: Record, text: str, told: list[tuple[str, str]]) -> None:
    """A direction is that of the first and last cell of what is named; a peak's day holds the highest cell."""
    found = [each for each in check_values(record, text) if each.kind == "word"]
    assert [(text[each.start : each.end], each.outcome.value) for each in found] == told


@pytest.mark.parametrize(
    "text",
    [
        "The number of visitors then decreased over time.",
        "The number of visitors did not increase over time.",
        "The number of visitors may fall over time.",
        "The number of visitors decreased.",
        "There was a slight decrease over time, followed by an increase.",
    ],
)
def test_parts_and_denials_are_left_alone(record: Record, text: str) -> None:
    """A rise or fall that is denied, possible, or of some part that is not named is not looked at."""
    assert [each for each in check_values(record, text) if each.kind == "word"] == []
