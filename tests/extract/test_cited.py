"""Citations in a sentence: no words of its claims, and each claim has those behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import World, world

KILNS = """
:Kiln a owl:Class ; rdfs:label "kiln" .
:holds a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "number of plates" ; skos:altLabel "holds" .
:built a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "year of building" ; skos:altLabel "was built in" .
:town a owl:ObjectProperty ; rdfs:label "town" ; skos:altLabel "stands in" .
:k a :Kiln ; rdfs:label "Morrow Kiln" ; :holds 40 ; :built "1912"^^xsd:gYear ; :town :t . :t rdfs:label "Tarn" .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Kilns."""
    folder: Path = tmp_path_factory.mktemp("kilns")
    return world(folder, KILNS)


CITED = {
    "Morrow Kiln was built in 1912 [12].": [("supported", ("12",))],
    "Morrow Kiln was built in 1912.[^a] It stands in Tarn [mem:b].": [("supported", ("a",)), ("supported", ("b",))],
    "Morrow Kiln was built in 1912 [1] and stands in Tarn [2][3].": [
        ("supported", ("1",)),
        ("supported", ("2", "3")),
    ],
    "Morrow Kiln was built in 1912 and stands in Tarn [4].": [("supported", ("4",)), ("supported", ("4",))],
    "Morrow Kiln was built in 1913 [mem:x, y].": [("contradicted", ("x", "y"))],
    "Morrow Kiln stands in Tarn.": [("supported", ())],
}


@pytest.mark.parametrize("text", CITED)
def test_claims_and_their_citations(place: World, text: str) -> None:
    """The verdict is as without the citations, and no word is left over for them."""
    found = [(place.source.judge(claim).label.value, claim.citations) for claim in place.claims(text)]
    assert found == CITED[text]
    if all(label == "supported" for label, _ in found):
        assert place.uncovered(text) == []


def test_numbers_in_other_brackets_stay_words(place: World) -> None:
    """Only what is written as a citation is passed over."""
    assert place.uncovered("Morrow Kiln was built in 1912 [45 plates].") != []
    assert place.uncovered("Morrow Kiln was built in 1912 [12.5].") != []
