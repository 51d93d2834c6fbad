"""The guard attacked: what it accepts of queries that are built and changed at random is run on a real server."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from made_cypher import CANARIES, queries_like
from made_property import HOSTILE, KILLING, PEOPLE, PEOPLE_TERMS, PROPER, write_people
from property_server import FalkorServer, falkor_server

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.retrieve.cypher_guard import CheckedCypher, check_cypher

_ROWS = 20
#: A column that is no reckoning: a property of a node or relationship, by its key.
_PLAIN = re.compile(r"(?:(?:Person|Author|Town|Odd label|KNOWS|node)(?: \d+)?\.)?(name|age|since|odd key)\Z")
_TRIED = (*PROPER, *(query for query in HOSTILE if query not in KILLING))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """Some people on a real server."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as started:
        write_people(started)
        yield started


def _stored(server: FalkorServer) -> Mapping[str, frozenset[object]]:
    """All values of each key."""
    found: dict[str, set[object]] = {}
    for pattern in ("(n)", "()-[n]->()"):
        for key, value in server.connection(PEOPLE).read(f"MATCH {pattern} UNWIND keys(n) AS k RETURN k, n[k]").rows:
            found.setdefault(key, set()).add(tuple(value) if isinstance(value, list) else value)
    return {key: frozenset(values) for key, values in found.items()}


def test_what_is_accepted_reads_alone_and_tells_what_is_stored(server: FalkorServer) -> None:
    """Graphs, count and hash stay the same, the server stays up, and no row has what only the query said."""
    connection, before, stored = server.connection(PEOPLE), server.state(PEOPLE), _stored(server)
    graphs, seen = connection.graphs(), {"accepted": 0, "rows": 0}

    # The same queries each time: a server that falls over one that nobody has thought of is no fault of a change here.
    @settings(max_examples=800, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(query=queries_like(_TRIED))
    def attack(query: str) -> None:
        checked = check_cypher(query, PEOPLE_TERMS, rows=_ROWS)
        if not isinstance(checked, CheckedCypher):
            assert all(checked.problems)
            return
        seen["accepted"] += 1
        try:
            table = connection.read(checked.text, seconds=2, most=_ROWS)
        except CheckFailed:  # no Cypher for this server, but nothing that may not be asked
            return
        seen["rows"] += bool(table.rows)
        for row in table.rows:
            _is_stored(checked, row, stored)

    attack()
    assert server.state(PEOPLE) == before
    assert connection.graphs() == graphs
    assert seen["accepted"] > 60
    assert seen["rows"] > 20
    connection.close()


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p:Person)-[:KNOWS*1..3]-(q:Person)-[:KNOWS*1..3]-(r:Person)-[:KNOWS*1..3]-(s:Person) RETURN count(*)",
        "MATCH (p:Person)-[:KNOWS*1..3]-(q)-[:KNOWS*1..3]-(r) WITH DISTINCT p, q, r ORDER BY p.name RETURN q.name",
        "MATCH (p:Person {age: 31}), (q:Person {age: 31}), (r:Person {age: 31}) RETURN collect(p.name)",
    ],
)
def test_what_is_accepted_and_too_much_ends_in_time(server: FalkorServer, query: str) -> None:
    """By the server's own limit of time; after that it answers at once."""
    if "crowd" not in server.connection("crowd").graphs():
        server.write(
            "crowd", "UNWIND range(0, 599) AS i CREATE (:Person {number: i, name: 'n' + toString(i), age: 31})"
        )
        some = "MATCH (a:Person), (b:Person) WHERE (a.number * 7 + b.number * 13) % 60 = 0 CREATE (a)-[:KNOWS]->(b)"
        server.write("crowd", some)
    checked, connection = check_cypher(query, PEOPLE_TERMS, rows=_ROWS), server.connection("crowd")
    assert isinstance(checked, CheckedCypher)
    before, started = server.state("crowd"), time.monotonic()
    with pytest.raises(LimitExceeded):
        connection.read(checked.text, seconds=0.5, most=_ROWS)
    assert connection.read("MATCH (p:Person {number: 7}) RETURN p.name").rows == (("n7",),)
    assert time.monotonic() - started < 20
    assert server.state("crowd") == before
    connection.close()


def _is_stored(checked: CheckedCypher, row: tuple[object, ...], stored: Mapping[str, frozenset[object]]) -> None:
    """Fails where a row, or what it is said to have been found by, is not in the graph."""
    assert len(row) == len(checked.columns)
    told = "\n".join([*map(str, row), *(text for _, text in checked.of)])
    assert not any(canary in told for canary in CANARIES), checked
    for name, value in zip(checked.columns, row):
        key = _PLAIN.match(name)
        assert key is None or value is None or value in stored[key[1]], (checked, row)
    for name, text in checked.of:
        values = {str(value) for value in stored.get(name.rpartition(".")[2], ())}
        assert text in values or text.removesuffix(".0") in values, (checked, row)
