"""A small knowledge base about brooks and towns, with shapes, for the tests of the stages and of the oracle."""

from __future__ import annotations

from pathlib import Path

__all__ = ["DATA", "ONTOLOGY", "SHAPES", "write_kb"]

_PREFIXES = """@prefix : <https://example.org/brooks/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""

DATA = (
    _PREFIXES
    + """
:elm a :Brook ; rdfs:label "Elm Brook" ; :length 12000 ; :flowsThrough :arden, :bree ;
    :mouth :oak ; :named "1850"^^xsd:gYear .
:oak a :Brook ; rdfs:label "Oak Brook" ; :length 30000 ; :flowsThrough :bree .
:ash a :Brook ; rdfs:label "Ash Brook" ; :length -5 .
:fir a :Brook ; rdfs:label "Fir Brook" .
:arden a :Town ; rdfs:label "Arden" .
:bree a :Town ; rdfs:label "Bree" .
:corfe a :Town ; rdfs:label "Corfe" .
"""
)

ONTOLOGY = (
    _PREFIXES
    + """
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
:Brook a owl:Class ; rdfs:label "brook" .
:Town a owl:Class ; rdfs:label "town" .
:length a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "length" ; skos:altLabel "is long" ;
    rdfs:domain :Brook ; rdfs:range xsd:integer ; qudt:hasUnit unit:M .
:named a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "year of naming" ; skos:altLabel "was named in" ;
    rdfs:domain :Brook ; rdfs:range xsd:gYear .
:flowsThrough a owl:ObjectProperty ; rdfs:label "flows through" ; rdfs:domain :Brook ; rdfs:range :Town .
:mouth a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "mouth" ; skos:altLabel "flows into" ;
    rdfs:domain :Brook ; rdfs:range :Brook .
"""
)

SHAPES = (
    _PREFIXES
    + """
:LengthShape a sh:NodeShape ; sh:targetSubjectsOf :length ; sh:property [ sh:path :length ; sh:minExclusive 0 ] .
"""
)


def write_kb(folder: Path, *, shapes: str = "", policy: str = "strict", extra: str = "") -> Path:
    """Writes the knowledge base into a folder, and returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data.ttl").write_text(DATA, encoding="utf-8")
    (folder / "ontology.ttl").write_text(ONTOLOGY, encoding="utf-8")
    lines = ["version: 1", "name: brooks", f"policy: {policy}", "graph:"]
    lines += ["  data: [data.ttl]", "  ontology: [ontology.ttl]"]
    if shapes:
        (folder / "shapes.ttl").write_text(shapes, encoding="utf-8")
        lines.append("  shapes: [shapes.ttl]")
    (folder / "imprimatur.yaml").write_text("\n".join([*lines, extra]) + "\n", encoding="utf-8")
    return folder
