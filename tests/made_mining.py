"""Small knowledge bases for making claims of: towns with axioms and shapes, and some that lack what others have."""

from __future__ import annotations

from pathlib import Path

__all__ = ["ONTOLOGY", "PREFIXES", "SHAPES", "data", "towns", "write"]

PREFIXES = """@prefix : <https://example.org/land/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
"""

_NAMES = "Arvel Bexmoor Cundry Dunmere Elvaston Farrow Gressby Holmsay Ister Jedburn Kelso Lorne".split()
_SEATS = "Orrin Pellam Quenby Ruswick".split()

ONTOLOGY = """
:Town a owl:Class ; rdfs:label "town" ; rdfs:subClassOf :Place ; owl:disjointWith :Lake .
:Lake a owl:Class ; rdfs:label "lake" ; rdfs:subClassOf :Place .
:Place a owl:Class ; rdfs:label "place" .
:area a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "area" ; qudt:hasUnit unit:KiloM2 .
:founded a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "founding year" ; skos:altLabel "founded in" .
:seat a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "county seat" ; rdfs:subPropertyOf :near .
:near a owl:ObjectProperty ; rdfs:label "located near" .
:borders a owl:ObjectProperty, owl:SymmetricProperty ; rdfs:label "borders" ; rdfs:domain :Town .
"""

SHAPES = """
:AreaShape a sh:NodeShape ; sh:targetClass :Town ;
    sh:property [ sh:path :area ; sh:minExclusive 0 ; sh:maxInclusive 100000 ] ;
    sh:or ( [ sh:property [ sh:path :founded ; sh:maxCount 0 ] ]
            [ sh:property [ sh:path :founded ; sh:pattern "^1" ] ] ) .
"""


def write(folder: Path, data: str, *, ontology: str = "", shapes: str = "", more: str = "") -> Path:
    """Writes a knowledge base's folder: its data, and ontology and shapes where they are given."""
    folder.mkdir(parents=True, exist_ok=True)
    named = [("data", "data.ttl", data)]
    named += [("ontology", "ontology.ttl", ontology)] if ontology else []
    named += [("shapes", "shapes.ttl", shapes)] if shapes else []
    for _, file, text in named:
        (folder / file).write_text(PREFIXES + text, encoding="utf-8")
    lines = "".join(f"  {key}: [{file}]\n" for key, file, _ in named)
    (folder / "imprimatur.yaml").write_text(f"version: 1\nname: land\ngraph:\n{lines}{more}", encoding="utf-8")
    return folder


def towns(folder: Path) -> Path:
    """The towns, with ontology and shapes."""
    return write(folder, data(), ontology=ONTOLOGY, shapes=SHAPES)


def data() -> str:
    """Twelve towns with an area, a year, a seat and a neighbour, four seats, and a lake."""
    lines = [f':s{n} a :Town ; rdfs:label "{name}" .' for n, name in enumerate(_SEATS)]
    for n, name in enumerate(_NAMES):
        lines.append(
            f':t{n} a :Town ; rdfs:label "{name}" ; :area {7 + 13 * n}.5 ; :founded "{1102 + 57 * n}"^^xsd:gYear ; '
            f":seat :s{n % 4} ; :borders :t{(n + 1) % 12} ."
        )
    lines.append(':l a :Lake ; rdfs:label "Mirrow Water" . :m a :Lake ; rdfs:label "Tarn Water" .')
    return "\n".join(lines)
