"""Opening hours: what columns of them are taken to say, and sentences judged by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur import Oracle
from imprimatur.language.clock_times import find, hours, spoken, written
from imprimatur.sources.tables.opening import open_relations
from imprimatur.sources.tables.opening_hours import opening_day
from imprimatur.sources.tables.relation import ColumnKind

_CAFES = """[
  {"name": "Finch Cafe",
   "hours": {"Monday": "8:0-17:0", "Tuesday": "9:0-22:30", "Sunday": "closed", "Friday": "0:0-0:0"}},
  {"name": "Plover Bar", "hours": {"Monday": "12:0-22:0"}}
]
"""
_SHOPS = "name,opening hours\nReed Shop,9 am to 5 pm\nSedge Shop,10:00 - 18:00\n"
_SENTENCES = {
    "supported": """
        Finch Cafe opens at 8 am on Monday.
        Finch Cafe opens at 8 a.m. on Mondays.
        Finch Cafe opens at 8:00 on Monday.
        Finch Cafe opens on Monday at 8 am.
        On Monday, Finch Cafe opens at 8 am.
        Finch Cafe closes at 5 pm on Monday.
        Finch Cafe is open until 10:30 pm on Tuesday.
        Finch Cafe is open from 8 am to 5 pm on Monday.
        Finch Cafe is open on Monday from 8 am to 5 pm.
        Finch Cafe is open on Monday.
        Finch Cafe is closed on Sundays.
        On Sunday, Finch Cafe is closed.
        Finch Cafe is not open on Sunday.
        Finch Cafe opens at 8 am on Monday and at 9 am on Tuesday.
        Finch Cafe does not open at 9 am on Monday.
        Finch Cafe and Plover Bar are open on Monday.
        Plover Bar opens at noon on Monday.
        Plover Bar opens at 12 pm on Monday.
        Finch Cafe opens before 9 am on Monday.
        Finch Cafe opens at 8 on Monday.
        Reed Shop opens at 9 am.
        Reed Shop is open from 9 to 5.
        Reed Shop is open from 9 am to 5 pm.
        Sedge Shop closes at 6 pm.
    """,
    "contradicted": """
        Finch Cafe opens at 8:30 am on Monday.
        Finch Cafe opens at 8 pm on Monday.
        Finch Cafe closes at 10 pm on Monday.
        Finch Cafe is open from 8 am to 10 pm on Monday.
        Finch Cafe is closed on Monday.
        Finch Cafe is open on Sunday.
        Finch Cafe is closed on Sunday and Monday.
        Finch Cafe opens at noon on Monday.
        Finch Cafe is open daily from 8 am to 5 pm.
        Sedge Shop closes at 8 pm.
        Finch Cafe opens before 8 am on Monday.
        Finch Cafe opens at 9 on Monday.
        Reed Shop is open from 9 to 6.
    """,
    "not_found": """
        Finch Cafe is open on Wednesday.
        Finch Cafe is closed on Wednesday.
        Finch Cafe is open on Friday.
        Plover Bar is closed on Sunday.
        Finch Cafe opens at 8 am.
        Finch Cafe usually opens at 8 am on Monday.
        Finch Cafe is open Monday to Friday.
        Finch Cafe is open on Monday morning.
        Finch Cafe is open only on Monday.
        Finch Cafe opened at 8 am on Monday.
        Finch Cafe was closed on Sunday.
        Reed Shop opens at 9 am on Monday.
    """,
}
_EACH = [(label, line.strip()) for label, lines in _SENTENCES.items() for line in lines.strip().splitlines()]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """Cafes with hours by day, shops with one for every day."""
    folder = tmp_path_factory.mktemp("hours")
    (folder / "cafes.json").write_text(_CAFES, encoding="utf-8")
    (folder / "shops.csv").write_text(_SHOPS, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\ntables: [cafes.json, shops.csv]\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(("label", "sentence"), _EACH, ids=[sentence for _, sentence in _EACH])
def test_a_sentence_is_judged_by_the_hours(oracle: Oracle, label: str, sentence: str) -> None:
    """When a thing opens and closes, and on which days, is supported, refuted, or not known."""
    assert oracle.check(sentence).segments[0].label.value == label


def test_the_evidence_is_the_cell(oracle: Oracle) -> None:
    """The hours as they are written, with the SELECT, the pointer and the right time."""
    (found,) = oracle.check("Finch Cafe closes at 10 pm on Monday.").segments[0].claims[0].verdict.evidence
    assert found.content == "cafes: name = Finch Cafe; hours Monday = 8:0-17:0"
    assert found.query == """SELECT "name", "hours Monday" FROM "cafes" WHERE "name" = 'Finch Cafe'"""
    assert (found.origin, found.correction) == ("cafes.json, /0", "17:00")


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("from 8 am to 5:30 p.m., or at noon", ["08:00", "17:30", "12:00"]),
        ("12 am, 12 pm, midnight, 00:15, 23:59", ["00:00", "12:00", "00:00", "00:15", "23:59"]),
        ("a 4:3 screen, 8 men, 13 pm, 25:00, 8.75 m, 1:30:15, 7", []),
    ],
)
def test_times_of_day_in_text(text: str, times: list[str]) -> None:
    """Times with am or pm, of 24 hours, and in words; other numbers are none."""
    assert [found.time for found in find(text)] == times


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("9:0-17:0", [("09:00", "17:00")]),
        ("8:00 AM – 5:00 PM", [("08:00", "17:00")]),
        ("noon to midnight", [("12:00", "24:00")]),
        ("17:00-2:30", [("17:00", "26:30")]),
        ("Closed", []),
        ("0:0-0:0", None),
        ("8:00-12:00, 14:00-18:00", [("08:00", "12:00"), ("14:00", "18:00")]),
        ("11:30 am-2 pm and 5 pm-1 am", [("11:30", "14:00"), ("17:00", "25:00")]),
        ("8:00-12:00 14:00-18:00", None),
        ("14:00-18:00, 8:00-12:00", None),
        ("8:00-12:00, 11:00-18:00", None),
        ("8:00-12:00, 14:00", None),
        ("17:00-2:00, 1:00-3:00", None),
        ("8:00", None),
        ("from 8:00 to 9:00", None),
        ("by appointment", None),
    ],
)
def test_hours_in_cells(cell: str, read: list[tuple[str, str]] | None) -> None:
    """Stretches of one day in their order, or closed; anything else is not read."""
    found = hours(cell)
    assert (None if found is None else [(written(a), written(b)) for a, b in found]) == read


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("It is open from 9 to 5.", ["09:00~", "05:00~"]),
        ("It is open 9-17 on Monday.", ["09:00", "17:00"]),
        ("It opens at 9 on Monday and closes at 5:30 pm.", ["09:00~", "17:30"]),
        ("It is open until 10, closed after 12.", ["10:00~", "12:00~"]),
        ("It is open to 5 people.", []),
        ("It opened from 9 to 5 cafes.", []),
        ("It was closed after 9 years, by 2 of them.", []),
        ("It opens at 9 Market Street.", []),
        ("It costs from 9 to 5.", []),
        ("It is open from 9.5 to 5%.", []),
        ("It closes at 25.", []),
    ],
)
def test_bare_numbers_as_times(text: str, times: list[str]) -> None:
    """Only beside words for opening and closing, and where no other word takes the number up."""
    assert [found.time for found in spoken(text)] == times


def test_which_columns_are_hours(tmp_path: Path) -> None:
    """Those that a day or the word names, and whose cells are all hours."""
    assert [opening_day(words) for words in ("monday", "hours sun", "opening hours", "mon tue", "shift")] == [
        "monday",
        "sunday",
        "",
        None,
        None,
    ]
    path = tmp_path / "t.csv"
    path.write_text("name,Monday,Tuesday,shift\nA,8:00-9:00,late,8:00-9:00\nB,closed,8:00-9:00,9:00-9:30\n", "utf-8")
    (relation,) = open_relations([path])
    kinds = {column.name: column.kind for column in relation.columns}
    assert kinds["Monday"] is ColumnKind.HOURS
    assert {kinds["Tuesday"], kinds["shift"]} == {ColumnKind.TEXT}
