"""Shares, sums, means and medians of all things of a class of a graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur import Oracle

_GRAPH = """@prefix : <https://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:length a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "length" ; qudt:hasUnit unit:KiloM ;
  rdfs:domain :Brook ; rdfs:range xsd:decimal .
:warmth a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "temperature" ; qudt:hasUnit unit:DEG_C ;
  rdfs:domain :Brook ; rdfs:range xsd:decimal .
:navigable a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "navigable" ; rdfs:range xsd:boolean .
:flowsInto a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "flows into" ;
  rdfs:domain :Brook ; rdfs:range :Lake .
:Brook a owl:Class ; rdfs:label "brook" . :Beck a owl:Class ; rdfs:subClassOf :Brook ; rdfs:label "beck" .
:Lake a owl:Class ; rdfs:label "lake" .
:tarn a :Lake ; rdfs:label "Long Tarn" . :mere a :Lake ; rdfs:label "Low Mere" .
:elm a :Brook ; rdfs:label "Elm Brook" ; :length 12.5 ; :flowsInto :tarn ; :navigable true ; :warmth 8 .
:oak a :Brook ; rdfs:label "Oak Brook" ; :length 4 ; :flowsInto :tarn ; :navigable false ; :warmth 10 .
:ash a :Beck ; rdfs:label "Ash Beck" ; :length 7 ; :flowsInto :mere ; :warmth 12 .
:fir a :Brook ; rdfs:label "Fir Brook" ; :length 30 ; :flowsInto :tarn ; :navigable true ; :warmth 9 .
"""
_SENTENCES = {
    "supported": """
        Three quarters of the brooks flow into Long Tarn.
        75% of the brooks flow into Long Tarn.
        Most brooks flow into Long Tarn.
        One in four brooks flows into Low Mere.
        Three of the four brooks flow into Long Tarn.
        At least half of the brooks are navigable.
        All brooks that flow into Long Tarn are over 3 km long.
        The average length of the brooks is 13.4 km.
        The brooks that flow into Long Tarn have a total length of 46.5 km.
        The median length of the brooks is 9.75 km.
        Together, the brooks are 33.2 miles long.
        The average temperature of the brooks is 9.75 °C.
        The average temperature of the brooks is 49.6 °F.
    """,
    "contradicted": """
        Half of the brooks flow into Long Tarn.
        Most brooks flow into Low Mere.
        All brooks flow into Long Tarn.
        None of the brooks flow into Low Mere.
        Three of the five brooks flow into Long Tarn.
        A quarter of the brooks are navigable.
        The average length of the brooks is 14.4 km.
        The average length of the brooks is 13.4 miles.
        The total length of the brooks is 13.4 km.
        The brooks that flow into Long Tarn have a total length of 47.5 km.
        The average temperature of the brooks is 9.75 °F.
    """,
    "not_found": """
        Half of the brooks are navigable.
        Half of the lakes are navigable.
        The brooks that flow into Low Mere have a total length of 7 km.
        The average length of the lakes is 13.4 km.
        The total temperature of the brooks is 102 °F.
        Three quarters of the brooks flow out of Long Tarn.
        Three quarters of the brooks flow into Long Mere.
        The total temperature of the brooks is not 40 km.
        The brooks that flow into Low Mere and Long Tarn have a total length of 46.5 km.
    """,
}
_EACH = [(label, line.strip()) for label, lines in _SENTENCES.items() for line in lines.strip().splitlines()]


def _oracle(folder: Path, complete: str) -> Oracle:
    (folder / "brooks.ttl").write_text(_GRAPH, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text(f"version: 1\ngraph: {{data: [brooks.ttl]{complete}}}\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """Four brooks that are all there are; of one it is not known whether it is navigable."""
    return _oracle(tmp_path_factory.mktemp("brooks"), ", complete: ['https://e.org/Brook']")


@pytest.mark.parametrize(("label", "sentence"), _EACH, ids=[sentence for _, sentence in _EACH])
def test_a_class_as_a_whole(oracle: Oracle, label: str, sentence: str) -> None:
    """What is said of all brooks, or of all of a description, is as the graph has it."""
    assert oracle.check(sentence).segments[0].label.value == label


def test_an_open_class_has_no_figure(tmp_path: Path) -> None:
    """Where the graph may not have all, nothing that was supported is, and only a counterexample refutes."""
    oracle = _oracle(tmp_path, "")
    for sentence in (line.strip() for line in _SENTENCES["supported"].strip().splitlines()):
        assert oracle.check(sentence).segments[0].label.value == "not_found", sentence
    assert oracle.check("All brooks flow into Long Tarn.").segments[0].label.value == "contradicted"


def test_the_right_figure_stands_with_the_facts(oracle: Oracle) -> None:
    """A wrong mean has the right one beside it, in the answer's unit and as finely written."""
    (first, *_) = oracle.check("The average length of the brooks is 15.0 km.").segments[0].claims[0].verdict.evidence
    assert (first.kind, first.correction) == ("triple", "13.4 km")
    (first, *_) = oracle.check("Half of the brooks flow into Long Tarn.").segments[0].claims[0].verdict.evidence
    assert first.correction == "3 of 4"
