"""Whether numbers stand to each other, and to a change, as the text has them.

"Five of its two cranes" is not "two of its five", "three engines failed" not "two of the three", "fell to 15" not "fell
by 15".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light
from imprimatur.verdict import Reason

__all__ = ["changed_ends", "reversed_shares"]

_BETWEEN = (Part.DETERMINER, Part.PRONOUN, Part.NAME, Part.NOUN, Part.MARK)
#: So many words may stand between "of" and the number of the whole ("of the port's two cranes").
_MOST_BETWEEN = 4


def reversed_shares(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each share of the clause whose part is the text's whole, and its whole the text's part."""
    where = {found.piece: found.other for found in match.found if found.other >= 0}
    yield from _wholes(match, claim, texts, where)
    for k in match.clause.members:
        whole = _whole(k, claim.pieces)
        if whole < 0 or k not in where or whole not in where:
            continue
        if _whole(where[whole], texts.pieces) == where[k]:
            first, last = claim.pieces[k], claim.pieces[whole]
            text = f"{texts.pieces[where[whole]].text} of {texts.pieces[where[k]].text}"
            yield Mark(
                reason=Reason.NUMBER_NOT_IN_SOURCE,
                start=first.start,
                end=last.end,
                detail=f"the text has {text}",
                against=True,
            )


def _wholes(match: Match, claim: Reading, texts: Evidence, where: dict[int, int]) -> Iterator[Mark]:
    """A mark for a number that says of how many, where the text says it of a part of them."""
    verb = match.clause.verb
    if verb < 0 or where.get(verb, -2) != match.frame.verb or light(claim.pieces[verb]):
        return
    wholes = {_whole(k, texts.pieces): k for k in match.frame.members}
    for k, other in where.items():
        parted = any(_whole(m, claim.pieces) == k for m in match.clause.members)
        if other in wholes and wholes[other] not in match.taken and not parted and claim.pieces[k].quantity is not None:
            text = f"{texts.pieces[wholes[other]].text} of {texts.pieces[other].text}"
            piece = claim.pieces[k]
            yield Mark(
                reason=Reason.NUMBER_NOT_IN_SOURCE,
                start=piece.start,
                end=piece.end,
                detail=f"the text has {text}",
                against=True,
            )


def changed_ends(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each number that says by how much where the text says from or to where, or the like."""
    for found in match.found:
        piece = claim.pieces[found.piece]
        if found.spot is not Spot.HERE or not piece.figure or found.piece == 0 or found.other == 0:
            continue
        mine, theirs = claim.pieces[found.piece - 1].lower, texts.pieces[found.other - 1].lower
        if mine != theirs and {mine, theirs} <= _ENDS:
            detail = f"the text has “{theirs} {texts.pieces[found.other].text}”"
            yield Mark(
                reason=Reason.NUMBER_NOT_IN_SOURCE, start=piece.start, end=piece.end, detail=detail, against=True
            )


_ENDS = frozenset(["by", "to", "from"])


def _whole(k: int, pieces: Sequence[Piece]) -> int:
    """The number of the whole of which a number is a part; -1 for none."""
    if pieces[k].quantity is None or k + 2 >= len(pieces) or pieces[k + 1].lower != "of":
        return -1
    for n in range(k + 2, min(len(pieces), k + 3 + _MOST_BETWEEN)):
        if pieces[n].quantity is not None:
            return n
        if pieces[n].part not in _BETWEEN:
            return -1
    return -1
