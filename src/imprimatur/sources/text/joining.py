"""How things are joined: "and" against "or", what is only a part ("two of which"), and what is said to be included.

``misjoined`` gives a mark for each joint of a clause that the frame beside it does not bear out. Invariant: a claim
whose words are joined as the text joins them gets none.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part
from imprimatur.verdict import Reason

__all__ = ["misjoined"]

_JOINTS = {"and": "or", "or": "and"}
_WIDEST = 6  # pieces between a joint and what it joins
_INCLUDING = frozenset("including include includes included inclusive".split())
_PARTS = frozenset("which whom them these those".split())


def misjoined(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each joint that the text has otherwise."""
    others = {found.piece: found.other for found in match.found if found.other >= 0}
    for k in match.clause.members:
        word = claim.pieces[k].lower
        if word in _JOINTS and _swapped(k, word, others, texts):
            yield _mark(k, claim, f"the text has “{_JOINTS[word]}”")
        elif word == "including" and not _includes(k, match, texts):
            yield _mark(k, claim, "the text does not say that it is included")
    doing = match.clause.verb >= 0 and others.get(match.clause.verb) == match.frame.verb
    part = _part(match, texts) if doing else -1
    if part >= 0 and part not in match.taken and not any(other == part for other in others.values()):
        yield _mark(match.clause.members[0], claim, f"the text says it of “{texts.pieces[part].text}” of them")


def _swapped(k: int, word: str, others: dict[int, int], texts: Evidence) -> bool:
    """Whether the text joins by the other word what the claim joins here."""
    before = [n for n in others if k - _WIDEST <= n < k]
    after = [n for n in others if k < n <= k + _WIDEST]
    if not before or not after:
        return False
    left, right = sorted((others[max(before)], others[min(after)]))
    between = [piece.lower for piece in texts.pieces[left + 1 : right]]
    return len(between) <= _WIDEST and _JOINTS[word] in between and word not in between


def _includes(at: int, match: Match, texts: Evidence) -> bool:
    """Whether the texts speak of including, or the frame itself has all that the clause has."""
    if any(piece.lower in _INCLUDING for piece in texts.pieces):
        return True
    if any(texts.pieces[k].part is Part.NEGATOR for k in match.frame.members):
        return False
    behind = all(found.spot is Spot.HERE for found in match.found if found.piece > at)
    return behind and all(found.spot in (Spot.HERE, Spot.NEAR) for found in match.found)


def _part(match: Match, texts: Evidence) -> int:
    """The number in "two of which …" that opens the frame; -1 when none does."""
    members = match.frame.members
    for at, k in enumerate(members[:3]):
        after = [texts.pieces[n].lower for n in members[at + 1 : at + 3]]
        if texts.pieces[k].figure and len(after) == 2 and after[0] == "of" and after[1] in _PARTS:
            return k
    opener = members[0] if members else 0
    before = [texts.pieces[n] for n in range(max(0, opener - 2), opener)]
    if len(before) == 2 and before[0].figure and before[1].lower == "of" and match.frame.opener in _PARTS:
        return opener - 2
    return -1


def _mark(k: int, claim: Reading, detail: str) -> Mark:
    piece = claim.pieces[k]
    return Mark(reason=Reason.SCOPE_WIDENED, start=piece.start, end=piece.end, detail=detail)
