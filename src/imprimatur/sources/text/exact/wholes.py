"""Of whom and of how much of it the text says something: another subject, a part of them, a number of its own."""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot, head_of
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part
from imprimatur.verdict import Reason

__all__ = ["clauses", "parts"]

_NOMINAL = (Part.NOUN, Part.NAME)


def clauses(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a time or number that the text tells of another subject's doing, beside what the clause says."""
    if match.frame.elliptic:
        yield from _borrowed(match, claim, texts)
    for found in match.found:
        piece = claim.pieces[found.piece]
        timed = piece.date is not None or (piece.part is Part.NAME and piece.lower[:1].isdigit())
        home = texts.frame_of(found.other) if found.other >= 0 else None
        if home is None or home.number == match.frame.number:
            continue
        if timed and _elsewhere(match, home, texts):
            subject = texts.pieces[head_of(home, texts.pieces)]
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text has it of “{subject.text}”")
        elif piece.part is Part.NAME and not timed and match.clause.place(found.piece) == "subj":
            own = any(texts.pieces[k].figure and k not in match.taken for k in home.members)
            if own and home.elliptic and home.lender == match.frame.number:
                yield mark(piece, Reason.ROLES_SWAPPED, "the text has another number of it")


def _elsewhere(match: Match, home: Frame, texts: Evidence) -> bool:
    """Whether a clause says of another subject, with a verb of its own, what the claim does not speak of."""
    if match.frame.verb not in match.taken or home.verb < 0 or home.verb in match.taken:
        return False
    head = head_of(home, texts.pieces)
    if head < 0 or head in match.taken or head == head_of(match.frame, texts.pieces):
        return False
    beside = match.frame.opener in ("", "and", "but") and home.opener in ("and", "but")
    return beside and home.lender == match.frame.number


def parts(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for what the text says of a part only ("320 beds, 40 of them in intensive care")."""
    members = match.frame.members
    parts = [
        k
        for k in members[:-2]
        if texts.pieces[k].figure
        and k not in match.taken
        and texts.pieces[k + 1].lower == "of"
        and texts.pieces[k + 2].lower in ("them", "these", "those", "which", "whom")
    ]
    figures = [f for f in match.found if claim.pieces[f.piece].figure and f.other in members]
    for found in match.found:
        if found.other not in members or claim.pieces[found.piece].figure:
            continue
        whole = any(figure.other < part < found.other for figure in figures for part in parts)
        if whole:
            yield mark(claim.pieces[found.piece], Reason.ROLES_SWAPPED, "the text says it of a part of them")


def _borrowed(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a number of the clause before, where an elliptic one has its own ("and Mr Klein 40 %")."""
    own = [texts.pieces[k] for k in match.frame.members if texts.pieces[k].figure and k not in match.taken]
    for found in match.found:
        piece = claim.pieces[found.piece]
        if found.spot is Spot.NEAR and piece.figure and any(comparable(piece, each) for each in own):
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text has {own[0].text}")
