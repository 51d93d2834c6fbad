"""Classes and properties of a knowledge base's own ontology, found by the names that a property graph uses for them.

``FLOWS_INTO``, ``flowsInto`` and "flows into" are one name. Contract: a name stands for a class or property whose local
name it is, or else whose label it is; where two of them fit equally well it stands for neither.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.labels import MAIN
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, XSD, local_name, spoken_name

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["OntologyTerms", "in_words", "read_terms", "same_name"]

_MOST_BYTES = 256 << 20
_CLASSES = frozenset((OWL + "Class", RDFS + "Class"))
_PROPERTIES = frozenset((OWL + "ObjectProperty", OWL + "DatatypeProperty", RDF + "Property"))
_WORD = expression(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyTerms:
    """The terms of an ontology by name (as ``same_name`` gives it), and the datatypes that properties have."""

    classes: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    datatypes: Mapping[str, str] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    content_hash: str = ""

    def class_of(self, name: str) -> str:
        """The IRI of the class that a name stands for; empty where it stands for none."""
        return self.classes.get(same_name(name), "")

    def property_of(self, name: str) -> str:
        """The IRI of the property that a name stands for; empty where it stands for none."""
        return self.properties.get(same_name(name), "")


def in_words(name: str) -> str:
    """A name of a property graph as it is spoken: ``WORKS_AT`` and ``worksAt`` are "works at"."""
    spaced = name.replace("_", " ").replace("-", " ").strip()
    if spaced.isupper() and (" " in spaced or len(spaced) > 4):
        return " ".join(spaced.lower().split())
    words = " ".join(spoken_name(word) for word in spaced.split()) or name
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words.split())


def same_name(name: str) -> str:
    """What two ways of writing a name have in common."""
    return "".join(_WORD.findall(in_words(name))).casefold()


def read_terms(files: Iterable[Path]) -> OntologyTerms:
    """The terms that the files declare.

    Raises:
        KnowledgeBaseError: a file cannot be read as RDF.
    """
    classes: set[str] = set()
    properties: set[str] = set()
    labels: dict[str, set[str]] = defaultdict(set)
    ranges: dict[str, set[str]] = defaultdict(set)
    digest = hashlib.sha256()
    for path in files:
        for subject, predicate, value in _triples(path):
            digest.update(f"{subject} {predicate} {value}\n".encode("utf-8", "surrogatepass"))
            if predicate == RDF + "type":
                if value in _CLASSES:
                    classes.add(subject)
                elif value in _PROPERTIES:
                    properties.add(subject)
            elif predicate in MAIN:
                labels[subject].add(value)
            elif predicate == RDFS + "range":
                ranges[subject].add(value)
    return OntologyTerms(
        classes=_named(classes, labels),
        properties=_named(properties, labels),
        datatypes={
            iri: next(iter(found))
            for iri, found in ranges.items()
            if len(found) == 1 and _is_datatype(next(iter(found)))
        },
        known=frozenset(classes | properties),
        content_hash=digest.hexdigest(),
    )


def _is_datatype(iri: str) -> bool:
    return iri.startswith(XSD) and iri != XSD + "anyURI"


def _named(iris: set[str], labels: Mapping[str, set[str]]) -> dict[str, str]:
    by_local: dict[str, set[str]] = defaultdict(set)
    by_label: dict[str, set[str]] = defaultdict(set)
    for iri in iris:
        by_local[same_name(local_name(iri))].add(iri)
        for label in labels.get(iri, ()):
            by_label[same_name(label)].add(iri)
    found = {name: next(iter(those)) for name, those in by_label.items() if len(those) == 1}
    for name, those in by_local.items():
        if len(those) == 1:
            found[name] = next(iter(those))
        else:
            found.pop(name, None)
    found.pop("", None)
    return found


def _triples(path: Path) -> Iterator[tuple[str, str, str]]:
    """The triples with plain texts for their terms; blank nodes are left out."""
    import pyoxigraph as ox

    for quad in _quads(path):
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.NamedNode) and isinstance(value, ox.NamedNode | ox.Literal):
            yield subject.value, quad.predicate.value, value.value


def _quads(path: Path) -> Iterator[ox.Quad]:
    import pyoxigraph as ox

    from imprimatur.sources.graph.files import opened
    from imprimatur.sources.graph.formats import HEAD_BYTES, syntax_of

    formats = {
        **{"turtle": ox.RdfFormat.TURTLE, "n-triples": ox.RdfFormat.N_TRIPLES, "n-quads": ox.RdfFormat.N_QUADS},
        **{"trig": ox.RdfFormat.TRIG, "rdf/xml": ox.RdfFormat.RDF_XML, "json-ld": ox.RdfFormat.JSON_LD},
    }
    with opened(path) as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if packed else raw
        try:
            content = stream.read(_MOST_BYTES)
            yield from ox.parse(content, format=formats[syntax_of(path, content[:HEAD_BYTES], where=str(path))])
        except (SyntaxError, ValueError, OSError, EOFError) as fault:
            raise KnowledgeBaseError(f"cannot be read as RDF: {str(fault)[:200]}", where=str(path)) from fault
