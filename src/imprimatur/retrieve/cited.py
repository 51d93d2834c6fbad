"""Citations of a draft, ``[n]`` and ``[Source: document]``, held against the trail that they name.

``numbered`` writes citations of documents as numbers, so that the stages pass over them like others; a document that
the trail does not have becomes ``[0]``. ``check_citations`` then takes what the stages found: a citation is good when
the item that it names is part of what supports a claim of its segment; that of a document, when one of its items is.
Items are numbered from 1, in the order of the trail (``EvidenceTrail.items``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur._expressions import expression
from imprimatur.evidence import Evidence
from imprimatur.language.citations import find
from imprimatur.report import JudgedSegment, Report
from imprimatur.retrieve.trail import EvidenceTrail, Item
from imprimatur.verdict import Label, Reason

__all__ = ["CitationProblem", "check_citations", "numbered", "segment_problems"]

_SOURCE = expression(r"[ \u00a0]?\[\s*source:\s*([^\[\]]{1,300}?)\s*\]", re.IGNORECASE)
#: Longer ranges are not read as such.
_MOST_IN_RANGE = 50


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
        return f" [{_listed(_from(match[1].casefold(), trail.items))}]"

    return _SOURCE.sub(numbers, draft)


def check_citations(draft: str, report: Report, trail: EvidenceTrail) -> tuple[CitationProblem, ...]:
    """What is wrong with the citations of a draft, in order.

    Args:
        draft: the text that was judged, its citations as numbers.
        report: what the stages found of it.
        trail: what it was written from.
    """
    return tuple(problem for segment in report.segments for problem in segment_problems(draft, segment, trail))


def segment_problems(draft: str, segment: JudgedSegment, trail: EvidenceTrail) -> tuple[CitationProblem, ...]:
    """What is wrong with the citations of one judged segment of a draft, in order."""
    supporting = [
        each for judged in segment.claims if judged.verdict.label is Label.SUPPORTED for each in judged.verdict.evidence
    ]
    problems: list[CitationProblem] = []
    for citation in find(draft[segment.start : segment.end], styles=("number",)):
        start, end = segment.start + citation.start, segment.start + citation.end
        reasons = [(cited, _reason(cited, supporting, trail.items)) for cited in citation.ids]
        if _is_document(citation.ids, trail.items) and any(reason is None for _, reason in reasons):
            continue
        problems += [CitationProblem(start, end, cited, reason) for cited, reason in reasons if reason is not None]
    return tuple(problems)


def _is_document(ids: Sequence[str], items: Sequence[Item]) -> bool:
    """Whether some numbers are those of all items from one document: then one that bears the words out is enough."""
    cited = {int(each) for each in ids if each.isdecimal()}
    documents = {origin.casefold() for item in items for origin in _origins(item)}
    return any(cited == set(_from(document, items)) for document in documents)


def _from(document: str, items: Sequence[Item]) -> Sequence[int]:
    return [number for number, item in enumerate(items, 1) if document in map(str.casefold, _origins(item))]


def _listed(numbers: Sequence[int]) -> str:
    """Numbers as a citation has them: a range where they have no gap, ``0`` for none."""
    if 2 < len(numbers) <= _MOST_IN_RANGE and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers)) or "0"


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
