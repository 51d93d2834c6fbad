"""Checks by pySHACL of the whole graph against its shapes, and of the shapes themselves."""

from __future__ import annotations

from collections.abc import Mapping

from rdflib import Graph as RdflibGraph
from rdflib.namespace import SH
from rdflib.term import Node, URIRef

from imprimatur.errors import CheckFailed, KnowledgeBaseError
from imprimatur.sources.graph.shapes import ShapeFocus, Violation
from imprimatur.sources.graph.shapes_affected import focus_nodes
from imprimatur.sources.graph.shapes_blame import Judge
from imprimatur.sources.graph.shapes_overlay import memory_copy, text_of, view
from imprimatur.sources.graph.shapes_read import ShapeSet
from imprimatur.sources.graph.shapes_run import Clock, Result, results_of, run, validate
from imprimatur.sources.graph.shapes_words import is_conflict, sentence
from imprimatur.sources.shacl.report import GraphCheck

__all__ = ["check_graph", "count_foci", "found_in_graph", "try_shapes", "violation_of"]

_PROBE = URIRef("urn:imprimatur:probe")
_INNER_LIMIT_S = 60.0
_CHECK_LIMIT_S = 3600.0


def violation_of(result: Result, shapes: ShapeSet, *, message: str, conflict: bool) -> Violation:
    """The result as the outside sees it."""
    return Violation(
        focus=text_of(result.focus),
        shape=shapes.name(result.shape),
        path=result.path,
        component=result.component,
        value=text_of(result.value),
        message=message,
        severity=result.severity,
        conflict=conflict,
    )


def check_graph(judge: Judge) -> GraphCheck:
    """The whole graph against the shapes; see ``Shapes.check_graph``."""
    shapes = judge.shapes
    graph = memory_copy(judge.base, shapes.prefixes)
    report, conforms = validate(graph, shapes.graph, advanced=shapes.advanced)
    return GraphCheck(
        conforms=conforms,
        report=report.serialize(format="turtle"),
        violations=_in_words(results_of(report, shapes), shapes, graph),
        shapes=count_foci(judge),
    )


def found_in_graph(judge: Judge) -> list[Violation]:
    """All results in the whole graph of the judge's own shapes with targets."""
    shapes = judge.shapes
    for root in shapes.roots:
        judge.refuse(root)
    graph = memory_copy(judge.base, shapes.prefixes)
    if shapes.advanced:
        # Rules may add focus nodes, and they concern every shape.
        report, _ = validate(graph, shapes.graph, advanced=True)
        return list(_in_words(results_of(report, shapes), shapes, graph))
    foci: dict[Node, set[Node] | None] = {}
    for root in shapes.roots:
        own = any(kind == "target" for kind, _ in shapes.targets(root))
        foci[root] = None if own else set(focus_nodes(shapes, root, graph))
    results = run(shapes, foci, graph, clock=Clock.of(_CHECK_LIMIT_S))
    return list(_in_words(results, shapes, graph))


def _in_words(results: Mapping[Result, tuple[str, ...]], shapes: ShapeSet, graph: RdflibGraph) -> tuple[Violation, ...]:
    clock = Clock.of(_INNER_LIMIT_S)

    def inner(shape: Node, node: Node) -> list[Result]:
        return list(run(shapes, {shape: {node}}, graph, clock=clock))

    found = [
        violation_of(
            result,
            shapes,
            message=sentence(result, said, shapes, graph=graph),
            conflict=is_conflict(result, shapes, graph, inner=inner),
        )
        for result, said in results.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.shape, each.message, each.value)))


def count_foci(judge: Judge) -> tuple[ShapeFocus, ...]:
    """The shapes with targets, each with the number of its focus nodes in the graph."""
    shapes = judge.shapes
    graph = view(judge.base)
    return tuple(
        ShapeFocus(
            shape=shapes.name(root),
            label=shapes.label(root),
            targets=tuple((kind, text_of(term)) for kind, term in shapes.targets(root)),
            focus_nodes=sum(1 for _ in focus_nodes(shapes, root, graph)),
        )
        for root in shapes.roots
    )


def try_shapes(judge: Judge) -> None:
    """Evaluates every shape at a node in an empty graph, so that malformed parameters show before any claim is judged.

    Raises:
        KnowledgeBaseError: a shape is malformed.
    """
    shapes = judge.shapes
    bare = shapes.without_targets()
    queue = list(shapes.roots)
    seen = set(queue)
    for shape in queue:
        new = [each for each in shapes.inner(shape) if each not in seen]
        seen.update(new)
        queue += new
        bare.add((shape, SH.targetNode, _PROBE))
    try:
        validate(RdflibGraph(bind_namespaces="none"), bare, advanced=shapes.advanced)
    except CheckFailed as error:
        raise KnowledgeBaseError(error.message, hint=error.hint, where=shapes.where) from error
