"""When relationships hold: what is not known licenses nothing of now, and what is over is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from property_server import FalkorServer, falkor_server

from imprimatur.oracle import Oracle
from imprimatur.sources.property.mapping import TypeRule
from imprimatur.sources.property.tenses import is_past, times

_NOW, _ONCE, _NOT = (
    "Jo Tarn works at Acme Pumps.",
    "Jo Tarn worked at Acme Pumps.",
    "Jo Tarn does not work at Acme Pumps.",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """A running server."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as running:
        yield running


def licensed(server: FalkorServer, folder: Path, type_: str, has: str, mapping: str = "") -> list[str]:
    """Which of the three sentences are licensed by one relationship."""
    if "g" in server.execute("GRAPH.LIST"):
        server.execute("GRAPH.DELETE", "g")
    ends = "(:Person {name: 'Jo Tarn'})-[:%s {%s}]->(:Company {name: 'Acme Pumps'})"
    server.write("g", f"CREATE {ends % (type_, has)}")
    (folder / "map.yaml").write_text(f"version: 1\n{mapping}\n", encoding="utf-8")
    entry = f"host: 127.0.0.1, port: {server.port}, graph: g, mapping: map.yaml"
    (folder / "imprimatur.yaml").write_text(f"version: 1\ngraph:\n  falkordb: {{{entry}}}\n", encoding="utf-8")
    oracle = Oracle.from_folder(folder, cache_dir=folder / "cache")
    return [text for text in (_NOW, _ONCE, _NOT) if str(oracle.check(text).segments[0].label) == "supported"]


@pytest.mark.parametrize(
    ("type_", "has", "expected"),
    [
        ("WORKS_AT", "", [_NOW, _ONCE]),
        ("WORKED_AT", "", [_ONCE]),
        ("WORKED_AT", "since: 1990", [_ONCE]),
        ("WORKED_AT", "year: 1990", [_ONCE]),
        ("WORKS_AT", "year: 1990", [_ONCE]),
        ("WORKS_AT", "until: 1990", [_ONCE, _NOT]),
        ("WORKS_AT", "since: 1990, start: '1990-05-01'", [_NOW, _ONCE]),
        ("WORKS_AT", "since: 1990, start: 1995", [_ONCE]),
        ("WORKS_AT", "from: 2000, to: 1990", [_ONCE]),
        ("WORKS_AT", "from: 1990, to: 2000", [_ONCE, _NOT]),
        ("WORKS_AT", "until: '1990-13-45'", [_ONCE]),
        ("WORKS_AT", "since: '2990-02-30'", [_ONCE]),
        ("WORKS_AT", "until: 'soon'", [_ONCE]),
        ("WORKS_AT", "until: ['1990', '2990']", [_ONCE]),
        ("NOT_WORKS_AT", "", []),
        ("DOES_NOT_WORK_AT", "", []),
        ("NEVER_WORKED_AT", "", []),
        ("NOT_EMPLOYED_BY", "", []),
        ("MAY_WORK_AT", "", []),
    ],
)
def test_relationships(server: FalkorServer, tmp_path: Path, type_: str, has: str, expected: list[str]) -> None:
    """A name in the past, and a time that is not known, say that it was so; a name that denies says nothing."""
    assert licensed(server, tmp_path, type_, has) == expected


def test_the_mapping_decides(server: FalkorServer, tmp_path: Path) -> None:
    """The file of the mapping says whether a type is of the past."""
    rule = "relationships: {WORKED_AT: {past: false}, WORKS_AT: {past: true}}"
    assert licensed(server, tmp_path, "WORKED_AT", "", rule) == [_NOW, _ONCE]
    assert licensed(server, tmp_path, "WORKS_AT", "", rule) == [_ONCE]


def test_names_of_the_past() -> None:
    """States that were are told from states that are, and from deeds."""
    assert all(map(is_past, ("WORKED_AT", "workedAt", "LIVED_IN", "OWNED", "LED", "RAN", "WAS_MEMBER_OF", "HELD")))
    assert all(map(is_past, ("WAS_OWNED_BY", "USED_TO_OWN", "HAS_WORKED_AT", "WAS_LOCATED_IN")))
    still = ("WORKS_AT", "OWNED_BY", "LOCATED_IN", "MARRIED_TO", "FOUNDED", "WROTE", "ACTED_IN", "RUN", "USED_IN", "")
    assert not any(map(is_past, ("WAS_BORN_IN", "WAS_WRITTEN_BY", "HAS_MEMBER")))
    assert not any(map(is_past, still))


def test_each_side_once() -> None:
    """A day says more than its year; two times for one side are none."""
    rule = TypeRule()
    told = times("HOLDS", {"since": 1990, "start": "1990-05-01", "to": "1991", "end": 1992}, rule)
    assert [(side, value.lexical) for side, value in told] == [("first", "1990-05-01"), ("last", "unread: two times")]
    assert times("HOLDS", {"note": 1990, "since": None}, rule) == []
