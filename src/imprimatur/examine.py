"""The stages from text to judged segments: segment, extract, judge, settle, account, in order, one segment at a time.

An ``Examination`` takes the segments of a text as they come: all at once, or each when it is final in a stream. Its
``take`` is a generator without I/O: it yields the look-ups of a segment and is sent their judgements. Where there is
another extractor than the reader, and where there are trained judges, what was found supported is put to them at the
end of a ``take``, all of it at once. A driver that answers the look-ups makes it synchronous or asynchronous.
Invariants: segments cover the answer; the verdict on a segment depends on nothing behind it; whatever fails, ends late
or is too long is ``unchecked`` and is never licensed. After a segment that could not be read, pronouns refer to nothing
before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import zip_longest

from imprimatur._dataclasses import dataclass
from imprimatur.account import NO_CLAIM, account, unexamined
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Claim, Modality
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.reader import Reader
from imprimatur.frame import Examining, Frame, LookUp, Objecting, Tag
from imprimatur.lowering import Read, confirmed, heard
from imprimatur.observer import Stage
from imprimatur.policy import Waiver
from imprimatur.protocols import Listening, Source
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.segment import Segmenter, segment
from imprimatur.settle import settle
from imprimatur.verdict import Judgement, Label, Reason, Verdict, worst
from imprimatur.vouched import telling, vouched
from imprimatur.waive import waived

__all__ = ["Examination", "Mark", "parts_of"]

#: A longer segment is no sentence; it is not examined.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Mark:
    """Where an examination stands: what it remembers of the segments before one."""

    reader: Reader
    sources: tuple[Source, ...]
    texts: tuple[Source, ...]
    before: str = ""


class Examination:
    """The examination of one text, which may still be arriving: segments are taken in order, each as it is final.

    Args:
        answer: what belongs to the text; of its ``text`` only what ``take`` is told counts.
        marks: whether to remember how it stood before each segment (``mark``).
    """

    def __init__(self, answer: Answer, frame: Frame, *, marks: bool = False) -> None:
        self.answer = answer
        self.frame = frame
        self.parts: list[Segment] = []
        self.judged: list[JudgedSegment] = []
        self.waivers: dict[Waiver, None] = {}
        self.marks: dict[int, Mark] | None = {} if marks else None
        self._reader = frame.reading(answer, frame.lexicon, frame.options)
        self._sources = frame.sources()
        self._texts = _copies(frame.texts)
        self._before = ""  # what the last segment that was read says

    @classmethod
    def from_mark(cls, mark: Mark, answer: Answer, frame: Frame, before: Sequence[Segment]) -> Examination:
        """An examination that goes on from a mark, in another text that is the same up to there."""
        made = cls(answer, frame, marks=True)
        made.parts = list(before)
        made._reader, made._sources, made._texts = copy(mark.reader), _copies(mark.sources), _copies(mark.texts)
        made._before = mark.before
        return made

    @property
    def text(self) -> str:
        """The text so far."""
        return self.answer.text

    def take(
        self, text: str, parts: Sequence[Segment], *, seen: int | None = None, tags: Sequence[Tag] = ()
    ) -> Examining[None]:
        """Examines further segments.

        Args:
            text: the text so far; it goes on from what it was.
            parts: its new segments, in order.
            seen: how many of them are examined; all, unless the text is too long.
            tags: where they are tagged claims, what they are tagged with.
        """
        self.answer = replace(self.answer, text=text)
        found: list[Read | JudgedSegment] = []
        before = self._before
        for part, tag, number in zip_longest(parts, tags, range(len(parts))):
            skipped = seen is not None and number >= seen
            found.append((yield from self._read(part, tag, skipped=skipped)))
        if self.frame.extraction is not None or self.frame.panel is not None:
            with self.frame.observer.stage(Stage.JUDGE):
                found = yield from confirmed(found, self.answer, self.frame, before)
                found = yield from heard(found, self.answer, self.frame)
        with self.frame.observer.stage(Stage.DECIDE):
            self._account(found)

    def _account(self, found: Sequence[Read | JudgedSegment]) -> None:
        """Adds the segments with their labels."""
        text = self.answer.text
        for each in found:
            if isinstance(each, Read):
                accounted = _accounted(each, self._sources, self.frame)
                each, waivers = waived(accounted, text, self.frame.policy, on=self.frame.on)
                self.waivers.update(dict.fromkeys(waivers))
            self.judged.append(each if self.frame.objects is None else _objected(each, text, self.frame.objects))

    def mark(self, number: int) -> Mark:
        """How it stood before a segment; of a segment that was not forgotten."""
        assert self.marks is not None
        return self.marks[number]

    def forget(self, number: int) -> None:
        """Drops the marks before a segment."""
        if self.marks is not None:
            self.marks = {at: mark for at, mark in self.marks.items() if at >= number}

    def _read(self, part: Segment, tag: Tag | None, *, skipped: bool) -> Examining[Read | JudgedSegment]:
        """What a segment says, and what sources say of it."""
        frame = self.frame
        number = len(self.parts)
        self.parts.append(part)
        if self.marks is not None:
            self.marks[number] = Mark(copy(self._reader), _copies(self._sources), _copies(self._texts), self._before)
        if skipped or frame.over():
            return unexamined(part.start, part.end, Reason.NOT_EXAMINED if skipped else Reason.TIME_LIMIT)
        with frame.observer.stage(Stage.EXTRACT):
            self._reader.goes_on(self.answer, part)
            extracted = _extracted(self._reader, part)
        if isinstance(extracted, JudgedSegment):
            self._reader.discourse = Discourse(frame.lexicon)
            return extracted
        self._before = self.answer.text[slice(*part.body)]
        claims = yield from _claims(_tagged(extracted.claims, tag), self._sources, frame)
        if not extracted.prose:
            return Read(extracted, claims)
        for source in self._texts:
            if isinstance(source, Listening):
                source.hear(self.answer.text, self.parts)
        prose = yield from _claims(_tagged(extracted.prose, tag), self._texts, frame)
        if all(getattr(source, "only_refutes", False) for source in self._texts):
            prose = telling(claims, prose)
            if not prose and extracted.alone is not None:
                return Read(extracted.alone, claims)
        return Read(extracted, claims, prose)


def _copies(sources: tuple[Source, ...]) -> tuple[Source, ...]:
    return tuple(copy(source) for source in sources)


def _accounted(read: Read, sources: tuple[Source, ...], frame: Frame) -> JudgedSegment:
    """The segment with the claims that count, and its words accounted for."""
    claims = read.claims
    if read.extracted.prose:
        own = claims if sources else ()
        claims = vouched(read.extracted, own, read.prose, soft=frame.policy.soft_residue)
    extracted = replace(read.extracted, silent=False) if read.strangers else read.extracted
    return account(extracted, (*claims, *read.strangers), soft=frame.policy.soft_residue)


def _objected(segment: JudgedSegment, text: str, objects: Objecting) -> JudgedSegment:
    """The segment, at best ``not_found`` where something speaks against it."""
    reasons = objects(text, segment)
    if not reasons:
        return segment
    label = worst([segment.label, Label.NOT_FOUND])
    return replace(segment, label=label, reasons=tuple(dict.fromkeys((*segment.reasons, *reasons))))


def parts_of(text: str, most: int) -> tuple[tuple[Segment, ...], int]:
    """The segments of a text, and how many of them are examined: all, unless it has more than ``most`` characters."""
    if len(text) <= most:
        parts = segment(text)
        return parts, len(parts)
    # What is not final there might be cut off.
    parts = Segmenter().feed(text[:most])
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


def _tagged(claims: tuple[Claim, ...], tag: Tag | None) -> tuple[Claim, ...]:
    if tag is None:
        return claims
    kind, citations = tag
    return tuple(replace(claim, kind=kind, citations=citations) for claim in claims)


def _claims(claims: tuple[Claim, ...], sources: tuple[Source, ...], frame: Frame) -> Examining[tuple[JudgedClaim, ...]]:
    """The claims with their verdicts; suppositions and questions are not looked up, but for words read whole."""
    asked = [c for c in claims if c.prose or c.modality not in (Modality.HYPOTHETICAL, Modality.ASKED)]
    batch = tuple(LookUp(source, claim, frame.over) for claim in asked for source in sources)
    found: Iterator[Judgement] = iter(())
    if batch:
        with frame.observer.stage(Stage.JUDGE):
            found = iter((yield batch))
    with frame.observer.stage(Stage.SETTLE):
        verdicts = {id(claim): _verdict([next(found) for _ in sources], frame) for claim in asked}
    return tuple(JudgedClaim(claim=claim, verdict=verdicts.get(id(claim), NO_CLAIM)) for claim in claims)


def _verdict(found: Sequence[Judgement], frame: Frame) -> Verdict:
    """The verdict of some judgements."""
    verdict = settle([_trusted(judgement, frame) for judgement in found])
    if verdict.label is not Label.SUPPORTED:
        return verdict
    return replace(verdict, label=Label.UNCHECKED, reasons=(Reason.NOT_EXAMINED,)) if frame.blind else verdict


def _trusted(judgement: Judgement, frame: Frame) -> Judgement:
    """A judgement as the policy takes it: one that rests on what it does not trust supports and refutes nothing."""
    telling = judgement.label in (Label.SUPPORTED, Label.CONTRADICTED, Label.CONFLICTING)
    if not telling or all(evidence.trust in frame.policy.trust for evidence in judgement.evidence):
        return judgement
    return replace(judgement, label=Label.NOT_FOUND, reasons=(Reason.UNTRUSTED,), findings=())
