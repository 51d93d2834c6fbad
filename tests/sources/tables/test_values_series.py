"""Numbers and days of running text against rows that go by time, in a made series."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.sources.tables.opening import open_relations
from imprimatur.sources.tables.values.checking import check_values
from imprimatur.sources.tables.values.finding import Outcome
from imprimatur.sources.tables.values.record import Record

_ROWS = """time,level (m),inflow (m3/s)
2023-05-01 06:00:00,4.10,12
2023-05-01 18:00:00,4.32,15
2023-05-02 06:00:00,4.95,31
2023-05-02 18:00:00,5.20,28
2023-05-03 06:00:00,4.71,9
2023-05-03 18:00:00,4.55,7
"""


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = tmp_path_factory.mktemp("series") / "gauge.csv"
    path.write_text(_ROWS, encoding="utf-8")
    return Record(open_relations([path]))


def _labels(record: Record, text: str) -> dict[str, str]:
    return {text[found.start : found.end]: found.outcome.value for found in check_values(record, text)}


@pytest.mark.parametrize(
    "text",
    [
        "The level ranged from 4.1 m to 5.2 m.",
        "The level will be between 4.10 m and 5.20 m, with a high of 5.2 m on May 2nd.",
        "On May 1st, the level was 4.32 m. On the third day, it fell to a low of 4.55 m.",
        "The data from May 1, 2023 to May 3, 2023 show a level of 4.95 m on Tuesday.",
        "The level peaked at 5.20 m on 2 May 2023.",
        "Over the whole period the level had a maximum of 520 cm.",
    ],
)
def test_true_statements_raise_no_alarm(record: Record, text: str) -> None:
    """Ranges, extremes, days and units that are right are not contradicted, and some are supported."""
    labels = set(_labels(record, text).values())
    assert Outcome.SUPPORTED.value in labels
    assert Outcome.CONTRADICTED.value not in labels


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The level ranged from 4.3 m to 5.2 m.", "4.3"),
        ("The level ranged from 4.1 m to 4.95 m.", "4.95"),
        ("The level had a high of 4.95 m.", "4.95"),
        ("On May 1st, the level was 4.95 m.", "4.95"),
        ("On the third day, the level was 4.32 m.", "4.32"),
        ("The level was 9.40 m at one time.", "9.40"),
        ("The data from May 1, 2023 to May 6, 2023 show the level.", "May 6, 2023"),
        ("The level had a high of 5.20 m on May 3rd, 2023.", "May 3rd, 2023"),
    ],
)
def test_wrong_statements_are_contradicted(record: Record, text: str, wrong: str) -> None:
    """A wrong end of a range, extreme, value of a day, day of an extreme or end of the data is contradicted, alone."""
    found = {span for span, outcome in _labels(record, text).items() if outcome == Outcome.CONTRADICTED.value}
    assert found == {wrong}


def test_the_right_extreme_is_told(record: Record) -> None:
    """A wrong extreme of one column comes with the right one."""
    text = "The level had a high of 4.95 m."
    assert [found.right for found in check_values(record, text)] == ["5.2"]


def test_what_lies_within_is_not_contradicted(record: Record) -> None:
    """A number that no cell has, but that lies within the cells, is only not found."""
    assert _labels(record, "At some time the level was 4.80 m.") == {"4.80": "not_found"}


def test_a_number_without_a_column_is_left_alone(record: Record) -> None:
    """A number of a unit that no column has, or a rate's denominator, is not looked at."""
    assert "contradicted" not in _labels(record, "It weighed 90 kg, at 12 per 1,000 people.").values()


def test_a_day_goes_on_into_the_next_sentence(record: Record) -> None:
    """A sentence without a day is about the last one's, until one speaks of the whole."""
    text = "On May 1st, the river rose. The level was 4.95 m."
    assert _labels(record, text)["4.95"] == "contradicted"
    text = "On May 1st, the river rose. Overall, the level reached 5.20 m."
    assert _labels(record, text)["5.20"] == "supported"


def test_tables_without_days_have_no_series(tmp_path: Path) -> None:
    """A table without a column of days is asked nothing of this kind."""
    (tmp_path / "gauge.csv").write_text("place,level (m)\nA,4.10\nB,4.32\n", encoding="utf-8")
    record = Record(open_relations([tmp_path / "gauge.csv"]))
    text = "The level ranged from 9 m to 11 m."
    assert all(found.outcome is not Outcome.CONTRADICTED for found in check_values(record, text))


def test_words_of_a_series_are_held_against_its_days(tmp_path: Path) -> None:
    """Words that some cell of the series says are supported on its days, and contradicted on others."""
    rows = "day,level,sky\n2023-05-01,4,light rain; low clouds\n2023-05-02,5,clear sky\n2023-05-03,6,clear sky\n"
    (tmp_path / "sky.csv").write_text(rows, encoding="utf-8")
    record = Record(open_relations([tmp_path / "sky.csv"]))
    text = "On May 1st there was light rain with low clouds. On May 2nd there were low clouds, and no light rain."
    found = [(text[f.start : f.end], f.outcome.value) for f in check_values(record, text) if f.kind == "word"]
    assert found == [("light rain", "supported"), ("low clouds", "supported"), ("low clouds", "contradicted")]
