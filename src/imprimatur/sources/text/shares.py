"""Whether two numbers that "of" joins stand the other way round: "five of its two cranes" for "two of its five"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.verdict import Reason

__all__ = ["reversed_shares"]

_BETWEEN = (Part.DETERMINER, Part.PRONOUN, Part.NAME, Part.NOUN, Part.MARK)
#: So many words may stand between "of" and the number of the whole ("of the port's two cranes").
_MOST_BETWEEN = 4


def reversed_shares(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each share of the clause whose part is the text's whole, and its whole the text's part."""
    where = {found.piece: found.other for found in match.found if found.other >= 0}
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
