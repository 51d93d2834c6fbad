"""Recursive shapes: pySHACL's results where the data come to an end; undecided, and said, where they come back."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from pathlib import Path

import pytest
from comparing import Case, Key, edges_of
from effort import ends
from small import broken, claim, found, made

from imprimatur.errors import CheckFailed, KnowledgeBaseError

TREE = ":S a sh:NodeShape ; sh:targetClass :T ; sh:property [ sh:path :p ; sh:node :S ; sh:maxCount 2 ] ; "
LEAF = TREE + "sh:property [ sh:path :leaf ; sh:datatype xsd:integer ] ."
CHAIN = "".join(f":n{i} :p :n{i + 1} . " for i in range(1000)) + ":n0 a :T . "
_PROPERTIES = ("p", "q")


def test_a_recursive_shape_is_listed(tmp_path: Path) -> None:
    """It is compiled, and said to be recursive."""
    assert [(way.way, way.reason) for way in made(tmp_path, ":a a :T .", LEAF).ways()] == [("compiled", "recursive")]


def test_a_tree_is_judged(tmp_path: Path) -> None:
    """A fault far below breaks the shape at every node above it."""
    shapes = made(tmp_path, ":a a :T ; :p :b . :b :p :c .", LEAF)
    assert broken(shapes, claim("c", "leaf", "a")) == ["Node"]
    assert broken(shapes, claim("c", "leaf", '"5"^^<http://www.w3.org/2001/XMLSchema#integer>')) == []


@ends
def test_a_long_chain_is_judged(tmp_path: Path) -> None:
    """A thousand nodes deep, a fault is found, and nothing overflows."""
    shapes = made(tmp_path, CHAIN, LEAF)
    assert found(shapes) == set()
    assert shapes.check_graph().undecided == ()
    assert broken(shapes, claim("n1000", "leaf", "a")) == ["Node"]
    assert broken(shapes, claim("n999", "p", "n7000")) == []


def test_data_that_come_back_are_undecided(tmp_path: Path) -> None:
    """In a circle no claim passes, but for those that other shapes judge, and what is broken stays broken."""
    other = " :O a sh:NodeShape ; sh:targetSubjectsOf :age ; sh:property [ sh:path :age ; sh:maxCount 1 ] ."
    shapes = made(tmp_path, ":a a :T ; :p :b . :b :p :c ; :age 1 . :d a :T ; :p :e .", LEAF + other)
    with pytest.raises(CheckFailed, match=r"http://e/a.*recursive shape http://e/S"):
        shapes.judge([claim("c", "p", "a")])
    assert broken(shapes, claim("b", "age", '"2"')) == ["MaxCount"]
    assert broken(shapes, claim("e", "leaf", '"x"')) == ["Node"]
    assert broken(shapes, claim("e", "p", "d"), claim("e", "leaf", '"x"')) == ["Node"]


def test_an_undecided_check_of_the_graph_is_listed(tmp_path: Path) -> None:
    """The check of the graph names shape and node."""
    check = made(tmp_path, ":a a :T ; :p :b . :b :p :a .", LEAF).check_graph()
    assert check.undecided == ("<http://e/a>: the recursive shape http://e/S comes back to itself",)
    assert "undecided: <http://e/a>" in check.words()


def test_a_claim_that_touches_an_undecided_node_is_not_passed(tmp_path: Path) -> None:
    """Also when the circle was there before: at that node nothing was judged."""
    shapes = made(tmp_path, ":a a :T ; :p :b . :b :p :a .", LEAF)
    with pytest.raises(CheckFailed, match="recursive shape"):
        shapes.judge([claim("b", "leaf", '"5"^^<http://www.w3.org/2001/XMLSchema#integer>')])


def test_a_property_shape_that_holds_itself(tmp_path: Path) -> None:
    """sh:property may lead to the same property shape again."""
    shapes = made(
        tmp_path,
        ":a a :T ; :p :b . :b :p :c .",
        ":S a sh:NodeShape ; sh:targetClass :T ; sh:property :P . :P sh:path :p ; sh:maxCount 1 ; sh:property :P .",
    )
    assert broken(shapes, claim("b", "p", "d")) == ["MaxCount"]
    with pytest.raises(CheckFailed, match="recursive shape"):
        shapes.judge([claim("c", "p", "a")])


@ends
def test_shapes_that_share_shapes_in_a_circle(tmp_path: Path) -> None:
    """Many ways through the data are not gone one by one."""
    ladder = "".join(f":n{i} :p :n{i + 1} , :m{i + 1} . :m{i} :p :n{i + 1} , :m{i + 1} . " for i in range(60))
    shapes = made(tmp_path, ladder + ":n0 a :T .", LEAF)
    assert broken(shapes, claim("n60", "leaf", '"x"')) == ["Node", "Node"]
    assert found(shapes) == set()


def test_a_recursive_shape_that_pyshacl_runs(tmp_path: Path) -> None:
    """pySHACL gives up silently some levels down; that is an error here."""
    data = "".join(f":n{i} :p :n{i + 1} . " for i in range(6)) + ":n0 a :T ."
    shapes = made(tmp_path, data, TREE + "sh:sparql [ sh:select 'SELECT $this { SERVICE <http://x> { } }' ] .")
    with pytest.raises((CheckFailed, KnowledgeBaseError), match=r"http://e/S|SERVICE|recursive"):
        shapes.judge([claim("n6", "p", "n7")])


def _some_shapes(rng: random.Random) -> str:
    """Three shapes that refer to each other in any way."""
    lines = []
    for number in range(3):
        parts = []
        for _ in range(rng.randint(1, 2)):
            path, other, third = rng.choice(_PROPERTIES), rng.randrange(3), rng.randrange(3)
            inside = rng.choice(
                [
                    f"sh:node :S{other}",
                    f"sh:not [ sh:node :S{other} ]",
                    f"sh:or ( [ sh:hasValue :a ] :S{other} )",
                    f"sh:and ( :S{other} :S{third} )",
                    f"sh:xone ( [ sh:class :T ] :S{other} )",
                    f"sh:qualifiedValueShape :S{other} ; sh:qualifiedMinCount 1",
                    f"sh:property [ sh:path :{path} ; sh:node :S{other} ]",
                    "sh:minCount 1",
                    "sh:maxCount 1",
                    "sh:class :T",
                    "sh:hasValue :b",
                ]
            )
            parts.append(f"sh:property [ sh:path :{path} ; {inside} ]")
        if rng.random() < 0.3:
            parts.append(f"sh:node :S{rng.choice([n for n in range(3) if n != number])}")
        if rng.random() < 0.2:
            parts.append("sh:nodeKind sh:IRI")
        lines.append(f":S{number} a sh:NodeShape ; sh:targetClass :T ; {' ; '.join(parts)} .")
    return "\n".join(lines)


def _some_data(rng: random.Random) -> list[str]:
    """Triples that mostly lead on, and now and then back."""
    names = "abcdef"
    triples = [f"<http://e/{n}> <{_TYPE}> <http://e/T>" for n in names if rng.random() < 0.5]
    for _ in range(rng.randint(2, 9)):
        i, j = rng.randrange(6), rng.randrange(6)
        if i > j and rng.random() < 0.9:
            i, j = j, i
        if i != j or rng.random() < 0.2:
            triples.append(f"<http://e/{names[i]}> <http://e/{rng.choice(_PROPERTIES)}> <http://e/{names[j]}>")
    return triples


_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_PREFIX = "@prefix : <http://e/> . @prefix sh: <http://www.w3.org/ns/shacl#> .\n"


def _reference(case: Case, added: list[str]) -> frozenset[Key] | None:
    """pySHACL's results; None where it gives up."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            keys = case.by_pyshacl(added=added)
        except CheckFailed:
            return None
    return None if any("Recursive" in str(each.message) for each in warned) else keys


def _compare(folder: Path, seed: int, seen: Counter[str]) -> list[str]:
    rng = random.Random(seed)
    shapes, data = _some_shapes(rng), _some_data(rng)
    case = Case(folder, data, _PREFIX + shapes)
    assert not case.engine.fallback
    wrong = []
    for new in ([], *([f"{rng.choice(_some_data(rng) or data)}"] for _ in range(4))):
        terms = case.engine.scope()
        view = case.engine.view(terms, added=edges_of(new, terms))
        keys = frozenset(case.key(each, terms) for each in case.engine.run(view, case.engine.all_foci(view)))
        known = _reference(case, new)
        standing = case.by_engine()
        touched = case.by_affected(new[0]) if new else frozenset()
        if new and not keys - standing <= touched <= keys and not view.circles:
            wrong.append(f"{seed}: {new} affects {sorted(keys - standing - touched)} as well")
        if known is None:
            seen["given up"] += 1
        elif view.circles or known != keys:
            wrong.append(f"{seed} {new}: {sorted(known ^ keys)} {list(view.circles)}\n{shapes}\n{data}")
        else:
            seen["broken" if keys else "kept"] += 1
        seen["undecided"] += bool(view.circles)
    return wrong


@pytest.mark.filterwarnings("ignore")
@ends
def test_the_same_as_pyshacl(tmp_path: Path) -> None:
    """Where pySHACL goes to the end, all keyed violations are equal and nothing is undecided."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        (tmp_path / str(seed)).mkdir()
        assert _compare(tmp_path / str(seed), seed, seen) == []
    assert seen["broken"] > 20
    assert seen["kept"] > 5
    assert seen["undecided"] > 3
