"""What is said of all of several listed values: "all three scored between 80 % and 90 %".

Contract: ``listed`` looks at a claim that begins with "all", "both" or "each" and has one range or bound; the values
are the quantities of the lines in which every other word of the claim stands. One value outside refutes. Support needs
the number of things to be said ("all three", "both") and to be that of the values, for nothing else tells that the list
is whole. The values are shown. None where the claim is none of this kind, or a line denies or has several values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from imprimatur.language import negation, quantities, rounding
from imprimatur.sources.passages.ground import Ground, Line, contents, terms_of
from imprimatur.values import Bound, Quantity

__all__ = ["Listed", "listed"]

_ALL = frozenset(("all", "both", "each", "every"))


@dataclass(frozen=True, slots=True)
class Listed:
    """Whether all values are as said (None: they are, but the list may not be whole), the lines, and the values."""

    holds: bool | None
    lines: tuple[Line, ...]
    shown: str


def listed(words: str, ground: Ground, *, locale: str = "en") -> Listed | None:
    """What the lines say of a claim about all of some values."""
    terms = terms_of(words)
    if not terms or terms[0].lower not in _ALL:
        return None
    found = quantities.find(words, locale=locale)
    limits = [each for each in found if each.quantity.high is not None or each.quantity.bound in _BOUNDS]
    counts = [each for each in found if each not in limits]
    if len(limits) != 1 or len(counts) > 1:
        return None
    spans = [(each.start, each.end) for each in found]
    others = [t for t in contents(terms) if t.lower not in _ALL and not any(a <= t.start < b for a, b in spans)]
    if not others:
        return None
    numbers = sorted(set[int].intersection(*(ground.standing(term) for term in others)))
    values = [(ground.lines[n], _values(ground.lines[n].text, limits[0].quantity, locale)) for n in numbers]
    if len(values) < 2 or any(len(each) != 1 or _denies(line.text) for line, each in values):
        return None
    return _compared(limits[0].quantity, [(line, each[0]) for line, each in values], _count(terms[0].lower, counts))


_BOUNDS = (Bound.AT_LEAST, Bound.AT_MOST, Bound.MORE_THAN, Bound.LESS_THAN)


def _denies(text: str) -> bool:
    return bool(negation.find([term.lower for term in terms_of(text)]))


def _count(first: str, counts: Sequence[quantities.Found]) -> Fraction | None:
    if counts:
        return counts[0].quantity.low.value
    return Fraction(2) if first == "both" else None


def _values(text: str, limit: Quantity, locale: str) -> list[Fraction]:
    """The plain quantities of a line, in the unit of the limit; others do not count."""
    found = [each.quantity for each in quantities.find(text, locale=locale)]
    plain = (q for q in found if q.high is None and q.bound is Bound.EXACT and bool(q.unit) == bool(limit.unit))
    values = (rounding.convert(quantity.low.value, quantity.unit, limit.unit) for quantity in plain)
    return [value for value in values if value is not None]


def _compared(limit: Quantity, values: Sequence[tuple[Line, Fraction]], count: Fraction | None) -> Listed | None:
    outside = [(line, value) for line, value in values if not _within(limit, value)]
    if outside:
        shown = ", ".join(_written(value) for _, value in outside)
        return Listed(False, tuple(line for line, _ in outside), f"outside: {shown}")
    shown = f"{', '.join(_written(value) for _, value in values)}: all within"
    whole = count is not None and count == len(values)
    return Listed(True if whole else None, tuple(line for line, _ in values), shown)


def _within(limit: Quantity, value: Fraction) -> bool:
    low, high = limit.low.value, limit.high.value if limit.high is not None else None
    if high is not None:
        return low <= value <= high
    if limit.bound in (Bound.AT_LEAST, Bound.MORE_THAN):
        return value > low or (value == low and limit.bound is Bound.AT_LEAST)
    return value < low or (value == low and limit.bound is Bound.AT_MOST)


def _written(value: Fraction) -> str:
    return f"{float(value):g}"
