"""A real Virtuoso server for tests, where its commands are: on the path, or in the folder that VIRTUOSO names."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from imprimatur.oracle import Oracle
from imprimatur.testing.sources import Matter

__all__ = ["GRAPH", "VirtuosoSource", "virtuoso_commands", "virtuoso_source"]

GRAPH = "http://example.org/graph"
_SETTINGS = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/temporary.db
TransactionFile = {folder}/temporary.trx
[Parameters]
ServerPort = 127.0.0.1:{port}
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
DirsAllowed = {folder}, {data}
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}
[SPARQL]
ResultSetMaxRows = 1000
"""


@dataclass
class VirtuosoSource:
    """A server with a graph of triples, as a source of the suite (implements ``Changing``). Answers have 1,000 rows."""

    isql: str
    port: int
    url: str
    running: subprocess.Popen[bytes]
    folder: Path
    cache: Path
    language: str = "sparql"

    def oracle(self) -> Oracle:
        """A newly opened oracle."""
        return Oracle.from_folder(self.folder, cache_dir=self.cache)

    def insert(self, triple: str) -> None:
        """Adds a triple."""
        self.run(f"SPARQL INSERT DATA {{ GRAPH <{GRAPH}> {{ {triple} }} }};")

    def delete(self, triple: str) -> None:
        """Takes one out."""
        self.run(f"SPARQL DELETE DATA {{ GRAPH <{GRAPH}> {{ {triple} }} }};")

    def stop(self) -> None:
        """Ends the server."""
        self.running.terminate()
        self.running.wait(60)

    def run(self, statement: str) -> None:
        """Runs a statement of its own."""
        # By its input: in an argument it would take %20 for a space.
        command = [self.isql, f"127.0.0.1:{self.port}", "dba", "dba", "ERRORS=STDOUT"]
        done = subprocess.run(command, input=f"{statement}\n".encode(), check=True, capture_output=True, timeout=120)
        assert b"*** Error" not in done.stdout, done.stdout


def virtuoso_commands() -> tuple[str, str] | None:
    """The server and what runs statements."""
    folder = os.environ.get("VIRTUOSO")
    server = shutil.which("virtuoso-t", path=folder)
    isql = shutil.which("isql-vt", path=folder)
    return None if server is None or isql is None else (server, isql)


@contextmanager
def virtuoso_source(commands: tuple[str, str], matter: Matter, folder: Path) -> Iterator[VirtuosoSource]:
    """The triples of a knowledge base on a real server, in a named graph."""
    folder.mkdir()
    port, http = _free(), _free()
    settings = folder / "virtuoso.ini"
    settings.write_text(_SETTINGS.format(folder=folder, data=matter.folder, port=port, http=http))
    running = subprocess.Popen(
        [commands[0], "+foreground", "+configfile", str(settings)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{http}/sparql"
    kb = matter.kb(f"endpoint: {{url: {url}, graph: {GRAPH}}}")
    made = VirtuosoSource(commands[1], port, url, running, kb, folder / "cache")
    try:
        _wait(url, running)
        made.run(f"DB.DBA.TTLP_MT(file_to_string_output('{matter.triples}'), '', '{GRAPH}');")
        yield made
    finally:
        made.stop()


def _free() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
        return found


def _wait(url: str, running: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert running.poll() is None, "the server ended"
        try:
            with urlopen(f"{url}?query=ASK%7B%7D", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")
