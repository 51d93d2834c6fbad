"""What shapes imply, used: values and things that they rule out do not decide what words mean; disjoint relations."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import World, world

NAMED = """
:Port a owl:Class ; rdfs:label "port" . :Saint a owl:Class ; rdfs:label "saint" .
:Town a owl:Class ; rdfs:label "town" .
:home a owl:ObjectProperty ; rdfs:label "home port" .
:tall a owl:DatatypeProperty ; rdfs:label "height" ; schema:unit "m" .
:p1 a :Port ; rdfs:label "Saint Ives" . :p2 a :Port ; rdfs:label "Ardel" . :s1 a :Saint ; rdfs:label "Saint Ives" .
:petrel a :Ship ; rdfs:label "Petrel" ; :home :p2 . :Ship a owl:Class ; rdfs:label "ship" .
"""
TARGET = ":S a sh:NodeShape ; sh:targetSubjectsOf :home ; sh:property "


def _home(folder: Path, shape: str) -> World:
    return world(folder, NAMED, shapes=f"{TARGET} [ sh:path :home ; sh:maxCount 1 ; {shape} ] .")


@pytest.mark.parametrize("shape", ["sh:class :Port", "sh:in ( :p1 :p2 )"])
def test_things_that_shapes_rule_out_are_not_meant(shape: str, tmp_path: Path) -> None:
    """Of two things of one name only the one that may be the value is."""
    place = _home(tmp_path, shape)
    assert place.labels("The home port of Petrel is Ardel.") == ["supported"]
    assert place.labels("The home port of Petrel is Saint Ives.") == ["contradicted"]
    (found,) = place.judge("The home port of Petrel is Saint Ives.")
    assert found.evidence[0].correction == "Ardel"


VALUES = """
:Hill a owl:Class ; rdfs:label "hill" .
:rise a owl:DatatypeProperty ; rdfs:label "rise" .
:age a owl:DatatypeProperty ; rdfs:label "age" ; skos:altLabel "rise" .
:knob a :Hill ; rdfs:label "Bare Knob" ; :rise 90 . :dome a :Hill ; rdfs:label "Grey Dome" ; :rise 70 ; :age 5000 .
"""
LIMITS = ":S a sh:NodeShape ; sh:targetSubjectsOf :age ; sh:property [ sh:path :age ; sh:minInclusive 1000 ] ."
ONE = ":T a sh:NodeShape ; sh:targetSubjectsOf :rise ; sh:property [ sh:path :rise ; sh:maxCount 1 ] ."


def test_values_that_shapes_rule_out_are_not_meant(tmp_path: Path) -> None:
    """A number out of the range of one property is said of the other, so that this one alone decides."""
    (tmp_path / "b").mkdir()
    limited, free = world(tmp_path, VALUES, shapes=LIMITS + ONE), world(tmp_path / "b", VALUES, shapes=ONE)
    wrong = "The rise of Bare Knob is 95."
    assert limited.labels(wrong) == ["contradicted"]
    assert free.labels(wrong) == ["not_found"]
    assert limited.labels("The rise of Bare Knob is 9500.") == free.labels("The rise of Bare Knob is 9500.")
    for place in (limited, free):
        assert place.labels("The rise of Bare Knob is 90.") == ["supported"]


KIN = """
:Person a owl:Class ; rdfs:label "person" .
:parent a owl:ObjectProperty ; rdfs:label "parent" . :child a owl:ObjectProperty ; rdfs:label "child" .
:foster a owl:ObjectProperty ; rdfs:label "foster child" ; rdfs:subPropertyOf :child .
:ann a :Person ; rdfs:label "Ann Reed" ; :parent :bob . :bob a :Person ; rdfs:label "Bob Reed" ; :child :cy .
:cy a :Person ; rdfs:label "Cy Reed" .
"""


@pytest.mark.parametrize(
    ("axiom", "shapes"),
    [
        (":child owl:propertyDisjointWith :parent .", ""),
        (
            "",
            ":S a sh:NodeShape ; sh:targetSubjectsOf :parent ; sh:property [ sh:path :parent ; sh:disjoint :child ] .",
        ),
    ],
)
def test_disjoint_relations_refute(axiom: str, shapes: str, tmp_path: Path) -> None:
    """Who has someone as parent has that one not as child, nor as any kind of child."""
    place = world(tmp_path, KIN + axiom, shapes=shapes)
    for text in ("The child of Ann Reed is Bob Reed.", "The foster child of Ann Reed is Bob Reed."):
        (found,) = place.judge(text)
        assert (found.label, found.reasons) == ("contradicted", ("disjoint-property",))
    assert place.labels("The child of Ann Reed is Cy Reed.") == ["not_found"]
    assert place.labels("The child of Bob Reed is Ann Reed.") == ["supported"]
    assert place.labels("The parent of Bob Reed is Cy Reed.") == ["contradicted"]
