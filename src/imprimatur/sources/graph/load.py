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
from imprimatur.sources.graph.index import Index
from imprimatur.sources.graph.index_build import IndexBuilder
from imprimatur.sources.graph.switched import is_fact_file
from imprimatur.sources.graph.terms import DATE_TYPES, NUMERIC_TYPES, RDF, XSD, Origin, is_number

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
#: So many origins have names; a few beyond are left for stores of facts.
_MOST_ORIGINS = 60_000
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
    """Reads files one after another; collects origins and warnings. ``index`` ends it."""

    origins: list[Origin] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _builder: IndexBuilder = field(default_factory=IndexBuilder)
    _terms: dict[object, int] = field(default_factory=dict)
    _datatypes: dict[str, int] = field(default_factory=dict)
    _origins_of: list[tuple[GraphFile, range]] = field(default_factory=list)
    _ill_typed: int = 0

    def read(self, file: GraphFile) -> None:
        """Adds all triples of a file. Read files in order of trust: the first origin of a triple stays.

        Raises:
            KnowledgeBaseError: with the file, the line where known, and a hint.
        """
        first = len(self.origins)
        self._ill_typed = 0
        seen = 0
        blanks: dict[object, int] = {}
        graphs: dict[object, int] = {}
        # Blank nodes are never among the terms that all files share: they are looked up on the second way.
        known, find, add = self._terms.get, self._known, self._builder.add
        quads = self._quads(file) if file.mapped is None else file.mapped.quads()
        for seen, (subject, predicate, object_, graph) in enumerate(quads, 1):  # noqa: B007
            s, p, o = known(subject), known(predicate), known(object_)
            if s is None:
                s = find(subject, blanks, file)
            if p is None:
                p = find(predicate, blanks, file)
            if o is None:
                o = find(object_, blanks, file)
            origin = graphs.get(graph)
            if origin is None:
                origin = graphs[graph] = self._origin(file, graph)
            add(s, p, o, origin=origin)
        if not seen and not is_fact_file(file.path):
            self.warnings.append(f"{file.path}: the file holds no triples")
        self._origins_of.append((file, range(first, len(self.origins))))
        if self._ill_typed > _MAX_WARNINGS:
            self.warnings.append(f"{file.path}: {self._ill_typed - _MAX_WARNINGS} more ill-typed literals")

    def index(self) -> Index:
        """The index of all that was read; it can be taken once."""
        for iri in (RDF + "langString", XSD + "string"):
            self._known(ox.NamedNode(iri), {}, None)
        self._terms.clear()
        index = self._builder.build()
        if len(self._origins_of) > 1:
            left = set(index.origins)
            for file, ranks in self._origins_of:
                if ranks and file.role == "data" and left.isdisjoint(ranks) and not is_fact_file(file.path):
                    self.warnings.append(f"{file.path}: all its triples stand in other files already")
        return index

    def _origin(self, file: GraphFile, graph: object) -> int:
        name = graph.value if isinstance(graph, ox.NamedNode) else "" if isinstance(graph, ox.DefaultGraph) else "_:"
        if len(self.origins) >= _MOST_ORIGINS and is_fact_file(file.path):
            # A store of facts names a graph for each sentence: those for which there is no room left share one.
            name = ""
            shared = Origin(file.path.name, file.trust)
            if shared in self.origins[_MOST_ORIGINS:]:
                return self.origins.index(shared, _MOST_ORIGINS)
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
                if packed:
                    yield from ox.parse(cast("IO[bytes]", _Unfolded(stream, where)), format=_FORMATS[syntax])
                else:
                    yield from ox.parse(path=file.path, format=_FORMATS[syntax])
            except SyntaxError as error:
                line = f", line {error.lineno}" if error.lineno else ""
                message = _LINE.sub("", str(error.msg or error))
                raise KnowledgeBaseError(message, hint=_hint(message), where=where + line) from error
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise KnowledgeBaseError(f"damaged gzip: {error}", hint="pack it again", where=where) from error
            except (OSError, ValueError) as error:
                raise KnowledgeBaseError(f"cannot be read: {error}", where=where) from error

    def _new(self, term: object, blanks: dict[object, int], file: GraphFile | None) -> int:
        """The identifier of a term that has not been seen (a blank node: not in this file)."""
        if isinstance(term, ox.NamedNode):
            number = self._builder.iri(term.value)
        elif isinstance(term, ox.BlankNode):
            number = blanks.get(term, -1)
            if number < 0:
                number = blanks[term] = self._builder.blank()
            return number
        elif isinstance(term, ox.Literal):
            number = self._literal(term, file)
        elif isinstance(term, ox.Triple):
            parts = [self._known(part, blanks, file) for part in (term.subject, term.predicate, term.object)]
            key = ("triple", *parts)
            if key not in self._terms:
                self._terms[key] = self._builder.triple_term(*parts)
            return self._terms[key]
        else:
            raise KnowledgeBaseError(f"unknown kind of term {term!r}", where=str(file.path if file else ""))
        self._terms[term] = number
        return number

    def _known(self, term: object, blanks: dict[object, int], file: GraphFile | None) -> int:
        found = blanks.get(term) if isinstance(term, ox.BlankNode) else self._terms.get(term)
        return self._new(term, blanks, file) if found is None else found

    def _literal(self, term: ox.Literal, file: GraphFile | None) -> int:
        lexical = term.value
        if term.language:
            return self._builder.tagged(lexical, term.language)
        datatype = term.datatype.value
        if datatype != XSD + "string" and not _well_typed(lexical, datatype):
            self._ill_typed += 1
            if self._ill_typed <= _MAX_WARNINGS:
                shown = lexical if len(lexical) < 60 else lexical[:60] + "…"
                self.warnings.append(
                    f"{file.path if file else ''}: {shown!r} is no {datatype.removeprefix(XSD)}; "
                    "it is kept as text, without a value"
                )
        number = self._datatypes.get(datatype)
        if number is None:
            number = self._datatypes[datatype] = self._known(term.datatype, {}, file)
        return self._builder.literal(lexical, number)


def _well_typed(lexical: str, datatype: str) -> bool:
    if datatype in NUMERIC_TYPES:
        return is_number(lexical, datatype) or lexical in ("INF", "-INF", "+INF", "NaN")
    if datatype in DATE_TYPES:
        return len(lexical) < 100 and _DATE.fullmatch(lexical.strip()) is not None
    return True
