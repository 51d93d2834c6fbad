"""Queries that somebody else wrote: what may run, what is refused and how, and that nothing changes the graph."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_retrieval import PREFIX, ScriptedWriter, graph_digest, open_brooks

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.knowledge import Knowledge
from imprimatur.retrieve.query_runner import QueryRunner
from imprimatur.retrieve.retrieval import Retrieval, retrieve
from imprimatur.retrieve.sparql_guard import Checked, Refused, check_query
from imprimatur.retrieve.trail import Section
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph

_LINES = Path(__file__).with_name("hostile_queries.txt").read_text(encoding="utf-8").splitlines()[1:]
#: As they are sent: a line's escapes stand for what Python has them stand for.
HOSTILE = [line.encode("latin-1", "backslashreplace").decode("unicode_escape") for line in _LINES]


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    """The brooks."""
    return open_brooks(tmp_path_factory.mktemp("brooks"))


@pytest.fixture(scope="module")
def schema(knowledge: Knowledge) -> Schema:
    """Their vocabulary."""
    assert knowledge.part is not None
    return knowledge.part.schema


@pytest.fixture(scope="module")
def graph(schema: Schema) -> Graph:
    """Their graph."""
    return schema.graph


def test_there_are_a_hundred_hostile_queries() -> None:
    """The file does not shrink unseen, and no query stands in it twice."""
    assert len(set(HOSTILE)) == len(HOSTILE) >= 100


@pytest.mark.parametrize("query", HOSTILE)
def test_a_hostile_query_is_refused(schema: Schema, query: str) -> None:
    """Writes, other servers, whole-graph patterns, unbounded paths, made-up values, tricks with characters."""
    for text in (query, PREFIX + query):
        checked = check_query(text, schema, rows=10)
        assert isinstance(checked, Refused)
        assert all(checked.problems)


def test_hostile_queries_leave_the_graph_as_it_is(knowledge: Knowledge, graph: Graph) -> None:
    """Written by a model, each fails the path and is reported; count and hash of the graph stay the same."""
    before = graph_digest(graph)
    for query in HOSTILE:
        trail = Retrieval(knowledge, writer=ScriptedWriter(PREFIX + query))("How long is Elm Brook?")
        assert not trail.section(Section.RESULTS)
        assert [failure.path for failure in trail.failures] == ["queries"]
        assert "refused" in trail.failures[0].why
    assert graph_digest(graph) == before
    assert len(graph.store()) == len(graph)


def test_what_runs_works_on_a_copy(graph: Graph) -> None:
    """Even a write that no guard has seen changes nothing: the store answers queries only, and is no store of ours."""
    before = graph_digest(graph)
    runner = QueryRunner(graph)
    for query in HOSTILE[:20]:
        with pytest.raises(CheckFailed):
            runner.run(PREFIX + query, rows=10, seconds=20)
    assert runner.run(PREFIX + "SELECT ?l { :elm :length ?l }", rows=10, seconds=20)["rows"] == [
        ['"12000"^^<http://www.w3.org/2001/XMLSchema#integer>']
    ]
    runner.close()
    assert graph_digest(graph) == before


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?l WHERE { :elm :length ?l }",
        "SELECT ?b ?l WHERE { ?b a :Brook ; :length ?l } ORDER BY DESC(?l)",
        "SELECT (COUNT(?b) AS ?n) WHERE { ?b :flowsThrough :bree }",
        "SELECT (MAX(?l) AS ?most) WHERE { ?b :length ?l }",
        "SELECT ?b ((?l / 1000) AS ?km) WHERE { ?b :length ?l FILTER(?l > 100) }",
        "SELECT ?t WHERE { :elm :mouth/:flowsThrough ?t }",
        "SELECT ?b WHERE { ?b :mouth+ :oak }",
        'SELECT ?l WHERE { ?b rdfs:label "Elm Brook" ; :length ?l }',
        "ASK { :elm :mouth :oak }",
        "SELECT ?b WHERE { ?b a :Brook FILTER NOT EXISTS { ?b :mouth ?m } }",
        "SELECT ?p ?o WHERE { :elm ?p ?o }",
        "SELECT ?l WHERE { :elm :length ?l } LIMIT 5",
        "SELECT ?b WHERE { { SELECT ?b { ?b :length ?l } ORDER BY ?l LIMIT 1 } }",
        "SELECT ?t WHERE { ?t ^:flowsThrough :elm }",
    ],
)
def test_a_proper_query_may_run(schema: Schema, query: str) -> None:
    """Questions of every form that the ontology allows pass."""
    assert isinstance(check_query(PREFIX + query, schema, rows=10), Checked)


def test_a_limit_is_added(schema: Schema) -> None:
    """A query without a limit gets one; what has one keeps it."""
    bare = check_query(PREFIX + "SELECT ?l WHERE { ?b :length ?l }", schema, rows=7)
    given = check_query(PREFIX + "SELECT ?l WHERE { ?b :length ?l } LIMIT 3", schema, rows=7)
    assert isinstance(bare, Checked)
    assert bare.text.endswith("\nLIMIT 7")
    assert isinstance(given, Checked)
    assert given.text.endswith("LIMIT 3")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            "SELECT ?s { ?s :lenght ?l }",
            "brooks/lenght> is no property of the ontology: the nearest is <https://example.org/brooks/length>",
        ),
        (
            "SELECT ?s { ?s a :Brok }",
            "brooks/Brok> is no class of the ontology: the nearest is <https://example.org/brooks/Brook>",
        ),
        (
            "SELECT ?b { ?t a :Town ; :flowsThrough ?b . ?b a :Brook }",
            "goes the other way: write its subject (brook) first",
        ),
        ("SELECT ?b { :arden :flowsThrough ?b . ?b a :Brook }", "goes the other way"),
        ("SELECT ?l { :arden :length ?l }", "the subject of <https://example.org/brooks/length> is brook"),
        ('SELECT ?s { ?s :mouth "Oak Brook" }', "are things, not texts or numbers"),
        ("SELECT ?l { :birch :length ?l }", "brooks/birch> is nothing that the graph knows"),
        ("SELECT ?l { ?s :length ?l } LIMIT 1 #x", "write no comments"),
        ("DROP ALL", "cannot be parsed"),
        ("DESCRIBE :elm", "only SELECT and ASK are allowed, not DESCRIBE"),
    ],
)
def test_a_refusal_says_what_to_write(schema: Schema, query: str, told: str) -> None:
    """The nearest known name, the right direction, the form that is allowed."""
    checked = check_query(PREFIX + query, schema, rows=10)
    assert isinstance(checked, Refused)
    assert any(told in problem for problem in checked.problems), checked.problems


def test_a_path_over_many_triples_needs_a_bound(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit of triples a path of any length is refused even with a named end."""
    query = PREFIX + "SELECT ?b WHERE { ?b :mouth+ :oak }"
    assert isinstance(check_query(query, schema, rows=10), Checked)
    monkeypatch.setattr("imprimatur.retrieve.sparql_terms._MOST_REPEATED", 0)
    checked = check_query(query, schema, rows=10)
    assert isinstance(checked, Refused)
    assert "has no bound" in checked.problems[0]


def test_a_query_that_takes_too_long_is_ended(graph: Graph) -> None:
    """The process is ended at the deadline, and the next query gets a new one."""
    runner = QueryRunner(graph)
    assert runner.run("ASK { ?s ?p ?o }", rows=1, seconds=30) == {"truth": True}
    many = " ".join(f"?a{k} ?b{k} ?c{k} ." for k in range(7))
    with pytest.raises(LimitExceeded, match="took longer"):
        runner.run(f"SELECT (COUNT(*) AS ?n) {{ {many} }}", rows=1, seconds=0.5)
    assert runner.run("ASK { ?s ?p ?o }", rows=1, seconds=30) == {"truth": True}
    runner.close()


def test_a_refused_query_is_repaired(knowledge: Knowledge) -> None:
    """The writer is told what was wrong, and its second query gives the evidence."""
    wrong, right = "SELECT ?l { :elm :lenght ?l }", "```sparql\n" + PREFIX + "SELECT ?l { :elm :length ?l }\n```"
    writer = ScriptedWriter(PREFIX + wrong, right)
    trail = retrieve("How long is Elm Brook?", knowledge, writer=writer)
    assert [item.text for item in trail.section(Section.RESULTS)] == ["l: 12000"]
    assert len(writer.requests) == 2
    assert "the nearest is" in writer.requests[1].before[0].problems[0]
    assert ("Elm Brook", "<https://example.org/brooks/elm>") in writer.requests[0].things
    assert "flows through" in writer.requests[0].vocabulary
    evidence = trail.section(Section.RESULTS)[0].evidence[0]
    assert (evidence.kind, evidence.trust) == ("row", "derived")
    assert ":length ?l" in evidence.query


def test_a_query_is_repaired_at_most_twice(knowledge: Knowledge) -> None:
    """Three refusals end it, and the trail says why."""
    writer = ScriptedWriter(PREFIX + "SELECT ?l { :elm :lenght ?l }")
    trail = retrieve("How long is Elm Brook?", knowledge, writer=writer)
    assert len(writer.requests) == 3
    assert "3 were refused" in trail.failures[0].why
    assert trail.section(Section.FACTS)  # what the other paths found stands


def test_no_query_and_no_rows_are_no_failure(knowledge: Knowledge) -> None:
    """A writer that gives nothing, and a query that finds nothing, leave no evidence and no failure."""
    for query in ("", PREFIX + "SELECT ?m { :oak :mouth ?m }", PREFIX + "ASK { :oak :mouth ?m }"):
        trail = retrieve("Where does Oak Brook end?", knowledge, writer=ScriptedWriter(query))
        assert not trail.section(Section.RESULTS)
        assert not trail.failures
