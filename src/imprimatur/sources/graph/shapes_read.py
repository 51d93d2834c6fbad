"""Shapes as rdflib and pySHACL see them: the graph, its targets, and the checks that can be made without data.

The triples and the names of shapes are those of ``sources.shacl.facts``. Malformed shapes are refused here, with file
and shape: bad paths, bad regular expressions and bad SPARQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rdflib import Graph as RdflibGraph
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SH
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query
from rdflib.term import BNode, Literal, Node, URIRef

from imprimatur.errors import KnowledgeBaseError, LimitExceeded
from imprimatur.sources.graph.shapes_overlay import node_of
from imprimatur.sources.graph.shapes_paths import Path as PropertyPath
from imprimatur.sources.graph.shapes_paths import of_shape
from imprimatur.sources.shacl.facts import Facts

__all__ = ["ADVANCED", "ShapeSet", "shapes_of"]

_TARGETS = (SH.targetClass, SH.targetNode, SH.targetSubjectsOf, SH.targetObjectsOf, SH.target)
_LISTS = (SH["and"], SH["or"], SH.xone)
_SINGLES = (SH.property, SH.node, SH["not"], SH.qualifiedValueShape)
#: SHACL Advanced Features (W3C note) that need pySHACL's advanced mode; rules first.
ADVANCED = (SH.rule, SH.target, SH.expression, SH.js)
_HINT = "mend the shape; see https://www.w3.org/TR/shacl/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeSet:
    """All shapes of a knowledge base.

    Attributes:
        facts: the triples.
        graph: the shapes graph.
        roots: the shapes that have targets and are not deactivated, by name.
        prefixes: prefixes of the files, for queries.
        advanced: whether SHACL Advanced Features are used.
        where: the files, for messages.
    """

    facts: Facts
    graph: RdflibGraph
    roots: tuple[Node, ...]
    prefixes: dict[str, str]
    advanced: bool
    where: str
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
        return self.facts.name(_text(shape))

    def label(self, shape: Node) -> str:
        """What a person calls the shape: its label or name, else the words of its IRI or path."""
        return self.facts.label(_text(shape))

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

    def query(self, text: str, *, where: str = "") -> Query:
        """The parsed ``sh:select``, with the prefixes of its files and of every ``sh:declare``.

        Raises:
            KnowledgeBaseError: it is no SPARQL.
        """
        if text not in self._queries:
            try:
                self._queries[text] = prepareQuery(text, initNs=self.prefixes)
            except RecursionError as error:
                raise LimitExceeded("the SPARQL is nested too deeply", hint=_HINT, where=where or self.where) from error
            except Exception as error:  # rdflib raises its parser's and its own exceptions
                raise KnowledgeBaseError(
                    f"bad SPARQL: {str(error)[:200]}", hint=_HINT, where=where or self.where
                ) from error
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


def shapes_of(facts: Facts) -> ShapeSet:
    """The shapes of some files, checked.

    Raises:
        KnowledgeBaseError: a shape is malformed.
    """
    graph = RdflibGraph(bind_namespaces="none")
    for subject, predicate, object_ in facts:
        graph.add((node_of(subject), URIRef(predicate), node_of(object_)))
    for prefix, namespace in facts.prefixes.items():
        graph.bind(prefix, namespace)
    shapes = ShapeSet(
        facts=facts,
        graph=graph,
        roots=(),
        prefixes=facts.prefixes,
        advanced=any((None, predicate, None) in graph for predicate in ADVANCED),
        where=facts.where,
    )
    shapes = replace(shapes, roots=tuple(sorted(_roots(shapes), key=shapes.name)))
    _check(shapes)
    return shapes


def _text(node: Node) -> str:
    return f"_:{node}" if isinstance(node, BNode) else str(node)


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
                shapes.query(str(text), where=where)
