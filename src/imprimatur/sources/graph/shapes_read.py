"""Shapes as read from files: the graph, its targets, stable names, and the checks that can be made without data.

Malformed shapes are refused here, with file and shape: bad syntax, bad paths, bad regular expressions, bad SPARQL, and
recursive shapes (W3C SHACL 3.4.3 leaves recursion undefined, so no verdict could rest on it).
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from pathlib import Path

import pyoxigraph as ox
from rdflib import Graph as RdflibGraph
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SH
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query
from rdflib.term import BNode, Literal, Node, URIRef

from imprimatur._records import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.formats import HEAD_BYTES, syntax_of
from imprimatur.sources.graph.shapes_overlay import term_of, text_of
from imprimatur.sources.graph.shapes_paths import Path as PropertyPath
from imprimatur.sources.graph.shapes_paths import of_shape
from imprimatur.sources.graph.terms import spoken_name

__all__ = ["ADVANCED", "ShapeSet", "read_shapes"]

_FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "n-triples": ox.RdfFormat.N_TRIPLES,
    "n-quads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "rdf/xml": ox.RdfFormat.RDF_XML,
    "json-ld": ox.RdfFormat.JSON_LD,
}
_TARGETS = (SH.targetClass, SH.targetNode, SH.targetSubjectsOf, SH.targetObjectsOf, SH.target)
_LISTS = (SH["and"], SH["or"], SH.xone)
_SINGLES = (SH.property, SH.node, SH["not"], SH.qualifiedValueShape)
#: SHACL Advanced Features (W3C note) that need pySHACL's advanced mode; rules first.
ADVANCED = (SH.rule, SH.target, SH.expression, SH.js)
#: Prefixes that a query may use undeclared, as rdflib's own graphs allow.
_USUAL = {
    "rdf": str(RDF),
    "rdfs": str(RDFS),
    "owl": str(OWL),
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "sh": str(SH),
}
_HINT = "mend the shape; see https://www.w3.org/TR/shacl/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeSet:
    """All shapes of a knowledge base.

    Attributes:
        graph: the shapes graph.
        roots: the shapes that have targets and are not deactivated, by name.
        prefixes: prefixes of the files, for queries.
        advanced: whether SHACL Advanced Features are used.
        where: the files, for messages.
    """

    graph: RdflibGraph
    roots: tuple[Node, ...]
    prefixes: dict[str, str]
    advanced: bool
    where: str
    _names: dict[Node, str] = field(default_factory=dict)
    _paths: dict[Node, PropertyPath] = field(default_factory=dict)
    _queries: dict[str, Query] = field(default_factory=dict)

    def inner(self, shape: Node) -> tuple[Node, ...]:
        """The shapes that a shape refers to directly, in any way."""
        graph, found = self.graph, []
        for predicate in _SINGLES:
            found += list(graph.objects(shape, predicate))
        for predicate in _LISTS:
            for head in graph.objects(shape, predicate):
                found += list(Collection(graph, head))
        return tuple(found)

    def path(self, shape: Node) -> PropertyPath | None:
        """The path of a property shape; None for a node shape."""
        if shape not in self._paths:
            node = self.graph.value(shape, SH.path)
            if node is None:
                return None
            self._paths[shape] = of_shape(self.graph, node, where=f"{self.where}: {self.name(shape)}")
        return self._paths[shape]

    def name(self, shape: Node) -> str:
        """The shape's IRI; for a blank node that of the shape that holds it and a hash of what it says."""
        if shape not in self._names:
            self._names[shape] = self._named(shape)
        return self._names[shape]

    def _named(self, shape: Node) -> str:
        if isinstance(shape, URIRef):
            return str(shape)
        at, seen = shape, {shape}
        while isinstance(at, BNode):
            owner = next((s for s in self.graph.subjects(None, at) if s not in seen), None)
            if owner is None:
                break
            seen.add(owner)
            at = owner
        digest = hashlib.sha256("\n".join(self._said(shape, 0)).encode()).hexdigest()[:8]
        return f"{at if isinstance(at, URIRef) else ''}/{digest}"

    def _said(self, node: Node, depth: int) -> list[str]:
        lines = []
        for predicate, value in self.graph.predicate_objects(node):
            nested = isinstance(value, BNode) and depth < 20
            lines.append(
                f"{depth} {predicate} " + (" ".join(self._said(value, depth + 1)) if nested else text_of(value))
            )
        return sorted(lines)

    def label(self, shape: Node) -> str:
        """What a person calls the shape: its label or name, else the words of its IRI or path."""
        graph = self.graph
        for predicate in (RDFS.label, SH.name):
            value = graph.value(shape, predicate)
            if isinstance(value, Literal):
                return str(value)
        path = graph.value(shape, SH.path)
        named = shape if isinstance(shape, URIRef) else path
        return spoken_name(str(named)) if isinstance(named, URIRef) else self.name(shape)

    def targets(self, shape: Node) -> tuple[tuple[str, Node], ...]:
        """The targets (W3C SHACL 2.1.3) as (kind, term): class, node, subjectsOf, objectsOf, or target (advanced)."""
        found = [
            (str(predicate).rpartition("#")[2].removeprefix("target") or "target", term)
            for predicate in _TARGETS
            for term in self.graph.objects(shape, predicate)
        ]
        if any((shape, RDF.type, kind) in self.graph for kind in (RDFS.Class, OWL.Class)):
            found.append(("Class", shape))
        return tuple((kind[0].lower() + kind[1:], term) for kind, term in found)

    def query(self, text: str) -> Query:
        """The parsed ``sh:select``, with the prefixes of its files and of every ``sh:declare``.

        Raises:
            KnowledgeBaseError: it is no SPARQL.
        """
        if text not in self._queries:
            try:
                self._queries[text] = prepareQuery(text, initNs=self.prefixes)
            except Exception as error:  # rdflib raises its parser's and its own exceptions
                raise KnowledgeBaseError(f"bad SPARQL: {str(error)[:200]}", hint=_HINT, where=self.where) from error
        return self._queries[text]

    def without_targets(self) -> RdflibGraph:
        """A fresh copy of the shapes graph in which no shape has a target."""
        bare = RdflibGraph(bind_namespaces="none")
        for prefix, namespace in self.prefixes.items():
            bare.bind(prefix, namespace)
        for s, p, o in self.graph:
            implicit = p == RDF.type and o in (RDFS.Class, OWL.Class)
            if p not in _TARGETS and not implicit:
                bare.add((s, p, o))
        return bare


def read_shapes(files: Sequence[Path]) -> ShapeSet:
    """The shapes of some files, checked.

    Raises:
        KnowledgeBaseError: a file cannot be read, or a shape is malformed.
    """
    graph = RdflibGraph(bind_namespaces="none")
    prefixes = dict(_USUAL)
    for number, path in enumerate(files):
        _read_file(path, number, graph=graph, prefixes=prefixes)
    for node in set(graph.subjects(SH.prefix, None)):
        declared = graph.value(node, SH.namespace)
        if declared is not None:
            prefixes[str(graph.value(node, SH.prefix))] = str(declared)
    for prefix, namespace in prefixes.items():
        graph.bind(prefix, namespace)
    shapes = ShapeSet(
        graph=graph,
        roots=(),
        prefixes=prefixes,
        advanced=any((None, predicate, None) in graph for predicate in ADVANCED),
        where=", ".join(map(str, files)),
    )
    roots = sorted(_roots(shapes), key=shapes.name)
    shapes = ShapeSet(graph=graph, roots=tuple(roots), prefixes=prefixes, advanced=shapes.advanced, where=shapes.where)
    _check(shapes)
    return shapes


def _read_file(path: Path, number: int, *, graph: RdflibGraph, prefixes: dict[str, str]) -> None:
    where = str(path)
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        syntax = _FORMATS[syntax_of(path, content[:HEAD_BYTES], where=where)]
        parser = ox.parse(content, format=syntax, base_iri=path.resolve().as_uri())
        for quad in parser:
            terms = []
            for part in (quad.subject, quad.predicate, quad.object):
                # Blank nodes of different files are different, whatever their labels.
                mine = ox.BlankNode(f"f{number}{part.value}") if isinstance(part, ox.BlankNode) else part
                terms.append(term_of(mine))
            graph.add((terms[0], terms[1], terms[2]))
        prefixes.update(parser.prefixes)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise KnowledgeBaseError(str(error.msg or error), hint="mend the syntax there", where=where + line) from error
    except (OSError, EOFError, ValueError) as error:
        raise KnowledgeBaseError(f"the shapes cannot be read: {error}", where=where) from error


def _roots(shapes: ShapeSet) -> Iterator[Node]:
    graph = shapes.graph
    candidates = {s for predicate in _TARGETS for s in graph.subjects(predicate, None)}
    for kind in (SH.NodeShape, SH.PropertyShape):
        candidates |= {s for s in graph.subjects(RDF.type, kind) if shapes.targets(s)}
    for shape in candidates:
        off = graph.value(shape, SH.deactivated)
        if not (isinstance(off, Literal) and off.value is True):
            yield shape


def _all_shapes(shapes: ShapeSet) -> Iterable[Node]:
    seen: dict[Node, None] = {}
    queue = list(shapes.roots)
    for shape in queue:
        if shape not in seen:
            seen[shape] = None
            queue.extend(shapes.inner(shape))
    return seen


def _check(shapes: ShapeSet) -> None:
    for shape in _all_shapes(shapes):
        where = f"{shapes.where}: {shapes.name(shape)}"
        shapes.path(shape)
        for pattern in shapes.graph.objects(shape, SH.pattern):
            try:
                re.compile(str(pattern))
            except re.error as error:
                raise KnowledgeBaseError(f"bad sh:pattern {pattern!s}: {error}", hint=_HINT, where=where) from error
        for constraint in shapes.graph.objects(shape, SH.sparql):
            for text in shapes.graph.objects(constraint, SH.select):
                shapes.query(str(text))
    done: set[Node] = set()
    for root in shapes.roots:
        _check_recursion(shapes, root, above=(), done=done)


def _check_recursion(shapes: ShapeSet, shape: Node, *, above: tuple[Node, ...], done: set[Node]) -> None:
    if shape in above:
        loop = " → ".join(shapes.label(each) for each in (*above[above.index(shape) :], shape))
        raise KnowledgeBaseError(f"recursive shapes: {loop}", hint="break the circle", where=shapes.where)
    if shape in done or len(above) > 200:
        return
    for inner in shapes.inner(shape):
        _check_recursion(shapes, inner, above=(*above, shape), done=done)
    done.add(shape)
