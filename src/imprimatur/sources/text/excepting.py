"""What a text takes out of what it says: an exception, what was so formerly, and what "only" stands before.

``taken_out`` gives a mark where a claim drops an exception ("everyone but Ann"), makes what was formerly so present, or
puts "only" elsewhere; and where it rests on a reason that the text rejects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.words import BE
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot, head_of
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light
from imprimatur.verdict import Reason

__all__ = ["taken_out"]

_ALL = frozenset(
    "all everyone everybody everything everywhere anyone anybody anything none nobody nothing any every each no".split()
)
_EXCEPTING = frozenset("but except excepting save bar".split())
_OUT = _EXCEPTING | frozenset("apart besides other without exception only not n't".split())
_FORMERLY = frozenset("formerly previously erstwhile sometime onetime".split())
_BEFORE = _FORMERLY | frozenset("former previous once past earlier ex was were had been used".split())
_MODAL = frozenset("may might can could must should would shall will".split())
_ONLY = frozenset("only solely exclusively".split())
#: An exception stands so near to what it is taken from; what "only" is of, so near behind it.
_NEAR = 4


def taken_out(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """The marks of a clause beside a frame."""
    own = {claim.pieces[k].lower for k in range(*match.clause.reach)}
    others = {found.other for found in match.found if found.other >= 0}
    if (at := _exception(match, texts)) >= 0 and own.isdisjoint(_OUT):
        said = " ".join(piece.text for piece in texts.pieces[at : at + 3])
        yield _mark(match, claim, Reason.CONDITION_DROPPED, f"the text has “{said}”")
    if _twice(match, claim):
        yield _mark(match, claim, Reason.LOW_COVERAGE, "the text does not say that this was done")
    if _only_modal(match, claim, texts):
        yield _mark(match, claim, Reason.HEDGE_DROPPED, "the text does not say that it is so")
    if _not_so(match, texts) and own.isdisjoint(_OUT):
        yield _mark(match, claim, Reason.HEDGE_DROPPED, f"the text has “not {match.frame.opener}”")
    for k in match.frame.members:
        behind = _phrase(k, texts)
        if texts.pieces[k].lower in _FORMERLY and own.isdisjoint(_BEFORE) and not others.isdisjoint(behind):
            yield _mark(match, claim, Reason.CONDITION_DROPPED, f"the text says it of the past: {texts.pieces[k].text}")
            return
    yield from _other_only(match, claim, texts)


def _exception(match: Match, texts: Evidence) -> int:
    """Where the frame takes somebody or something out of all ("everyone but Ann"); -1 where it does not."""
    members = match.frame.members
    for k in range(members[0], members[-1] + 2):
        if k >= len(texts.pieces) or texts.pieces[k].lower not in _EXCEPTING:
            continue
        before = [piece.lower for piece in texts.pieces[max(members[0], k - _NEAR) : k]]
        after = texts.pieces[k + 1 : k + 2]
        if _ALL.isdisjoint(before) or "," in before or not after:
            continue
        if after[0].part in (Part.NAME, Part.NOUN, Part.DETERMINER, Part.PRONOUN, Part.NUMBER, Part.ADJECTIVE):
            return k
    return -1


def _twice(match: Match, claim: Reading) -> bool:
    """Whether the verb is found in nothing but its own object ("wrote the report" in "read the report")."""
    verb = next((found for found in match.found if found.piece == match.clause.verb), None)
    if verb is None or verb.spot is not Spot.HERE or verb.same or light(claim.pieces[verb.piece]):
        return False
    if match.frame.place(verb.other) != "obj" or match.frame.verb in match.taken:
        return False
    return any(found.other == verb.other and found.same and found.piece != verb.piece for found in match.found)


def _only_modal(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether a clause says of a thing what only tells which one may or must be ("given after a negative test")."""
    verb = match.clause.verb
    if verb < 0 or claim.pieces[verb].lower not in BE or match.frame.verb in match.taken:
        return False
    own = {claim.pieces[k].lower for k in match.clause.members}
    if not own.isdisjoint(_MODAL) or not any(texts.pieces[k].lower in _MODAL for k in match.frame.members):
        return False
    of = {found.piece: found.other for found in match.found if found.other in match.frame.members}
    head = of.get(head_of(match.clause, claim.pieces), -1)
    return any(k > verb and head - _NEAR < other < head for k, other in of.items())


def _not_so(match: Match, texts: Evidence) -> bool:
    """Whether a clause is a reason that the text rejects ("not because it harmed anyone")."""
    at = match.frame.members[0] - 2
    reason = match.frame.opener in ("because", "that", "as", "since")
    return reason and at >= 0 and texts.pieces[at].lower == "not" and match.frame.verb in match.taken


def _phrase(k: int, texts: Evidence) -> frozenset[int]:
    """The pieces of the phrase behind a word, as far as the next mark."""
    stop = k + 1
    while stop < len(texts.pieces) and texts.pieces[stop].part not in (Part.MARK, Part.AUXILIARY):
        stop += 1
    return frozenset(range(k + 1, stop))


def _other_only(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where the claim and the frame have "only" of different things."""
    of = {found.piece: found.other for found in match.found if found.other >= 0}
    theirs = [k for k in match.frame.members if texts.pieces[k].lower in _ONLY]
    for k in match.clause.members:
        if claim.pieces[k].lower not in _ONLY or not theirs:
            continue
        first = next((n for n in range(k + 1, min(k + 1 + _NEAR, len(claim.pieces))) if n in of), None)
        if first is not None and not any(of[first] in _behind(at, texts.pieces) for at in theirs):
            detail = "the text has “only” of something else"
            yield _mark(match, claim, Reason.SCOPE_WIDENED, detail)
            return


def _behind(k: int, pieces: Sequence[Piece]) -> range:
    """What "only" may be of: the words behind it, and one right before it ("members only")."""
    return range(k - 1, k + 1 + 2 * _NEAR)


def _mark(match: Match, claim: Reading, reason: Reason, detail: str) -> Mark:
    members = match.clause.members
    start, end = claim.pieces[members[0]].start, claim.pieces[members[-1]].end
    return Mark(reason=reason, start=start, end=end, detail=detail)
