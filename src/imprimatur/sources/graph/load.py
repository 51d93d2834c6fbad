"""Reads RDF files into an ``IndexBuilder``: Turtle, N-Triples, N-Quads, TriG, RDF/XML and JSON-LD, and gzip of each.

Named graphs are merged for reading and kept as origin. Nothing is fetched: remote JSON-LD contexts, external XML
entities and document types are refused. Every error names the file, the line where the parser knows it, and how to mend
it. Ill-typed literals keep their datatype, have no value, and give a warning.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, cast

import pyoxigraph as ox

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph import files
from imprimatur.sources.graph.files import GraphFile, opened
from imprimatur.sources.graph.formats import HEAD_BYTES, check_document_type, syntax_of
from imprimatur.sources.graph.index import IndexBuilder
from imprimatur.sources.graph.terms import DATE_TYPES, NUMERIC_TYPES, XSD, Origin, parse_number

__all__ = ["Loader"]

_FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "n-triples": ox.RdfFormat.N_TRIPLES,
    "n-quads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "rdf/xml": ox.RdfFormat.RDF_XML,
    "json-ld": ox.RdfFormat.JSON_LD,
}
_MAX_WARNINGS = 20
_DATE = re.compile(r"-?[0-9]{4,9}(?:-[0-9]{2}(?:-[0-9]{2}(?:T[0-9:.]{8,40})?)?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?")
_LINE = re.compile(r"\s*\(line \d+\)\s*$")


class _Unfolded:
    """A binary stream that refuses to give more than ``files.MAX_BYTES``."""

    def __init__(self, stream: IO[bytes], where: str) -> None:
        self._stream = stream
        self._where = where
        self._given = 0

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size)
        self._given += len(block)
        if self._given > files.MAX_BYTES:
            raise KnowledgeBaseError(
                f"the file unfolds to more than {files.MAX_BYTES >> 30} GiB", hint="split or cut it", where=self._where
            )
        return block


def _hint(message: str) -> str:
    """How to mend what the parser says."""
    for sign, hint in (
        ("LoadDocumentCallback", "remote contexts are not fetched: put the @context into the file"),
        ("No scheme", "write the IRI in full, or give an @base"),
        ("Invalid IRI", "escape the character in the IRI, for instance a space as %20"),
        ("prefix", "declare the prefix with @prefix"),
        ("Unexpected end", "the file ends too early: a final '.' or a closing quote is missing"),
        ("language tag", "write a language tag as in BCP 47, for instance @en"),
    ):
        if sign in message:
            return hint
    return "mend the syntax at that place"


@dataclass(slots=True)
class Loader:
    """Reads files one after another into ``builder``; collects origins and warnings."""

    builder: IndexBuilder = field(default_factory=IndexBuilder)
    origins: list[Origin] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _terms: dict[object, int] = field(default_factory=dict)
    _ill_typed: int = 0

    def read(self, file: GraphFile) -> None:
        """Adds all triples of a file. Read files in order of trust: the first origin of a triple stays.

        Raises:
            KnowledgeBaseError: with the file, the line where known, and a hint.
        """
        before = len(self.builder.triples)
        self._ill_typed = 0
        seen = 0
        blanks: dict[object, int] = {}
        graphs: dict[object, int] = {}
        terms, add = self._terms, self.builder.add
        for quad in self._quads(file):
            seen += 1
            subject, predicate, object_, graph = quad
            s = blanks.get(subject) if isinstance(subject, ox.BlankNode) else terms.get(subject)
            if s is None:
                s = self._new(subject, blanks, file)
            p = terms.get(predicate)
            if p is None:
                p = self._new(predicate, blanks, file)
            o = blanks.get(object_) if isinstance(object_, ox.BlankNode) else terms.get(object_)
            if o is None:
                o = self._new(object_, blanks, file)
            origin = graphs.get(graph)
            if origin is None:
                origin = graphs[graph] = self._origin(file, graph)
            add(s, p, o, origin=origin)
        if not seen:
            self.warnings.append(f"{file.path}: the file holds no triples")
        elif len(self.builder.triples) == before and file.role == "data":
            self.warnings.append(f"{file.path}: all its triples stand in other files already")
        if self._ill_typed > _MAX_WARNINGS:
            self.warnings.append(f"{file.path}: {self._ill_typed - _MAX_WARNINGS} more ill-typed literals")

    def _origin(self, file: GraphFile, graph: object) -> int:
        name = graph.value if isinstance(graph, ox.NamedNode) else "" if isinstance(graph, ox.DefaultGraph) else "_:"
        if len(self.origins) > 65534:
            raise KnowledgeBaseError(
                "more than 65,534 named graphs", hint="merge small named graphs", where=str(file.path)
            )
        self.origins.append(Origin(file.path.name, file.trust, name))
        return len(self.origins) - 1

    def _quads(self, file: GraphFile) -> Iterator[ox.Quad]:
        where = str(file.path)
        with opened(file.path) as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            stream = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if packed else raw
            try:
                head = stream.read(HEAD_BYTES)
                stream.seek(0)
                syntax = syntax_of(file.path, head, where=where)
                if syntax == "rdf/xml":
                    check_document_type(head, where=where)
                yield from ox.parse(cast("IO[bytes]", _Unfolded(stream, where)), format=_FORMATS[syntax])
            except SyntaxError as error:
                line = f", line {error.lineno}" if error.lineno else ""
                message = _LINE.sub("", str(error.msg or error))
                raise KnowledgeBaseError(message, hint=_hint(message), where=where + line) from error
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise KnowledgeBaseError(f"damaged gzip: {error}", hint="pack it again", where=where) from error
            except (OSError, ValueError) as error:
                raise KnowledgeBaseError(f"cannot be read: {error}", where=where) from error

    def _new(self, term: object, blanks: dict[object, int], file: GraphFile) -> int:
        """The identifier of a term that has not been seen (a blank node: not in this file)."""
        if isinstance(term, ox.NamedNode):
            number = self.builder.iri(term.value)
        elif isinstance(term, ox.BlankNode):
            number = blanks.get(term, -1)
            if number < 0:
                number = blanks[term] = self.builder.blank()
            return number
        elif isinstance(term, ox.Literal):
            number = self._literal(term, file)
        elif isinstance(term, ox.Triple):
            parts = [self._known(part, blanks, file) for part in (term.subject, term.predicate, term.object)]
            key = ("triple", *parts)
            if key not in self._terms:
                self._terms[key] = self.builder.triple_term(*parts)
            return self._terms[key]
        else:
            raise KnowledgeBaseError(f"unknown kind of term {term!r}", where=str(file.path))
        self._terms[term] = number
        return number

    def _known(self, term: object, blanks: dict[object, int], file: GraphFile) -> int:
        found = blanks.get(term) if isinstance(term, ox.BlankNode) else self._terms.get(term)
        return self._new(term, blanks, file) if found is None else found

    def _literal(self, term: ox.Literal, file: GraphFile) -> int:
        lexical, datatype, lang = term.value, term.datatype.value, term.language or ""
        if datatype != XSD + "string" and not _well_typed(lexical, datatype):
            self._ill_typed += 1
            if self._ill_typed <= _MAX_WARNINGS:
                shown = lexical if len(lexical) < 60 else lexical[:60] + "…"
                self.warnings.append(
                    f"{file.path}: {shown!r} is no {datatype.removeprefix(XSD)}; it is kept as text, without a value"
                )
        return self.builder.literal(lexical, datatype, lang)


def _well_typed(lexical: str, datatype: str) -> bool:
    if datatype in NUMERIC_TYPES:
        return lexical in ("INF", "-INF", "+INF", "NaN") or parse_number(lexical, datatype) is not None
    if datatype in DATE_TYPES:
        return len(lexical) < 100 and _DATE.fullmatch(lexical.strip()) is not None
    return True
