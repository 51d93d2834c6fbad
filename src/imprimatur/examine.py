"""The stages from text to judged segments: segment, extract, judge, settle, account, in order, one segment at a time.

``examine`` is a generator without I/O: it yields the look-ups of a segment, is sent their judgements, and returns what
became of every segment. Where there are trained judges, what was found supported is put to them at the end of judging,
all of it at once. A driver that answers the look-ups makes it synchronous or asynchronous. Invariants: segments
cover the answer; the verdict on a segment depends on nothing behind it; whatever fails, ends late or is too long is
``unchecked`` and is never licensed. After a segment that could not be read, pronouns refer to nothing before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from imprimatur._dataclasses import dataclass
from imprimatur.account import NO_CLAIM, account, unexamined
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Claim, Modality
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.parsed import SlowPath
from imprimatur.extract.reader import Reader, ReaderOptions, reader
from imprimatur.hearing import Behind, Hearing, hearing_of
from imprimatur.language.citations import STYLES
from imprimatur.language.languages import Language
from imprimatur.policy import Policy, Waiver
from imprimatur.protocols import Lexicon, Source
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.segment import segment
from imprimatur.settle import settle
from imprimatur.verdict import Judgement, Label, Reason, Verdict, worst
from imprimatur.vouched import vouched
from imprimatur.waive import waived

if TYPE_CHECKING:
    from imprimatur.judges.panel import Panel

__all__ = ["Batch", "Examined", "Examining", "Frame", "LookUp", "Objecting", "examine", "parts_of"]

T = TypeVar("T")

#: A longer segment is no sentence; it is not examined.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class LookUp:
    """One question to one source; ``over`` tells the driver whether the time for it is up."""

    source: Source
    claim: Claim
    over: Callable[[], bool]


Batch = tuple[LookUp, ...]
Examining = Generator[Batch | Hearing, tuple[Judgement, ...], T]
#: Why a judged segment of a text must not be licensed, whatever its claims came to; nothing where it may.
Objecting = Callable[[str, JudgedSegment], tuple[Reason, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a call fixes for all of its segments.

    Attributes:
        on: the day of the check.
        language: the language of the answers; None where its words are the grammar's own.
        sources: gives the sources for one text; some remember the claims before.
        over: whether the call's time is up.
        blind: whether shapes that the policy requires examine nothing: then nothing is licensed.
        most: how many characters of an answer are examined.
        parts: the answer's segments where they are given (tagged claims); None to segment the text.
        tags: for such segments, by their start: the kind and the citations of the claims in it.
        texts: the sources that compare claims read as words with text; without one no claim is read so.
        styles: how citations may be written.
        slow: what is asked about sentences that the grammar does not read whole; it knows what it was asked for.
        panel: the trained judges that hear what was found supported; None when there are none.
        behind: for them, the text that a piece of evidence stands in.
        left: the seconds that are left of the call's time.
        objects: what else speaks against a segment; it can only lower it.
    """

    lexicon: Lexicon
    locale: str
    language: Language | None
    sources: Callable[[], tuple[Source, ...]]
    policy: Policy
    on: date
    over: Callable[[], bool]
    most: int
    blind: bool = False
    parts: tuple[Segment, ...] | None = None
    tags: tuple[tuple[str, tuple[str, ...]], ...] = ()
    texts: tuple[Source, ...] = ()
    styles: tuple[str, ...] = STYLES
    slow: SlowPath | None = None
    panel: Panel | None = None
    behind: Behind = attrgetter("content")
    left: Callable[[], float] = lambda: math.inf
    objects: Objecting | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    """A segment that was read, with its claims as sources judge them."""

    extracted: Extracted
    claims: tuple[JudgedClaim, ...]
    prose: tuple[JudgedClaim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """An answer's segments, as cut and as judged (in step), and the waivers that were used."""

    text: str
    parts: tuple[Segment, ...]
    judged: tuple[JudgedSegment, ...]
    waivers: tuple[Waiver, ...] = ()


def examine(answer: Answer, frame: Frame) -> Examining[Examined]:
    """The judged segments of an answer."""
    parts, seen = parts_of(answer.text, frame)
    extractor = reader(answer, frame.lexicon, parts, _options(frame))
    sources = frame.sources()
    found: list[_Read | JudgedSegment] = []
    for number, part in enumerate(parts):
        if number >= seen or frame.over():
            reason = Reason.NOT_EXAMINED if number >= seen else Reason.TIME_LIMIT
            found.append(unexamined(part.start, part.end, reason))
            continue
        extracted = _extracted(extractor, part)
        if isinstance(extracted, JudgedSegment):
            extractor.discourse = Discourse(frame.lexicon)
            found.append(extracted)
            continue
        claims = yield from _claims(_tagged(extracted.claims, number, frame), sources, frame)
        prose = yield from _claims(_tagged(extracted.prose, number, frame), frame.texts, frame)
        found.append(_Read(extracted, claims, prose))
    if frame.panel is not None:
        found = yield from _heard(found, answer, frame.panel, frame)
    judged: list[JudgedSegment] = []
    used: dict[Waiver, None] = {}
    for each in found:
        if isinstance(each, _Read):
            each, waivers = waived(_accounted(each, sources, frame), answer.text, frame.policy, on=frame.on)
            used.update(dict.fromkeys(waivers))
        judged.append(each if frame.objects is None else _objected(each, answer.text, frame.objects))
    return Examined(text=answer.text, parts=parts, judged=tuple(judged), waivers=tuple(used))


def _heard(
    found: Sequence[_Read | JudgedSegment], answer: Answer, panel: Panel, frame: Frame
) -> Examining[list[_Read | JudgedSegment]]:
    """What was read, after the trained judges were heard about what is supported in it."""
    claims = [judged for each in found if isinstance(each, _Read) for judged in (*each.claims, *each.prose)]
    hearing = hearing_of(claims, answer, panel, behind=frame.behind, left=frame.left)
    if hearing is None:
        return list(found)
    heard = hearing.lowered((yield hearing))
    return [
        replace(
            each,
            claims=tuple(heard.get(id(judged), judged) for judged in each.claims),
            prose=tuple(heard.get(id(judged), judged) for judged in each.prose),
        )
        if isinstance(each, _Read)
        else each
        for each in found
    ]


def _accounted(read: _Read, sources: tuple[Source, ...], frame: Frame) -> JudgedSegment:
    """The segment with the claims that count, and its words accounted for."""
    claims = read.claims
    if read.extracted.prose:
        own = claims if sources else ()
        claims = vouched(read.extracted, own, read.prose, soft=frame.policy.soft_residue)
    return account(read.extracted, claims, soft=frame.policy.soft_residue)


def _objected(segment: JudgedSegment, text: str, objects: Objecting) -> JudgedSegment:
    """The segment, at best ``not_found`` where something speaks against it."""
    reasons = objects(text, segment)
    if not reasons:
        return segment
    label = worst([segment.label, Label.NOT_FOUND])
    return replace(segment, label=label, reasons=tuple(dict.fromkeys((*segment.reasons, *reasons))))


def parts_of(text: str, frame: Frame) -> tuple[tuple[Segment, ...], int]:
    """The segments of a text, and how many of them are examined: all, unless the text is too long."""
    if frame.parts is not None:
        seen = sum(part.end <= frame.most for part in frame.parts)
        return frame.parts, seen
    if len(text) <= frame.most:
        parts = segment(text)
        return parts, len(parts)
    # The last segment of a text that was cut off may be cut off too.
    parts = segment(text[: frame.most])[:-1]
    start = parts[-1].end if parts else 0
    rest = Segment(start, len(text), Kind.SENTENCE, (start, len(text)))
    return (*parts, rest), len(parts)


def _extracted(extractor: Reader, part: Segment) -> Extracted | JudgedSegment:
    """What the segment says; a judged segment when it could not be read."""
    if part.body[1] - part.body[0] > _LONGEST and part.kind is not Kind.CODE:
        return unexamined(part.start, part.end, Reason.NOT_EXAMINED)
    try:
        return extractor.extract(part)
    except Exception:  # whatever went wrong, nothing was read: the segment is unchecked, and the report says so
        return unexamined(part.start, part.end, Reason.CHECK_FAILED)


def _options(frame: Frame) -> ReaderOptions:
    """How the call's answers are read."""
    return ReaderOptions(
        locale=frame.locale,
        language=frame.language,
        prose=bool(frame.texts),
        tagged=bool(frame.tags),
        styles=frame.styles,
        slow=frame.slow,
    )


def _tagged(claims: tuple[Claim, ...], number: int, frame: Frame) -> tuple[Claim, ...]:
    if not frame.tags:
        return claims
    kind, citations = frame.tags[number]
    return tuple(replace(claim, kind=kind, citations=citations) for claim in claims)


def _claims(claims: tuple[Claim, ...], sources: tuple[Source, ...], frame: Frame) -> Examining[tuple[JudgedClaim, ...]]:
    """The claims with their verdicts; suppositions and questions are not looked up, but for words read whole."""
    asked = [c for c in claims if c.prose or c.modality not in (Modality.HYPOTHETICAL, Modality.ASKED)]
    batch = tuple(LookUp(source, claim, frame.over) for claim in asked for source in sources)
    found = iter((yield batch) if batch else ())
    verdicts = {id(claim): _verdict([next(found) for _ in sources], frame) for claim in asked}
    return tuple(JudgedClaim(claim=claim, verdict=verdicts.get(id(claim), NO_CLAIM)) for claim in claims)


def _verdict(found: Sequence[Judgement], frame: Frame) -> Verdict:
    """The verdict of some judgements. Support from evidence that is not trusted is none."""
    verdict = settle(found)
    if verdict.label is not Label.SUPPORTED:
        return verdict
    if any(evidence.trust not in frame.policy.trust for evidence in verdict.evidence):
        return replace(verdict, label=Label.NOT_FOUND, reasons=(Reason.UNTRUSTED,))
    return replace(verdict, label=Label.UNCHECKED, reasons=(Reason.NOT_EXAMINED,)) if frame.blind else verdict
