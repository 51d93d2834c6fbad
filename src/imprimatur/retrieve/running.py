"""Paths run side by side under one deadline.

A path that raises, or is not done in time, is a ``Failure``; what the others found stands. A path that does not come
back is left behind in a thread that ends with the process: nothing waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from imprimatur.errors import ImprimaturError
from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate, Clock, Path
from imprimatur.retrieve.trail import Failure

__all__ = ["run_paths"]

_Outcome = tuple[str, Sequence[Candidate] | Failure]


def run_paths(
    paths: Mapping[str, Path], asked: Asked, clock: Clock
) -> tuple[dict[str, Sequence[Candidate]], tuple[Failure, ...]]:
    """What each path found, and the failures, both in the order of the paths."""
    done: SimpleQueue[_Outcome] = SimpleQueue()
    for name, path in paths.items():
        Thread(target=_running(name, path, asked, clock, done), name=f"path {name}", daemon=True).start()
    outcomes: dict[str, Sequence[Candidate] | Failure] = {}
    while len(outcomes) < len(paths):
        try:
            name, outcome = done.get(timeout=clock.left)
        except Empty:
            break
        outcomes[name] = outcome
    late = {name: Failure(name, "was not done in time") for name in paths if name not in outcomes}
    outcomes |= late
    found = {name: outcome for name in paths if not isinstance(outcome := outcomes[name], Failure)}
    failures = tuple(outcome for name in paths if isinstance(outcome := outcomes[name], Failure))
    return found, failures


def _running(name: str, path: Path, asked: Asked, clock: Clock, done: SimpleQueue[_Outcome]) -> Callable[[], None]:
    def run() -> None:
        try:
            done.put((name, path(asked, clock)))
        except ImprimaturError as fault:
            done.put((name, Failure(name, f"{fault} ({fault.hint})" if fault.hint else str(fault))))
        except Exception as fault:  # a path may be anybody's code; its failure must be told, whatever it is
            done.put((name, Failure(name, f"{type(fault).__name__}: {str(fault)[:200]}")))

    return run
