"""Properties that are yes or no: how they are spoken of, and graphs that have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur import Oracle
from imprimatur.sources.graph.flag_wordings import clock_wordings, flag_wordings

_GRAPH = """@prefix : <https://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:hasWeir a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "has a weir" ; rdfs:range xsd:boolean .
:navigable a owl:DatatypeProperty ; rdfs:label "navigable" ; rdfs:range xsd:boolean .
:Brook a owl:Class ; rdfs:label "brook" .
:elm a :Brook ; rdfs:label "Elm Brook" ; :hasWeir true ; :navigable false .
:oak a :Brook ; rdfs:label "Oak Brook" ; :hasWeir "0"^^xsd:boolean ; :navigable "1"^^xsd:boolean .
:ash a :Brook ; rdfs:label "Ash Brook" .
"""


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("has WiFi", "?have|obj=wifi|subj=*"),
        ("parking", "?have|obj=parking|subj=*"),
        ("is tidal", "?be|adj=tidal|subj=*"),
        ("tidal", "?be|adj=tidal|subj=*"),
        ("accepts credit cards", "?accept|obj=+card<credit|subj=*"),
        ("automated", "?automate|obj=*"),
        ("dogs allowed", "?allow|loc=*|obj=+dog"),
    ],
)
def test_a_label_gives_the_clauses_that_it_allows(label: str, key: str) -> None:
    """What a thing has, is, does, and what is done there."""
    assert flag_wordings([label])[key] == 0


def test_what_is_had_is_also_offered() -> None:
    """A step further than the property's own words."""
    assert flag_wordings(["free parking"])["?offer|obj=parking<free|subj=*"] == 1


def test_a_label_with_a_place_for_a_time() -> None:
    """The time stands for any; a label without one is none of a time."""
    assert "?close|loc=@|subj=*" in clock_wordings(["closes at …"])
    assert not clock_wordings(["closes early"])


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("Elm Brook has a weir.", "supported"),
        ("Elm Brook has no weir.", "contradicted"),
        ("Oak Brook has a weir.", "contradicted"),
        ("Oak Brook does not have a weir.", "supported"),
        ("Ash Brook has a weir.", "not_found"),
        ("Ash Brook has no weir.", "not_found"),
        ("Oak Brook is navigable.", "supported"),
        ("Elm Brook is not navigable.", "not_found"),
        ("Elm Brook is navigable.", "not_found"),
        ("Elm Brook has a broken weir.", "not_found"),
        ("Elm Brook has two weirs.", "not_found"),
        ("Elm Brook has weirs.", "not_found"),
        ("Elm Brook will have a weir.", "not_found"),
    ],
)
def test_truth_values_of_a_graph(tmp_path: Path, sentence: str, label: str) -> None:
    """True supports, false refutes where there is one value, nothing is silence."""
    (tmp_path / "g.ttl").write_text(_GRAPH, encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ngraph: {data: [g.ttl]}\n", encoding="utf-8")
    assert Oracle.from_folder(tmp_path).check(sentence).segments[0].label.value == label
