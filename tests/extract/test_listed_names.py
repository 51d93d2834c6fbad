"""Names that share a noun before or behind their list, and what is said to be known."""

from __future__ import annotations

import pytest
from reading import World, world

ROADS = """
:Road a owl:Class ; rdfs:label "road" . :County a owl:Class ; rdfs:label "county" .
:through a owl:ObjectProperty ; rdfs:label "runs through" .
:length a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "length" ; qudt:hasUnit unit:KiloM .
:r a :Road ; rdfs:label "Salter Road" ; :length 31 ; :through :a , :b , :c .
:a a :County ; rdfs:label "Arlow County" . :b a :County ; rdfs:label "Brome County" .
:c a :County ; rdfs:label "Little Cray County" . :d a :County ; rdfs:label "Dunn County" .
:e a :Road ; rdfs:label "Arlow" .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Roads."""
    return world(tmp_path_factory.mktemp("roads"), ROADS)


def _licensed(place: World, text: str) -> bool:
    return set(place.labels(text)) == {"supported"} and place.uncovered(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Salter Road runs through Arlow, Brome and Little Cray counties.",
        "Salter Road runs through three counties: Arlow, Brome and Little Cray.",
        "Salter Road runs through three counties: Arlow, Brome, and Little Cray.",
        "What we do know is that the length of Salter Road is 31 km.",
        "What is known is that the length of Salter Road is 31 km.",
    ],
)
def test_what_is_licensed(place: World, text: str) -> None:
    """Each name takes the noun; what is said to be known is judged as said."""
    assert _licensed(place, text)


@pytest.mark.parametrize(
    "text",
    [
        "Salter Road runs through three counties: Arlow, Brome and Dunn.",
        "Salter Road runs through four counties: Arlow, Brome and Little Cray.",
        "Salter Road runs through three towns: Arlow, Brome and Little Cray.",
        "Salter Road runs through three counties: Arlow, Brome and Great Cray.",
        "Salter Road runs through three old counties: Arlow, Brome and Little Cray.",
        "Salter Road never runs through three counties: Arlow, Brome and Little Cray.",
        "What we do not know is that the length of Salter Road is 31 km.",
        "What nobody knows is that the length of Salter Road is 31 km.",
        "What we do know is that the length of Salter Road is 32 km.",
    ],
)
def test_what_is_not(place: World, text: str) -> None:
    """Another member, number, noun or word; what is not known."""
    assert not _licensed(place, text)


def test_an_adjective_of_a_name_leaves_the_list_alone(place: World) -> None:
    """It is left over, so the sentence is withheld; what the list says is judged as it stands."""
    text = "Salter Road is a Scottish road that runs through Arlow County and Brome County."
    labels = place.labels(text)
    assert labels.count("supported") == 3
    assert place.uncovered(text) == ["Scottish"]
    assert not _licensed(place, text)
    assert "supported" not in place.labels("Salter Road runs through Arlow County and Brome County Scottish Way.")
