"""Dates in text and graphs: golden forms, comparison, and the invariants that hold for every date."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from effort import grows_linearly
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import ConfigError
from imprimatur.language import calendar, dates
from imprimatur.language.dates import Match
from imprimatur.values import Bound, DateValue

GOLDEN = Path(__file__).parents[1] / "golden" / "dates"
XSD = "http://www.w3.org/2001/XMLSchema#"


def rows(file: str) -> list[list[str]]:
    """The rows of a golden file."""
    lines = (GOLDEN / file).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def told(found: dates.FoundDate, text: str) -> str:
    """A found date as the golden file writes it."""
    readings = (found.value, *found.value.other)
    return f"{text[found.start : found.end]} = {' | '.join(dates.write(reading) for reading in readings)}"


@pytest.mark.parametrize(("text", "expected"), rows("find.tsv"))
def test_find(text: str, expected: str) -> None:
    """Every written form is found whole, with its reading and bound."""
    assert (" ; ".join(told(found, text) for found in dates.find(text)) or "-") == expected


@pytest.mark.parametrize(("text", "expected"), rows("intervals.tsv"))
def test_find_intervals(text: str, expected: str) -> None:
    """Two dates are one interval only where the words between and before them say so."""
    found = [
        f"{text[each.start : each.end]} = {dates.write(each.first)} .. {dates.write(each.last)}"
        for each in dates.find_intervals(text)
    ]
    assert (" ; ".join(found) or "-") == expected


@pytest.mark.parametrize(("stated", "lexical", "datatype", "expected"), rows("compare.tsv"))
def test_compare(stated: str, lexical: str, datatype: str, expected: str) -> None:
    """A stated date meets a stored literal as the golden file says."""
    (found,) = dates.find(stated)
    literal = dates.stored(lexical, XSD + datatype)
    assert literal is not None
    assert dates.compare(found.value, literal) == expected


@pytest.mark.parametrize(
    ("locale", "expected"), [("en-US", "4 March 2024"), ("en-GB", "3 April 2024"), ("de", "3 April 2024")]
)
def test_locale_decides_the_order_of_day_and_month(locale: str, expected: str) -> None:
    """With a locale "03/04/2024" has one reading."""
    (found,) = dates.find("03/04/2024", locale=locale)
    assert (dates.write(found.value), found.value.other) == (expected, ())


@pytest.mark.parametrize(
    ("lexical", "datatype", "years", "expected"),
    [
        ("-0384", "gYear", "xsd10", "384 BC"),
        ("-0384", "gYear", "xsd11", "385 BC"),
        ("0000", "gYear", "xsd11", "1 BC"),
        ("0000", "gYear", "xsd10", None),
        ("1908Z", "gYear", "xsd10", "1908"),
        ("1908-06", "gYearMonth", "xsd10", "June 1908"),
        ("1908-06-25+02:00", "date", "xsd10", "25 June 1908"),
        ("-0043-03-15", "date", "xsd11", "15 March 44 BC"),
        (" 1908 ", "integer", "xsd10", "1908"),
        ("217", "int", "xsd10", "AD 217"),
        ("1908-06-25", "string", "xsd10", "25 June 1908"),
        ("no date", "string", "xsd10", None),
        ("2024-02-30", "date", "xsd10", None),
        ("2024-05-01T25:00:00Z", "dateTime", "xsd10", None),
        ("2024-05-01T10:00:00+15:00", "dateTime", "xsd10", None),
        ("2024-05-01T10:00:00", "dateTime", "xsd10", "2024-05-01T10:00:00Z"),
        ("5.0", "decimal", "xsd10", None),
        ("--06-25", "gMonthDay", "xsd10", None),
        ("", "date", "xsd10", None),
    ],
)
def test_stored(lexical: str, datatype: str, years: str, expected: str | None) -> None:
    """Literals of every date type are read; what is no date gives None."""
    value = dates.stored(lexical, XSD + datatype, years=years)
    assert (None if value is None else dates.write(value)) == expected


def test_stored_refuses_an_unknown_convention() -> None:
    """A wrong ``years`` is an error that names the right ones."""
    with pytest.raises(ConfigError) as caught:
        dates.stored("1908", XSD + "gYear", years="xsd12")
    assert "xsd10" in caught.value.hint


@pytest.mark.parametrize(
    ("point", "first", "last", "expected"),
    [
        (calendar.year(2015), calendar.year(2010), calendar.year(2020), Match.YES),
        (calendar.year(2010), calendar.year(2010), calendar.year(2020), Match.YES),
        (calendar.month(2010, 3), calendar.year(2010), calendar.year(2020), Match.PARTIAL),
        (calendar.year(2010), calendar.day(2010, 10, 1), None, Match.PARTIAL),
        (calendar.day(2010, 10, 1), calendar.day(2010, 10, 1), None, Match.YES),
        (calendar.day(2026, 1, 1), calendar.year(2010), calendar.year(2020), Match.NO),
        (calendar.day(2026, 1, 1), calendar.year(2020), None, Match.YES),
        (calendar.year(2009), calendar.year(2010), None, Match.NO),
        (calendar.decade(2010), calendar.year(2015), None, Match.PARTIAL),
        (calendar.year(-400), None, calendar.year(-347), Match.YES),
        (calendar.year(1), None, None, Match.YES),
    ],
)
def test_within(point: DateValue, first: DateValue | None, last: DateValue | None, expected: Match) -> None:
    """A point lies in a validity interval, outside it, or astride an end that is not known finely enough."""
    assert dates.within(point, first, last) is expected


def test_within_keeps_ambiguity() -> None:
    """A point with two readings of different outcome is ambiguous."""
    (found,) = dates.find("03/04/2024")
    assert dates.within(found.value, calendar.day(2024, 4, 1), None) is Match.AMBIGUOUS


def test_write_of_open_and_irregular_dates() -> None:
    """Open ends and intervals that are no calendar unit are written by what is known."""
    open_end = DateValue(first=(2008, 5, 1), last=None, precision="day")
    assert dates.write(open_end) == "since 1 May 2008"
    assert dates.write(DateValue(first=None, last=(44, 1, 1), precision="day")) == "until 1 January AD 44"
    assert dates.write(DateValue(first=None, last=None, precision="day")) == "an unknown date"


YEARS = st.integers(-9999, 9999).filter(bool)
DAYS = st.builds(
    lambda y, m, d: (y, m, min(d, calendar.month_length(y, m))), YEARS, st.integers(1, 12), st.integers(1, 31)
)
UNITS = st.one_of(
    DAYS.map(lambda value: calendar.day(*value)),
    st.builds(calendar.month, YEARS, st.integers(1, 12)),
    st.builds(calendar.quarter, st.integers(1000, 2199), st.integers(1, 4)),
    st.builds(calendar.year, YEARS),
    st.integers(-99, 219).filter(lambda n: n < 0 or n % 10).map(lambda n: calendar.decade(10 * n)),
    st.integers(-30, 30).filter(bool).map(calendar.century),
    st.builds(calendar.instant, DAYS.filter(lambda value: value[0] >= 1000), st.integers(0, 86399).map(Fraction)),
)
BOUNDED = st.builds(
    lambda value, bound: dates._with_bound(value, bound),
    UNITS,
    st.sampled_from([bound for bound in Bound if bound is not Bound.RANGE]),
)


@settings(max_examples=150, deadline=None)
@given(BOUNDED)
def test_what_is_written_is_read_back(value: DateValue) -> None:
    """``find`` reads what ``write`` writes."""
    text = f"It was {dates.write(value)}."
    (found,) = dates.find(text)
    assert found.value == value


@settings(max_examples=150, deadline=None)
@given(BOUNDED, BOUNDED)
def test_compare_is_consistent(left: DateValue, right: DateValue) -> None:
    """A date with one reading is true of itself, and "no" is symmetric."""
    assert dates.compare(left, left) is Match.YES
    assert (dates.compare(left, right) is Match.NO) == (dates.compare(right, left) is Match.NO)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["June ", "25", " ", "1908", "–", " to ", "BC", "the ", "c. ", "th", ", ", "Q3", "'", "é"])
    )
)
def test_spans_are_ordered_and_within_the_text(pieces: list[str]) -> None:
    """Whatever the text, spans are exact, in order, and do not overlap."""
    text = "".join(pieces)
    end = 0
    for found in dates.find(text):
        assert end <= found.start < found.end <= len(text)
        assert text[found.start : found.end].strip() == text[found.start : found.end]
        end = found.end
    for interval in dates.find_intervals(text):
        assert 0 <= interval.start < interval.end <= len(text)


@given(DAYS, st.integers(-200_000, 200_000))
def test_days_shift_there_and_back(value: calendar.Day, days: int) -> None:
    """Moving by days and back returns to the same day, and days sort in time order."""
    if value[1:] == (2, 29):
        value = (value[0], 2, 28)
    moved = calendar.shift_days(value, days)
    assert calendar.is_day(moved)
    assert calendar.shift_days(moved, -days) == value
    assert (moved > value) == (days > 0)
    assert (moved == value) == (days == 0)


@pytest.mark.parametrize(
    "unit", ["1 1 ", "1-", "June ", "1", " ", "the 1st to ", "1900 to ", "1900–", "c. ", "12 June "]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """Four times the text takes at most a small multiple of four times the time."""
    assert grows_linearly(lambda size: dates.find(unit * (size // len(unit))), 20_000)


def test_a_moment_against_an_approximate_one() -> None:
    """What is only about a moment does not refute another moment of the day, from whichever side one looks."""
    (ten,), (eleven,) = (dates.find(f"It was 2020-06-01T{hour}:00:00Z.") for hour in (10, 11))
    about = dates._with_bound(ten.value, Bound.ABOUT)
    assert dates.compare(ten.value, eleven.value) is Match.NO
    assert dates.compare(about, eleven.value) is Match.YES
    assert dates.compare(eleven.value, about) is Match.PARTIAL
