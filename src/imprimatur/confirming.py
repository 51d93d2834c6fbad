"""A step of judging: what sources found supported is held against what the extractor says that the answer claims.

    what was found                  the extractor's proposals              afterwards
    ------------------------------  -------------------------------------  -------------------------------------------
    a supported claim               bear it out                            as before
    a supported claim               do not                                 not_found, unconfirmed
    a segment without a claim       a sentence, by an extractor that       the segment is not_found, unconfirmed, for
    or with supported ones          writes, that the reader does not find  that sentence
    either                          it failed, or was late                 unchecked, extractor-failed
    anything else                   (it is not asked)                      as before

So an extractor never raises a verdict, and what it misses is not licensed. All segments of an answer are put to it at
once; what it says of one depends on nothing but its words, the sentence before it, and what completes it. Reported
speech is a claim of nobody here, and it is not asked about it; nor about code and headings that claim nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Answer, Kind
from imprimatur.claim import Claim
from imprimatur.errors import LimitExceeded
from imprimatur.extract.extracted import Extracted
from imprimatur.extractors.extraction import Extraction
from imprimatur.extractors.reading_back import ReadBack
from imprimatur.protocols import Excerpt, Proposal, Proposed
from imprimatur.report import JudgedClaim
from imprimatur.verdict import Finding, Judgement, Label, Reason, Verdict

__all__ = ["Confirming", "Part", "confirmed_by", "part_of", "stranger"]

_SOURCE = "extractor"
_SILENT_KINDS = (Kind.CODE, Kind.HEADING, Kind.TABLE_HEADER)
_FINE = Judgement(source=_SOURCE, label=Label.SUPPORTED)


@dataclass(frozen=True, slots=True)
class Part:
    """A segment that the extractor is asked about: its words, what was read of it, and the claims at stake."""

    excerpt: Excerpt
    extracted: Extracted
    claims: tuple[JudgedClaim, ...]


@dataclass(frozen=True, slots=True)
class Confirming:
    """What is put to the extractor; ``left`` gives the seconds there are."""

    extraction: Extraction
    back: ReadBack
    parts: tuple[Part, ...]
    left: Callable[[], float]

    def answer(self) -> tuple[Judgement, ...]:
        """One judgement for each claim of each part, and one more for the part itself, in order."""
        try:
            found = self.extraction.ask([part.excerpt for part in self.parts], seconds=self.left())
        except Exception:  # a crashed check is a value: it leads to abstention, never to a licence
            found = (Proposed(fault="failed"),) * len(self.parts)
        return tuple(
            judgement for part, proposed in zip(self.parts, found) for judgement in self._judged(part, proposed)
        )

    def _judged(self, part: Part, proposed: Proposed) -> tuple[Judgement, ...]:
        if not proposed.fault:
            try:
                return self._read_back(part, proposed.claims)
            except LimitExceeded:
                proposed = Proposed(fault="was late")
            except Exception:  # as above
                proposed = Proposed(fault="proposed something that cannot be read back")
        detail = f"the extractor {self.extraction.name} {proposed.fault}"
        claims = tuple(_failed(each.claim.start, each.claim.end, detail) for each in part.claims)
        return (*claims, _failed(*part.extracted.segment.body, detail) if not part.claims else _FINE)

    def _read_back(self, part: Part, proposals: Sequence[Proposal]) -> tuple[Judgement, ...]:
        placed = [_placed(each, part.extracted.segment.body[0]) for each in proposals]
        claims = tuple(
            _FINE if self.back.confirms(each.claim, placed, part.extracted) else self._unconfirmed(each.claim)
            for each in part.claims
        )
        strange = self.back.strangers(part.extracted, placed) if self.extraction.opened.writes else ()
        return (*claims, self._strange(strange) if strange else _FINE)

    def _unconfirmed(self, claim: Claim) -> Judgement:
        detail = f"the extractor {self.extraction.name} does not propose it"
        return _lower(Label.NOT_FOUND, Finding(Reason.UNCONFIRMED, claim.start, claim.end, detail))

    def _strange(self, proposals: Sequence[Proposal]) -> Judgement:
        name = self.extraction.name
        findings = (
            Finding(Reason.UNCONFIRMED, each.start, each.end, f"the extractor {name} reads: {each.says}")
            for each in proposals
        )
        return _lower(Label.NOT_FOUND, *findings)


def part_of(
    extracted: Extracted, claims: Sequence[JudgedClaim], answer: Answer, before: str, *, writes: bool
) -> Part | None:
    """What there is to ask about a segment; None when nothing of it could be licensed by what was read.

    Args:
        extracted: what was read of it.
        claims: its claims as the sources judge them, those read as words too.
        answer: the answer that it is in.
        before: the sentence before it.
        writes: whether the extractor proposes sentences; one that marks words says nothing of words as words.
    """
    segment = extracted.segment
    if extracted.attributed:
        return None
    supported = tuple(
        each for each in claims if each.verdict.label is Label.SUPPORTED and (writes or each.claim.prose is None)
    )
    text = answer.text[slice(*segment.body)]
    quiet = extracted.silent and not claims and writes and segment.kind not in _SILENT_KINDS and bool(text.strip())
    if not supported and not quiet:
        return None
    return Part(Excerpt(text=text, around=_around(extracted, answer), before=before), extracted, supported)


def confirmed_by(
    confirming: Confirming, found: Sequence[Judgement]
) -> tuple[Mapping[int, JudgedClaim], Mapping[int, JudgedClaim]]:
    """What became of the claims, by their identity, and what strangers there are, by the start of the segment."""
    claims: dict[int, JudgedClaim] = {}
    strangers: dict[int, JudgedClaim] = {}
    said = iter(found)
    for part in confirming.parts:
        for each in part.claims:
            claims[id(each)] = replace(each, verdict=_lowered(each.verdict, next(said)))
        own = next(said)
        if own.label is not Label.SUPPORTED:
            strangers[part.extracted.segment.start] = stranger(part.extracted, own, part.excerpt.text)
    return claims, strangers


def stranger(extracted: Extracted, judgement: Judgement, text: str) -> JudgedClaim:
    """What the extractor reads in a segment and the reader does not, as a claim about all of its words."""
    start, end = extracted.segment.body
    claim = Claim(start=start, end=end, text=text, covers=())
    verdict = Verdict(label=judgement.label, reasons=judgement.reasons, findings=judgement.findings)
    return JudgedClaim(claim=claim, verdict=verdict)


def _lowered(verdict: Verdict, judgement: Judgement) -> Verdict:
    if verdict.label is not Label.SUPPORTED or judgement.label is Label.SUPPORTED:
        return verdict
    findings = (*verdict.findings, *judgement.findings)
    return replace(verdict, label=judgement.label, reasons=judgement.reasons, findings=findings)


def _around(extracted: Extracted, answer: Answer) -> tuple[str, ...]:
    """What completes the words of a segment, the widest first."""
    segment = extracted.segment
    spans = (segment.heading, segment.column, segment.row if segment.row != segment.body else None, segment.stem)
    question = (answer.question,) if answer.question else ()
    return (*question, *(answer.text[slice(*span)] for span in spans if span is not None))


def _placed(proposal: Proposal, offset: int) -> Proposal:
    """The proposal with its spans in the answer."""
    subject, other = proposal.subject, proposal.object
    return replace(
        proposal,
        start=proposal.start + offset,
        end=proposal.end + offset,
        subject=None if subject is None else (subject[0] + offset, subject[1] + offset),
        object=None if other is None else (other[0] + offset, other[1] + offset),
    )


def _failed(start: int, end: int, detail: str) -> Judgement:
    return _lower(Label.UNCHECKED, Finding(Reason.EXTRACTOR_FAILED, start, end, detail))


def _lower(label: Label, *findings: Finding) -> Judgement:
    return Judgement(source=_SOURCE, label=label, reasons=(findings[0].reason,), findings=findings)
