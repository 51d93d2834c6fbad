"""Whether a relation has one value by its words, so that another name in its place says otherwise.

"The capital of X is" and "the oldest is" describe one thing; one is born, dies and is buried in one place, and a thing
stands in one. "Bob founded Acme" may be as true as "Alice founded Acme", and a rival of Acme is not its only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from imprimatur.extract.words import BE, forms
from imprimatur.language.degree import superlative
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["functional"]

_ONE_PLACE = frozenset("bear born die bury locate situate headquarter base".split())


def functional(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether both the clause and its frame say it with words that leave room for one value."""
    return _one(match.clause, claim.pieces) and _one(match.frame, texts.pieces)


def _one(frame: Frame, pieces: Sequence[Piece]) -> bool:
    if frame.verb < 0:
        return False
    if any(lemma in _ONE_PLACE for lemma, _ in pieces[frame.verb].lemmas):
        return True
    return pieces[frame.verb].lower in BE and any(_described(k, pieces) for k in frame.members)


_ONLY = frozenset("only sole main first last".split())


def _described(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a definite description of one thing begins here: "the capital of", "the oldest"."""
    piece = pieces[k]
    after = pieces[k + 1 : k + 6]
    if piece.lower != "the" or not after:
        return False
    if any(superlative(each.lower) for each in after[:2]) or after[0].lower in _ONLY:
        return True
    for each, following in pairwise(after):
        if each.part not in (Part.NOUN, Part.ADJECTIVE):
            return False
        if following.lower in ("of", "for", "to") and each.part is Part.NOUN:
            return not forms(each.lower).plural
    return False
