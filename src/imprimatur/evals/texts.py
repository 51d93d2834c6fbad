"""The verdicts of texts, through the five stages: in several processes and with results that are kept (``running``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from imprimatur.evals.finishing import Informed
from imprimatur.evals.kept import judged_by
from imprimatur.evals.running import Running, Task, rows_judged
from imprimatur.evals.shown import evidence_of, reasons_of
from imprimatur.report import Report
from imprimatur.verdict import Label, worst

__all__ = ["Judge", "TextVerdict", "texts_judged", "verdict_of"]


class Judge(Informed, Protocol):
    """The part of an oracle that judges a text, and says what it judges by."""

    def check(self, answer: str) -> Report: ...


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """The worst label of a text's segments, why, and on which evidence; ``claimed``: some claim was read in it."""

    label: Label
    reasons: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    claimed: bool = True


def verdict_of(report: Report) -> TextVerdict:
    """What a report amounts to."""
    label = worst([segment.label for segment in report.segments])
    claimed = any(segment.claims for segment in report.segments)
    return TextVerdict(label, reasons_of(report), evidence_of(report), claimed)


def texts_judged(texts: Sequence[str], oracle: Judge, running: Running, *, evaluation: str) -> list[TextVerdict]:
    """The verdict of each text, in order.

    Raises:
        ImprimaturError: see ``running.rows_judged``.
    """
    task: Task[str, TextVerdict] = Task(
        judge=lambda text: verdict_of(oracle.check(text)),
        key=lambda text: text,
        told=str,
        write=lambda found: [found.label.value, list(found.reasons), list(found.evidence), found.claimed],
        read=lambda kept: TextVerdict(Label(kept[0]), tuple(kept[1]), tuple(kept[2]), kept[3]),
        about={"evaluation": evaluation, **(judged_by(oracle) if running.keep is not None else {})},
        keeps=lambda found: found.label is not Label.UNCHECKED,
    )
    return list(rows_judged(texts, task, running))
