"""Whether a name or a label of a claim is one of a text.

Names are compared by their words: every word of the claim's name must stand in the text's, and a number that names
something ("tank 3") by its noun too.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import likeness

__all__ = ["plain_word", "same_name"]


def plain_word(piece: Piece) -> bool:
    """Whether what looks like a name may be a word that begins the sentence."""
    return piece.first and not piece.label and not any(c.isdigit() for c in piece.text)


def same_name(k: int, other: int, mine: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Whether two pieces of names are one: the same word, and the words beside it in the claim's name there too."""
    piece, text = mine[k], theirs[other]
    if piece.label or text.label:
        return piece.label and text.label and piece.text == text.text and _same_noun(k, other, mine, theirs)
    if not _same_word(piece, text):
        return False
    run, there = _run(k, mine), {theirs[m].lower for m in _run(other, theirs)}
    return all(mine[m].lower in there or m == k or mine[m].first for m in run)


def _same_word(piece: Piece, text: Piece) -> bool:
    if piece.lower == text.lower or _bare(piece.lower) == _bare(text.lower):
        return True
    return bool(piece.lemmas & text.lemmas) and not any(c.isdigit() for c in piece.text)


def _bare(lower: str) -> str:
    return lower.replace("-", "").replace(".", "").replace(" ", "")


def _same_noun(k: int, other: int, mine: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Whether two numbers label the same kind of thing ("tank 3", "tanks 3 and 4")."""
    a, b = _labelled(k, mine), _labelled(other, theirs)
    return a is not None and b is not None and likeness(a, b) == 1


def _labelled(k: int, pieces: Sequence[Piece]) -> Piece | None:
    while k > 0:
        k -= 1
        if not pieces[k].label and pieces[k].lower not in ("and", "or", ",", "to", "-"):
            return pieces[k]
    return None


def _run(k: int, pieces: Sequence[Piece]) -> list[int]:
    """The pieces of the name that a piece is in: names side by side, without a mark between."""
    first = last = k
    if not _joins(pieces[k]):
        return [k]
    while first > 0 and _joins(pieces[first - 1]):
        first -= 1
    while last + 1 < len(pieces) and _joins(pieces[last + 1]):
        last += 1
    return list(range(first, last + 1))


def _joins(piece: Piece) -> bool:
    titled = piece.first and piece.text[:1].isupper() and piece.part is Part.NOUN
    return (piece.part is Part.NAME or titled) and not piece.label and not any(c.isdigit() for c in piece.text)
