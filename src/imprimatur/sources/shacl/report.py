"""The outcome of checking a whole graph: W3C's validation report in Turtle, rows, and plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from imprimatur.sources.graph.shapes import ShapeFocus, Violation
from imprimatur.sources.graph.terms import RdfLiteral, iri_text, literal_text
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.facts import SH, text_of
from imprimatur.sources.shacl.path_reading import path_turtle
from imprimatur.sources.shacl.shape import Shape

__all__ = ["GraphCheck", "turtle_report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCheck:
    """What validating a whole graph found.

    Attributes:
        conforms: W3C's ``sh:conforms``: no result of any severity.
        report: the W3C validation report, in Turtle.
        violations: all results, by shape and message.
        shapes: the shapes with their focus nodes.
        undecided: comparisons that had no outcome, in words: there a shape is neither kept nor broken.
    """

    conforms: bool
    report: str
    violations: tuple[Violation, ...]
    shapes: tuple[ShapeFocus, ...]
    undecided: tuple[str, ...] = ()

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
        lines += [f"undecided: {each}" for each in self.undecided]
        lines += [f"not examined: no node is a target of {each.label}" for each in self.shapes if not each.focus_nodes]
        examined = sum(bool(each.focus_nodes) for each in self.shapes)
        lines.append(f"{examined} of {len(self.shapes)} shapes examined, {len(self.violations)} results")
        return "\n".join(lines)


def turtle_report(violations: Iterable[Violation], engine: Engine) -> str:
    """The W3C validation report (W3C SHACL 3.6)."""
    named = {shape.name: shape for shape in engine.shapes}
    results = [_result(each, engine, named) for each in violations]
    head = f"@prefix sh: <{SH}> .\n\n[] a sh:ValidationReport ;\n    sh:conforms {str(not results).lower()}"
    return head + "".join(f" ;\n    sh:result {result}" for result in results) + " .\n"


def _result(violation: Violation, engine: Engine, named: Mapping[str, Shape]) -> str:
    shape = named.get(violation.shape)
    plain = "://" in violation.component
    parts = [
        "a sh:ValidationResult",
        f"sh:focusNode {violation.focus}",
        f"sh:resultSeverity {_severity(violation, engine, shape)}",
        f"sh:sourceConstraintComponent {iri_text(violation.component if plain else SH + violation.component)}",
        f"sh:sourceShape {'[]' if shape is None else text_of(shape.node)}",
        f"sh:resultMessage {literal_text(RdfLiteral(violation.message))}",
    ]
    if violation.path:
        known = shape is not None and violation.path == shape.path_text
        paths = engine.facts.sh(shape.node, "path") if shape is not None and known else ()
        parts.append(f"sh:resultPath {path_turtle(engine.facts, paths[0]) if paths else iri_text(violation.path)}")
    if violation.value:
        parts.append(f"sh:value {violation.value}")
    return "[ " + " ;\n        ".join(parts) + " ]"


def _severity(violation: Violation, engine: Engine, shape: Shape | None) -> str:
    for given in engine.facts.sh(shape.node, "severity") if shape is not None else ():
        if isinstance(given, str):
            return text_of(given)
    return f"sh:{violation.severity}"
