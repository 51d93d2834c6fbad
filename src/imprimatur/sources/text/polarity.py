"""Whether a clause denies what the text says, or says what it denies: negators, opposites, opposed prepositions.

Each of them turns the clause round, so that an even number of differences leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from imprimatur.language import negation
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.roles import converse, mirrored
from imprimatur.sources.text.sides import Side
from imprimatur.sources.text.words import opposed_places
from imprimatur.verdict import Reason

__all__ = ["denies", "negators", "polarity"]


def negators(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces that negate, one for each negation; "neither … nor" is one, and "for lack of" none."""
    found: list[Piece] = []
    for each in negation.find([piece.lower for piece in pieces]):
        piece = pieces[each.start]
        if each.kind is negation.NegationKind.NEAR or (piece.part is Part.NOUN and piece.lower.startswith("lack")):
            continue
        if piece.lower == "nor" and any(p.lower in ("neither", "not") for p in found):
            continue
        if piece.lower == "not" and each.end < len(pieces) and _until(pieces[each.end :]):
            continue  # "not resumed until the next day": resumed then
        found.append(piece)
    for n, piece in enumerate(pieces[:-2]):
        if piece.lower == "not" and pieces[n + 1].lower in ("only", "just", "merely") and pieces[n + 2].figure:
            found.append(piece)  # "not just two" are more
    return found


def _until(pieces: Sequence[Piece]) -> bool:
    return any(piece.lower in ("until", "till") for piece in pieces)


def polarity(match: Match, claim: Reading, texts: Evidence, mine: Side, theirs: Side) -> Iterator[Mark]:
    own, other = _negations(mine), _negations(theirs)
    if not own and _unsaid(match, texts):
        return
    turned = list({e.other: e for e in match.found if e.sign < 0 and e.spot is not Spot.FAR}.values())
    other_end = mirrored(match, claim, texts) or converse(match, claim, texts)
    crossed = 0 if other_end else _crossed(mine, theirs)
    flips = len(own) + len(other) + len(turned) + crossed + _denied_elsewhere(match, texts)
    if flips % 2 == 0:
        return
    at = own[0] if own else mine.pieces[turned[0].piece] if turned else None
    start, end = (at.start, at.end) if at is not None else mine.whole()
    said = " ".join(piece.text for piece in theirs.own if piece.text.strip())[:120]
    sure = not _partial(mine, theirs)
    yield Mark(
        reason=Reason.NEGATION_MISMATCH,
        start=start,
        end=end,
        detail=f"the text says: {said}",
        against=sure,
    )


def _partial(mine: Side, theirs: Side) -> bool:
    """Whether both speak of some only ("some voted for it, some against it")."""
    return all(any(piece.lower in _SOME for piece in side.own) for side in (mine, theirs))


_SOME = frozenset("some few several certain many other others".split())


def _unsaid(match: Match, texts: Evidence) -> bool:
    """Whether the clause only names things or a case ("where life is at risk"), not what the frame says or denies."""
    clause, frame = match.clause, match.frame
    if clause.elliptic:
        return clause.opener == "" and frame.verb not in match.taken and all(e.sign > 0 for e in match.found)
    verb = next((e.other for e in match.found if e.piece == clause.verb and e.other >= 0), None)
    nominal = verb is not None and texts.pieces[verb].part is Part.NOUN
    return clause.opener in _CASES and nominal and frame.verb >= 0 and frame.verb not in match.taken


_CASES = frozenset("if when whenever where once provided".split())


def _denied_elsewhere(match: Match, texts: Evidence) -> int:
    """1 when something that the clause has here stands in a denied rest of the text ("…, but not in water")."""
    homes = [texts.frame_of(each.other) for each in match.found if each.spot is Spot.FAR and each.other >= 0]
    rests = [home for home in homes if home is not None and home.lender == match.frame.number]
    return int(any(home.opener == "without" or (home.elliptic and denies(home, texts)) for home in rests))


def denies(frame: Frame, texts: Evidence) -> bool:
    return bool(negators([texts.pieces[k] for k in frame.members]))


def _negations(side: Side) -> list[Piece]:
    found = negators(side.own)
    if side.frame.opener in ("unless", "without"):
        found.append(side.own[0])
    if side.frame.opener == "nor" and not found:
        found.append(side.own[0])
    return found


def _crossed(mine: Side, theirs: Side) -> int:
    """1 when the phrases of the clause stand behind a preposition opposed to the text's ("for" and "against")."""
    own = set(mine.frame.places)
    other = set(theirs.frame.places)
    bounds = [{w for w in ("least", "most") if ("at", w) in _pairs(side.own)} for side in (mine, theirs)]
    if all(bounds) and bounds[0] != bounds[1]:
        return 1
    lone = [(a, b) for a in own - other for b in other - own if opposed_places(a, b) and "with" not in (a, b)]
    return int(len(lone) % 2 == 1)


def _pairs(pieces: Sequence[Piece]) -> set[tuple[str, str]]:
    return {(a.lower, b.lower) for a, b in pairwise(pieces)}
