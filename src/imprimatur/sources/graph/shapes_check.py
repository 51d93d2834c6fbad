"""Checks of the whole graph against its shapes, and of the shapes themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

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

__all__ = ["GraphCheck", "check_graph", "count_foci", "try_shapes", "violation_of"]

_PROBE = URIRef("urn:imprimatur:probe")
_INNER_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCheck:
    """What validating a whole graph found.

    Attributes:
        conforms: W3C's ``sh:conforms``: no result of any severity.
        report: the W3C validation report, in Turtle.
        violations: all results, by shape and message.
        shapes: the shapes with their focus nodes.
    """

    conforms: bool
    report: str
    violations: tuple[Violation, ...]
    shapes: tuple[ShapeFocus, ...]

    @property
    def unfocused(self) -> tuple[str, ...]:
        """Shapes without any focus node: not examined, which is not the same as kept."""
        return tuple(each.shape for each in self.shapes if each.focus_nodes == 0)

    def by_shape(self) -> dict[str, int]:
        """How many results each shape has; shapes that have none are left out."""
        return dict(Counter(each.shape for each in self.violations))

    def rows(self) -> list[dict[str, str | bool]]:
        """The results as JSON-ready rows."""
        return [asdict(each) for each in self.violations]

    def words(self) -> str:
        """The outcome for people, one line a result."""
        lines = [f"{each.severity.lower()}: {each.message}" for each in self.violations]
        lines += [f"not examined: no node is a target of {each.label}" for each in self.shapes if not each.focus_nodes]
        examined = sum(bool(each.focus_nodes) for each in self.shapes)
        lines.append(f"{examined} of {len(self.shapes)} shapes examined, {len(self.violations)} results")
        return "\n".join(lines)


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
        for result, said in results_of(report, shapes).items()
    ]
    return GraphCheck(
        conforms=conforms,
        report=report.serialize(format="turtle"),
        violations=tuple(sorted(found, key=lambda each: (each.shape, each.message, each.value))),
        shapes=count_foci(judge),
    )


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
    """Evaluates every shape at a node that has nothing, so that malformed parameters show before any claim is judged.

    Raises:
        KnowledgeBaseError: a shape is malformed.
    """
    shapes = judge.shapes
    bare = shapes.without_targets()
    queue = list(shapes.roots)
    for shape in queue:
        queue += [each for each in shapes.inner(shape) if each not in queue]
        bare.add((shape, SH.targetNode, _PROBE))
    empty = view(judge.base, removed=())
    try:
        validate(empty, bare, advanced=shapes.advanced)
    except CheckFailed as error:
        raise KnowledgeBaseError(error.message, hint=error.hint, where=shapes.where) from error
