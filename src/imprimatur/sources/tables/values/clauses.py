"""Sentences as clauses: where one ends, and how far the words of another reach to a number.

Contract: a clause is cut at conjunctions, and at commas that no list goes on after; a short clause behind one ("last
year", "in the first half") belongs to it.
"""

from __future__ import annotations

from imprimatur.sources.tables.values.reading import Sentence

__all__ = ["clause_of", "clauses", "reach_of"]

_CUTS = frozenset("while whereas but although though as where who which whose ;".split())
_TAIL = 6


def clauses(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """The clauses of a sentence as token spans: cut at conjunctions, and at commas that no list goes on after."""
    starts = [0]
    for index, token in enumerate(sentence.tokens):
        if token.lower in _CUTS or (token.text == "," and not _goes_on(sentence, index)):
            starts.append(index)
    return tuple(zip(starts, [*starts[1:], len(sentence.tokens)], strict=True))


def _goes_on(sentence: Sentence, comma: int) -> bool:
    """Whether a number follows a comma at once: a list of values."""
    after = comma + 1
    if sentence.low(after) in ("and", "or"):
        after += 1
    ahead = [sentence.at[i] for i in range(after, min(after + 2, len(sentence.tokens)))]
    return any(item is not None and item.kind == "number" for item in ahead)


def clause_of(sentence: Sentence, index: int) -> tuple[int, int]:
    """The clause that a token is in."""
    return next(
        ((start, stop) for start, stop in clauses(sentence) if start <= index < stop), (0, len(sentence.tokens))
    )


def reach_of(sentence: Sentence, index: int) -> tuple[int, int]:
    """The clause that a token is in, with the short ones right behind it that have no number."""
    start, stop = clause_of(sentence, index)
    for after, end in clauses(sentence):
        numbered = any((item := sentence.at[i]) is not None and item.kind == "number" for i in range(after, end))
        if after == stop and end - after <= _TAIL and not numbered:
            stop = end
    return start, stop
