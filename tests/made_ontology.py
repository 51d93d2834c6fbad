"""A small ontology of people, places and works, in each form in which one may be written."""

from __future__ import annotations

from pathlib import Path

from imprimatur.ingest.candidate import Candidate, Place, Thing, Value
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.ontology_files import read_guardrail

BASE = "https://example.org/"
YAML = """
base: https://example.org/
classes:
  Agent:
  Person: {is_a: [Agent], labels: [human], disjoint: [Organization, City], description: A human being}
  Organization: {is_a: [Agent]}
  University: {is_a: [Organization]}
  City:
relations:
  works_at: {patterns: [[Person, Organization]], description: Is employed by}
  born_in: {patterns: [[Person, City]], functional: true}
  knows:
attributes:
  height: {of: [Person], type: decimal, unit: cm, functional: true}
  founded: {of: [Organization], type: date}
  staff: {of: [Organization], type: integer}
  status: {of: [Organization], type: string, values: [open, closed]}
  nickname: {}
"""
OWL = """
@prefix : <https://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
:Agent a owl:Class ; rdfs:label "Agent" .
:Person a owl:Class ; rdfs:subClassOf :Agent ; rdfs:label "Person" ; skos:altLabel "human" ;
    rdfs:comment "A human being" ; owl:disjointWith :Organization , :City .
:Organization a owl:Class ; rdfs:subClassOf :Agent ; rdfs:label "Organization" .
:University a owl:Class ; rdfs:subClassOf :Organization ; rdfs:label "University" .
:City a owl:Class ; rdfs:label "City" .
:works_at a owl:ObjectProperty ; rdfs:label "works at" ; rdfs:comment "Is employed by" ;
    rdfs:domain :Person ; rdfs:range :Organization .
:born_in a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "born in" ;
    rdfs:domain :Person ; rdfs:range :City .
:knows a owl:ObjectProperty ; rdfs:label "knows" .
:height a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:label "height" ; rdfs:domain :Person ;
    rdfs:range xsd:decimal , xsd:double ; qudt:hasUnit unit:CentiM .
:founded a owl:DatatypeProperty ; rdfs:label "founded" ; rdfs:domain :Organization ;
    rdfs:range [ owl:unionOf ( xsd:date xsd:gYear xsd:gYearMonth ) ] .
:staff a owl:DatatypeProperty ; rdfs:label "staff" ; rdfs:domain :Organization ; rdfs:range xsd:integer .
:status a owl:DatatypeProperty ; rdfs:label "status" ; rdfs:domain :Organization ;
    rdfs:range [ a rdfs:Datatype ; owl:oneOf ( "open" "closed" ) ] .
:nickname a owl:DatatypeProperty ; rdfs:label "nickname" .
"""
SHACL = """
@prefix : <https://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:PersonShape a sh:NodeShape ; sh:targetClass :Person ;
    sh:property [ sh:path :works_at ; sh:class :Organization ; sh:name "works at" ] ;
    sh:property [ sh:path :born_in ; sh:class :City ; sh:maxCount 1 ] ;
    sh:property [ sh:path :height ; sh:datatype xsd:decimal ; sh:maxCount 1 ] ;
    sh:property [ sh:path [ sh:inversePath :founder ] ; sh:class :Organization ] .
:OrganizationShape a sh:NodeShape ; sh:targetClass :Organization ;
    sh:property [ sh:path :founded ; sh:or ( [ sh:datatype xsd:date ] [ sh:datatype xsd:gYear ] ) ] ;
    sh:property [ sh:path :seat ; sh:node [ sh:class :City ] ] ;
    sh:property [ sh:path :partner ; sh:nodeKind sh:IRI ] ;
    sh:property [ sh:path :motto ; sh:nodeKind sh:Literal ] ;
    sh:property [ sh:path :size ; sh:in ( "small" "large" ) ] ;
    sh:property [ sh:path :old ; sh:class :City ; sh:deactivated true ] ;
    sh:property [ sh:path ( :seat :mayor ) ; sh:class :Person ] .
"""
#: As GraphRAG SDK 1.4 saves an ontology.
GRAPHRAG = """
{"entities": [
  {"label": "Person", "description": "A human being",
   "properties": [{"name": "name", "type": "STRING", "description": null},
                  {"name": "birth_date", "type": "DATE", "description": "the day of birth"}]},
  {"label": "Organization", "description": "A company or institution",
   "properties": [{"name": "employees", "type": "INTEGER", "description": null}]}],
 "relations": [
  {"label": "WORKS_AT", "description": "Is employed by", "patterns": [["Person", "Organization"]], "properties": []},
  {"label": "RELATED_TO", "description": null, "patterns": [], "properties": []}]}
"""


def written(folder: Path, name: str, text: str) -> Path:
    """A file of that name."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def guardrail(folder: Path, text: str = YAML, name: str = "ontology.yaml", *, closed: bool | None = None) -> Guardrail:
    """What an ontology allows."""
    return read_guardrail([written(folder, name, text)], closed=closed)


def thing(name: str, *classes: str, iri: str = "") -> Thing:
    """A thing of some classes of the ontology."""
    return Thing(name=name, classes=tuple(BASE + each for each in classes), iri=iri)


def candidate(subject: Thing, property_: str, value: Value, **more: object) -> Candidate:
    """A candidate that rules read in a sentence."""
    said = value.name if isinstance(value, Thing) else value.lexical
    quote = f"{subject.name} {property_} {said}."
    place = Place(document="notes/a.txt", start=0, end=len(quote), quote=quote)
    given: dict[str, object] = {"place": place, "trust": "derived", "by": "patterns", **more}
    iri = property_ if ":" in property_ else BASE + property_
    return Candidate(subject=subject, property=iri, value=value, **given)  # type: ignore[arg-type]
