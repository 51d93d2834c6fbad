"""From a draft to a report: the five stages, with the draft's citations held against the evidence that they name.

Contract: ``[Source: document]`` becomes the numbers of that document's items, and the number of a memory entry becomes
its id, so that memory judges what cites it. A citation of an item that is not there, or that bears out nothing in its
segment, makes the segment ``not_found``; nothing here raises a label. ``stands`` says whether anything is left of an
answer: some supported statement that the decision releases.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from imprimatur import __version__
from imprimatur.account import unexamined
from imprimatur.decision import Annotated
from imprimatur.language.citations import find
from imprimatur.oracle import Oracle
from imprimatur.report import JudgedSegment, Report, Versions
from imprimatur.retrieve.cited import CitationProblem, check_citations, numbered, segment_problems
from imprimatur.retrieve.trail import EvidenceTrail, Section
from imprimatur.segment import segment
from imprimatur.verdict import Label, Reason

__all__ = ["Licensed", "check", "stands", "unchecked"]

_PLAIN = ("number",)


@dataclass(frozen=True, slots=True)
class Licensed:
    """A draft as it was judged, the report on it, and the citations that are not borne out."""

    draft: str
    report: Report
    citations: tuple[CitationProblem, ...]


def check(draft: str, question: str, oracle: Oracle, trail: EvidenceTrail, *, as_of: date | None = None) -> Licensed:
    """What the stages find of a draft that was written from a trail."""
    text = _cited(numbered(draft, trail), trail) if oracle.knowledge.text.memory is not None else numbered(draft, trail)

    def objections(said: str, judged: JudgedSegment) -> tuple[Reason, ...]:
        return tuple(problem.reason for problem in segment_problems(said, judged, trail))

    report = oracle.check_draft(text, question, objects=objections, as_of=as_of)
    return Licensed(text, report, check_citations(text, report, trail))


def stands(report: Report, question: str, oracle: Oracle) -> bool:
    """Whether what the decision releases has a supported statement in it; what was changed is read once more."""
    decision = report.decision
    if decision.kind not in ("licensed", "annotated"):
        left = decision.text.removesuffix(oracle.policy.abstention_text)
        if not left.strip():
            return False
        report = oracle.check(left, question)
    return any(part.label is Label.SUPPORTED for part in report.segments)


def unchecked(text: str, oracle: Oracle, why: str) -> Report:
    """The report on a text that no stage has looked at: everything in it is ``unchecked``, and it is shown as it is."""
    parts = tuple(unexamined(part.start, part.end, Reason.NOT_EXAMINED) for part in segment(text))
    return Report(
        answer=text,
        decision=Annotated(text=text),
        summary="unsupported" if parts else "no_claims",
        segments=parts,
        accounting=dict(Counter(part.label.value for part in parts)),
        versions=Versions(
            imprimatur=__version__,
            knowledge_base=oracle.knowledge.content_hash,
            shapes=oracle.knowledge.shapes_hash,
            policy=oracle.policy.content_hash,
        ),
        warnings=(f"not checked: {why}",),
    )


def _cited(draft: str, trail: EvidenceTrail) -> str:
    """The draft with numbers of entries as their ids, for memory to judge by; numbers of other items are left out.

    Memory knows no other ids. A number that no item has stays as it is, and is refused there.
    """
    for citation in reversed(find(draft, styles=_PLAIN)):
        ids = [_entry(each, trail) for each in citation.ids]
        told = ", ".join(each for each in ids if each)
        before, after = draft[: citation.start], draft[citation.end :]
        draft = f"{before}[{told}]{after}" if told else before.removesuffix(" ") + after
    return draft


def _entry(number: str, trail: EvidenceTrail) -> str:
    if not number.isdecimal() or not 1 <= int(number) <= len(trail.items):
        return number
    item = trail.items[int(number) - 1]
    return f"mem:{item.evidence[0].query}" if item.section is Section.ENTRIES else ""
