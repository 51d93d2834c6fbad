"""What a clause goes on with, without its verb, of somebody else: "Karl studies law, Emil medicine".

``gapped`` gives a mark where a claim takes its subject from one part and what is said of it from the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot, head_of, says
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part
from imprimatur.verdict import Reason

__all__ = ["gapped"]

_JOINTS = (",", ";", "and", "but")
_PASSED = (Part.MARK, Part.DETERMINER, Part.ADJECTIVE)


def gapped(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where the frame says it of another name."""
    here = {found.piece: found.other for found in match.found if found.spot is Spot.HERE}
    verbs = claim.pieces[match.clause.verb], texts.pieces[match.frame.verb]
    copulas = min(match.clause.verb, match.frame.verb) >= 0 and all(each.part is Part.AUXILIARY for each in verbs)
    verb = match.frame.verb if copulas else here.get(match.clause.verb, -1)
    head = here.get(head_of(match.clause, claim.pieces), -1)
    if verb < 0 or head < 0 or match.clause.passive or match.frame.passive:
        return
    other = _before(verb, head, match, texts)
    for k in match.clause.members:
        if other < 0 and k in here and k > match.clause.verb and says(claim.pieces[k]):
            other = _between(verb, here[k], match, texts)
    other = other if other >= 0 else _crossed(verb, match, texts)
    if other >= 0:
        members = match.clause.members
        start, end = claim.pieces[members[0]].start, claim.pieces[members[-1]].end
        detail = f"the text says it of “{texts.pieces[other].text}”"
        yield Mark(reason=Reason.ROLES_SWAPPED, start=start, end=end, detail=detail)


def _before(verb: int, head: int, match: Match, texts: Evidence) -> int:
    """The name before the verb, where the claim has one for its subject that stands behind it; -1 for none."""
    if (
        head < verb
        or texts.pieces[head].part is not Part.NAME
        or match.frame.place(head) not in ("subj", "obj", "pred")
    ):
        return -1  # "with two goals by Ann"
    names = (k for k in match.frame.members if k < verb and texts.pieces[k].part is Part.NAME)
    return next((k for k in names if k not in match.taken), -1)


def _between(verb: int, said: int, match: Match, texts: Evidence) -> int:
    """The name right before what the claim says, behind something else that the verb has; -1 for none."""
    if said <= verb or texts.pieces[said].part is Part.NAME:
        return -1
    joint = next((k for k in range(verb + 1, said) if texts.pieces[k].lower in _JOINTS), said)
    own = [k for k in range(verb + 1, joint) if says(texts.pieces[k])]
    if not own or own[-1] in match.taken:
        return -1
    at = said - 1
    while at > joint and (texts.pieces[at].part in _PASSED or texts.pieces[at].figure or _of_that(at, texts)):
        at -= 1
    return at if at > joint and at not in match.taken and _begins(at, texts) else -1


def _of_that(k: int, texts: Evidence) -> bool:
    """Whether "of" belongs to "that of", which stands for what went before."""
    return texts.pieces[k].lower == "of" and texts.pieces[k - 1].lower in ("that", "those", "one")


def _begins(k: int, texts: Evidence) -> bool:
    """Whether somebody else is named: by a name, or by a noun of its own phrase ("the buyer that of insurance")."""
    piece, after = texts.pieces[k], texts.pieces[k + 1]
    if piece.part is Part.NAME:
        return True
    return piece.part is Part.NOUN and texts.pieces[k - 1].part is Part.DETERMINER and after.part is Part.DETERMINER


def _crossed(verb: int, match: Match, texts: Evidence) -> int:
    """What stands with the circumstance that a claim takes from one of two parts ("3 on Monday and 4 on Friday")."""
    members = match.frame.members
    joints = [k for k in members if k > verb and texts.pieces[k].lower in ("and", "but", ",")]
    for joint in joints:
        for k in range(verb + 1, joint):
            if k not in match.taken or k not in members:
                continue
            at = k - 1
            while at > verb and texts.pieces[at].part in _PASSED:
                at -= 1
            mine, behind = at - 1, _behind(joint, match, texts)
            if texts.pieces[at].part is Part.PREPOSITION and behind and mine > verb and mine not in match.taken:
                same = texts.pieces[mine].part is texts.pieces[behind[-1]].part and says(texts.pieces[mine])
                if same and _own_place(behind[-1], match, texts):
                    return mine
    return -1


def _behind(joint: int, match: Match, texts: Evidence) -> list[int]:
    """What a claim has of the words right behind a joint."""
    found: list[int] = []
    at = joint + 1
    while at < len(texts.pieces) and (at in match.taken or texts.pieces[at].part in _PASSED):
        found += [at] if at in match.taken else []
        at += 1
    return found


def _own_place(k: int, match: Match, texts: Evidence) -> bool:
    """Whether a circumstance of its own stands behind a piece, of which the claim has nothing."""
    after = texts.pieces[k + 1 : k + 2]
    if not after or after[0].part is not Part.PREPOSITION or after[0].lower == "of":
        return False
    at = k + 2
    while at < len(texts.pieces) and texts.pieces[at].part in _PASSED:
        at += 1
    return at < len(texts.pieces) and says(texts.pieces[at]) and at not in match.taken
