"""``sh:rule`` materialised, each triple with its rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import made

from imprimatur.errors import KnowledgeBaseError, LimitExceeded
from imprimatur.sources.shacl.facts import read_facts, text_of
from imprimatur.sources.shacl.rules import Derived, materialise
from imprimatur.sources.shacl.view import Term

DATA = ":a a :Square ; :side 4 ; :beside :b . :b a :Square ; :beside :c . :c :beside :d ."
RULES = {
    "a constant": (
        "sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :kind ; sh:object :Shape ; rdfs:label 'k' ]",
        {"a kind Shape", "b kind Shape"},
    ),
    "a path": (
        "sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :width ; sh:object [ sh:path :side ] ]",
        {'a width "4"^^<http://www.w3.org/2001/XMLSchema#integer>'},
    ),
    "a condition": (
        "sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :kind ; sh:object :Sized ; "
        "sh:condition [ sh:property [ sh:path :side ; sh:minCount 1 ] ] ]",
        {"a kind Sized"},
    ),
    "a query": (
        "sh:rule [ a sh:SPARQLRule ; sh:construct "
        "'PREFIX : <http://e/> CONSTRUCT { ?x :neighbour $this } { $this :beside ?x }' ]",
        {"b neighbour a", "c neighbour b"},
    ),
    "two rules in order": (
        "sh:rule [ a sh:TripleRule ; sh:order 1 ; sh:subject sh:this ; sh:predicate :kind ; sh:object :Shape ] , "
        "[ a sh:SPARQLRule ; sh:order 2 ; sh:construct "
        "'PREFIX : <http://e/> CONSTRUCT { $this :known true } { $this :kind :Shape }' ]",
        {"a kind Shape", "b kind Shape"}
        | {f'{x} known "true"^^<http://www.w3.org/2001/XMLSchema#boolean>' for x in "ab"},
    ),
    "a rule that is off": ("sh:rule [ sh:deactivated true ; sh:subject 1 ]", set()),
    "no rule": ("sh:nodeKind sh:IRI", set()),
}


def _derived(folder: Path, rule: str) -> tuple[Derived, ...]:
    shapes = made(folder, DATA, f":S a sh:NodeShape ; sh:targetClass :Square ; {rule} .", engine="pyshacl")
    return materialise(shapes.graph, read_facts([folder / "shapes.ttl"]))


def _short(term: Term) -> str:
    return term.removeprefix("http://e/") if isinstance(term, str) else text_of(term)


@pytest.mark.parametrize("name", RULES)
def test_rules(name: str, tmp_path: Path) -> None:
    """Each rule adds its triples, and says that it did."""
    rule, expected = RULES[name]
    found = _derived(tmp_path, rule)
    assert {" ".join(map(_short, (each.subject, each.predicate, each.object))) for each in found} == expected
    assert {each.rule for each in found} <= ({"k"} if "'k'" in rule else {"http://e/S rule 1", "http://e/S rule 2"})


BAD = {
    "needs one sh:object": "sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :p ]",
    "is no term and no path": "sh:rule [ sh:subject sh:this ; sh:predicate :p ; sh:object [ sh:union ( 1 2 ) ] ]",
    "bad SPARQL": "sh:rule [ a sh:SPARQLRule ; sh:construct 'CONSTRUCT what' ]",
    "no CONSTRUCT": "sh:rule [ a sh:SPARQLRule ; sh:construct 'SELECT * { $this ?p ?o }' ]",
}


@pytest.mark.parametrize("said", BAD)
def test_a_rule_that_cannot_be_run_is_an_error(said: str, tmp_path: Path) -> None:
    """It is never left out silently."""
    with pytest.raises(KnowledgeBaseError, match=said):
        _derived(tmp_path, BAD[said])


def test_rules_end(tmp_path: Path) -> None:
    """A rule that adds something new each time is stopped."""
    rule = (
        "sh:rule [ a sh:SPARQLRule ; sh:construct 'PREFIX : <http://e/> "
        "CONSTRUCT { $this :n ?next } { OPTIONAL { $this :n ?m } BIND (COALESCE(?m, 0) + 1 AS ?next) }' ]"
    )
    with pytest.raises(LimitExceeded, match="without end"):
        _derived(tmp_path, rule)
