"""All of a graph is read from endpoints with every whim that real ones have, or it is an error."""

from __future__ import annotations

import base64
from http.server import BaseHTTPRequestHandler
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_endpoint import NO_ROWS, reply, served
from made_remote import Whims, whimsical

from imprimatur.config import Key, SparqlConfig
from imprimatur.errors import CheckFailed, ConfigError, LimitExceeded, RuntimeFault, StoreUnavailable
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.remote.graph import hanging
from imprimatur.sources.remote.mirror import ordered
from imprimatur.sources.remote.sparql import SparqlGraph

EX = "https://example.org/"
_MANY = "".join(f'<{EX}s{n}> <{EX}p> "{n}" ; <{EX}q{n % 7}> <{EX}s{n % 13}> .\n' for n in range(120))
_WORDS = f'<{EX}s1> <{EX}said> "a \\"quoted\\" }} word\\n"@en-GB, "1"^^<{XSD}integer>, "x"^^<{EX}kind> .\n'
_NODES = f"""
<{EX}s1> <{EX}by> [ <{EX}who> <{EX}s2> ; <{EX}at> "1999" ], [ <{EX}who> <{EX}s3> ] .
<{EX}s2> <{EX}by> [ <{EX}who> <{EX}s2> ; <{EX}at> "2001" ] .
"""
TURTLE = _MANY + _WORDS + _NODES
_FEW = _NODES + _WORDS


def _graph(url: str, **more: Any) -> SparqlGraph:
    return SparqlGraph(SparqlConfig(url=url, **more))


def _hash(turtle: str) -> str:
    return ordered(ox.Quad(*triple) for triple in _parsed(turtle))[1]


def _parsed(turtle: str) -> list[tuple[Any, Any, Any]]:
    return [(q.subject, q.predicate, q.object) for q in ox.parse(turtle.encode(), format=ox.RdfFormat.TURTLE)]


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("page", [10_000, 50])
@pytest.mark.parametrize(
    "whims",
    [
        {},
        {"labels": True},
        {"shuffled": True},
        {"rows": 40},
        {"rows": 25, "shuffled": True},
        {"offset": 0},
        {"sums": False},
    ],
    ids=str,
)
def test_all_of_a_graph_is_read_whatever_the_whims(whims: dict[str, Any], page: int) -> None:
    """Pages that are cut, mixed or refused make one whole all the same, blank nodes included."""
    with whimsical(TURTLE, **whims) as (url, _):
        graph = _graph(url, page=page)
        before = graph.stamp()
        assert ordered(graph.quads())[1] == _hash(TURTLE)
        assert graph.stamp() == before


def test_blank_nodes_beyond_one_answer_are_an_error_where_they_hang_deep() -> None:
    """Where one answer cannot hold them all, and one hangs on another, nothing is read rather than a part."""
    deep = f"<{EX}s> <{EX}p> [ <{EX}q> [ <{EX}r> 1 ] ] , [ <{EX}q> 2 ] , [ <{EX}q> 3 ] .\n"
    with whimsical(deep) as (url, _):
        assert ordered(_graph(url).quads())[1] == _hash(deep)
    with whimsical(deep, rows=4) as (url, _), pytest.raises(CheckFailed, match="blank nodes") as met:
        list(_graph(url).quads())
    assert "skolemize" in met.value.hint


def test_a_server_that_leaves_out_rows_is_found_out() -> None:
    """A count that the rows do not come to is an error."""

    class Losing(Whims):
        def _changed(self, told: dict[str, Any]) -> dict[str, Any]:
            rows = told["results"]["bindings"]
            told["results"]["bindings"] = [row for row in rows if row.get("o", {}).get("value") != "7"]
            return super()._changed(told)

    with whimsical(_MANY) as (url, made):
        made.__class__ = Losing
        with pytest.raises(CheckFailed, match="does not give all"):
            list(_graph(url).quads())


def test_an_empty_graph_is_no_graph() -> None:
    """A graph that is not there must not look like one in which nothing is found."""
    with whimsical(_MANY, graph=f"{EX}g") as (url, _):
        with pytest.raises(StoreUnavailable, match="no such graph") as met:
            list(_graph(url).quads())
        assert "`graph:`" in met.value.hint
        with pytest.raises(StoreUnavailable):
            list(_graph(url, graph=f"{EX}other").quads())
        assert ordered(_graph(url, graph=f"{EX}g").quads())[1] == _hash(_MANY)


def test_too_many_triples_are_an_error() -> None:
    """The operator says how many triples there may be."""
    with whimsical(_MANY) as (url, _), pytest.raises(LimitExceeded, match="240 triples"):
        list(_graph(url, most=100).quads())


def test_the_stamp_changes_with_any_triple() -> None:
    """One digit, one language, one datatype: the stamp is another one; with a revision it is the operator's."""
    turtle = f'<{EX}s> <{EX}p> "1999"@en .'
    with whimsical(turtle) as (url, server):
        stamps = {(graph := _graph(url)).stamp()}
        for changed in ('"1998"@en', '"1999"@fr', '"1999"', f'"1999"^^<{XSD}gYear>', f"<{EX}1999>"):
            server.store.update("DELETE WHERE { ?s ?p ?o }")
            server.store.load(f"<{EX}s> <{EX}p> {changed} .".encode(), format=ox.RdfFormat.TURTLE)
            stamps.add(graph.stamp())
        assert len(stamps) == 6
        own = _graph(url, revision=f"SELECT ?r {{ ?s <{EX}revision> ?r }}")
        before = own.stamp()
        server.store.load(f'<{EX}g> <{EX}revision> "2" .'.encode(), format=ox.RdfFormat.TURTLE)
        assert own.stamp() != before
        assert not any("SUM(" in query for query in server.asked[-2:])


def test_the_stamp_changes_when_blank_nodes_change_places() -> None:
    """What hangs on a node hangs together: the same triples about other nodes are another graph."""
    one = f"<{EX}s> <{EX}by> [ <{EX}who> 1 ; <{EX}at> 10 ], [ <{EX}who> 2 ; <{EX}at> 20 ] ."
    other = f"<{EX}s> <{EX}by> [ <{EX}who> 1 ; <{EX}at> 20 ], [ <{EX}who> 2 ; <{EX}at> 10 ] ."
    assert _hash(one) != _hash(other)
    stamps, facts = set(), set()
    for turtle in (one, other):
        with whimsical(turtle, graph=f"{EX}g") as (url, _):
            graph = _graph(url, graph=f"{EX}g")
            stamps.add(graph.stamp())
            facts.add(graph.facts([f"{EX}s"])[f"{EX}s"])
    assert (len(stamps), len(facts)) == (2, 2)


@pytest.mark.usefixtures("short_pauses")
def test_where_no_sum_can_be_made_the_stamp_is_of_everything() -> None:
    """As many triples are not the same triples."""
    with whimsical(f"<{EX}s> <{EX}p> 1 .", sums=False) as (url, server):
        graph = _graph(url)
        before = graph.stamp()
        assert graph.stamp() == before
        server.store.update(f"DELETE WHERE {{ ?s ?p ?o }} ; INSERT DATA {{ <{EX}s> <{EX}p> 2 }}")
        assert graph.stamp() != before


def test_a_revision_is_that_of_one_graph() -> None:
    """Another address, graph, key or query of the revision gives another stamp, though each tells the same."""
    query = f"SELECT ?r {{ ?s <{EX}revision> ?r }}"
    with whimsical(f'<{EX}g> <{EX}revision> "1" .') as (url, _):
        stamps = [
            _graph(url, revision=query).stamp(),
            _graph(f"{url}?set=a", revision=query).stamp(),
            _graph(url, revision=f"{query} LIMIT 1").stamp(),
            _graph(url, revision=query, key=Key("the environment variable KEY", "secret")).stamp(),
        ]
    assert len(set(stamps)) == len(stamps)
    assert not any("secret" in stamp for stamp in stamps)


def test_facts_that_are_cut_off_are_asked_for_again_or_are_an_error() -> None:
    """A server that gives fewer rows than there are, and says nothing of it, is found out by its own count."""
    things = [f"{EX}s{n}" for n in range(20)]
    with whimsical(TURTLE) as (url, _):
        whole = _graph(url).facts(things)
    for shuffled in (False, True):
        with whimsical(TURTLE, rows=12, shuffled=shuffled) as (url, server):
            assert _graph(url).facts(things) == whole
            server.rows = 4
            with pytest.raises(LimitExceeded, match="one thing"):
                _graph(url).facts(things)


def test_a_part_that_is_said_to_be_one_is_no_answer() -> None:
    """Virtuoso says by a header that its time was over before all was found."""

    def partly(handler: BaseHTTPRequestHandler, _: str) -> None:
        reply(handler, NO_ROWS, X_SQL_State="S1TAT")

    with served(partly) as server, pytest.raises(StoreUnavailable, match="incomplete"):
        _graph(server.url).facts([f"{EX}s"])


def test_facts_are_those_of_the_things_that_were_asked_about() -> None:
    """Many things in one request, in halves where that is too much; of a blank node what it has."""
    with whimsical(TURTLE) as (url, server):
        found = _graph(url).facts([f"{EX}s1", f"{EX}s2", f"{EX}none"])
        assert len(server.asked) == 1
        node = hanging([(f"{EX}at", RdfLiteral("1999")), (f"{EX}who", f"{EX}s2")])
        assert (f"{EX}s1", f"{EX}by", node) in found[f"{EX}s1"]
        assert (f"{EX}s1", f"{EX}p", RdfLiteral("1")) in found[f"{EX}s1"]
        assert found[f"{EX}none"] == frozenset()
        few = _graph(url, page=12).facts([f"{EX}s{n}" for n in range(20)])
        assert few[f"{EX}s1"] == found[f"{EX}s1"]
        assert sum(map(len, few.values())) == 46
        with pytest.raises(LimitExceeded, match="one thing"):
            _graph(url, page=2).facts([f"{EX}s1"])
    with pytest.raises(CheckFailed):
        _graph("http://127.0.0.1:9/sparql").facts(["no iri"])


@pytest.mark.parametrize(("auth", "sent"), [("bearer", "Bearer a:secret"), ("basic", "Basic YTpzZWNyZXQ=")])
def test_the_key_goes_to_the_server_and_nowhere_else(auth: str, sent: str) -> None:
    """It is in the header, and in no error, address or text of the configuration."""
    assert base64.b64decode("YTpzZWNyZXQ=") == b"a:secret"
    with whimsical(_MANY) as (url, server):
        named = SparqlConfig(url=url, key=Key("the environment variable KEY", "a:secret"), auth=auth)
        graph = SparqlGraph(named)
        graph.stamp()
        assert server.headers[-1]["Authorization"] == sent
        server.down = 401
        with pytest.raises(RuntimeFault) as met:
            graph.stamp()
        told = f"{met.value} {met.value.hint} {named!r} {graph.where}"
        assert "secret" not in told
        assert "YTpz" not in told
    with pytest.raises(ConfigError, match="no key is there"):
        SparqlGraph(SparqlConfig(url=url, key=Key("the environment variable KEY", fault="no key is there")))


def test_queries_of_evidence_name_the_graph() -> None:
    """They find the triples again where they are run as given."""
    with whimsical(_MANY + _NODES, graph=f"{EX}g") as (url, server):
        graph = _graph(url, graph=f"{EX}g")
        assert bool(server.store.query(graph.query(f"<{EX}s1>", f"<{EX}p>", '"1"')))
        assert not bool(server.store.query(graph.query(f"<{EX}s1>", f"<{EX}p>", '"2"')))
        both = [(f"<{EX}s1>", f"<{EX}by>", "_:b0"), ("_:b0", f"<{EX}at>", '"1999"')]
        assert bool(server.store.query(graph.query_all(both)))
        assert not bool(server.store.query(graph.query_all([both[0], ("_:b0", f"<{EX}at>", '"2001"')])))


@given(st.permutations(_parsed(_FEW)), st.integers(0, 99))
def test_the_order_depends_on_no_page_and_no_label(triples: list[tuple[Any, Any, Any]], names: int) -> None:
    """Any order of the triples, and any labels of the blank nodes, give one order and one hash."""

    def renamed(term: Any) -> Any:
        return ox.BlankNode(f"x{names}{term.value}"[:20]) if isinstance(term, ox.BlankNode) else term

    made = [ox.Quad(renamed(s), p, renamed(o)) for s, p, o in triples]
    assert ordered(made)[1] == ordered(ox.Quad(*t) for t in _parsed(_FEW))[1]
