"""Whether a text asserts what a clause says, or only asks, supposes, reports, wants or denies it.

"If Alice worked at Acme", "Does Alice work at Acme?", "Bob said that Alice works at Acme" and "Alice met the owner of
Acme" are no evidence for what they speak of. Verbs that vouch for what follows ("tests showed that") are. Invariant: a
claim that keeps the reserve in its own words ("Bob said that …") gets no mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from imprimatur.language import wordnet
from imprimatur.language.degree import superlative
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, Spot, head_of
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import light, likeness
from imprimatur.verdict import Reason

__all__ = ["graded_up", "unasserted"]

_SUPPOSING = frozenset("if unless whether lest".split())
_CASES = _SUPPOSING | frozenset("when whenever where once provided".split())
_RELATIVE = frozenset("who which that".split())
_VERBS = (Part.VERB, Part.PARTICIPLE)
#: Verbs of saying and thinking that vouch for what follows.
_VOUCHING = frozenset(
    (
        "show find confirm discover note reveal know prove demonstrate learn realise realize notice establish verify "
        "remember recall mean ensure observe see record document conclude determine"
    ).split()
)
#: Verbs behind which the other verb still says what happened ("began to rise").
_KEEPING = frozenset("begin start continue manage help proceed go come happen keep".split())
_DENYING = frozenset("deny doubt dispute refute reject".split())


def unasserted(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where the frame does not assert what the clause says."""
    if match.clause.opener in _CASES or match.clause.verb < 0:
        return
    governor = _governor(match, claim, texts)
    if governor is not None:
        yield _mark(match, claim, Reason.HEDGE_DROPPED, f"the text has “{governor.text}”")
        return
    if _asked(match.frame, texts):
        yield _mark(match, claim, Reason.HEDGE_DROPPED, "the text only asks it")
        return
    if not _stated(match, claim, texts):
        return
    frame = match.frame
    if frame.opener in _SUPPOSING:
        if match.clause.opener in _RELATIVE:
            return  # "a contract that was signed under duress is void": a case of its own
        yield _mark(match, claim, Reason.CONDITION_DROPPED, f"the text has it behind “{frame.opener}” only")
    elif _would(frame, texts) and not any(piece.lower in ("would", "could", "might") for piece in claim.pieces):
        yield _mark(match, claim, Reason.HEDGE_DROPPED, "the text says what would be")
    elif phrase := _past(match, claim, texts):
        yield _mark(match, claim, Reason.CONDITION_DROPPED, f"the text says it of the past: {phrase}")
    elif _coming(match, claim, texts):
        yield _mark(match, claim, Reason.HEDGE_DROPPED, "the text says what will be")
    elif (verb := _reporter(frame, texts)) is not None and not _kept(verb, claim):
        yield _mark(match, claim, Reason.ATTRIBUTED, f"the text has it behind “{verb.text} that”")


def graded_up(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each superlative of the clause for which the text has the plain word only."""
    for found in match.found:
        piece = claim.pieces[found.piece]
        base = superlative(piece.lower)
        if base is None or found.other < 0 or piece.lower == texts.pieces[found.other].lower:
            continue
        text = texts.pieces[found.other]
        if any(lemma == base for lemma, _ in text.lemmas) and not superlative(text.lower):
            detail = f"the text has “{text.text}”"
            yield Mark(reason=Reason.SCOPE_WIDENED, start=piece.start, end=piece.end, detail=detail)


def _mark(match: Match, claim: Reading, reason: Reason, detail: str) -> Mark:
    own = [claim.pieces[k] for k in match.clause.members]
    return Mark(reason=reason, start=own[0].start, end=own[-1].end, detail=detail)


def _stated(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the clause says what the frame's own verb says."""
    verb = match.frame.verb
    if verb < 0:
        return False
    copulas = texts.pieces[verb].part is claim.pieces[match.clause.verb].part is Part.AUXILIARY
    return verb in match.taken or copulas


def _asked(frame: Frame, texts: Evidence) -> bool:
    """Whether the frame's sentence ends with a question mark."""
    last = max(k for other in texts.frames if other.sentence == frame.sentence for k in other.members)
    after = texts.pieces[last + 1 : last + 3]
    return any(piece.text == "?" for piece in after[:1])


def _past(match: Match, claim: Reading, texts: Evidence) -> str:
    """What puts the frame in the past ("in 2010", "until May", "used to") where the clause is in the present; or ""."""
    mine = [claim.pieces[k] for k in match.clause.members]
    theirs = [texts.pieces[k] for k in match.frame.members]
    if not any(piece.lower in _PRESENT for piece in mine) or any(piece.date is not None for piece in claim.pieces):
        return ""
    if any(a.lower == "used" and b.lower == "to" for a, b in pairwise(theirs)):
        return "used to"
    if not any(piece.lower in ("had", "was", "were") for piece in theirs):
        return ""
    return next((piece.text for piece in theirs if piece.date is not None), "")


_PRESENT = frozenset("is are has have".split())


def _coming(match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the text says what will be, and the clause that it is, without a time."""
    mine = [claim.pieces[k] for k in match.clause.members]
    if any(piece.figure or piece.lower[:1].isdigit() for piece in claim.pieces):
        return False
    will = any(texts.pieces[k].lower in ("will", "'ll") for k in match.frame.members)
    return will and bool(mine) and claim.pieces[match.clause.verb].lower in ("is", "are", "has", "have")


def _would(frame: Frame, texts: Evidence) -> bool:
    return any(texts.pieces[k].lower in ("would", "'d") for k in frame.members)


def _reporter(frame: Frame, texts: Evidence) -> Piece | None:
    """The verb behind which somebody says, thinks or denies what the frame says; None for one that vouches for it."""
    if frame.opener != "that" or frame.members[0] < 2:
        return None
    verb = texts.pieces[frame.members[0] - 2]
    verbs = [lemma for lemma, pos in verb.lemmas if pos == "v"]
    if verb.part not in _VERBS or any(each in _VOUCHING for each in verbs):
        return None
    home = texts.frame_of(frame.members[0] - 2)
    saying = any(wordnet.verb_kind(each) in ("verb.communication", "verb.cognition", "verb.emotion") for each in verbs)
    denying = any(each in _DENYING for each in verbs)
    return verb if denying or (saying and home is not None and _personal(home, texts)) else None


def _personal(frame: Frame, texts: Evidence) -> bool:
    """Whether the subject of a frame is somebody, not a report or a study."""
    head = head_of(frame, texts.pieces)
    if head < 0:
        return any(texts.pieces[k].part is Part.PRONOUN and texts.pieces[k].lower != "it" for k in frame.members)
    piece = texts.pieces[head]
    kinds = {wordnet.noun_kind(lemma) for lemma, pos in piece.lemmas if pos == "n"}
    return piece.part is Part.NAME or bool(kinds & {"noun.person", "noun.group"}) or piece.first


def _kept(verb: Piece, claim: Reading) -> bool:
    """Whether the claim names the saying too."""
    return any(piece.lower == "according" or likeness(piece, verb) == 1 for piece in claim.pieces)


def _governor(match: Match, claim: Reading, texts: Evidence) -> Piece | None:
    """The frame's verb, where the clause has for its own verb another word of the frame that depends on it."""
    frame = match.frame
    found = next((each for each in match.found if each.piece == match.clause.verb), None)
    if found is None or found.spot is not Spot.HERE or frame.verb < 0 or found.other == frame.verb:
        return None
    main, text = texts.pieces[frame.verb], texts.pieces[found.other]
    if main.part is Part.AUXILIARY:
        return _quality(found.other, match, claim, texts)
    if main.part not in _VERBS or light(main) or frame.verb in match.taken or found.other < frame.verb:
        return None
    if light(claim.pieces[match.clause.verb]) or any(lemma in _KEEPING for lemma, _ in main.lemmas):
        return None
    if any(likeness(piece, main) == 1 for piece in claim.pieces):
        return None
    if text.part in _VERBS:
        return main
    mine, theirs = head_of(match.clause, claim.pieces), head_of(frame, texts.pieces)
    same = any(each.piece == mine and each.other == theirs for each in match.found)
    return main if same and text.part is Part.NOUN else None


def _quality(verb: int, match: Match, claim: Reading, texts: Evidence) -> Piece | None:
    """The adjective between a copula and "to", where the clause has only the verb behind it ("too small to see")."""
    between = [k for k in match.frame.members if match.frame.verb < k < verb]
    to = next((k for k in between if texts.pieces[k].lower == "to"), None)
    if to is None:
        return None
    words = [texts.pieces[k] for k in between if k < to and texts.pieces[k].part in (Part.ADJECTIVE, Part.NOUN)]
    return next((w for w in words if not any(likeness(piece, w) == 1 for piece in claim.pieces)), None)
