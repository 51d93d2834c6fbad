"""What becomes of a question: an answer that is licensed as it is said, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from imprimatur.report import Report
from imprimatur.verdict import Label

__all__ = ["Answered", "Outcome", "licensed", "refuted"]


class Outcome(StrEnum):
    """What became of a question.

    ``unread``: its words were not understood. ``unknown``: nothing that the graph has completes it, or what it
    supposes is not known. ``ambiguous``: several things may be meant, or may be the answer.
    ``late``: the time for it was up.
    """

    ANSWERED = "answered"
    UNREAD = "unread"
    UNKNOWN = "unknown"
    AMBIGUOUS = "ambiguous"
    LATE = "late"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The answer to a question: a licensed text and the values in it, or why there is none.

    Attributes:
        text: the answer as sentences, each of them licensed (but for the "No." to a question that evidence refutes);
            empty when there is none.
        values: what stands in the gap of the question, as written in the text.
        iris: the things that these are, where they are things.
        more: how many more things are known to fit than are listed.
        clarify: a question back, where the question can be meant in several ways.
        report: the report on the text, or on the sentence that was refuted.
    """

    outcome: Outcome
    text: str = ""
    values: tuple[str, ...] = ()
    iris: tuple[str, ...] = ()
    more: int = 0
    clarify: str = ""
    report: Report | None = None

    def to_dict(self, refusal: str) -> dict[str, Any]:
        """The outcome as JSON-ready values; ``refusal`` is what is said where there is no answer."""
        return {
            "how": "graph",
            "outcome": self.outcome.value,
            "answer": self.text or refusal,
            "values": list(self.values),
            "things": list(self.iris),
            "more": self.more,
            "clarify": self.clarify or None,
            "report": self.report.to_dict() if self.report is not None else None,
        }


def licensed(report: Report) -> bool:
    """Whether all of a text is supported."""
    return bool(report.segments) and all(s.label is Label.SUPPORTED for s in report.segments)


def refuted(report: Report) -> bool:
    """Whether a text says one thing, and that is contradicted."""
    claims = [c for s in report.segments for c in s.claims]
    whole = not any(s.residue for s in report.segments)
    return whole and len(claims) == 1 and claims[0].verdict.label is Label.CONTRADICTED
