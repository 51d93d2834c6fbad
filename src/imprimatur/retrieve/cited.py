"""Citations of a draft, ``[n]`` and ``[Source: document]``, held against the trail that they name.

``numbered`` writes citations of documents as numbers, so that the stages pass over them like others; a document that
the trail does not have becomes ``[0]``. ``check_citations`` then takes what the stages found: a citation is good when
the item that it names is part of what supports a claim of its segment. Items are numbered from 1, in the order of the
trail (``EvidenceTrail.items``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur._expressions import expression
from imprimatur.evidence import Evidence
from imprimatur.language.citations import find
from imprimatur.report import Report
from imprimatur.retrieve.trail import EvidenceTrail, Item
from imprimatur.verdict import Label, Reason

__all__ = ["CitationProblem", "check_citations", "numbered"]

_SOURCE = expression(r"[ \u00a0]?\[\s*source:\s*([^\[\]]{1,300}?)\s*\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CitationProblem:
    """A citation ``draft[start:end]`` that is not borne out: there is no such item, or it supports no claim here."""

    start: int
    end: int
    cited: str
    reason: Reason


def numbered(draft: str, trail: EvidenceTrail) -> str:
    """The draft with each ``[Source: document]`` as the numbers of the items from that document."""

    def numbers(match: re.Match[str]) -> str:
        wanted = match[1].casefold()
        from_there = [str(n) for n, item in enumerate(trail.items, 1) if wanted in map(str.casefold, _origins(item))]
        return f" [{', '.join(from_there) or '0'}]"

    return _SOURCE.sub(numbers, draft)


def check_citations(draft: str, report: Report, trail: EvidenceTrail) -> tuple[CitationProblem, ...]:
    """What is wrong with the citations of a draft, in order.

    Args:
        draft: the text that was judged, its citations as numbers.
        report: what the stages found of it.
        trail: what it was written from.
    """
    problems: list[CitationProblem] = []
    for segment in report.segments:
        supporting = [
            each
            for judged in segment.claims
            if judged.verdict.label is Label.SUPPORTED
            for each in judged.verdict.evidence
        ]
        for citation in find(draft[segment.start : segment.end], styles=("number",)):
            start, end = segment.start + citation.start, segment.start + citation.end
            for cited in citation.ids:
                reason = _reason(cited, supporting, trail.items)
                if reason is not None:
                    problems.append(CitationProblem(start, end, cited, reason))
    return tuple(problems)


def _reason(cited: str, supporting: Sequence[Evidence], items: Sequence[Item]) -> Reason | None:
    if not cited.isdecimal() or not 1 <= int(cited) <= len(items):
        return Reason.UNKNOWN_CITATION
    item = items[int(cited) - 1]
    return None if any(_rests_on(each, item) for each in supporting) else Reason.NO_EVIDENCE


def _rests_on(evidence: Evidence, item: Item) -> bool:
    """Whether evidence of a claim is part of an item: the same triple, entry, or a sentence of the passage."""
    if any(evidence.query == own.query for own in item.evidence):
        return True
    said = evidence.content.partition(" <= ")[0].strip()
    return bool(said) and any(said in own.content for own in item.evidence)


def _origins(item: Item) -> tuple[str, ...]:
    return tuple(own.origin for own in item.evidence)
