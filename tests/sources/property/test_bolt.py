"""Reading a database over Bolt: from a small server of our own, before a real engine, and what FalkorDB's port is."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from made_bolt import Failed, Reply, Struct, bolt_server
from property_server import falkor_server, free_port

from imprimatur.config import Key
from imprimatur.errors import CheckFailed, ImprimaturError, InputError, LimitExceeded, StoreUnavailable
from imprimatur.sources.property.bolt import BoltAddress, BoltConnection
from imprimatur.sources.property.connection import Connection
from imprimatur.sources.property.falkor import FalkorConnection
from imprimatur.sources.property.graph import PropertyGraph
from imprimatur.sources.property.values import Unread

pytest.importorskip("neo4j")

_PEOPLE = (
    "CREATE (a:Person {name: 'Ann Marlow', born: 1952, height: 1.75})-[:WORKS_AT {since: 1990}]->"
    "(b:Company {id: 'acme', name: 'Acme Pumps'}), (:Person {iri: 'urn:jo', name: 'Jo Tarn'})-[:WORKS_AT]->(b)"
)


def connection(url: str, **more: Any) -> BoltConnection:
    """A connection to a server of ours."""
    return BoltConnection(BoltAddress(url, **more))


def test_values() -> None:
    """Nodes, relationships, days and plain values come as ``Table`` says; what cannot be kept is left unread."""
    node = Struct(0x4E, (7, ["Person"], {"name": "Ann"}, "4:x:7"))
    other = Struct(0x4E, (8, ["City"], {}, "4:x:8"))
    edge = Struct(0x52, (9, 7, 8, "LIVES_IN", {"since": 1990}, "5:x:9", "4:x:7", "4:x:8"))
    row = [node, other, edge, Struct(0x44, (-43000,)), 1.5, [1, None, True], {"a": "b"}, float("nan")]
    row += [Struct(0x45, (1, 2, 3, 4)), Struct(0x58, (4326, 1.5, 2.5))]
    with bolt_server(lambda query, parameters: Reply([f"c{at}" for at in range(len(row))], [row])) as server:
        found = connection(server.url).read("MATCH …").rows[0]
    assert found == (
        {"id": 7, "labels": ["Person"], "properties": {"name": "Ann"}},
        {"id": 8, "labels": ["City"], "properties": {}},
        {"id": 9, "type": "LIVES_IN", "start": 7, "end": 8, "properties": {"since": 1990}},
        datetime.date(1970, 1, 1) - datetime.timedelta(43000),
        1.5,
        [1, None, True],
        {"a": "b"},
        Unread("number that is not finite"),
        Unread("duration"),
        {"x": 1.5, "y": 2.5},
    )


def test_how_it_asks() -> None:
    """It asks for reading alone, with a time limit, sends values as parameters, and never commits."""
    hostile = '"}) DETACH DELETE n //`$p\\u0000'
    with bolt_server(lambda query, parameters: Reply(["x"], [[1]])) as server:
        reading = connection(server.url, database="kb")
        assert reading.read("RETURN $p", {"p": hostile, "q": [1, {"a": 2.5}]}, seconds=3).rows == ((1,),)
        assert server.asked == [("RETURN $p", {"p": hostile, "q": [1, {"a": 2.5}]})]
        assert server.begun == [{"mode": "r", "tx_timeout": 3000, "db": "kb"}]
        assert server.committed == 0
        for value in (1 << 63, float("inf"), "\ud800", b"x", object()):
            with pytest.raises(InputError):
                reading.read("RETURN $p", {"p": value})
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(["x"], [[1]], type="rw"),
        Reply(["x"], [[1]], type="w"),
        Reply(["x"], [[1]], type="s"),
        Reply(["x"], [[1]], type=None),
        Reply(["x"], [[1]], stats={"nodes-created": 1, "contains-updates": True}),
    ],
)
def test_what_wrote_is_no_answer(reply: Reply) -> None:
    """Rows count only where the server says that the query only read; and whatever it did is rolled back."""
    with bolt_server(lambda query, parameters: reply) as server:
        with pytest.raises(CheckFailed, match="only read"):
            connection(server.url).read("CREATE (:X)")
        assert (len(server.begun), server.committed) == (1, 0)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("Neo.ClientError.Statement.SyntaxError", CheckFailed),
        ("Neo.ClientError.Statement.AccessMode", CheckFailed),
        ("Neo.ClientError.Database.DatabaseNotFound", StoreUnavailable),
        ("Neo.ClientError.Transaction.TransactionTimedOut", LimitExceeded),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", StoreUnavailable),
        ("Neo.ClientError.Security.Unauthorized", StoreUnavailable),
    ],
)
def test_faults(code: str, kind: type[ImprimaturError]) -> None:
    """What a server says is one of the errors, and never no rows."""

    def fail(query: str, parameters: dict[str, Any]) -> Reply:
        raise Failed(code, "it is so")

    with bolt_server(fail) as server, pytest.raises(kind):
        connection(server.url).read("RETURN 1")


def test_rows_and_servers_that_are_not_there() -> None:
    """More rows than are asked for are an error; so is a server that is not there, without its password in it."""
    with bolt_server(lambda query, parameters: Reply(["x"], [[n] for n in range(2500)])) as server:
        reading = connection(server.url)
        assert len(reading.read("RETURN 1", most=2500).rows) == 2500
        with pytest.raises(LimitExceeded):
            reading.read("RETURN 1", most=2499)
    with pytest.raises(StoreUnavailable):
        reading.read("RETURN 1")
    secret = Key("X", "s3cret")
    nobody = connection(f"bolt://127.0.0.1:{free_port()}", user=Key("Y", "ann"), password=secret, seconds=2.0)
    with pytest.raises(StoreUnavailable) as raised:
        nobody.read("RETURN 1")
    assert "s3cret" not in f"{raised.value} {raised.value.hint} {nobody.address!r}"


def test_a_property_graph_over_bolt(tmp_path: Path) -> None:
    """Over Bolt, before a real engine, a graph gives the triples and facts that it gives directly."""
    with falkor_server(tmp_path) as engine:
        engine.write("g", _PEOPLE)
        direct = engine.connection("g")

        def answer(query: str, parameters: dict[str, Any]) -> Reply:
            if query.startswith("SHOW"):
                raise Failed("Neo.ClientError.Statement.SyntaxError", "no such command here")
            found = direct.read(query.replace("valueType(", "typeOf("), parameters, most=1_000_000)
            return Reply(found.columns, found.rows)

        with bolt_server(answer) as server:
            one, two = _graph(direct), _graph(connection(server.url))
            triples = sorted(str(quad) for quad in one.quads())
            assert sorted(str(quad) for quad in two.quads()) == triples
            assert len(triples) > 20
            things = sorted({quad.subject.value for quad in one.quads()})  # type: ignore[union-attr]
            assert two.facts(things) == one.facts(things)
            before = two.stamp()
            assert two.stamp() == before
            engine.write("g", "MATCH (n:Person {born: 1952}) SET n.born = 1953")
            assert two.stamp() != before
            assert server.committed == 0


def _graph(reading: Connection) -> PropertyGraph:
    return PropertyGraph(reading)


def test_falkordb_behind_bolt_is_refused(tmp_path: Path) -> None:
    """FalkorDB's own port for Bolt is not read: nothing is asked of it, so that no graph is made by asking."""
    with falkor_server(tmp_path, bolt=True) as server:
        server.write("g", "CREATE (:A)")
        with pytest.raises(StoreUnavailable, match="FalkorDB is not read by Bolt"):
            connection(f"bolt://127.0.0.1:{server.bolt}", database="g").read("MATCH (n) RETURN count(n)")
        assert list(server.execute("GRAPH.LIST")) == ["g"]
        assert isinstance(server.connection("g"), FalkorConnection)
