"""The door to the compiled shapes: terms as they are given, standing violations, ways, and the mixture with pySHACL."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from small import broken, claim, found, made

from imprimatur.errors import InputError

DATA = ":a :p 5 ; :q :b . :c :p -1 ."
SHAPES = """
:Low a sh:NodeShape ; sh:targetSubjectsOf :p ; sh:property [ sh:path :p ; sh:minInclusive 0 ] .
:Odd a sh:NodeShape ; sh:targetSubjectsOf :q ; sh:strange 1 ; sh:property [ sh:path :q ; sh:maxCount 1 ] .
"""
MINUS = '"-1"^^<http://www.w3.org/2001/XMLSchema#integer>'


def test_terms_in_any_form(tmp_path: Path) -> None:
    """N-Triples text, pyoxigraph terms and the graph's identifiers mean the same."""
    shapes = made(tmp_path, DATA, SHAPES)
    graph = shapes.graph
    written = claim("c", "p", MINUS)
    numbers = next((s, p, o) for s, p, o in graph.triples() if graph.iri(s) == "http://e/c")
    terms = (ox.NamedNode("http://e/c"), ox.NamedNode("http://e/p"), ox.Literal(-1))
    assert shapes.judge([written]) == shapes.judge([numbers]) == shapes.judge([terms]) != ()
    assert (
        made(tmp_path, DATA, SHAPES, engine="pyshacl").judge([numbers])[0].component
        == shapes.judge([numbers])[0].component
    )
    for bad in ("c", '"x', "<no-iri>", "<< :a :b :c >>"):
        with pytest.raises(InputError):
            shapes.judge([(bad, "<http://e/p>", MINUS)])


def test_ways_and_the_mixture(tmp_path: Path) -> None:
    """A shape with an unknown constraint goes to pySHACL; what both find is put together."""
    shapes = made(tmp_path, DATA, SHAPES)
    assert [(way.label, way.way, way.reason) for way in shapes.ways()] == [
        ("Low", "compiled", ""),
        ("Odd", "fallback", "sh:strange is not known"),
    ]
    assert sorted(broken(shapes, claim("a", "q", "d"), claim("a", "p", MINUS))) == ["MaxCount", "MinInclusive"]
    assert found(shapes) == {("c", "MinInclusive", MINUS)} == found(made(tmp_path, DATA, SHAPES, engine="pyshacl"))


def test_standing_violations_are_remembered_and_new_terms_forgotten(tmp_path: Path) -> None:
    """The same answer again, and no identifiers left over from claims."""
    shapes = made(tmp_path, DATA, SHAPES.split(":Odd")[0])
    first = [broken(shapes, claim("c", "p", MINUS)) for _ in range(2)]
    assert first == [["MinInclusive"], ["MinInclusive"]]
    engine = shapes._compiled().engine
    before = engine.terms.number("http://e/one")
    for number in range(50):
        assert broken(shapes, claim("z", "p", f'"-{number + 1}"^^<http://www.w3.org/2001/XMLSchema#decimal>'))
    assert engine.terms.number("http://e/two") == before + 1


def test_the_report_is_turtle(tmp_path: Path) -> None:
    """The W3C report can be read back, with its paths."""
    path = "sh:path ( :q [ sh:inversePath :r ] )"
    shape = f":S sh:targetNode :a ; sh:property [ {path} ; sh:minCount 1 ; sh:message 'no \"x\"' ] ."
    report = made(tmp_path, DATA, shape).check_graph().report
    quads = list(ox.parse(report.encode(), format=ox.RdfFormat.TURTLE))
    sh = "http://www.w3.org/ns/shacl#"
    kinds = {quad.predicate.value.removeprefix(sh) for quad in quads}
    assert {"conforms", "result", "focusNode", "resultPath", "resultSeverity", "inversePath", "sourceShape"} <= kinds
