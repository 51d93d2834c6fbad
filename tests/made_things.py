"""A graph of people, places and works whose names are easily mistaken, for tests of which thing is meant."""

from __future__ import annotations

import itertools
from pathlib import Path

from made_ontology import BASE

from imprimatur.ingest.candidate import Candidate, Place, Thing, Value
from imprimatur.ingest.known_things import KnownThings
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.ingest.proposing import Proposes, Verifies
from imprimatur.ingest.resolving import Resolver
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph, GraphFile

#: Where new things get their IRIs.
NEW = BASE + "new/"
ONTOLOGY = """
base: https://example.org/
classes:
  Agent:
  Person: {is_a: [Agent], disjoint: [Place, Organization]}
  Politician: {is_a: [Person]}
  Organization: {is_a: [Agent], disjoint: [Place]}
  Company: {is_a: [Organization]}
  Place:
  City: {is_a: [Place]}
  River: {is_a: [Place]}
relations:
  works_at: {patterns: [[Person, Organization]]}
  born_in: {patterns: [[Person, City]], functional: true}
  knows:
  flows_through: {patterns: [[River, City]]}
  seat: {patterns: [[Organization, City]]}
attributes:
  born: {of: [Person], type: year, functional: true}
  population: {of: [City], type: integer}
"""
DATA = """
@prefix : <https://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:paris a :City ; rdfs:label "Paris" ; :population 2100000 .
:hilton a :Person ; rdfs:label "Paris Hilton" .
:john_smith a :Person ; rdfs:label "John Smith" ; :works_at :acme ; :born "1950"^^xsd:gYear .
:mill_ohio a :River ; rdfs:label "Mill Creek (Ohio)" ; :flows_through :cincinnati .
:mill_oregon a :River ; rdfs:label "Mill Creek (Oregon)" ; :flows_through :salem .
:cincinnati a :City ; rdfs:label "Cincinnati" . :salem a :City ; rdfs:label "Salem" .
:muller a :Person ; rdfs:label "Heinrich Müller" ; :born "1900"^^xsd:gYear .
:ibm a :Company ; rdfs:label "International Business Machines" ; :seat :armonk . :armonk a :City ; rdfs:label "Armonk" .
:acme a :Company ; rdfs:label "Acme" ; skos:altLabel "Acme Works" .
:ann_1 a :Person ; rdfs:label "Ann Lee" ; :born "1960"^^xsd:gYear ; :works_at :acme .
:ann_2 a :Person ; rdfs:label "Ann Lee" ; :born "1981"^^xsd:gYear ; :works_at :ibm .
:york a :City ; rdfs:label "New York" .
:nobody rdfs:label "Nobody Known" .
"""
_numbers = itertools.count()


def things(folder: Path) -> KnownThings:
    """The things of the graph, under the ontology."""
    path, words = folder / f"data-{next(_numbers)}.ttl", folder / f"words-{next(_numbers)}.ttl"
    path.write_text(DATA, encoding="utf-8")
    made = ontology(folder)
    words.write_text(made.to_turtle(), encoding="utf-8")
    graph = Graph.load([GraphFile(path, "data", "curated"), GraphFile(words, "ontology", "curated")], cache_dir=folder)
    return KnownThings(graph, Schema.of(graph), made)


def ontology(folder: Path) -> Guardrail:
    """The ontology."""
    path = folder / "things.yaml"
    path.write_text(ONTOLOGY, encoding="utf-8")
    return read_guardrail([path])


def resolver(folder: Path, proposer: Proposes | None = None, verifier: Verifies | None = None) -> Resolver:
    """What resolves against the graph."""
    return Resolver(things(folder), base=NEW, proposer=proposer, verifier=verifier)


def said(
    subject: Thing, property_: str, value: Value, *, quote: str = "", document: str = "a.txt", at: int = 0
) -> Candidate:
    """A candidate out of a sentence."""
    told = value.name if isinstance(value, Thing) else value.lexical
    quote = quote or f"{subject.name} {property_} {told}."
    place = Place(document=document, start=at, end=at + len(quote), quote=quote)
    iri = property_ if ":" in property_ else BASE + property_
    return Candidate(subject=subject, property=iri, value=value, place=place, trust="derived", by="patterns")
