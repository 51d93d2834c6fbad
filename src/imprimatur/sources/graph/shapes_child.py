"""What the process of ``shapes_apart`` does: it makes a judge, and answers until the line is closed."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import pyshacl.errors

from imprimatur.errors import CheckFailed, ImprimaturError, LimitExceeded
from imprimatur.sources.graph.shapes import Violation
from imprimatur.sources.graph.shapes_affected import opaque
from imprimatur.sources.graph.shapes_blame import Judge
from imprimatur.sources.graph.shapes_check import found_in_graph, try_shapes, violation_of
from imprimatur.sources.graph.shapes_overlay import term_of
from imprimatur.sources.graph.shapes_run import Clock

__all__ = ["run"]

#: Memory that the process may use besides what it begins with.
_MEMORY = 2 << 30
_LATEST_S = 2.0


def run(line: Connection, other: Connection, make: Callable[[], Judge]) -> NoReturn:
    """Serves the line, and ends the process without returning to what it was forked from."""
    try:
        other.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        # pySHACL warns where it goes no deeper into recursive shapes, and takes the rest for kept.
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", pyshacl.errors.ShapeRecursionWarning)
        _bound_memory()
        _serve(line, make)
    finally:
        os._exit(0)


def _bound_memory() -> None:
    """Bounds the memory of this process where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _serve(line: Connection, make: Callable[[], Judge]) -> None:
    judge: Judge | None = None
    while True:
        seconds, what, *given = line.recv()
        # Whatever it is doing, and also when nobody is left to kill it, the process dies some time after.
        signal.setitimer(signal.ITIMER_REAL, seconds + _LATEST_S)
        try:
            if judge is None:
                made = make()
                try_shapes(made)
                judge = made
            answer = _answer(judge, what, given, seconds)
        except ImprimaturError as error:
            answer = error
        except MemoryError:
            answer = LimitExceeded("the shapes use too much memory", hint="mend the shapes")
        except Exception as error:  # whatever it is, nothing was judged
            answer = CheckFailed(f"the shapes could not be evaluated: {type(error).__name__}: {str(error)[:300]}")
        signal.setitimer(signal.ITIMER_REAL, 0)
        line.send(answer)


def _answer(judge: Judge, what: str, given: list[Any], seconds: float) -> Any:
    match what:
        case "blame":
            return _blame(judge, given[0], seconds)
        case "check":
            return found_in_graph(judge)
        case "opaque":
            return [judge.shapes.name(each) for each in opaque(judge.shapes)]
    return None


def _blame(
    judge: Judge, claims: Sequence[Sequence[tuple[str, str, str]]], seconds: float
) -> list[tuple[int, Violation]]:
    read = [frozenset((term_of(s), term_of(p), term_of(o)) for s, p, o in claim) for claim in claims]
    return [
        (each.claim, violation_of(each.result, judge.shapes, message=each.message, conflict=each.conflict))
        for each in judge.blame(read, clock=Clock.of(seconds))
    ]
