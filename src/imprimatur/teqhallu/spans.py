"""Words of a text: where a quotation stands in it, its sentences, and which numbers it holds.

Invariants: a quotation stands where its words do, in their order, whatever white space is between them; nothing else
is forgiven. All is linear in the length of the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from imprimatur.language import quantities
from imprimatur.segment import segment
from imprimatur.teqhallu.found import Span
from imprimatur.values import Bound, Quantity

__all__ = ["bounds_in", "located", "missing_in", "numbers_of", "place", "sentences_of", "unheld"]

_LONGEST_QUOTE = 2000
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_MONTHS = (
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may", "may"),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
)
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_WORDS = re.compile(r"[a-z]+")
_NAMES = re.compile(r"[A-Z][a-z]+")
_CLOCK = re.compile(r"(?<![\d.,:])(\d{1,2})(?::\d\d)?[ \u00a0]?([ap])\.?m\b", re.IGNORECASE)
_BOUNDS = (Bound.AT_LEAST, Bound.AT_MOST, Bound.MORE_THAN, Bound.LESS_THAN)


def place(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quotation stands in a text first; None where it does not, or says nothing."""
    words = quote.split()
    if not words or len(quote) > _LONGEST_QUOTE or not any(char.isalnum() for char in quote):
        return None
    at = text.find(quote.strip())
    if at >= 0:
        return at, at + len(quote.strip())
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.span() if found else None


def located(quote: str, texts: Sequence[str]) -> Span | None:
    """Where a quotation stands in numbered texts (from 1): in the last that has it, for later ones are nearer."""
    for number in range(len(texts), 0, -1):
        found = place(quote, texts[number - 1])
        if found is not None:
            return Span(number, *found, texts[number - 1][slice(*found)])
    return None


def sentences_of(text: str, number: int = 1) -> Iterator[Span]:
    """The sentences of a text that carry words; a line's end ends one, as in records."""
    start = 0
    for line in text.split("\n"):
        for part in segment(line):
            first, last = part.body
            if any(char.isalnum() for char in line[first:last]):
                yield Span(number, start + first, start + last, line[first:last])
        start += len(line) + 1


def numbers_of(texts: Iterable[str]) -> frozenset[Fraction]:
    """The numbers that some texts hold: figures, words, multiples ("1.5 million"), months, hours by both clocks."""
    found: set[Fraction] = set()
    for text in texts:
        for figure in _FIGURES.finditer(text):
            found.update(_readings(figure[0]))
        for each in quantities.find(text):
            found.update(_ends(each.quantity))
        found.update(_months(text), (Fraction(hour) for _, hour in _hours(text)))
    return frozenset(found)


def missing_in(text: str, held: frozenset[Fraction]) -> Fraction | None:
    """The least number of a text that is not among some others; None where all are.

    An hour by the clock of twelve is also held by that of 24; 0 and 1 ("a century") go without saying.
    """
    fine = held | {Fraction(said) for said, hour in _hours(text) if Fraction(hour) in held} | {0, 1}
    stated = quantities.find(text)
    missing = {number for each in stated for number in _ends(each.quantity) if number not in fine}
    for figure in _FIGURES.finditer(text):
        # A figure within a quantity is said by it: "1.3 million" is no 1.3.
        if not any(each.start <= figure.start() and figure.end() <= each.end for each in stated):
            readings = set(_readings(figure[0]))
            missing |= readings if not readings & fine else set()
    return min(missing | (_months(text) - fine), default=None)


def _hours(text: str) -> Iterator[tuple[int, int]]:
    """The hours of a text by the clock of twelve, each with what it is by that of 24."""
    for clock in _CLOCK.finditer(text):
        hour = int(clock[1])
        if 1 <= hour <= 12:
            yield hour, hour % 12 + (12 if clock[2] in "pP" else 0)


def bounds_in(text: str) -> bool:
    """Whether a text states a bound ("at least 12", "longer than 12") and no plain value alone."""
    stated = quantities.find(text)
    return any(each.quantity.bound in _BOUNDS for each in stated) or "than" in _WORDS.findall(text.lower())


def unheld(value: Any, held: frozenset[Fraction]) -> str:
    """The first number in a value of a row that is not among some numbers; "" where all are.

    0 and 1 are how SQLite writes no and yes.
    """
    if isinstance(value, int | float):
        number = Fraction(str(value)) if value == value and abs(value) != float("inf") else None
        fine = number is not None and (number in (0, 1) or number in held or -number in held)
        return "" if fine else str(value)
    for figure in _FIGURES.finditer(value) if isinstance(value, str) else ():
        if not held.intersection(_readings(figure[0])):
            return figure[0]
    return ""


def _ends(quantity: Quantity) -> set[Fraction]:
    return {end.value for end in (quantity.low, quantity.high) if end is not None}


def _months(text: str) -> set[Fraction]:
    """The months that are named, by their numbers."""
    return {Fraction(_MONTH_OF[word]) for word in map(str.lower, _NAMES.findall(text)) if word in _MONTH_OF}


def _readings(figure: str) -> Iterator[Fraction]:
    """What a figure may mean: as a decimal, with grouped thousands, and each part by itself ("17:30", "2024.05.01")."""
    if figure.count(".") <= 1 and "," not in figure:
        yield Fraction(figure)
    if _GROUPED.fullmatch(figure):
        yield Fraction(figure.replace(",", ""))
    parts = re.split("[.,]", figure)
    if len(parts) > 1 and not _GROUPED.fullmatch(figure) and not (len(parts) == 2 and "." in figure):
        yield from map(Fraction, parts)
