"""``sh:sparql`` constraints: what is compiled, what is refused, and comparisons that have no outcome."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import broken, claim, found, made, query

from imprimatur.errors import CheckFailed

ON_P = ":S a sh:NodeShape ; sh:targetSubjectsOf :p ; "
SHAPES = Path(__file__).parents[4] / "shared" / "data" / "licensing-oracle" / "shapes"

COUNTED = "SELECT $this (COUNT(?x) AS ?n) WHERE {{ $this :q ?x{} }} GROUP BY $this"
#: A part of the reason, and the query's patterns.
REFUSED = {
    "without $this": "$this :p ?value { SELECT ?value { ?value :q ?x } }",
    "SELECT * in a sub-query": "{ SELECT * { $this :p ?value } }",
    "variable of its own that is bound": f"$this :p ?x {{ {COUNTED.format('')} }}",
    "computes a variable that is bound before": f"$this :p ?n {{ {COUNTED.format('')} }}",
    "may leave unbound": f"{{ {COUNTED.format('')} }} ?n :q ?z",
    "EXISTS holds a sub-query": f"$this :p ?value FILTER EXISTS {{ {{ {COUNTED.format('')} }} }}",
    "where no aggregate may stand": "$this :p ?value FILTER (COUNT(?value) > 1)",
    "the order of solutions": "$this :p ?y { SELECT $this (SAMPLE(?x) AS ?n) { $this :q ?x } GROUP BY $this }",
    "over a join of sets": "$this :p ?y { SELECT $this (COUNT(?x) AS ?n) WHERE { $this :r ?x "
    "{ $this :q ?x } UNION { $this :r ?x } { ?x :q ?z } UNION { ?x :r ?z } } GROUP BY $this }",
    "does not group by": "$this :p ?y { SELECT $this ?x (COUNT(*) AS ?n) WHERE { $this :q ?x } GROUP BY $this }",
    "MINUS": "$this :p ?value MINUS { ?value :q $this }",
    "VALUES": "$this :p ?value VALUES ?value { :a }",
    "LIMIT": "{ SELECT $this ?value { $this :p ?value } LIMIT 1 }",
    "could start at any node": "$this :p ?value . ?x :q* ?y",
    "undeclared prefix": "$this no:p ?value",
    "NOW": "$this :p ?value FILTER (NOW() > 5)",
    "STRLEN with 2 arguments": "$this :p ?value FILTER (STRLEN(?value, 1) > 5)",
    "again": "OPTIONAL { $this :q ?value } $this :p ?value",
    "outside its group": "$this :q ?x . { $this :p ?value FILTER (?value = ?x) }",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_not_compiled_says_why(reason: str, tmp_path: Path) -> None:
    """A query that is not understood whole makes its shape fall back."""
    (way,) = made(tmp_path, "", ON_P + query(REFUSED[reason]) + " .").ways()
    assert way.way == "fallback"
    assert reason in way.reason


def test_a_comparison_without_outcome_is_not_passed_over(tmp_path: Path) -> None:
    """In plain SPARQL the error would drop the solution, and the shape would seem to hold."""
    shapes = ON_P + query("$this :born ?value . $this :p ?died FILTER (?value > ?died)") + " ."
    data = ':a :born "1769-08-15"^^xsd:date ; :p "1821"^^xsd:gYear . :b :born "long ago" ; :p "1900"^^xsd:gYear .'
    subject = made(tmp_path, data, shapes)
    assert broken(subject, claim("a", "p", '"1700"^^<http://www.w3.org/2001/XMLSchema#gYear>')) == ["SPARQL"]
    with pytest.raises(CheckFailed, match="1769-08-15 and soon have no order"):
        subject.judge([claim("a", "p", '"soon"')])
    with pytest.raises(CheckFailed, match="long ago"):
        subject.judge([claim("b", "p", '"1900"^^<http://www.w3.org/2001/XMLSchema#gYear>')])
    assert broken(subject, claim("a", "q", "b")) == []
    check = subject.check_graph()
    assert check.conforms
    assert check.undecided == ("http://e/b: long ago and 1900 have no order",)
    assert "undecided: " in check.words()


def test_errors_that_do_not_matter_do_not_count(tmp_path: Path) -> None:
    """``true || error`` is true, and an unbound variable is ordinary."""
    shapes = ON_P + query("$this :p ?value OPTIONAL { $this :q ?x } FILTER (?value = :b || ?x < 5)") + " ."
    subject = made(tmp_path, ":a :p :b , :c .", shapes)
    assert found(subject) == {("a", "SPARQL", "<http://e/b>")}
    assert subject.check_graph().undecided == ()


MEN = """
@prefix b: <http://worldmind.ai/battles#> . @prefix c: <http://worldmind.ai/core#> .
@prefix r: <http://worldmind.ai/rivers#> . @prefix v: <http://worldmind.ai/rivers-v4#> .
@prefix dbr: <http://dbpedia.org/resource/> .
b:waterloo b:occurredOn "1815-06-18"^^xsd:date ; b:hasCombatant b:france , b:prussia .
b:napoleon b:hasTemporalExtent b:lifeN ; b:hasNationality b:france .
b:lifeN b:start "1769"^^xsd:gYear ; b:end "1821"^^xsd:gYear .
b:caesar b:hasTemporalExtent b:lifeC ; b:hasNationality b:rome .
b:lifeC b:start "-0100"^^xsd:gYear ; b:end "-0044"^^xsd:gYear .
b:unknown b:hasTemporalExtent b:lifeU . b:lifeU b:start "1815"^^xsd:gYear ; b:end "1890"^^xsd:gYear .
c:plato c:hasTemporalExtent c:lifeP . c:lifeP c:start "-0428"^^xsd:gYear ; c:end "-0348"^^xsd:gYear .
c:kant c:hasTemporalExtent c:lifeK . c:lifeK c:start "1724"^^xsd:gYear ; c:end "1804"^^xsd:gYear .
c:hume c:hasTemporalExtent c:lifeH . c:lifeH c:start "1711"^^xsd:gYear ; c:end "1776"^^xsd:gYear .
r:ohio a r:River . r:lake a r:Lake . r:tiny a r:River .
v:ohio a v:River ; v:sourceElevation 300.0 . v:creek a v:River . v:texas a v:State .
"""
_GRAPHS = {"b": "battles#", "c": "core#", "r": "rivers#", "v": "rivers-v4#"}
#: The file, the claim, and what it breaks; "?" where a comparison has no outcome.
PAPER: tuple[tuple[str, str, list[str]], ...] = (
    ("battles", "b:waterloo b:hasCommander b:napoleon", []),
    ("battles", "b:waterloo b:hasCommander b:caesar", ["SPARQL", "SPARQL"]),
    ("battles", "b:waterloo b:hasCommander b:unknown", ["?"]),
    ("philosophers", "c:kant c:influencedBy c:hume", []),
    ("philosophers", "c:kant c:influencedBy c:plato", ["SPARQL"]),
    ("rivers-v3", "r:ohio r:hasTributary r:tiny", []),
    ("rivers-v3", "r:ohio r:hasTributary r:lake", ["HasValue"]),
    ("rivers-v3", 'r:ohio r:length "long"', ["Datatype"]),
    ("rivers-v3", "r:ohio r:inCountry <http://dbpedia.org/resource/United_States>", ["SPARQL"]),
    ("rivers-v4", "v:ohio v:mouthElevation 88.0", []),
    ("rivers-v4", "v:ohio v:mouthElevation 400.0", ["SPARQL"]),
    ("rivers-v4", "v:ohio v:length -3", ["SPARQL"]),
    ("rivers-v4", "v:ohio v:hasTributary v:texas", ["SPARQL"]),
    ("rivers-v4", "v:ohio v:traverses v:texas", ["SPARQL"]),
)


def _written(text: str) -> tuple[object, object, object]:
    parts = []
    for part in text.split(" "):
        prefix, _, name = part.partition(":")
        if prefix in _GRAPHS and name:
            parts.append(f"<http://worldmind.ai/{_GRAPHS[prefix]}{name}>")
        elif part[0] in '"<':
            parts.append(part)
        else:
            kind = "decimal" if "." in part else "integer"
            parts.append(f'"{part}"^^<http://www.w3.org/2001/XMLSchema#{kind}>')
    return parts[0], parts[1], parts[2]


@pytest.mark.skipif(not SHAPES.is_dir(), reason="the paper's shapes are not beside the repository")
@pytest.mark.parametrize(("file", "text", "expected"), PAPER)
def test_the_papers_shapes(file: str, text: str, expected: list[str], tmp_path: Path) -> None:
    """They load unchanged, are compiled, and judge claims over a small graph with the facts that these need."""
    shapes = (SHAPES / f"{file}.shacl.ttl").read_text(encoding="utf-8")
    subject = made(tmp_path, MEN, shapes)
    assert {way.way for way in subject.ways()} == {"compiled"}
    if expected == ["?"]:
        with pytest.raises(CheckFailed, match="1815-06-18 and 1815 have no order"):
            subject.judge([_written(text)])
    else:
        assert broken(subject, _written(text)) == expected
