"""What wants to write, to leave its place in a query, or to steer a verdict: refused, or without effect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from property_server import FalkorServer, falkor_server

import imprimatur
from imprimatur.errors import CheckFailed, ConfigError, InputError
from imprimatur.oracle import Oracle
from imprimatur.sources.property.graph import PropertyGraph
from imprimatur.sources.property.values import written, written_parameters

_FILE = Path(__file__).parents[2] / "cases" / "hostile_evidence" / "property.jsonl"
_ROWS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]
_SAID = ("Jo Tarn works at Dale Mill.", "Jo Tarn is a painter.", "Ann Marlow works at Dale Mill.")


def texts(kind: str) -> list[str]:
    """The inputs of a kind."""
    return [row["text"] for row in _ROWS if row["kind"] == kind]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """A running server; ``other`` is a graph that nobody must touch."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as running:
        running.write("other", "CREATE (:Person {name: 'Ann Marlow'})-[:WORKS_AT]->(:Mill {name: 'Dale Mill'})")
        yield running


def graphs(server: FalkorServer) -> dict[str, tuple[int, int, str]]:
    """All graphs of the server, each with its counts and hash."""
    return {name: server.state(name) for name in server.execute("GRAPH.LIST")}


def made(
    server: FalkorServer, node: dict[str, object], labels: str = ":Person", edge: str = ":WORKS_AT"
) -> PropertyGraph:
    """A graph with a node as it is given, and a link from it."""
    if "g" in server.execute("GRAPH.LIST"):
        server.execute("GRAPH.DELETE", "g")
    server.write("g", "CREATE (:Person {name: 'Ann Marlow'}), (:Company {name: 'Acme Pumps'})")
    query = f"MATCH (c:Company) CREATE (n{labels})-[r{edge}]->(c) SET n = $node"
    server.write("g", written_parameters({"node": node}) + query)
    return PropertyGraph(server.connection("g"))


def judged(server: FalkorServer, folder: Path, said: str) -> list[str]:
    """The labels of what is said of the graph ``g``."""
    (folder / "imprimatur.yaml").write_text(
        f"version: 1\ngraph:\n  falkordb: {{host: 127.0.0.1, port: {server.port}, graph: g}}\n", encoding="utf-8"
    )
    oracle = Oracle.from_folder(folder, cache_dir=folder / "cache")
    return [str(segment.label) for text in (said, *_SAID) for segment in oracle.check(text).segments]


def without_effect(server: FalkorServer, graph: PropertyGraph, folder: Path, said: str) -> None:
    """Reads, judges, and runs every query of evidence where it could write: nothing is another than before."""
    before = graphs(server)
    quads = list(graph.quads())
    things = sorted({quad.subject.value for quad in quads})  # type: ignore[union-attr]
    facts = graph.facts(things)
    assert sum(map(len, facts.values())) == len(quads)
    for quad in quads:
        if "class/" in str(quad.subject) or "property/" in str(quad.subject) or "relation/" in str(quad.subject):
            continue
        query = graph.query(str(quad.subject), str(quad.predicate), str(quad.object))
        rows = server.execute("GRAPH.QUERY", "g", query)[1]
        assert len(rows) >= 1, query
    for label in judged(server, folder, said)[-len(_SAID) :]:
        assert label != "supported"
    assert graphs(server) == before


def test_enough() -> None:
    """There are as many inputs as were asked for, each once."""
    assert len({(row["kind"], row["text"]) for row in _ROWS}) == len(_ROWS) >= 50


@pytest.mark.parametrize("text", texts("value"), ids=ascii)
def test_values(server: FalkorServer, tmp_path: Path, text: str) -> None:
    """As a name, an id, a value, a member of a list, and as what an answer says."""
    graph = made(server, {"name": text, "note": text, "id": text, "tags": [text, "x"]})
    without_effect(server, graph, tmp_path, f"{text} works at Acme Pumps.")
    assert server.connection("g").read("MATCH (n {note: $p}) RETURN n.name", {"p": text}).rows == ((text,),)


@pytest.mark.parametrize("text", texts("iri"), ids=ascii)
def test_iris(server: FalkorServer, tmp_path: Path, text: str) -> None:
    """As the IRI that a node claims for itself: it is that thing, or it is known by its number alone."""
    before = graphs(server)
    graph = made(server, {"iri": text, "name": "Jo Tarn"})
    things = [quad.subject.value for quad in graph.quads() if str(quad.object) == '"Jo Tarn"']  # type: ignore[union-attr]
    assert len(things) == 1
    facts = graph.facts(things)[things[0]]
    assert judged(server, tmp_path, "Jo Tarn works at Acme Pumps.")[1:] == ["not_found"] * len(_SAID)
    assert {name: state for name, state in graphs(server).items() if name != "g"} == {
        name: state for name, state in before.items() if name != "g"
    }
    assert len(facts) == 3
    assert things[0] == text or things[0].endswith("graph:number/2")


@pytest.mark.parametrize("text", texts("name"), ids=ascii)
def test_labels_types_and_keys(server: FalkorServer, tmp_path: Path, text: str) -> None:
    """As a label, a type and a key, where the server takes it as one."""
    if "`" in text:
        with pytest.raises(CheckFailed):
            PropertyGraph(server.connection("other"))._reading.by_key(text, ["x"], _WithKey(text))  # type: ignore[arg-type]
        return
    node = "{`" + text + "`: 'x', name: 'Jo Tarn'}"
    if "g" in server.execute("GRAPH.LIST"):
        server.execute("GRAPH.DELETE", "g")
    server.write("g", f"CREATE (:`{text}` {node})-[:`{text}` {{`{text}`: 1}}]->(:Company {{name: 'Acme Pumps'}})")
    without_effect(server, PropertyGraph(server.connection("g")), tmp_path, f"Jo Tarn is a {text}.")


class _WithKey:
    """A schema with one key and no index."""

    indexes = ()
    keys = ()

    def __init__(self, key: str) -> None:
        self.kinds = {key: {"string": 1}}


@pytest.mark.parametrize("text", texts("thing"), ids=ascii)
def test_things(server: FalkorServer, text: str) -> None:
    """As a thing that is asked about: it has nothing, and asking changes nothing."""
    graph = made(server, {"name": "Jo Tarn"})
    before = graphs(server)
    with suppress(InputError):
        assert graph.facts([text]) == {text: frozenset()}
    assert graphs(server) == before


@pytest.mark.parametrize("text", texts("tenant"), ids=ascii)
def test_tenants(server: FalkorServer, tmp_path: Path, text: str) -> None:
    """As the name of a tenant, asked for or listed: refused before anything is reached."""
    before = graphs(server)
    place = tmp_path / "imprimatur.yaml"
    entry = f"host: 127.0.0.1, port: {server.port}, graph: 'kb_{{tenant}}'"
    place.write_text(f"version: 1\ngraph:\n  falkordb: {{{entry}, tenants: [acme]}}\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        Oracle.from_folder(tmp_path, tenant=text)
    if text != "kb_other":
        listed = json.dumps(text)
        place.write_text(f"version: 1\ngraph:\n  falkordb: {{{entry}, tenants: [{listed}]}}\n", encoding="utf-8")
        with pytest.raises(ConfigError):
            Oracle.from_folder(tmp_path, tenant=text)
    assert graphs(server) == before


def test_nothing_but_reading_is_ever_sent() -> None:
    """In the whole package no other command of FalkorDB's is written than those that read."""
    found = {
        command
        for path in Path(imprimatur.__file__).parent.rglob("*.py")
        for command in ("GRAPH.QUERY", "GRAPH.DELETE", "GRAPH.COPY", "GRAPH.CONFIG SET", "FLUSHALL")
        if command in path.read_text(encoding="utf-8")
    }
    assert found == set()
    assert written('"') == '"\\""'
