"""Whether the things of a clause stand in the places that the text gives them: who did it, to whom, from where.

Only a clear exchange counts: two things of the clause each stand where the text has the other, or the subject of the
one verb is the text's object while the text's subject is elsewhere in the claim. A converse verb ("sell" for "buy")
asks for the exchange.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.matching import Evidence, Found, Match, Spot
from imprimatur.sources.text.pieces import Part
from imprimatur.sources.text.words import turned
from imprimatur.verdict import Reason

__all__ = ["exchanged"]

_THINGS = (Part.NAME, Part.NOUN)


def exchanged(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where two things of the clause have changed places."""
    placed = [each for each in match.found if _placed(each, claim)]
    converse = _converse(match, claim, texts)
    for a, b in combinations(placed, 2):
        mine = match.clause.place(a.piece), match.clause.place(b.piece)
        theirs = _place(a, match.frame, texts), _place(b, match.frame, texts)
        if "" in theirs or mine[0] == mine[1] or theirs[0] == theirs[1]:
            continue
        swapped = mine == (theirs[1], theirs[0])
        same = mine == theirs
        if swapped and not converse or (same and converse and set(mine) == {"subj", "obj"}):
            yield _mark(a, b, claim)
            return


def _placed(found: Found, claim: Reading) -> bool:
    piece = claim.pieces[found.piece]
    return found.spot in (Spot.HERE, Spot.NEAR) and found.sign == 1 and piece.part in _THINGS


def _place(found: Found, frame: Frame, texts: Evidence) -> str:
    if found.other in frame.members:
        return frame.place(found.other)
    home = texts.frame_of(found.other)
    place = home.place(found.other) if home is not None else ""
    if place in ("subj", "obj") and home is not None and home.number != frame.number:
        return "obj" if frame.passive else "subj"  # what a frame borrows is its subject
    return place


def _converse(match: Match, claim: Reading, texts: Evidence) -> bool:
    if match.clause.verb < 0 or match.frame.verb < 0:
        return False
    return turned(claim.pieces[match.clause.verb], texts.pieces[match.frame.verb])


def _mark(a: Found, b: Found, claim: Reading) -> Mark:
    first, last = claim.pieces[a.piece], claim.pieces[b.piece]
    return Mark(
        reason=Reason.ROLES_SWAPPED,
        start=min(first.start, last.start),
        end=max(first.end, last.end),
        detail=f"the text has “{first.text}” and “{last.text}” in each other's places",
        against=True,
    )
