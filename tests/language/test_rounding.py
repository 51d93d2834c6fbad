"""Whether stated quantities fit stored values, and how right values are written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import InputError
from imprimatur.language import quantities, rounding, units
from imprimatur.language.rounding import Match
from imprimatur.values import Quantity, Unit

GOLDEN = Path(__file__).parent.parent / "golden" / "numbers" / "rounding.tsv"
LINES = GOLDEN.read_text(encoding="utf-8").splitlines()[1:]
ROWS = [tuple(line.split("\t")) for line in LINES]


def stated(text: str) -> Quantity:
    """The one quantity of a text."""
    (found,) = quantities.find(text)
    return found.quantity


def unit(name: str) -> Unit | None:
    """The unit of a QUDT name; None for "-"."""
    if name == "-":
        return None
    found = units.by_name(name)
    assert found is not None, name
    return found


def test_golden_file_is_whole() -> None:
    """The number of golden rows is known, so that none goes missing."""
    assert len(ROWS) == 106


@pytest.mark.parametrize(("text", "stored", "name", "match"), ROWS)
def test_golden_matches(text: str, stored: str, name: str, match: str) -> None:
    """Each stated quantity fits its stored value as the golden row says."""
    assert rounding.matches(stated(text), Fraction(stored), unit(name)) == match


def test_latitude_never_matches_longitude() -> None:
    """Degrees of one axis are compared with degrees of that axis or of none."""
    north = stated("45.5° N")
    assert rounding.matches(north, Fraction("45.5"), units.LATITUDE) is Match.YES
    assert rounding.matches(north, Fraction("45.5"), units.by_name("DEG")) is Match.YES
    assert rounding.matches(north, Fraction("45.5"), units.LONGITUDE) is Match.UNIT


def test_about_may_be_narrowed() -> None:
    """A policy's tolerance replaces the five percent."""
    about = stated("about 100")
    assert rounding.matches(about, Fraction(104), None) is Match.YES
    assert rounding.matches(about, Fraction(104), None, about=Fraction(1, 100)) is Match.NO


@pytest.mark.parametrize(
    ("text", "stored", "name", "expected"),
    [
        ("2,400 km", "2334000", "M", "2,334"),
        ("2400 km", "12345", "KiloM", "12345"),
        ("12.9 miles", "20400", "M", "12.7"),
        ("1.2 million", "1434567", "-", "1.4 million"),
        ("5 million", "300", "-", "300"),
        ("5 million", "20000000000", "-", "20 billion"),
        ("half", "40", "PERCENT", "40%"),
        ("fifteen", "16", "-", "16"),
        ("2.400,5 km", "1234.56", "KiloM", "1.234,6"),
        ("1 234 km", "2345.6", "KiloM", "2 346"),
        ("2nd", "3", "-", "3rd"),
        ("2nd", "11", "-", "11th"),
        ("2 km", "30", "M", "0.03"),
        ("−5,13%", "-4.2", "PERCENT", "−4,20"),
        ("60 %", "1/3", "UNITLESS", "33"),
        ("three and a half miles", "10000", "M", "6.214"),
    ],
)
def test_right_values_are_written_in_the_writers_style(text: str, stored: str, name: str, expected: str) -> None:
    """The unit, the decimals, the scale word and the separators are the writer's."""
    assert rounding.write(Fraction(stored), stated(text), unit(name), written=text) == expected


def test_writing_in_a_foreign_unit_is_an_error() -> None:
    """Kilometres cannot express kilograms."""
    with pytest.raises(InputError, match="cannot be written"):
        rounding.write(Fraction(5), stated("5 km"), unit("KiloGM"))


@given(
    st.fractions(Fraction(1, 1000), 10**10, max_denominator=1000),
    st.sampled_from(
        ["5 km", "5.5 km", "2,400 km", "1.25 km", "2400 km", "3 million km", "0.5 km", "1.410,00 km", "12 300 km"]
    ),
)
@settings(max_examples=150, deadline=None)
def test_what_is_written_matches(value: Fraction, like: str) -> None:
    """The text of a correction, read again, states the stored value."""
    kilometre = units.by_name("KiloM")
    written = rounding.write(value, stated(like), kilometre, written=like)
    assert rounding.matches(stated(f"{written} km"), value, kilometre) in (Match.YES, Match.AMBIGUOUS)


@given(st.integers(1, 10**9), st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_a_written_value_matches_itself_and_not_its_neighbour(digits: int, places: int) -> None:
    """A number fits its own value, and not one that is a whole step away, unless its zeros forgive it."""
    value = Fraction(digits, 10**places)
    text = f"{digits // 10**places}" + (f".{digits % 10**places:0{places}d}" if places else "")
    quantity = stated(text)
    assert rounding.matches(quantity, value, None) is Match.YES
    neighbour = value + Fraction(1, 10**places)
    if digits % 10:
        assert rounding.matches(quantity, neighbour, None) is not Match.YES


@pytest.mark.parametrize(
    ("words", "value", "fits"),
    [
        ("0.1 g", "0.05", False),
        ("0 %", "0.3", False),
        ("1 km", "0.6", False),
        ("1 km", "0.8", True),
        ("2 km", "1.5", True),
    ],
)
def test_rounding_by_more_than_a_third_is_another_number(words: str, value: str, fits: bool) -> None:
    """A single digit does not stand for what is nearly twice or half as much."""
    stated = quantities.find(words)[0].quantity
    assert (rounding.matches(stated, Fraction(value), stated.unit) is rounding.Match.YES) is fits
