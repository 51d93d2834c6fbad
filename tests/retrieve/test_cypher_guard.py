"""Cypher that somebody else wrote: what may run, what is refused and how, and that nothing changes the graph."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_property import HOSTILE, KILLING, PEOPLE, PEOPLE_TERMS, PROPER, write_people
from property_server import FalkorServer, falkor_server

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.retrieve.cypher_guard import CheckedCypher, check_cypher
from imprimatur.retrieve.cypher_terms import GraphTerms, TypeTerms, written
from imprimatur.retrieve.query_language import Refused


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """Some people on a real server."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as started:
        write_people(started)
        yield started


def test_there_are_two_hundred_hostile_queries() -> None:
    """The file does not shrink unseen, and no query stands in it twice."""
    assert len(set(HOSTILE)) == len(HOSTILE) >= 200


@pytest.mark.parametrize("query", HOSTILE)
def test_a_hostile_query_is_refused(query: str) -> None:
    """Writes, procedures, files, made-up values, whole graphs, unknown names, tricks with characters."""
    checked = check_cypher(query, PEOPLE_TERMS, rows=10)
    assert isinstance(checked, Refused)
    assert all(checked.problems)


def test_a_server_that_is_asked_past_the_guard_changes_nothing(server: FalkorServer) -> None:
    """The reading mode refuses what the guard would have refused, or reads; and names no other graph.

    Not asked is what makes FalkorDB 4 fall: against that stands the guard alone.
    """
    connection, before, graphs = server.connection(PEOPLE), server.state(PEOPLE), server.connection(PEOPLE).graphs()
    for query in (each for each in HOSTILE if each not in KILLING):
        try:
            connection.read(query.replace("\x00", ""), seconds=0.3, most=1000)
        except (CheckFailed, LimitExceeded):
            continue
    assert server.state(PEOPLE) == before
    assert connection.graphs() == graphs
    connection.close()


@pytest.mark.parametrize("query", PROPER)
def test_a_proper_query_may_run(query: str) -> None:
    """Questions of every form that the subset has."""
    assert isinstance(check_cypher(query, PEOPLE_TERMS, rows=10), CheckedCypher)


def test_a_proper_query_runs_on_the_server(server: FalkorServer) -> None:
    """What the guard lets through is Cypher for the server, too, and most of these find something."""
    connection, found = server.connection(PEOPLE), 0
    for query in PROPER:
        checked = check_cypher(query, PEOPLE_TERMS, rows=10)
        assert isinstance(checked, CheckedCypher)
        table = connection.read(checked.text, most=10)
        assert len(table.columns) == len(checked.columns)
        found += bool(table.rows)
    assert found > len(PROPER) * 2 // 3
    connection.close()


def test_a_limit_is_put_in_or_lowered() -> None:
    """A query without a limit gets one, a higher one is lowered, a lower one stands."""

    def text(query: str) -> str:
        checked = check_cypher(query, PEOPLE_TERMS, rows=7)
        assert isinstance(checked, CheckedCypher)
        return checked.text

    assert text("MATCH (p:Person) RETURN p.age") == "MATCH (p:Person) RETURN p.age LIMIT 7"
    assert text("MATCH (p:Person) RETURN p.age LIMIT 5000;") == "MATCH (p:Person) RETURN p.age LIMIT 7"
    assert text("MATCH (p:Person) RETURN p.age LIMIT 3") == "MATCH (p:Person) RETURN p.age LIMIT 3"
    inner = "MATCH (p:Person) WITH p LIMIT 99 RETURN p.age"
    assert text(inner) == f"{inner} LIMIT 7"


def test_a_column_is_called_by_what_it_reads() -> None:
    """An alias says nothing: it is the writer's own word."""
    query = (
        "MATCH (p:Person)-[r:KNOWS]->(q) WITH p, r, q, p.age AS length"
        " RETURN length AS height, count(DISTINCT q.name) AS x,"
        " count(*) AS children, p.age - q.age AS pay, r.since, sum(p.age - q.age),"
        " round(max(p.age) / count(*)) AS y, type(r), labels(q)"
    )
    checked = check_cypher(query, PEOPLE_TERMS, rows=7)
    assert isinstance(checked, CheckedCypher)
    assert checked.columns == (
        "Person.age",
        "count of matched different node.name",
        "count of matched rows",
        "Person.age - node.age",
        "KNOWS.since",
        "sum of matched (Person.age - node.age)",
        "round of (max of matched Person.age / count of matched rows)",
        "type of KNOWS",
        "labels of node",
    )


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("MATCH (p:Persn) RETURN p.name", "'Persn' is no label of the graph: the nearest is Person"),
        ("MATCH (p:Person)-[:KNOW]->(q) RETURN q.name", "'KNOW' is no relationship type of the graph"),
        ("MATCH (p:Person) RETURN p.agee", "'agee' is no key of Person of the graph: the nearest is age"),
        ("MATCH (p:Person)-[r:KNOWS]->(q) RETURN r.sinc", "the nearest is since"),
        ("MATCH (t:Town)-[:LIVES_IN]->(p:Person) RETURN p.name", "LIVES_IN goes the other way"),
        ("MATCH (p:Person)-[:KNOWS]->(t:Town) RETURN t.name", "there is (:Person)-[:KNOWS]->(:Author)"),
        ("MATCH (o:`Odd labl`) RETURN o.name", "the nearest is `Odd label`"),
        ("MATCH (p:Person) SET p.age = 1 RETURN p.age", "only queries that read are allowed, not SET"),
        ("CALL db.labels()", "CALL is not known here"),
        ("MATCH (p:Person) RETURN p", "return properties, such as n.name"),
        ("MATCH (p:Person)-[:KNOWS*]->(q) RETURN q.name", "1 to 3 steps"),
        ("MATCH (p:Person {name: $n}) RETURN p.age", "write the value itself"),
        ("MATCH (p:Person) RETURN p.name // x", "write no comments"),
        ("MATCH (p:Person) WHERE p.name = 'a\\'b' RETURN p.age", "without \\"),
        ("MATCH (p:Person) RETURN q.name", "q stands for nothing at this place"),
        ("MATCH (p:Person) RETURN p.name UNION MATCH (t:Town) RETURN t.name", "without UNION"),
    ],
)
def test_a_refusal_says_what_to_write(query: str, told: str) -> None:
    """The nearest known name, the right direction, the form that is allowed."""
    checked = check_cypher(query, PEOPLE_TERMS, rows=10)
    assert isinstance(checked, Refused)
    assert any(told in problem for problem in checked.problems), checked.problems


def test_all_problems_are_told_together() -> None:
    """So that one repair may mend them."""
    checked = check_cypher("MATCH (p:Persn)-[:KNOW]->(t:Twn) RETURN p.agee, 42, t", PEOPLE_TERMS, rows=10)
    assert isinstance(checked, Refused)
    assert len(checked.problems) == 6


def test_names_that_hide_something_are_nobodys() -> None:
    """A label with a backtick or an escape, or one that is too long, is not told and cannot be used."""
    odd = ("a`b", "a\\b", "a\nb", "x" * 101, "a\u202eb", "")
    terms = GraphTerms(
        labels={name: {name: "string"} for name in (*odd, "Plain", "Two words")},
        types={name: TypeTerms({name: "string"}, frozenset({(name, "Plain")})) for name in (*odd, "IS")},
    )
    assert terms.told.split("\n") == [
        "node (:Plain {Plain: string})",
        "node (:`Two words` {`Two words`: string})",
        "relationship (:IS)-[:IS {IS: string}]->(:Plain)",
    ]
    for name in odd:
        with pytest.raises(ValueError, match="the name"):
            written(name)
        assert isinstance(check_cypher(f"MATCH (p:`{name}`) RETURN p.x", terms, rows=1), Refused)


def test_a_vocabulary_is_told_as_far_as_a_prompt_holds_it() -> None:
    """Whole lines, first of all what every pattern needs."""
    keys = {f"key{k}": "string" for k in range(100)}
    labels = {f"Label{k}": keys for k in range(300)}
    told = GraphTerms(labels=labels, types={}, label_needed=True, type_needed=True).told
    assert 30_000 < len(told) <= 40_000
    assert told.startswith("Every node of a pattern needs a label, for there are others.\nEvery relationship of")
    assert told.endswith("})")


def test_a_long_or_deep_text_ends_soon() -> None:
    """Sizes are bounded before anything is read."""
    for text in ("(" * 7000, "MATCH " * 1300, "MATCH (p:Person) WHERE " + "NOT " * 1900 + "p.age > 1 RETURN p.age"):
        check_cypher(text, PEOPLE_TERMS, rows=1)
    wrong = check_cypher("MATCH (p:Person) RETURN " + ", ".join(f"p.k{k}" for k in range(900)), PEOPLE_TERMS, rows=1)
    assert isinstance(wrong, Refused)
    assert len(wrong.problems) == 20
    many = ", ".join(f"(p{k}:Person {{name: 'x'}})" for k in range(41))
    assert isinstance(check_cypher(f"MATCH {many} RETURN p1.name", PEOPLE_TERMS, rows=1), Refused)
    assert isinstance(check_cypher("MATCH (p:Person) RETURN p.name" + " " * 9000 + "x", PEOPLE_TERMS, rows=1), Refused)


_PIECES = [
    *"()[]{}:,.|*=<>+/%-;$`'\"\\#",
    *"MATCH OPTIONAL WHERE WITH RETURN ORDER BY LIMIT SKIP AS AND OR NOT IN UNWIND DISTINCT".split(),
    *"CREATE MERGE SET DELETE DETACH REMOVE CALL LOAD CSV FOREACH UNION DROP YIELD USE CASE".split(),
    *"p q name age KNOWS LIVES_IN Person Town count max labels 1 42 'x' \"y\" `Person` // /* */ -> <- ..".split(),
    "(p:Person)",
    "p.name",
    "\n",
    "\u200b",
    "\u00e9",
]
_WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|DETACH|REMOVE|CALL|LOAD|FOREACH|UNION|DROP|YIELD|USE)\b", re.I)


@settings(max_examples=300, deadline=None)
@given(
    query=st.sampled_from(PROPER),
    cuts=st.lists(st.tuples(st.integers(0, 200), st.sampled_from(_PIECES)), min_size=1, max_size=6),
)
def test_nothing_that_is_mixed_in_gets_through(query: str, cuts: list[tuple[int, str]]) -> None:
    """Whatever is put into a proper query: what may run has no word that writes, calls or leaves, outside of texts."""
    for place, piece in cuts:
        place = min(place, len(query))
        query = f"{query[:place]} {piece} {query[place:]}"
    checked = check_cypher(query, PEOPLE_TERMS, rows=10)
    if isinstance(checked, CheckedCypher):
        bare = re.sub(r"'[^']*'|\"[^\"]*\"", "''", checked.text)
        assert not re.search(r"//|/\*|\\|;|\$", bare)
        assert not _WRITES.search(bare), checked.text


@pytest.mark.parametrize(
    ("query", "links"),
    [
        ("MATCH (p:Person)-[:LIVES_IN]->(t:Town) RETURN p.name", ("Person LIVES_IN Town",)),
        ("MATCH (t:Town)<-[:LIVES_IN]-(:Person) RETURN t.name", ("Person LIVES_IN Town",)),
        ("MATCH (p:Person)-[:KNOWS]-(q) RETURN q.name", ("Person KNOWS node or the other way round",)),
        ("MATCH (p:Person)-->(q) RETURN q.name", ("Person is linked to node",)),
        (
            "MATCH (p:Person)-[:KNOWS|LIVES_IN*1..2]->(:Town) RETURN p.name",
            ("Person KNOWS or LIVES_IN Town (at most 2 steps)",),
        ),
        ("MATCH (p:Person {name: 'Ann Lee'}), (t:Town) WHERE NOT (p)-[:LIVES_IN]->(t) RETURN t.name", ()),
        ("MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(q) RETURN p.name", ()),
        ("MATCH (p:Person)-[:LIVES_IN]->(t:Town) RETURN t.name, count(p)", ()),
    ],
)
def test_links_are_told_where_each_row_has_them(query: str, links: tuple[str, ...]) -> None:
    """So that what stands beside each other in a row is not taken for linked."""
    checked = check_cypher(query, PEOPLE_TERMS, rows=10)
    assert isinstance(checked, CheckedCypher)
    assert checked.links == links
    assert ("LIVES_IN" in checked.types) is ("LIVES_IN" in query and "NOT" not in query)
