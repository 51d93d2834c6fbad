"""pySHACL in a process of its own, which is ended when it takes too long.

rdflib reads and evaluates queries, and matches expressions, in long steps in which no deadline is asked for; some never
end, or use up all memory. So the shapes that are not compiled are judged in a fork of this process, which shares the
graph. It is killed soon after the time is over, and its memory is bounded. Contract: every call gives the answer of
``Judge``, or raises: a process that was killed, crashed or could not be started is an error that names the shapes.
Where processes cannot be forked, these shapes are not judged at all.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from imprimatur.errors import CheckFailed, ImprimaturError, LimitExceeded
from imprimatur.sources.graph.shapes import Violation

if TYPE_CHECKING:
    from imprimatur.sources.graph.shapes_blame import Judge

__all__ = ["Apart"]

#: For reading the shapes and trying them on a node that has nothing.
_OPENING_S = 30.0
_GRAPH_S = 3600.0
#: What the process may take longer than its own clock says, before it is killed.
_GRACE_S = 0.25

Claim = Sequence[tuple[str, str, str]]


class Apart:
    """A judge in a process of its own; ``make`` makes it there, ``names`` are its shapes' for messages."""

    def __init__(self, make: Callable[[], Judge], names: Sequence[str]) -> None:
        self._make = make
        self._names = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._refused: ImprimaturError | None = None
        self._opening = 0.0

    def blame(self, claims: Sequence[Claim], seconds: float) -> list[tuple[int, Violation]]:
        """The violations that rest on claims (in N-Triples), each with the claim's number; see ``Judge.blame``."""
        found: list[tuple[int, Violation]] = self._ask("blame", claims, seconds=seconds)
        return found

    def check(self) -> list[Violation]:
        """All results in the whole graph."""
        found: list[Violation] = self._ask("check", seconds=_GRAPH_S)
        return found

    def open(self) -> None:
        """Reads the shapes, and tries them at a node that has nothing.

        Raises:
            KnowledgeBaseError: a shape is malformed.
        """
        self._ask("open", seconds=_OPENING_S)

    def opaque(self) -> list[str]:
        """The names of the shapes that are not analysed."""
        found: list[str] = self._ask("opaque", seconds=_OPENING_S)
        return found

    def _ask(self, what: str, *given: object, seconds: float) -> Any:
        deadline = time.monotonic() + min(seconds, _GRAPH_S)
        if seconds <= 0 or not self._lock.acquire(timeout=min(seconds, _GRAPH_S)):
            raise self._late()
        try:
            process = self._opened(deadline)
            try:
                return process.ask((what, *given), deadline - time.monotonic())
            except TimeoutError as error:
                self._end()
                raise self._late() from error
            except LimitExceeded as error:
                raise LimitExceeded(f"{error.message}: {self._names}", hint=error.hint) from error
            except CheckFailed as error:
                if error.where or self._names in error.message:
                    raise
                raise CheckFailed(f"{error.message}: {self._names}", hint=error.hint) from error
        except (OSError, EOFError) as error:
            self._end()
            raise CheckFailed(f"the process that judges the shapes has died: {self._names}") from error
        finally:
            self._lock.release()

    def _opened(self, deadline: float) -> _Process:
        """The process once it has read the shapes; it may go on with that when a claim's time is over."""
        if self._refused is not None:
            raise copy(self._refused)
        if self._process is None or self._process.owner != os.getpid():
            self._process = _Process(self._make)
            self._process.send(("open",), _OPENING_S)
            self._opening = time.monotonic() + _OPENING_S
        try:
            if not self._process.ready:
                self._process.answer(min(deadline, self._opening))
                self._process.ready = True
        except ImprimaturError as error:
            self._refused = error
            raise
        except TimeoutError as error:
            if time.monotonic() >= self._opening:
                self._refused = self._late()
                self._end()
            raise self._late() from error
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process = None

    def _late(self) -> LimitExceeded:
        return LimitExceeded(f"the shapes took too long: {self._names}", hint="raise the limit, or mend the shapes")


class _Process:
    """The process and the line to it; it ends with this object, or with this process."""

    def __init__(self, make: Callable[[], Judge]) -> None:
        if not hasattr(os, "fork"):
            raise CheckFailed("shapes that are not compiled cannot be judged on this system", hint="see kb info")
        from imprimatur.sources.graph import shapes_child  # imports pySHACL, so that no fork needs to

        self.owner, self.ready = os.getpid(), False
        self._line, theirs = multiprocessing.Pipe()
        with warnings.catch_warnings():
            # Python 3.12 warns where threads run. The fork touches nothing that a thread could hold; else it is killed.
            warnings.simplefilter("ignore", DeprecationWarning)
            number = os.fork()
        if number == 0:
            shapes_child.run(theirs, self._line, make)
        theirs.close()
        self.end = weakref.finalize(self, _ended, number, self._line, self.owner)

    def send(self, request: tuple[object, ...], seconds: float) -> None:
        """Asks for an answer, which the process must give in time or die."""
        self._line.send((seconds, *request))

    def answer(self, deadline: float) -> Any:
        """The answer.

        Raises:
            TimeoutError: there is none in time.
            EOFError, OSError: the process has died.
            ImprimaturError: what the process raised.
        """
        if not self._line.poll(max(0.0, deadline - time.monotonic()) + _GRACE_S):
            raise TimeoutError
        outcome = self._line.recv()
        if isinstance(outcome, ImprimaturError):
            raise outcome
        return outcome

    def ask(self, request: tuple[object, ...], seconds: float) -> Any:
        """The answer to a request; raises as ``answer``."""
        self.send(request, seconds)
        return self.answer(time.monotonic() + seconds)


def _ended(number: int, line: Connection, owner: int) -> None:
    line.close()
    if os.getpid() == owner:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)
