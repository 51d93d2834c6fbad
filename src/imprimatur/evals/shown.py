"""What of a report is shown in an outcome: the reasons of what was withheld, and the evidence, each in one line."""

from __future__ import annotations

from imprimatur.report import Report

__all__ = ["evidence_of", "reasons_of"]

_MOST = 6
_LONG = 400


def reasons_of(report: Report) -> tuple[str, ...]:
    """The reason codes of all segments, each once, in the order of the text."""
    return tuple(dict.fromkeys(reason.value for segment in report.segments for reason in segment.reasons))


def evidence_of(report: Report) -> tuple[str, ...]:
    """The first items of evidence, each with where it stands and the value that would have been right."""
    found: dict[str, None] = {}
    for judged in (each for segment in report.segments for each in segment.claims):
        for evidence in judged.verdict.evidence:
            line = f"{' '.join(evidence.content.split())[:_LONG]} [{evidence.source}: {evidence.origin}]"
            right = "" if evidence.correction is None else f"; right would be: {evidence.correction[:_LONG]}"
            found[line + right] = None
    return tuple(found)[:_MOST]
