"""Whether a text says a claim in its own words: ``in_own_words``, for policies with ``wording: literal``.

Other words for the same can hide another claim, and so can words left out; no list of checks finds all of them. Here a
claim must be a sentence of the text or an unbroken stretch of one, word for word. Articles and marks do not count, and
numbers and dates need only fit those in their places. Invariant: it is asked of claims that are supported already, and
only takes that away.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.figures import Fit, fits
from imprimatur.sources.text.frames import read
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["in_own_words"]

_ARTICLES = frozenset("a an the".split())


def in_own_words(words: str, sentences: Sequence[str], limits: TextLimits) -> bool:
    """Whether one of some sentences has the words of a claim, one behind the other."""
    own = _words(words, limits)
    return bool(own) and any(_within(own, _words(sentence, limits), limits) for sentence in sentences)


def _words(text: str, limits: TextLimits) -> list[Piece]:
    pieces = read(text, limits.locale).pieces
    return [piece for piece in pieces if piece.part is not Part.MARK and piece.lower not in _ARTICLES]


def _within(own: Sequence[Piece], text: Sequence[Piece], limits: TextLimits) -> bool:
    for first in range(len(text) - len(own) + 1):
        if all(_same(piece, other, limits) for piece, other in zip(own, text[first:], strict=False)):
            return True
    return False


def _same(piece: Piece, other: Piece, limits: TextLimits) -> bool:
    if piece.figure or other.figure:
        return fits(piece, other, limits) is Fit.YES
    return piece.lower == other.lower
