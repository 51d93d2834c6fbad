"""Judges labelled texts against their passages with an oracle that has no other source, on all cores.

Invariant: the outcomes are in the order of the examples whatever the number of processes, and judging one text depends
on nothing but that text and its passages. A text whose check fails is counted as flagged, and is told.
"""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from imprimatur.errors import CheckFailed
from imprimatur.evals.passage_sets import Example
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

__all__ = ["FLAGGED", "Outcome", "judge", "outcome_of"]

#: A segment with such a label is flagged as unfounded.
FLAGGED = (Label.CONTRADICTED, Label.NOT_FOUND)
#: A text may take this long, in seconds: measuring is not serving.
_SECONDS = 120.0
_BUNDLE = 8
_oracle: Oracle | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one text.

    Attributes:
        share: the share of its characters in flagged segments; spans: those segments.
        verdict: ``supported``, ``partial``, ``contradicted``, ``not``, ``no claim`` or ``unchecked``.
        segments, seconds: how many segments were judged, and how long that took.
    """

    share: float
    spans: tuple[tuple[int, int], ...]
    verdict: str
    segments: int
    seconds: float


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


def judge(examples: Sequence[Example], *, policy: str, jobs: int) -> Iterator[Outcome]:
    """The outcome of each example, in order."""
    if jobs == 1:
        _start(policy)
        for example in examples:
            yield _one(example)
        return
    bundles = [examples[at : at + _BUNDLE] for at in range(0, len(examples), _BUNDLE)]
    try:
        with ProcessPoolExecutor(jobs, initializer=_start, initargs=(policy, True)) as pool:
            for outcomes in pool.map(_some, bundles):
                yield from outcomes
    except BrokenProcessPool as fault:
        raise CheckFailed("a worker process ended unexpectedly", hint="was memory short? try --jobs 1") from fault


def _start(policy: str, worker: bool = False) -> None:
    """Opens an oracle over a folder without any source."""
    global _oracle
    if worker:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "imprimatur.yaml").write_text("version: 1\nname: passages\n", encoding="utf-8")
        _oracle = Oracle.from_folder(folder, policy=policy)


def _some(examples: Sequence[Example]) -> list[Outcome]:
    return [_one(example) for example in examples]


def _one(example: Example) -> Outcome:
    if _oracle is None:
        raise CheckFailed("no oracle was opened")
    start = time.perf_counter()
    report = _oracle.check(example.text, example.question, example.context, seconds=_SECONDS)
    return outcome_of(report, time.perf_counter() - start)
