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
    verb, head = here.get(match.clause.verb, -1), here.get(head_of(match.clause, claim.pieces), -1)
    if verb < 0 or head < 0 or match.clause.passive or match.frame.passive:
        return
    other = _before(verb, head, match, texts)
    for k in match.clause.members:
        if other < 0 and k in here and k > match.clause.verb and says(claim.pieces[k]):
            other = _between(verb, here[k], match, texts)
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
    if not own or any(k in match.taken for k in own):
        return -1
    at = said - 1
    while at > joint and (texts.pieces[at].part in _PASSED or texts.pieces[at].figure):
        at -= 1
    named = at > joint and texts.pieces[at].part is Part.NAME
    return at if named and at not in match.taken else -1
