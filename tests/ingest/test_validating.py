"""A batch against axioms and shapes: who is to blame, whatever the order."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from made_ontology import BASE, thing
from made_things import DATA, ontology, said

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.ingest.candidate import Candidate, Thing
from imprimatur.ingest.known_things import KnownThings
from imprimatur.ingest.validating import validate
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.shapes import Shapes
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.sources.graph.terms import OWL, RDF, XSD, RdfLiteral

SHAPES = """
@prefix : <https://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:CityShape a sh:NodeShape ; sh:targetClass :City ;
    sh:property [ sh:path :population ; sh:minInclusive 0 ; sh:maxCount 1 ] .
:PersonShape a sh:NodeShape ; sh:targetClass :Person ;
    sh:property [ sh:path :nickname ; sh:maxCount 2 ] ;
    sh:property [ sh:path :works_at ; sh:minCount 1 ] ;
    sh:property [ sh:path :died ; sh:lessThanOrEquals :buried ] .
"""
AXIOMS = f"""
@prefix : <https://example.org/> . @prefix owl: <{OWL}> .
:passport a owl:InverseFunctionalProperty . :likes a owl:ObjectProperty ; owl:propertyDisjointWith :hates .
:hates a owl:ObjectProperty .
"""


def _made(folder: Path, *, shapes: str = SHAPES) -> tuple[KnownThings, Shapes]:
    files = {"data.ttl": DATA, "words.ttl": ontology(folder).to_turtle(), "axioms.ttl": AXIOMS, "shapes.ttl": shapes}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    read = [GraphFile(folder / name, "data", "curated") for name in ("data.ttl", "words.ttl", "axioms.ttl")]
    graph = Graph.load(read, cache_dir=folder)
    return KnownThings(graph, Schema.of(graph), ontology(folder)), Shapes.load(graph, [folder / "shapes.ttl"])


def _at(name: str, *classes: str) -> Thing:
    return thing(name, *classes, iri=BASE + name)


def _number(text: str) -> RdfLiteral:
    return RdfLiteral(text, XSD + "integer")


def _day(text: str) -> RdfLiteral:
    return RdfLiteral(text, XSD + "date")


_PARIS, _NEW = _at("paris", "City"), _at("nova", "City")
_SMITH, _EVE = _at("john_smith", "Person"), _at("eve", "Person")
#: Candidates, and what each is refused for.
CASES: list[list[tuple[Candidate, str]]] = [
    [(said(_NEW, "population", _number("5")), ""), (said(_EVE, "knows", _PARIS), "")],
    # One value at most: beside the graph's, and beside each other, whichever is first.
    [(said(_PARIS, "population", _number("2100001")), "shape"), (said(_PARIS, "population", _number("2100000")), "")],
    [(said(_NEW, "population", _number("5")), "shape"), (said(_NEW, "population", _number("6")), "shape")],
    [(said(_NEW, "population", _number("5")), ""), (said(_NEW, "population", _number("5"), document="b.txt"), "")],
    [(said(_SMITH, "born", RdfLiteral("1951", XSD + "gYear")), "several-values")],
    [(said(_SMITH, "born", RdfLiteral("1950", XSD + "gYear")), "")],
    [
        (said(_EVE, "born", RdfLiteral("1951", XSD + "gYear")), "several-values"),
        (said(_EVE, "born", RdfLiteral("1952", XSD + "gYear"), document="b.txt"), "several-values"),
        (said(_EVE, "knows", _SMITH), ""),
    ],
    # A value that is wrong by itself takes nothing else with it.
    [(said(_NEW, "population", _number("-5")), "shape"), (said(_NEW, "knows", _PARIS), "")],
    # Three where two may be: each of them.
    [
        (said(_EVE, "nickname", RdfLiteral("a")), "shape"),
        (said(_EVE, "nickname", RdfLiteral("b")), "shape"),
        (said(_EVE, "nickname", RdfLiteral("c")), "shape"),
        (said(_SMITH, "nickname", RdfLiteral("c")), ""),
    ],
    # Two properties, each well by itself.
    [
        (said(_EVE, "died", _day("1990-01-02")), "shape"),
        (said(_EVE, "buried", _day("1980-01-02")), "shape"),
    ],
    # Classes that share no member.
    [
        (said(_EVE, RDF + "type", Thing(name="City", iri=BASE + "City")), "disjoint-classes"),
        (said(_EVE, "knows", _SMITH), "disjoint-classes"),
        (said(_SMITH, "knows", _PARIS), ""),
    ],
    [
        (said(_at("paris", "Person"), "knows", _SMITH), "disjoint-classes"),
        (said(_SMITH, "knows", _PARIS), ""),
    ],
    # One only may have it.
    [
        (said(_SMITH, "passport", RdfLiteral("X1")), "several-subjects"),
        (said(_EVE, "passport", RdfLiteral("X1")), "several-subjects"),
        (said(_at("ann_1", "Person"), "passport", RdfLiteral("X2")), ""),
    ],
    [(said(_EVE, "likes", _SMITH), "disjoint-properties"), (said(_EVE, "hates", _SMITH), "disjoint-properties")],
    [(said(thing("nobody knows", "Person"), "knows", _SMITH), "ambiguous-thing")],
]


@pytest.mark.parametrize("case", CASES, ids=lambda each: each[0][0].property.rpartition("/")[2])
def test_who_is_to_blame(tmp_path: Path, case: list[tuple[Candidate, str]]) -> None:
    """Every candidate that a break rests on is refused with its reason, in every order, and no other."""
    known, shapes = _made(tmp_path)
    for seed in range(4):
        turned = case[:]
        random.Random(seed).shuffle(turned)
        found = validate(known, shapes, [each for each, _ in turned])
        codes = [refusals[0].code if refusals else "" for refusals in found.refusals]
        assert codes == [wanted for _, wanted in turned]


def test_all_cases_together(tmp_path: Path) -> None:
    """One large batch is judged as its parts are, in any order, and the graph stays what it was."""
    known, shapes = _made(tmp_path)
    batch = [each for case in CASES for each, _ in case if each.subject.iri]
    before = len(known.graph), known.graph.content_hash
    outcomes = []
    for seed in range(5):
        turned = batch[:]
        random.Random(seed).shuffle(turned)
        outcomes.append(dict(zip(turned, validate(known, shapes, turned).refusals, strict=True)))
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert (len(known.graph), known.graph.content_hash) == before


def test_words(tmp_path: Path) -> None:
    """A refusal says in plain words what would break."""
    known, shapes = _made(tmp_path)
    two = [said(_NEW, "population", _number("-5")), said(_SMITH, "born", RdfLiteral("1951", XSD + "gYear"))]
    found = validate(known, shapes, two).refusals
    assert found[0][0].detail == "nova: population must be at least 0 (found: -5)"
    assert found[1][0].detail == "“john_smith” has one 'born' at most; proposed is “1951”, beside “1950”"


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    """A shape that asks for more keeps nothing out, and says what it asks for."""
    known, shapes = _made(tmp_path)
    found = validate(known, shapes, [said(_EVE, "knows", _SMITH), said(_NEW, "knows", _SMITH)])
    assert found.refusals == ((), ())
    assert any("works at" in each for each in found.incomplete[0])
    assert found.incomplete[1] == ()


def test_times(tmp_path: Path) -> None:
    """Two values that hold at different times do not exclude each other; at one time they do."""
    known, _ = _made(tmp_path)
    one = replace(said(_EVE, "born_in", _PARIS), valid=("1990", "1999"))
    later = replace(said(_EVE, "born_in", _at("salem", "City")), valid=("2000-01-01", ""))
    assert validate(known, None, [one, later]).refusals == ((), ())
    during = replace(later, valid=("1999-05-01", ""))
    assert all(validate(known, None, [one, during]).refusals)


def test_late_or_failed_is_unchecked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the shapes could not examine in time, or at all, is not let in."""
    known, shapes = _made(tmp_path)
    batch = [said(_NEW, "population", _number("5")), said(_EVE, "knows", _PARIS)]
    late = validate(known, shapes, batch, limit_s=0.0)
    assert [each[0].code for each in late.refusals] == ["unchecked", "unchecked"]

    def failing(*_: object, **__: object) -> None:
        raise CheckFailed("no")

    monkeypatch.setattr(Shapes, "joint", failing)
    assert [each[0].code for each in validate(known, shapes, batch).refusals] == ["unchecked", "unchecked"]


def test_groups_are_found_alone(tmp_path: Path) -> None:
    """What shapes find of all claims together is what they find of each group by itself."""
    _, shapes = _made(tmp_path)
    claims = [
        [(f"<{BASE}{name}>", f"<{BASE}population>", f'"{value}"^^<{XSD}integer>')]
        for name in ("paris", "salem", "armonk")
        for value in (-1, 5, 6)
    ]
    claims.append([(f"<{BASE}x>", f"<{BASE}unheard>", f"<{BASE}y>")])
    groups = shapes.groups(claims)
    assert sorted(map(sorted, groups)) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    together = {each for _, each in shapes.joint(claims)}
    alone = {each for group in groups for _, each in shapes.joint([claims[n] for n in group])}
    assert together == alone
    assert together
    with pytest.raises(LimitExceeded):
        shapes.groups(claims, limit_s=-1.0)


@pytest.mark.parametrize("shapes", [SHAPES, ""], ids=["shapes", "no shapes"])
def test_nothing_to_validate(tmp_path: Path, shapes: str) -> None:
    """An empty batch gives an empty outcome."""
    known, made = _made(tmp_path, shapes=shapes)
    assert validate(known, made, []).refusals == ()


def test_many_values_and_many_sentences(tmp_path: Path) -> None:
    """What is said in many documents is one value; more different ones than are compared are not let in."""
    known, _ = _made(tmp_path)
    same = [said(_EVE, "born", RdfLiteral("1951", XSD + "gYear"), document=f"{n}.txt") for n in range(3000)]
    assert not any(validate(known, None, same).refusals)
    many = [said(_EVE, "born", RdfLiteral(f"{n:04}", XSD + "gYear"), document=f"{n}.txt") for n in range(1000, 3000)]
    assert {each.code for found in validate(known, None, many).refusals for each in found} == {"unchecked"}
    cards = [said(_at(f"p{n}", "Person"), "passport", RdfLiteral(f"X{n % 1500}")) for n in range(3000)]
    assert {each.code for found in validate(known, None, cards).refusals for each in found} == {"several-subjects"}
