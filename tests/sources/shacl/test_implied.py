"""What shapes imply of properties."""

from __future__ import annotations

from pathlib import Path

from small import made

from imprimatur.sources.graph.shape_digest import Bound, Implied
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.facts import read_facts
from imprimatur.sources.shacl.implied import implied_by

DATA = ":a a :River ; :length 5 ; :mouth :b ; :state :x . :b a :Water ; :depth 3 . :River rdfs:subClassOf :Water ."


def _implied(folder: Path, shapes: str) -> dict[str, Implied]:
    graph = made(folder, DATA, shapes).graph
    return {
        each.property.removeprefix("http://e/"): each
        for each in implied_by(Engine(graph, read_facts([folder / "shapes.ttl"])))
    }


def test_all_that_a_property_shape_says(tmp_path: Path) -> None:
    """Counts, limits, classes, datatypes, lists, and relations to other properties."""
    found = _implied(
        tmp_path,
        ":S a sh:NodeShape ; sh:targetClass :River ; sh:property "
        "[ sh:path :length ; sh:maxCount 1 ; sh:minExclusive 0 ; sh:datatype xsd:integer ; sh:lessThan :course ] , "
        "[ sh:path :mouth ; sh:class :Water ; sh:disjoint :source ] , [ sh:path :state ; sh:in ( :x :y ) ] .",
    )
    assert found["length"].single
    assert found["length"].bounds == (Bound(mark=">", limit=RdfLiteral("0", XSD + "integer")),)
    assert found["length"].datatypes == (XSD + "integer",)
    assert found["length"].below == ("http://e/course",)
    assert found["mouth"].classes == ("http://e/Water",)
    assert found["mouth"].disjoint == ("http://e/source",)
    assert found["state"].allowed == ("http://e/x", "http://e/y")


def test_only_what_holds_for_every_use_counts(tmp_path: Path) -> None:
    """A target that misses a subject, a warning, an inactive or nested shape and an inverse path imply nothing."""
    rule = "sh:property [ sh:path {} ; sh:maxCount 1 ]"
    found = _implied(
        tmp_path,
        f":A a sh:NodeShape ; sh:targetClass :River ; {rule.format(':depth')} . "
        f":B a sh:NodeShape ; sh:targetSubjectsOf :length ; sh:severity sh:Warning ; {rule.format(':length')} . "
        f":C a sh:NodeShape ; sh:targetSubjectsOf :mouth ; sh:deactivated true ; {rule.format(':mouth')} . "
        f":D a sh:NodeShape ; sh:targetSubjectsOf :state ; {rule.format('[ sh:inversePath :state ]')} . "
        f":E a sh:NodeShape ; sh:targetSubjectsOf :state ; sh:node [ {rule.format(':state')} ] . "
        f":F a sh:NodeShape ; sh:targetSubjectsOf :unused ; {rule.format(':unused')} . "
        f":G a sh:NodeShape ; sh:targetClass :Nothing ; {rule.format(':neverUsed')} .",
    )
    assert set(found) == {"unused"}
