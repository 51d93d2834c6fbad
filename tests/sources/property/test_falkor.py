"""Reading one graph of a real FalkorDB server."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
from property_server import FalkorServer, falkor_server, free_port

from imprimatur.config import Key
from imprimatur.errors import CheckFailed, ConfigError, InputError, LimitExceeded, StoreUnavailable
from imprimatur.sources.property.falkor import FalkorAddress, FalkorConnection
from imprimatur.sources.property.values import Unread


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """A server with a small graph, ``g``."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as running:
        running.write(
            "g",
            "CREATE (:River:Water {name: 'Elm Brook', km: 12, deep: 0.1, dry: false, seen: date('1850-01-05'), "
            "at: localdatetime('2020-01-05T10:11:12'), tags: [1, 2.5, 'a', true], "
            "place: point({latitude: 1.5, longitude: 2.25}), v: vecf32([1.5, 2])})"
            "-[:FLOWS_INTO {since: 1990}]->(:River {name: 'Dee'})",
        )
        yield running


def test_plain_values(server: FalkorServer) -> None:
    """Nodes, edges and values come as what they are."""
    found = server.connection("g").read("MATCH (a)-[r]->(b) RETURN a, r, b.name AS name")
    assert found.columns == ("a", "r", "name")
    node, edge, name = found.rows[0]
    assert (node["labels"], edge["type"], name) == (["River", "Water"], "FLOWS_INTO", "Dee")
    assert edge["properties"] == {"since": 1990}
    assert (edge["start"], edge["end"]) == (node["id"], 1)
    assert node["properties"] == {
        "name": "Elm Brook",
        "km": 12,
        "deep": 0.1,
        "dry": False,
        "seen": datetime.date(1850, 1, 5),
        "at": datetime.datetime(2020, 1, 5, 10, 11, 12),
        "tags": [1, 2.5, "a", True],
        "place": {"latitude": 1.5, "longitude": 2.25},
        "v": (1.5, 2.0),
    }
    more = server.connection("g").read("RETURN duration({days: 2}), 1.0/0, null, {a: [1]}").rows[0]
    assert more == (Unread("duration"), Unread("number that is not finite"), None, {"a": [1]})


def test_paths_and_new_names(server: FalkorServer) -> None:
    """Paths are read, and labels and keys that come while the connection is open."""
    server.write("names", "CREATE (:A {x: 1})-[:R]->(:B)")
    reading = server.connection("names")
    path = reading.read("MATCH p=(:A)-[:R]->(:B) RETURN p").rows[0][0]
    assert [node["labels"] for node in path["nodes"]] == [["A"], ["B"]]
    assert path["edges"][0]["type"] == "R"
    server.execute("GRAPH.DELETE", "names")
    server.write("names", "CREATE (:C {y: 2})")
    assert reading.read("MATCH (n) RETURN n").rows[0][0] == {"id": 0, "labels": ["C"], "properties": {"y": 2}}


_HARD: tuple[object, ...] = (
    *("", '"', "'", "\\", "\\\\", '\\"', "\\u0000", "\\u0022", "\\x22", "`", "$p", "${p}", "{", "}"),
    *("\n", "\r\n", "\t", "\b\f", "\x01\x1f\x7f", "\u2028\u2029", "é😀", "\ufeff", "--", "//", "/* */", "; DROP"),
    *('"}) DETACH DELETE n //', '"] CREATE (:X) //', "CYPHER p=1 RETURN 1", "\\\\\\\\\\", '\\\\\\"', "a'b\"c`d"),
    *(0, -1, (1 << 63) - 1, -(1 << 63), 0.5, -1e-7, 1e300, 123456789012345.0, True, False, None),
    *([], [1, ["a", [True, None]], '"]'], {"a": 1, "b": {"c": ['"}']}}),
)


@pytest.mark.parametrize("value", _HARD, ids=lambda value: ascii(value)[:30])
def test_a_parameter_arrives_as_it_is(server: FalkorServer, value: object) -> None:
    """What goes in as a parameter is what the server has, and nothing is written."""
    before = server.state("g")
    assert server.connection("g").read("RETURN $p AS p, $q AS q", {"p": value, "q": 7}).rows == ((value, 7),)
    assert server.state("g") == before


def test_all_characters_arrive(server: FalkorServer) -> None:
    """Every character of the basic plane but U+0000 and surrogates, alone between others."""
    wanted = ["".join(map(chr, range(start, start + 512))) for start in range(1, 0xD800 - 512, 512)]
    wanted += [f"a\\{chr(point)}b" for point in range(1, 0x180)]
    assert list(server.connection("g").read("UNWIND $p AS x RETURN x", {"p": wanted}).rows) == [(x,) for x in wanted]


@pytest.mark.parametrize(
    "value",
    [
        *(
            1 << 63,
            -(1 << 63) - 1,
            float("nan"),
            float("inf"),
            "a\x00b",
            "\ud800",
            b"x",
            pytest.param(object(), id="object"),
            {"a`b": 1},
        ),
        *({"": 1}, {1: 2}, [[[[[[[[[[1]]]]]]]]]], datetime.date(2020, 1, 1)),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_a_parameter_that_cannot_be_sent(server: FalkorServer, value: object) -> None:
    """A value that the server would read as another one is refused."""
    with pytest.raises(InputError):
        server.connection("g").read("RETURN $p", {"p": value})


def test_names_of_parameters(server: FalkorServer) -> None:
    """A name that is none is refused, and so is a query with U+0000."""
    for name in ("", "a b", "p`=1 CREATE (:X) //", "1", "p=1"):
        with pytest.raises(InputError):
            server.connection("g").read("RETURN 1", {name: 1})
    with pytest.raises(InputError):
        server.connection("g").read("RETURN 1\x00")


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (:X)",
        "MATCH (n) DETACH DELETE n",
        "MATCH (n) SET n.name = 'x'",
        "MERGE (:X {a: 1})",
        "CREATE INDEX FOR (n:River) ON (n.name)",
        "CALL db.idx.fulltext.createNodeIndex('River', 'name')",
        "RETURN 1; CREATE (:X)",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "CYPHER x=1 CREATE (:X)",
        "MATCH (n) CALL { WITH n SET n.a = 1 RETURN 1 AS x } RETURN x",
        "FOREACH (x IN [1] | CREATE (:X))",
        "this is no query",
    ],
)
def test_the_server_refuses(server: FalkorServer, query: str) -> None:
    """What writes, runs twice or is no query is refused, and the graph is as before."""
    before = server.state("g")
    with pytest.raises(CheckFailed):
        server.connection("g").read(query)
    assert server.state("g") == before


def test_a_graph_that_is_not_there(server: FalkorServer) -> None:
    """A missing graph is an error, is not made by asking, and another kind of value is none."""
    with pytest.raises(StoreUnavailable, match="no graph of this name"):
        server.connection("nowhere").read("MATCH (n) RETURN n")
    server.execute("SET", "text", "x")
    with pytest.raises(StoreUnavailable):
        server.connection("text").read("MATCH (n) RETURN n")
    assert "nowhere" not in server.connection("g").graphs()
    assert "g" in server.connection("nowhere").graphs()


def test_limits(server: FalkorServer) -> None:
    """Time, rows, and the server's own limit of rows are limits, not shorter answers."""
    reading = server.connection("g")
    with pytest.raises(LimitExceeded):
        reading.read("UNWIND range(1, 9999) AS x UNWIND range(1, 9999) AS y RETURN max(x * y)", seconds=0.2)
    assert len(reading.read("UNWIND range(1, 10) AS x RETURN x", most=10).rows) == 10
    with pytest.raises(LimitExceeded):
        reading.read("UNWIND range(1, 11) AS x RETURN x", most=10)
    server.execute("GRAPH.CONFIG", "SET", "RESULTSET_SIZE", 5)
    try:
        with pytest.raises(LimitExceeded, match="no more than 5"):
            reading.read("UNWIND range(1, 10) AS x RETURN x")
        assert len(reading.read("UNWIND range(1, 4) AS x RETURN x").rows) == 4
    finally:
        server.execute("GRAPH.CONFIG", "SET", "RESULTSET_SIZE", -1)


def test_a_fault_while_it_runs(server: FalkorServer) -> None:
    """Rows before a fault are no answer."""
    with pytest.raises(CheckFailed):
        server.connection("g").read("UNWIND [1, 2, 'a'] AS x RETURN toInteger(x) + abs(x)")


def test_no_server() -> None:
    """Where nothing listens, or is stopped, there is an error and no answer."""
    pytest.importorskip("falkordb")
    nobody = FalkorConnection(FalkorAddress(host="127.0.0.1", port=free_port(), graph="g", seconds=2))
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        nobody.read("RETURN 1")
    with pytest.raises(StoreUnavailable):
        nobody.graphs()


def test_a_stopped_server(tmp_path: Path) -> None:
    """A server that ends while a connection is open gives errors from then on."""
    with falkor_server(tmp_path) as running:
        running.write("g", "CREATE (:A)")
        reading = running.connection("g")
        assert reading.read("MATCH (n) RETURN count(n)").rows == ((1,),)
        running.stop()
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                reading.read("MATCH (n) RETURN count(n)")
        reading.close()


def test_passwords(tmp_path: Path) -> None:
    """Without the right password nothing is read, and no message has it."""
    with falkor_server(tmp_path, options=("--requirepass", "s3cret-word")) as running:
        wrong = Key("variable X", "wr0ng-word")
        for given in (None, wrong):
            reading = FalkorConnection(running.address("g", password=given))
            with pytest.raises(StoreUnavailable) as raised:
                reading.read("RETURN 1")
            said = f"{raised.value} {raised.value.hint} {reading.address!r} {reading.where}"
            assert "word" not in said.replace("password", "")
        right = FalkorConnection(running.address("g", password=Key("variable X", "s3cret-word")))
        with pytest.raises(StoreUnavailable, match="no graph"):
            right.read("RETURN 1")


def test_addresses() -> None:
    """A graph needs a name; the address as it is told has no secret in it."""
    with pytest.raises(ConfigError):
        FalkorAddress(graph="")
    told = FalkorAddress(graph="g", host="::1", password=Key("X", "s3cret"), user=Key("Y", "ann"))
    assert told.where == "falkordb://[::1]:6379/g"
    assert "s3cret" not in repr(told)
