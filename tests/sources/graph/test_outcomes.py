"""One subject, one property, one value: what counts as the same, and what leaves the matter open."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import World, world

from imprimatur.sources.graph.judge import Limits
from imprimatur.sources.graph.outcomes import same_text

OFFICES = """
:Club a owl:Class ; rdfs:label "club" . :Person a owl:Class ; rdfs:label "person" .
:chair a owl:ObjectProperty{functional} ; rdfs:label "chair" ; skos:altLabel "chaired by" ;
    rdfs:domain :Club ; rdfs:range :Person .
:term rdfs:label "term" . :from rdfs:label "from" . :to rdfs:label "to" .
:ash a :Club ; rdfs:label "Ash Club" ; :term _:a .
_:a :chair :ann ; :from "2001"^^xsd:gYear ; :to "2005"^^xsd:gYear .
:ann a :Person ; rdfs:label "Ann Dole" . :bob a :Person ; rdfs:label "Bob Gill" .
"""
VALUES = """
:Tower a owl:Class ; rdfs:label "tower" .
:height a owl:DatatypeProperty{functional} ; rdfs:label "height" ;
    rdfs:domain :Tower ; qudt:hasUnit unit:M ; rdfs:range xsd:decimal .
:style a owl:DatatypeProperty ; rdfs:label "style" ;
    rdfs:domain :Tower ; rdfs:range xsd:string .
:one a :Tower ; rdfs:label "Tower One" ; :height {heights} ; :style "Late Gothic", "Art Deco" .
"""


def values(folder: Path, heights: str, *, functional: bool) -> World:
    """One tower with some heights."""
    text = VALUES.replace("{heights}", heights).replace(
        "{functional}", ", owl:FunctionalProperty" if functional else ""
    )
    return world(folder, text)


@pytest.mark.parametrize(
    ("heights", "functional", "text", "label"),
    [
        ("12", True, "Tower One is 12 m high.", "supported"),
        ("12", True, "Tower One is 13 m high.", "contradicted"),
        ("12", False, "Tower One is 12 m high.", "supported"),
        ("12", False, "Tower One is 13 m high.", "not_found"),
        ("12", False, "Tower One is not 13 m high.", "not_found"),
        ("12, 12.0, 12.00", True, "Tower One is 12 m high.", "supported"),
        ("1200, 1201", True, "Tower One is 1200 m high.", "supported"),
        ("12, 14", True, "Tower One is 12 m high.", "conflicting"),
        ("12, 14", True, "Tower One is 13 m high.", "contradicted"),
        ("12, 14", False, "Tower One is 14 m high.", "supported"),
        ('"tall"', True, "Tower One is 12 m high.", "not_found"),
        ('"12 m"^^xsd:decimal', True, "Tower One is 13 m high.", "not_found"),
        ("-12", True, "Tower One is 12 m high.", "contradicted"),
        ("0", True, "Tower One is 12 m high.", "contradicted"),
    ],
)
def test_stored_numbers(tmp_path: Path, heights: str, functional: bool, text: str, label: str) -> None:
    """Equal numbers agree however written; another number refutes only where there can be one."""
    assert values(tmp_path, heights, functional=functional).labels(text) == [label]


def test_texts_are_compared_without_case_and_marks(tmp_path: Path) -> None:
    """A text value is the same but for case, spaces and marks; another one of an open property says nothing."""
    place = values(tmp_path, "12", functional=True)
    assert place.labels("The style of Tower One is Late gothic.") == ["supported"]
    assert place.labels("The style of Tower One is Art-Deco.") == ["supported"]
    assert place.labels("The style of Tower One is Late Baroque.") == ["not_found"]


@pytest.mark.parametrize(
    ("text", "functional", "label"),
    [
        ("The chair of Ash Club was Ann Dole.", True, "supported"),
        ("The chair of Ash Club is Ann Dole.", True, "contradicted"),
        ("Ash Club was chaired by Ann Dole in 2003.", True, "supported"),
        ("Ash Club was chaired by Ann Dole in 2009.", True, "contradicted"),
        ("Ash Club was chaired by Bob Gill in 2003.", True, "contradicted"),
        ("Ash Club was chaired by Bob Gill in 2003.", False, "not_found"),
        ("Ash Club was chaired by Bob Gill in 1990.", True, "not_found"),
        ("Ash Club was not chaired by Bob Gill in 1990.", True, "not_found"),
        ("The chair of Ash Club was Bob Gill.", True, "not_found"),
        ("The chair of Ash Club was not Bob Gill.", True, "not_found"),
        ("The chair of Ash Club is Bob Gill.", True, "not_found"),
        ("Ash Club was chaired by Ann Dole from 2001 to 2005.", True, "supported"),
        ("Ash Club was chaired by Ann Dole from 2001 to 2004.", True, "contradicted"),
    ],
)
def test_facts_that_held_for_a_time(tmp_path: Path, text: str, functional: bool, label: str) -> None:
    """A former value supports its own time, and rules out others only then."""
    place = world(tmp_path, OFFICES.replace("{functional}", ", owl:FunctionalProperty" if functional else ""))
    assert place.labels(text, limits=Limits(as_of=date(2020, 1, 1))) == [label]


@given(st.text(max_size=30))
def test_same_text_is_reflexive_and_blind_to_case(text: str) -> None:
    """A text is the same as itself, in either case and with spaces around."""
    assert same_text(text, f"  {text} ")
    assert same_text(text.upper(), text.upper().casefold())


@pytest.mark.parametrize(("a", "b"), [("North Fork", "Northfork"), ("St. Ives", "St Ives"), ("A-1", "a1")])
def test_same_text(a: str, b: str) -> None:
    """Marks and spaces do not tell texts apart."""
    assert same_text(a, b)
    assert not same_text(a, b + "x")


@pytest.mark.parametrize(
    ("day", "label"),
    [
        (date(1999, 1, 1), "contradicted"),
        (date(2001, 6, 1), "not_found"),
        (date(2003, 6, 1), "supported"),
        (date(2005, 6, 1), "not_found"),
        (date(2007, 1, 1), "contradicted"),
    ],
)
def test_is_means_the_day_of_the_check(tmp_path: Path, day: date, label: str) -> None:
    """Before its start and after its end a fact does not hold; within the year of either it is open whether it does."""
    place = world(tmp_path, OFFICES.replace("{functional}", ""))
    assert place.labels("The chair of Ash Club is Ann Dole.", limits=Limits(as_of=day)) == [label]
