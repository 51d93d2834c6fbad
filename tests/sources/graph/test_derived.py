"""Graphs with what rules add: origin, trust, caching, and claims from which more follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.shapes import Shapes
from imprimatur.sources.graph.store import Graph, GraphFile

HEAD = """@prefix : <http://e/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
UNCLE = (
    "[ a sh:SPARQLRule ; rdfs:label 'uncles' ; sh:construct 'PREFIX : <http://e/> "
    "CONSTRUCT { $this :uncle ?u } WHERE { $this :parent/:brother ?u }' ]"
)
KIN = (
    "[ a sh:TripleRule ; rdfs:label 'kin' ; sh:order 1 ; "
    "sh:subject sh:this ; sh:predicate :kin ; sh:object [ sh:path :uncle ] ]"
)
SHAPES = f"""
:Child a sh:NodeShape ; sh:targetSubjectsOf :parent ; sh:rule {UNCLE} , {KIN} .
:Small a sh:NodeShape ; sh:targetSubjectsOf :kin ; sh:property [ sh:path :kin ; sh:maxCount 1 ] .
"""
DATA = ":a :parent :b . :b :brother :c . :x :parent :y . :p :parent :q ."


def _made(folder: Path, data: str = DATA, shapes: str = SHAPES, more: str = "") -> Graph:
    files = []
    for name, role, trust, text in (
        ("data.ttl", "data", "curated", data),
        ("more.ttl", "data", "model", more),
        ("shapes.ttl", "shapes", "curated", shapes),
    ):
        if text:
            (folder / name).write_text(HEAD + text, encoding="utf-8")
            files.append(GraphFile(folder / name, role, trust))
    return Graph.load(files, cache_dir=folder / "cache")


def _facts(graph: Graph, subject: str, predicate: str) -> dict[str, tuple[str, str]]:
    """Value, and (origin, trust) of the fact."""
    entailment = Entailment(graph, Schema.of(graph))
    number = graph.id(f"http://e/{subject}")
    assert number is not None
    return {
        graph.iri(fact.object)[9:]: (str(entailment.origins(fact)[0]), entailment.trust(fact))
        for fact in entailment.values(number, f"http://e/{predicate}")
    }


def _broken(graph: Graph, folder: Path, *claims: tuple[str, str, str]) -> list[tuple[int, str, str]]:
    shapes = Shapes.load(graph, [folder / "shapes.ttl"])
    written = [[(f"<http://e/{s}>", f"<http://e/{p}>", f"<http://e/{o}>")] for s, p, o in claims]
    return [(n, v.focus[10:-1], v.component) for n, v in shapes.joint(written)]


def test_what_rules_add_is_in_the_graph_with_its_rule_as_origin(tmp_path: Path) -> None:
    """A rule uses what another one has added; the second load comes from the cache and says the same."""
    for _ in range(2):
        graph = _made(tmp_path)
        assert _facts(graph, "a", "uncle") == {"c": ("shapes.ttl (rule: uncles)", "derived")}
        assert _facts(graph, "a", "kin") == {"c": ("shapes.ttl (rule: kin)", "derived")}
        assert _facts(graph, "b", "brother") == {"c": ("data.ttl", "curated")}
        assert graph.statistics.derived == 2
    assert graph.statistics.from_cache
    plain = _made(tmp_path, shapes=SHAPES.replace("sh:rule", "sh:description"))
    assert plain.statistics.derived == 0
    assert plain.content_hash != graph.content_hash


def test_what_follows_from_less_trusted_triples_is_no_more_trusted(tmp_path: Path) -> None:
    """The trust class is the least without which the triple does not follow."""
    graph = _made(tmp_path, more=":y :brother :z . :a :parent :y . :y :brother :c .")
    assert _facts(graph, "x", "uncle") == {
        "z": ("shapes.ttl (rule: uncles)", "model"),
        "c": ("shapes.ttl (rule: uncles)", "model"),
    }
    assert _facts(graph, "a", "uncle")["c"] == ("shapes.ttl (rule: uncles)", "derived")
    assert _facts(graph, "a", "uncle")["z"] == ("shapes.ttl (rule: uncles)", "model")


def test_a_claim_breaks_what_follows_from_it(tmp_path: Path) -> None:
    """One claim becomes a set of triples; a shape that they break is broken by the claim, stored or not."""
    graph = _made(tmp_path)
    assert _broken(graph, tmp_path, ("b", "brother", "d")) == [(0, "a", "MaxCountConstraintComponent")]
    assert _broken(graph, tmp_path, ("b", "brother", "c")) == []
    assert _broken(graph, tmp_path, ("q", "brother", "d")) == []
    assert _broken(graph, tmp_path, ("q", "brother", "d"), ("q", "brother", "e")) == [
        (1, "p", "MaxCountConstraintComponent")
    ]
    # The later is to blame although each alone is fine, also when the earlier makes the target.
    assert _broken(graph, tmp_path, ("m", "parent", "b"), ("m", "parent", "q"), ("q", "brother", "f")) == [
        (2, "m", "MaxCountConstraintComponent")
    ]


def test_a_stored_claim_breaks_what_follows_from_it(tmp_path: Path) -> None:
    """A fault that stands already and rests on what follows from the claim counts as well."""
    graph = _made(tmp_path, DATA + " :b :brother :d .")
    assert _broken(graph, tmp_path, ("b", "brother", "d")) == [(0, "a", "MaxCountConstraintComponent")]
    assert _broken(graph, tmp_path, ("a", "kin", "d")) == [(0, "a", "MaxCountConstraintComponent")]
    assert _broken(graph, tmp_path, ("x", "parent", "y")) == []


def test_the_whole_graph_is_checked_as_pyshacl_does_with_its_rules(tmp_path: Path) -> None:
    """The same results, from rules run while loading and from rules run by pySHACL."""
    data = DATA + " :b :brother :d . :y :brother :e ."
    ours = Shapes.load(_made(tmp_path, data), [tmp_path / "shapes.ttl"]).check_graph()
    bare = Graph.load([GraphFile(tmp_path / "data.ttl")], cache_dir=tmp_path / "cache")
    theirs = Shapes.load(bare, [tmp_path / "shapes.ttl"], engine="pyshacl").check_graph()
    assert [v.focus for v in ours.violations] == [v.focus for v in theirs.violations] == ["<http://e/a>"]
    assert {way.way for way in Shapes.load(bare, [tmp_path / "shapes.ttl"]).ways()} == {"compiled"}


def test_nodes_that_a_rule_makes(tmp_path: Path) -> None:
    """A rule that makes nodes of its own runs once; the nodes are new in the graph."""
    rule = (
        "[ a sh:SPARQLRule ; sh:construct 'PREFIX : <http://e/> "
        "CONSTRUCT { $this :family [ :head ?b ] } WHERE { $this :parent ?b }' ]"
    )
    graph = _made(tmp_path, shapes=f":S a sh:NodeShape ; sh:targetSubjectsOf :parent ; sh:rule {rule} .")
    family, head = graph.id("http://e/family"), graph.id("http://e/head")
    assert family is not None
    assert head is not None
    made = [o for _, o in graph.pairs(family)]
    assert len(set(made)) == 3
    assert {graph.iri(o) for node in made for o in graph.objects(node, head)} == {f"http://e/{x}" for x in "byq"}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("[ a sh:SPARQLRule ; sh:construct 'CONSTRUCT { ?s ?p ?o } { SERVICE <http://x/> { ?s ?p ?o } }' ]", "SERVICE"),
        ("[ a sh:SPARQLRule ; sh:construct <http://e/q> ]", "is no text"),
        ("[ a sh:JSRule ]", "needs one sh:subject"),
        ("[ sh:subject sh:this ; sh:predicate :p ; sh:object :o ] ; sh:target [ a :Odd ]", "no sh:select"),
        ("[ sh:subject sh:this ; sh:predicate :p ; sh:object :o ] ; sh:target [ sh:select 'ASK {}' ]", "no SELECT"),
    ],
)
def test_a_bad_rule_is_an_error_when_the_graph_is_loaded(rule: str, said: str, tmp_path: Path) -> None:
    """Nothing is left out silently."""
    with pytest.raises(KnowledgeBaseError, match=said):
        _made(tmp_path, shapes=f":S a sh:NodeShape ; sh:targetSubjectsOf :parent ; sh:rule {rule} .")


def test_focus_nodes_by_a_query(tmp_path: Path) -> None:
    """``sh:target`` with a SELECT gives the nodes at which a rule runs, before and after a claim."""
    rule = "[ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :kin ; sh:object :all ]"
    target = "[ a sh:SPARQLTarget ; sh:select 'PREFIX : <http://e/> SELECT ?this { ?this :brother ?other }' ]"
    limit = ":T a sh:NodeShape ; sh:targetSubjectsOf :kin ; sh:property [ sh:path :cousin ; sh:maxCount 0 ] ."
    graph = _made(
        tmp_path, DATA + " :q :cousin :x .", f":S a sh:NodeShape ; sh:target {target} ; sh:rule {rule} . {limit}"
    )
    assert set(_facts(graph, "b", "kin")) == {"all"}
    assert _facts(graph, "a", "kin") == {}
    assert _broken(graph, tmp_path, ("q", "brother", "d")) == [(0, "q", "MaxCountConstraintComponent")]
    assert _broken(graph, tmp_path, ("q", "mother", "d")) == []


def test_only_nodes_that_a_claim_reaches_are_looked_at(tmp_path: Path) -> None:
    """A triple rule with a sequence path is followed backward from the claim, through what stands and what is new."""
    rule = (
        "[ sh:subject sh:this ; sh:predicate :kin ; sh:object [ sh:path ( :parent :brother ) ] ; "
        "sh:condition [ sh:property [ sh:path ( :parent :brother ) ; sh:maxCount 2 ] ] ]"
    )
    limit = ":T a sh:NodeShape ; sh:targetSubjectsOf :kin ; sh:property [ sh:path :kin ; sh:maxCount 1 ] ."
    graph = _made(tmp_path, shapes=f":S a sh:NodeShape ; sh:targetSubjectsOf :parent ; sh:rule {rule} . {limit}")
    assert graph.statistics.derived == 1
    assert _broken(graph, tmp_path, ("b", "brother", "d")) == [(0, "a", "MaxCountConstraintComponent")]
    assert _broken(graph, tmp_path, ("y", "brother", "d")) == []
    assert _broken(graph, tmp_path, ("y", "brother", "d"), ("y", "brother", "e")) == [
        (1, "x", "MaxCountConstraintComponent")
    ]
