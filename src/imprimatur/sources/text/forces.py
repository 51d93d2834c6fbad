"""How strongly a clause binds and how much it reserves: modals, hedges, expectations.

A claim may say less (possibly, may) and never more: "must" is not said by "may", nor "is" by "may be".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import pairwise

from imprimatur.extract.words import BE, forms
from imprimatur.language import closed_class
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.sides import Side
from imprimatur.verdict import Reason

__all__ = ["Force", "binding", "force", "hedged"]


class Force(IntEnum):
    """How strongly a modal binds; a plain statement is ``NONE``."""

    MAY = 1
    NONE = 2
    SHOULD = 3
    MUST = 4


_FORCES = {
    **dict.fromkeys(["may", "might", "can", "could"], Force.MAY),
    **dict.fromkeys(["should", "ought"], Force.SHOULD),
    **dict.fromkeys(["must", "shall"], Force.MUST),
}

_RESERVED = frozenset(["may", "might"])

_FREQUENCY = frozenset(
    (
        "usually often generally typically normally sometimes occasionally frequently mostly commonly rarely seldom"
    ).split()
)

_HEDGES = closed_class.words("hedge") | frozenset(["nearly", "almost"]) | _FREQUENCY

_HEDGING_VERBS = frozenset(
    (
        "expect estimate forecast predict anticipate believe think suppose assume plan seem appear tend "
        "suggest project allege intend hope propose"
    ).split()
)


def _force_of(side: Side) -> Force:
    found = [_FORCES[piece.lower] for piece in (*side.own, *side.lending()) if piece.lower in _FORCES and _modal(piece)]
    words = {lemma for piece in side.own for lemma, _ in piece.lemmas}
    if not found and words & {"allow", "permit", "possible", "able"}:
        return Force.MAY
    if not found and words & {"oblige", "mandatory", "obligatory", "compulsory"}:
        return Force.MUST
    if not found and _has_to(side.own):
        return Force.MUST
    if not found and words & {"advise", "recommend", "advisable"}:
        return Force.SHOULD
    return max(found, default=Force.NONE)


def _modal(piece: Piece) -> bool:
    return piece.part is Part.AUXILIARY


def _has_to(pieces: Sequence[Piece]) -> bool:
    return any(a.lower in _HAVING and b.lower == "to" for a, b in pairwise(pieces))


_HAVING = frozenset("have has had need needs needed required".split())

#: Words that say as verbs, nouns and adjectives what modals say, with the modals.
_BINDING = (
    ("possible possibility potential likely probable", "may might can could likely possible possibly probably"),
    ("allow permit able admit possible", "may can could allow permit"),
    ("require need oblige necessary mandatory obligatory compulsory due", "must shall have has need needs require"),
    ("advise recommend advisable", "should ought recommend"),
)


def binding(piece: Piece, text: Sequence[Piece]) -> bool:
    """Whether a word says what a modal of the text says ("a deposit is required", "must deposit")."""
    lemmas = {lemma for lemma, _ in piece.lemmas} | {piece.lower}
    lowers = {each.lower for each in text}
    return any(lemmas & set(words.split()) and lowers & set(modals.split()) for words, modals in _BINDING)


def force(match: Match, mine: Side, theirs: Side) -> Iterator[Mark]:
    own, other = _force_of(mine), _force_of(theirs)
    other = Force.MUST if other is Force.NONE and _ordered(theirs) else other
    wider = own > other and own is not Force.NONE and (own, other) != (Force.MAY, Force.NONE)
    if wider:
        at = next((p for p in mine.own if p.lower in _FORCES), mine.own[0])
        yield Mark(reason=Reason.SCOPE_WIDENED, start=at.start, end=at.end, detail="the text does not say so strongly")


def _ordered(side: Side) -> bool:
    """Whether a frame is an imperative ("simmer the lentils")."""
    first = side.own[0] if side.own else None
    verb = side.frame.verb
    return (
        first is not None
        and verb == side.frame.members[0]
        and "base" in forms(first.lower).verb_forms
        and side.frame.opener in ("", "and", "then")
    )


def hedged(match: Match, texts: Evidence, mine: Side, theirs: Side) -> Iterator[Mark]:
    """A mark where the text has a reserve about what the clause says, or about what it takes from elsewhere in it."""
    other = _hedge(theirs) or _far_hedge(match, texts)
    if other is None or _hedge(mine) is not None or _softened(mine):
        return
    if _modal(other) and any(piece.lower in _FORCES and _modal(piece) for piece in mine.own):
        return  # another modal: how strongly it binds is compared, not the doubt
    verb = match.frame.verb
    if _modal(other) and match.clause.verb >= 0 and verb not in match.taken and not match.frame.elliptic:
        return  # the claim says another thing of what is spoken of, in words of its own
    start, end = mine.whole()
    yield Mark(reason=Reason.HEDGE_DROPPED, start=start, end=end, detail=f"the text has “{other.text}”")


def _far_hedge(match: Match, texts: Evidence) -> Piece | None:
    """The reserve of a frame from which the clause has a number, a date or a name."""
    parts = (Part.NUMBER, Part.DATE, Part.NAME)
    for found in match.found:
        if found.spot is Spot.FAR and found.other >= 0 and texts.pieces[found.other].part in parts:
            home = texts.frame_of(found.other)
            hedge = _hedge(Side.of(home, texts.pieces, texts.frames)) if home is not None else None
            if hedge is not None and not _modal(hedge):
                return hedge
    return None


def _hedge(side: Side) -> Piece | None:
    for first, to, verb in zip(side.own, side.own[1:], side.own[2:], strict=False):
        planned = first.lower in BE and to.lower == "to" and verb.part in (Part.VERB, Part.AUXILIARY)
        if planned:
            return first  # "the plan was to sell"
    for piece in (*side.own, *side.lending()):
        if piece.lower in _HEDGES and piece.part not in (Part.NOUN, Part.NAME):
            return piece
        if piece.lower in _RESERVED and _modal(piece):
            return piece
        if any(lemma in _HEDGING_VERBS and pos == "v" for lemma, pos in piece.lemmas) and piece.part is Part.VERB:
            return piece
    return None


def _softened(side: Side) -> bool:
    words = {lemma for piece in side.own for lemma, _ in piece.lemmas} | {piece.lower for piece in side.own}
    return bool(
        words & {"can", "could", "possible", "possibility", "likely", "unlikely", "probable", "forecast", "expectation"}
    ) or (_force_of(side) is Force.MAY)
