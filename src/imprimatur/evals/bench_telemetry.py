"""What observing costs: the time of a check with telemetry and without, and of the blocks that nobody is told of.

    python -m imprimatur.evals.bench_telemetry

Answers of twelve example sentences about rivers are checked in turn with OpenTelemetry's SDK (batches that go nowhere)
and without; what is compared is processor time, by medians of pairs, so that other work on the machine falls out. The
cost without telemetry is the number of blocks that the stages enter times what an idle block takes.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import click

from imprimatur.observer import UNOBSERVED, Stage, Working
from imprimatur.oracle import Oracle
from imprimatur.report import Report

__all__ = ["command"]

_SENTENCES = 12


class _Counting:
    """An observer that counts blocks."""

    def __init__(self) -> None:
        self.blocks = 0

    def stage(self, stage: Stage, /) -> Working:
        """One more."""
        self.blocks += 1
        return UNOBSERVED.stage(stage)

    def ended(self, report: Report, /) -> None:
        """Nothing."""

    def failed(self, fault: BaseException, /) -> None:
        """Nothing."""


@click.command()
@click.option("--rows", type=click.Path(path_type=Path, exists=True), default=Path("examples/rivers-claims.jsonl"))
@click.option("--kb", default="rivers")
@click.option("--rounds", default=40, help="How often each answer is checked either way.")
def command(rows: Path, kb: str, rounds: int) -> None:
    """Measure what observing costs."""
    lines = [json.loads(line)["text"] for line in rows.read_text(encoding="utf-8").splitlines()[: 10 * _SENTENCES]]
    answers = [" ".join(lines[at : at + _SENTENCES]) for at in range(0, len(lines), _SENTENCES)]
    plain = Oracle.from_folder(kb)
    for answer in answers:
        plain.check(answer)
    blocks = _blocks(plain, answers)
    idle = _idle()
    watched = _watched(plain)
    pairs = [(_took(plain, answer), _took(watched, answer)) for _ in range(rounds) for answer in answers]
    base = statistics.median(without for without, _ in pairs)
    more = statistics.median(with_it - without for without, with_it in pairs)
    click.echo(f"a check of {_SENTENCES} sentences: {base * 1000:.2f} ms")
    click.echo(
        f"without telemetry: {blocks:.0f} idle blocks of {idle * 1e9:.0f} ns, {blocks * idle * 1e6:.1f} µs,"
        f" {blocks * idle / base:.2%}"
    )
    click.echo(f"with telemetry: {more * 1e6:.0f} µs more, {more / base:.1%}")


def _blocks(oracle: Oracle, answers: list[str]) -> float:
    """How many blocks the stages enter for an answer."""
    counting = _Counting()
    observed = oracle.observed_by(lambda: counting)
    for answer in answers:
        observed.check(answer)
    return counting.blocks / len(answers)


def _idle(times: int = 200_000) -> float:
    """The seconds that an idle block takes, with the loop around it."""
    started = time.process_time()
    for _ in range(times):
        with UNOBSERVED.stage(Stage.EXTRACT):
            pass
    return (time.process_time() - started) / times


def _took(oracle: Oracle, answer: str) -> float:
    started = time.process_time()
    oracle.check(answer)
    return time.process_time() - started


def _watched(oracle: Oracle) -> Oracle:
    """The oracle with telemetry whose batches go nowhere."""
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, InMemoryLogRecordExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from imprimatur.telemetry.answers import Providers, Telemetry

    untyped: Any = InMemoryLogRecordExporter
    spans, events = InMemorySpanExporter(), untyped()
    spans.shutdown()
    events.shutdown()
    traces, logs = TracerProvider(), LoggerProvider()
    traces.add_span_processor(BatchSpanProcessor(spans))
    logs.add_log_record_processor(BatchLogRecordProcessor(events))
    metrics = MeterProvider([InMemoryMetricReader()])
    return oracle.observed_by(Telemetry(Providers(traces=traces, logs=logs, metrics=metrics)).answer)


if __name__ == "__main__":
    sys.exit(command())
