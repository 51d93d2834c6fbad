"""Right values in the place of wrong ones: unit, precision, words, marks and form stay the writer's."""

from __future__ import annotations

from fractions import Fraction

import pytest

from imprimatur.language import dates, quantities
from imprimatur.language.rewriting import article_before, redated, requantified
from imprimatur.language.units import by_iri

_M = "http://qudt.org/vocab/unit/M"
_KM2 = "http://qudt.org/vocab/unit/KiloM2"


def _applied(words: str, changes: tuple[tuple[int, int, str], ...]) -> str:
    for start, end, new in reversed(changes):
        words = words[:start] + new + words[end:]
    return words


@pytest.mark.parametrize(
    ("words", "value", "unit", "right"),
    [
        ("is 78.2 km long", 87226, _M, "is 87.2 km long"),
        ("is about 8 miles (13 km) long", 800, _M, "is about 0.5 miles (0.8 km) long"),
        ("at 2,250 feet (1,400 m)", "1371.6", _M, "at 4,500 feet (1,400 m)"),
        ("at 4,500 feet (700 m)", "1371.6", _M, "at 4,500 feet (1,372 m)"),
        ("drains 78 km2", 26, _KM2, "drains 26 km2"),
        ("drains more than eight square kilometres", 8, _KM2, "drains eight square kilometres"),
        ("drains at least 50 km²", 30, _KM2, "drains 30 km²"),
        ("between 5 and 7 km long", 9000, _M, "9 km long"),
        ("is three and a half kilometers long", "5632.704", _M, "is 5.6 kilometers long"),
        ("is twenty kilometres long", 31000, _M, "is thirty-one kilometres long"),
        ("is twenty kilometres long", 231000, _M, "is 231 kilometres long"),
        ("is 1,4 km long", 2300, _M, "is 2,3 km long"),
        ("is about 3 miles long", "3862.4", _M, "is about 2.4 miles long"),
        ("is nearly 900 m long", 950, _M, "is 950 m long"),
        ("a third-order stream", 2, None, "a second-order stream"),
        ("its 3rd branch", 22, None, "its 22nd branch"),
        ("has two mouths", 12, None, "has twelve mouths"),
        ("Two mouths", 3, None, "Three mouths"),
    ],
)
def test_quantities(words: str, value: int | str, unit: str | None, right: str) -> None:
    """The number changes in the writer's unit, precision and spelling, and only where it is wrong."""
    stated = quantities.find(words)[0].quantity
    found = by_iri(unit) if unit else None
    assert _applied(words, requantified(words, stated, Fraction(value), found)) == right


@pytest.mark.parametrize(
    ("words", "value", "right"),
    [
        ("at 47°06′41″N", "47.116111", "at 47°06′58″N"),
        ("at 30°11' N", "30.133333", "at 30°08' N"),
        ("at 12.5° S", "-13.25", "at 13.3° S"),
        ("at 88°57′45″W", "88.5", "at 88°30′00″E"),
    ],
)
def test_coordinates(words: str, value: str, right: str) -> None:
    """Degrees keep their marks, their fields and how fine they are; the side of the globe follows the sign."""
    stated = quantities.find(words)[0].quantity
    assert _applied(words, requantified(words, stated, Fraction(value), None)) == right


def test_another_kind_of_unit_is_left_alone() -> None:
    """A value that the stated unit cannot express changes nothing."""
    stated = quantities.find("is 5 kg heavy")[0].quantity
    assert requantified("is 5 kg heavy", stated, Fraction(5), by_iri(_M)) == ()


@pytest.mark.parametrize(
    ("words", "value", "right"),
    [
        ("died in 1901", "26 August 1910", "died in 1910"),
        ("died on 3 May 1871", "26 August 1910", "died on 26 August 1910"),
        ("died on the 3rd of May 1871", "22 August 1910", "died on the 22nd of August 1910"),
        ("died on May 3, 1871", "26 August 1910", "died on August 26, 1910"),
        ("died on 3 Jan 1871", "26 August 1910", "died on 26 Aug 1910"),
        ("died on 1871-05-03", "26 August 1910", "died on 1910-08-26"),
        ("died on 3 May 1871", "1910", "died in 1910"),
        ("died in May 1871", "26 August 1910", "died in August 1910"),
        ("lived until 1980", "1990", "lived until 1990"),
        ("died in 320 BC", "322 BC", "died in 322 BC"),
    ],
)
def test_dates(words: str, value: str, right: str) -> None:
    """A date keeps the form it was written in, and is no finer than it was stated."""
    stated = dates.find(words)[0].value
    day = dates.find(value)[0].value
    assert _applied(words, redated(words, stated, day)) == right


@pytest.mark.parametrize(
    ("text", "new", "right"),
    [
        ("a 5 km walk", "8", "an 8 km walk"),
        ("an 8 km walk", "13", "a 13 km walk"),
        ("a 9,000-seat hall", "11,000", "an 11,000-seat hall"),
        ("a 9-seat hall", "110", "a 110-seat hall"),
        ("a 5 km walk", "6", "a 6 km walk"),
        ("A 5 km walk", "18", "An 18 km walk"),
    ],
)
def test_articles(text: str, new: str, right: str) -> None:
    """The article before a new number goes with how the number is spoken."""
    at = next(n for n, char in enumerate(text) if char.isdigit())
    end = next(n for n in range(at, len(text)) if not (text[n].isdigit() or text[n] == ","))
    change = article_before(text, at, new)
    changes = ((at, end, new),) if change is None else (change, (at, end, new))
    assert _applied(text, changes) == right


@pytest.mark.parametrize(
    ("new", "vowel"), [("hour", True), ("university", False), ("European", False), ("ulcer", True)]
)
def test_articles_before_words(new: str, vowel: bool) -> None:
    """Words begin with a vowel as they are spoken, not as they are spelled."""
    assert (article_before("a ", 2, new) is not None) is vowel
