"""Judges labelled texts against their passages with an oracle that has no other source, on all cores.

Invariant: the outcomes are in the order of the examples whatever the number of processes, and judging one text depends
on nothing but that text and its passages. A text whose check fails is counted as flagged, and is told.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from imprimatur.evals.kept import judged_by
from imprimatur.evals.passage_sets import Example
from imprimatur.evals.running import Running, Task, rows_judged
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

__all__ = ["FLAGGED", "Outcome", "judge", "outcome_of"]

#: A segment with such a label is flagged as unfounded.
FLAGGED = (Label.CONTRADICTED, Label.NOT_FOUND)
#: A text may take this long, in seconds: measuring is not serving.
_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one text.

    Attributes:
        share: the share of its characters in flagged segments; spans: those segments.
        checked: nothing of it was left unchecked, for want of time for instance.
        verdict: ``supported``, ``partial``, ``contradicted``, ``not``, ``no claim`` or ``unchecked``.
        segments, seconds: how many segments were judged, and how long that took.
    """

    share: float
    spans: tuple[tuple[int, int], ...]
    verdict: str
    segments: int
    seconds: float
    checked: bool = True


def outcome_of(report: Report, seconds: float) -> Outcome:
    """What a report amounts to."""
    flagged = tuple((part.start, part.end) for part in report.segments if part.label in FLAGGED)
    size = sum(end - start for start, end in flagged)
    return Outcome(
        share=size / max(1, len(report.answer)),
        spans=flagged,
        verdict=_verdict(report),
        segments=len(report.segments),
        seconds=seconds,
        checked=all(part.label is not Label.UNCHECKED for part in report.segments),
    )


def _verdict(report: Report) -> str:
    labels = {part.label for part in report.segments} - {Label.NOT_A_CLAIM}
    if not labels:
        return "no claim"
    if labels & {Label.CONTRADICTED, Label.CONFLICTING}:
        return "contradicted"
    if Label.UNCHECKED in labels:
        return "unchecked"
    if labels == {Label.SUPPORTED}:
        return "supported"
    return "partial" if labels & {Label.SUPPORTED, Label.AMBIGUOUS} else "not"


def judge(examples: Sequence[Example], *, policy: str, jobs: int, keep: Path | None = None) -> Iterator[Outcome]:
    """The outcome of each example, in order; ``keep`` is a folder for results, from which a later run goes on."""
    oracle = _opened(policy)
    about = {"evaluation": "passages", **(judged_by(oracle) if keep is not None else {})}

    def one(example: Example) -> Outcome:
        start = time.perf_counter()
        report = oracle.check(example.text, example.question, example.context, seconds=_SECONDS)
        return outcome_of(report, time.perf_counter() - start)

    task = Task(
        judge=one,
        key=lambda example: [example.text, example.question, example.context],
        told=lambda example: example.id,
        write=asdict,
        read=lambda told: Outcome(**{**told, "spans": tuple((start, end) for start, end in told["spans"])}),
        about=about,
        keeps=lambda outcome: outcome.checked,
    )
    return rows_judged(examples, task, Running(jobs=jobs, keep=keep))


def _opened(policy: str) -> Oracle:
    """An oracle over a folder without any source."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "imprimatur.yaml").write_text("version: 1\nname: passages\n", encoding="utf-8")
        return Oracle.from_folder(folder, policy=policy)
