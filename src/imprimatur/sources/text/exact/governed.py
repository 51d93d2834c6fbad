"""Which preposition a phrase has: in a claim of the text's own words, another one says something else.

"Removed by the GP" is not "removed after the GP", nor a talk to somebody one about them. Only pairs that may stand for
each other everywhere are let pass; a phrase without a preposition in either is compared elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.words import BE
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.exact.limbs import Step, nominal, preposition
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.roles import converse
from imprimatur.verdict import Reason

__all__ = ["governed"]

_PAIRS = frozenset(
    frozenset(pair.split())
    for pair in (
        "in during",
        "after for",
        "after in",
        "in within",
        "in at",
        "in on",
        "in into",
        "on at",
        "on onto",
        "on upon",
        "on about",
        "to towards",
        "to toward",
        "to for",
        "over above",
        "over during",
        "over across",
        "under below",
        "under beneath",
        "under underneath",
        "below beneath",
        "by within",
        "by until",
        "by before",
        "of for",
        "of from",
        "of among",
        "from since",
        "from after",
        "from between",
        "to between",
        "until to",
        "until till",
        "with by",
        "without except",
        "like as",
        "for during",
        "through in",
        "throughout in",
        "throughout during",
        "after following",
        "at for",
        "than to",
        "per a",
        "per for",
        "per of",
        "than of",
        "per every",
        "due of",
        "owing of",
        "inside in",
    )
)
_NOMINAL = (Part.NOUN, Part.NAME)
_CHANGES = frozenset("to from by".split())


def governed(path: Sequence[Step], match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each phrase of a clause that has another preposition in the text."""
    if converse(match, claim, texts):
        return
    verb, other = match.clause.verb, match.frame.verb
    if (verb < 0) is not (other < 0) or (verb >= 0 and not _same_verb(verb, other, claim, texts)):
        return
    turned = match.clause.passive is not match.frame.passive
    for step in path:
        piece = claim.pieces[step.piece]
        after = claim.pieces[step.piece + 1] if step.piece + 1 < len(claim.pieces) else None
        if not nominal(piece) or piece.date is not None or (after is not None and after.part in _NOMINAL):
            continue
        own, their = preposition(step.piece, claim.pieces), preposition(step.other, texts.pieces)
        if not own or not their or own == their or "of" in (own, their) or (turned and "by" in (own, their)):
            continue
        again = {preposition(n, texts.pieces) for n, text in enumerate(texts.pieces) if _alike(piece, text)}
        if own in again or (piece.figure and not {own, their} & _CHANGES and _paired(own, their)):
            continue
        if not _paired(own, their) or (piece.figure and {own, their} <= {"to", "from", "by", "of", "for", "with"}):
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text has “{their}”")


def _same_verb(verb: int, other: int, claim: Reading, texts: Evidence) -> bool:
    """Whether clause and frame have one verb, or both a form of "be"."""
    mine, theirs = claim.pieces[verb], texts.pieces[other]
    return (mine.lower in BE and theirs.lower in BE) or bool(
        {each for each in mine.lemmas if each[1] == "v"} & theirs.lemmas
    )


def _paired(own: str, their: str) -> bool:
    return frozenset((own, their)) in _PAIRS


def _alike(mine: Piece, text: Piece) -> bool:
    return mine.lower == text.lower or bool(mine.lemmas & text.lemmas)
