"""Statement nodes, reifiers and validity: facts that hold for a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphs import EX, entailment, graph_of_text, names, number

from imprimatur.sources.graph import sparql
from imprimatur.sources.graph.entail import Entailment, Fact
from imprimatur.sources.graph.schema import Schema

AWARD = """
:curie rdfs:label "Marie Curie" . :nobel rdfs:label "Nobel Prize" .
:curie :awardLink :node1 . :node1 :award :nobel ; :from "1903"^^xsd:gYear ; :to "1911"^^xsd:gYear .
"""
WIKIDATA = """
@prefix p: <http://www.wikidata.org/prop/> . @prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
:ann p:P39 :st1, :st2 ; wdt:P39 :chair .
:st1 ps:P39 :chair ; pq:P580 "2010-01-05T00:00:00Z"^^xsd:dateTime ; pq:P582 "2015"^^xsd:gYear ; pq:P1366 :bob .
:st2 ps:P39 :queen ; pq:P580 "2001"^^xsd:gYear ; wikibase:rank wikibase:DeprecatedRank .
"""


def only(facts: tuple[Fact, ...]) -> Fact:
    """The one fact there is."""
    (fact,) = facts
    return fact


def years(fact: Fact) -> tuple[int | None, int | None]:
    """The first and last year in which a fact holds."""
    assert fact.valid is not None
    first = fact.valid.first.first if fact.valid.first else None
    last = fact.valid.last.last if fact.valid.last else None
    return (first[0] if first else None, last[0] if last else None)


def test_statement_node_gives_a_timed_fact(tmp_path: Path) -> None:
    """A detected statement node states its property of the subject, with its time, and the query finds it again."""
    entailed = entailment(tmp_path, AWARD)
    fact = only(entailed.values(number(entailed.graph, "curie"), EX + "award"))
    assert fact.object == number(entailed.graph, "nobel")
    assert years(fact) == (1903, 1911)
    assert entailed.graph.ask(sparql.ask(entailed.graph, fact))
    assert "[statement]" in entailed.describe(fact)
    assert entailed.entails(number(entailed.graph, "curie"), EX + "award", fact.object) == fact
    assert names(entailed, "nobel", "award", inverse=True) == {"curie"}


@pytest.mark.parametrize(
    "turtle",
    [
        pytest.param(AWARD + ':node1 rdfs:label "a thing" .', id="labelled node"),
        pytest.param(AWARD + ":other :mentions :node1 .", id="node of two subjects"),
        pytest.param(AWARD.replace("rdfs:label", ":name"), id="graph without labels"),
        pytest.param(AWARD.replace('"1903"^^xsd:gYear', ":here").replace('"1911"^^xsd:gYear', ":there"), id="no dates"),
        pytest.param(AWARD + ":life owl:propertyChainAxiom ( :awardLink :from ) .", id="declared chain"),
        pytest.param(AWARD + ":award rdfs:domain :Event . :node1 a :Event .", id="the property is about the node"),
    ],
)
def test_ordinary_nodes_are_not_statement_nodes(tmp_path: Path, turtle: str) -> None:
    """What may be an entity of its own is not taken for a statement."""
    entailed = entailment(tmp_path, turtle)
    assert names(entailed, "curie", "award") == set()


def test_blank_nodes_and_roles(tmp_path: Path) -> None:
    """Blank nodes count without labels; a role whose property is the link's states the link; rdf:value too."""
    entailed = entailment(
        tmp_path,
        """:ann schema:alumniOf [ a schema:Role ; schema:alumniOf :uni ; schema:startDate "1990"^^xsd:gYear ] ;
        :office [ rdf:value :chair ; :validFrom "2001-02-03"^^xsd:date ] .""",
    )
    ann = number(entailed.graph, "ann")
    timed = [fact for fact in entailed.values(ann, "https://schema.org/alumniOf") if fact.valid]
    assert entailed.graph.iri(only(tuple(timed)).object) == EX + "uni"
    assert years(timed[0]) == (1990, None)
    assert [fact.valid is not None for fact in entailed.values(ann, EX + "office")].count(True) == 1


@pytest.mark.parametrize("part", ["direct", "statement"])
def test_wikidata_statements(tmp_path: Path, part: str) -> None:
    """ps: values speak for wdt:, hide its untimed triple, and leave out deprecated ranks and qualifiers."""
    entailed = entailment(tmp_path, WIKIDATA)
    fact = only(entailed.values(number(entailed.graph, "ann"), f"http://www.wikidata.org/prop/{part}/P39"))
    assert entailed.graph.iri(fact.object) == EX + "chair"
    assert years(fact) == (2010, 2015)
    qualifier = entailed.values(number(entailed.graph, "ann"), "http://www.wikidata.org/prop/qualifier/P1366")
    assert qualifier == ()


@pytest.mark.parametrize(
    "turtle",
    [
        ':a :p :b {| schema:startDate "1990"^^xsd:gYear ; schema:endDate "1995"^^xsd:gYear |} .',
        """:a :p :b . [] rdf:subject :a ; rdf:predicate :p ; rdf:object :b ;
        schema:startDate "1990"^^xsd:gYear ; schema:endDate "1995"^^xsd:gYear .""",
    ],
)
def test_reified_triples_are_timed(tmp_path: Path, turtle: str) -> None:
    """RDF 1.2 annotations and RDF 1.0 reification give a triple its time; the untimed triple is hidden."""
    entailed = entailment(tmp_path, turtle)
    a, b = number(entailed.graph, "a"), number(entailed.graph, "b")
    assert years(only(entailed.values(a, EX + "p"))) == (1990, 1995)
    assert years(only(entailed.values(b, EX + "p", inverse=True))) == (1990, 1995)
    assert entailed.entails(a, EX + "p", b) == only(entailed.values(a, EX + "p"))


def test_reification_asserts_nothing(tmp_path: Path) -> None:
    """A triple that is only described, not asserted, is no fact."""
    entailed = entailment(
        tmp_path, "[] rdf:subject :a ; rdf:predicate :p ; rdf:object :b . :a :q :b . :p a rdf:Property ."
    )
    assert names(entailed, "a", "p") == set()


def test_times_that_cannot_be_read_are_unknown(tmp_path: Path) -> None:
    """An end that the graph knows of but that cannot be read is never taken for an open end."""
    entailed = entailment(tmp_path, WIKIDATA.replace('"2015"^^xsd:gYear', "[]"))
    fact = only(entailed.values(number(entailed.graph, "ann"), "http://www.wikidata.org/prop/direct/P39"))
    assert fact.valid is not None
    assert not fact.valid.known


def test_configured_time_properties(tmp_path: Path) -> None:
    """Time properties with any name work when they are named."""
    turtle = ':ann :job [ :employer :acme ; :t1 "2000"^^xsd:gYear ; :t2 "2004"^^xsd:gYear ] .'
    graph = graph_of_text(tmp_path, turtle)
    plain = Entailment(graph, Schema.of(graph))
    assert plain.values(number(graph, "ann"), EX + "employer") == ()
    entailed = Entailment(graph, Schema.of(graph, time_from=[EX + "t1"], time_to=[EX + "t2"]))
    assert years(only(entailed.values(number(graph, "ann"), EX + "employer"))) == (2000, 2004)


def test_time_ontology_instants(tmp_path: Path) -> None:
    """OWL-Time instants are followed to their date."""
    entailed = entailment(
        tmp_path,
        """@prefix time: <http://www.w3.org/2006/time#> .
        :ann :job [ :employer :acme ; time:hasBeginning [ time:inXSDDate "2000-05-01"^^xsd:date ] ] .""",
    )
    assert years(only(entailed.values(number(entailed.graph, "ann"), EX + "employer"))) == (2000, None)


def test_chained_times_meet(tmp_path: Path) -> None:
    """A fact derived from two timed ones holds when both do, and never when they do not meet."""
    turtle = """:p a owl:TransitiveProperty .
    :a :p :b {| schema:startDate "1990"^^xsd:gYear ; schema:endDate "1999"^^xsd:gYear |} .
    :b :p :c {| schema:startDate "1995"^^xsd:gYear |} . :b :p :d {| schema:startDate "2005"^^xsd:gYear |} ."""
    entailed = entailment(tmp_path, turtle)
    a = number(entailed.graph, "a")
    reached = {entailed.graph.iri(f.object): years(f) for f in entailed.values(a, EX + "p")}
    assert reached == {EX + "b": (1990, 1999), EX + "c": (1995, 1999)}
