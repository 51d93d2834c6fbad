"""How a whole segment is put forward: asserted, asked, supposed, reported, advised, or no statement at all.

Contract: ``classify`` gives the kind of a segment, the spans of clauses that are remarks (the rest is still to be
checked) and the spans of markers that change nothing ("I believe", "Did you know that", "according to Bob").
``ASSERTED`` is the answer in every doubt, since what is asserted is licensed by evidence only: a question, condition,
report or instruction in which a statement may hide ("Why is the Nile in Peru?", "If you look at the map, the Nile is
in Peru") is asserted. A hedge changes nothing. Time is linear; nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.claim import Modality
from imprimatur.language import closed_class
from imprimatur.language._remarks import Remark, comparable, has_any, indirect_question, remark

__all__ = ["SegmentKind", "SegmentModality", "advice", "classify", "conditional", "reported_from"]

Span = tuple[int, int]
#: Characters; what a longer text is, is found anew each time.
_MOST_KEPT = 2000
_MODALITIES = frozenset(modality.value for modality in Modality)


class SegmentKind(StrEnum):
    """What a segment does. Only ``ASSERTED``, ``ATTRIBUTED`` and ``HYPOTHETICAL`` hold statements."""

    ASSERTED = "asserted"
    ASKED = "asked"
    HYPOTHETICAL = "hypothetical"
    ATTRIBUTED = "attributed"
    INSTRUCTION = "instruction"
    GREETING = "greeting"
    META = "meta"


@dataclass(frozen=True, slots=True)
class SegmentModality:
    """The kind of a segment; ``meta_spans`` and ``marker_spans`` are in order, offsets in the segment's text."""

    kind: SegmentKind
    meta_spans: tuple[Span, ...] = ()
    marker_spans: tuple[Span, ...] = ()

    @property
    def modality(self) -> Modality | None:
        """The modality of the segment's claims; None where there can be none."""
        return Modality(self.kind.value) if self.kind.value in _MODALITIES else None


def classify(text: str, *, tokens: Sequence[str] | None = None) -> SegmentModality:
    """How ``text``, one segment, is put forward.

    Args:
        text: the words of the segment; straight and curly apostrophes alike.
        tokens: its lower-case tokens where the caller has them; only whether there are any words is read from them.
    """
    if tokens is not None and not tokens:
        return SegmentModality(SegmentKind.META)
    return _kept(text) if len(text) <= _MOST_KEPT else _classified(text)


@lru_cache(maxsize=512)
def _kept(text: str) -> SegmentModality:
    return _classified(text)


def _classified(text: str) -> SegmentModality:
    plain = text.replace("\u2019", "'").replace("\u00a0", " ")
    spans, kind = _remarks(plain)
    markers = tuple(sorted(_markers(plain)))
    if kind is not None:
        return SegmentModality(kind, spans, markers)
    first = _first_word(plain)
    opening = max((end for start, end in (*spans, *markers) if start <= first < end), default=0)
    kind = _kind(plain[opening:].lstrip(" ,"))
    if kind is SegmentKind.ASKED and any(start <= first for start, _ in markers):
        kind = SegmentKind.ASSERTED  # "Did you know that ...?" tells
    return SegmentModality(kind, spans, markers)


_CLAUSE_END = expression(
    r"(?:[.!?\u2026\u3002\uff01\uff1f](?=[\s\"')\u201d]|\Z)|[\u3002\uff01\uff1f;,:\u2014]|\s\u2013\s)(?:\s?(?:but|so|though|although"
    r"|however|and)\b)?|\b(?:but|though|although)\b",
    re.IGNORECASE,
)
_EDGES = " \t\r\n.!?\u2026\u3002\uff01\uff1f,;:\u2014\u2013\"'()*_\u201c\u201d\u060c\u061f\u0964\u3001"


def _first_word(text: str) -> int:
    return next((index for index, char in enumerate(text) if not char.isspace()), 0)


def _clauses(text: str) -> list[Span]:
    """The spans between clause marks, without white space and punctuation around; empty ones are left out."""
    cuts = [0, *(edge for match in _CLAUSE_END.finditer(text) for edge in match.span()), len(text)]
    found = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip(_EDGES))
        right = start + len(piece.rstrip(_EDGES))
        if left < right:
            found.append((left, right))
    return found


def _remarks(text: str) -> tuple[tuple[Span, ...], SegmentKind | None]:
    """The clauses that are remarks, and META or GREETING when all of them are."""
    whole = " ".join(text.strip(_EDGES).split())
    found = remark(whole)
    if found is Remark.META:
        return ((_first_word(text), len(text.rstrip())),) if text.strip() else (), SegmentKind.META
    clauses = _clauses(text)
    said = (text[start:end] for start, end in clauses)
    kinds = [found if clause == whole else remark(clause) for clause in said]
    for index in range(len(kinds) - 1):  # "Where it starts, I can't tell you"
        if kinds[index] is None and kinds[index + 1] is Remark.META and indirect_question(text[slice(*clauses[index])]):
            kinds[index] = Remark.META
    kinds = [_settled(kind, kinds) for kind in kinds]
    spans = tuple(clause for clause, kind in zip(clauses, kinds, strict=True) if kind is not None)
    if None in kinds:
        return spans, None
    return spans, SegmentKind.GREETING if set(kinds) == {Remark.GREETING} else SegmentKind.META


def _settled(kind: Remark | None, kinds: list[Remark | None]) -> Remark | None:
    """An offer is a remark only beside another one ("If you need more, let me know")."""
    return None if kind is Remark.OFFER and Remark.META not in kinds else kind


_MARKERS = (
    r"\A\s*(?:(?:so|and|but|well),? )?(?:did|do) you know that\b|\A\s*did you know,?(?= )"
    r"(?! (?:what|where|when|who|which|whose|how|why|if|whether)\b)"
    r"|\A\s*(?:please )?(?:note|remember|keep in mind|bear in mind|recall)(?: that\b|,)"
    r"|\A\s*it (?:is|'s) (?:worth noting|important to note|interesting to note|well known|known) that\b"
    r"|\A\s*it should be noted that\b"
    r"|\A\s*what (?:(?:we|i|people|scholars) (?:do |can )?(?:know|say|confirm)|is (?:well )?known)"
    r"(?: for (?:sure|certain)| with certainty)? is that\b"
    r"|\A\s*(?:interestingly|notably|importantly|surprisingly|in my opinion|in my view),"
    r"|\A\s*(?:scientists|experts|researchers|historians|scholars|many|some|people) (?:say|believe|think|agree) that\b"
    r"|,? (?:isn't it|doesn't it|aren't they|don't they|wasn't it|didn't it|right|correct)\?"
    r"|(?:\A\s*|, )according to (?!.{0,60}\b(?:who|which|that|whose|\w+ing)\b)[^,.;:\d()]{1,60}(?:,|(?=\.?\s*\Z))"
)
#: Of these every marker that is no hedge holds one.
_IN_MARKERS = ("that", "you know", "note,", "remember,", "mind,", "recall,", "ly,", "in my ", "?", "according to")
_HYPHEN = "\u2010\u2011-"


@cache
def _hedges() -> tuple[str, ...]:
    entries = [*closed_class.words("hedge"), *(" ".join(phrase) for phrase in closed_class.phrases("hedge"))]
    return tuple(sorted(entries, key=lambda entry: (-len(entry), entry)))


@cache
def _marker_pattern() -> re.Pattern[str]:
    hedges = "|".join(map(re.escape, _hedges()))
    return re.compile(rf"{_MARKERS}|(?<![\w{_HYPHEN}])(?:{hedges})(?![\w{_HYPHEN}])", re.IGNORECASE)


@cache
def _marking() -> tuple[str, ...]:
    """Parts of words of which every marker holds one."""
    parts = {*_IN_MARKERS, *(max(hedge.split(), key=len) for hedge in _hedges())}
    return tuple(sorted(part for part in parts if not any(other in part for other in parts - {part})))


def _markers(text: str) -> list[Span]:
    if not has_any(comparable(text), _marking()):
        return []
    found = []
    for match in _marker_pattern().finditer(text):
        raw = match.group()
        left = match.start() + len(raw) - len(raw.lstrip(" ,\t\r\n"))
        found.append((left, match.end()))
    return found


def _kind(text: str) -> SegmentKind:
    """The kind of a segment without the remark or marker before it."""
    for kind, test in _TESTS:
        if test(text):
            return kind
    return SegmentKind.ASSERTED


_NAME = r"(?:[Hh]e|[Ss]he|[Tt]hey|[A-Z][\w.'-]{0,40}(?: (?:[A-Z][\w.'-]{0,40}|of|de|van|von)){0,4})"
_NOT_NAMED = expression(
    r"(?:The|A|An|Let|It|This|That|I|We|You|There|In|Some|Many|Most|People|Scientists|Researchers|Experts|Historians"
    r"|Scholars|Critics|Studies|Reports|Sources|Evidence|Everyone|Nobody)\b"
)
_SPOKE = r"(?:said|says|say)"
_SPOKE_THAT = (
    r"(?:said|says|say|claimed|claims|claim|believed|believes|believe|thought|thinks|think|argued|argues|argue|stated"
    r"|states|wrote|writes|reported|reports|insisted|insists|suggested|suggests|asserted|asserts|maintained|maintains"
    r"|alleged|alleges|announced|announces|denied|denies|told \w{1,20})"
)
_REPORTED = expression(rf"{_NAME} (?:{_SPOKE}(?:,|:)? |{_SPOKE_THAT} that )")
_QUOTED = expression(
    rf"[\"\u201c][^\"\u201c\u201d]{{1,2000}}[\"\u201d],? ?(?:{_SPOKE_THAT} {_NAME}|{_NAME} {_SPOKE_THAT})[.!]?\s*"
)
_ASIDE = expression(
    r"[;\u2014()]|\s\u2013\s|, (?:and|but|so|which|who|whose|where|because|since|as)\b"
    r"|\b(?:because|since|although|whereas)\b|[.!?]\s{1,9}\S",
    re.IGNORECASE,
)


def _is_attributed(text: str) -> bool:
    if _NOT_NAMED.match(text):
        return False
    if _QUOTED.fullmatch(text):
        return True
    return _REPORTED.match(text) is not None and not _ASIDE.search(text)


_DENYING = expression(r"\bden(?:y|ies|ied)\b", re.IGNORECASE)


def reported_from(text: str) -> int:
    """Where what is reported begins in "Bob said that …", in code points; 0 where that is not told, or denied."""
    found = _REPORTED.match(text)
    return found.end() if found is not None and not _DENYING.search(found.group()) else 0


_QUESTION_END = expression(r"[?\uff1f\u061f][!?]*[\"')\u201d\s*_]*\Z")
#: A sentence that has come to its end before it is marked as a question: "A feeds B.?!"
_STATED_BEFORE = expression(r"[.!\u2026\u3002][\"')\u201d*_]*[?\uff1f\u061f][!?]*[\"')\u201d\s*_]*\Z")
_QUESTION_START = expression(
    r"(?:(?:and|so|but|or|then|now|well|ok|okay),? )?(?:(?:in|on|at|of|by|from|to|for|with|into|through) )?"
    r"(?:what|which|where|when|who|whom|whose|how|am|are|is|was|were|do|does|did|have|has|had|can|could|may|might|shall"
    r"|should|will|would|isn't|aren't|doesn't|don't|didn't|wasn't|weren't|hasn't|can't|couldn't|won't|wouldn't)\b",
    re.IGNORECASE,
)
_WHY = expression(r"(?:(?:and|so|but|then),? )?(?:why\b|how come\b)", re.IGNORECASE)
_FACTIVE_QUESTION = expression(
    r"(?:did|do|have|had|are|were|can|who|is|isn't|wasn't|aren't|would|doesn't|don't) .{0,60}?\bthat (?!\W)"
    r"|who (?:knew|would have)\b|(?:have you (?:heard|noticed)|did you (?:hear|notice))\b",
    re.IGNORECASE,
)
_IS_IT_TRUE = expression(r"(?:is|isn't) it (?:true|correct|possible|the case) that\b", re.IGNORECASE)
_INVERTED = expression(
    r"(?:do|does|did) (?:the|a|an|it|he|she|they|you|we|this|that|these|those|(?-i:[A-Z]))", re.IGNORECASE
)


def _is_asked(text: str) -> bool:
    marked = _QUESTION_END.search(text) is not None
    if not marked and ("," in text or not _INVERTED.match(text)):
        return False
    if _ASIDE.search(text) or _WHY.match(text) or (text.count(",") > 1 and " or " not in text):
        return False
    if not marked:
        return True
    if _STATED_BEFORE.search(text) and not (_QUESTION_START.match(text) or _INVERTED.match(text)):
        return False
    if _FACTIVE_QUESTION.match(text) and not _IS_IT_TRUE.match(text):
        return False
    return _QUESTION_START.match(text) is not None or not re.search(r"[,:]", text)


_SUPPOSED = expression(
    r"(?:suppose|supposing|assume|assuming|imagine|let's (?:say|assume|suppose)|let us (?:say|assume|suppose))\b"
    r"(?!,? (?:the following|nothing)\b)",
    re.IGNORECASE,
)
_CONDITION = expression(
    r"(?:and |but |so |then )?(?:if|unless|provided that|providing that|in case|on condition that)\b"
    r"(?! (?:you|one|we|i|you're|we're|i'm|so|not|anything|any|only|needed|necessary|possible)\b)",
    re.IGNORECASE,
)
_LATE_CONDITION = expression(
    r" (?<!\beven )(?<!\bas )(?<!\bonly )(?<!\bsee )(?<!\bask )(?<!\bknow )(?<!, )"
    r"(?:if|unless|provided that|on condition that)\b(?! (?:you|one|we|i|not|so|only|any|anything)\b)",
    re.IGNORECASE,
)
_COUNTERFACTUAL = expression(r"(?:had|were|should) [^,]{1,80}, [^,]{0,60}\b(?:would|could|might)\b", re.IGNORECASE)


def _is_hypothetical(text: str) -> bool:
    supposed, whole = _SUPPOSED.match(text) is not None, "," not in text
    if not (supposed or _CONDITION.match(text) or _COUNTERFACTUAL.match(text)):
        supposed = whole and _LATE_CONDITION.search(text) is not None
        if not supposed:
            return False
    if _ASIDE.search(text) or text.count(",") > 1 or _QUESTION_END.search(text):
        return False
    return whole or not supposed


def conditional(text: str) -> bool:
    """Whether a segment says what holds under a condition ("if it rains, …"), and does not merely suppose something."""
    plain = text.replace("\u2019", "'").replace("\u00a0", " ").lstrip(" ,\"'")
    return not (_SUPPOSED.match(plain) or _COUNTERFACTUAL.match(plain))


_ADVICE = expression(
    r"(?:please |always |first |then |next |finally )?(?:check|consult|see|read|ask|call|contact|visit|note|review"
    r"|verify|seek|talk to|speak to|look at|refer to) (?:with )?\w+(?: \w+){0,3}[.!]*\s*",
    re.IGNORECASE,
)


def advice(text: str) -> bool:
    """Whether an instruction only says where to look or whom to ask, in a few words ("Please consult a doctor.")."""
    return _ADVICE.fullmatch(text.strip()) is not None


_IMPERATIVE = expression(
    r"(?:please |always |first |then |next |finally )?(?:do not |don't |never |make sure to |be sure to )?"
    r"(?:check|consult|see|read|take|use|keep|ask|call|contact|visit|try|avoid|note|consider|add|mix|stir|click|open"
    r"|press|follow|store|wash|write|review|verify|compare|choose|select|enter|submit|run|install|seek|talk to|speak to"
    r"|look at|refer to) (?:the|a|an|your|this|these|those|it|them|any|all|sure|with|whether|medical|professional|local"
    r"|official|another)\b",
    re.IGNORECASE,
)
_NOT_ADVICE = expression(
    r"[\d:]|\b(?:that|who|which|whose|where|is|are|was|were|has|had|will|would|because|since|as|than)\b"
    r"|(?<=\w) (?!Dr\b)[A-Z]",
)


def _is_instruction(text: str) -> bool:
    rest = text[1:] if text else text
    return _IMPERATIVE.match(text) is not None and not (_ASIDE.search(text) or _NOT_ADVICE.search(rest) or "," in text)


_TESTS = (
    (SegmentKind.ATTRIBUTED, _is_attributed),
    (SegmentKind.HYPOTHETICAL, _is_hypothetical),
    (SegmentKind.ASKED, _is_asked),
    (SegmentKind.INSTRUCTION, _is_instruction),
)
