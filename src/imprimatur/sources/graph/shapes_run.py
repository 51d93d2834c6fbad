"""Runs pySHACL on chosen shapes at chosen focus nodes, and reads its report.

The shapes graph of a run is a copy in which the only targets are the chosen nodes, so pySHACL's public interface does
the rest whatever kind of term a focus node is. Nothing is written to the data graph.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rdflib import Graph as RdflibGraph
from rdflib.namespace import RDF, SH
from rdflib.term import Literal, Node

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.sources.graph.shapes_overlay import text_of
from imprimatur.sources.graph.shapes_read import ShapeSet

__all__ = ["Clock", "Foci", "Result", "results_of", "run", "validate"]

#: The focus nodes to examine, per shape; None for the shape's own (advanced) targets.
Foci = Mapping[Node, set[Node] | None]
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Result:
    """One validation result (W3C SHACL 3.6.2). Two runs give equal results for the same fault.

    ``constraint`` tells several ``sh:sparql`` of one shape apart, and ``said`` its solutions (the message with its
    variables filled in); both are empty for core constraints.
    """

    shape: Node
    focus: Node
    path: str
    component: str
    value: Node | None
    severity: str
    constraint: Node | None = None
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clock:
    """A time limit in seconds of ``time.monotonic``."""

    deadline: float

    @classmethod
    def of(cls, seconds: float) -> Clock:
        """A clock that ends in some seconds."""
        return cls(time.monotonic() + seconds)

    def check(self) -> None:
        """Raises LimitExceeded when the time is over."""
        if time.monotonic() > self.deadline:
            raise LimitExceeded("the shapes took too long", hint="raise the limit, or narrow the shapes' targets")


def run(shapes: ShapeSet, foci: Foci, graph: RdflibGraph, *, clock: Clock) -> dict[Result, tuple[str, ...]]:
    """All results at the given focus nodes, each with its messages.

    Raises:
        CheckFailed: pySHACL could not evaluate a shape.
        LimitExceeded: the clock ran out between two batches of focus nodes.
    """
    found: dict[Result, tuple[str, ...]] = {}
    for batch in _batches(foci):
        clock.check()
        bare = shapes.without_targets()
        for shape, node in batch:
            if node is not None:
                bare.add((shape, SH.targetNode, node))
            else:
                for target in shapes.graph.triples((shape, SH.target, None)):
                    bare.add(target)
        report, _ = validate(graph, bare, advanced=shapes.advanced)
        found.update(results_of(report, shapes))
    return found


def _batches(foci: Foci) -> Iterator[list[tuple[Node, Node | None]]]:
    pairs: list[tuple[Node, Node | None]] = []
    for shape, nodes in foci.items():
        pairs += [(shape, None)] if nodes is None else [(shape, node) for node in sorted(nodes, key=text_of)]
    for start in range(0, len(pairs), _BATCH):
        yield pairs[start : start + _BATCH]


def validate(graph: RdflibGraph, shapes: RdflibGraph, *, advanced: bool) -> tuple[RdflibGraph, bool]:
    """pySHACL's report graph, and whether the graph conforms.

    Raises:
        CheckFailed: pySHACL could not evaluate a shape.
    """
    import pyshacl

    try:
        conforms, report, text = pyshacl.validate(graph, shacl_graph=shapes, advanced=advanced)
    except LimitExceeded:
        raise
    except Exception as error:  # pySHACL and rdflib raise many kinds; each means that nothing was judged
        raise CheckFailed(f"the shapes could not be evaluated: {_brief(error)}", hint="mend the shape") from error
    if not isinstance(report, RdflibGraph):
        raise CheckFailed(f"the shapes could not be evaluated: {str(text)[:300]}", hint="mend the shape")
    return report, bool(conforms)


def _brief(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def results_of(report: RdflibGraph, shapes: ShapeSet) -> dict[Result, tuple[str, ...]]:
    """The results of a report graph with their messages; results nested in others are left out."""
    return {
        result: said
        for node in report.objects(None, SH.result)
        for result, said in [_result(report, node, shapes)]
        if (None, SH.detail, node) not in report
    }


def _result(report: RdflibGraph, node: Node, shapes: ShapeSet) -> tuple[Result, tuple[str, ...]]:
    shape = report.value(node, SH.sourceShape)
    focus = report.value(node, SH.focusNode)
    component = report.value(node, SH.sourceConstraintComponent)
    if shape is None or focus is None or component is None:
        raise CheckFailed("a validation result lacks its shape, focus node or component")
    said = tuple(sorted(str(message) for message in report.objects(node, SH.resultMessage)))
    constraint = report.value(node, SH.sourceConstraint)
    path = report.value(node, SH.resultPath)
    severity = report.value(node, SH.resultSeverity)
    result = Result(
        shape=shape,
        focus=focus,
        path=_path_text(report, path),
        component=str(component).rpartition("#")[2] if str(component).startswith(str(SH)) else str(component),
        value=report.value(node, SH.value),
        severity=str(severity or SH.Violation).rpartition("#")[2],
        constraint=constraint,
        said=said if constraint is not None else (),
    )
    return result, said


def _path_text(graph: RdflibGraph, node: Node | None, depth: int = 0) -> str:
    """A path as text: an IRI as it is, anything else in SPARQL's notation; empty for none."""
    if node is None or isinstance(node, Literal) or depth > 50:
        return ""
    first = graph.value(node, RDF.first)
    if first is not None:
        return "/".join(_path_text(graph, part, depth + 1) for part in graph.items(node))
    for name, form in _FORMS:
        part = graph.value(node, SH[name])
        if part is not None and name == "alternativePath":
            return "(" + "|".join(_path_text(graph, each, depth + 1) for each in graph.items(part)) + ")"
        if part is not None:
            return form.format(_path_text(graph, part, depth + 1))
    return str(node) if depth == 0 else f"<{node}>"


_FORMS = (
    ("inversePath", "^{}"),
    ("alternativePath", ""),
    ("zeroOrMorePath", "({})*"),
    ("oneOrMorePath", "({})+"),
    ("zeroOrOnePath", "({})?"),
)
