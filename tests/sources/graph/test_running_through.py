"""What runs is said to flow through where it lies; what stands is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

_GRAPH = """
@prefix : <https://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:River a owl:Class ; rdfs:label "river" . :Town a owl:Class ; rdfs:label "town" .
:Road a owl:Class ; rdfs:label "motorway" .
:County a owl:Class ; rdfs:label "county" .
:riverIn a owl:ObjectProperty ; rdfs:label "is located in" ; rdfs:domain :River ; rdfs:range :County .
:townIn a owl:ObjectProperty ; rdfs:label "location" ; rdfs:domain :Town ; rdfs:range :County .
:roadIn a owl:ObjectProperty ; rdfs:label "in county" ; rdfs:domain :Road ; rdfs:range :County .
:ebba a :River ; rdfs:label "Ebba" ; :riverIn :tarn . :bree a :Town ; rdfs:label "Bree" ; :townIn :tarn .
:m7 a :Road ; rdfs:label "Route 7" ; :roadIn :tarn . :tarn a :County ; rdfs:label "Tarnshire" .
"""


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A river, a town and a road in one county."""
    folder: Path = tmp_path_factory.mktemp("course")
    (folder / "g.ttl").write_text(_GRAPH, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\ngraph: {data: [g.ttl]}\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize("sentence", ["{} is located in Tarnshire.", "{} lies in Tarnshire."])
@pytest.mark.parametrize("name", ["The Ebba", "Bree", "Route 7"])
def test_all_of_them_lie_there(oracle: Oracle, name: str, sentence: str) -> None:
    """Being somewhere is said of all."""
    assert oracle.check(sentence.format(name)).segments[0].label is Label.SUPPORTED


@pytest.mark.parametrize("sentence", ["{} runs through Tarnshire.", "{} crosses Tarnshire."])
def test_only_what_runs_runs(oracle: Oracle, sentence: str) -> None:
    """Running through is said of the river and the road, never of the town."""
    labels = [oracle.check(sentence.format(name)).segments[0].label for name in ("The Ebba", "Route 7", "Bree")]
    assert labels[:2] == [Label.SUPPORTED, Label.SUPPORTED]
    assert labels[2] is not Label.SUPPORTED
