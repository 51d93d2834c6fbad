"""Hostile shapes: the time is bounded, and what is not judged is said, with the shape's name or the reason."""

from __future__ import annotations

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


@ends
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_shapes(name: str, tmp_path: Path) -> None:
    """The answer comes soon after the limit at the latest, and a shape that was not judged is an error."""
    data, shapes, object_, said = HOSTILE[name]
    subject = made(tmp_path, data, shapes)
    subject.ways()
    if said:
        with pytest.raises((LimitExceeded, CheckFailed)) as failure:
            subject.judge([claim("n5", "p", object_)], limit_s=0.5)
        assert said in str(failure.value)
    else:
        subject.judge([claim("n5", "p", object_)], limit_s=5)


def test_a_long_chain_of_shapes_is_judged(tmp_path: Path) -> None:
    """Thousands of shapes, each the opposite of the next: their number decides."""
    for number, expected in ((4999, []), (5000, ["Not"])):
        chain = "".join(f":N{i} sh:not :N{i + 1} . " for i in range(number))
        assert broken(made(tmp_path, "", ON_P + "sh:not :N0 . " + chain), claim("a", "p", "b")) == expected
