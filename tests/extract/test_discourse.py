"""What earlier words leave behind: topics, short names, pronouns."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import EX, World, world

from imprimatur.claim import Relation

PEOPLE = """
:Person a owl:Class ; rdfs:label "person" . :Mill a owl:Class ; rdfs:label "mill" .
:Town a owl:Class ; rdfs:label "town" .
:taught a owl:ObjectProperty ; rdfs:label "taught" ; rdfs:domain :Person ; rdfs:range :Person .
:built a owl:ObjectProperty ; rdfs:label "built" ; rdfs:domain :Person ; rdfs:range :Mill .
:grinds a owl:ObjectProperty ; rdfs:label "supplies" ; rdfs:domain :Mill ; rdfs:range :Town .
:vera a :Person ; rdfs:label "Vera Lund" ; :taught :omar ; :built :mill . :omar a :Person ; rdfs:label "Omar Reyes" .
:mill a :Mill ; rdfs:label "Old Mill" ; :grinds :ely . :mill2 a :Mill ; rdfs:label "New Mill" .
:ely a :Town ; rdfs:label "Ely (Vale)" . :ely2 a :Town ; rdfs:label "Ely (Moor)" .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> World:
    """People, mills and towns."""
    folder: Path = tmp_path_factory.mktemp("people")
    return world(folder, PEOPLE)


def subjects(place: World, text: str, *, question: str | None = None) -> list[set[str]]:
    """What the subject of each relation that is read may be, by local name."""
    return [
        {iri.removeprefix(EX) for r in claim.readings if isinstance(r, Relation) for iri in r.subject.candidates}
        for claim in place.claims(text, question=question)
        if any(isinstance(r, Relation) for r in claim.readings)
    ]


def test_two_persons_leave_a_pronoun_open(place: World) -> None:
    """After two persons "she" may be either: the claim is not licensed unless it is true of both."""
    text = "Vera Lund taught Omar Reyes. She built Old Mill."
    assert subjects(place, text) == [{"vera"}, {"vera", "omar"}]
    assert place.labels(text) == ["supported", "ambiguous"]


def test_a_pronoun_stands_for_what_suits_it(place: World) -> None:
    """ "She" is a person and "it" is none."""
    assert subjects(place, "Vera Lund built Old Mill. She built New Mill.")[1] == {"vera"}
    assert subjects(place, "Vera Lund built Old Mill. It supplies Ely.")[1] == {"mill"}


def test_the_topic_of_the_question_stays(place: World) -> None:
    """What the question names is what the pronoun stands for."""
    assert subjects(place, "She built Old Mill.", question="What did Vera Lund build?") == [{"vera"}]


def test_short_names_mean_what_was_named_in_full(place: World) -> None:
    """ "Lund" is Vera Lund once she has been named."""
    assert subjects(place, "Vera Lund taught Omar Reyes. Lund built Old Mill.")[1] == {"vera"}
    assert "supported" not in place.labels("Lund built Old Mill.")


def test_a_full_name_narrows_the_shorter_one(place: World) -> None:
    """ "Ely" means Ely (Vale) after Ely (Vale) was named; without it, it may be both."""
    alone = place.claims("Old Mill supplies Ely.")[0].readings[0]
    assert isinstance(alone, Relation)
    assert len(alone.object.candidates) == 2
    named = place.claims("Old Mill supplies Ely (Vale). New Mill supplies Ely.")[1].readings[0]
    assert isinstance(named, Relation)
    assert named.object.candidates == (EX + "ely",)


@pytest.mark.parametrize(
    "text", ["She built Old Mill.", "They built Old Mill.", "This supplies Ely.", "It supplies it."]
)
def test_a_pronoun_with_nothing_before_it_is_not_licensed(place: World, text: str) -> None:
    """Nothing stands for a pronoun that nothing precedes."""
    assert "supported" not in place.labels(text)


def test_a_verdict_depends_on_nothing_that_comes_later(place: World) -> None:
    """The claims of a sentence are the same whatever follows it."""
    first = "Vera Lund taught Omar Reyes."
    for later in ("", " She built Old Mill.", " Ely (Moor) is a town.", " Lund built New Mill."):
        assert place.claims(first + later)[0] == place.claims(first)[0]
