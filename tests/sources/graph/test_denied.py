"""What a graph denies outright refutes, from either end and of narrower properties, and is never licensed."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.oracle import Oracle
from imprimatur.verdict import Label, Reason, worst

_HEAD = """@prefix : <https://firms.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:orla a :Person ; rdfs:label "Orla Finch" .
:tess a :Person ; rdfs:label "Tess Abara" .
:loom a :Firm ; rdfs:label "Meridian Loom" .
:kiln a :Firm ; rdfs:label "Vale Kiln" .
:founded a owl:ObjectProperty ; rdfs:label "founded" .
:foundedBy a owl:ObjectProperty ; rdfs:label "founder" ; owl:inverseOf :founded .
:ledBy a owl:ObjectProperty ; rdfs:label "leader" .
:ownedBy a owl:ObjectProperty ; rdfs:label "owner" ; rdfs:subPropertyOf :ledBy .
:staff a owl:DatatypeProperty ; rdfs:label "staff" .
:born a owl:DatatypeProperty ; rdfs:label "birth date" ; rdfs:range xsd:date .
"""


def _denial(subject: str, name: str, value: str, target: str = "targetIndividual") -> str:
    return (
        f"[] a owl:NegativePropertyAssertion ; owl:sourceIndividual :{subject} ; owl:assertionProperty :{name} ; "
        f"owl:{target} {value} .\n"
    )


_ORLA = _denial("loom", "foundedBy", ":orla")
_BORN = _denial("orla", "born", '"1990-05-05"^^xsd:date', "targetValue")
_STAFF = _denial("loom", "staff", "1500", "targetValue")


def _judged(folder: Path, graph: str, sentence: str) -> tuple[Label, tuple[Reason, ...]]:
    (folder / "graph.ttl").write_text(_HEAD + graph, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text(
        "version: 1\npolicy: strict\ngraph: {data: [graph.ttl]}\n", encoding="utf-8"
    )
    oracle = Oracle.from_folder(folder, cache_dir=folder / "cache")
    report = oracle.check(sentence)
    for segment in report.segments:
        for claim in segment.claims:
            # The query of each piece of evidence finds it again.
            assert all(
                oracle.knowledge.part is not None and oracle.knowledge.part.graph.ask(item.query)
                for item in claim.verdict.evidence
                if item.query
            )
    reasons = tuple(r for segment in report.segments for claim in segment.claims for r in claim.verdict.reasons)
    return worst([segment.label for segment in report.segments]), reasons


@pytest.mark.parametrize(
    ("graph", "sentence", "label"),
    [
        (_denial("loom", "foundedBy", ":orla"), "The founder of Meridian Loom is Orla Finch.", Label.CONTRADICTED),
        (_denial("loom", "foundedBy", ":orla"), "The founder of Meridian Loom is not Orla Finch.", Label.SUPPORTED),
        (_denial("loom", "foundedBy", ":orla"), "The founder of Meridian Loom is Tess Abara.", Label.NOT_FOUND),
        (_denial("loom", "foundedBy", ":orla"), "The founder of Vale Kiln is Orla Finch.", Label.NOT_FOUND),
        (_denial("orla", "founded", ":loom"), "The founder of Meridian Loom is Orla Finch.", Label.CONTRADICTED),
        (_denial("loom", "ledBy", ":tess"), "The owner of Meridian Loom is Tess Abara.", Label.CONTRADICTED),
        (_denial("loom", "ownedBy", ":tess"), "The leader of Meridian Loom is Tess Abara.", Label.NOT_FOUND),
        (_denial("loom", "staff", "15", "targetValue"), "The staff of Meridian Loom is 15.", Label.CONTRADICTED),
        (_denial("loom", "staff", "15", "targetValue"), "The staff of Meridian Loom is 16.", Label.NOT_FOUND),
        (_BORN, "The birth date of Orla Finch is 5 May 1990.", Label.CONTRADICTED),
        (_BORN, "Orla Finch was not born on 5 May 1990.", Label.SUPPORTED),
    ],
)
def test_what_is_denied(tmp_path: Path, graph: str, sentence: str, label: Label) -> None:
    """Of the same thing, property and value only; a denial of the broader property denies the narrower one as well."""
    found, reasons = _judged(tmp_path, graph, sentence)
    assert found is label
    assert (Reason.NEGATIVE_ASSERTION in reasons) is (label is not Label.NOT_FOUND)


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (_BORN, "Orla Finch was not born in 1990."),
        (_BORN, "Orla Finch was not born in May 1990."),
        (_BORN, "Orla Finch was not born before 1995."),
        (_BORN, "Orla Finch was not born in the 1990s."),
        (_STAFF, "The staff of Meridian Loom is not about 1500."),
        (_STAFF, "The staff of Meridian Loom is not more than 1000."),
        (_STAFF, "The staff of Meridian Loom is not between 1000 and 2000."),
    ],
)
def test_what_is_wider_than_the_denied_value_may_be_so(tmp_path: Path, graph: str, sentence: str) -> None:
    """A day, or a number, that is denied leaves the rest of its year, and all that lies about it."""
    assert _judged(tmp_path, graph, sentence)[0] is not Label.SUPPORTED


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (":loom :foundedBy :orla .\n" + _ORLA, "The founder of Meridian Loom is Orla Finch."),
        (":orla :founded :loom .\n" + _ORLA, "The founder of Meridian Loom is Orla Finch."),
        (":loom :staff 15 .\n" + _denial("loom", "staff", "15", "targetValue"), "The staff of Meridian Loom is 15."),
    ],
)
def test_what_is_stated_and_denied_is_no_licence(tmp_path: Path, graph: str, sentence: str) -> None:
    """Stated, or implied by the inverse: the graph contradicts itself."""
    assert _judged(tmp_path, graph, sentence) == (Label.CONFLICTING, (Reason.NEGATIVE_ASSERTION,))


@pytest.mark.parametrize("missing", ["owl:sourceIndividual", "owl:assertionProperty", "owl:targetIndividual"])
def test_half_a_denial_denies_nothing(tmp_path: Path, missing: str) -> None:
    """Without its subject, its property or its value."""
    graph = ":loom :foundedBy :orla .\n" + _denial("loom", "foundedBy", ":orla").replace(missing, "rdfs:seeAlso")
    assert _judged(tmp_path, graph, "The founder of Meridian Loom is Orla Finch.")[0] is Label.SUPPORTED
