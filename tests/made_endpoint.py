"""SPARQL endpoints for tests: a real Oxigraph server where there is one, one of our own, and ones that misbehave."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from urllib.request import urlopen

import pyoxigraph as ox

__all__ = [
    "JSON",
    "NO_ROWS",
    "WORLD",
    "Scripted",
    "loopback",
    "oxigraph",
    "oxigraph_binary",
    "oxigraph_server",
    "reply",
    "rows",
    "served",
]

JSON = "application/sparql-results+json"
NO_ROWS = b'{"head": {"vars": []}, "results": {"bindings": []}}'

#: Things, facts and names as Wikidata writes them, with times of every precision and a name that wants to be a query.
WORLD = r"""
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
wd:P20 rdfs:label "place of death"@en, "lugar de fallecimiento"@es ; skos:altLabel "died in"@en ;
    wikibase:directClaim wdt:P20 ; wikibase:claim p:P20 .
wd:P569 rdfs:label "date of birth"@en ; wikibase:directClaim wdt:P569 ; wikibase:claim p:P569 ;
    wikibase:statementValue psv:P569 .
wd:P106 rdfs:label "occupation"@en ; wikibase:directClaim wdt:P106 .
wd:P213 rdfs:label "ISNI"@en ; wikibase:directClaim wdt:P213 .
wd:Q1 rdfs:label "Ann Marlow"@en, "Anne Marlow"@fr ; skos:altLabel "A. Marlow"@en ;
    wdt:P20 wd:Q10 ; wdt:P106 wd:Q20, wd:Q21 ; wdt:P213 "0000 0001" ;
    wdt:P569 "1952-01-01T00:00:00Z"^^xsd:dateTime ; p:P569 wd:s1 .
wd:s1 psv:P569 wd:v1 .
wd:v1 wikibase:timeValue "1952-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 .
wd:Q2 rdfs:label "Jo Tarn"@en ; wdt:P20 wd:Q10, [] ; wdt:P569 "1952-03-11T00:00:00Z"^^xsd:dateTime .
wd:Q3 rdfs:label "Kit Orr"@en ; wdt:P569 "1900-01-01T00:00:00Z"^^xsd:dateTime ; p:P569 wd:s3 .
wd:s3 psv:P569 wd:v3 .
wd:v3 wikibase:timeValue "1900-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 7 .
wd:Q4 rdfs:label "Lee Moss"@en ; wdt:P569 "1900-01-01T00:00:00Z"^^xsd:dateTime .
wd:Q5 rdfs:label "Max Dale"@en ; wdt:P569 "1950-06-15T00:00:00Z"^^xsd:dateTime ; p:P569 wd:s5 .
wd:s5 psv:P569 wd:v5 .
wd:v5 wikibase:timeValue "1950-06-15T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 10 .
wd:Q10 rdfs:label "Rome"@en, "Roma"@it .
wd:Q20 rdfs:label "painter"@en .
wd:Q21 rdfs:label "sculptor"@en .
wd:Q30 rdfs:label "the \"old\" one }"@en ; wdt:P20 wd:Q10 .
"""


class _Handler(BaseHTTPRequestHandler):
    """Answers queries by what the server was given to answer them with."""

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())
        server: Any = self.server
        server.seen.append((dict(self.headers), sent["query"][0]))
        server.graphs.append(sent.get("default-graph-uri", [""])[0])
        server.answers(self, sent["query"][0])

    def log_message(self, *_: object) -> None:
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answers: Callable[[BaseHTTPRequestHandler, str], None]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = answers
        self.seen: list[tuple[dict[str, str], str]] = []
        self.graphs: list[str] = []

    def handle_error(self, *_: object) -> None:
        """A caller that went away is no error."""

    @property
    def url(self) -> str:
        """Where queries go."""
        return f"http://127.0.0.1:{self.server_address[1]}/sparql"


@contextmanager
def served(answers: Callable[[BaseHTTPRequestHandler, str], None]) -> Iterator[_Server]:
    """A server on this machine that answers so."""
    server = _Server(answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def reply(handler: BaseHTTPRequestHandler, body: bytes, *, status: int = 200, kind: str = JSON, **headers: str) -> None:
    """One whole answer."""
    handler.send_response(status)
    for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def loopback(turtle: str = WORLD) -> Callable[[BaseHTTPRequestHandler, str], None]:
    """Answers over a graph, as an endpoint does, by pyoxigraph."""
    store = ox.Store()
    store.load(turtle.encode(), format=ox.RdfFormat.TURTLE)

    def answers(handler: BaseHTTPRequestHandler, query: str) -> None:
        try:
            found = store.query(query)
        except SyntaxError:
            return reply(handler, b"no query", status=400, kind="text/plain")
        assert isinstance(found, ox.QuerySolutions)
        return reply(handler, found.serialize(format=ox.QueryResultsFormat.JSON) or b"")

    return answers


class Scripted:
    """Answers by one script after another, the last again and again."""

    def __init__(self, *scripts: Callable[[BaseHTTPRequestHandler, str], None]) -> None:
        self._scripts: Sequence[Callable[[BaseHTTPRequestHandler, str], None]] = scripts
        self.calls = 0

    def __call__(self, handler: BaseHTTPRequestHandler, query: str) -> None:
        self.calls += 1
        self._scripts[min(self.calls, len(self._scripts)) - 1](handler, query)


def oxigraph_binary() -> str | None:
    """The command of Oxigraph: what OXIGRAPH names, beside this Python, or on the path."""
    beside = Path(sys.executable).with_name("oxigraph")
    named = os.environ.get("OXIGRAPH")
    return named or (str(beside) if beside.exists() else shutil.which("oxigraph"))


@contextmanager
def oxigraph(binary: str, folder: Path, turtle: str = WORLD) -> Iterator[str]:
    """A running Oxigraph server with a graph; the address for queries."""
    data = folder / "world.ttl"
    data.write_text(turtle, encoding="utf-8")
    url, running = oxigraph_server(binary, folder, data)
    try:
        yield url
    finally:
        running.terminate()
        running.wait(10)


def oxigraph_server(
    binary: str, folder: Path, data: Path, command: str = "serve-read-only"
) -> tuple[str, subprocess.Popen[bytes]]:
    """A server with the triples of a file, and the address for queries; whoever starts it ends it."""
    store = folder / "store"
    load = [binary, "load", "--location", str(store), "--file", str(data)]
    subprocess.run(load, check=True, capture_output=True, timeout=60)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    running = subprocess.Popen(
        [binary, command, "--location", str(store), "--bind", place],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _wait(f"http://{place}/", running)
    return f"http://{place}/query", running


def _wait(url: str, running: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert running.poll() is None, "the server ended"
        try:
            with urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def rows(*bindings: dict[str, Any]) -> bytes:
    """Some rows as an answer."""
    return json.dumps({"head": {"vars": []}, "results": {"bindings": bindings}}).encode()
