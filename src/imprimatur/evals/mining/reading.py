"""The triples of a knowledge base, read from its files without what judges by them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from imprimatur.config import KnowledgeBaseConfig
from imprimatur.errors import InputError
from imprimatur.evals.mining.book import Book, Literal, Node, Triple

if TYPE_CHECKING:
    from imprimatur.sources.tables.library import Tables

__all__ = ["book_of", "node_of", "quads_of", "terms_of"]

_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".turtle": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".json": ox.RdfFormat.JSON_LD,
}
_STRING = "http://www.w3.org/2001/XMLSchema#string"


def book_of(config: KnowledgeBaseConfig, tables: Tables | None = None) -> Book:
    """What the files of a knowledge base say, ontology included; shapes say nothing here.

    Args:
        tables: its opened tables, whose rows are facts too.

    Raises:
        InputError: a file cannot be read, or there is no fact.
    """
    found = list(_triples(config, tables))
    if not found:
        raise InputError(
            "the knowledge base has no facts to make claims of",
            where=config.name,
            hint="name files under `graph: data:` or `tables:` in imprimatur.yaml",
        )
    return Book(found)


def _triples(config: KnowledgeBaseConfig, tables: Tables | None) -> Iterator[Triple]:
    files = dict.fromkeys((*config.graph.data, *config.graph.ontology))
    for number, path in enumerate(files):
        for quad in quads_of(path):
            yield terms_of(quad, f"{number}-")
    for mapped in tables.graph_files() if tables is not None else ():
        if mapped.mapped is not None:
            for quad in mapped.mapped.quads():
                yield terms_of(quad, "rows-")


def quads_of(path: Path) -> Iterator[ox.Quad]:
    """The statements of one file. Raises InputError when it cannot be read."""
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data, path = gzip.decompress(data), path.with_suffix("")
        syntax = _syntax(path, data)
        base = path.absolute().as_uri() if syntax is not ox.RdfFormat.N_TRIPLES else None
        yield from ox.parse(data, format=syntax, base_iri=base)
    except (OSError, EOFError, SyntaxError, ValueError) as fault:
        raise InputError(f"cannot be read as RDF: {str(fault)[:200]}", where=str(path)) from fault


def _syntax(path: Path, data: bytes) -> ox.RdfFormat:
    """The syntax by the file's name, but as its first character says where that is XML or JSON."""
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    known = _FORMATS.get(path.suffix.lower(), ox.RdfFormat.TURTLE)
    if head.startswith((b"<?xml", b"<rdf:RDF", b"<!DOCTYPE")):
        return ox.RdfFormat.RDF_XML
    if head.startswith((b"{", b"[{")) and known is not ox.RdfFormat.TRIG:
        return ox.RdfFormat.JSON_LD
    return ox.RdfFormat.TURTLE if known in (ox.RdfFormat.RDF_XML, ox.RdfFormat.JSON_LD) else known


def terms_of(quad: ox.Quad, scope: str) -> Triple:
    """The three terms of a statement; ``scope`` tells the blank nodes of one file from another's."""
    return _name(quad.subject, scope), quad.predicate.value, node_of(quad.object, scope)


def node_of(term: object, scope: str = "") -> Node:
    """One term."""
    if isinstance(term, ox.Literal):
        datatype = term.datatype.value
        return Literal(term.value, "" if term.language or datatype == _STRING else datatype, term.language or "")
    return _name(term, scope)


def _name(term: object, scope: str) -> str:
    if isinstance(term, ox.NamedNode):
        return term.value
    if isinstance(term, ox.BlankNode):
        return f"_:{scope}{term.value}"
    return f"_:{scope}{term}"
