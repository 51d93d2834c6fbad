"""What a property graph takes back is not read, and what is not read is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from property_server import FalkorServer, falkor_server

from imprimatur.errors import ConfigError
from imprimatur.oracle import Oracle
from imprimatur.sources.property.doubts import is_doubt
from imprimatur.sources.property.mapping import read_mapping

_MAPPING = """
version: 1
relationships:
  ADVISES: {only: {status: [confirmed, "2"], checked: true}}
  KNOWS: {least: {confidence: 0.7}}
  OWNS: {keys: {disputed: none}}
"""
_OPEN = "Jo Tarn works at Acme Pumps."
#: What a relationship or node has, and whether it is a fact all the same.
_EDGES = (
    ("WORKS_AT", "", True),
    ("WORKS_AT", "negated: true", False),
    ("WORKS_AT", "negated: false, deleted: null", True),
    ("WORKS_AT", "isDeleted: 1", False),
    ("WORKS_AT", "is_deleted: 'no'", True),
    ("WORKS_AT", "deletedAt: date('2020-01-01')", False),
    ("WORKS_AT", "expired_at: '2020-01-01T00:00:00Z'", False),
    ("WORKS_AT", "Retracted: 'yes'", False),
    ("WORKS_AT", "invalid_at: '2020-01-01'", False),
    ("WORKS_AT", "valid_at: '2020-01-01'", True),
    ("OWNS", "disputed: true", True),
    ("ADVISES", "status: 'confirmed', checked: true", True),
    ("ADVISES", "status: 2, checked: true", True),
    ("ADVISES", "status: 'confirmed'", False),
    ("ADVISES", "status: 'rumoured', checked: true", False),
    ("ADVISES", "", False),
    ("KNOWS", "confidence: 0.7", True),
    ("KNOWS", "confidence: 1", True),
    ("KNOWS", "confidence: 0.69", False),
    ("KNOWS", "confidence: 'high'", False),
    ("KNOWS", "", False),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """A running server."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as running:
        yield running


def made(server: FalkorServer, query: str) -> None:
    """The graph ``g`` anew."""
    if "g" in server.execute("GRAPH.LIST"):
        server.execute("GRAPH.DELETE", "g")
    server.write("g", query)


def opened(server: FalkorServer, folder: Path) -> Oracle:
    """The oracle of the graph ``g`` with the mapping above."""
    (folder / "map.yaml").write_text(_MAPPING, encoding="utf-8")
    entry = f"host: 127.0.0.1, port: {server.port}, graph: g, mapping: map.yaml"
    (folder / "imprimatur.yaml").write_text(f"version: 1\ngraph:\n  falkordb: {{{entry}}}\n", encoding="utf-8")
    return Oracle.from_folder(folder, cache_dir=folder / "cache")


def is_licensed(oracle: Oracle, text: str) -> bool:
    """Whether a sentence is supported."""
    return str(oracle.check(text).segments[0].label) == "supported"


@pytest.mark.parametrize(("type_", "has", "expected"), _EDGES)
def test_relationships(server: FalkorServer, tmp_path: Path, type_: str, has: str, expected: bool) -> None:
    """One that is denied, deleted, over or not sure enough licenses nothing; when it becomes so, neither."""
    made(server, "CREATE (:Person {name: 'Jo Tarn'}), (:Person {name: 'Acme Pumps'})")
    link = "MATCH (a {name: 'Jo Tarn'}), (b {name: 'Acme Pumps'}) CREATE (a)-[:%s {%s}]->(b)"
    text = f"Jo Tarn {type_.lower().replace('_', ' ')} Acme Pumps."
    server.write("g", link % (type_, has))
    assert is_licensed(opened(server, tmp_path), text) is expected
    if not expected and type_ == "WORKS_AT":
        server.write("g", f"MATCH ()-[r:{type_}]->() DELETE r")
        server.write("g", link % (type_, ""))
        oracle = opened(server, tmp_path)
        assert is_licensed(oracle, text)
        server.write("g", f"MATCH ()-[r:{type_}]->() SET r += {{{has}}}")
        assert not is_licensed(oracle, text)
        assert not is_licensed(oracle, text)


@pytest.mark.parametrize("which", ["Jo Tarn", "Acme Pumps"])
def test_nodes(server: FalkorServer, tmp_path: Path, which: str) -> None:
    """A node that was deleted softly is not there, with all that leads to it; so it is when it is deleted later."""
    made(server, "CREATE (:Person {name: 'Jo Tarn'})-[:WORKS_AT]->(:Company {name: 'Acme Pumps'})")
    oracle = opened(server, tmp_path)
    assert is_licensed(oracle, _OPEN)
    server.write("g", f"MATCH (n {{name: '{which}'}}) SET n.deleted = true")
    for each in (oracle, oracle, opened(server, tmp_path)):
        assert not is_licensed(each, _OPEN)
        assert not is_licensed(each, "Jo Tarn is a person." if which == "Jo Tarn" else "Acme Pumps is a company.")


def test_what_is_not_read_is_told(server: FalkorServer, tmp_path: Path) -> None:
    """Each report says what was left out, the same whether the graph was compiled before or not."""
    made(
        server,
        "CREATE (:Person {name: 'Jo Tarn', home: point({latitude: 1, longitude: 2}), age: 5})"
        "-[:WORKS_AT {role: 'baker', since: 'soon'}]->(:Company {name: 'Acme Pumps'}), (:Person {deleted: true})",
    )
    told = [opened(server, tmp_path).check(_OPEN).warnings for _ in range(2)]
    assert told[0] == told[1]
    assert [each for each in told[0] if "not read" in each] == [
        f"falkordb://127.0.0.1:{server.port}/g: not read: 1 × Person (node that the graph takes back), "
        "1 × WORKS_AT.role (key of a relationship), 1 × home (point)"
    ]
    server.write("g", "MATCH (n:Person) REMOVE n.home SET n.deleted = false")
    server.write("g", "MATCH ()-[r]->() REMOVE r.role")
    assert not any("not read" in each for each in opened(server, tmp_path).check(_OPEN).warnings)


def test_names_of_doubt() -> None:
    """Keys are known however they are written; what only looks like one is none."""
    assert all(map(is_doubt, ("negated", "isNegated", "IS_DELETED", "deletedAt", "deleted_at", "expired_at", "Denied")))
    assert not any(map(is_doubt, ("name", "since", "validAt", "invalid_at", "deletedBy", "undeleted", "notes")))


@pytest.mark.parametrize(
    "text",
    [
        "{only: {status: []}}",
        "{only: {status: 0.5}}",
        "{only: [status]}",
        "{least: {confidence: high}}",
        "{least: {confidence: true}}",
        "{least: 0.5}",
        "{most: {confidence: 1}}",
    ],
)
def test_wrong_rules(tmp_path: Path, text: str) -> None:
    """A rule that cannot be meant is an error of the file."""
    file = tmp_path / "map.yaml"
    file.write_text(f"version: 1\nrelationships: {{KNOWS: {text}}}\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        read_mapping(file)
