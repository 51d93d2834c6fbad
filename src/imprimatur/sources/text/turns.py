"""What turns a clause: negation, modality, reserve, conditions, quantifiers; whether a claim keeps those of a text.

``faults`` compares one clause of a claim with the frame that it was matched with and gives a mark for each turn that
was lost, added or reversed. A claim may say less (of some, possibly, under a condition more) and never more.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.conditions import conditions
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.forces import force, hedged
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.polarity import polarity
from imprimatur.sources.text.reaches import reach
from imprimatur.sources.text.sides import Side

__all__ = ["faults"]


def faults(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """What the clause turns otherwise than the frame that it was matched with."""
    mine = Side.of(match.clause, claim.pieces, claim.frames)
    theirs = Side.of(match.frame, texts.pieces, texts.frames)
    yield from polarity(match, claim, texts, mine, theirs)
    if len(claim.frames) > 1 and _names(match.clause, claim):
        return
    yield from force(match, mine, theirs)
    yield from hedged(match, texts, mine, theirs)
    if match.clause.opener not in ("who", "which", "that", "whom", "whose"):
        yield from conditions(match, claim, texts)  # a relative clause says of what the main one holds
    yield from reach(match, claim, texts, mine, theirs)


def _names(clause: Frame, claim: Reading) -> bool:
    """Whether a clause without a verb only names what another one speaks of ("Margin in 2026: about nine per cent")."""
    counted = any(claim.pieces[k].quantity is not None for k in clause.members)
    return clause.elliptic and clause.opener == "" and clause.lender < 0 and not counted
