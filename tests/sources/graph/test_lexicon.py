"""The lexicon of a graph: kinds of things, members of classes, persons, periods."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import EX, World, world

from imprimatur.language import calendar
from imprimatur.values import DateValue

KINDS = """
:Place a owl:Class ; rdfs:label "place" .
:Stream a owl:Class ; rdfs:label "watercourse" .
:Brook a owl:Class ; rdfs:label "mountain brook" ; rdfs:subClassOf :Stream .
:Person a owl:Class ; rdfs:label "person" .
:Baker a owl:Class ; rdfs:label "baker" .
:Odd a owl:Class ; rdfs:label "zzyzx" .
:named a owl:DatatypeProperty ; rdfs:label "decade of naming" ; rdfs:range xsd:gYear .
:swale a :Brook ; rdfs:label "Swale Brook" .
:tarn a :Stream ; rdfs:label "Black Tarn" .
:ann a :Person ; rdfs:label "Ann" .
:bob a :Baker ; rdfs:label "Bob" .
:odd a :Odd ; rdfs:label "Odd Thing" .
:bare rdfs:label "Bare" .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Things of several kinds."""
    folder: Path = tmp_path_factory.mktemp("kinds")
    return world(folder, KINDS)


@pytest.mark.parametrize(
    ("noun", "entity", "fits"),
    [
        ("brook", "swale", True),  # the last word of its name, and its class
        ("stream", "swale", True),  # what a brook is
        ("watercourse", "swale", True),  # the class above
        ("thing", "bare", True),
        ("tarn", "tarn", True),
        ("mountain", "swale", False),
        ("bridge", "swale", False),
        ("person", "swale", False),
        ("baker", "ann", False),
        ("baker", "bob", True),
        ("brook", "bare", False),
        ("brook", "nowhere", False),
        ("", "swale", False),
    ],
)
def test_general(place: World, noun: str, entity: str, fits: bool) -> None:
    """A noun fits a thing by its class, the classes above, what its class is a kind of, or the end of its name."""
    assert place.lexicon.general(noun, EX + entity) is fits


@pytest.mark.parametrize(
    ("entity", "person"),
    [("ann", True), ("bob", True), ("swale", False), ("odd", None), ("bare", None), ("nowhere", None)],
)
def test_persons(place: World, entity: str, person: bool | None) -> None:
    """Classes that are kinds of persons make persons; classes that tell nothing leave it open."""
    assert place.lexicon.is_person(EX + entity) is person


def test_instances_are_those_of_subclasses_too(place: World) -> None:
    """The members of a class are also those of its subclasses; an unknown class has none."""
    assert set(place.lexicon.instances(EX + "Stream")) == {EX + "swale", EX + "tarn"}
    assert place.lexicon.instances(EX + "Nothing") == ()


def test_too_many_instances_are_none(tmp_path: Path) -> None:
    """A class that is too large to go through has no listed members, so nothing is licensed of all of them."""
    many = "".join(f':m{n} a :Mill ; rdfs:label "Mill {n}" ; :old true . ' for n in range(201))
    place = world(tmp_path, ':Mill a owl:Class ; rdfs:label "mill" . :old rdfs:label "old" . ' + many)
    assert place.lexicon.instances(EX + "Mill") == ()


def test_of_kind(place: World) -> None:
    """A thing is of the kind that its class's name says, whole or by its head."""
    assert place.lexicon.of_kind("brook", EX + "swale")
    assert place.lexicon.of_kind("brook<mountain", EX + "swale")
    assert not place.lexicon.of_kind("brook", EX + "ann")


def test_a_decade_stands_for_ten_years(place: World) -> None:
    """A year that is stored as a decade means all its years."""
    info = place.schema.property(EX + "named")
    assert info is not None
    stored = DateValue(first=(1850, 1, 1), last=(1850, 12, 31), precision="year")
    assert place.lexicon.period(info, stored) == calendar.decade(1850)
