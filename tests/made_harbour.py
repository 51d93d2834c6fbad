"""A small harbour town's graph with gaps, for the tests of what a model may fill."""

from __future__ import annotations

from pathlib import Path

__all__ = ["BASE", "write_harbour"]

BASE = "https://example.org/harbour/"
_PREFIXES = f"""@prefix : <{BASE}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
"""
_DATA = """
:holm a :Light ; rdfs:label "Holm Light" ; :height 41.5 ; :built "1851"^^xsd:gYear ; :keeper :jo ; :lit true .
:skerry a :Light ; rdfs:label "Skerry Light" ; :height 30 ; :keeper :ann .
:point a :Light ; rdfs:label "Point Light" ; :built "1860"^^xsd:gYear ; :lit false .
:cape a :Light ; rdfs:label "Cape Light" ; :height 12 ; :built "1901"^^xsd:gYear ; :keeper :ann .
:jo a :Person ; rdfs:label "Jo Tarn" ; :born "1820-03-04"^^xsd:date .
:ann a :Person ; rdfs:label "Ann Marlow" .
:ann2 a :Person ; rdfs:label "Ann Gale" .
:ann3 a :Person ; rdfs:label "Ann Gale" .
:tender a :Boat ; rdfs:label "Tender" .
"""
_ONTOLOGY = """
:Light a owl:Class ; rdfs:label "lighthouse" . :Person a owl:Class ; rdfs:label "person" .
:Boat a owl:Class ; rdfs:label "boat" . :Person owl:disjointWith :Boat .
:height a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "height" ; rdfs:domain :Light ;
    rdfs:range xsd:decimal ; qudt:hasUnit unit:M ; rdfs:comment "Height of the tower above ground." .
:built a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "year of building" ; rdfs:domain :Light ;
    rdfs:range xsd:gYear .
:lit a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "is lit" ; rdfs:domain :Light ;
    rdfs:range xsd:boolean .
:keeper a owl:ObjectProperty ; rdfs:label "keeper" ; rdfs:domain :Light ; rdfs:range :Person .
:born a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "date of birth" ; rdfs:domain :Person ;
    rdfs:range xsd:date .
"""
_SHAPES = """
:LightShape a sh:NodeShape ; sh:targetClass :Light ;
    sh:property [ sh:path :height ; sh:minCount 1 ; sh:maxCount 1 ; sh:minExclusive 0 ; sh:maxInclusive 200 ] .
:Off a sh:NodeShape ; sh:targetClass :Light ; sh:deactivated true ; sh:property [ sh:path :lit ; sh:minCount 1 ] .
:PersonShape a sh:NodeShape ; sh:targetClass :Person ; sh:property [ sh:path :born ; sh:minCount 1 ] .
"""


def write_harbour(folder: Path, *, more: str = "", model: str | None = None) -> Path:
    """Writes the knowledge base into a folder, with a file of a model's facts where there are some; returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("data", _DATA), ("ontology", _ONTOLOGY), ("shapes", _SHAPES)):
        (folder / f"{name}.ttl").write_text(_PREFIXES + text, encoding="utf-8")
    lines = ["version: 1", "name: harbour", "graph:", "  data: [data.ttl]", "  ontology: [ontology.ttl]"]
    lines += ["  shapes: [shapes.ttl]", more]
    if model is not None:
        (folder / "guessed.ttl").write_text(_PREFIXES + model, encoding="utf-8")
        lines[3] = "  data: [data.ttl, guessed.ttl]"
        lines.append("  trust: {guessed.ttl: model}")
    (folder / "imprimatur.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
