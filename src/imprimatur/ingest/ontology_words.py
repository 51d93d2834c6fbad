"""An ontology as what reads documents needs it: its words, its classes, and how values of its properties are written.

Contract: made of a graph that holds the ontology, alone or with facts. ``unit`` is the unit in which numbers of a
property are kept: declared, or named by its label ("elevation in metres").
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from imprimatur.extract.frames import dims
from imprimatur.ingest.variants import with_variants
from imprimatur.language import units
from imprimatur.sources.graph.files import GraphFile
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.schema import PropertyInfo, Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import NUMERIC_TYPES, spoken_name
from imprimatur.sources.graph.vocabulary import build, class_noun
from imprimatur.values import Unit

__all__ = ["open_words", "stated_unit", "words_hash", "words_of", "words_of_guardrail"]
if TYPE_CHECKING:
    from imprimatur.ingest.ontology import Guardrail

_QUDT = "http://qudt.org/vocab/unit/"


def open_words(paths: Sequence[Path]) -> GraphLexicon:
    """The words of the ontology that some RDF files hold. Raises KnowledgeBaseError where one cannot be read."""
    return words_of(Graph.load([GraphFile(path, "ontology", "curated") for path in paths]))


def words_of_guardrail(guardrail: Guardrail) -> GraphLexicon:
    """The words of what a guardrail allows."""
    named = GraphFile(Path("ontology.ttl"), "ontology", "curated", mapped=_Turtle(guardrail.to_turtle()))
    return words_of(Graph.load([named]))


class _Turtle:
    """A Turtle text as what a graph is read from (``files.Mapped``)."""

    def __init__(self, text: str) -> None:
        self._text = text

    @property
    def content_hash(self) -> str:
        """The SHA-256 of the text."""
        return sha256(self._text.encode()).hexdigest()

    def quads(self) -> Iterator[ox.Quad]:
        """Its triples."""
        yield from ox.parse(self._text, format=ox.RdfFormat.TURTLE)


def words_of(graph: Graph) -> GraphLexicon:
    """The words of the ontology that a graph holds."""
    schema = _Spoken.of(graph)
    infos = {iri: _with_unit(with_variants(info, schema)) for iri, info in schema.properties.items()}
    # Words are made as if a length had a unit: what it is called does not hang on whether the ontology says which.
    schema._properties = {iri: _as_measured(info) for iri, info in infos.items()}
    vocabulary = build(graph, schema)
    schema._properties = infos
    return GraphLexicon(graph, schema, vocabulary)


def _with_unit(info: PropertyInfo) -> PropertyInfo:
    """The property with the unit that its label names."""
    unit = None if info.unit_iri else stated_unit(info)
    name = units.name_of(unit) if unit is not None else None
    return replace(info, unit_iri=_QUDT + name) if name and not name.startswith("cur:") else info


def _as_measured(info: PropertyInfo) -> PropertyInfo:
    """The property with a unit of the kind of quantity that its label names, where it has none."""
    if info.unit_iri or info.is_object or info.datatype not in NUMERIC_TYPES:
        return info
    nouns = {class_noun(label) for label in (*info.labels, *info.alt_labels)}
    heads = {n for noun in nouns for n in ("<".join(noun.split("<")[:2]), noun.partition("<")[0])}
    named = sorted({f.unit for f in dims() if heads & {*f.nouns}} - {"NUM", "CURRENCY", ""})
    return replace(info, unit_iri=_QUDT + named[0]) if len(named) == 1 else info


def words_hash(ontology: GraphLexicon) -> str:
    """A hash of all classes and properties, with the keys by which they are read."""
    words = ontology.words
    told = json.dumps([words.to_json()["entries"], words.to_json()["senses"], words.classes], sort_keys=True)
    return sha256(told.encode()).hexdigest()


class _Spoken(Schema):
    """A schema whose labels are read as words where they are written as programs write names ("cityServed")."""

    def spoken(self, label: str) -> str:
        """A label in the grammar's terms."""
        plain = label.strip()
        joined = " " not in plain and ("_" in plain or any(c.isupper() for c in plain[1:]))
        return super().spoken(spoken_name(plain) if joined and plain[:1].islower() else plain)


def stated_unit(info: PropertyInfo) -> Unit | None:
    """The unit in which numbers of a property are kept; None where nothing says it."""
    if info.unit_iri:
        return units.by_iri(info.unit_iri)
    for label in (*info.labels, *info.alt_labels):
        words = label.replace("(", " in ").replace(")", " ").split()
        if "in" in words[1:-1]:
            cut = len(words) - 1 - words[::-1].index("in")
            found = units.parse(" ".join(words[cut + 1 :]))
            if found is not None:
                return found
    return None
