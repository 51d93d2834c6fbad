"""The gateway's figures for Prometheus, and the watch over the share of answers that are withheld.

A share near zero says that the gate is too loose, or that nothing is judged; a sudden high one that ingestion or the
index has regressed. Both bounds are the operator's. Names follow Prometheus's conventions (base units, ``_total``).
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from imprimatur.serve.settings import Bounds
from imprimatur.stopwatch import Stopwatch
from imprimatur.stream import Mode

__all__ = ["KINDS", "Figures"]

_log = logging.getLogger("imprimatur.serve")
_FINE = ("supported", "not_a_claim")
_SHOWN = ("licensed", "annotated")
_WATCHING = (Mode.AUDIT, Mode.SHADOW)
#: Kinds of what is no text that have a figure of their own; names that a model server makes up do not.
KINDS = frozenset(
    (
        "audio",
        "code_interpreter_call",
        "computer_call",
        "custom_tool_call",
        "file_search_call",
        "function_call",
        "image_generation_call",
        "mcp_call",
        "other",
        "reasoning",
        "reasoning_content",
        "refusal",
        "tool_calls",
        "web_search_call",
    )
)
_SECONDS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60)


class Figures:
    """Counts of one gateway."""

    def __init__(self, bounds: Bounds) -> None:
        self.registry = CollectorRegistry()
        self._bounds = bounds
        self._latest: deque[bool] = deque(maxlen=bounds.window)
        self._outside = False
        self.requests = Counter(
            "imprimatur_requests_total", "Requests by route and status.", ("route", "status"), registry=self.registry
        )
        self._decisions = Counter(
            "imprimatur_decisions_total",
            "Answers by what became of them.",
            ("knowledge_base", "mode", "decision"),
            registry=self.registry,
        )
        self._segments = Counter(
            "imprimatur_segments_total", "Segments by label.", ("knowledge_base", "label"), registry=self.registry
        )
        self._reasons = Counter(
            "imprimatur_withheld_reasons_total",
            "Reasons of segments that are not licensed.",
            ("knowledge_base", "reason"),
            registry=self.registry,
        )
        self._would_withhold = Counter(
            "imprimatur_would_withhold_total",
            "Answers that were shown as they came, but would have been withheld or changed, by each of the reasons.",
            ("knowledge_base", "mode", "reason"),
            registry=self.registry,
        )
        self._questions = Counter(
            "imprimatur_questions_total",
            "Questions that were asked, by who answers and what became of them.",
            ("knowledge_base", "how", "outcome"),
            registry=self.registry,
        )
        self.upstream_faults = Counter(
            "imprimatur_upstream_faults_total", "Calls that the model server failed.", ("kind",), registry=self.registry
        )
        self._not_examined = Counter(
            "imprimatur_not_examined_total",
            "Parts of replies that are no text, by kind.",
            ("kind",),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "imprimatur_request_seconds", "Seconds of a request.", ("route",), buckets=_SECONDS, registry=self.registry
        )
        self._stages = Histogram(
            "imprimatur_stage_seconds",
            "Seconds that a stage worked on an answer.",
            ("knowledge_base", "stage"),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._checks = Histogram(
            "imprimatur_check_seconds",
            "Seconds of work for an answer.",
            ("knowledge_base",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._share = Gauge(
            "imprimatur_abstention_share",
            "Share of the latest answers that were withheld, of each process.",
            multiprocess_mode="liveall",
            registry=self.registry,
        )

    def worked(self, watch: Stopwatch, *, kb: str) -> None:
        """Takes how long the stages worked on an answer."""
        self._checks.labels(kb).observe(watch.seconds)
        for stage, block in watch.worked().items():
            self._stages.labels(kb, stage.value).observe(block.seconds)

    def judged(self, report: Mapping[str, Any], *, kb: str, mode: str) -> None:
        """Counts a report."""
        self._decisions.labels(kb, mode, report["decision"]).inc()
        for label, count in report["accounting"].items():
            self._segments.labels(kb, label).inc(count)
        reasons = [reason for each in report["segments"] if each["label"] not in _FINE for reason in each["reasons"]]
        for reason in reasons:
            self._reasons.labels(kb, reason).inc()
        if mode in _WATCHING and report["decision"] not in _SHOWN:
            for reason in dict.fromkeys(reasons):
                self._would_withhold.labels(kb, mode, reason).inc()
        self._watch(report["decision"] == "abstained")

    def asked(self, found: Mapping[str, Any], *, kb: str) -> None:
        """Counts a question that was answered, or not."""
        self._questions.labels(kb, found["how"], found["outcome"]).inc()

    def passed_over(self, kinds: Mapping[str, int]) -> None:
        """Counts parts of a reply that are no text."""
        for kind, count in kinds.items():
            self._not_examined.labels(kind if kind in KINDS else "other").inc(count)

    def text(self) -> bytes:
        """All figures in Prometheus's text format: of all processes that serve, where there are several."""
        folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        if folder is None:
            return generate_latest(self.registry)
        _forget_the_dead(folder)
        together = CollectorRegistry()
        MultiProcessCollector(together, folder)  # type: ignore[no-untyped-call]
        return generate_latest(together)

    def _watch(self, withheld: bool) -> None:
        self._latest.append(withheld)
        share = sum(self._latest) / len(self._latest)
        self._share.set(share)
        full = len(self._latest) == self._bounds.window
        outside = full and not self._bounds.low <= share <= self._bounds.high
        if outside and not self._outside:
            loose = share < self._bounds.low
            why = "the gate may be too loose" if loose else "ingestion or the index may have regressed"
            _log.warning("%.1f %% of the last %d answers were withheld: %s", share * 100, len(self._latest), why)
        self._outside = outside


def _forget_the_dead(folder: str) -> None:
    """Leaves out what processes that are gone last said of themselves; what they counted stays."""
    for file in Path(folder).glob("gauge_live*_*.db"):
        number = file.stem.rpartition("_")[2]
        if number.isdigit() and not _runs(int(number)):
            mark_process_dead(number, folder)  # type: ignore[no-untyped-call]


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
