"""The time that a clause tells of: "was" is not "is", and what must be done was not therefore done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.words import forms
from imprimatur.language import morphology
from imprimatur.language.morphology import Form
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.verdict import Reason

__all__ = ["tense"]

_PAST, _PRESENT, _FUTURE, _PERFECT = "past", "present", "future", "perfect"
_FINITE = {
    **dict.fromkeys("is are am has have does do".split(), _PRESENT),
    **dict.fromkeys("was were had did".split(), _PAST),
    **dict.fromkeys("will 'll".split(), _FUTURE),
}
_VERBAL = (Part.VERB, Part.AUXILIARY)
_MODALS = frozenset("must may can should could might would shall ought need".split())
_CASES = frozenset("if when whenever once after until unless where".split())


def tense(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where both clauses have the same verb, and the time that it tells of differs."""
    verb, other = match.clause.verb, match.frame.verb
    if verb < 0 or other < 0:
        return
    mine, theirs = claim.pieces[verb], texts.pieces[other]
    copulas = mine.part is Part.AUXILIARY and theirs.part is Part.AUXILIARY
    if not copulas and not any(each.piece == verb and each.other == other for each in match.found):
        return
    own, their = _time(match.clause, claim.pieces), _time(match.frame, texts.pieces)
    if _turned(match, claim, texts):
        return
    if own in (_PAST, _PERFECT) and _modal(match.frame, texts.pieces) and not _modal(match.clause, claim.pieces):
        yield mark(mine, Reason.HEDGE_DROPPED, "the text does not say that it was so")
        return
    if own is None or their is None or own == their or {own, their} == {_PAST, _PERFECT}:
        return
    if {own, their} == {_PRESENT, _PERFECT} and (match.clause.opener in _CASES or match.frame.opener in _CASES):
        return  # "once it has failed", "if it fails"
    yield mark(mine, Reason.CONDITION_DROPPED, f"the text has “{theirs.text}”")


def _turned(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether one of the verbs is a participle, so that its form tells of no time ("a theft reported within a day")."""
    for frame, pieces in ((match.clause, claim.pieces), (match.frame, texts.pieces)):
        finite = next((k for k in frame.members if pieces[k].part in _VERBAL), None)
        if (
            finite is None
            or pieces[finite].part is Part.AUXILIARY
            or "pp" not in forms(pieces[finite].lower).verb_forms
        ):
            continue
        if match.clause.passive or match.frame.passive:
            return True
        heads = {f.other for f in match.found if f.other >= 0 and f.piece < match.clause.verb}
        if any(k in match.frame.members and match.frame.place(k) == "obj" for k in heads):
            return True
    return False


def _modal(frame: Frame, pieces: Sequence[Piece]) -> bool:
    finite = next((k for k in frame.members if pieces[k].part in _VERBAL), None)
    return finite is not None and pieces[finite].lower in _MODALS


def _time(frame: Frame, pieces: Sequence[Piece]) -> str | None:
    """The time that the finite verb of a frame tells of; None where its form leaves that open."""
    finite = next((k for k in frame.members if pieces[k].part in _VERBAL), None)
    if finite is None or (frame.verb > 0 and pieces[frame.verb - 1].lower == "to"):
        return None
    lower = pieces[finite].lower
    if pieces[finite].part is Part.AUXILIARY or lower in _FINITE:
        found = _FINITE.get(lower)
        behind = next((k for k in frame.members if k > finite and pieces[k].part in (Part.VERB, Part.PARTICIPLE)), None)
        if lower in ("has", "have", "'ve") and behind is not None and "pp" in forms(pieces[behind].lower).verb_forms:
            return _PERFECT
        return found
    tags = forms(lower).verb_forms
    if frame.passive or _as_past(pieces[finite]):
        return None
    if "past" in tags:
        return _PAST
    return _PRESENT if tags & {"base", "s"} else None


def _as_past(piece: Piece) -> bool:
    """Whether the past of a verb looks like its base form ("beat", "cost")."""
    verbs = [lemma for lemma, pos in piece.lemmas if pos == "v" and lemma == piece.lower]
    return any(morphology.inflect(verb, "v", Form.PAST) == piece.lower for verb in verbs)
