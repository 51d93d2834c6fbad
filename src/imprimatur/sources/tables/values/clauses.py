"""Sentences as clauses: where one ends, and how far the words of another reach to a number.

Contract: a clause is cut at conjunctions, and at commas that no list goes on after; a short clause behind one ("last
year", "in the first half") belongs to it. The spans of a sentence's clauses are in order and leave no token out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imprimatur.language.tokens import Token
    from imprimatur.sources.tables.values.reading import Item, Sentence

__all__ = ["clause_of", "cut", "reach_of"]

_CUTS = frozenset("while whereas but although though as where who which whose ;".split())
_TAIL = 6
#: So many clauses behind one are looked at: none is shorter than a token.
_NEXT = 6


def cut(tokens: Sequence[Token], at: Sequence[Item | None]) -> tuple[int, ...]:
    """The first tokens of the clauses of a sentence."""
    starts = [0]
    for index, token in enumerate(tokens):
        if index and (token.lower in _CUTS or (token.text == "," and not _goes_on(tokens, at, index))):
            starts.append(index)
    return tuple(starts)


def _goes_on(tokens: Sequence[Token], at: Sequence[Item | None], comma: int) -> bool:
    """Whether a number follows a comma at once: a list of values."""
    after = comma + 1
    if after < len(tokens) and tokens[after].lower in ("and", "or"):
        after += 1
    return any(item is not None and item.kind == "number" for item in at[after : after + 2])


def clause_of(sentence: Sentence, index: int) -> tuple[int, int]:
    """The clause that a token is in."""
    return _span(sentence, max(bisect_right(sentence.clauses, index) - 1, 0))


def _span(sentence: Sentence, number: int) -> tuple[int, int]:
    starts = sentence.clauses
    return starts[number], starts[number + 1] if number + 1 < len(starts) else len(sentence.tokens)


def reach_of(sentence: Sentence, index: int) -> tuple[int, int]:
    """The clause that a token is in, with the short ones right behind it that have no number."""
    own = max(bisect_right(sentence.clauses, index) - 1, 0)
    start, stop = _span(sentence, own)
    for number in range(own + 1, min(own + 1 + _NEXT, len(sentence.clauses))):
        after, end = _span(sentence, number)
        numbered = any(item is not None and item.kind == "number" for item in sentence.at[after:end])
        if numbered or end - after > _TAIL:
            break
        stop = end
    return start, stop
