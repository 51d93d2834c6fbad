"""Making a knowledge base's folder from any graph: configuration, starter policy, and guesses to be confirmed.

Invariants: nothing that is guessed takes effect by itself: units and functional properties are written as comments of
``ontology-additions.ttl``, for a person to uncomment; an existing folder with anything in it is refused and left alone;
the folder appears whole or not at all.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from imprimatur._expressions import expression
from imprimatur.config import FILE_NAME
from imprimatur.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from imprimatur.sources.graph.schema import PropertyInfo, Schema
    from imprimatur.sources.graph.store import Graph

__all__ = ["Guess", "InitSummary", "make_folder"]

ADDITIONS = "ontology-additions.ttl"
POLICY = "policy.yaml"
_UNIT = "http://qudt.org/vocab/unit/"
#: The last words of a property's name → the QUDT unit that they usually stand for.
_UNITS = {
    "km2": "KiloM2",
    "square kilometres": "KiloM2",
    "square kilometers": "KiloM2",
    "km": "KiloM",
    "m": "M",
    "kilometres": "KiloM",
    "kilometers": "KiloM",
    "metres": "M",
    "meters": "M",
    "cm": "CentiM",
    "mm": "MilliM",
    "miles": "MI",
    "feet": "FT",
    "ha": "HA",
    "kg": "KiloGM",
    "mg": "MilliGM",
    "minutes": "MIN",
    "seconds": "SEC",
    "years": "YR",
    "percent": "PERCENT",
    "percentage": "PERCENT",
    "celsius": "DEG_C",
    "kwh": "KiloW-HR",
    "mw": "MegaW",
    "kw": "KiloW",
}
#: Below this many triples, "never two values" says too little.
_ENOUGH = 3
_NUMERIC = expression(r"#(?:decimal|double|float|integer|int|long|nonNegativeInteger|positiveInteger)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """Something that the graph suggests about a property, as a line of Turtle, and why."""

    property: str
    turtle: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InitSummary:
    """What was made: the folder, what the graph holds, and what is to be confirmed."""

    folder: Path
    files: tuple[str, ...]
    triples: int
    entities: int
    unlabelled: int
    properties: tuple[str, ...]
    guesses: tuple[Guess, ...]
    warnings: tuple[str, ...]


def make_folder(graph: Path, target: Path) -> InitSummary:
    """Makes ``target`` a knowledge base of the graph's file, which is copied.

    Raises:
        KnowledgeBaseError: the graph cannot be read, or the target has something in it already.
    """
    from imprimatur.sources.graph.schema import Schema
    from imprimatur.sources.graph.store import Graph, GraphFile

    if not graph.is_file():
        raise KnowledgeBaseError("no such file", where=str(graph), hint="give a graph: .ttl, .nt, .rdf, .jsonld, …")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        hint = "name another folder: imprimatur init GRAPH FOLDER"
        raise KnowledgeBaseError("exists already and is not an empty folder", where=str(target), hint=hint)
    loaded = Graph.load([GraphFile(graph)])
    schema = Schema.of(loaded)
    taken = graph.name in (FILE_NAME, ADDITIONS, POLICY)
    summary = _summary(loaded, schema, target, f"graph-{graph.name}" if taken else graph.name)
    _write(summary, graph, target)
    return summary


def _summary(graph: Graph, schema: Schema, target: Path, name: str) -> InitSummary:
    used = sorted((info for info in schema.properties.values() if info.used), key=lambda info: -info.used)
    entities = [number for number in graph.subjects_all() if graph.is_iri(number)]
    unlabelled = sum(1 for number in entities if not graph.named(number))
    warnings = list(graph.statistics.warnings)
    if unlabelled:
        warnings.append(
            f"{unlabelled} of {len(entities)} entities have no label: they are known by their IRI's end only"
        )
    return InitSummary(
        folder=target,
        files=(FILE_NAME, name, ADDITIONS, POLICY),
        triples=len(graph),
        entities=len(entities),
        unlabelled=unlabelled,
        properties=tuple(info.iri for info in used),
        guesses=tuple(guess for info in used for guess in _guesses(graph, info)),
        warnings=tuple(warnings),
    )


def _guesses(graph: Graph, info: PropertyInfo) -> Iterator[Guess]:
    if not _declared_label(graph, info.iri):
        turtle = f'<{info.iri}> rdfs:label "{_spoken(info)}"@en .'
        yield Guess(property=info.iri, turtle=turtle, why="the words of its name; correct them, or add skos:altLabel")
    unit = _unit_end(info)
    if unit is not None and info.unit_iri is None:
        turtle = f"<{info.iri}> qudt:hasUnit <{_UNIT}{_UNITS[unit]}> ."
        yield Guess(property=info.iri, turtle=turtle, why="its name ends in a unit")
    if not info.functional and info.used >= _ENOUGH:
        subjects = [subject for subject, _ in graph.pairs(graph.id(info.iri) or 0)]
        if len(set(subjects)) == len(subjects):
            turtle = f"<{info.iri}> a owl:FunctionalProperty ."
            why = f"none of {len(subjects)} subjects has two values; if that must be so, other values are refuted"
            yield Guess(property=info.iri, turtle=turtle, why=why)


def _declared_label(graph: Graph, iri: str) -> bool:
    number = graph.id(iri)
    return number is not None and bool(graph.named(number))


def _words(info: PropertyInfo) -> str:
    """The words of the IRI's last part, lower-case: ``length km`` for ``…/lengthKm`` and ``…#length_km``."""
    name = unquote(re.split(r"[/#:]", info.iri)[-1])
    return " ".join(re.findall(r"[^\W\d_][^\W\d_A-Z]*[0-9]?|[0-9]+", name)).lower()


def _unit_end(info: PropertyInfo) -> str | None:
    if info.datatype is None or not _NUMERIC.search(info.datatype):
        return None
    words = _words(info)
    return next((end for end in _UNITS if words.endswith(f" {end}")), None)


def _spoken(info: PropertyInfo) -> str:
    """The name as a label, without a unit at its end. It holds letters, digits and spaces only."""
    return _words(info).removesuffix(_unit_end(info) or "").strip()


def _write(summary: InitSummary, graph: Path, target: Path) -> None:
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        part.mkdir(parents=True)
        shutil.copyfile(graph, part / summary.files[1])
        (part / ADDITIONS).write_text("\n".join(_additions(summary)) + "\n", encoding="utf-8")
        (part / POLICY).write_text(_POLICY, encoding="utf-8")
        (part / FILE_NAME).write_text(_configuration(target.absolute().name, summary.files[1]), encoding="utf-8")
        os.replace(part, target)
    except OSError as fault:
        hint = "is the place writable, and is there room?"
        raise KnowledgeBaseError(f"cannot be made: {fault.strerror}", where=str(target), hint=hint) from fault
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _additions(summary: InitSummary) -> Iterator[str]:
    yield "# What the graph suggests about its properties. Every line is a guess and has no effect as it stands:"
    yield "# uncomment what is right (remove the leading `# `), correct what is nearly right, delete the rest."
    yield "@prefix owl: <http://www.w3.org/2002/07/owl#> ."
    yield "@prefix qudt: <http://qudt.org/schema/qudt/> ."
    yield "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    yield "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
    for guess in summary.guesses:
        yield f"\n# {guess.why}:\n# {guess.turtle}"


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''").replace("${", "$${")
    return f"'{escaped}'"


def _configuration(name: str, graph: str) -> str:
    return (
        "version: 1\n"
        f"name: {_quoted(name)}\n"
        "graph:\n"
        f"  data: [{_quoted(graph)}]\n"
        f"  ontology: [{ADDITIONS}]\n"
        "  # shapes: [shapes.ttl]      SHACL shapes that every licensed claim must keep to\n"
        "  # complete: [IRI, …]        properties and classes of which the graph knows all\n"
        "policy: policy.yaml\n"
    )


_POLICY = """\
# What happens to claims. `imprimatur policy show --resolved policy.yaml` prints it with every default.
version: 1
extends: strict
# labels: {not_found: redact, contradicted: correct}
# abstention: {text: "I can't confirm this.", scope: rest}
# tolerance: {about: 2 %}
"""
