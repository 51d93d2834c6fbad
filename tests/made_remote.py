"""Graphs behind an address, for tests: an endpoint of our own with the whims of real ones, and a real Oxigraph."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pyoxigraph as ox
from made_endpoint import oxigraph_server, reply, served
from small_kb import DATA, ONTOLOGY, SHAPES

from imprimatur.oracle import Oracle
from imprimatur.testing.sources import Matter

__all__ = ["Brooks", "Whims", "brooks", "oxigraph_source", "whimsical"]

_OFFSET = re.compile(r"OFFSET (\d+)")
BASE = "https://example.org/brooks/"


@dataclass
class Whims:
    """An endpoint over a graph, and how it misbehaves.

    Attributes:
        rows: it cuts every answer after so many, and says nothing of it.
        offset: it refuses to skip more rows. sums: whether it can make the sum of a stamp.
        shuffled: rows come in another order each time. labels: whether blank nodes have one label in all answers.
        down: it answers every request with this status.
    """

    store: ox.Store
    rows: int | None = None
    offset: int | None = None
    sums: bool = True
    shuffled: bool = False
    labels: bool = False
    down: int = 0
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    _random: Random = field(default_factory=lambda: Random(1))
    _answers: Iterator[int] = field(default_factory=itertools.count)

    def __call__(self, handler: BaseHTTPRequestHandler, query: str) -> None:
        """One answer."""
        server: Any = handler.server
        self.asked.append(query)
        self.headers.append(dict(handler.headers))
        skipped = _OFFSET.search(query)
        if self.down:
            return reply(handler, b"", status=self.down)
        if (self.offset is not None and skipped and int(skipped.group(1)) > self.offset) or (
            "SUM(" in query and not self.sums
        ):
            return reply(handler, b"no", status=500, kind="text/plain")
        graph = server.graphs[-1]
        try:
            found = self.store.query(query, default_graph=[ox.NamedNode(graph)] if graph else None)
        except SyntaxError:
            return reply(handler, b"no query", status=400, kind="text/plain")
        assert isinstance(found, ox.QuerySolutions)
        told = json.loads(found.serialize(format=ox.QueryResultsFormat.JSON) or b"")
        return reply(handler, json.dumps(self._changed(told)).encode())

    def _changed(self, told: dict[str, Any]) -> dict[str, Any]:
        bindings = told["results"]["bindings"]
        if self.shuffled:
            self._random.shuffle(bindings)
        told["results"]["bindings"] = bindings = bindings[: self.rows]
        if not self.labels:  # SPARQL 1.1 Query Results JSON Format, section 3.2.2: they hold in one answer
            number, names = next(self._answers), dict[str, str]()
            for term in (term for row in bindings for term in row.values() if term["type"] == "bnode"):
                term["value"] = names.setdefault(term["value"], f"a{number}n{len(names)}")
        return told


@contextmanager
def whimsical(turtle: str, graph: str = "", **whims: Any) -> Iterator[tuple[str, Whims]]:
    """A running endpoint over a graph: its address, and itself."""
    store = ox.Store()
    name = ox.NamedNode(graph) if graph else ox.DefaultGraph()
    store.load(turtle.encode(), format=ox.RdfFormat.TURTLE, to_graph=name)
    made = Whims(store, **whims)
    with served(made) as server:
        yield server.url, made


@dataclass(frozen=True)
class Brooks:
    """The small world of brooks behind an address, with its knowledge base."""

    url: str
    server: Whims
    folder: Path

    def oracle(self, **given: Any) -> Oracle:
        """A newly opened oracle."""
        return Oracle.from_folder(self.folder, cache_dir=self.folder / "cache", **given)

    def insert(self, triples: str) -> None:
        """Adds triples, as Turtle with the prefix of the brooks."""
        self.server.store.load(_prefixed(triples), format=ox.RdfFormat.TURTLE)

    def delete(self, triples: str) -> None:
        """Takes triples out."""
        for triple in ox.parse(_prefixed(triples), format=ox.RdfFormat.TURTLE):
            self.server.store.remove(ox.Quad(triple.subject, triple.predicate, triple.object))


def _prefixed(triples: str) -> bytes:
    head = f"@prefix : <{BASE}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    return f"{head}{triples}".encode()


@contextmanager
def brooks(folder: Path, entry: str = "{{url: {url}, fresh: 0}}", more: str = "", data: str = DATA) -> Iterator[Brooks]:
    """The small world behind an address; ``entry`` is what stands under ``endpoint``, ``more`` under ``graph``."""
    with whimsical(data) as (url, server):
        (folder / "ontology.ttl").write_text(ONTOLOGY, encoding="utf-8")
        (folder / "shapes.ttl").write_text(SHAPES, encoding="utf-8")
        lines = ["version: 1", "name: brooks", "graph:", f"  endpoint: {entry.format(url=url)}"]
        lines += ["  ontology: [ontology.ttl]", "  shapes: [shapes.ttl]", *(f"  {line}" for line in more.splitlines())]
        (folder / "imprimatur.yaml").write_text("\n".join([*lines, ""]), encoding="utf-8")
        yield Brooks(url, server, folder)


@dataclass
class OxigraphSource:
    """A real Oxigraph server as a source of the suite (implements ``Changing``)."""

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
        self._update(f"INSERT DATA {{ {triple} }}")

    def delete(self, triple: str) -> None:
        """Takes one out."""
        self._update(f"DELETE DATA {{ {triple} }}")

    def stop(self) -> None:
        """Ends the server."""
        self.running.terminate()
        self.running.wait(10)

    def _update(self, update: str) -> None:
        place = self.url.removesuffix("query") + "update"
        kind = {"Content-Type": "application/sparql-update"}
        with urlopen(Request(place, data=update.encode(), headers=kind), timeout=10) as answer:
            answer.read()


@contextmanager
def oxigraph_source(binary: str, matter: Matter, cache: Path) -> Iterator[OxigraphSource]:
    """The triples of a knowledge base on a real server that can be written to."""
    url, running = oxigraph_server(binary, matter.folder, matter.triples, "serve")
    made = OxigraphSource(url, running, matter.kb(f"endpoint: {url}"), cache)
    try:
        yield made
    finally:
        made.stop()
