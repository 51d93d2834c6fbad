"""What is called a place is no date, and what is called a date is no place, whatever a frame has in common for both."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from imprimatur.oracle import Oracle

_GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:birthPlace rdfs:label "birth place" . :deathPlace rdfs:label "death place" .
:birthDate rdfs:label "birth date" . :deathYear rdfs:label "death year" .
:see rdfs:label "Elliot See" ; :birthPlace :dallas ; :birthDate "1927-07-23"^^xsd:date ;
  :deathPlace :louis ; :deathYear 1966 .
:dallas rdfs:label "Dallas" . :louis rdfs:label "St. Louis" .
"""
#: The place as a text, and the time as a thing.
_TURNED = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:birthPlace rdfs:label "birth place" . :birthTime rdfs:label "birth date" .
:lee rdfs:label "Ann Lee" ; :birthPlace "Lodz" ; :birthTime :spring . :spring rdfs:label "Early Spring" .
:jo rdfs:label "Jo Orr" ; :birthPlace "Oslo" .
"""
#: What has a number as its value, and a noun that may name a place.
_AREA = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
:watershed rdfs:label "watershed area" ; qudt:hasUnit unit:MI2 .
:run rdfs:label "Streets Run" ; :watershed 10.04 .
"""


@cache
def _oracle(graph: str) -> Oracle:
    with TemporaryDirectory() as folder:
        Path(folder, "graph.ttl").write_text(graph, encoding="utf-8")
        Path(folder, "imprimatur.yaml").write_text("version: 1\ngraph: {data: [graph.ttl]}\n", encoding="utf-8")
        return Oracle.from_folder(folder)


def label(text: str, graph: str = _GRAPH) -> str:
    """The label of the only segment."""
    return str(_oracle(graph).check(text).segments[0].label)


@pytest.mark.parametrize(
    "text",
    [
        "Elliot See was born in Dallas.",
        "Elliot See's birthplace is Dallas.",
        "The place of birth of Elliot See is Dallas.",
        "Elliot See was born on 23 July 1927.",
        "The date of birth of Elliot See is 23 July 1927.",
        "The birth year of Elliot See is 1927.",
        "Elliot See died in 1966.",
    ],
)
def test_each_noun_names_its_own_value(text: str) -> None:
    """The frame of births is for both, and the right noun still finds the right value."""
    assert label(text) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "The birth date of Elliot See is Dallas.",
        "Elliot See's date of birth is Dallas.",
        "Dallas is the birth year of Elliot See.",
        "The birth place of Elliot See is 23 July 1927.",
        "The birthplace of Elliot See is 23 July 1927.",
        "23 July 1927 is the birthplace of Elliot See.",
        "The death date of Elliot See is St. Louis.",
        "The death place of Elliot See is 1966.",
    ],
)
def test_the_noun_of_the_other_licenses_nothing(text: str) -> None:
    """A true value under the noun of another kind makes a false sentence."""
    assert label(text) != "supported"


def test_an_area_is_a_number_and_no_place() -> None:
    """Frames say "drainage area" of a watershed, and that is no place."""
    assert label("The drainage area of Streets Run is 10.04 square miles.", _AREA) == "supported"


@pytest.mark.parametrize(
    ("text", "licensed"),
    [
        ("The birth place of Ann Lee is Lodz.", True),
        ("The birth date of Ann Lee is Early Spring.", True),
        ("The birth year of Ann Lee is Lodz.", False),
        ("The date of birth of Ann Lee is Lodz.", False),
        ("The birthplace of Ann Lee is Early Spring.", False),
        ("Early Spring is the birthplace of Ann Lee.", False),
    ],
)
def test_the_own_noun_says_what_a_value_is(text: str, licensed: bool) -> None:
    """A place may be written as a text, and a time be a thing with a name: then the property's noun decides."""
    assert (label(text, _TURNED) == "supported") is licensed
