"""What stands in a frame where a piece of a claim would have to stand, and excludes it.

What is found elsewhere counts only where the frame has nothing else in its place: "tank 3 holds heptane" is not said
by "tank 3 holds toluene, tank 4 holds heptane".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.evidence import Evidence, Found, Match, Spot, says
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["rivals", "sibling_of"]


def rivals(found: Found, match: Match, claim: Reading, texts: Evidence) -> Iterator[int]:
    """What stands in the frame where a piece of the claim that is not in it would have to stand."""
    piece = claim.pieces[found.piece]
    place = match.clause.place(found.piece)
    places = {place}
    if found.other >= 0:
        home = texts.frame_of(found.other)
        places |= {home.place(found.other)} if home else set()
    if piece.label and (noun := _label_noun(found.piece, match, claim)) is not None:
        yield noun  # "claims 3 to 5" are not "the other nine claims"
    sibling = _sibling(found.piece, match, claim, texts)
    if sibling is not None and _same_sort(piece, texts.pieces[sibling]):
        yield sibling
    for k, there in zip(match.frame.members, match.frame.places, strict=True):
        text = texts.pieces[k]
        if k in match.taken or not says(text) or k == sibling:
            continue
        if piece.figure:
            if text.figure and comparable(piece, text):
                yield k
        elif there in places and _same_sort(piece, text):
            yield k


def sibling_of(found: Found, match: Match, claim: Reading, texts: Evidence) -> Piece | None:
    """What stands in the frame beside the noun that a piece of the claim stands beside, if it is of the same sort."""
    other = _sibling(found.piece, match, claim, texts)
    if other is None or not _same_sort(claim.pieces[found.piece], texts.pieces[other]):
        return None
    return texts.pieces[other]


def _sibling(k: int, match: Match, claim: Reading, texts: Evidence) -> int | None:
    """What stands to the frame's noun as a piece does to the claim's: "titanium" to "springs" for "spring of steel"."""
    for noun, side in ((_before_of(k, claim.pieces), "of"), (_modified(k, claim.pieces), "mod")):
        there = next((f.other for f in match.found if f.piece == noun and f.spot is Spot.HERE), None)
        if noun is None or there is None:
            continue
        other = _after_of(there, texts.pieces) if side == "of" else _modifier(there, texts.pieces)
        if other is not None and other not in match.taken and other in match.frame.members:
            return other
    return None


_NOMINAL = (Part.NOUN, Part.ADJECTIVE, Part.NAME)


def _before_of(k: int, pieces: Sequence[Piece]) -> int | None:
    """The noun whose "of" phrase a piece is in."""
    while k > 0 and pieces[k - 1].part in (*_NOMINAL, Part.DETERMINER):
        k -= 1
    found = k >= 2 and pieces[k - 1].lower == "of" and pieces[k - 2].part in (Part.NOUN, Part.NUMBER)
    return k - 2 if found else None


def _after_of(k: int, pieces: Sequence[Piece]) -> int | None:
    """The head of the "of" phrase behind a noun."""
    if k + 2 >= len(pieces) or pieces[k + 1].lower != "of":
        return None
    n = k + 2
    while n < len(pieces) and pieces[n].part is Part.DETERMINER:
        n += 1
    last = None
    while n < len(pieces) and pieces[n].part in _NOMINAL:
        last, n = n, n + 1
    return last


def _modified(k: int, pieces: Sequence[Piece]) -> int | None:
    """The noun right behind a piece that colours it."""
    after = k + 1 < len(pieces) and pieces[k].part in _NOMINAL and pieces[k + 1].part is Part.NOUN
    return k + 1 if after else None


def _modifier(k: int, pieces: Sequence[Piece]) -> int | None:
    """The adjective or noun right before a noun."""
    return k - 1 if k > 0 and pieces[k - 1].part in _NOMINAL else None


def _label_noun(k: int, match: Match, claim: Reading) -> int | None:
    """The piece of the frame that the noun before a label was found at."""
    while k > 0 and (claim.pieces[k].label or claim.pieces[k].lower in ("and", "or", ",", "to", "-")):
        k -= 1
    return next((each.other for each in match.found if each.piece == k and each.spot is Spot.HERE), None)


def _same_sort(piece: Piece, text: Piece) -> bool:
    """Whether two pieces may stand in one place and exclude each other."""
    if piece.part is Part.NAME:
        begins = text.first and text.part is Part.NOUN and text.text[:1].isupper() and not piece.label
        return begins or (text.part is Part.NAME and piece.label is text.label)
    verbs = (Part.VERB, Part.PARTICIPLE)
    if piece.part in verbs:
        return text.part in verbs
    if piece.part in (Part.NOUN, Part.ADJECTIVE):
        return text.part in (Part.NOUN, Part.ADJECTIVE) or (text.part is Part.NAME and not text.label)
    return piece.part is text.part
