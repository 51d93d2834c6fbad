"""Numbers that a text lists, of which a claim says one bound: "all three lie above 80%"."""

from __future__ import annotations

from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.figures import Fit, comparable, fits
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Piece
from imprimatur.values import Bound

__all__ = ["enumerated"]


def enumerated(
    match: Match, claim: Reading, texts: Evidence, limits: TextLimits
) -> tuple[dict[int, str], frozenset[int]]:
    """How the numbers of a clause are said of all that a frame lists, by piece; and the pieces of what is listed."""
    own = match.clause.members
    if not any(claim.pieces[k].lower in ("all", "both") for k in own):
        return {}, frozenset()
    for k in own:
        piece = claim.pieces[k]
        if piece.quantity is None or piece.quantity.bound in (Bound.EXACT, Bound.ABOUT):
            continue
        listed = [m for m in match.frame.members if comparable(piece, texts.pieces[m])]
        if len(listed) < 2 or any(fits(piece, texts.pieces[m], limits) is not Fit.YES for m in listed):
            continue
        said = "each of " + ", ".join(texts.pieces[m].text for m in listed)
        counts = (m for m in own if _is_count(claim.pieces[m], len(listed)))
        return {k: said} | dict.fromkeys(counts, said), frozenset(listed)
    return {}, frozenset()


def _is_count(piece: Piece, many: int) -> bool:
    quantity = piece.quantity
    return quantity is not None and quantity.unit is None and quantity.low.value == many
