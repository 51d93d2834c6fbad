"""Other values: those that a property cannot have at a thing, chosen far from what it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from imprimatur.evals.mining.book import Book, Literal, Node, number_of

__all__ = ["far_apart", "near_any", "other_number", "other_unit", "wrong_for_shapes"]

_XSD = "http://www.w3.org/2001/XMLSchema#"
_OTHER = re.compile(r"[\W_]+")
_YEAR = re.compile(r"-?\d{4,}")
#: Numbers are apart when the smaller is at most this share of the larger: no rounding and no "about" bridges it.
_NEAR = Fraction(3, 4)
_FACTORS = (Fraction(1, 4), Fraction(1, 2), Fraction(2), Fraction(3), Fraction(5))
#: What a unit's symbol is exchanged for, both of one dimension, more than a quarter apart.
_UNITS = {
    "km": "miles",
    "m": "feet",
    "km²": "square miles",
    "m³/s": "cubic feet per second",
    "kg": "pounds",
    "°C": "°F",
}


def far_apart(one: Node, other: Node) -> bool:
    """Whether two values are surely not the same one, rounded: numbers far apart, dates in other years, other words."""
    first, second = number_of(one), number_of(other)
    if first is not None and second is not None:
        return not _near(first, second)
    if isinstance(one, Literal) and isinstance(other, Literal):
        if one.datatype != other.datatype:
            return False
        years = _YEAR.match(one.text), _YEAR.match(other.text)
        if one.datatype.startswith(_XSD + "gYear") or one.datatype.startswith(_XSD + "date"):
            return all(years) and abs(int(years[0][0]) - int(years[1][0])) >= 2  # type: ignore[index]
        first_text, other_text = (_OTHER.sub("", each.text.casefold()) for each in (one, other))
        return first_text not in other_text and other_text not in first_text
    return one != other


def _near(one: Fraction, other: Fraction) -> bool:
    low, high = sorted((abs(one), abs(other)))
    return one == other or (one * other > 0 and low >= high * _NEAR)


def near_any(book: Book, subject: str, value: Node) -> bool:
    """Whether any property of a thing has nearly this value, so that a sentence with it may be true after all."""
    if not isinstance(value, Literal):
        return False
    stored = (each for values in book.out[subject].values() for each in values if isinstance(each, Literal))
    return any(each.datatype == value.datatype and not far_apart(each, value) for each in stored)


def other_number(value: Literal, chance: Random) -> Literal | None:
    """A number that is far from the given one, written like it; None for none and for 0."""
    number = number_of(value)
    if not number:
        return None
    if number.denominator == 1 and 1000 <= number <= 2100:
        return None  # May be a year: another one is drawn from what other things have.
    wrong = number * chance.choice(_FACTORS)
    places = len(value.text.partition(".")[2])
    text = str(round(wrong)) if wrong.denominator == 1 or not places else f"{float(wrong):.{places}f}"
    made = Literal(text, value.datatype)
    return made if far_apart(value, made) else None


def other_unit(shown: str) -> str:
    """A number with another unit of the same dimension; empty where the unit has no such partner."""
    number, _, unit = shown.partition(" ")
    return f"{number} {_UNITS[unit]}" if unit in _UNITS and number.strip("-0.,") else ""


def wrong_for_shapes(value: Node) -> Iterator[Literal]:
    """Values that shapes often forbid, from one that a property has: out of bounds, early, late."""
    number = number_of(value)
    if isinstance(value, Literal) and number is not None:
        for wrong in ("0", "-1", "-5000", str(round(abs(number)) * 1000 + 1)):
            yield Literal(wrong, value.datatype)
    elif isinstance(value, Literal) and value.datatype == _XSD + "gYear":
        yield from (Literal(wrong, value.datatype) for wrong in ("2095", "0101"))
    elif isinstance(value, Literal) and value.datatype == _XSD + "date":
        yield from (Literal(wrong, value.datatype) for wrong in ("2095-05-14", "1102-05-14"))
