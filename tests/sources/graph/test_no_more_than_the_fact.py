"""A wording that says more than a property, or something else, is not borne out by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

_GRAPH = """
@prefix : <https://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:location rdfs:label "location" . :habitat rdfs:label "habitat" . :basis rdfs:label "based on" .
:isPartOf rdfs:label "is part of" . :author rdfs:label "author" . :publisher rdfs:label "publisher" .
:foundingYear rdfs:label "founding year" . :birthYear rdfs:label "birth year" .
:foundingDate rdfs:label "founding date" .
:vell rdfs:label "Vell Works" ; :location :tarnby ; :foundingYear "1903-01-01"^^xsd:date .
:orm rdfs:label "Orm Press" ; :foundingYear "1911-05-03"^^xsd:date .
:dahl rdfs:label "Dahl Press" ; :foundingDate "1912-01-01"^^xsd:date .
:ida rdfs:label "Ida Brandt" ; :birthYear "1871-01-01"^^xsd:date .
:tarnby rdfs:label "Tarnby" ; :isPartOf :skarn . :skarn rdfs:label "Skarn" .
:newt rdfs:label "Ridge Newt" ; :habitat :skarn .
:tale rdfs:label "The Low Tide" ; :author :ida ; :publisher :orm ; :basis :saga . :saga rdfs:label "Wether Saga" .
"""

ROWS = [
    ("Vell Works is located in Tarnby.", True),
    ("Vell Works can be found in Tarnby.", True),
    ("Vell Works is found in Tarnby.", True),
    ("Vell Works was founded in Tarnby.", False),
    ("Tarnby is where Vell Works was founded.", False),
    ("Ridge Newt was founded in Skarn.", False),
    ("The Low Tide was founded in Wether Saga.", False),
    ("Tarnby is part of Skarn.", True),
    ("Vell Works is part of Tarnby.", False),
    ("Vell Works is a part of Tarnby.", False),
    ("Vell Works forms part of Tarnby.", False),
    ("The Low Tide was written by Ida Brandt.", True),
    ("The Low Tide was published by Orm Press.", True),
    ("The Low Tide was produced by Ida Brandt.", False),
    ("Vell Works was founded in 1903.", True),
    ("The founding year of Vell Works is 1903.", True),
    ("Vell Works was founded in January 1903.", False),
    ("Vell Works was founded on 1 January 1903.", False),
    ("Ida Brandt was born in 1871.", True),
    ("Ida Brandt was born on 1 January 1871.", False),
    ("Vell Works was founded before Orm Press.", True),
    ("Orm Press was founded on 3 May 1911.", True),
    ("Dahl Press was founded on 1 January 1912.", True),
]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A works, two presses, an author and her book, a newt, and years that are stored as their first day."""
    folder: Path = tmp_path_factory.mktemp("no-more")
    (folder / "graph.ttl").write_text(_GRAPH, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\ngraph: {data: [graph.ttl]}\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(("text", "licensed"), ROWS)
def test_a_place_is_no_foundation_an_author_no_producer_and_a_year_no_day(
    oracle: Oracle, text: str, licensed: bool
) -> None:
    """What is said is licensed where the property says it, and not where it says less."""
    (segment,) = oracle.check(text).segments
    assert (segment.label is Label.SUPPORTED) is licensed
