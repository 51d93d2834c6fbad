"""The attributes of ``gen_ai.evaluation.result`` for an answer and for its segments.

Segments that claim nothing have no event. Invariant: without captured content an event has codes, numbers and places,
and no text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from imprimatur.report import JudgedSegment, Report
from imprimatur.telemetry import names
from imprimatur.verdict import Label

__all__ = ["answer_event", "segment_events", "sendable"]

#: Characters of a text or an explanation at most.
_LONGEST = 2000


def sendable(text: str, most: int) -> str:
    """The beginning of a text from outside, as it can be sent: with half a character in it a whole batch would fail."""
    return text[:most].encode("utf-8", "replace").decode("utf-8")


def answer_event(report: Report) -> dict[str, Any]:
    """The result for the whole answer."""
    claiming = [each for each in report.segments if each.label is not Label.NOT_A_CLAIM]
    made: dict[str, Any] = {
        names.EVALUATION.name: "imprimatur.answer",
        names.SCORE_LABEL.name: report.decision.kind,
        names.SUMMARY.name: report.summary,
    }
    if claiming:
        made[names.SCORE.name] = sum(each.label is Label.SUPPORTED for each in claiming) / len(claiming)
    if reasons := _counted(each for each in claiming if each.label is not Label.SUPPORTED):
        made[names.EXPLANATION.name] = ", ".join(f"{reason}: {count}" for reason, count in reasons)
    if unchecked := _counted(each for each in claiming if each.label is Label.UNCHECKED):
        made[names.ERROR_TYPE.name] = unchecked[0][0]
    return made


def segment_events(report: Report, *, capture_content: bool) -> Iterator[dict[str, Any]]:
    """The result for each segment that claims something, in order."""
    for number, segment in enumerate(report.segments):
        if segment.label is Label.NOT_A_CLAIM:
            continue
        made: dict[str, Any] = {
            names.EVALUATION.name: "imprimatur.segment",
            names.SCORE.name: float(segment.label is Label.SUPPORTED),
            names.SCORE_LABEL.name: segment.label.value,
            names.INDEX.name: number,
            names.START.name: segment.start,
            names.END.name: segment.end,
        }
        if explanation := _explanation(segment, capture_content=capture_content):
            made[names.EXPLANATION.name] = explanation
        if segment.label is Label.UNCHECKED and segment.reasons:
            made[names.ERROR_TYPE.name] = segment.reasons[0].value
        if capture_content:
            made[names.TEXT.name] = sendable(report.answer[segment.start : segment.end], _LONGEST)
        yield made


def _explanation(segment: JudgedSegment, *, capture_content: bool) -> str:
    """Reason codes; where content is captured, what is wrong with which words too."""
    codes = ", ".join(reason.value for reason in segment.reasons)
    if not capture_content:
        return codes
    details = [finding.detail for judged in segment.claims for finding in judged.verdict.findings if finding.detail]
    return sendable("; ".join([codes, *dict.fromkeys(details)]), _LONGEST)


def _counted(segments: Iterator[JudgedSegment]) -> list[tuple[str, int]]:
    """The reasons of some segments, the most frequent first, those that are as frequent in order."""
    found = Counter(reason.value for segment in segments for reason in segment.reasons)
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))
