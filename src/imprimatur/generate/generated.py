"""What becomes of a question that a model is asked: what may be shown, and all that led to it.

Invariant: ``licensed`` is true only for what went through the five stages; what was not checked says so, here and in
its report, where every segment is ``unchecked``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from imprimatur.generate.conditions import CONDITIONS, How
from imprimatur.generate.revising import Revised
from imprimatur.report import Report
from imprimatur.retrieve.cited import CitationProblem
from imprimatur.retrieve.gate import GateDecision
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.verdict import Label

__all__ = ["NOT_CHECKED", "Ended", "Generated"]

#: What is said of every answer that no stage has looked at.
NOT_CHECKED = "not checked"
_SCHEMA = "1.0"


class Ended(StrEnum):
    """What became of the question.

    ``refused``: the gate let nothing through, and the model was not asked. ``silent``: the model gave no answer.
    ``withheld``: nothing of what it wrote is licensed. ``ambiguous``: several of the given options are.
    ``late``: the time or the budget was used up.
    """

    ANSWERED = "answered"
    REFUSED = "refused"
    SILENT = "silent"
    WITHHELD = "withheld"
    AMBIGUOUS = "ambiguous"
    LATE = "late"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """The outcome of one question.

    Attributes:
        text: what may be shown: the answer, or a fixed refusal.
        draft: what the model wrote, without its thoughts; empty where it was not asked or gave none.
        trail: the evidence that the model was shown, numbered as citations count it; None where none is looked for.
        gate: what the gate decided on it.
        citations: the citations of the draft that are not borne out.
        option: the option that the answer is, where there were some to choose from.
        why: why there is no answer, in words.
        report: what the stages found of the draft, or of what it was revised to; of what was not checked, that.
        revised: what the draft was revised to, and how.
    """

    question: str
    how: How
    outcome: Ended
    text: str
    draft: str = ""
    trail: EvidenceTrail | None = None
    gate: GateDecision | None = None
    citations: tuple[CitationProblem, ...] = ()
    option: str = ""
    why: str = ""
    report: Report | None = None
    revised: Revised | None = None

    @property
    def checked(self) -> bool:
        """Whether the five stages have looked at the answer."""
        return CONDITIONS[self.how].checked

    @property
    def licensed(self) -> bool:
        """Whether all that the draft says is supported, and goes out as it was written or without what is not."""
        whole = self.report is not None and all(
            segment.label in (Label.SUPPORTED, Label.NOT_A_CLAIM) for segment in self.report.segments
        )
        return self.checked and self.outcome is Ended.ANSWERED and whole

    def to_dict(self) -> dict[str, Any]:
        """The outcome as JSON-ready values."""
        return {
            "schema_version": _SCHEMA,
            "question": self.question,
            "how": self.how.value,
            "outcome": self.outcome.value,
            "answer": self.text,
            "label": self.label,
            "licensed": self.licensed,
            "option": self.option or None,
            "why": self.why or None,
            "draft": self.draft or None,
            "revision": None if self.revised is None else self.revised.to_dict(),
            "citations": [
                {"start": each.start, "end": each.end, "cited": each.cited, "reason": each.reason.value}
                for each in self.citations
            ],
            "gate": None if self.gate is None else {"enough": self.gate.enough, "why": self.gate.why or None},
            "context": None if self.trail is None else self.trail.to_dict(),
            "report": None if self.report is None else self.report.to_dict(),
        }

    @property
    def label(self) -> str:
        """``licensed``, ``partly licensed``, ``annotated`` (all is shown), ``not checked``, or ``no answer``."""
        if self.outcome is not Ended.ANSWERED:
            return "no answer"
        if not self.checked:
            return NOT_CHECKED
        if self.licensed:
            return "licensed"
        shown = self.report is not None and self.report.decision.kind == "annotated"
        return "annotated" if shown else "partly licensed"
