"""Opening hours of several days and several stretches, held against a reckoning that knows nothing of the engine."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from imprimatur import Corrected, Oracle
from imprimatur.language.clock_matching import fits

_CAFES = """name,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday
Finch Cafe,9:00-17:00,9:00-17:00,9:00-17:00,9:00-17:00,9:00-17:00,10:00-14:00,closed
Plover Bar,17:00-2:00,17:00-2:00,17:00-2:00,17:00-2:00,17:00-2:00,17:00-3:00,17:00-0:00
Heron Inn,"11:30-14:00, 17:00-22:00","11:30-14:00, 17:00-22:00","11:30-14:00, 17:00-22:00",,12:00-23:00,12:00-23:00,
Wren Shop,9:00-17:00,9:00-17:00,9:00-17:00,9:00-18:00,9:00-17:00,closed,closed
Kite Deli,9:00-17:00,9:00-17:00,9:00-17:00,9:00-17:00,9:00-17:00,9:00-17:00,9:00-17:00
"""
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS = {
    "on Monday": _WEEK[:1],
    "on Sundays": _WEEK[6:],
    "Monday to Friday": _WEEK[:5],
    "from Tuesday through Thursday": _WEEK[1:4],
    "Friday-Sunday": _WEEK[4:],
    "Saturday to Monday": ("Saturday", "Sunday", "Monday"),
    "on weekdays": _WEEK[:5],
    "at the weekend": _WEEK[5:],
    "on weekends": _WEEK[5:],
    "daily": _WEEK,
    "every day": _WEEK,
    "seven days a week": _WEEK,
}
#: Times as they are said, with the minutes that they may be.
_TIMES = {"9 am": (540,), "9": (540, 1260), "10 am": (600,), "5 pm": (1020,), "17:00": (1020,), "5": (300, 1020)}
Stretches = Sequence[tuple[int, int]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five places and their hours; one day of one of them is not known."""
    made = tmp_path_factory.mktemp("cafes")
    (made / "cafes.csv").write_text(_CAFES, encoding="utf-8")
    (made / "imprimatur.yaml").write_text("version: 1\ntables: [cafes.csv]\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def oracle(folder: Path) -> Oracle:
    """The oracle of the places."""
    return Oracle.from_folder(folder)


def _stretches(cell: str) -> Stretches | None:
    """The hours in a cell in minutes, read by means of its own."""
    if cell in ("", "closed"):
        return [] if cell else None
    made = []
    for part in cell.split(", "):
        first, last = (int(h) * 60 + int(m) for h, m in (time.split(":") for time in part.split("-")))
        made.append((first, last if last > first else last + 1440))
    return made


def _told(days: Sequence[str], place: str) -> list[Stretches | None]:
    (row,) = (row for row in csv.DictReader(io.StringIO(_CAFES)) if row["name"] == place)
    return [_stretches(row[day]) for day in days]


def _all(found: Sequence[bool | None]) -> str:
    return "contradicted" if False in found else "not_found" if None in found else "supported"


def _at(stretches: Stretches | None, first: str, last: str) -> bool | None:
    """Whether a day is open from one time to another."""
    if stretches is None:
        return None
    return any(a % 1440 in _TIMES[first] and b % 1440 in _TIMES[last] for a, b in stretches)


@pytest.mark.parametrize("days", _DAYS)
@pytest.mark.parametrize("place", ["Finch Cafe", "Plover Bar", "Heron Inn", "Wren Shop", "Kite Deli"])
def test_every_day_of_those_that_are_meant_counts(oracle: Oracle, place: str, days: str) -> None:
    """One day that differs refutes, one that is silent leaves it open."""
    told = _told(_DAYS[days], place)
    expected = {
        f"{place} is open {days}.": _all([None if each is None else bool(each) for each in told]),
        f"{place} is closed {days}.": _all([None if each is None else not each for each in told]),
    }
    for first, last in (("9 am", "5 pm"), ("9", "5"), ("9", "17:00"), ("10 am", "5 pm"), ("9 am", "10 am")):
        each = _all([_at(stretches, first, last) for stretches in told])
        expected[f"{place} is open from {first} to {last} {days}."] = each
        expected[f"{place} is open {days} from {first} to {last}."] = each
    for sentence, label in expected.items():
        assert (sentence, oracle.check(sentence).segments[0].label.value) == (sentence, label)


_SENTENCES = {
    "supported": """
        On weekdays, Kite Deli opens at 9 am.
        Kite Deli opens at 9 am and closes at 5 pm on Monday.
        Kite Deli opens at 9 am on Monday and closes at 5 pm.
        Kite Deli opens at 9 am and closes at 5 pm on weekdays.
        Kite Deli opens daily at 9 am and closes at 5 pm.
        Kite Deli opens daily at 9.
        Kite Deli closes at 5 pm on weekdays and at 5 pm at weekends.
        Heron Inn is open from 11:30 am to 2 pm and from 5 pm to 10 pm on Monday.
        Heron Inn is open from 11:30 to 14:00 and 17:00 to 22:00 on Monday.
        Heron Inn opens at 11:30 am on Monday.
        Heron Inn closes at 10 pm on Monday.
        Heron Inn is open at 1 pm on Monday.
        Heron Inn is not open at 3 pm on Monday.
        Plover Bar closes at 2 am on Monday.
        Plover Bar closes after 1 am on Monday.
        Plover Bar closes at midnight on Sunday.
        Plover Bar closes before 1 am on Sunday.
        Finch Cafe opens before 10 am on weekdays.
        Finch Cafe opens by 9 am on weekdays.
        Finch Cafe closes before 6 pm on weekdays.
        Finch Cafe is open 9 am–5 pm on weekdays.
        Finch Cafe is open 9-5 on Monday.
        Finch Cafe is not open on Sunday.
        Finch Cafe does not open at 9 am on Sunday.
        Finch Cafe is not open from 8 am to 6 pm on Monday.
    """,
    "contradicted": """
        On weekdays, Wren Shop closes at 5 pm.
        Kite Deli opens at 9 am and closes at 6 pm on Monday.
        Kite Deli opens at 8 am and closes at 5 pm on Monday.
        Kite Deli opens at 8 am on Monday and closes at 5 pm.
        Wren Shop opens at 9 am and closes at 5 pm on weekdays.
        Heron Inn is open from 11:30 am to 10 pm on Monday.
        Heron Inn is open from 11:30 am to 2 pm and from 5 pm to 11 pm on Monday.
        Heron Inn is open at 3 pm on Monday.
        Plover Bar closes before 1 am on Monday.
        Finch Cafe closes after 1 am on Monday.
        Finch Cafe opens before 9 am on weekdays.
        Finch Cafe opens after 9 am on weekdays.
        Finch Cafe closes after 6 pm on weekdays.
        Finch Cafe is open until 10 pm on weekdays.
        Finch Cafe is not open on weekdays.
        Kite Deli is not open at weekends.
        Finch Cafe opens at 9 am on Sunday.
        Finch Cafe closes before 6 pm on Sunday.
        Finch Cafe is open Monday to Friday except Wednesday.
    """,
    "not_found": """
        Heron Inn opens at 5 pm on Monday.
        Kite Deli opens at 9 am and has a terrace on Monday.
        Kite Deli opens at 9 am and may close at 5 pm on Monday.
        Kite Deli opens at 9 am on Monday and sells bread.
        Kite Deli opens at 9 am on Monday or closes at 5 pm.
        Heron Inn closes at 2 pm on Monday.
        Heron Inn opens before 1 pm on weekdays.
        Plover Bar is open at 1 am on Monday.
        Finch Cafe opens after 8 on weekdays.
        Finch Cafe is not open every day.
        Kite Deli is not open every day.
        Kite Deli is not open daily from 9 am to 6 pm.
        Kite Deli is usually open daily.
        Kite Deli was open daily.
        Kite Deli will be open daily.
        Kite Deli is open daily in summer.
        Kite Deli is open daily for lunch.
        Finch Cafe is open daily except Sunday.
        Finch Cafe is only open on weekdays.
        Finch Cafe is open on weekdays and holidays.
        Finch Cafe is open on weekdays or at weekends.
        Kite Deli is open on most weekdays.
        Kite Deli is open on weekday mornings.
        Kite Deli opens around 9 on weekdays.
    """,
}
_EACH = [(label, line.strip()) for label, lines in _SENTENCES.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("label", "sentence"), _EACH, ids=[sentence for _, sentence in _EACH])
def test_other_ways_to_say_it(oracle: Oracle, label: str, sentence: str) -> None:
    """Bounds, denials, stretches, times after midnight, and words that say something else."""
    assert oracle.check(sentence).segments[0].label.value == label


def test_what_was_named_before_is_meant(oracle: Oracle) -> None:
    """A sentence without a name of its own is about the place of the one before."""
    for said, label in (
        ("It is open on weekdays from 9 am to 5 pm.", "supported"),
        ("It is open daily from 9 am to 5 pm.", "contradicted"),
        ("It opens at 10 am and closes at 2 pm on Saturday.", "supported"),
    ):
        report = oracle.check(f"Finch Cafe opens at 9 am on Monday. {said}")
        assert [part.label.value for part in report.segments] == ["supported", label]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Finch Cafe closes at 10 pm on Monday.", "Finch Cafe closes at 5 pm on Monday."),
        ("Finch Cafe closes at 22:00 on Monday.", "Finch Cafe closes at 17:00 on Monday."),
        (
            "Finch Cafe is open from 8 a.m. to 6 P.M. on Monday.",
            "Finch Cafe is open from 9 a.m. to 5 P.M. on Monday.",
        ),
        ("Finch Cafe is open from 9 to 6 on Monday.", "Finch Cafe is open from 9 to 5 on Monday."),
        ("Finch Cafe opens at noon on Monday.", "Finch Cafe opens at 9 am on Monday."),
        ("Plover Bar closes at 1:30 am on Monday.", "Plover Bar closes at 2:00 am on Monday."),
        ("Finch Cafe is open from 9 to 6 Monday to Friday.", "Finch Cafe is open from 9 to 5 Monday to Friday."),
        ("Wren Shop is open from 9 to 6 Monday to Friday.", None),
        ("Wren Shop closes at 6 pm on weekdays.", None),
        ("Finch Cafe opens before 8 am on Monday.", None),
        ("Heron Inn is open from 11:30 am to 10 pm on Monday.", None),
        ("Finch Cafe is open at 8 pm on Monday.", None),
        ("Finch Cafe is open on Sunday.", None),
    ],
)
def test_a_wrong_time_is_put_right(folder: Path, wrong: str, right: str | None) -> None:
    """In the answer's own way of writing, on all days that are meant; where that is not one time, it is withheld."""
    decision = Oracle.from_folder(folder, policy="correct").check(wrong).decision
    assert (decision.text if isinstance(decision, Corrected) else None) == right


@pytest.mark.parametrize(
    ("said", "held", "fit"),
    [
        ("09:00", "09:00-", True),
        ("09:00~", "21:00-", True),
        ("10:00", "09:00-", False),
        ("17:00", "11:30-,17:00-", None),
        ("<12:00", "11:30-,17:00-", True),
        (">11:30", "11:30-,17:00-", False),
        ("<=11:30", "11:30-,17:00-", True),
        (">08:00~", "09:00-", None),
        ("14:00", "-22:00,-14:00", None),
        ("00:00", "-24:00", True),
        (">01:00", "-22:00", False),
        ("<01:00", "-22:00", True),
        (">23:00", "-26:00", True),
        ("11:30-14:00", "11:30-14:00,17:00-22:00", True),
        ("11:30-22:00", "11:30-14:00,17:00-22:00", False),
        ("14:00", "11:30-14:00,17:00-22:00", None),
        ("13:59", "11:30-14:00,17:00-22:00", True),
        ("15:00", "11:30-14:00,17:00-22:00", False),
        ("<15:00", "11:30-14:00", None),
        ("01:00", "17:00-26:00", None),
        ("09:00-17:00", "closed", False),
        ("<09:00", "closed", False),
    ],
)
def test_a_time_against_hours(said: str, held: str, fit: bool | None) -> None:
    """Right, wrong, or neither."""
    assert fits(said, held) is fit
