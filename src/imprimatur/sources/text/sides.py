"""A clause of a claim, or the frame of a text that it was matched with, as what may turn it is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.extract.words import forms
from imprimatur.sources.text.evidence import Match
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import likeness

__all__ = ["TOLD", "Side", "is_general", "is_told", "stands"]


@dataclass(frozen=True, slots=True)
class Side:
    """A frame with the pieces and frames that it is of, and its ``own`` pieces."""

    frame: Frame
    pieces: Sequence[Piece]
    frames: Sequence[Frame]
    own: Sequence[Piece]

    @classmethod
    def of(cls, frame: Frame, pieces: Sequence[Piece], frames: Sequence[Frame]) -> Side:
        """One side of a comparison."""
        return cls(frame, pieces, frames, [pieces[k] for k in frame.members])

    def whole(self) -> tuple[int, int]:
        """The span of the frame."""
        return (self.own[0].start, self.own[-1].end) if self.frame.members else (0, 0)

    def lending(self) -> list[Piece]:
        """The auxiliaries of the frame that a verbless or coordinate one continues."""
        frame = self.frame
        if frame.lender < 0 or frame.lender > frame.number or not (frame.elliptic or frame.opener in ("and", "or", "")):
            return []
        if any(piece.part is Part.AUXILIARY for piece in self.own) or _subject(self):
            return []
        position = next(n for n, each in enumerate(self.frames) if each.number == frame.lender)
        lender = self.frames[position]
        return [self.pieces[k] for k in lender.members if self.pieces[k].part is Part.AUXILIARY]


def _subject(side: Side) -> bool:
    return any(
        place == "subj" and side.pieces[k].part in (Part.NOUN, Part.NAME, Part.PRONOUN)
        for k, place in zip(side.frame.members, side.frame.places, strict=True)
    )


def is_general(frame: Frame, pieces: Sequence[Piece]) -> bool:
    """Whether a frame states something in general: no past form, and no date."""
    own = [pieces[k] for k in frame.members]
    auxiliary = next((p for p in own if p.part is Part.AUXILIARY), None)
    if auxiliary is not None:
        return auxiliary.lower not in ("was", "were", "had", "did") and not any(p.date is not None for p in own)
    past = any(_past(p) for p in own if p.part is Part.VERB and not _after_be(own, p))
    past = past or any(p.lower in ("was", "were", "had", "did") for p in own)
    return not past and not any(p.date is not None for p in own)


def _past(piece: Piece) -> bool:
    """Whether a verb form is past and cannot be present ("cost" can)."""
    tags = forms(piece.lower).verb_forms
    return "past" in tags and "base" not in tags


def _after_be(own: Sequence[Piece], verb: Piece) -> bool:
    before = [p for p in own if p.end <= verb.start and p.part is Part.AUXILIARY]
    return bool(before) and before[-1].lower in ("is", "are", "be", "been", "has", "have")


def stands(piece: Piece, text: Piece) -> bool:
    if text.figure:
        return piece.figure and comparable(piece, text)
    return piece.lower == text.lower or likeness(piece, text) != 0


TOLD = (Part.NUMBER, Part.DATE, Part.NAME, Part.NOUN)


def is_told(text: Piece, claim: Reading, match: Match) -> bool:
    """Whether the claim says a piece of the text, with a word that does not stand for another piece of the frame."""
    used = {each.piece for each in match.found if each.other in match.frame.members}
    return any(
        piece.lower == text.lower or (k not in used and stands(piece, text)) for k, piece in enumerate(claim.pieces)
    )
