"""What a claim has in another order than the text where the order tells which belongs to which.

"220 °C for 15 minutes, then 180 °C for 30" is not "180 °C for 15 minutes, then 220 °C for 30"; "replaced by heparin" is
not "heparin was replaced"; of two lists with "respectively" the first goes with the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from imprimatur.extract.words import BE
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, head_of
from imprimatur.sources.text.exact.limbs import PERSONAL, Step, preposition
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.roles import converse, mirrored
from imprimatur.sources.text.words import likeness
from imprimatur.verdict import Reason

__all__ = ["shuffled"]

_VERBS = (Part.VERB, Part.PARTICIPLE)
_SIDES = ({"left", "right"}, {"upper", "lower"}, {"inner", "outer"}, {"front", "rear"})


def shuffled(path: Sequence[Step], match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """The marks for words in each other's places."""
    yield from _other_side(path, match, claim, texts)
    yield from _exchanged_pairs(path, claim, texts)
    yield from _exchanged_names(path, match, claim, texts)
    yield from _changed_places(path, match, claim, texts)
    yield from _respectively(path, claim, texts)


def _other_side(path: Sequence[Step], match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a subject that the text has behind the same verb in the same voice ("replaced by heparin")."""
    verb, head = match.clause.verb, head_of(match.clause, claim.pieces)
    places = {step.piece: step.other for step in path}
    places.update({each.piece: each.other for each in match.found if each.other >= 0 and each.piece == verb})
    if verb < 0 or head < 0 or verb not in places or head not in places or converse(match, claim, texts):
        return
    if mirrored(match, claim, texts):
        return
    other, at = places[verb], places[head]
    mine, theirs = claim.pieces[verb], texts.pieces[other]
    if at < other and mine.part in _VERBS and theirs.part in _VERBS and mine.lemmas & theirs.lemmas:
        yield from _other_voice(at, other, head, match, claim, texts)
    if at < other or mine.lower in BE or mine.lower != theirs.lower:
        return
    home, there = texts.frame_of(other), texts.frame_of(at)
    if home is None or there is None or home.sentence != there.sentence:
        return
    between = texts.pieces[other + 1 : at]
    if any(piece.part in (Part.VERB, Part.AUXILIARY) or piece.text in (",", ";") for piece in between):
        return
    agent = any(piece.lower == "by" for piece in between[:2])
    before = [texts.pieces[n] for n in home.members if n < other]
    subject = any(piece.part in (Part.NOUN, Part.NAME) or piece.lower in PERSONAL for piece in before)
    clear = home.verb == other and subject and (not home.passive or _has_auxiliary(other, texts))
    if match.clause.passive is agent if theirs.part in _VERBS and agent else clear and not match.clause.passive:
        yield mark(claim.pieces[head], Reason.ROLES_SWAPPED, f"the text has it behind “{theirs.text}”")


def _other_voice(at: int, other: int, head: int, match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a subject that does in the text what is done to it in the claim, or the other way."""
    home = texts.frame_of(other)
    if home is None or home is not texts.frame_of(at) or home.verb != other or head_of(home, texts.pieces) != at:
        return
    passive = _has_auxiliary(other, texts) and home.passive
    mine = match.clause.passive and any(claim.pieces[k].lower in BE for k in match.clause.members)
    if mine is not passive and (mine or passive):
        yield mark(claim.pieces[head], Reason.ROLES_SWAPPED, f"the text has “{texts.pieces[other].text}” of it")


def _has_auxiliary(verb: int, texts: Evidence) -> bool:
    return any(piece.lower in BE for piece in texts.pieces[max(0, verb - 3) : verb])


def _exchanged_pairs(path: Sequence[Step], claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """Marks where two of a kind are in the order of the text, and two of another kind are not."""
    pairs: dict[str, list[tuple[Step, bool]]] = {}
    for one, other in combinations(path, 2):
        kind = _kind(claim.pieces[one.piece], claim.pieces[other.piece])
        if kind and one.other != other.other:
            pairs.setdefault(kind, []).append((other, one.other < other.other))
    kept = {kind for kind, found in pairs.items() if all(same for _, same in found)}
    turned = {kind: found for kind, found in pairs.items() if not any(same for _, same in found)}
    for kind, found in turned.items():
        if kind == "thing":
            continue
        others = kept - {kind} if kind.startswith("number") else kept - {kind, "thing"}
        if kind.startswith("number") and len(found) == 1 and _part_of(found[0][0], claim):
            continue  # "five of the 32"
        same = all(_placed_alike(step, claim, texts) for step, _ in found)
        if kind.startswith("number") and same and not (kept - {kind, "thing"}):
            continue  # "to 30% from 20%"
        if others or (kind == "side" and not _reversed_degree(claim, texts)):
            yield mark(claim.pieces[found[0][0].piece], Reason.ROLES_SWAPPED, "the text has them in the other order")


def _changed_places(path: Sequence[Step], match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where of two things each stands behind the preposition that the text has before the other."""
    if (
        match.clause.passive is not match.frame.passive
        or converse(match, claim, texts)
        or _reversed_degree(claim, texts)
    ):
        return
    placed = [
        (step, preposition(step.piece, claim.pieces), preposition(step.other, texts.pieces))
        for step in path
        if claim.pieces[step.piece].part in (Part.NOUN, Part.NAME, Part.ADJECTIVE)
    ]
    for (one, mine, theirs), (other, own, their) in combinations(placed, 2):
        if (
            mine != own
            and mine == their
            and own == theirs
            and "" in (mine, own)
            and _names(one, other, claim) | ("of" not in (mine, own))
        ):
            first, last = min(one.piece, other.piece), max(one.piece, other.piece)
            if first in match.clause.members and last in match.clause.members:
                yield mark(claim.pieces[one.piece], Reason.ROLES_SWAPPED, "the text has them in each other's places")


def _names(one: Step, other: Step, claim: Reading) -> bool:
    return all(claim.pieces[step.piece].part is Part.NAME for step in (one, other))


def _kind(one: Piece, other: Piece) -> str:
    """Of what kind two words both are, so that their order may tell: numbers of one unit, or names, or opposites."""
    if one.figure and other.figure:
        if one.date is not None or other.date is not None or not comparable(one, other):
            return ""
        unit = one.quantity.unit if one.quantity is not None else None
        return f"number {unit.symbol if unit is not None else ''}"
    if {one.lower, other.lower} in _SIDES:
        return "side"
    if one.part is other.part is Part.NAME and not (one.label or other.label):
        return "name"
    things = (Part.NOUN, Part.NAME)
    if one.part in things and other.part in things and not (one.label or other.label):
        return "thing"
    if {one.lower, other.lower} in _SIDES or (one.part is other.part is Part.ADJECTIVE and likeness(one, other) < 0):
        return "side"
    return ""


def _exchanged_names(path: Sequence[Step], match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for two names behind one verb that each stand where the text has the other."""
    verb, other = match.clause.verb, match.frame.verb
    if verb < 0 or other < 0 or not claim.pieces[verb].lemmas & texts.pieces[other].lemmas:
        return
    if match.clause.passive is not match.frame.passive or mirrored(match, claim, texts):
        return
    behind = [s for s in path if s.piece > verb and s.other > other and claim.pieces[s.piece].part is Part.NAME]
    for one, two in combinations(behind, 2):
        between = {piece.lower for piece in claim.pieces[one.piece : two.piece]}
        if one.other <= two.other or between & {"and", "or", ","} or two.other + 1 == one.other:
            continue
        mine = [preposition(s.piece, claim.pieces) for s in (one, two)]
        theirs = [preposition(s.other, texts.pieces) for s in (two, one)]
        if mine == theirs:
            yield mark(claim.pieces[one.piece], Reason.ROLES_SWAPPED, "the text has them in each other's places")


def _placed_alike(step: Step, claim: Reading, texts: Evidence) -> bool:
    """Whether a number has the same preposition in both, which tells it from the others ("from", "to")."""
    own = preposition(step.piece, claim.pieces)
    return own in ("from", "to", "between") and own == preposition(step.other, texts.pieces)


def _part_of(step: Step, claim: Reading) -> bool:
    """Whether a number is a whole of which a part is named before ("five of the 32 beds")."""
    return preposition(step.piece, claim.pieces) == "of" or claim.pieces[max(0, step.piece - 1)].lower in (
        "'s",
        "\u2019s",
    )


def _reversed_degree(claim: Reading, texts: Evidence) -> bool:
    """Whether a comparison is said from the other end ("better in the right than …", "worse in the left than …")."""
    return any(likeness(a, b) < 0 for a in claim.pieces for b in texts.pieces if _degree(a) and _degree(b))


def _degree(piece: Piece) -> bool:
    return piece.part in (Part.ADJECTIVE, Part.ADVERB) and piece.lower not in ("left", "right")


def _respectively(path: Sequence[Step], claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """Marks for numbers of a list with "respectively" that the claim gives to another than the one at its place."""
    if not any(piece.lower == "respectively" for piece in texts.pieces):
        return
    figures = [step for step in path if claim.pieces[step.piece].quantity is not None]
    names = [step for step in path if claim.pieces[step.piece].part in (Part.NAME, Part.NOUN)]
    for step in figures:
        listed = _list_of(step.other, texts)
        place = listed.index(step.other)
        others = [each for each in names if len(_list_of(each.other, texts)) == len(listed) > 1]
        near = min(others, key=lambda each: abs(each.piece - step.piece), default=None)
        if near is None or len(figures) > 1:
            continue
        if _list_of(near.other, texts).index(near.other) != place:
            yield mark(claim.pieces[step.piece], Reason.ROLES_SWAPPED, "the text gives it to another of them")


def _list_of(k: int, texts: Evidence) -> list[int]:
    """The places of what is listed with a piece: of its part, with only commas, "and" and its own words between."""
    part = texts.pieces[k].part
    found = [k]
    for step in (-1, 1):
        n, since = k + step, 0
        while 0 <= n < len(texts.pieces) and since <= 3:
            piece = texts.pieces[n]
            if piece.part is part and (n - step != (found[-1] if step > 0 else found[0])):
                found = [n, *found] if step < 0 else [*found, n]
                since = 0
            elif piece.part in (Part.VERB, Part.AUXILIARY, Part.PREPOSITION):
                break
            n += step
            since += 1
    return found
