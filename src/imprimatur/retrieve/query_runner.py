"""Queries run on a copy of the graph in a process of its own, which is ended when a query takes too long.

Contract: nothing that a query does can reach the graph itself. The process starts with the first query and is kept; one
that was ended, or that failed, is started anew by the next query.
"""

from __future__ import annotations

import json
import subprocess
import sys
import weakref
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

from imprimatur.errors import CheckFailed, LimitExceeded, StoreUnavailable
from imprimatur.sources.graph.store import Graph

__all__ = ["QueryRunner"]

_MEMORY = 8 << 30
_START_SECONDS = 120.0


class QueryRunner:
    """Runs queries over one graph, one after another; it may be used by several threads."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._lines: SimpleQueue[bytes] = SimpleQueue()

    def run(self, query: str, *, rows: int, seconds: float) -> dict[str, Any]:
        """What a query gives: ``{truth}``, or ``{variables, rows}`` with terms as N-Triples.

        Raises:
            LimitExceeded: it took longer than so many seconds. CheckFailed: the store refuses it.
            StoreUnavailable: the process cannot be started, or ended.
        """
        with self._lock:
            try:
                child = self._started()
                assert child.stdin is not None
                child.stdin.write(json.dumps({"query": query, "rows": rows}).encode() + b"\n")
                child.stdin.flush()
            except OSError as fault:
                self._end()
                raise StoreUnavailable(f"queries cannot be run: {fault.strerror}") from fault
            told = self._line(seconds, f"the query took longer than {seconds:.1f} seconds")
        if "fault" in told:
            raise CheckFailed(f"the query failed: {told['fault']}")
        return told

    def close(self) -> None:
        """Ends the process, if there is one."""
        with self._lock:
            self._end()

    def _line(self, seconds: float, late: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            self._end()
            raise LimitExceeded(late) from None
        if not line:
            self._end()
            raise StoreUnavailable("the process that runs queries ended: it may have used too much memory")
        told: dict[str, Any] = json.loads(line)
        return told

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        command = [sys.executable, "-m", "imprimatur.retrieve.query_child", str(_MEMORY)]
        pipe = subprocess.PIPE
        child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        assert child.stdin is not None
        assert child.stdout is not None
        self._child, self._lines = child, SimpleQueue()
        weakref.finalize(self, _ended, child)
        Thread(target=_read, args=(child.stdout, self._lines), daemon=True).start()
        n3 = self._graph.n3
        for s, p, o in self._graph.triples():
            child.stdin.write(f"{n3(s)} {n3(p)} {n3(o)} .\n".encode("utf-8", "replace"))
        child.stdin.write(b"END\n")
        child.stdin.flush()
        self._line(_START_SECONDS, "the graph could not be copied in time")
        return child

    def _end(self) -> None:
        if self._child is not None:
            _ended(self._child)
            self._child = None


def _read(stream: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    with suppress(ValueError, OSError):
        for line in stream:
            lines.put(line)
    lines.put(b"")


def _ended(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
