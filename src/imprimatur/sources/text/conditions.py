"""The conditions of a text's sentence and the phrases that limit it, where a claim leaves them out.

A condition is a clause ("unless", "if", in general statements also "when"), a restricting relative clause, a phrase
that narrows a general statement, or what "only" singles out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.extract.words import forms
from imprimatur.language import wordnet
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, content_of
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.polarity import denies
from imprimatur.sources.text.sides import TOLD, is_general, is_told, stands
from imprimatur.sources.text.soleness import focused, only_if
from imprimatur.values import Bound
from imprimatur.verdict import Reason

__all__ = ["CASES", "case_of", "conditions", "governed"]

_CONDITIONS = frozenset("if unless provided providing lest".split())

_WHENS = frozenset("when whenever once until till where while before after".split())

#: What opens a clause that says in which case another one holds.
CASES = _CONDITIONS | _WHENS

#: Words that say that it is so in every case.
_WHATEVER = frozenset("whatever whichever regardless irrespective notwithstanding anyway".split())

#: Prepositions whose phrase limits a general statement.
_LIMITING = frozenset(
    "than above below over under within without except after before until during for unlike beyond".split()
)


def conditions(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """The conditions of the text's sentence that the claim leaves out."""
    start, end = _span(match.clause, claim.pieces)
    if only := only_if(match, claim, texts):
        yield Mark(
            reason=Reason.SCOPE_WIDENED, start=start, end=end, detail=f"the text has “{only}”, not “only {only}”"
        )
        return
    whatever = any(claim.pieces[k].lower in _WHATEVER for k in range(*match.clause.reach))
    for frame in _conditional(match.frame, texts):
        if whatever or not _said_in(frame, match, claim, texts):
            said = " ".join(texts.pieces[k].text for k in frame.members)[:120]
            detail = f"only “{frame.opener} {said}”"
            yield Mark(reason=Reason.CONDITION_DROPPED, start=start, end=end, detail=detail)
            return
    for frame in (*_restricting(match.frame, texts), *_narrowing(match, texts)):
        if not _said_in(frame, match, claim, texts):
            said = " ".join(texts.pieces[k].text for k in frame.members)[:120]
            yield Mark(
                reason=Reason.CONDITION_DROPPED, start=start, end=end, detail=f"only what “{frame.opener} {said}”"
            )
            return
    missing = _limiting(match, claim, texts) or focused(match, claim, texts)
    if missing:
        yield Mark(reason=Reason.CONDITION_DROPPED, start=start, end=end, detail=f"only “{missing}”")


def case_of(frame: Frame, texts: Evidence) -> int:
    """The clause of which a frame says in which case it holds, or of what kind; -1 where it is no such frame."""
    before = texts.pieces[frame.members[0] - 2] if frame.members[0] > 1 else None
    if frame.opener in _RELATIVE and before is not None and before.text != ",":
        return frame.lender
    return governed(frame, texts) if frame.opener in CASES else -1


def _restricting(frame: Frame, texts: Evidence) -> Iterator[Frame]:
    """The relative clauses without a comma that say of which subject a general statement holds."""
    if not is_general(frame, texts.pieces) or frame.verb < 0:
        return
    head = texts.pieces[frame.members[0]]
    if (
        head.lower not in ("a", "an", "any", "every", "no", "all")
        and not forms(head.lower).plural
        and not (head.part is Part.NOUN and head.first)
    ):
        return
    for other in texts.frames:
        if other.opener not in ("who", "that", "which") or other.sentence != frame.sentence or not other.members:
            continue
        inside = frame.members[0] < other.members[0] < frame.verb
        before = texts.pieces[other.members[0] - 2] if other.members[0] >= 2 else None
        if inside and before is not None and before.text != ",":
            yield other


def _narrowing(match: Match, texts: Evidence) -> Iterator[Frame]:
    """The relative clauses without a comma that say which of a kind the rest of a general statement is about."""
    if not is_general(match.frame, texts.pieces):
        return
    for other in texts.frames:
        if other.opener not in ("who", "that", "which") or other.sentence != match.frame.sentence or not other.members:
            continue
        at = other.members[0] - 2
        noun = texts.pieces[at] if at >= 0 else None
        behind = at in match.taken and at in match.frame.members and at > match.frame.verb
        if noun is not None and behind and noun.part is Part.NOUN and forms(noun.lower).plural:
            yield other


def _span(frame: Frame, pieces: Sequence[Piece]) -> tuple[int, int]:
    return pieces[frame.members[0]].start, pieces[frame.members[-1]].end


def _conditional(frame: Frame, texts: Evidence) -> Iterator[Frame]:
    """The frames that state a condition of a frame, in its sentence."""
    if frame.opener in CASES:
        return
    general = is_general(frame, texts.pieces)
    for other in texts.frames:
        if other.sentence != frame.sentence or other.number == frame.number:
            continue
        if governed(other, texts) != frame.number or _mainly(other, texts):
            continue
        excepting = texts.pieces[other.members[0]].lower == "except"
        excepting = excepting or (other.opener == "without" and denies(frame, texts))
        if excepting or other.opener in _CONDITIONS or (general and other.opener in _WHENS and not _adds(other, texts)):
            yield other


def _adds(other: Frame, texts: Evidence) -> bool:
    """Whether "where" goes on about a place ("the mountains, where hives are treated")."""
    at = other.members[0] - 2
    return other.opener == "where" and at >= 0 and texts.pieces[at].text == ","


def _mainly(condition: Frame, texts: Evidence) -> bool:
    """ "Especially when": said of other cases too."""
    before = texts.frames[condition.number - 1] if condition.number else None
    words = [texts.pieces[k] for k in before.members if texts.pieces[k].part is not Part.MARK] if before else []
    return bool(words) and words[-1].lower in ("especially", "particularly", "even", "mainly", "mostly", "notably")


def governed(condition: Frame, texts: Evidence | Reading) -> int:
    """The frame that a condition belongs to: the clause before it, or behind it where it opens the sentence."""
    before = texts.frames[condition.number - 1] if condition.number else None
    if before is None or before.sentence != condition.sentence:
        return condition.number + 1
    at = condition.members[0] - 2
    if condition.opener and at >= 0 and texts.pieces[at].lower in ("but", "and"):
        return condition.number + 1  # "…, but once thawed it has to be used"
    while before.opener in _RELATIVE and 0 <= before.lender < before.number:
        before = texts.frames[before.lender]
    return before.number


_RELATIVE = frozenset("who which that whom whose".split())


def _said_in(frame: Frame, match: Match, claim: Reading, texts: Evidence) -> bool:
    """Whether the claim says what a frame of the texts says, at least by half, with words not used for another one."""
    content = content_of(frame, texts.pieces)
    if not content:
        return True
    used = {each.piece for each in match.found if each.other in match.frame.members}
    free = [piece for k, piece in enumerate(claim.pieces) if k not in used]
    said = sum(any(stands(piece, texts.pieces[k]) for piece in free) for k in content)
    return 2 * said >= len(content) and said > 0


def _limiting(match: Match, claim: Reading, texts: Evidence) -> str:
    """A phrase that limits what the frame says and of which the claim says nothing; "" for none."""
    general = is_general(match.frame, texts.pieces)
    denied = any(p.lower in ("not", "n't", "no", "never") for p in (texts.pieces[k] for k in match.frame.members))
    if general and (bounded := _bounded(match, claim, texts)):
        return bounded
    for phrase in _phrases(match.frame, texts.pieces):
        first = texts.pieces[phrase[0]]
        content = [k for k in phrase[1:] if texts.pieces[k].part in TOLD]
        if not content and general and _thereafter(phrase, texts.pieces) and not _placed_so(first, match):
            return " ".join(texts.pieces[k].text for k in phrase)
        if not content or any(k in match.taken or is_told(texts.pieces[k], claim, match) for k in content):
            continue
        only = _only(match.frame, phrase, texts.pieces)
        lasting = first.lower in ("for", "over", "during", "within", "after") and _time(texts.pieces, content)
        stretch = first.lower == "over" and texts.pieces[content[0]].quantity is not None
        limits = first.lower in _LIMITING and general and not (lasting and first.lower == "for") and not stretch
        recurs = general and first.lower in ("on", "in", "at", "during") and _recurring(texts.pieces, content)
        recurs = recurs and not _alternative(phrase, match, texts)
        front = general and phrase[0] < match.frame.verb and _fronted(phrase, match.frame, texts.pieces)
        widened = denied and first.lower not in ("because", "despite", "by") and not _alternative(phrase, match, texts)
        if only or limits or recurs or front or widened:
            return " ".join(texts.pieces[k].text for k in phrase)
    return ""


def _bounded(match: Match, claim: Reading, texts: Evidence) -> str:
    """A bound that narrows a noun which the claim has without it ("particles larger than 0.3 micrometres")."""
    members = match.frame.members
    for n, k in enumerate(members[1:], 1):
        piece = texts.pieces[k]
        if piece.quantity is None or piece.quantity.bound in (Bound.EXACT, Bound.ABOUT) or k in match.taken:
            continue
        back = n - 1
        while back > 0 and texts.pieces[members[back]].part in (Part.ADJECTIVE, Part.DETERMINER, Part.ADVERB):
            back -= 1
        noun = texts.pieces[members[back]]
        if noun.part is Part.NOUN and members[back] in match.taken and not is_told(piece, claim, match):
            return f"{noun.text} {piece.text}"
    return ""


def _fronted(phrase: Sequence[int], frame: Frame, pieces: Sequence[Piece]) -> bool:
    """Whether a phrase stands before the subject ("in damp weather it takes")."""
    start = next(k for k in frame.members if pieces[k].part is not Part.MARK)
    return phrase[0] <= start + 2 and not any(
        pieces[k].part in (Part.NOUN, Part.NAME) for k in frame.members if k < phrase[0]
    )


def _thereafter(phrase: Sequence[int], pieces: Sequence[Piece]) -> bool:
    """ "After that": a condition that points back."""
    return (
        len(phrase) == 2
        and pieces[phrase[0]].lower in ("after", "before", "until")
        and (pieces[phrase[1]].lower in ("that", "this", "then"))
    )


def _placed_so(first: Piece, match: Match) -> bool:
    return first.lower in match.clause.places


def _alternative(phrase: Sequence[int], match: Match, texts: Evidence) -> bool:
    """Whether the phrase is one of several that "or" joins ("on Sundays or in January"), another of which is told."""
    members = match.frame.members
    around = {texts.pieces[k].lower for k in (phrase[0] - 1, phrase[-1], phrase[-1] + 1) if k in members}
    others = [p for p in _phrases(match.frame, texts.pieces) if p[0] != phrase[0]]
    told = any(k in match.taken for other in others for k in other[1:])
    return told and bool(around & {"or", "and", "nor"})


def _time(pieces: Sequence[Piece], content: Sequence[int]) -> bool:
    return any(_unit_of_time(pieces[k]) for k in content)


def _recurring(pieces: Sequence[Piece], content: Sequence[int]) -> bool:
    """Whether a phrase names a time that comes again ("on Mondays", "in winter")."""
    words = [pieces[k] for k in content]
    kinds = {wordnet.noun_kind(lemma) for word in words for lemma, pos in word.lemmas if pos == "n"}
    if any(word.figure for word in words) or "noun.time" not in kinds:
        return False
    return len(words) == 1 and (forms(words[0].lower).plural or words[0].lower in _SEASONS)


_SEASONS = frozenset("spring summer autumn fall winter night daytime weekdays weekends".split())


def _unit_of_time(piece: Piece) -> bool:
    unit = piece.quantity.unit if piece.quantity else None
    return unit is not None and unit.dimension in ((("s", 1),), (("mo", 1),), (("yr", 1),), (("month", 1),))


def _only(frame: Frame, phrase: Sequence[int], pieces: Sequence[Piece]) -> bool:
    """Whether "only" stands right before the phrase."""
    at = phrase[0] - 1
    return at >= 0 and at in frame.members and pieces[at].lower == "only"


def _phrases(frame: Frame, pieces: Sequence[Piece]) -> Iterator[list[int]]:
    """The phrases of a frame that begin with a preposition."""
    current: list[int] = []
    here = ""
    for k, place in zip(frame.members, frame.places, strict=True):
        piece = pieces[k]
        starts = piece.part is Part.PREPOSITION and piece.lower != "of"
        if starts or piece.text == "," or (current and place != here):
            if len(current) > 1:
                yield current
            current, here = ([k], place) if starts else ([], "")
        elif current:
            current.append(k)
    if len(current) > 1:
        yield current
