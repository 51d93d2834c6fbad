"""``Shapes``: which constraints does a claim break, and does the graph keep its own?"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprimatur.errors import InputError, KnowledgeBaseError, LimitExceeded
from imprimatur.sources.graph.shapes import Shapes, Triple, Violation
from imprimatur.sources.graph.store import Graph, GraphFile

PREFIXES = """
@prefix : <http://e/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
DECIMAL = "^^<http://www.w3.org/2001/XMLSchema#decimal>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def made(tmp_path: Path, data: str, shapes: str) -> Shapes:
    """Shapes over a graph, both given in Turtle."""
    (tmp_path / "data.ttl").write_text(PREFIXES + data)
    (tmp_path / "shapes.ttl").write_text(PREFIXES + shapes)
    graph = Graph.load([GraphFile(tmp_path / "data.ttl")], cache_dir=tmp_path / "cache")
    return Shapes.load(graph, [tmp_path / "shapes.ttl"])


def triple(text: str) -> Triple:
    """A triple from words: ``a p b`` or ``a p 5`` or ``a a C``."""
    s, p, o = text.split(" ", 2)
    object_ = f'"{o}"{DECIMAL}' if o.lstrip("-").isdigit() else o if o.startswith('"') else f"<http://e/{o}>"
    return f"<http://e/{s}>", TYPE if p == "a" else f"<http://e/{p}>", object_


def broken(shapes: Shapes, *claim: str) -> list[tuple[str, str, bool]]:
    """(focus, component, conflict) of a claim's violations."""
    found = shapes.judge([triple(each) for each in claim])
    kinds = [(v.focus.removeprefix("<http://e/").rstrip(">"), v.component, v.conflict) for v in found]
    return sorted(
        (focus, component.removesuffix("ConstraintComponent"), conflict) for focus, component, conflict in kinds
    )


RIVERS = """
:River rdfs:subClassOf :Water . :Lake rdfs:subClassOf :Water ; owl:disjointWith :River .
:rhine a :River ; rdfs:label "Rhine" ; :length 1230.0 ; :source 2345.0 ; :feeds :sea .
:aare a :River ; :length -5.0 ; :feeds :rhine .
:sea a :Water . :como a :Lake . :nowhere :feeds :rhine .
"""
LENGTH = ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :length ; sh:minExclusive 0 ] ."

# Each: shapes, data, claim, what is broken.
PLANTED = {
    "a new value out of range": (LENGTH, RIVERS, "rhine length -7", [("rhine", "MinExclusive", True)]),
    "a value within range": (LENGTH, RIVERS, "rhine length 7", []),
    "a standing value out of range": (LENGTH, RIVERS, 'aare length "-5.0"' + DECIMAL, [("aare", "MinExclusive", True)]),
    "another fault of the same subject": (LENGTH, RIVERS, "aare feeds sea", []),
    "a type that makes a target": (LENGTH, RIVERS + ":x :length -1 .", "x a River", [("x", "MinExclusive", True)]),
    "a subclass that makes targets": (
        LENGTH.replace(":River", ":Wet"),
        RIVERS.replace(":River rdfs", ":Z rdfs"),
        "nil nil nil",
        [],
    ),
    "a superclass that makes targets": (
        LENGTH.replace(":River", ":Wet"),
        RIVERS,
        "River http://www.w3.org/2000/01/rdf-schema#subClassOf Wet",
        [("aare", "MinExclusive", True)],
    ),
    "a value of the wrong class, for lack of the type": (
        ":S a sh:NodeShape ; sh:targetObjectsOf :feeds ; sh:class :Water .",
        RIVERS,
        "rhine feeds nowhere",
        [("nowhere", "Class", False)],
    ),
    "a value of a disjoint class": (
        ":S a sh:NodeShape ; sh:targetSubjectsOf :tributary ; sh:property [ sh:path :tributary ; sh:class :River ] .",
        RIVERS,
        "rhine tributary como",
        [("rhine", "Class", True)],
    ),
    "a value of the right class by a subclass": (
        ":S a sh:NodeShape ; sh:targetObjectsOf :feeds ; sh:class :Water .",
        RIVERS,
        "rhine feeds como",
        [],
    ),
    "a datatype": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :length ; sh:datatype xsd:decimal ] .",
        RIVERS,
        'rhine length "long"',
        [("rhine", "Datatype", True)],
    ),
    "a second value": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :length ; sh:maxCount 1 ] .",
        RIVERS,
        "rhine length 8",
        [("rhine", "MaxCount", True)],
    ),
    "a third value, where two are stored": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :length ; sh:maxCount 1 ] .",
        RIVERS + ":rhine :length 1.0 .",
        "rhine length 8",
        [("rhine", "MaxCount", True)],
    ),
    "the same value again": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :length ; sh:maxCount 1 ] .",
        RIVERS,
        'rhine length "1230.0"' + DECIMAL,
        [],
    ),
    "a pair": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :mouth ; sh:lessThan :source ] .",
        RIVERS,
        "rhine mouth 3000",
        [("rhine", "LessThan", True)],
    ),
    "a pair, from the other side": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :mouth ; sh:lessThan :source ] .",
        RIVERS + ":rhine :mouth 5.0 .",
        "rhine source 2",
        [("rhine", "LessThan", True)],
    ),
    "an inverse path": (
        ":S sh:targetNode :rhine ; sh:property [ sh:path [ sh:inversePath :feeds ] ; sh:maxCount 2 ] .",
        RIVERS,
        "como feeds rhine",
        [("rhine", "MaxCount", True)],
    ),
    "a sequence path": (
        ":S a sh:NodeShape ; sh:targetNode :aare ; sh:property [ sh:path ( :feeds :source ) ; sh:maxInclusive 9000 ] .",
        RIVERS,
        "rhine source 9999",
        [("aare", "MaxInclusive", True)],
    ),
    "a repeated path": (
        ":S a sh:NodeShape ; sh:targetNode :aare ; sh:property "
        "[ sh:path [ sh:oneOrMorePath :feeds ] ; sh:not [ sh:hasValue :aare ] ] .",
        RIVERS,
        "sea feeds aare",
        [("aare", "Not", True)],
    ),
    "a closed shape": (
        ":S a sh:NodeShape ; sh:targetNode :sea ; sh:closed true ; sh:ignoredProperties ( rdfs:label "
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ) .",
        RIVERS,
        "sea salty 3",
        [("sea", "Closed", True)],
    ),
    "a missing value": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :length ; sh:minCount 1 ] .",
        RIVERS,
        "neckar a River",
        [("neckar", "MinCount", False)],
    ),
    "a missing value that a claim does not touch": (
        ":S a sh:NodeShape ; sh:targetNode :sea ; sh:property [ sh:path :length ; sh:minCount 1 ] .",
        RIVERS,
        "sea depth 5",
        [],
    ),
    "NOT EXISTS over what is missing": (
        ':S a sh:NodeShape ; sh:targetSubjectsOf :tributary ; sh:sparql [ sh:select """PREFIX : <http://e/> '
        'SELECT $this ?value { $this :tributary ?value FILTER NOT EXISTS { ?value a :River } }""" ] .',
        RIVERS,
        "rhine tributary como",
        [("rhine", "SPARQL", False)],
    ),
    "a query": (
        ':S a sh:NodeShape ; sh:targetClass :River ; sh:sparql [ sh:select """PREFIX : <http://e/> '
        'SELECT $this { $this :feeds ?x . ?x :source ?high . $this :source ?low FILTER (?low < ?high) }""" ] .',
        RIVERS,
        "aare source 2000",
        [("aare", "SPARQL", True)],
    ),
    "a query, from its far end": (
        ':S a sh:NodeShape ; sh:targetClass :River ; sh:sparql [ sh:select """PREFIX : <http://e/> '
        'SELECT $this { $this :feeds ?x . ?x :source ?high . $this :source ?low FILTER (?low < ?high) }""" ] .',
        RIVERS + ":aare :source 2400.0 .",
        "rhine source 2500",
        [("aare", "SPARQL", True)],
    ),
    "one of two solutions of a query": (
        ':S a sh:NodeShape ; sh:targetClass :River ; sh:sparql [ sh:select """PREFIX : <http://e/> '
        'SELECT $this { $this :length ?x FILTER (?x <= 0) }""" ] .',
        RIVERS,
        "aare length -6",
        [("aare", "SPARQL", True)],
    ),
    "a nested shape": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :feeds ; sh:node :Clean ] . "
        ":Clean a sh:NodeShape ; sh:property [ sh:path :dirt ; sh:maxExclusive 5 ] .",
        RIVERS,
        "sea dirt 6",
        [("rhine", "Node", True)],
    ),
    "a nested property, unrelated to the claim": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :feeds ; sh:property "
        "[ sh:path :dirt ; sh:maxExclusive 5 ] ] .",
        RIVERS + ":rhine :dirt 9 .",
        "aare length 3",
        [],
    ),
    "a nested property at another node": (
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :feeds ; sh:property "
        "[ sh:path :dirt ; sh:maxExclusive 5 ] ] .",
        RIVERS,
        "sea dirt 9",
        [("sea", "MaxExclusive", True)],
    ),
    "none of several": (
        ":S a sh:NodeShape ; sh:targetObjectsOf :feeds ; sh:or ( [ sh:class :Water ] [ sh:class :Swamp ] ) .",
        RIVERS,
        "rhine feeds nowhere",
        [("nowhere", "Or", False)],
    ),
    "too many of a kind": (
        ":S a sh:NodeShape ; sh:targetNode :sea ; sh:property [ sh:path :fedBy ; sh:qualifiedMaxCount 0 ; "
        "sh:qualifiedValueShape [ sh:class :Lake ] ] .",
        RIVERS,
        "sea fedBy como",
        [("sea", "QualifiedMaxCount", True)],
    ),
    "a new target by its value, among several claims of the target": (
        ":S a sh:NodeShape ; sh:targetSubjectsOf :feeds ; sh:class :River .",
        RIVERS,
        "nowhere feeds sea",
        [("nowhere", "Class", False)],
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_violations(name: str, tmp_path: Path) -> None:
    """A claim is blamed for exactly the violations that rest on it, new or standing."""
    shapes, data, claim, expected = PLANTED[name]
    parts = claim.split(" ")
    subject = made(tmp_path, data, shapes)
    if parts[1].startswith("http"):
        found = subject.judge([(f"<http://e/{parts[0]}>", f"<{parts[1]}>", f"<http://e/{parts[2]}>")])
        kinds = [(v.focus[10:-1], v.component.removesuffix("ConstraintComponent"), v.conflict) for v in found]
        assert kinds == expected
    else:
        assert broken(subject, claim) == expected


def test_a_violation_reads_in_plain_words(tmp_path: Path) -> None:
    """The message names the entity, the property, the limit and what was found."""
    (violation,) = made(tmp_path, RIVERS, LENGTH).judge([triple("rhine length -7")])
    assert violation.message == "Rhine: length must be greater than 0 (found: -7)"
    assert violation.path == "http://e/length"
    assert violation.value == '"-7"' + DECIMAL
    assert violation.shape.startswith("http://e/S/")


def test_severity(tmp_path: Path) -> None:
    """Only sh:Violation blocks; a warning is reported."""
    shapes = LENGTH.replace("sh:minExclusive 0", "sh:minExclusive 0 ; sh:severity sh:Warning")
    (violation,) = made(tmp_path, RIVERS, shapes).judge([triple("rhine length -7")])
    assert violation.severity == "Warning"
    assert not violation.blocks


def test_terms_may_be_pyoxigraph_terms(tmp_path: Path) -> None:
    """A claim's terms are N-Triples text or pyoxigraph terms."""
    subject = made(tmp_path, RIVERS, LENGTH)
    claim = (ox.NamedNode("http://e/rhine"), ox.NamedNode("http://e/length"), ox.Literal(-7))
    assert len(subject.judge([claim])) == 1
    with pytest.raises(InputError, match="no N-Triples term"):
        subject.judge([("rhine", "<http://e/length>", '"1"')])


def test_joint_blames_the_later_claim(tmp_path: Path) -> None:
    """Two claims that are fine alone and impossible together: the later one is to blame."""
    shapes = ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :mouth ; sh:lessThan :source ] ."
    subject = made(tmp_path, RIVERS, shapes)
    low, high = [triple("aare source 10")], [triple("aare mouth 20")]
    assert subject.judge(low) == () == subject.judge(high)
    assert [number for number, _ in subject.joint([low, high])] == [1]
    assert [number for number, _ in subject.joint([high, [triple("rhine length 4")], low])] == [2]
    assert subject.joint([]) == ()


def test_joint_lets_an_earlier_claim_supply_what_a_later_one_needs(tmp_path: Path) -> None:
    """A violation by absence is mended by another claim of the answer."""
    shapes = ":S a sh:NodeShape ; sh:targetClass :River ; sh:property [ sh:path :length ; sh:minCount 1 ] ."
    subject = made(tmp_path, RIVERS, shapes)
    assert [number for number, _ in subject.joint([[triple("neckar a River")]])] == [0]
    assert subject.joint([[triple("neckar a River")], [triple("neckar length 3")]]) == ()


def test_a_shape_without_focus_nodes_is_named(tmp_path: Path) -> None:
    """A shape that targets nothing is reported, not taken for kept."""
    subject = made(tmp_path, RIVERS, LENGTH + ":T a sh:NodeShape ; sh:targetClass :Glacier ; sh:nodeKind sh:IRI .")
    assert subject.unfocused() == ("http://e/T",)
    assert [(each.label, each.focus_nodes) for each in subject.names()] == [("S", 2), ("T", 0)]
    check = subject.check_graph()
    assert check.unfocused == ("http://e/T",)
    assert "not examined: no node is a target of T" in check.words()


def test_check_graph(tmp_path: Path) -> None:
    """The whole graph: the W3C report, JSON rows and plain words say the same."""
    check = made(tmp_path, RIVERS, LENGTH).check_graph()
    assert not check.conforms
    assert "sh:ValidationReport" in check.report
    (row,) = check.rows()
    assert row["focus"] == "<http://e/aare>"
    assert row["conflict"] is True
    assert check.words().startswith("violation: aare: length must be greater than 0 (found: -5.0)")
    assert list(check.by_shape().values()) == [1]


def test_the_graph_is_never_changed(tmp_path: Path) -> None:
    """Judging and checking leave the triples as they were, also when a check fails."""
    subject = made(tmp_path, RIVERS, LENGTH)
    before = (len(subject.graph), sorted(subject.graph.triples()))
    subject.judge([triple("rhine length -7")])
    subject.judge([triple('aare length "-5.0"' + DECIMAL)])
    with pytest.raises(LimitExceeded):
        subject.judge([triple("rhine length -7")], limit_s=-1)
    subject.check_graph()
    assert (len(subject.graph), sorted(subject.graph.triples())) == before


MALFORMED = {
    "syntax": (":S a sh:NodeShape ;", "line"),
    "a regular expression": (":S a sh:NodeShape ; sh:targetClass :C ; sh:pattern '(' .", "sh:pattern"),
    "SPARQL": (":S a sh:NodeShape ; sh:targetClass :C ; sh:sparql [ sh:select 'SELECT what' ] .", "SPARQL"),
    "a path": (":S a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path [ :p :q ] ] .", "sh:path"),
    "a parameter": (
        ":S a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 'x' ] .",
        "minCount",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_shapes_are_refused(name: str, tmp_path: Path) -> None:
    """A malformed shape is an error that names the file, before any claim is judged."""
    shapes, said = MALFORMED[name]
    with pytest.raises(KnowledgeBaseError, match=r"shapes\.ttl.*" + said):
        made(tmp_path, ":x a :C .", shapes).verify()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A shapes file that is not there is an error at once."""
    graph = made(tmp_path, RIVERS, LENGTH).graph
    with pytest.raises(KnowledgeBaseError, match=r"no-such\.ttl"):
        Shapes.load(graph, [tmp_path / "no-such.ttl"])


def test_the_content_hash_depends_on_the_bytes(tmp_path: Path) -> None:
    """Another file, another hash; the same file, the same hash."""
    first = made(tmp_path, RIVERS, LENGTH).content_hash
    assert made(tmp_path, RIVERS, LENGTH).content_hash == first
    assert made(tmp_path, RIVERS, LENGTH + " ").content_hash != first


def test_a_construct_that_is_not_analysed_is_listed_and_still_judged(tmp_path: Path) -> None:
    """A sub-query with LIMIT is not analysed: then every target is checked."""
    shapes = (
        ':S a sh:NodeShape ; sh:targetClass :River ; sh:sparql [ sh:select """PREFIX : <http://e/> '
        'SELECT $this { { SELECT $this { $this :length ?x FILTER (?x <= 0) } LIMIT 5 } }""" ] .'
    )
    subject = made(tmp_path, RIVERS, shapes)
    assert subject.unanalysed() == ("http://e/S",)
    assert broken(subject, "rhine length -3") == [("rhine", "SPARQL", True)]


FUZZED = """
:A a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path ( :p :q ) ; sh:maxCount 1 ] .
:B a sh:NodeShape ; sh:targetObjectsOf :p ; sh:class :C .
:D a sh:NodeShape ; sh:targetSubjectsOf :q ; sh:property [ sh:path :p ; sh:disjoint :q ] .
:E a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path [ sh:zeroOrMorePath [ sh:inversePath :q ] ] ;
   sh:node [ sh:not [ sh:property [ sh:path :p ; sh:hasValue :b ] ] ] ] .
:F a sh:NodeShape ; sh:targetClass :C ; sh:sparql [ sh:select '''PREFIX : <http://e/>
   SELECT $this ?value { $this :p ?value . ?value :q/:p ?z FILTER NOT EXISTS { ?z :q $this } }''' ] .
:G a sh:NodeShape ; sh:targetNode :b ; sh:closed true ; sh:property [ sh:path :q ] .
"""
NODES = st.sampled_from(["a", "b", "c"])
TRIPLES = st.builds(lambda s, p, o: f"{s} {p} {o}", NODES, st.sampled_from(["p", "q"]), NODES) | st.builds(
    lambda s: f"{s} a C", NODES
)


def _keys(violations: tuple[Violation, ...]) -> set[tuple[str, ...]]:
    return {(v.focus, v.shape, v.path, v.component, v.value) for v in violations}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stored=st.sets(TRIPLES, max_size=7), claim=TRIPLES)
def test_judging_equals_validating_the_whole_graph(stored: set[str], claim: str, tmp_path: Path) -> None:
    """What a claim brings in, by pySHACL on the whole graph before and after, is what it is blamed for at least; and it
    is blamed for nothing that does not stand with it."""
    others = sorted(stored - {claim})

    def over(*triples: str) -> Shapes:
        data = "".join(" ".join(map(str, triple(each))) + " .\n" for each in triples)
        return made(tmp_path, ":x :y :z .\n" + data, FUZZED)

    with_claim = _keys(over(*others, claim).check_graph().violations)
    without = _keys(over(*others).check_graph().violations)
    blamed = _keys(over(*others).judge([triple(claim)]))
    assert with_claim - without <= blamed <= with_claim
    assert blamed == _keys(over(*others, claim).judge([triple(claim)]))


def test_violations_are_values() -> None:
    """A violation is frozen and hashable."""
    violation = Violation(
        focus="", shape="", path="", component="", value="", message="", severity="Violation", conflict=True
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        violation.focus = "x"  # type: ignore[misc]
    assert violation.blocks
    assert len({violation, violation}) == 1
