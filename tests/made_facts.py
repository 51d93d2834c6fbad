"""A small ontology of rivers, persons, works and clubs, and documents read under it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from imprimatur.ingest.candidate import Candidate, Thing
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.ingest.opening import open_fact_reader
from imprimatur.ingest.patterns import PatternReader, Readout
from imprimatur.sources.graph.terms import local_name
from imprimatur.sources.passages.passage import Document
from imprimatur.sources.passages.reading import read_document

__all__ = ["ONTOLOGY", "as_text", "document", "guardrail", "read", "told"]

ONTOLOGY = """
classes:
  River: {}
  Sea: {}
  City: {}
  Country: {}
  Person: {}
  Club: {}
  Bridge: {}
relations:
  mouth: {patterns: [[River, Sea]]}
  spouse: {patterns: [[Person, Person]]}
  birth place: {patterns: [[Person, City]]}
  alma mater: {}
  mayor: {patterns: [[City, Person]]}
  crosses: {patterns: [[Bridge, River]]}
  team coached: {patterns: [[Person, Club]]}
  operating organisation: {patterns: [[Bridge, Club]]}
  capital: {patterns: [[Country, City]]}
attributes:
  length: {of: [River, Bridge], type: decimal, unit: "http://qudt.org/vocab/unit/KiloM"}
  elevation in metres: {of: [City], type: decimal}
  width: {of: [Bridge], type: decimal}
  opened: {of: [Bridge], type: date}
  birth date: {of: [Person], type: date}
  population: {of: [City], type: integer}
  nickname: {of: [Person], type: string}
"""


@cache
def guardrail() -> Guardrail:
    """What the ontology allows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ontology.yaml"
        path.write_text(ONTOLOGY, encoding="utf-8")
        return read_guardrail([path])


@cache
def _reader() -> PatternReader:
    made = open_fact_reader("patterns", guardrail())
    assert isinstance(made, PatternReader)
    return made


def document(text: str, name: str = "notes.txt") -> Document:
    """A text as a document."""
    return read_document(text.encode("utf-8"), id_=name)


def read(text: str, name: str = "notes.txt") -> Readout:
    """What the rules read of a text."""
    return _reader().read(document(text, name))


def as_text(candidate: Candidate) -> str:
    """A candidate in a line: subject | property | value, with its times where it has any."""
    value = candidate.value
    if isinstance(value, Thing):
        other = value.name or local_name(value.iri)
    else:
        other = value.lexical
    times = "–".join(candidate.valid) if any(candidate.valid) else ""
    line = f"{candidate.subject.name} | {local_name(candidate.property).replace('_', ' ')} | {other}"
    return line + (f" | {times}" if times else "")


def told(text: str, name: str = "notes.txt") -> list[str]:
    """The facts that the rules read of a text, a line each."""
    return [as_text(each) for each in read(text, name).candidates]
