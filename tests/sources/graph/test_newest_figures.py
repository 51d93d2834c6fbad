"""Figures of points in time: the newest is what it is said to be now, the others are of their own times."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur import Oracle

_HEAD = """@prefix : <https://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:population a owl:DatatypeProperty ; rdfs:label "population" . :mayor a owl:ObjectProperty ; rdfs:label "mayor" .
:pointInTime rdfs:label "point in time" . :start rdfs:label "start time" .
:arden a :Town ; rdfs:label "Arden" . :Town a owl:Class ; rdfs:label "town" . :bo rdfs:label "Bo Lind" .
:arden :populationStatement :s1 . :s1 :population 5200 ; :pointInTime "2020"^^xsd:gYear .
"""
_OLD = ':arden :populationStatement :s2 . :s2 :population 4800 ; :pointInTime "2010"^^xsd:gYear .\n'
_YAML = """version: 1
graph:
  data: [data.ttl]
  time: {from: [https://example.org/start]}
"""


def _labels(folder: Path, data: str, *texts: str) -> list[str]:
    folder.joinpath("data.ttl").write_text(_HEAD + data, encoding="utf-8")
    folder.joinpath("imprimatur.yaml").write_text(_YAML, encoding="utf-8")
    oracle = Oracle.from_folder(folder)
    return [oracle.check(text).segments[0].label.value for text in texts]


@pytest.mark.parametrize("data", ["", _OLD])
def test_the_newest_is_the_present_one(tmp_path: Path, data: str) -> None:
    """With and without an older one; each is of its own year."""
    assert _labels(
        tmp_path,
        data,
        "The population of Arden is 5,200.",
        "The population of Arden was 5,200 in 2020.",
        "The population of Arden is 4,800.",
        "The population of Arden was 5,200 in 2010.",
    )[:2] == ["supported", "supported"]
    assert "supported" not in _labels(
        tmp_path, data, "The population of Arden is 4,800.", "The population of Arden was 5,200 in 2010."
    )


@pytest.mark.parametrize(
    "data",
    [
        ':arden :populationStatement :s2 . :s2 :population 6000 ; :pointInTime "2021"^^xsd:gYear .',
        ':arden :populationStatement :s2 . :s2 :population 6000 ; :pointInTime "2020"^^xsd:gYear .',
        ':arden :populationStatement :s2 . :s2 :population 6000 ; :start "2021"^^xsd:gYear .',
        ':arden :populationStatement :s2 . :s2 :population 6000 ; :pointInTime "lately" .',
    ],
)
def test_what_may_be_older_is_not(tmp_path: Path, data: str) -> None:
    """Newer, of the same year, since then, of an unreadable time: 5,200 is not what it is now."""
    assert _labels(tmp_path, data, "The population of Arden is 5,200.") != ["supported"]


def test_who_held_an_office_at_a_point_is_no_figure(tmp_path: Path) -> None:
    """Of a thing that stood somewhere at a point, nothing is known now."""
    data = ':arden :mayorStatement :s2 . :s2 :mayor :bo ; :pointInTime "2020"^^xsd:gYear .'
    assert _labels(tmp_path, data, "The mayor of Arden is Bo Lind.") == ["not_found"]


def test_the_newest_figure_refutes_another_one_and_proves_no_denial(tmp_path: Path) -> None:
    """Of a functional property: 6,000 is wrong; that it is not 6,000 today is not known."""
    data = ":population a owl:FunctionalProperty ."
    said = ("The population of Arden is 6,000.", "The population of Arden is not 6,000.")
    assert _labels(tmp_path, data, *said) == ["contradicted", "not_found"]
