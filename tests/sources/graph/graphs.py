"""Small graphs for the tests of the graph source."""

from __future__ import annotations

from pathlib import Path

from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph, GraphFile

EX = "http://example.org/"
PREFIXES = """
@prefix : <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <https://schema.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""


def graph_of_text(folder: Path, turtle: str, *, shapes: str = "", years: str = "xsd10") -> Graph:
    """The graph of some Turtle (the usual prefixes are declared), cached inside ``folder``."""
    data = folder / "graph.ttl"
    data.write_text(PREFIXES + turtle, encoding="utf-8")
    files = [GraphFile(data)]
    if shapes:
        (folder / "shapes.ttl").write_text(PREFIXES + shapes, encoding="utf-8")
        files.append(GraphFile(folder / "shapes.ttl", "shapes"))
    return Graph.load(files, cache_dir=folder / "cache", years=years)


def number(graph: Graph, name: str) -> int:
    """The identifier of ``:name``."""
    found = graph.id(EX + name)
    assert found is not None, name
    return found


def entailment(folder: Path, turtle: str) -> Entailment:
    """The entailment of some Turtle."""
    graph = graph_of_text(folder, turtle)
    return Entailment(graph, Schema.of(graph))


def names(entailed: Entailment, subject: str, property_: str, *, inverse: bool = False) -> set[str]:
    """The local names (or lexical forms) of the values of ``:property_`` for ``:subject``."""
    found = entailed.values(number(entailed.graph, subject), EX + property_, inverse=inverse)
    return {entailed.graph.iri(fact.object).removeprefix(EX) for fact in found}
