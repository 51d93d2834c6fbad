"""Reading and judging one text over a small graph, for the tests of the rooms between them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from imprimatur.answer import Answer
from imprimatur.claim import Claim
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.segments import Extractor
from imprimatur.segment import segment
from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.shape_digest import Implied
from imprimatur.sources.graph.shapes import Shapes
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.verdict import Judgement

__all__ = ["EX", "World", "world"]

EX = "http://example.org/"
_PREFIXES = """
@prefix : <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix schema: <https://schema.org/> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
@prefix cur: <http://qudt.org/vocab/currency/> .
"""


@dataclass(frozen=True)
class World:
    """A small graph with its lexicon, open for reading and judging."""

    graph: Graph
    schema: Schema
    lexicon: GraphLexicon
    source: GraphSource

    def read(self, text: str, *, question: str | None = None) -> list[Extracted]:
        """The segments of a text as they are read."""
        extractor = Extractor(Answer(text=text, question=question), self.lexicon)
        return [extractor.extract(part) for part in segment(text)]

    def claims(self, text: str, *, question: str | None = None) -> list[Claim]:
        """The claims of a text."""
        return [claim for part in self.read(text, question=question) for claim in part.claims]

    def judge(self, text: str, *, limits: Limits | None = None) -> list[Judgement]:
        """What the graph says of the claims of a text."""
        return [self.source.judge(claim, limits or Limits()) for claim in self.claims(text)]

    def labels(self, text: str, *, limits: Limits | None = None) -> list[str]:
        """The labels of the claims of a text."""
        return [judgement.label.value for judgement in self.judge(text, limits=limits)]

    def uncovered(self, text: str) -> list[str]:
        """The words that no supported claim accounts for."""
        left = []
        for part in self.read(text):
            held = [c for c in part.claims if self.source.judge(c).label == "supported"]
            spans = [span for claim in held for span in claim.covers]
            left += [
                text[w.start : w.end] for w in part.words if not any(a <= w.start and w.end <= b for a, b in spans)
            ]
        return left


def world(folder: Path, turtle: str, *, complete: tuple[str, ...] = (), shapes: str = "") -> World:
    """The world of some Turtle and shapes (the usual prefixes are declared); ``complete`` are local names."""
    data = folder / "graph.ttl"
    data.write_text(_PREFIXES + turtle, encoding="utf-8")
    graph = Graph.load([GraphFile(data)], cache_dir=folder / "cache")
    implied: tuple[Implied, ...] = ()
    if shapes:
        (folder / "shapes.ttl").write_text(_PREFIXES + shapes, encoding="utf-8")
        implied = Shapes.load(graph, [folder / "shapes.ttl"]).implied()
    schema = Schema.of(graph, complete=tuple(EX + name for name in complete), implied=implied)
    lexicon = GraphLexicon.of(graph, schema, cache_dir=folder / "cache")
    return World(graph, schema, lexicon, GraphSource(lexicon, Entailment(graph, schema)))
