"""Whether the things of a clause stand in the places that the text gives them: who did it, to whom, from where.

Only a clear exchange counts: two things of the clause each stand where the text has the other, or the subject of the
one verb is the text's object while the text's subject is elsewhere in the claim. A converse verb ("sell" for "buy")
asks for the exchange.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from imprimatur.extract.words import BE
from imprimatur.language.degree import superlative
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.cues import named_by, sign_of
from imprimatur.sources.text.evidence import Evidence, Found, Match, Spot, head_of
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light, likeness, opposed_places, turned
from imprimatur.verdict import Reason

__all__ = ["converse", "exchanged", "mirrored"]

_THINGS = (Part.NAME, Part.NOUN)


def exchanged(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where two things of the clause have changed places."""
    placed = [each for each in match.found if _placed(each, claim)]
    turns = converse(match, claim, texts)
    if _mirrored(placed, match, texts):
        return
    moved = _moved_subject(placed, match, claim, texts) or _crossed_pair(placed, match, claim, texts)
    if moved is not None and not turns:
        yield _mark(moved, moved, claim)
        return
    if (compared := _compared(match, claim, texts)) is not None:
        yield _mark(compared, compared, claim)
        return
    for a, b in combinations(placed, 2):
        mine = match.clause.place(a.piece), match.clause.place(b.piece)
        theirs = _place(a, match.frame, texts), _place(b, match.frame, texts)
        if _identical(a, b, match, claim, texts):
            continue
        if _headed_otherwise(a, b, match, texts, claim):
            yield _mark(a, b, claim)
            return
        if "" in theirs or mine[0] == mine[1] or theirs[0] == theirs[1]:
            continue
        if turns and _kept_subject(mine, theirs):
            yield _mark(a, b, claim)
            return
        named = claim.pieces[a.piece].part is claim.pieces[b.piece].part is Part.NAME
        swapped = mine == (theirs[1], theirs[0]) and (named or _same_verb(match, claim, texts))
        if swapped and not turns:
            yield _mark(a, b, claim)
            return


def _compared(match: Match, claim: Reading, texts: Evidence) -> Found | None:
    """What the text only compares with ("more than planned"), where the claim compares nothing."""
    own = [claim.pieces[k] for k in match.clause.members]
    if any(piece.lower == "than" or sign_of(piece) or superlative(piece.lower) for piece in own):
        return None
    if any(named_by(piece, operation) for piece in own for operation in ("outdo", "trail")):
        return None
    for found in match.found:
        if (
            found.spot is Spot.HERE
            and match.frame.place(found.other) == "than"
            and not claim.pieces[found.piece].figure
        ):
            return found
    return None


def _moved_subject(placed: list[Found], match: Match, claim: Reading, texts: Evidence) -> Found | None:
    """The subject of the clause, where the text has it behind the same verb and another subject before it."""
    verb, other = match.clause.verb, match.frame.verb
    if verb < 0 or other < 0 or match.clause.passive is not match.frame.passive:
        return None
    mine, theirs = claim.pieces[verb], texts.pieces[other]
    if mine.lower in BE or theirs.lower in BE or not mine.lemmas & theirs.lemmas:
        return None
    head, own = head_of(match.clause, claim.pieces), head_of(match.frame, texts.pieces)
    found = next((each for each in placed if each.piece == head), None)
    if found is None or own < 0 or own in match.taken or found.other not in match.frame.members:
        return None
    return found if found.other > other else None


def _crossed_pair(placed: list[Found], match: Match, claim: Reading, texts: Evidence) -> Found | None:
    """What the clause places where the text has another thing: "tea at noon and wine at six" says no wine at noon."""
    members = match.frame.members
    for thing in placed:
        if match.clause.place(thing.piece) != "obj" or thing.other not in members:
            continue
        for each in placed:
            place = match.clause.place(each.piece)
            if place in ("subj", "obj", "pred", "verb") or each.other not in members or each.other > thing.other:
                continue
            between = [texts.pieces[k].lower for k in members if each.other < k < thing.other]
            behind = [k for k in members if k > thing.other and match.frame.place(k) == place]
            parts = (Part.NOUN, Part.NAME)
            own = match.frame.place(each.other) == place and "and" in between
            if own and any(texts.pieces[k].part in parts and k not in match.taken for k in behind):
                return each
    return None


def _kept_subject(mine: tuple[str, str], theirs: tuple[str, str]) -> bool:
    """Whether one thing is the subject of both, where the verbs are converses and ask for another."""
    return any(a == b == "subj" for a, b in zip(mine, theirs, strict=True))


def _same_verb(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether clause and frame have the same verb, or both a copula: only then can all places be compared."""
    if match.clause.verb < 0 or match.frame.verb < 0:
        return True
    return likeness(claim.pieces[match.clause.verb], texts.pieces[match.frame.verb]) == 1


def _mirrored(placed: list[Found], match: Match, texts: Evidence) -> bool:
    """Whether the clause says it from the other end, with the opposed preposition ("ahead of" for "behind")."""
    for a, b in combinations(placed, 2):
        mine = match.clause.place(a.piece), match.clause.place(b.piece)
        theirs = _place(a, match.frame, texts), _place(b, match.frame, texts)
        if mine[0] == theirs[1] == "subj" and opposed_places(mine[1], theirs[0]):
            return True
        if mine[1] == theirs[0] == "subj" and opposed_places(mine[0], theirs[1]):
            return True
    return False


def mirrored(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the clause says it from the other end with an opposed preposition."""
    return _mirrored([each for each in match.found if _placed(each, claim)], match, texts)


def _headed_otherwise(a: Found, b: Found, match: Match, texts: Evidence, claim: Reading) -> bool:
    """Whether the subject of the clause is no subject in the text, and the text's subject is elsewhere in the clause.

    Asked only where both have the same plain verb, or none but a copula.
    """
    verb, other = match.clause.verb, match.frame.verb
    if verb < 0 or other < 0 or match.clause.passive is not match.frame.passive:
        return False
    mine, theirs = claim.pieces[verb], texts.pieces[other]
    if not mine.lemmas & theirs.lemmas or (light(mine) and mine.part is not Part.AUXILIARY):
        return False
    heads = head_of(match.clause, claim.pieces), head_of(match.frame, texts.pieces)
    if -1 in heads or heads[0] not in (a.piece, b.piece) or heads[1] not in (a.other, b.other):
        return False
    head = a if a.piece == heads[0] else b
    if match.frame.passive and head.other < other:
        return False  # beside the subject: "the captain, Ian Moss"
    inside = head.other in match.frame.members
    return inside and head.other != heads[1] and match.frame.place(head.other) != "subj"


def _identical(a: Found, b: Found, match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether both only say that one is the other ("its chair is Ann", "Ann is its chair")."""
    verb, other = match.clause.verb, match.frame.verb
    plain = all(
        place in ("subj", "obj", "pred")
        for frame, each in ((match.clause, (a.piece, b.piece)), (match.frame, (a.other, b.other)))
        for k in each
        for place in (frame.place(k) if k in frame.members else "subj",)
    )
    copulas = plain and verb >= 0 and other >= 0 and claim.pieces[verb].lower in BE and texts.pieces[other].lower in BE
    return copulas and not any(_owned(each.piece, claim.pieces) or _owned(each.other, texts.pieces) for each in (a, b))


def _owned(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a piece stands in a phrase with "of"."""
    while k > 0 and pieces[k - 1].part in (Part.NAME, Part.NOUN, Part.ADJECTIVE, Part.DETERMINER, Part.PRONOUN):
        k -= 1
    return k > 0 and pieces[k - 1].lower == "of"


def _placed(found: Found, claim: Reading) -> bool:
    thing = claim.pieces[found.piece].part in _THINGS or _stands_for_noun(found.piece, claim.pieces)
    return found.spot in (Spot.HERE, Spot.NEAR) and found.sign == 1 and thing


def _stands_for_noun(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a word has "one" or "ones" behind it for its noun ("five older ones")."""
    after = pieces[k + 1].lower if k + 1 < len(pieces) else ""
    return pieces[k].part is Part.ADJECTIVE and after in ("one", "ones")


def _place(found: Found, frame: Frame, texts: Evidence) -> str:
    if found.other in frame.members:
        return frame.place(found.other)
    home = texts.frame_of(found.other)
    place = home.place(found.other) if home is not None else ""
    if place in ("subj", "obj") and home is not None and home.number != frame.number:
        if head_of(frame, texts.pieces) >= 0:
            return _of_pronoun(frame, texts)
        return "obj" if frame.passive else "subj"  # what a frame without a subject borrows is its subject
    return place


def _of_pronoun(frame: Frame, texts: Evidence) -> str:
    """The place of the pronoun behind the verb that stands for what a frame borrows; "" for none."""
    places = [frame.place(k) for k in frame.members if k > frame.verb and texts.pieces[k].lower in _OBJECTS]
    return places[0] if places else ""


_OBJECTS = frozenset("it them him her".split())


def converse(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether clause and frame have verbs of which one is the other seen from the other end ("buy", "sell")."""
    if match.clause.verb < 0 or match.frame.verb < 0:
        return False
    return turned(claim.pieces[match.clause.verb], texts.pieces[match.frame.verb])


def _mark(a: Found, b: Found, claim: Reading) -> Mark:
    first, last = claim.pieces[a.piece], claim.pieces[b.piece]
    return Mark(
        reason=Reason.ROLES_SWAPPED,
        start=min(first.start, last.start),
        end=max(first.end, last.end),
        detail=f"the text has “{first.text}” and “{last.text}” in each other's places",
        against=True,
    )
