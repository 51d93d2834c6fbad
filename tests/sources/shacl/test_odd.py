"""Odd and malformed shapes files: a clear error or the right verdict, never a traceback and never a silent pass."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from effort import ends
from small import PREFIXES, broken, claim, found, made

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.shapes import Shapes

ON_C = ":S a sh:NodeShape ; sh:targetClass :C ; "
DATA = ":a a :C ; :p :b , 'x' ; :q :c . :b :p :a ; a :C ."
HELD = " ".join(f"_:x{i} rdf:first _:x{i + 1} ; rdf:rest ( _:x{i + 1} ) ." for i in range(40))

#: Shapes, and what the error says.
REFUSED = {
    "a path that holds itself": (ON_C + "sh:property [ sh:path _:x ] . _:x sh:inversePath _:x .", "sh:path"),
    "a path that is a literal": (ON_C + "sh:property [ sh:path 'p' ; sh:minCount 1 ] .", "sh:path"),
    "a path nested too deeply": (
        ON_C + "sh:property [ sh:path " + "[ sh:inversePath " * 3000 + ":p" + " ]" * 3000 + " ] .",
        "nested too deeply",
    ),
    "a path of shared parts": (ON_C + f"sh:property [ sh:path _:x0 ] . {HELD} _:x40 sh:inversePath :p .", "too long"),
    "two paths": (ON_C + "sh:property [ sh:path :p , :q ; sh:minCount 3 ] .", "sh:path"),
    "a list that is not there": (ON_C + "sh:or :nolist .", "malformed list"),
    "a list that loops": (ON_C + "sh:or _:l . _:l rdf:first [ sh:class :D ] ; rdf:rest _:l .", "malformed list"),
    "an empty list": (ON_C + "sh:or () .", "RDF list"),
    "sh:in that loops": (ON_C + "sh:in _:l . _:l rdf:first :a ; rdf:rest _:l .", "malformed list"),
    "sh:deactivated given twice": (ON_C + "sh:deactivated true , false ; sh:nodeKind sh:Literal .", "sh:deactivated"),
    "sh:property without a path": (ON_C + "sh:property [ sh:minCount 1 ] .", "PropertyShape"),
    "sh:property of a literal": (ON_C + "sh:property 'x' .", "PropertyShape"),
    "sh:minCount of a node shape": (ON_C + "sh:minCount 1 .", "PropertyShape"),
    "sh:minCount below nought": (ON_C + "sh:property [ sh:path :p ; sh:minCount -1 ] .", "minCount"),
    "sh:minLength beyond all numbers": (
        ON_C + "sh:property [ sh:path :p ; sh:minLength 1" + "0" * 5000 + " ] .",
        "(?i)minlength",
    ),
    "sh:pattern of an IRI": (ON_C + "sh:pattern :x .", "sh:pattern"),
    "sh:sparql without a query": (ON_C + "sh:sparql [ sh:message 'x' ] .", "sh:select"),
    "a query with an unknown prefix": (ON_C + "sh:sparql [ sh:select 'SELECT $this { $this no:p ?v }' ] .", "SPARQL"),
    "a query that changes things": (ON_C + "sh:sparql [ sh:select 'DELETE WHERE { ?s ?p ?o }' ] .", "SPARQL"),
}


@ends
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", REFUSED)
def test_malformed_shapes_are_refused(name: str, tmp_path: Path) -> None:
    """The first claim says what is wrong, whatever it is about; so does the check of the graph."""
    shapes, said = REFUSED[name]
    subject = made(tmp_path, DATA, shapes)
    for _ in range(2):
        with pytest.raises(KnowledgeBaseError, match=said):
            subject.judge([claim("a", "unrelated", "b")])
    with pytest.raises(KnowledgeBaseError, match=said):
        subject.check_graph()


#: Shapes, and the components that they find broken in the graph.
JUDGED = {
    "a target that is a literal": (":S a sh:NodeShape ; sh:targetNode 'x' , 5 ; sh:nodeKind sh:IRI .", "NodeKind"),
    "a severity of one's own": (ON_C + "sh:severity :Terrible ; sh:nodeKind sh:Literal .", "NodeKind"),
    "a message with holes": (ON_C + "sh:message '{?this} {$nope} {0} {} {{ %s' ; sh:nodeKind sh:Literal .", "NodeKind"),
    "repetitions of repetitions": (
        ON_C + "sh:property [ sh:path " + "[ sh:zeroOrMorePath " * 50 + ":p" + " ]" * 50 + " ; sh:maxCount 1 ] .",
        "MaxCount",
    ),
    "sh:closed that is no boolean": (ON_C + "sh:closed 'true' .", "Closed"),
    "properties nested deeply": (
        ON_C + "sh:property " + "[ sh:path :p ; sh:property " * 300 + "[ sh:path :q ; sh:maxCount 0 ]" + " ]" * 301,
        "MaxCount",
    ),
    "a shape that is described without end": (
        "_:x0 a sh:NodeShape ; sh:targetClass :C ; sh:nodeKind sh:Literal ; :k _:y0 . "
        + " ".join(f"_:y{i} :m _:y{i + 1} ; :n _:y{i + 1} ." for i in range(60)),
        "NodeKind",
    ),
}


@ends
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", JUDGED)
def test_odd_shapes_are_judged(name: str, tmp_path: Path) -> None:
    """What can be made sense of is judged."""
    shapes, component = JUDGED[name]
    closing = "" if shapes.rstrip().endswith(".") else " ."
    if name == "properties nested deeply":
        shapes = shapes.removesuffix(" ]")
    assert {each[1] for each in found(made(tmp_path, DATA, shapes + closing))} == {component}


ENCODED = {
    "in UTF-16": (PREFIXES + ON_C + "sh:nodeKind sh:Literal .").encode("utf-16"),
    "in Latin-1": (PREFIXES + ON_C + "sh:message 'né' ; sh:nodeKind sh:Literal .").encode("latin-1"),
    "cut off, compressed": gzip.compress((PREFIXES + ON_C + "sh:nodeKind sh:Literal .").encode())[:-9],
    "of binary rubbish": bytes(range(256)) * 40,
    "of RDF/XML": b'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><a',
}


@pytest.mark.parametrize("name", ENCODED)
def test_files_in_other_encodings(name: str, tmp_path: Path) -> None:
    """They are refused with the file's name."""
    graph = made(tmp_path, DATA, "").graph
    path = tmp_path / "odd.ttl"
    path.write_bytes(ENCODED[name])
    with pytest.raises(KnowledgeBaseError, match=r"odd\.ttl"):
        Shapes.load(graph, [path]).check_graph()


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """Some editors write one."""
    graph = made(tmp_path, DATA, "").graph
    path = tmp_path / "marked.ttl"
    path.write_text(PREFIXES + ON_C + "sh:nodeKind sh:Literal .", encoding="utf-8-sig")
    assert {v.component for v in Shapes.load(graph, [path]).check_graph().violations} == {"NodeKindConstraintComponent"}


@ends
def test_many_shapes_are_all_examined(tmp_path: Path) -> None:
    """The last of thousands of shapes finds what is broken."""
    many = "".join(
        f":S{i} a sh:NodeShape ; sh:targetSubjectsOf :p ; sh:property [ sh:path :q{i} ; sh:maxCount 0 ] . "
        for i in range(5000)
    )
    shapes = made(tmp_path, DATA, many)
    assert broken(shapes, claim("a", "q4999", "b")) == ["MaxCount"]
    assert broken(shapes, claim("a", "q5000", "b")) == []


@ends
@pytest.mark.parametrize("kind", ["or", "and", "xone"])
def test_long_lists_are_examined_to_their_end(kind: str, tmp_path: Path) -> None:
    """The last of thousands of members counts."""
    members = "".join(f"[ sh:path :q{i} ; sh:{'minCount 1' if kind == 'or' else 'maxCount 0'} ] " for i in range(5000))
    shapes = made(tmp_path, ":z :p :y .", f":S a sh:NodeShape ; sh:targetSubjectsOf :p ; sh:{kind} ( {members} ) .")
    assert [each[1] for each in found(shapes)] == ([] if kind == "and" else [kind.capitalize()])
    assert bool(broken(shapes, claim("z", "q4999", "b"))) is (kind == "and")
