"""Judges the rows of an evaluation: in several processes, with results that are kept, in the order of the rows.

``rows_judged`` is the one way. Invariants: results come in the order of the rows and are the same whatever the number
of processes, and whether they were judged now or kept before; what a run has judged is kept as soon as it is known,
whatever its place, so that a run that is killed loses no more than the rows under way; a process that ends, and a
judge that fails, are told with the row; a fault is never a result.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

from imprimatur.cli.progress import Progress
from imprimatur.errors import CheckFailed, ImprimaturError
from imprimatur.evals.kept import Kept

__all__ = ["Running", "Task", "rows_judged"]

R = TypeVar("R")
V = TypeVar("V")

#: A row may be judged so many places before its turn, for each process: what waits is held in memory.
_AHEAD = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Generic[R, V]):
    """What is done to each row.

    Attributes:
        judge: gives the result of a row. It is called in this process or in a copy of it.
        key: what of a row its result hangs on, JSON-ready; ``about``: all else that it hangs on
            (``kept.judged_by``, the evaluation's name, its settings).
        told: how the row is named to people.
        write, read: a result as JSON-ready values, and back.
        keeps: whether a result may be kept; one that came of a time limit must not be, for it says something of the
            machine.
    """

    judge: Callable[[R], V]
    key: Callable[[R], Any]
    told: Callable[[R], str]
    write: Callable[[V], Any]
    read: Callable[[Any], V]
    about: Mapping[str, Any] = field(default_factory=dict)
    keeps: Callable[[V], bool] = lambda _: True


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How it is done: in how many processes, and where results are kept (nowhere by default)."""

    jobs: int = 1
    keep: Path | None = None
    title: str = "Judging"


def rows_judged(rows: Sequence[R], task: Task[R, V], running: Running | None = None) -> Iterator[V]:
    """The result of each row, in order, with a bar that says how fast it goes and how long it takes.

    Raises:
        ImprimaturError: the judge raised it; what it says begins with the row.
        CheckFailed: the judge failed otherwise, or a process ended; the row is named.
        InputError: results cannot be kept.
    """
    how = running or Running()
    kept = None if how.keep is None else Kept(how.keep, task.about)
    names = [kept.name(task.key(row)) for row in rows] if kept is not None else []
    before = {place: found for place, name in enumerate(names) if kept and (found := kept.get(name)) is not None}
    left = [place for place in range(len(rows)) if place not in before]
    new = _judged(rows, left, task, how)
    with contextlib.closing(new), Progress(how.title, len(rows), unit="rows") as progress:
        waiting: dict[int, Any] = {}
        progress.skip(len(before))
        for place in range(len(rows)):
            while place not in before and place not in waiting:
                at, result = next(new)
                waiting[at] = result
                if kept is not None and task.keeps(task.read(result)):
                    kept.put(names[at], result)
                progress.count()
            yield task.read(before.pop(place) if place in before else waiting.pop(place))


def _judged(
    rows: Sequence[R], left: Sequence[int], task: Task[R, V], how: Running
) -> Generator[tuple[int, Any], None, None]:
    """The places that are left with their results as they are written, in any order."""
    jobs = min(how.jobs, len(left))
    if jobs > 1 and "fork" in multiprocessing.get_all_start_methods():
        yield from _in_processes(rows, left, task, jobs)
        return
    for place in left:
        answer = _answer(rows[place], task)
        if isinstance(answer, _Fault):
            raise _raised(answer, task.told(rows[place]))
        yield place, answer


# -- one row ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Fault:
    """What a judge raised: an error of this package as it is, any other in words."""

    error: ImprimaturError | str


def _answer(row: R, task: Task[R, V]) -> Any:
    try:
        return task.write(task.judge(row))
    except ImprimaturError as fault:
        return _Fault(fault)
    except Exception as fault:
        return _Fault(f"{type(fault).__name__}: {fault}"[:500])


def _raised(fault: _Fault, row: str) -> ImprimaturError:
    said = f"row {row[:80]}"
    if isinstance(fault.error, str):
        return CheckFailed(f"the check failed: {fault.error}", where=said)
    if not fault.error.where:
        fault.error.where = said
    return fault.error


# -- several processes ------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class _Worker:
    """A process, the line to it, and the row that it is at."""

    process: BaseProcess
    line: Connection
    place: int | None = None


def _in_processes(rows: Sequence[R], left: Sequence[int], task: Task[R, V], jobs: int) -> Iterator[tuple[int, Any]]:
    workers = _started(rows, task, jobs)
    todo, done = iter(left), set[int]()
    order = iter(left)
    first = next(order)
    try:
        for worker in workers:
            _send(worker, todo)
        while any(worker.place is not None for worker in workers):
            busy = {worker.line: worker for worker in workers if worker.place is not None}
            for line in wait(list(busy)):
                worker = busy[line]  # type: ignore[index]
                place, answer = _received(worker, rows, task)
                done.add(place)
                while first in done:
                    done.discard(first)
                    first = next(order, -1)
                # Who had to wait because the oldest row was still under way is woken once that is done.
                for each in workers:
                    if each.place is None and len(done) < _AHEAD * jobs:
                        _send(each, todo)
                yield place, answer
    finally:
        for worker in workers:
            worker.line.close()
            worker.process.terminate()
        for worker in workers:
            worker.process.join()


def _started(rows: Sequence[R], task: Task[R, V], jobs: int) -> list[_Worker]:
    """Copies of this process: what it has opened is shared, and nothing has to be sent but places and results."""
    context = multiprocessing.get_context("fork")
    workers: list[_Worker] = []
    for _ in range(jobs):
        ours, theirs = context.Pipe()
        others = [each.line for each in workers]
        process = context.Process(target=_work, args=(rows, task, theirs, (ours, *others)), daemon=True)
        process.start()
        theirs.close()
        workers.append(_Worker(process, ours))
    return workers


def _work(rows: Sequence[R], task: Task[R, V], line: Connection, others: Sequence[Connection]) -> None:
    """What a copy does until nobody is at the other end."""
    # Ctrl-C goes to the whole process group; only the first process answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in others:
        each.close()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            answer = _answer(rows[line.recv()], task)
            try:
                line.send(answer)
            except (pickle.PicklingError, TypeError, AttributeError) as fault:
                line.send(_Fault(f"its result cannot be handed over: {fault}"[:500]))


def _send(worker: _Worker, todo: Iterator[int]) -> None:
    worker.place = next(todo, None)
    if worker.place is not None:
        # Where it has ended, receiving will tell.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            worker.line.send(worker.place)


def _received(worker: _Worker, rows: Sequence[R], task: Task[R, V]) -> tuple[int, Any]:
    place = worker.place
    assert place is not None
    said = task.told(rows[place])
    try:
        answer = worker.line.recv()
    except (EOFError, ConnectionResetError) as fault:
        worker.process.join()
        code = worker.process.exitcode or 0
        why = f"signal {-code}" if code < 0 else f"exit status {code}"
        hint = "was memory short? try fewer --jobs; what was judged before is kept where --keep says"
        raise CheckFailed(f"a process ended ({why})", where=f"row {said[:80]}", hint=hint) from fault
    if isinstance(answer, _Fault):
        raise _raised(answer, said)
    worker.place = None
    return place, answer
