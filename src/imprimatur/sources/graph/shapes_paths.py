"""SHACL property paths (W3C SHACL 2.3.1): read from a shapes graph or a SPARQL query, and walked in both directions.

``starts`` answers the question that makes checking one claim cheap: from which nodes may the path cross a given triple?
Walking backward from the triple over-approximates, which is sound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rdflib import Graph as RdflibGraph
from rdflib import paths as sparql_paths
from rdflib.collection import Collection
from rdflib.namespace import RDF, SH
from rdflib.term import Node, URIRef

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.shapes_overlay import Triple

__all__ = ["Choice", "Path", "Repeat", "Sequence", "Step", "forward", "inverse", "of_shape", "of_sparql", "starts"]


@dataclass(frozen=True, slots=True)
class Step:
    """One edge with this predicate (None: any), backward when ``inverted``."""

    predicate: Node | None
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """The parts one after another."""

    parts: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of the parts."""

    parts: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part again and again, or once at most; possibly not at all."""

    part: Path
    many: bool
    none: bool


Path = Step | Sequence | Choice | Repeat


def of_shape(shapes: RdflibGraph, node: Node, *, where: str) -> Path:
    """The path that ``node`` describes.

    Raises:
        KnowledgeBaseError: it is no well-formed path (or one that holds itself).
    """
    try:
        return _read(shapes, node, 0)
    except (ValueError, RecursionError) as error:
        raise KnowledgeBaseError(f"malformed sh:path: {error}", hint="see W3C SHACL 2.3.1", where=where) from error


def _read(shapes: RdflibGraph, node: Node, depth: int) -> Path:
    if isinstance(node, URIRef) and node != RDF.nil:
        return Step(node)
    if depth > 50:
        raise ValueError("nested too deeply")
    if shapes.value(node, RDF.first) is not None:
        return Sequence(tuple(_read(shapes, part, depth + 1) for part in Collection(shapes, node)))
    part = shapes.value(node, SH.inversePath)
    if part is not None:
        return inverse(_read(shapes, part, depth + 1))
    part = shapes.value(node, SH.alternativePath)
    if part is not None:
        return Choice(tuple(_read(shapes, each, depth + 1) for each in Collection(shapes, part)))
    for name, many, none in (
        ("zeroOrMorePath", True, True),
        ("oneOrMorePath", True, False),
        ("zeroOrOnePath", False, True),
    ):
        part = shapes.value(node, SH[name])
        if part is not None:
            return Repeat(_read(shapes, part, depth + 1), many, none)
    raise ValueError("neither an IRI, a list, nor one of sh:inversePath, sh:alternativePath, sh:zeroOrMorePath, …")


def of_sparql(path: object) -> Path:
    """The path of a SPARQL triple pattern's predicate.

    Raises:
        ValueError: a negated property set, which may cross any triple.
    """
    match path:
        case URIRef():
            return Step(path)
        case sparql_paths.InvPath():
            return inverse(of_sparql(path.arg))
        case sparql_paths.SequencePath():
            return Sequence(tuple(of_sparql(part) for part in path.args))
        case sparql_paths.AlternativePath():
            return Choice(tuple(of_sparql(part) for part in path.args))
        case sparql_paths.MulPath():
            return Repeat(of_sparql(path.path), path.mod in "*+", path.mod in "*?")
    raise ValueError(f"the path {path} is not analysed")


def inverse(path: Path) -> Path:
    """The path walked from its end."""
    match path:
        case Step():
            return Step(path.predicate, not path.inverted)
        case Sequence():
            return Sequence(tuple(inverse(part) for part in reversed(path.parts)))
        case Choice():
            return Choice(tuple(inverse(part) for part in path.parts))
        case Repeat():
            return Repeat(inverse(path.part), path.many, path.none)


def forward(path: Path, nodes: Iterable[Node], graph: RdflibGraph) -> set[Node]:
    """The nodes that the path reaches from ``nodes``."""
    found = set(nodes)
    match path:
        case Step():
            if path.inverted:
                return {s for node in found for s in graph.subjects(path.predicate, node)}
            return {o for node in found for o in graph.objects(node, path.predicate)}
        case Sequence():
            for part in path.parts:
                found = forward(part, found, graph)
            return found
        case Choice():
            return set().union(*(forward(part, found, graph) for part in path.parts))
        case Repeat():
            return _repeated(path, found, lambda ends: forward(path.part, ends, graph))


def _repeated(path: Repeat, nodes: set[Node], step: Callable[[set[Node]], set[Node]]) -> set[Node]:
    reached = step(nodes)
    seen = set(reached)
    while path.many and reached:
        reached = step(reached) - seen
        seen |= reached
    return seen | nodes if path.none else seen


def starts(path: Path, triples: Iterable[Triple], graph: RdflibGraph) -> set[Node]:
    """The nodes from which walking ``path`` may cross one of ``triples`` (which are in ``graph``)."""
    match path:
        case Step():
            end = 2 if path.inverted else 0
            return {triple[end] for triple in triples if path.predicate in (None, triple[1])}
        case Sequence():
            found: set[Node] = set()
            for part in reversed(path.parts):
                found = forward(inverse(part), found, graph) | starts(part, triples, graph)
            return found
        case Choice():
            return set().union(*(starts(part, triples, graph) for part in path.parts))
        case Repeat():
            found = starts(path.part, triples, graph)
            if path.many:
                found |= forward(Repeat(inverse(path.part), True, True), found, graph)
            return found
