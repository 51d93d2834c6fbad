"""``sh:sparql`` with groups, aggregates, sub-queries and patterns that nothing joins to ``$this``."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from comparing import differences
from effort import ends
from fuzzing_composed import random_compositions
from fuzzing_queries import random_queries
from small import broken, claim, found, made, query

from imprimatur.errors import CheckFailed, LimitExceeded

ON_P = ":S a sh:NodeShape ; sh:targetSubjectsOf :p ; "
BY_THIS = "GROUP BY $this"
DATA = """
:a :p :b , :c , :d ; :q :b ; :total 6 ; :part :x , :y ; :day "2000-01-01"^^xsd:date , "1999-12-31"^^xsd:date .
:b :p :c ; :total 5.0 ; :part :x , :y .
:x :amount 2 ; :tag "one" . :y :amount 3 ; :tag "one" . :c :q :e . :d :q :e .
"""
_DAY = '"{}"^^<http://www.w3.org/2001/XMLSchema#date>'
_DECIMAL = '"{}"^^<http://www.w3.org/2001/XMLSchema#decimal>'
_WHOLE = '"{}"^^<http://www.w3.org/2001/XMLSchema#integer>'
SUM = "SELECT $this (SUM(?amount) AS ?sum) WHERE { $this :part/:amount ?amount } GROUP BY $this"

#: The head and all that follows WHERE; the focus nodes with the values that are found.
CASES: dict[str, tuple[str, str, set[tuple[str, str]]]] = {
    "more than two values": ("$this", f"{{ $this :p ?x }} {BY_THIS} HAVING (COUNT(?x) > 2)", {("a", "")}),
    "the count itself": (
        "$this (COUNT(?x) AS ?value)",
        f"{{ $this :p ?x }} {BY_THIS} HAVING (COUNT(*) > 0)",
        {("a", _WHOLE.format(3)), ("b", _WHOLE.format(1))},
    ),
    "GROUP BY finds no group of nothing": ("$this", f"{{ $this :r ?x }} {BY_THIS} HAVING (COUNT(?x) < 1)", set()),
    "each way counts": ("$this", f"{{ $this :p/:q ?x }} {BY_THIS} HAVING (COUNT(?x) = 2)", {("a", "")}),
    "DISTINCT counts once": ("$this", f"{{ $this :p/:q ?x }} {BY_THIS} HAVING (COUNT(DISTINCT ?x) = 2)", set()),
    "alternatives count each": ("$this", f"{{ $this :p|:q ?x }} {BY_THIS} HAVING (COUNT(?x) = 4)", {("a", "")}),
    "a key beside $this": (
        "$this ?value",
        f"{{ $this :part ?x . ?x :tag ?value }} {BY_THIS} ?value HAVING (COUNT(?x) > 1)",
        {("a", '"one"'), ("b", '"one"')},
    ),
    "the sum of the parts is the whole": (
        "$this ?value",
        f"{{ $this :total ?value {{ {SUM} }} FILTER (?sum != ?value) }}",
        {("a", _WHOLE.format(6))},
    ),
    "an average": (
        "$this (AVG(?x) AS ?value)",
        f"{{ $this :part/:amount ?x }} {BY_THIS} HAVING (AVG(?x) = 2.5)",
        {("a", _DECIMAL.format("2.5")), ("b", _DECIMAL.format("2.5"))},
    ),
    "the earliest day": (
        "$this (MIN(?x) AS ?value)",
        f"{{ $this :day ?x }} {BY_THIS} HAVING (MIN(?x) < MAX(?x))",
        {("a", _DAY.format("1999-12-31"))},
    ),
    "a calculated sum": (
        "$this",
        f"{{ $this :part/:amount ?x }} {BY_THIS} HAVING (SUM(?x * ?x) = 13)",
        {("a", ""), ("b", "")},
    ),
    "a count of none in a sub-query": (
        "$this",
        "{ $this :p ?y { SELECT (COUNT(?x) AS ?n) WHERE { $this :q ?x } } FILTER (?n = 0) }",
        {("b", "")},
    ),
    "a count per value": (
        "$this ?value",
        "{ $this :p ?value { SELECT $this ?value (COUNT(?x) AS ?n) WHERE { ?value :q ?x } GROUP BY $this ?value } "
        "FILTER (?n = 1) }",
        {("a", "<http://e/c>"), ("a", "<http://e/d>"), ("b", "<http://e/c>")},
    ),
    "a plain sub-query": (
        "$this ?value",
        "{ $this :p ?value { SELECT $this ?value { $this :q ?value } } }",
        {("a", "<http://e/b>")},
    ),
    "distinct solutions": (
        "$this (COUNT(?x) AS ?value)",
        f"{{ {{ SELECT DISTINCT $this ?x {{ $this :p/:q ?x }} }} }} {BY_THIS} HAVING (COUNT(?x) > 0)",
        {("a", _WHOLE.format(1)), ("b", _WHOLE.format(1))},
    ),
    "joined to nothing": ("$this", "{ ?x :tag ?y . ?z :tag ?y FILTER (?x = :x && ?z = :y) }", {("a", ""), ("b", "")}),
    "a count over the whole graph": (
        "$this",
        "{ $this :p ?y { SELECT (COUNT(?x) AS ?n) WHERE { ?x :tag ?t } } FILTER (?n > 1) }",
        {("a", ""), ("b", "")},
    ),
    "the order does not matter": ("$this ?value", "{ $this :q ?value } ORDER BY DESC(?value)", {("a", "<http://e/b>")}),
    "a node without a name": (
        "$this ?value",
        "{ $this :p [ :q ?value ] }",
        {("a", "<http://e/e>"), ("b", "<http://e/e>")},
    ),
}


def _shape(head: str, rest: str) -> str:
    return f"{ON_P} sh:sparql [ sh:select '''PREFIX : <http://e/> SELECT {head} WHERE {rest}''' ] ."


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_compiled_and_found(name: str, tmp_path: Path) -> None:
    """The query is compiled, finds what is expected, and pySHACL finds the same."""
    head, rest, expected = CASES[name]
    subject = made(tmp_path, DATA, _shape(head, rest))
    assert [each.way for each in subject.ways()] == ["compiled"]
    values = {(focus, "" if value == f"<http://e/{focus}>" else value) for focus, _, value in found(subject)}
    assert values == expected
    assert found(made(tmp_path, DATA, _shape(head, rest), engine="pyshacl")) == found(subject)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(40, 52))
def test_random_queries(seed: int, tmp_path: Path) -> None:
    """No difference to pySHACL, and every focus node that a claim changes is among those affected."""
    seen: Counter[str] = Counter()
    assert list(differences(tmp_path, seed, claims=6, seen=seen, draw=random_queries)) == []
    assert seen["(claims)"] == 6


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(60, 68))
def test_random_compositions(seed: int, tmp_path: Path) -> None:
    """As before, for queries in which scopes meet as they may."""
    seen: Counter[str] = Counter()
    assert list(differences(tmp_path, seed, claims=4, seen=seen, draw=random_compositions)) == []
    assert seen["(claims)"] == 4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_many_random_queries(tmp_path: Path) -> None:
    """As before, over many shapes, which between them break queries and each component."""
    seen: Counter[str] = Counter()
    for seed in range(3_000, 3_060):
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert list(differences(folder, seed, claims=50, seen=seen, draw=random_queries)) == []
    assert seen["(claims)"] == 3_000
    assert {"SPARQLConstraintComponent", "http://e/Least", "http://e/Near", "http://e/Said"} <= set(seen)


def test_random_queries_are_compiled(tmp_path: Path) -> None:
    """What the generator draws is compiled, so that it is compared."""
    for seed in range(60):
        (tmp_path / str(seed)).mkdir()
        subject = made(tmp_path / str(seed), "", random_queries(random.Random(seed)))
        assert {each.way for each in subject.ways()} == {"compiled"}


#: The claim's parts and what it breaks, for the shape with a count of all tags.
CHANGED: tuple[tuple[str, str, str, list[str]], ...] = (
    ("z", "tag", '"two"', ["SPARQL", "SPARQL"]),
    ("z", "other", '"two"', []),
    ("x", "tag", '"one"', []),
)


@pytest.mark.parametrize(("subject", "predicate", "object_", "expected"), CHANGED)
def test_a_count_of_everything_is_changed_from_anywhere(
    subject: str, predicate: str, object_: str, expected: list[str], tmp_path: Path
) -> None:
    """A triple that nothing joins to the targets is checked at all of them."""
    rest = "{ $this :p ?y { SELECT (COUNT(?x) AS ?n) WHERE { ?x :tag ?t } } FILTER (?n > 2) }"
    assert broken(made(tmp_path, DATA, _shape("$this", rest)), claim(subject, predicate, object_)) == expected


#: All that follows WHERE, and whether what it finds refutes a claim.
CONFLICTS = {
    f"{{ $this :p ?x }} {BY_THIS} HAVING (COUNT(?x) > 1)": True,
    f"{{ $this :p ?x }} {BY_THIS} HAVING (2 <= COUNT(DISTINCT ?x))": True,
    f"{{ $this :p ?x }} {BY_THIS} HAVING (COUNT(?x) < 9)": False,
    f"{{ $this :p ?x }} {BY_THIS} HAVING (COUNT(?x) = 4)": False,
    f"{{ $this :p ?x }} {BY_THIS} HAVING (!(COUNT(?x) <= 1))": False,
    f"{{ $this :p ?x FILTER NOT EXISTS {{ ?x :r ?y }} }} {BY_THIS} HAVING (COUNT(?x) > 1)": False,
    f"{{ $this :p ?y ; :total ?x }} {BY_THIS} HAVING (MAX(?x) > 5)": True,
    f"{{ $this :p ?y ; :total ?x }} {BY_THIS} HAVING (MIN(?x) > 5)": False,
    f"{{ $this :p ?y ; :total ?x }} {BY_THIS} HAVING (MIN(?x) < 7)": True,
    f"{{ $this :p ?y ; :total ?x }} {BY_THIS} HAVING (SUM(?x) > 5)": False,
    "{ $this :p ?y { SELECT $this (COUNT(?x) AS ?n) WHERE { $this :p ?x } GROUP BY $this } FILTER (?n > 1) }": True,
    "{ $this :p ?y { SELECT $this (COUNT(?x) AS ?n) WHERE { $this :p ?x } GROUP BY $this } FILTER (?n < 9) }": False,
    "{ $this :p ?y { SELECT (COUNT(?x) AS ?n) WHERE { $this :p ?x } } FILTER (?n + 1 > 1) }": False,
}


@pytest.mark.parametrize("rest", CONFLICTS)
def test_what_more_triples_could_mend_does_not_refute(rest: str, tmp_path: Path) -> None:
    """Too many values are a conflict; too few, and whatever may move either way, are an absence."""
    subject = made(tmp_path, DATA, _shape("$this", rest))
    assert [each.conflict for each in subject.judge([claim("a", "p", "f")])] == [CONFLICTS[rest]]


def test_only_the_values_that_count_are_to_blame(tmp_path: Path) -> None:
    """One of too many values is to blame, a fault that stands without the claim is not."""
    subject = made(tmp_path, DATA, _shape("$this", f"{{ $this :p ?x }} {BY_THIS} HAVING (COUNT(?x) > 2)"))
    assert broken(subject, claim("a", "p", "b")) == ["SPARQL"]
    assert broken(subject, claim("a", "p", "f")) == ["SPARQL"]
    assert broken(subject, claim("a", "q", "f")) == []
    assert broken(subject, claim("b", "p", "f")) == []
    assert broken(subject, claim("b", "p", "f"), claim("b", "p", "g")) == ["SPARQL"]


def test_a_sum_that_has_no_value_is_not_passed_over(tmp_path: Path) -> None:
    """In plain SPARQL the solution would be dropped, and the shape would seem to hold."""
    shapes = _shape("$this", f"{{ $this :p ?y ; :total ?x }} {BY_THIS} HAVING (SUM(?x) > 100)")
    subject = made(tmp_path, DATA, shapes)
    assert broken(subject, claim("a", "total", '"3"^^<http://www.w3.org/2001/XMLSchema#integer>')) == []
    with pytest.raises(CheckFailed, match="many is no number to add"):
        subject.judge([claim("a", "total", '"many"')])


MANY = "".join(f":n{i} :p :n{i + 1} , :n{i * 7 % 900} . " for i in range(900))
FAN = "".join(f":n5 :p :m{i} . :m{i} :p :k{j} . :k{j} :p :n5 . " for i in range(40) for j in range(40))
HOSTILE = {
    "a count of everything joined": (
        MANY,
        "{ ?a :p ?b . ?c :p ?d . ?e :p ?f . $this :p ?g } GROUP BY $this HAVING (COUNT(*) > 1)",
    ),
    "a group for each solution": (
        MANY,
        "{ ?a :p ?b . ?c :p ?d . ?e :p ?f . $this :p ?g } GROUP BY $this ?a ?b ?c ?d ?e ?f HAVING (COUNT(*) > 1)",
    ),
    "ways beyond number": (FAN, f"{{ $this {'/'.join([':p'] * 30)} ?x }} GROUP BY $this HAVING (COUNT(*) < 1)"),
    "a sub-query for each solution": (
        MANY,
        "{ $this :p ?y . ?a :p ?b . ?c :p ?d { SELECT $this ?a ?c (COUNT(?x) AS ?n) WHERE { ?a :p ?x . ?c :p ?x . "
        "$this :p ?z } GROUP BY $this ?a ?c } FILTER (?n < 0) }",
    ),
    "two sub-queries joined": (
        MANY,
        "{ { SELECT $this ?a ?b { ?a :p ?b . ?b :p ?e } } { SELECT $this ?c ?d { ?c :p ?d . ?d :p ?f } } "
        "FILTER (?a = ?x) }",
    ),
}


@ends
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_queries_are_cut_short(name: str, tmp_path: Path) -> None:
    """The answer comes soon after the limit, and is that nothing was judged."""
    data, rest = HOSTILE[name]
    subject = made(tmp_path, data, _shape("$this", rest))
    assert [each.way for each in subject.ways()] == ["compiled"]
    with pytest.raises(LimitExceeded, match="took too long"):
        subject.judge([claim("n5", "p", "n9")], limit_s=0.5)


def test_a_query_in_brackets_is_one_group(tmp_path: Path) -> None:
    """A sub-query and the patterns beside it are joined, in whatever order they stand."""
    first = query("{ SELECT $this ?value { $this :q ?value } } $this :p ?value")
    second = query("$this :p ?value { SELECT $this ?value { $this :q ?value } }")
    for each in (first, second):
        assert found(made(tmp_path, DATA, f"{ON_P} {each} .")) == {("a", "SPARQL", "<http://e/b>")}
