"""The SHACL feature matrix: what runs how. Each row is an example shape, and the compiler itself says how it runs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from imprimatur.sources.graph.load import Loader
from imprimatur.sources.graph.store import graph_of
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.facts import read_facts
from imprimatur.sources.shacl.parameters import PARAMETERS

__all__ = ["EXAMPLES", "Row", "markdown", "rows"]

_PREFIXES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
_INNER = "[ sh:class :C ]"


def _path(path: str) -> str:
    return f"sh:property [ sh:path {path} ; sh:minCount 1 ]"


def _query(body: str, head: str = "$this") -> str:
    return f"sh:sparql [ sh:select 'PREFIX : <http://example.org/> SELECT {head} WHERE {{ {body} }}' ]"


def _grouped(body: str, end: str, key: str = "$this") -> str:
    text = f"PREFIX : <http://example.org/> SELECT $this WHERE {{ {body} }} GROUP BY $this {key} {end}"
    return f"sh:sparql [ sh:select '{text}' ]"


_PARAMETER_EXAMPLES = {
    "class": ":C",
    "datatype": "xsd:date",
    "nodeKind": "sh:IRI",
    "minLength": "2",
    "maxLength": "9",
    "pattern": "'^a' ; sh:flags 'i'",
    "languageIn": "( 'en' )",
    "equals": ":q",
    "disjoint": ":q",
    "lessThan": ":q",
    "lessThanOrEquals": ":q",
    "not": _INNER,
    "and": f"( {_INNER} )",
    "or": f"( {_INNER} )",
    "xone": f"( {_INNER} )",
    "node": _INNER,
    "qualifiedValueShape": f"{_INNER} ; sh:qualifiedMinCount 1 ; sh:qualifiedValueShapesDisjoint true",
    "closed": "true ; sh:ignoredProperties ( :q )",
    "hasValue": ":a",
    "in": "( :a :b )",
    "uniqueLang": "true",
}
#: Section, feature and example, beside the constraint parameters.
EXAMPLES: tuple[tuple[str, str, str], ...] = (
    ("Targets", "`sh:targetNode`", "sh:targetNode :a ; sh:nodeKind sh:IRI"),
    ("Targets", "`sh:targetClass`, with subclasses", "sh:targetClass :C ; sh:nodeKind sh:IRI"),
    ("Targets", "a class that is a shape", "a rdfs:Class ; sh:nodeKind sh:IRI"),
    ("Targets", "`sh:targetSubjectsOf`", "sh:targetSubjectsOf :p ; sh:nodeKind sh:IRI"),
    ("Targets", "`sh:targetObjectsOf`", "sh:targetObjectsOf :p ; sh:nodeKind sh:IRI"),
    ("Targets", "`sh:target` (Advanced Features)", "sh:target [ sh:select 'SELECT ?this WHERE { }' ]"),
    ("Paths", "a predicate", _path(":p")),
    ("Paths", "inverse", _path("[ sh:inversePath :p ]")),
    ("Paths", "sequence", _path("( :p :q )")),
    ("Paths", "alternative", _path("[ sh:alternativePath ( :p :q ) ]")),
    ("Paths", "zero or more, one or more, zero or one", _path("[ sh:zeroOrMorePath [ sh:oneOrMorePath :p ] ]")),
    ("Shapes", "`sh:property`, nested", "sh:property [ sh:path :p ; sh:property [ sh:path :q ; sh:maxCount 1 ] ]"),
    ("Shapes", "`sh:deactivated`, `sh:severity`, `sh:message`", "sh:severity sh:Warning ; sh:message 'no'"),
    ("Shapes", "custom constraint components with `sh:ask` or `sh:select`", ":limit 5"),
    ("Shapes", "`sh:expression`, `sh:js` (Advanced Features)", "sh:expression [ sh:path :p ]"),
    (
        "Shapes",
        "`sh:rule`: triple rules and SPARQL rules",
        "sh:rule [ sh:subject sh:this ; sh:predicate :p ; sh:object 1 ]",
    ),
    ("Queries (`sh:sparql`)", "patterns with property paths", _query("$this :p/:q* ?x")),
    (
        "Queries (`sh:sparql`)",
        "FILTER with comparisons, arithmetic, text functions",
        _query("$this :p ?x FILTER (?x < 5 * 2)"),
    ),
    ("Queries (`sh:sparql`)", "EXISTS and NOT EXISTS", _query("$this :p ?x FILTER NOT EXISTS { ?x :q $this }")),
    ("Queries (`sh:sparql`)", "OPTIONAL", _query("$this :p ?x OPTIONAL { ?x :q ?y } FILTER (!bound(?y))")),
    ("Queries (`sh:sparql`)", "UNION", _query("{ $this :p ?x } UNION { $this :q ?x }")),
    (
        "Queries (`sh:sparql`)",
        "BIND, computed variables",
        _query("$this :p ?x BIND (STR(?x) AS ?value)", "$this ?value"),
    ),
    ("Queries (`sh:sparql`)", "a variable for a predicate", _query("$this ?path ?value", "$this ?path ?value")),
    (
        "Queries (`sh:sparql`)",
        "`$PATH` in property shapes",
        "sh:property [ sh:path :p ; " + _query("$this $PATH ?value") + " ]",
    ),
    (
        "Queries (`sh:sparql`)",
        "functions on texts, days and terms, digests",
        _query("$this :p ?x FILTER (YEAR(?x) = 2000 && SUBSTR(?x, 1, 2) = SHA1(CONCAT(?x, ?x)))"),
    ),
    ("Queries (`sh:sparql`)", "NOW, RAND, UUID, STRUUID, BNODE, TIMEZONE", _query("$this :p ?x FILTER (?x < NOW())")),
    ("Queries (`sh:sparql`)", "patterns that nothing joins to `$this` (examined at all targets)", _query("?a :p ?b")),
    ("Queries (`sh:sparql`)", "sub-queries", _query("{ SELECT DISTINCT $this ?y { $this :p ?y } }")),
    (
        "Queries (`sh:sparql`)",
        "GROUP BY, HAVING, COUNT, SUM, AVG, MIN, MAX",
        _grouped("$this :p ?x", "HAVING (COUNT(DISTINCT ?x) > 3 && SUM(?x) > MAX(?x))"),
    ),
    (
        "Queries (`sh:sparql`)",
        "aggregates in sub-queries",
        _query("$this :p ?y { SELECT $this (SUM(?x) AS ?s) { $this :q ?x } GROUP BY $this } FILTER (?s != ?y)"),
    ),
    ("Queries (`sh:sparql`)", "SAMPLE, GROUP_CONCAT", _grouped("$this :p ?x", "HAVING (SAMPLE(?x) = 3)")),
    ("Queries (`sh:sparql`)", "GROUP BY of an expression", _grouped("$this :p ?x", "", "STR(?x)")),
    ("Queries (`sh:sparql`)", "ORDER BY", _grouped("$this :p ?x", "ORDER BY ?x", "?x")),
    ("Queries (`sh:sparql`)", "LIMIT, OFFSET", _grouped("$this :p ?x", "LIMIT 1", "?x")),
    ("Queries (`sh:sparql`)", "a negated property set", _query("$this !(:p) ?x")),
    (
        "Queries (`sh:sparql`)",
        "MINUS, VALUES, SERVICE (W3C SHACL bars them)",
        _query("$this :p ?x MINUS { $this :q ?x }"),
    ),
    ("Queries (`sh:sparql`)", "GRAPH, `$shapesGraph`", _query("GRAPH $shapesGraph { $this :p ?x }")),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A feature, and how a shape that uses it runs."""

    section: str
    feature: str
    way: str
    reason: str


def rows() -> Iterator[Row]:
    """The rows of the matrix, each as the compiler judges its example."""
    for section, feature, example in EXAMPLES[:6]:
        yield _row(section, feature, example)
    for name in PARAMETERS:
        if name != "sparql":
            value = _PARAMETER_EXAMPLES.get(name, "1")
            yield _row("Constraints", f"`sh:{name}`", f"sh:property [ sh:path :p ; sh:{name} {value} ]")
    for section, feature, example in EXAMPLES[6:]:
        yield _row(section, feature, example)


def _row(section: str, feature: str, example: str) -> Row:
    target = "" if section == "Targets" else "sh:targetClass :C ; "
    custom = (
        ":Own a sh:ConstraintComponent ; sh:parameter [ sh:path :limit ] ; "
        "sh:validator [ sh:ask 'ASK { FILTER (STRLEN(STR($value)) < $limit) }' ] .\n"
    )
    text = f"{_PREFIXES}{custom}:S a sh:NodeShape ; {target}{example} ."
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shapes.ttl"
        path.write_text(text, encoding="utf-8")
        (root,) = Engine(graph_of(Loader()), read_facts([path])).roots
    return Row(section, feature, root.way, root.why)


def markdown() -> str:
    """The matrix as Markdown tables, one a section."""
    lines: list[str] = []
    section = ""
    for row in rows():
        if row.section != section:
            section = row.section
            lines += ["", f"## {section}", "", "| feature | runs | why |", "|---|---|---|"]
        lines.append(f"| {row.feature} | {row.way} | {row.reason} |")
    return "\n".join(lines) + "\n"
