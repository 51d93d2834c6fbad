"""Rests of clauses without a verb: "… and 85 in Ghent", "…, children 6", "…, all others a credit note".

Each function says whether such a rest begins at a piece, behind the pieces of the draft before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import opposed_places

__all__ = ["gapped", "of_others", "parallel", "sided"]


def parallel(pieces: Sequence[Piece], n: int, before: Sequence[int]) -> bool:
    """ "… and 85 in Ghent": a figure (with a noun) and a phrase, as in the frame before."""
    if n >= len(pieces) or not pieces[n].figure:
        return False
    k = n + 1
    while k < len(pieces) and (pieces[k].part in (Part.NOUN, Part.ADJECTIVE) or pieces[k].lower in _COMPARED):
        k += 1
    if k >= len(pieces) or pieces[k].part is not Part.PREPOSITION or pieces[k].lower == "of":
        return False
    words = [pieces[m].lower for m in before]
    figures = any(pieces[m].figure for m in before)
    return figures and any(word == pieces[k].lower or opposed_places(word, pieces[k].lower) for word in words)


_COMPARED = frozenset("more fewer less".split())


def gapped(pieces: Sequence[Piece], n: int, before: Sequence[int]) -> bool:
    """Whether a phrase and a figure go on without the verb: "… and children 6 euros", ", in Paris 120"."""
    k = n
    if pieces[k].part is Part.PREPOSITION:
        if all(pieces[m].lower != pieces[k].lower for m in before):
            return False
        k += 1
    first = k
    while k < len(pieces) and k < n + 4 and pieces[k].part in _PHRASE and not pieces[k].figure:
        k += 1
    k += k > first and k + 1 < len(pieces) and pieces[k].lower in ("only", "just")
    if k == first or k >= len(pieces) or not pieces[k].figure or pieces[k].label:
        return False
    after = pieces[k + 1] if k + 1 < len(pieces) else None
    ends = after is None or after.part in (Part.MARK, Part.PREPOSITION, Part.CONJUNCTION)
    return ends and any(pieces[m].figure for m in before)


_OTHERS = frozenset(["others"])


_ALL_OTHERS = (["all", "others"], ["the", "others"], ["the", "rest"], ["everyone", "else"], ["everybody", "else"])


def sided(pieces: Sequence[Piece], n: int, before: Sequence[int]) -> bool:
    """Whether others of the kind get a figure of theirs: "… for 35 days, those of May for a year"."""
    words = {pieces[m].lower for m in before if m + 1 < n and pieces[m + 1].figure}
    if n + 1 >= len(pieces) or pieces[n + 1].part is not Part.PREPOSITION:
        return False
    for k in range(n + 2, min(len(pieces) - 1, n + _WIDEST)):
        if pieces[k].part in (Part.MARK, Part.VERB, Part.AUXILIARY):
            return False
        if pieces[k].lower in words and pieces[k + 1].figure:
            return True
    return False


#: So many pieces of a phrase are looked through for a figure.
_WIDEST = 12


_PHRASE = (Part.NOUN, Part.NAME, Part.ADJECTIVE, Part.DETERMINER)


def of_others(pieces: Sequence[Piece], n: int) -> bool:
    """Whether something is said of the others without the verb ("…, all others a credit note")."""
    return pieces[n].lower in _OTHERS or [piece.lower for piece in pieces[n : n + 2]] in _ALL_OTHERS
