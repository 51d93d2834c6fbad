"""How much of something a clause speaks of: quantifiers, and what narrows the text's subject.

A claim may say it of fewer and never of more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from imprimatur.extract.words import forms
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.polarity import negators
from imprimatur.sources.text.sides import TOLD, Side, is_general, is_told
from imprimatur.verdict import Reason

__all__ = ["Reach", "reach"]


class Reach(IntEnum):
    """How much of something a quantifier takes in."""

    NONE = 0
    SOME = 1
    MANY = 2
    MOST = 3
    ALL = 4


_REACHES = {
    **dict.fromkeys(["some", "few", "several", "certain"], Reach.SOME),
    **dict.fromkeys(["many", "much"], Reach.MANY),
    **dict.fromkeys(["most", "majority", "mostly"], Reach.MOST),
    **dict.fromkeys(
        "all every each any whole entire everyone everybody everything always everywhere".split(),
        Reach.ALL,
    ),
}

#: Phrases in which these words quantify nothing.
_PLAIN_PAIRS = frozenset(
    [("in", "all"), ("at", "all"), ("at", "most"), ("as", "many"), ("as", "much"), ("how", "many"), ("how", "much")]
)


def _plain(pieces: Sequence[Piece], n: int) -> bool:
    return n > 0 and (pieces[n - 1].lower, pieces[n].lower) in _PLAIN_PAIRS


def _of_things(pieces: Sequence[Piece], n: int) -> bool:
    """Whether "in all" goes on with a noun ("in all wells")."""
    return pieces[n].lower == "all" and n + 1 < len(pieces) and pieces[n + 1].part is Part.NOUN


def _reach_of(pieces: Sequence[Piece]) -> tuple[Reach, Piece | None]:
    found = [
        (_REACHES[p.lower], p)
        for n, p in enumerate(pieces)
        if p.lower in _REACHES
        and not (n and (pieces[n - 1].lower, p.lower) in _PLAIN_PAIRS and not _of_things(pieces, n))
    ]
    return max(found, key=lambda each: each[0], default=(Reach.NONE, None))


def reach(match: Match, claim: Reading, texts: Evidence, mine: Side, theirs: Side) -> Iterator[Mark]:
    own, at = _reach_of(mine.own)
    other, word = _reach_of(theirs.own)
    denied = bool(negators(mine.own)) or bool(negators(theirs.own))
    if at is not None and at.lower == "any" and denied and not _any_such(theirs):
        yield Mark(reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail="the text does not deny it of any")
        return
    if own is Reach.ALL and at is not None and at.lower != "any" and (narrow := _narrower(match, theirs, texts, claim)):
        yield Mark(reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail=f"the text has “{narrow}”")
        return
    if narrow := _unrestricted(match, theirs, texts, claim):
        start, end = mine.whole()
        yield Mark(reason=Reason.SCOPE_WIDENED, start=start, end=end, detail=f"the text has “{narrow}”")
        return
    each = at is not None and at.lower == "each" and _generic(theirs)
    if at is not None and own > other and not denied and not each and not _per(at, mine, theirs):
        yield Mark(
            reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail="the text does not say so of so many"
        )
        return
    partial = other in (Reach.SOME, Reach.MANY, Reach.MOST) and own is Reach.NONE
    if partial and word is not None and _quantified(word, match, theirs) and not _counted(match, mine):
        start, end = mine.whole()
        yield Mark(reason=Reason.SCOPE_WIDENED, start=start, end=end, detail=f"the text says “{word.text}”")
        return
    share = _share(match, theirs)
    if share is not None and not _counted(match, mine) and own is Reach.NONE:
        start, end = mine.whole()
        yield Mark(reason=Reason.SCOPE_WIDENED, start=start, end=end, detail=f"the text says it of {share.text}")


def _generic(side: Side) -> bool:
    """Whether a frame says something in general of a kind ("messages are signed")."""
    first = side.own[0] if side.own else None
    bare = first is not None and first.part is Part.NOUN and forms(first.lower).plural
    return bare and is_general(side.frame, side.pieces)


def _any_such(theirs: Side) -> bool:
    return any(p.lower in ("any", "no", "none", "neither", "nothing", "nobody", "without") for p in theirs.own)


def _narrower(match: Match, theirs: Side, texts: Evidence, claim: Reading) -> str:
    """A word that narrows the text's subject and that the claim leaves out; "" for none."""
    for k, place in zip(theirs.frame.members, theirs.frame.places, strict=True):
        piece = theirs.pieces[k]
        if place not in ("subj", "obj") or piece.part is not Part.ADJECTIVE:
            continue
        if k < theirs.frame.verb and k not in match.taken and not is_told(piece, claim, match):
            return piece.text
    return ""


def _unrestricted(match: Match, theirs: Side, texts: Evidence, claim: Reading) -> str:
    """A phrase that narrows a general subject ("players under 16 need") and that the claim leaves out; "" for none."""
    frame = theirs.frame
    if frame.verb < 0 or not frame.members or not is_general(frame, theirs.pieces):
        return ""
    first = theirs.pieces[frame.members[0]]
    if first.part is not Part.NOUN or not forms(first.lower).plural:
        return ""
    for k in frame.members[1:]:
        piece = theirs.pieces[k]
        if k >= frame.verb or piece.part is Part.AUXILIARY:
            return ""
        if piece.part in TOLD and k not in match.taken and not is_told(piece, claim, match):
            return piece.text
    return ""


def _per(at: Piece, mine: Side, theirs: Side) -> bool:
    """Whether "each" or "every" only shares out ("each gram", "every 12 hours") and the text does so too."""
    if at.lower not in ("each", "every"):
        return False
    words = {piece.lower for piece in theirs.own}
    follows = next((p for p in mine.own if p.start >= at.end), None)
    unit = follows is not None and follows.figure
    return unit or bool(words & {"per", "each", "every"})


def _quantified(word: Piece, match: Match, theirs: Side) -> bool:
    """Whether what the word quantifies is what the claim speaks of."""
    after = [k for k in theirs.frame.members if theirs.pieces[k].start >= word.end]
    noun = next((k for k in after if theirs.pieces[k].part in (Part.NOUN, Part.NAME)), None)
    return noun is None or noun in match.taken or (len(after) > 1 and after[1] in match.taken)


def _counted(match: Match, mine: Side) -> bool:
    return any(piece.quantity is not None for piece in mine.own)


def _share(match: Match, theirs: Side) -> Piece | None:
    """A number of the text that says of how many of a noun it holds ("62% of the patients", "12 of the 30 games")."""
    members = theirs.frame.members
    for n, k in enumerate(members[:-2]):
        piece = theirs.pieces[k]
        if piece.quantity is None or k in match.taken or theirs.pieces[members[n + 1]].lower != "of":
            continue
        if piece.quantity.unit is not None and piece.quantity.unit.symbol != "%":
            continue
        nouns = [m for m in members[n + 2 : n + 6] if theirs.pieces[m].part is Part.NOUN]
        if nouns and nouns[0] in match.taken and theirs.frame.place(k) == "subj":
            return piece
    return None
