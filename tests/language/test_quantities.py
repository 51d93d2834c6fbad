"""Quantities in running text, against golden readings and invariants."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from effort import ends, grows_linearly
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.language import numbers, quantities
from imprimatur.values import Bound, Number, Quantity

GOLDEN = Path(__file__).parent.parent / "golden" / "numbers" / "quantities.txt"
PIECES = [
    "about ", "1,234", "5", "3.5", " km", " miles", " (", ")", "–", "-", " to ", " and ", "between ", "$", "€", "%",
    "one", " hundred", "half", "a ", "third", "2nd", ".", ",", " ", "°", "'", '"', "N", "/", "×10^3", "½", "٣", "千",
    "\n", "[3]", "million", "or more", "é", "🙂", "Rhine ", "per ", "day", "−",
]  # fmt: skip


def golden() -> Iterator[tuple[str, list[str]]]:
    """The texts of the golden file with the quantities expected in each."""
    text, expected = "", list[str]()
    for line in [*GOLDEN.read_text(encoding="utf-8").splitlines(), "", "end"]:
        if line.startswith("    "):
            expected.append(line.strip())
        elif line and not line.startswith("# "):
            if text:
                yield text, expected
            text, expected = line, []


def shown(quantity: Quantity) -> str:
    """A reading in the notation of the golden file."""

    def number(value: Number) -> str:
        return f"{value.value}@{value.step}#{value.significant}"

    text = f"{quantity.bound.name} {number(quantity.low)}"
    text += f"..{number(quantity.high)}" if quantity.high else ""
    text += f" {quantity.unit.symbol}" if quantity.unit else ""
    text += " ORD" if quantity.ordinal else ""
    if quantity.other:
        text += " | other " + "; ".join(shown(other) for other in quantity.other)
    return text + (f" | partner {shown(quantity.partner)}" if quantity.partner else "")


def test_golden_file_is_whole() -> None:
    """The number of golden texts is known, so that none goes missing."""
    assert sum(1 for _ in golden()) == 52


@pytest.mark.parametrize(("text", "expected"), list(golden()))
def test_golden_readings(text: str, expected: list[str]) -> None:
    """Each golden text gives exactly its quantities, with all their readings."""
    assert [f"{text[f.start : f.end]} | {shown(f.quantity)}" for f in quantities.find(text)] == expected


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("16.181", "en", "16.181"),
        ("16.181", "de", "16181"),
        ("16,181", "de-DE", "16.181"),
        ("16,181", "de-CH", "16181"),
        ("16,181", "es_MX", "16181"),
        ("1.410,00", "en", "1410"),
        ("1,410.00", "fr", "1410"),
    ],
)
def test_locale_decides_the_primary_reading(text: str, locale: str, value: str) -> None:
    """Separators are read as the text's language writes them, unless the form allows one reading only."""
    (found,) = quantities.find(text, locale=locale)
    assert found.quantity.low.value == Fraction(value)


@pytest.mark.parametrize(
    "text",
    ["", " ", "no one", "the other one", "one of them", "B12", "COVID-19", "v2.1", "H2O", "3rd-party", "3D", "7-Eleven",
     "21:30", "2024-05-01", "555-123-4567", "1990s", "03/04/2024", "[3]", "[mem:l1]", "http://x.org/12", "1.2.3", "km²",
     "²", "the latter half", "half-brother", "a river", "an hour", "thousands of people", "·", "9" * 500],
)  # fmt: skip
def test_what_is_no_quantity(text: str) -> None:
    """Identifiers, codes, times, citations, pronouns and vague words are no quantities."""
    assert quantities.find(text) == ()


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=150, deadline=None)
def test_spans_are_ordered_and_inside(text: str) -> None:
    """Spans lie in the text, in order, without overlap, and every number is exact."""
    floor = 0
    for found in quantities.find(text):
        assert floor <= found.start < found.end <= len(text)
        assert text[found.start : found.end].strip() == text[found.start : found.end]
        floor = found.end
        for reading in (found.quantity, *found.quantity.other):
            assert isinstance(reading.low.value, Fraction)
            assert isinstance(reading.low.step, Fraction)


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_without_error(text: str) -> None:
    """No text is an error, and normalising keeps every offset."""
    assert len(numbers.normalise(text)) == len(text)
    quantities.find(text)


@given(st.integers(0, 10**12), st.sampled_from([",", " ", "\u202f", "'", ""]))
@settings(max_examples=80, deadline=None)
def test_grouped_integers_are_read_back(value: int, separator: str) -> None:
    """An integer with any group separator is one quantity of that value."""
    text = f"{value:,}".replace(",", separator)
    (found,) = quantities.find(f"It has {text} parts")
    assert found.quantity.low.value == value
    assert found.quantity.bound is Bound.EXACT


@pytest.mark.parametrize(
    "text",
    ["9" * 10**6, "1-" * 5 * 10**5, "-" * 10**6, " " * 10**6 + "1", "1.2.3." * 160_000, "$" * 10**6, "a" * 10**6 + "1",
     "[" * 10**6, "°" * 10**6, "hundred and " * 80_000, "1_" * 5 * 10**5],
    ids=lambda text: repr(text[:8]),
)  # fmt: skip
@ends
def test_hostile_megabyte_is_linear(text: str) -> None:
    """A megabyte that tempts a pattern to backtrack is read in seconds."""
    assert isinstance(quantities.find(text), tuple)


@pytest.mark.parametrize(
    "piece", ["1,", "one ", "two hundred and ", "5 km (", "1°1'", "1–", "5×10^", "1억", "[1", "5 a "]
)
def test_hostile_repetition_scales_linearly(piece: str) -> None:
    """Four times the text takes about four times as long, not sixteen."""
    assert grows_linearly(lambda count: quantities.find(piece * count), 300)
