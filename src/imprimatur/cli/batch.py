"""``imprimatur batch``: judge many answers, JSON lines in and out.

Invariants: one line out for every row in, in the same order; a row that cannot be read, or whose check fails, becomes
``{id, error}`` and the others go on; the output appears whole under its name or not at all; only this process records.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import click

from imprimatur.cli import session
from imprimatur.cli.options import Recording, recording_options, tenant_option
from imprimatur.cli.progress import Progress
from imprimatur.cli.rows import parse_row, row_id
from imprimatur.cli.sink import Sink
from imprimatur.errors import CheckFailed, ImprimaturError, InputError, RuntimeFault
from imprimatur.report_json import dumps

__all__ = ["command"]

#: Rows that travel to a worker together, and such bundles on their way for each worker.
_BUNDLE = 16
_AHEAD = 4
_oracle: session.OracleLike | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one row. ``status`` is 0, 2 (not readable) or 3 (the check failed)."""

    row: Any
    report: dict[str, Any] | None = None
    error: str = ""
    status: int = 0

    def line(self) -> bytes:
        """The row's line of output."""
        told = {"error": self.error} if self.report is None else {"report": self.report}
        return dumps({"id": self.row, **told}).encode("utf-8") + b"\n"


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--kb", metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="How many processes judge.")
@tenant_option
@recording_options
def command(
    *,
    source: str,
    target: str,
    kb: str | None,
    policy: str | None,
    tenant: str | None,
    jobs: int,
    recording: Recording,
) -> int:
    """Judge many answers: JSON lines in, JSON lines out.

    IN and OUT are files, or - for standard input and output. A row is {id, answer, question?, messages?, context?,
    memory?}, or has claims: [{text, kind, citations}] in place of answer; the result is {id, report}, or {id, error}
    for a row that cannot be judged. Exit status: 0 when every row was judged, 2 when some could not be read, 3 when
    some check failed.
    """
    worst = 0
    with contextlib.ExitStack() as stack:
        lines = stack.enter_context(_source(source))
        sink = stack.enter_context(Sink.open(target))
        _open(kb, policy, tenant)
        ledger = recording.open()
        if ledger is not None:
            stack.enter_context(ledger)
        progress = stack.enter_context(Progress("Judging", _size(lines)))
        for outcome in _judged(progress.over(lines, len), jobs, (kb, policy, tenant)):
            sink.write(outcome.line())
            if outcome.report is not None and ledger is not None:
                ledger.append(outcome.report, kb=kb if kb is not None else ".", at=datetime.now(UTC))
            worst = max(worst, outcome.status)
        sink.keep()
    if worst:
        click.echo("some rows could not be judged: see their `error` in the output", err=True)
    return worst


def _source(source: str) -> BinaryIO:
    """The input, open for reading bytes."""
    if source == "-":
        return sys.stdin.buffer
    try:
        return Path(source).open("rb")
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise InputError(f"cannot be read: {reason}", where=source, hint="give a file of JSON lines, or -") from fault


def _size(file: BinaryIO) -> int | None:
    """How many bytes a file has; None for a stream."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


def _open(kb: str | None, policy: str | None, tenant: str | None) -> None:
    """Opens the oracle here: a wrong knowledge base ends the batch before any row, and forked workers share it."""
    global _oracle
    _oracle = session.open_oracle(kb, policy, tenant=tenant)


def _start_worker(kb: str | None, policy: str | None, tenant: str | None) -> None:
    # Ctrl-C goes to the whole process group; only the parent answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _oracle is None:
        _open(kb, policy, tenant)


def _judged(lines: Iterable[bytes], jobs: int, opened: tuple[str | None, str | None, str | None]) -> Iterator[Outcome]:
    rows = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    if jobs == 1:
        for number, line in rows:
            yield _judge_row(number, line)
        return
    bundles = iter(lambda: tuple(islice(rows, _BUNDLE)), ())
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=opened) as pool:
        for outcomes in _in_order(lambda bundle: pool.submit(_judge_bundle, bundle), bundles, jobs * _AHEAD):
            yield from outcomes


def _in_order(
    submit: Callable[[tuple[tuple[int, bytes], ...]], Future[tuple[Outcome, ...]]],
    bundles: Iterator[tuple[tuple[int, bytes], ...]],
    ahead: int,
) -> Iterator[tuple[Outcome, ...]]:
    """The results in the order of the input, with at most ``ahead`` bundles under way."""
    waiting: deque[Future[tuple[Outcome, ...]]] = deque()
    try:
        for bundle in bundles:
            waiting.append(submit(bundle))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as fault:
        raise CheckFailed("a worker process ended unexpectedly", hint="was memory short? try fewer --jobs") from fault
    finally:
        for future in waiting:
            future.cancel()


def _judge_bundle(bundle: tuple[tuple[int, bytes], ...]) -> tuple[Outcome, ...]:
    return tuple(_judge_row(number, line) for number, line in bundle)


def _judge_row(number: int, line: bytes) -> Outcome:
    """What becomes of one row; a fault of any kind stays with its row."""
    if _oracle is None:
        raise CheckFailed("a worker was not started properly")
    try:
        row = parse_row(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
        return Outcome(row=row.id, report=row.judge(_oracle).to_dict())
    except ImprimaturError as fault:
        status = 3 if isinstance(fault, RuntimeFault) else 2
        return Outcome(row=row_id(line), error=f"line {number}: {fault}", status=status)
    except Exception as fault:
        error = f"line {number}: internal error: {type(fault).__name__}: {fault}"
        return Outcome(row=row_id(line), error=error, status=3)
