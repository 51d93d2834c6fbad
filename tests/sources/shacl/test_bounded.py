"""Hostile shapes: the time is bounded, and what is not judged is said, with the shape's name or the reason."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from effort import ends
from small import broken, claim, made, query

from imprimatur.errors import CheckFailed, LimitExceeded

ON_P = ":S a sh:NodeShape ; sh:targetSubjectsOf :p ; "
CHAIN = "".join(f":n{i} :p :n{i + 1} , :n{i * 7 % 900} . " for i in range(900))
EVERY_WAY = "(:p|^:p)+"
DIAMOND = "".join(
    f":N{i} a sh:NodeShape ; sh:or ( [ sh:not :N{i + 1} ] [ sh:node :N{i + 1} ; sh:class :C ] ) . " for i in range(25)
)
TEXT = '"' + "a" * 60 + 'b"'

#: Data, shapes, the claim's object, and what is said (empty: it is judged).
HOSTILE = {
    "a catastrophic pattern": ("", ON_P + "sh:property [ sh:path :p ; sh:pattern '^(a+)+$' ] .", TEXT, ""),
    "a pattern over a megabyte": (
        "",
        ON_P + "sh:property [ sh:path :p ; sh:pattern '^(a+)+$' ] .",
        '"' + "a" * 1_000_000 + 'b"',
        "took too long",
    ),
    "a pattern with a back-reference": (
        "",
        ON_P + r"sh:property [ sh:path :p ; sh:pattern '^(a+)+\\1$' ] .",
        TEXT,
        "may take for ever",
    ),
    "a catastrophic pattern in a shape that falls back": (
        "",
        ON_P + "sh:strange 1 ; sh:property [ sh:path :p ; sh:pattern '^(a+)+$' ] .",
        TEXT,
        "http://e/S",
    ),
    "a REGEX over a long text": (
        "",
        ON_P + query('$this :p ?value FILTER (!REGEX(?value, "^(a+)+$"))') + " .",
        '"' + "a" * 1_000_000 + 'b"',
        "took too long",
    ),
    "a huge sh:or": ("", ON_P + "sh:or ( " + "[ sh:path :q ; sh:minCount 1 ] " * 2000 + ") .", "b", ""),
    "shapes nested deeply": (
        "",
        ON_P + "sh:not :N0 . " + "".join(f":N{i} sh:not :N{i + 1} . " for i in range(5000)),
        "b",
        "",
    ),
    "shapes that share shapes": (
        "",
        ON_P + "sh:node :N0 . " + DIAMOND + ":N25 a sh:NodeShape ; sh:class :C .",
        "b",
        "",
    ),
    "an unbounded path": (
        CHAIN,
        ON_P + "sh:property [ sh:path [ sh:zeroOrMorePath [ sh:alternativePath ( :p [ sh:inversePath :p ] ) ] ] ; "
        "sh:maxCount 5 ] .",
        "n9",
        "took too long",
    ),
    "a query that joins everything": (
        CHAIN,
        ON_P + query("$this :p ?a . ?b :p ?c . ?d :p ?e . ?f :p ?g FILTER (?g = ?a && ?c != ?c)", "$this") + " .",
        "n9",
        "took too long",
    ),
    "a query along unbounded paths": (
        CHAIN,
        ON_P + query(f"$this {EVERY_WAY} ?a . ?a {EVERY_WAY} ?c . ?c {EVERY_WAY} ?d FILTER (?d = :x)", "$this") + " .",
        "n9",
        "took too long",
    ),
}

#: An unknown parameter, so that pySHACL runs the shape.
RUN_BY_PYSHACL = ON_P + "sh:strange 1 ; "


def _run_by_pyshacl(body: str, data: str = "", object_: str = TEXT) -> tuple[str, str, str, str]:
    return data, f"{RUN_BY_PYSHACL} {query(body, '$this')} .", object_, "http://e/S"


def _grown(by: str) -> str:
    return " ".join(f"BIND ({by.replace('x', f'?x{i}')} AS ?x{i + 1})" for i in range(40))


#: The same for shapes that pySHACL runs, where nothing asks for the time between two look-ups.
HOSTILE |= {
    "pySHACL: a REGEX": _run_by_pyshacl('$this :p ?v FILTER (!REGEX(?v, "^(a+)+$"))'),
    "pySHACL: a REGEX from the data": _run_by_pyshacl(
        "$this :p ?v ; :r ?r FILTER (!REGEX(?v, ?r))", ":n5 :r '^(a+)+$' ."
    ),
    "pySHACL: a REPLACE by a calculated pattern": _run_by_pyshacl(
        '$this :p ?v BIND (CONCAT("(a+", ")+$") AS ?r) FILTER (REPLACE(?v, ?r, "") = "")'
    ),
    "pySHACL: unions that join everything": _run_by_pyshacl(
        " ".join("{ $this ?p ?a } UNION { ?b ?q ?c } UNION { ?d ?r ?e }" for _ in range(9)) + " FILTER (?a = 0)", CHAIN
    ),
    "pySHACL: closures of paths": _run_by_pyshacl(
        f"$this {EVERY_WAY} ?a . ?a {EVERY_WAY} ?b . ?b {EVERY_WAY} ?c FILTER (?c = :x)", CHAIN, "n9"
    ),
    "pySHACL: a text that doubles": _run_by_pyshacl(
        f"$this :p ?v BIND (STR(?v) AS ?x0) {_grown('CONCAT(x, x, x)')} FILTER (STRLEN(?x40) = 1)"
    ),
    "pySHACL: a number that squares": _run_by_pyshacl(
        f"$this :p ?v BIND (9999999999 AS ?x0) {_grown('x * x')} FILTER (?x40 = 1)"
    ),
    "pySHACL: many values": _run_by_pyshacl(f"$this :p ?v VALUES ?v {{ {' '.join(map(str, range(9000)))} }}"),
    "pySHACL: many unions": _run_by_pyshacl(f"$this :p ?v {' UNION '.join(['{ ?v :p ?w }'] * 800)}"),
    "pySHACL: a query nested deeply": (
        "",
        RUN_BY_PYSHACL + query(f"$this :p ?v FILTER ({'(' * 400}?v = 1{')' * 400})", "$this") + " .",
        TEXT,
        "http://e/S: the SPARQL is nested too deeply",
    ),
    "pySHACL: all joined in a group": _run_by_pyshacl(
        "{ SELECT (GROUP_CONCAT(?z) AS ?all) { ?x :p ?y . ?z :p ?w } } FILTER (STRLEN(?all) = 5)", CHAIN
    ),
}


@ends
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_shapes(name: str, tmp_path: Path) -> None:
    """The answer comes soon after the limit at the latest, and a shape that was not judged is an error."""
    data, shapes, object_, said = HOSTILE[name]
    subject = made(tmp_path, data, shapes)
    subject.ways()
    if said:
        # What is refused for what it is, and not for its time, has time enough to be looked at on a busy machine.
        limit_s = 0.5 if said in ("took too long", "http://e/S") else 30
        with pytest.raises((LimitExceeded, CheckFailed)) as failure:
            subject.judge([claim("n5", "p", object_)], limit_s=limit_s)
        assert said in str(failure.value)
    else:
        subject.judge([claim("n5", "p", object_)], limit_s=5)


def test_a_long_chain_of_shapes_is_judged(tmp_path: Path) -> None:
    """Thousands of shapes, each the opposite of the next: their number decides."""
    for number, expected in ((4999, []), (5000, ["Not"])):
        chain = "".join(f":N{i} sh:not :N{i + 1} . " for i in range(number))
        assert broken(made(tmp_path, "", ON_P + "sh:not :N0 . " + chain), claim("a", "p", "b")) == expected


def test_a_shape_that_is_barred_stops_only_what_it_may_judge(tmp_path: Path) -> None:
    """A claim that it has no say in is judged by the other shapes."""
    barred = RUN_BY_PYSHACL + "sh:property [ sh:path :p ; sh:pattern '^(a+)+$' ] . "
    other = ":T a sh:NodeShape ; sh:targetSubjectsOf :q ; sh:property [ sh:path :q ; sh:maxCount 1 ] ."
    shapes = made(tmp_path, ":a :q :b .", barred + other)
    assert broken(shapes, claim("a", "q", "c")) == ["MaxCount"]
    with pytest.raises(CheckFailed, match="may take for ever"):
        shapes.judge([claim("a", "p", "c")])


@pytest.mark.filterwarnings("ignore")
def test_what_pyshacl_runs_goes_on_after_it_was_killed(tmp_path: Path) -> None:
    """The process is killed for one claim, and the next is judged; none is left when the shapes are gone."""
    before = _children()
    shapes = made(tmp_path, "", _run_by_pyshacl('$this :p ?v FILTER (!REGEX(?v, "^(a+)+$"))')[1])
    assert broken(shapes, claim("a", "p", '"b"')) == ["SPARQL"]
    for _ in range(2):
        with pytest.raises(LimitExceeded, match="http://e/S"):
            shapes.judge([claim("a", "p", TEXT)], limit_s=0.5)
        assert broken(shapes, claim("a", "p", '"aaa"')) == []
    assert _children() == before + 1
    del shapes
    assert _children() == before


def _children() -> int:
    """How many processes of this one there are, without those that nothing holds any more."""
    gc.collect()
    return len((Path("/proc/self/task") / str(os.getpid()) / "children").read_text().split())
