"""Where, when, to whom: the prepositions before what a clause names, and what they were before in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Found, Match, Spot
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.roles import converse
from imprimatur.verdict import Reason

__all__ = ["bare_objects", "places", "starts"]

_NOMINAL = (Part.NOUN, Part.NAME)
_INSIDE = (Part.ADJECTIVE, Part.NOUN, Part.NAME, Part.PARTICIPLE, Part.NUMBER)
_OWNERS = frozenset("its their his her my our your whose 's \u2019s this that these those".split())
_GROUPS = {
    **dict.fromkeys("before until till".split(), "before"),
    **dict.fromkeys("after since following".split(), "after"),
    **dict.fromkeys("in within inside at on during into onto".split(), "in"),
    **dict.fromkeys("near beside around outside".split(), "near"),
    **dict.fromkeys("above over".split(), "above"),
    **dict.fromkeys("below under beneath underneath".split(), "below"),
    "with": "with",
    "without": "without",
    "for": "for",
    "against": "against",
    **dict.fromkeys("to towards toward".split(), "to"),
    "from": "from",
    "between": "between",
    "through": "through",
    "despite": "despite",
}
#: Groups that may stand for each other.
_ALIKE = (
    *({"in", other} for other in ("to", "from", "for", "with", "between", "through", "above")),
    *({"from", other} for other in ("between", "after", "with", "for")),
    *({"for", other} for other in ("with", "to", "above")),
    {"to", "between"},
)
_SINCE = frozenset(("since", "until", "till"))
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_BEFORE = frozenset("from was were had before previously originally initially first against compared than".split())


def places(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each thing that stands behind a preposition of another kind than in the text."""
    if converse(match, claim, texts):
        return
    for found in match.found:
        if found.other < 0 or found.spot is Spot.NOWHERE:
            continue
        own = _preposition(found.piece, match.clause, claim.pieces)
        if own == "with" and any(claim.pieces[k].part is Part.PARTICIPLE for k in match.clause.members):
            continue  # "with 32 rounds played"
        home = texts.frame_of(found.other)
        if own is None or home is None:
            continue
        mine = claim.pieces[found.piece]
        theirs = [each for each in (_preposition(k, h, texts.pieces) for k, h in _alike(found, mine, texts)) if each]
        if {own, *theirs} == {"for", "to"} and _behind_verbs(found, match, claim, texts):
            yield mark(mine, Reason.ROLES_SWAPPED, f"the text has “{theirs[0]}”")
            continue
        if theirs and not any(_fits(own, each) for each in theirs):
            yield mark(mine, Reason.ROLES_SWAPPED, f"the text has “{theirs[0]}”")


def _behind_verbs(found: Found, match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether a phrase stands behind the same verb in both ("sold it to Bob", "sold it for Bob")."""
    verb, other = match.clause.verb, match.frame.verb
    if verb < 0 or other < 0 or not claim.pieces[verb].lemmas & texts.pieces[other].lemmas:
        return False
    return found.piece > verb and found.other > other and found.other in match.frame.members


def _alike(found: Found, mine: Piece, texts: Evidence) -> Iterator[tuple[int, Frame]]:
    """Where the texts have what a piece stands for, the place that it was found at first."""
    home = texts.frame_of(found.other)
    if home is not None:
        yield found.other, home
    for k, piece in enumerate(texts.pieces):
        if k != found.other and piece.lower == mine.lower and (home := texts.frame_of(k)) is not None:
            yield k, home


def _preposition(k: int, frame: Frame, pieces: Sequence[Piece]) -> str | None:
    """The preposition before a phrase that a piece is the head of; None for none, or where it is within another."""
    if pieces[k].part not in (*_NOMINAL, Part.DATE, Part.NUMBER):
        return None
    if pieces[k].part is Part.DATE and pieces[k].lower.split(" ")[0] in _GROUPS:
        return pieces[k].lower.split(" ")[0]
    n = k - 1
    while n >= 0 and pieces[n].part in _INSIDE:
        n -= 1
    while n >= 0 and (pieces[n].part is Part.DETERMINER or pieces[n].lower in _OWNERS):
        n -= 1
    if n < 0 or n not in frame.members or pieces[n].part is not Part.PREPOSITION:
        return None
    word = pieces[n].lower
    return word if word in _GROUPS else None


def _fits(own: str, their: str) -> bool:
    if own == their:
        return True
    if own in _SINCE or their in _SINCE:
        return False
    mine, theirs = _GROUPS[own], _GROUPS[their]
    return mine == theirs or {mine, theirs} in _ALIKE


def bare_objects(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for an object that the text has only behind a preposition of the same verb ("sold to Bob": "sold Bob").

    Also for a weekday that stands for every one ("on Mondays"), where the text has one.
    """
    verb, other = match.clause.verb, match.frame.verb
    same = verb >= 0 and other >= 0 and bool(claim.pieces[verb].lemmas & texts.pieces[other].lemmas)
    objects = [f for f in match.found if f.piece in match.clause.members and match.clause.place(f.piece) == "obj"]
    things = [f for f in objects if claim.pieces[f.piece].part in _NOMINAL]
    for found in things if same and match.clause.passive is match.frame.passive else ():
        if found.other not in match.frame.members or len(things) > 1:
            continue
        place = match.frame.place(found.other)
        if place in ("to", "for", "from", "with", "against", "by") and found.other > other:
            yield mark(claim.pieces[found.piece], Reason.ROLES_SWAPPED, f"the text has it behind “{place}”")
    for found in match.found:
        mine = claim.pieces[found.piece].lower
        if mine.endswith("s") and mine[:-1] in _WEEKDAYS and found.other >= 0:
            words = {piece.lower for piece in texts.pieces}
            if mine not in words and not words & {"every", "each"}:
                yield mark(claim.pieces[found.piece], Reason.SCOPE_WIDENED, "the text speaks of one day")


def starts(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a number that the text has as the start of a change only ("fell from 2.1 to 1.4": "is 2.1")."""
    for found in match.found:
        if found.other < 1 or not claim.pieces[found.piece].figure or texts.pieces[found.other].date is not None:
            continue
        before, own = texts.pieces[found.other - 1].lower, claim.pieces[max(0, found.piece - 1)].lower
        changes = before == "from" and any(piece.lower == "to" for piece in texts.pieces[found.other : found.other + 4])
        words = {piece.lower for piece in claim.pieces}
        if changes and own != "from" and not words & _BEFORE:
            yield mark(claim.pieces[found.piece], Reason.CONDITION_DROPPED, "the text has it as it was before")
