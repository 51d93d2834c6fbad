"""Short answers, list items and table cells, completed by what surrounds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import World, world

BRIDGES = """
:Bridge a owl:Class ; rdfs:label "bridge" . :Person a owl:Class ; rdfs:label "person" .
:length a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "length" ;
    rdfs:domain :Bridge ; rdfs:range xsd:decimal ; qudt:hasUnit unit:M .
:opened a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "opening year" ; skos:altLabel "was opened in" ;
    rdfs:domain :Bridge ; rdfs:range xsd:gYear .
:designer a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "designer" ; skos:altLabel "was designed by" ;
    rdfs:domain :Bridge ; rdfs:range :Person .
:arden a :Bridge ; rdfs:label "Arden Bridge" ; :length 412 ; :opened "1931"^^xsd:gYear ; :designer :vane .
:bell a :Bridge ; rdfs:label "Bell Bridge" ; :length 95 .
:vane a :Person ; rdfs:label "Edith Vane" . :hale a :Person ; rdfs:label "Jon Hale" .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Two bridges."""
    folder: Path = tmp_path_factory.mktemp("context")
    return world(folder, BRIDGES)


@pytest.mark.parametrize(
    ("question", "answer", "label"),
    [
        ("How long is Arden Bridge?", "412 m.", "supported"),
        ("How long is Arden Bridge?", "95 m.", "contradicted"),
        ("How long is Arden Bridge?", "412 kg.", "not_found"),
        ("What is the length of Arden Bridge?", "412 m.", "supported"),
        ("What is the length of Arden Bridge?", "413 m.", "contradicted"),
        ("Who is the designer of Arden Bridge?", "Edith Vane.", "supported"),
        ("Who is the designer of Arden Bridge?", "Jon Hale.", "contradicted"),
        ("Who designed Arden Bridge?", "Edith Vane.", "supported"),
        ("Who designed Arden Bridge?", "Jon Hale.", "contradicted"),
        ("When was Arden Bridge opened?", "1931.", "supported"),
        ("When was Arden Bridge opened?", "1932.", "contradicted"),
    ],
)
def test_short_answers(place: World, question: str, answer: str, label: str) -> None:
    """A bare answer is judged as the answer to its question."""
    claims = place.claims(answer, question=question)
    assert [place.source.judge(claim).label.value for claim in claims] == [label]


@pytest.mark.parametrize("answer", ["412 m.", "Edith Vane.", "1931."])
def test_a_short_answer_without_a_question_is_not_licensed(place: World, answer: str) -> None:
    """Without what was asked, a value says nothing."""
    assert "supported" not in place.labels(answer)


def test_table_cells(place: World) -> None:
    """A cell is the value of its column for its row, and its words are its own."""
    text = "| Bridge | Length | Designer |\n|---|---|---|\n| Arden Bridge | 412 m | Edith Vane |\n"
    text += "| Bell Bridge | 96 m | Jon Hale |\n"
    found = [(claim.text, place.source.judge(claim).label.value) for claim in place.claims(text)]
    assert found == [
        ("412 m", "supported"),
        ("Edith Vane", "supported"),
        ("96 m", "contradicted"),
        ("Jon Hale", "not_found"),
    ]


def test_labelled_items_under_a_heading(place: World) -> None:
    """ "Length: 412 m" is about what the heading names; nothing outside the item is covered by it."""
    text = "## Arden Bridge\n\n- Length: 412 m\n- Designer: Jon Hale\n"
    assert place.labels(text) == ["supported", "contradicted"]
    for claim in place.claims(text):
        assert all(start >= text.index("- ") for start, _ in claim.covers)
