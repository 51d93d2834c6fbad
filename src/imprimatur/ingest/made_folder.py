"""The folder of a knowledge base of facts that were mapped or fetched: its configuration, ontology, and the rest.

Invariants: a folder with anything in it is left alone without ``force``; a new folder appears whole, in one that is
there each file does, and the configuration last. Guesses of what a property can have only one of stand in the ontology
as comments, without effect.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.config import FILE_NAME
from imprimatur.errors import KnowledgeBaseError
from imprimatur.kb_build import placed, quoted
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SKOS, RdfLiteral, iri_text, literal_text

__all__ = ["Word", "checked_target", "configuration", "ontology", "write_folder"]

_UNIT = "http://qudt.org/schema/qudt/hasUnit"
_KINDS = {"class": "Class", "link": "ObjectProperty", "value": "DatatypeProperty"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """How a class or property is spoken of.

    Attributes:
        kind: ``class``, ``link`` (its values are things), ``value``, or "" where that is not known.
        labels: main labels with their languages ("" for none). synonyms: other names, likewise.
        unit: the IRI of the unit of its numbers, or "". functional: a thing has one value only; a ``guess`` of that
        says why, and is a comment.
    """

    iri: str
    kind: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()
    unit: str = ""
    functional: bool = False
    guess: str = ""


def checked_target(target: Path, *, force: bool, own: Iterable[str] = ()) -> None:
    """Raises KnowledgeBaseError for a target with anything in it but files of these names, but for ``force``."""
    if target.exists() and not target.is_dir():
        raise KnowledgeBaseError("exists already and is no folder", where=str(target), hint="name another with --out")
    left = {path.name for path in target.iterdir()} - set(own) if target.exists() else set()
    if left and not force:
        what = f"has the file {FILE_NAME} already" if FILE_NAME in left else "exists already and is not empty"
        hint = "name another folder with --out, or add --force to write over what is there"
        raise KnowledgeBaseError(what, where=str(target), hint=hint)


def write_folder(target: Path, files: Mapping[str, Callable[[Path], object]]) -> None:
    """Writes files one after another, each whole or not at all; a new folder takes its name when it has all of them.

    Raises KnowledgeBaseError where that cannot be.
    """
    made = not target.exists()
    full = target.absolute()
    place = full.with_name(f".{full.name}.{secrets.token_hex(4)}.part") if made else full
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, write in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            placed(place / name, write)
        if made:
            place.rename(full)
    except OSError as fault:
        hint = "is the place writable, and is there room?"
        raise KnowledgeBaseError(f"cannot be made: {fault.strerror or fault}", where=str(target), hint=hint) from fault
    finally:
        if made:
            shutil.rmtree(place, ignore_errors=True)


def configuration(name: str, data: Sequence[str], *, time: Mapping[str, Sequence[str]] | None = None) -> str:
    """An imprimatur.yaml of data files and ``ontology.ttl``; ``time`` names the properties of first and last days."""
    lines = ["version: 1", f"name: {quoted(name)}", "graph:", f"  data: [{', '.join(map(quoted, data))}]"]
    lines.append("  ontology: [ontology.ttl]")
    named = {key: iris for key, iris in (time or {}).items() if iris}
    if named:
        said = (f"{key}: [{', '.join(map(quoted, iris))}]" for key, iris in named.items())
        lines.append(f"  time: {{{', '.join(said)}}}")
    lines.append("  # complete: [IRI, …]   properties and classes of which the graph knows all")
    return "\n".join(lines) + "\n"


def ontology(words: Iterable[Word]) -> str:
    """The labels, kinds and units as N-Triples, which are Turtle; guesses as comments."""
    lines = ["# What classes and properties are called. Guesses are comments: uncomment what is right."]
    for each in words:
        lines.append("")
        lines += _triples(each)
        if each.guess:
            lines += [f"# {_one_line(each.guess)}:", f"# {_triple(each.iri, RDF + 'type', OWL + 'FunctionalProperty')}"]
    return "\n".join(lines) + "\n"


def _triples(each: Word) -> Iterator[str]:
    if each.kind:
        yield _triple(each.iri, RDF + "type", OWL + _KINDS[each.kind])
    if each.functional:
        yield _triple(each.iri, RDF + "type", OWL + "FunctionalProperty")
    for predicate, names in ((RDFS + "label", each.labels), (SKOS + "altLabel", each.synonyms)):
        for text, language in names:
            yield _triple(each.iri, predicate, RdfLiteral(text, RDF + "langString" if language else _STRING, language))
    if each.unit:
        yield _triple(each.iri, _UNIT, each.unit)


_STRING = RdfLiteral("").datatype


def _triple(subject: str, predicate: str, value: str | RdfLiteral) -> str:
    written = literal_text(value) if isinstance(value, RdfLiteral) else iri_text(value)
    return f"{iri_text(subject)} {iri_text(predicate)} {written} ."


def _one_line(text: str) -> str:
    return " ".join(text.split())
