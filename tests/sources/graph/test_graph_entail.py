"""Entailment: each rule with its derivation, limits, and agreement with a reference closure on random graphs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from graphs import EX, PREFIXES, entailment, graph_of_text, names, number
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import LimitExceeded
from imprimatur.sources.graph import sparql
from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph, GraphFile

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


@pytest.mark.parametrize(
    ("turtle", "subject", "expected", "rules"),
    [
        (":a :p :b .", "a", {"b"}, ["asserted"]),
        (":q rdfs:subPropertyOf :p . :a :q :b .", "a", {"b"}, ["asserted", "subPropertyOf"]),
        (":q owl:equivalentProperty :p . :a :q :b .", "a", {"b"}, ["asserted", "equivalentProperty"]),
        (":q owl:inverseOf :p . :b :q :a .", "a", {"b"}, ["asserted", "inverseOf"]),
        (":p a owl:SymmetricProperty . :b :p :a .", "a", {"b"}, ["asserted", "SymmetricProperty"]),
        (":p owl:propertyChainAxiom (:q :r) . :a :q :x . :x :r :b .", "a", {"b"}, None),
        (":p owl:propertyChainAxiom (:q [owl:inverseOf :r]) . :a :q :x . :b :r :x .", "a", {"b"}, None),
        ("[] rdfs:subPropertyOf :p ; owl:inverseOf :q . :b :q :a .", "a", {"b"}, ["asserted", "subPropertyOf"]),
        (":a owl:sameAs :a2 . :b owl:sameAs :b2 . :a2 :p :b2 .", "a", {"b", "b2"}, None),
        (":p a owl:TransitiveProperty . :a :p :b . :b :p :c .", "a", {"b", "c"}, None),
        (":p a owl:TransitiveProperty . :a :p :b . :b :p :a .", "a", {"b", "a"}, None),
        (":p a owl:TransitiveProperty . :q rdfs:subPropertyOf :p . :a :q :b . :b :p :c .", "a", {"b", "c"}, None),
        (
            ":q a owl:TransitiveProperty . :q rdfs:subPropertyOf :p . :a :q :b . :b :q :c . :c :p :d .",
            "a",
            {"b", "c"},
            None,
        ),
        (":p owl:propertyChainAxiom (:p :q) . :a :p :b . :b :q :c . :c :q :d .", "a", {"b", "c", "d"}, None),
        (":a :p 'x', 3 .", "a", {"x", "3"}, None),
    ],
)
def test_each_rule(tmp_path: Path, turtle: str, subject: str, expected: set[str], rules: list[str] | None) -> None:
    """Every rule gives its values, read in both directions, and each fact's query finds its evidence."""
    entailed = entailment(tmp_path, turtle)
    graph = entailed.graph
    assert names(entailed, subject, "p") == expected
    for fact in entailed.values(number(graph, subject), EX + "p"):
        assert graph.ask(sparql.ask(graph, fact))
        assert all(graph.has(step.s, step.p, step.o) for step in fact.steps)
        assert entailed.entails(fact.subject, EX + "p", fact.object) is not None
        back = entailed.values(fact.object, EX + "p", inverse=True)
        assert fact.subject in {other.object for other in back}
        if rules is not None:
            assert [step.rule for step in fact.steps] == rules


def test_absence_is_none(tmp_path: Path) -> None:
    """What does not follow is None; unknown properties have no values."""
    entailed = entailment(tmp_path, ":a :p :b . :c :q :d .")
    a, d = number(entailed.graph, "a"), number(entailed.graph, "d")
    assert entailed.entails(a, EX + "p", d) is None
    assert entailed.entails(a, EX + "unknown", d) is None
    assert entailed.values(a, EX + "unknown") == ()
    assert entailed.complete(a, EX + "p")


def test_membership_with_derivation(tmp_path: Path) -> None:
    """Membership follows subclasses and sameAs, and shows the chain."""
    entailed = entailment(tmp_path, ":A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :x a :A . :x owl:sameAs :y .")
    x, y = number(entailed.graph, "x"), number(entailed.graph, "y")
    fact = entailed.member(x, EX + "C")
    assert fact is not None
    assert [step.rule for step in fact.steps] == ["asserted", "subClassOf", "subClassOf"]
    assert entailed.member(y, EX + "B") is not None
    assert entailed.member(x, EX + "D") is None
    assert {entailed.graph.iri(f.object) for f in entailed.types(x)} == {EX + "A", EX + "B", EX + "C"}
    assert {f.object for f in entailed.values(number(entailed.graph, "C"), TYPE, inverse=True)} == {x, y}
    assert entailed.same(y) == (y, x)
    assert entailed.entails(x, TYPE, number(entailed.graph, "B")) is not None


def test_a_limit_is_reported_and_never_taken_for_absence(tmp_path: Path) -> None:
    """Past its limit a closure says that it is incomplete."""
    links = " ".join(f":n{k} :p :n{k + 1} ." for k in range(300))
    graph = graph_of_text(tmp_path, ":p a owl:TransitiveProperty . " + links)
    entailed = Entailment(graph, Schema.of(graph), limit=50)
    first = number(graph, "n0")
    assert not entailed.complete(first, EX + "p")
    with pytest.raises(LimitExceeded, match="cut"):
        entailed.entails(first, EX + "p", number(graph, "n300"))
    full = Entailment(graph, Schema.of(graph))
    assert full.complete(first, EX + "p")
    assert len(full.values(first, EX + "p")) == 300


def test_descriptions(tmp_path: Path) -> None:
    """A plain fact is its triple; a derived one names what it follows from."""
    entailed = entailment(tmp_path, ":q rdfs:subPropertyOf :p . :a :q :b .")
    graph = entailed.graph
    (plain,) = entailed.values(number(graph, "a"), EX + "q")
    (derived,) = entailed.values(number(graph, "a"), EX + "p")
    (turned,) = entailed.values(number(graph, "b"), EX + "q", inverse=True)
    assert entailed.describe(plain) == entailed.describe(turned) == f"<{EX}a> <{EX}q> <{EX}b> ."
    assert entailed.describe(derived).startswith(f"<{EX}a> <{EX}p> <{EX}b> . <= <{EX}a> <{EX}q> <{EX}b> . [asserted]; ")
    assert sparql.ask(graph, plain) == f"ASK {{ <{EX}a> <{EX}q> <{EX}b> . }}"
    assert entailed.trust(derived) == "curated"
    assert entailed.origins(derived)[0].file.endswith("graph.ttl")


def test_hostile_literals_stay_literals_in_queries(tmp_path: Path) -> None:
    """A literal that looks like SPARQL does not change the query."""
    entailed = entailment(tmp_path, r""":a :p "x\" . } UNION { ?s ?p ?o } #" .""")
    (fact,) = entailed.values(number(entailed.graph, "a"), EX + "p")
    query = sparql.ask(entailed.graph, fact)
    assert entailed.graph.ask(query)
    other = graph_of_text(tmp_path, ":a :p 'harmless' .")
    assert not other.ask(query)


AXIOMS = [
    ":p1 rdfs:subPropertyOf :p0 .",
    ":p0 rdfs:subPropertyOf :p1 .",
    ":p2 rdfs:subPropertyOf :p1 .",
    ":p2 owl:inverseOf :p0 .",
    ":p0 owl:inverseOf :p0 .",
    ":p1 owl:equivalentProperty :p2 .",
    ":p0 a owl:SymmetricProperty .",
    ":p2 a owl:SymmetricProperty .",
    ":p0 a owl:TransitiveProperty .",
    ":p1 a owl:TransitiveProperty .",
    ":p0 owl:propertyChainAxiom (:p1 :p2) .",
    ":p2 owl:propertyChainAxiom (:p2 :p0) .",
    ":p1 owl:propertyChainAxiom (:p0 :p0 :p2) .",
    ":n0 owl:sameAs :n1 .",
    ":n2 owl:sameAs :n1 .",
]


def reference(turtle: str) -> set[tuple[str, str, str]]:
    """The triples over :p0, :p1 and :p2 in the OWL RL closure by owlrl."""
    import owlrl  # type: ignore[import-untyped]
    import rdflib

    graph = rdflib.Graph()
    graph.parse(data=PREFIXES + turtle, format="turtle")
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    properties = {EX + name for name in ("p0", "p1", "p2")}
    return {(str(s), str(p), str(o)) for s, p, o in graph if str(p) in properties}


@settings(max_examples=25, deadline=None)
@given(
    st.sets(st.sampled_from(AXIOMS), max_size=5),
    st.sets(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=6),
)
def test_closure_agrees_with_the_reference(axioms: set[str], triples: set[tuple[int, int, int]]) -> None:
    """On random graphs exactly the facts of the OWL RL closure are entailed, in both directions, with sound steps."""
    turtle = " ".join(sorted(axioms)) + " ".join(f" :n{s} :p{p} :n{o} ." for s, p, o in sorted(triples))
    with tempfile.TemporaryDirectory() as folder:
        entailed = entailment(Path(folder), turtle)
    graph = entailed.graph
    nodes = [n for k in range(5) if (n := graph.id(f"{EX}n{k}")) is not None]
    forward, backward, asked = set(), set(), set()
    for node in nodes:
        for iri in (EX + "p0", EX + "p1", EX + "p2"):
            for fact in entailed.values(node, iri):
                forward.add((graph.iri(node), iri, graph.iri(fact.object)))
                assert all(graph.has(step.s, step.p, step.o) for step in fact.steps)
            for other in nodes:
                found = entailed.entails(node, iri, other)
                if found is not None:
                    asked.add((graph.iri(node), iri, graph.iri(other)))
                    assert all(graph.has(step.s, step.p, step.o) for step in found.steps)
            backward |= {(graph.iri(f.object), iri, graph.iri(node)) for f in entailed.values(node, iri, inverse=True)}
    assert forward == backward == asked == reference(turtle)


CLASS_AXIOMS = [
    ":A rdfs:subClassOf :B .",
    ":B rdfs:subClassOf :C .",
    ":C rdfs:subClassOf :A .",
    ":B owl:equivalentClass :D .",
    ":C rdfs:subClassOf [ owl:unionOf (:D :A) ] .",
    ":D owl:intersectionOf (:A :C) .",
    ":n0 owl:sameAs :n1 .",
]


@settings(max_examples=25, deadline=None)
@given(
    st.sets(st.sampled_from(CLASS_AXIOMS), max_size=4),
    st.sets(st.tuples(st.integers(0, 2), st.sampled_from("ABCD")), min_size=1, max_size=4),
)
def test_membership_is_the_same_however_it_is_asked(axioms: set[str], types: set[tuple[int, str]]) -> None:
    """The short way to one class and the way to all classes agree, and both rest on what the graph says."""
    turtle = " ".join(sorted(axioms)) + " ".join(f" :n{n} a :{c} ." for n, c in sorted(types))
    with tempfile.TemporaryDirectory() as folder:
        entailed = entailment(Path(folder), turtle)
    graph = entailed.graph
    for node in (n for k in range(3) if (n := graph.id(f"{EX}n{k}")) is not None):
        every = {graph.iri(fact.object): fact for fact in entailed.types(node)}
        for name in "ABCDE":
            fact = entailed.member(node, EX + name)
            assert (fact is None) == (EX + name not in every)
            if fact is not None:
                assert fact == every[EX + name]
                assert all(graph.has(step.s, step.p, step.o) for step in fact.steps)


def test_facts_of_some_trust(tmp_path: Path) -> None:
    """Only facts whose class is among those asked for are left, also where all of the graph is of one class."""
    (tmp_path / "good.nt").write_text(f"<{EX}a> <{EX}p> <{EX}b> .\n", encoding="utf-8")
    (tmp_path / "guess.nt").write_text(f"<{EX}a> <{EX}p> <{EX}c> .\n", encoding="utf-8")
    files = [GraphFile(tmp_path / "good.nt"), GraphFile(tmp_path / "guess.nt", trust="model")]
    graph = Graph.load(files, cache_dir=tmp_path)
    entailed = Entailment(graph, Schema.of(graph))
    found = entailed.values(number(graph, "a"), EX + "p")

    def left(*classes: str) -> set[str]:
        return {graph.iri(fact.object).removeprefix(EX) for fact in entailed.trusted(found, classes)}

    assert left("curated") == left("curated", "derived") == {"b"}
    assert left("model") == {"c"}
    assert left("curated", "derived", "model") == {"b", "c"}
    only = Graph.load(files[:1], cache_dir=tmp_path)
    entailed = Entailment(only, Schema.of(only))
    found = entailed.values(number(only, "a"), EX + "p")
    assert len(entailed.trusted(found, ("curated",))) == 1
    assert entailed.trusted(found, ("model",)) == []
