"""What a text that counts as evidence, or a claim, is made of: words, names, numbers and dates, each with its part.

A number with its unit and hedge is one piece, a date is one, and so is a code ("K-17", "22:15", "3-1"). Every other
word is a piece of its own, so that a name of several words is several pieces in a row. ``pieces_of`` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from imprimatur.extract.words import forms
from imprimatur.language import morphology
from imprimatur.values import DateValue, Quantity

__all__ = ["Part", "Piece", "lemmas_of", "made"]


class Part(StrEnum):
    """What a piece is in its sentence."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NOUN = "noun"
    VERB = "verb"
    PARTICIPLE = "participle"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    AUXILIARY = "auxiliary"
    PRONOUN = "pronoun"
    DETERMINER = "determiner"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    NEGATOR = "negator"
    MARK = "mark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """``text[start:end]``, what it is, and what it may mean.

    ``lemmas`` are its base forms with their parts of speech; ``label`` is a number that names something ("tank 3");
    ``first``: it begins a sentence; ``one``: it is one of a unit, said by its noun ("a day", "per year", "annual").
    """

    start: int
    end: int
    text: str
    lower: str
    part: Part
    lemmas: frozenset[tuple[str, str]] = frozenset()
    quantity: Quantity | None = None
    date: DateValue | None = None
    label: bool = False
    first: bool = False
    one: bool = False

    @property
    def figure(self) -> bool:
        """Whether it is a number (not a label) or a date."""
        return (self.quantity is not None or self.date is not None) and not self.label


@lru_cache(8192)
def lemmas_of(lower: str) -> frozenset[tuple[str, str]]:
    """The base forms of a word in one spelling, satellites as adjectives; itself as a noun when nothing is known."""
    found = {(morphology.normalise(lemma), "a" if pos == "s" else pos) for lemma, pos in morphology.lemmas(lower)}
    known = forms(lower)
    if known.noun and known.noun != lower:
        found.add((known.noun, "n"))
    return frozenset(found or {(morphology.normalise(lower), "n")})


def made(
    text: str, start: int, end: int, part: Part, *, quantity: Quantity | None = None, date: DateValue | None = None
) -> Piece:
    raw = text[start:end]
    return Piece(start=start, end=end, text=raw, lower=raw.lower(), part=part, quantity=quantity, date=date)
