"""What is denied or excepted, and how far: "no material errors" is not "no errors", "wants it to be" is not "is".

``denied`` gives a mark for a negation on one side only, for a modifier dropped where dropping it says more, and for a
verb that the text has only as what somebody wants or tries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from imprimatur.extract.words import forms
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot, head_of
from imprimatur.sources.text.exact.limbs import limbs_of, placed
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.verdict import Reason

__all__ = ["denied", "limited", "widened"]

_NEGATIVE = frozenset("no not n't never without neither nor nobody none cannot nothing no-one".split())
_HIDDEN = frozenset(
    "fail lack refuse deny absence absent free except only unless until exclude prohibit forbid ban decline reject stop"
    " miss avoid prevent but yet unable impossible dis refrain abstain unchanged longer remain keep hardly barely few"
    " little than".split()
)
_WIDENING = frozenset("no not n't never without neither nor except excluding unless any".split())
_NOMINAL = (Part.NOUN, Part.NAME)
_FAR = 5


def denied(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """The marks for what is denied otherwise."""
    yield from _one_sided(match, claim, texts)
    yield from _wanted(match, claim, texts)


def _negative(pieces: Sequence[Piece]) -> int:
    """How many words deny."""
    return sum(piece.lower in _NEGATIVE or piece.lower.endswith("n't") for piece in pieces)


def _hidden(pieces: Sequence[Piece]) -> set[str]:
    """The words that deny without a negation ("fails to")."""
    words = {word for piece in pieces for word in (piece.lower, *(lemma for lemma, _ in piece.lemmas))}
    return words & _HIDDEN


def _one_sided(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where the clause is denied and the part of the sentence that has its words is not, or the other way."""
    path = placed(match, claim, texts)
    limbs = limbs_of(texts)
    if not path or any(found.sign < 0 for found in match.found):
        return
    claimed = [claim.pieces[k] for k in range(*match.clause.reach)]
    for step in path:
        opening = texts.pieces[limbs.members[limbs.number[step.other]][0]]
        if opening.lower in ("not", "nor", "never") and not _negative(claimed) and not _hidden(claimed):
            yield mark(claim.pieces[step.piece], Reason.NEGATION_MISMATCH, f"the text has “{opening.text}” before it")
            return
    verb = match.clause.verb
    said = [step for step in path if step.piece >= verb] or list(path)
    homes = Counter(limbs.number[step.other] for step in said).most_common(2)
    if len(homes) > 1 and homes[0][1] <= homes[1][1]:
        return
    members = limbs.members[homes[0][0]]
    theirs = [texts.pieces[n] for n in (*range(max(0, members[0] - 2), members[0]), *members)]
    own = [claim.pieces[k] for k in range(*match.clause.reach)]
    reach = [k for k in match.clause.members if claim.pieces[k].part in (*_NOMINAL, Part.VERB, Part.PARTICIPLE)]
    if _hidden(own) != _hidden(theirs) or not reach or len(path) * 2 < len(reach):
        return
    if (_negative(own) > 0) is not (_negative(theirs) > 0):
        inside = [step.other for step in path if step.other in members]
        at = [n for n in members if _negative([texts.pieces[n]])]
        if _negative(theirs) and not any(min(inside) - 3 <= n <= max(inside) for n in at):
            return
        yield mark(claim.pieces[match.clause.members[0]], Reason.NEGATION_MISMATCH, "only one of them denies it")


def widened(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """Marks for nouns whose adjective the claim leaves out where that says more ("no material errors": "no errors")."""
    said = {claim.pieces[k].lower for k in match.clause.members}
    head = head_of(match.clause, claim.pieces)
    general = head >= 0 and _bare_plural(head, claim.pieces)
    if not general and not said & _WIDENING and not any(word.endswith("n't") for word in said):
        return
    for found in match.found:
        piece = claim.pieces[found.piece]
        if found.other < 1 or found.spot is Spot.NOWHERE or piece.part is not Part.NOUN:
            continue
        near = any(claim.pieces[n].lower in _WIDENING for n in range(max(0, found.piece - _FAR), found.piece))
        if not near and not (general and found.piece == head):
            continue
        if found.piece and claim.pieces[found.piece - 1].lower in ("the", "this", "that", "its", "their"):
            continue
        same = [n for n in match.frame.members if texts.pieces[n].lower == texts.pieces[found.other].lower]
        own = [n for n in match.clause.members if claim.pieces[n].lemmas & piece.lemmas]
        after = texts.pieces[same[-1] + 1].lower if same and same[-1] + 1 < len(texts.pieces) else ""
        here = claim.pieces[found.piece + 1].lower if found.piece + 1 < len(claim.pieces) else ""
        if here in ("that", "who", "which", "whose"):
            continue
        if after in ("that", "who", "which") and len(own) >= len(same) and not _reached(same[-1], match, texts):
            yield mark(piece, Reason.CONDITION_DROPPED, f"the text has “{texts.pieces[same[-1]].text} {after} …”")
        before = texts.pieces[found.other - 1]
        if (
            before.part in (Part.ADJECTIVE, Part.NOUN, Part.PARTICIPLE)
            and found.other - 1 not in match.taken
            and not _said(before, claim)
        ):
            yield mark(piece, Reason.SCOPE_WIDENED, f"the text has “{before.text} {texts.pieces[found.other].text}”")


def _bare_plural(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a noun stands for all of a kind: several, without a determiner or number."""
    before = pieces[k - 1] if k else None
    alone = before is None or before.part in (Part.MARK, Part.CONJUNCTION)
    return alone and pieces[k].part is Part.NOUN and forms(pieces[k].lower).plural


def limited(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where the claim leaves out of whom or in which case only the text says it.

    "for those who joined after 30 June", "Should the Supplier deliver late, …", and of what is denied "information
    that was public".
    """
    first = claim.pieces[match.clause.members[0]]
    words = {piece.lower for piece in claim.pieces}
    members = match.frame.members
    for k in members:
        after = texts.pieces[k + 1].lower if k + 1 < len(texts.pieces) else ""
        restricted = texts.pieces[k].lower in _THOSE and after in ("who", "whose", "that", "which")
        if restricted and not words & _RESTRICTING and not _reached(k, match, texts):
            yield mark(first, Reason.CONDITION_DROPPED, f"the text says it of “{texts.pieces[k].text} {after} …”")
    said = [texts.pieces[n].lower for n in _sentence(match, texts)]
    if any(said[n : n + 2] in (["only", "if"], ["only", "when"]) for n in range(len(said))) and not words & _CASES:
        yield mark(first, Reason.CONDITION_DROPPED, "the text has “only if”")
    for frame in texts.frames:
        opening = texts.pieces[frame.members[0]]
        if frame.sentence != match.frame.sentence or not opening.first or opening.lower not in _INVERTED:
            continue
        if opening.part is Part.AUXILIARY and not words & _CASES and "?" not in {p.text for p in texts.pieces}:
            yield mark(first, Reason.CONDITION_DROPPED, f"the text says “{opening.text} …”")


_THOSE = frozenset("those anyone everyone anybody everybody people".split())
_RESTRICTING = _THOSE | frozenset("who whose whoever that".split())
_INVERTED = frozenset("should had were".split())
_CASES = frozenset("if only should when whenever had were case unless once where provided".split())


def _sentence(match: Match, texts: Evidence) -> range:
    """The pieces of the sentence that a frame is in."""
    own = [frame for frame in texts.frames if frame.sentence == match.frame.sentence]
    return range(min(frame.members[0] for frame in own), max(frame.members[-1] for frame in own) + 1)


def _reached(k: int, match: Match, texts: Evidence) -> bool:
    """Whether the claim has something of what follows a word in its sentence part."""
    return any(n in match.taken for n in range(k + 1, min(k + 12, len(texts.pieces))))


def _said(piece: Piece, claim: Reading) -> bool:
    return any(each.lower == piece.lower or each.lemmas & piece.lemmas for each in claim.pieces)


def _wanted(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for a verb that the text has behind "to" after a verb or noun that the claim leaves out."""
    verb, other = match.clause.verb, match.frame.verb
    step = next((each.other for each in match.found if each.piece == verb), other)
    if verb < 1 or step < 2 or claim.pieces[verb - 1].lower == "to" or texts.pieces[step - 1].lower != "to":
        return
    if {claim.pieces[k].lower for k in match.clause.members} & {"to", "will", "should", "must", "shall"}:
        return
    home = texts.frame_of(step - 1) or texts.frame_of(step)
    governing = [n for n in range(max(0, step - 6), step - 1) if texts.pieces[n].part in (Part.VERB, Part.PARTICIPLE)]
    if governing and _hidden([texts.pieces[governing[-1]]]):
        return  # "fails to", "refuses to": a denial
    kept = governing and (governing[-1] in match.taken or _said(texts.pieces[governing[-1]], claim))
    if home is not None and not kept:
        detail = f"the text has it behind “to {texts.pieces[step].text}”"
        yield mark(claim.pieces[verb], Reason.HEDGE_DROPPED, detail)
