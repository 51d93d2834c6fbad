"""Ratings with the best value there is: "4.5 out of 5", "4.5/5", "4.5 stars out of 5".

Such a rating is a quantity in a unit of its own (``language.units.scale``), and is read only where the lexicon has
something that is rated so: elsewhere "out of 5" stays unread. "4 out of 5 lakes" counts lakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from imprimatur._expressions import expression
from imprimatur.extract.words import forms
from imprimatur.language import units
from imprimatur.language.tokens import Token
from imprimatur.protocols import Lexicon
from imprimatur.values import Number, Quantity

__all__ = ["SCALES", "FoundRating", "ratings", "scale_key"]

#: The key under which every property stands whose values are of some scale.
SCALES = "?scale"
_RATING = expression(
    r"(?<![\w.,/])(?P<value>\d{1,4}(?:\.\d{1,3})?)(?P<stars>(?:\s|-)stars?)?(?P<of>\s?/\s?|\s+out\s+of\s+(?:a\s+possible\s+)?)"
    r"(?P<best>\d{1,4}|five|ten)(?:\.0{1,2})?(?![\w/]|[.,]\d)",
    re.IGNORECASE,
)
_WORDS = {"five": 5, "ten": 10}


class FoundRating(NamedTuple):
    """A rating: from where to where its number stands, and the words for the best one; with the quantity."""

    number: tuple[int, int]
    of: tuple[int, int]
    quantity: Quantity


def scale_key(best: int) -> str:
    """The key under which the properties stand that are rated on a scale up to ``best``."""
    return f"{SCALES} {best}"


def ratings(text: str, tokens: Sequence[Token], names: Lexicon) -> Iterator[FoundRating]:
    """The ratings in a text on scales that the lexicon knows."""
    for found in _RATING.finditer(text):
        best = _WORDS.get(found["best"].lower()) or int(found["best"])
        value = Fraction(found["value"])
        if best < 2 or not names.entries(scale_key(best)) or _counts(text, found, tokens):
            continue
        step = Fraction(1, 10 ** len(found["value"].partition(".")[2]))
        digits = len(found["value"].replace(".", "").lstrip("0"))
        stated = Quantity(low=Number(value, step, digits), unit=units.scale(best))
        yield FoundRating(found.span("value"), (found.start("of"), found.end()), stated)


def _counts(text: str, found: re.Match[str], tokens: Sequence[Token]) -> bool:
    """Whether things are counted: a noun follows that is no word for points of a rating."""
    after = next((t for t in tokens if t.start >= found.end()), None)
    if after is None or text[found.end() : after.start].strip() or not after.text.isalpha():
        return False
    word = forms(after.lower)
    return bool(word.noun) and not word.closed and word.noun not in ("star", "point")
