"""A property graph in FalkorDB passes the suite of sources: the same reports as on the plain file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from property_rdf import write_triples
from property_server import FalkorServer, falkor_server

from imprimatur.oracle import Oracle
from imprimatur.sources.graph.terms import local_name
from imprimatur.sources.property.falkor import FalkorConnection
from imprimatur.sources.property.values import written
from imprimatur.testing.sources import Matter, faults_of, faults_of_changes, sentences

_GRAPH = "rivers"


class FalkorSource:
    """The suite's graph in FalkorDB (implements ``testing.sources.Changing``)."""

    language = "cypher"

    def __init__(self, server: FalkorServer, matter: Matter, cache: Path) -> None:
        self._server, self._matter, self._cache = server, matter, cache
        write_triples(server, _GRAPH, ox.parse(path=matter.triples, format=ox.RdfFormat.N_TRIPLES))

    def oracle(self) -> Oracle:
        """An oracle on a new knowledge base."""
        entry = f"falkordb: {{host: 127.0.0.1, port: {self._server.port}, graph: {_GRAPH}, fresh: 0}}"
        return Oracle.from_folder(self._matter.kb(entry), cache_dir=self._cache)

    def reading(self) -> FalkorConnection:
        """A connection of its own."""
        return self._server.connection(_GRAPH)

    def insert(self, triple: str) -> None:
        """Adds a literal to a node's key."""
        subject, key, value = _parts(triple)
        self._set(subject, key, [*self._values(subject, key), value])

    def delete(self, triple: str) -> None:
        """Takes a literal out of a node's key."""
        subject, key, value = _parts(triple)
        self._set(subject, key, [each for each in self._values(subject, key) if each != value])

    def _values(self, subject: str, key: str) -> list[str]:
        """The values of a node's key."""
        query = f"MATCH (n {{iri: {written(subject)}}}) RETURN n.`{key}`"
        found = self._server.connection(_GRAPH).read(query).rows[0][0]
        return [] if found is None else found if isinstance(found, list) else [found]

    def _set(self, subject: str, key: str, values: list[str]) -> None:
        """Gives a node's key these values: none, one, or a list."""
        value = written(None if not values else values[0] if len(values) == 1 else values)
        self._server.write(_GRAPH, f"MATCH (n {{iri: {written(subject)}}}) SET n.`{key}` = {value}")

    def stop(self) -> None:
        """Ends the server."""
        self._server.stop()


def _parts(triple: str) -> tuple[str, str, str]:
    """Subject, the key that a property is, and value."""
    quad = next(iter(ox.parse(triple, format=ox.RdfFormat.N_TRIPLES)))
    assert isinstance(quad.subject, ox.NamedNode)
    assert isinstance(quad.object, ox.Literal)
    return quad.subject.value, local_name(quad.predicate.value), quad.object.value


@pytest.fixture(scope="module")
def matter(tmp_path_factory: pytest.TempPathFactory) -> Matter:
    """The bundled rivers."""
    return Matter.of("rivers", tmp_path_factory.mktemp("suite"))


@pytest.fixture(scope="module")
def reference(matter: Matter) -> Oracle:
    """The oracle on the plain file."""
    return matter.reference(matter.folder / "cache")


@pytest.fixture
def source(matter: Matter, tmp_path: Path) -> Iterator[FalkorSource]:
    """The graph in a server of its own."""
    with falkor_server(tmp_path) as server:
        yield FalkorSource(server, matter, tmp_path / "cache")


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_falkordb_judges_as_a_file(source: FalkorSource, reference: Oracle, count: int) -> None:
    """The graph in FalkorDB gives the same reports as the file."""
    assert faults_of(source, reference, sentences(reference, count)) == []


def test_what_is_licensed_is_found_again(source: FalkorSource, reference: Oracle) -> None:
    """The Cypher of each piece of evidence, put into a console, gives at least one row."""
    reading, asked = source.reading(), 0
    oracle = source.oracle()
    for text in sentences(reference, 100):
        for segment in oracle.check(text).segments:
            for evidence in (each for claim in segment.claims for each in claim.verdict.evidence):
                for query in evidence.query.splitlines():
                    asked += 1
                    assert reading.read(query).rows, (text, query)
    assert asked > 50


def test_changes_and_a_stop(source: FalkorSource, reference: Oracle) -> None:
    """What changes in FalkorDB is not licensed any more, and a stopped server gives errors."""
    assert faults_of_changes(source, sentences(reference, 100)) == []
