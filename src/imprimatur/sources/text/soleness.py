"""What "only" says: whether the claim makes something the only one that the text does not, or drops that it is.

``sole``, ``only_if`` and ``focused`` give the word at fault, None or "" where nothing is.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.sides import TOLD, Side, is_told

__all__ = ["focused", "only_if", "sole"]


_ONLY_CASES = frozenset("if when where provided".split())


def only_if(match: Match, claim: Reading, texts: Evidence) -> str:
    """The conjunction of a condition that only the claim makes the only one ("only if"); "" for none."""
    last = match.clause.members[-1]
    after = claim.pieces[last + 1] if last + 1 < len(claim.pieces) else None
    if claim.pieces[last].lower != "only" or after is None or after.lower not in _ONLY_CASES:
        return ""
    cases = [f for f in texts.frames if f.sentence == match.frame.sentence and f.opener in _ONLY_CASES]
    words = {piece.lower for f in texts.frames if f.sentence == match.frame.sentence for piece in _around(f, texts)}
    sole = words & {"only", "unless", "solely", "exclusively", "not", "no", "never", "until", "without"}
    return cases[0].opener if cases and not sole else ""


def _around(frame: Frame, texts: Evidence) -> Sequence[Piece]:
    return texts.pieces[slice(*frame.reach)]


def focused(match: Match, claim: Reading, texts: Evidence) -> str:
    """What "only" singles out in the frame and the claim leaves out; "" for none."""
    members = match.frame.members
    at = next((n for n, k in enumerate(members) if texts.pieces[k].lower in ("only", "solely", "exclusively")), None)
    if at is None or any(p.lower in ("only", "solely", "exclusively") for p in claim.pieces):
        return ""
    for k in members[at + 1 :]:
        piece = texts.pieces[k]
        if piece.text == "," or (k == members[at] + 1 and piece.figure):
            return ""
        if piece.part in TOLD and k not in match.taken and not is_told(piece, claim, match):
            return piece.text
    return ""


_SOLE = frozenset("only solely exclusively".split())


#: Words by which a text says that nothing else is so.
_NONE_ELSE = _SOLE | frozenset(
    (
        "alone sole just merely but unless except no not n't never none nothing nobody neither other others without all"
    ).split()
)


def sole(mine: Side, theirs: Side, texts: Evidence) -> Piece | None:
    """The word that makes something of the claim the only one, where the text leaves room for others; None for none."""
    pieces = mine.pieces
    for k in mine.frame.members:
        after = pieces[k + 1] if k + 1 < len(pieces) else None
        if pieces[k].lower not in _SOLE or (k and pieces[k - 1].part is Part.NEGATOR) or after is None:
            continue
        if any(piece.figure for piece in pieces[k + 1 : k + 4]) or pieces[k - 1].lower in ("the", "its", "their"):
            continue  # "only 12 members" says no more than 12 members
        said = {
            texts.pieces[m].lower for f in texts.frames if f.sentence == theirs.frame.sentence for m in range(*f.reach)
        }
        if not said & _NONE_ELSE:
            return pieces[k]
    return None
