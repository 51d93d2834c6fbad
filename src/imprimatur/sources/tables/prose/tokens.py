"""The words of a statement, a cell or a column's name, in the one form in which they are compared."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import morphology

__all__ = ["Token", "number_of", "tokens_of"]

_TOKEN = expression(r"\d[\d,]*(?:\.\d+)?|[^\W\d_]+|[^\w\s]")
_NUMBER = expression(r"\d[\d,]*(?:\.\d+)?")
_KEPT = 400


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark: its span, and the form that words of one lemma share."""

    start: int
    end: int
    lower: str
    key: str

    @property
    def mark(self) -> bool:
        """Whether it is neither a word nor a number."""
        return not self.lower[0].isalnum()


def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order."""
    return _kept(text) if len(text) <= _KEPT else _read(text)


@lru_cache(maxsize=20_000)
def _kept(text: str) -> tuple[Token, ...]:
    return _read(text)


def _read(text: str) -> tuple[Token, ...]:
    found = []
    for match in _TOKEN.finditer(text):
        lower = match.group().lower()
        found.append(Token(match.start(), match.end(), lower, _key(lower)))
    return tuple(found)


@lru_cache(maxsize=50_000)
def _key(lower: str) -> str:
    """The form that all inflections of a word share, whether or not it is a known word."""
    if not lower[0].isalpha():
        return lower.replace(",", "") if len(lower) > 1 else lower
    lemmas = {morphology.normalise(lemma) for lemma, _ in morphology.lemmas(lower)}
    base = min(lemmas, key=lambda each: (len(each), each)) if lemmas else lower
    if len(base) > 3 and base.endswith("ies"):
        return f"{base[:-3]}y"
    # A name that ends in "s" and its stem are one here: whoever wrote it may have taken it for a plural.
    return base[:-1] if len(base) > 3 and base.endswith("s") and not base.endswith("ss") else base


def number_of(token: Token) -> Fraction | None:
    """The number that a token is, exactly; None for a word."""
    return Fraction(token.lower.replace(",", "")) if _NUMBER.fullmatch(token.lower) else None
