"""What SHACL shapes say about a vocabulary as a whole: ``sh:maxCount 1`` and the ranges of properties.

Only what holds for every use of a property is taken: a shape counts when all subjects of the property in the graph are
among its targets, when it is active, of severity Violation, and when the property shape hangs on it directly (nothing
under sh:or, sh:not, sh:node or a qualified shape) with a plain path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from imprimatur.sources.graph.files import GraphFile
from imprimatur.sources.graph.store import Graph, graph_of
from imprimatur.sources.graph.terms import OWL, RDF, RDFS

__all__ = ["SH", "ShapeHint", "read_hints"]

SH = "http://www.w3.org/ns/shacl#"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeHint:
    """What shapes say of one property: at most one value, and the classes and datatypes of its values."""

    property: str
    single: bool
    classes: tuple[str, ...]
    datatypes: tuple[str, ...]


def read_hints(graph: Graph, is_a: Callable[[int, str], bool]) -> tuple[ShapeHint, ...]:
    """The hints of the graph's shapes files; ``is_a`` tells whether an entity is a member of a class."""
    if not graph.shapes_files:
        return ()
    from imprimatur.sources.graph.load import Loader

    loader = Loader()
    for file in graph.shapes_files:
        loader.read(GraphFile(file.path, "shapes", file.trust))
    return tuple(_Shapes(graph_of(loader)).hints(graph, is_a))


class _Shapes:
    """A shapes graph, read by names within the SHACL vocabulary."""

    def __init__(self, shapes: Graph) -> None:
        self.shapes = shapes

    def values(self, node: int, iri: str) -> tuple[int, ...]:
        predicate = self.shapes.id(iri)
        return () if predicate is None else self.shapes.objects(node, predicate)

    def texts(self, node: int, name: str) -> tuple[str, ...]:
        return tuple(self.shapes.iri(value) for value in self.values(node, SH + name))

    def hints(self, graph: Graph, is_a: Callable[[int, str], bool]) -> Iterator[ShapeHint]:
        predicate = self.shapes.id(SH + "property")
        for shape, constraint in self.shapes.pairs(predicate) if predicate is not None else ():
            paths = self.values(constraint, SH + "path")
            if len(paths) != 1 or not self.shapes.is_iri(paths[0]) or self._idle(shape) or self._idle(constraint):
                continue
            iri = self.shapes.iri(paths[0])
            if self._covers(shape, iri, graph=graph, is_a=is_a):
                yield ShapeHint(
                    property=iri,
                    single=any(self.shapes.number(n) == 1 for n in self.values(constraint, SH + "maxCount")),
                    classes=self.texts(constraint, "class"),
                    datatypes=self.texts(constraint, "datatype"),
                )

    def _idle(self, node: int) -> bool:
        off = any(text in ("true", "1") for text in self.texts(node, "deactivated"))
        return off or any(text != SH + "Violation" for text in self.texts(node, "severity"))

    def _covers(self, shape: int, iri: str, *, graph: Graph, is_a: Callable[[int, str], bool]) -> bool:
        """Whether every subject of the property in the graph is a target of the shape."""
        if iri in self.texts(shape, "targetSubjectsOf"):
            return True
        classes = list(self.texts(shape, "targetClass"))
        kinds = {self.shapes.iri(kind) for kind in self.values(shape, RDF + "type")}
        if kinds & {RDFS + "Class", OWL + "Class"}:
            classes.append(self.shapes.iri(shape))
        predicate = graph.id(iri)
        if predicate is None or not classes:
            return False
        subjects = dict.fromkeys(subject for subject, _ in graph.pairs(predicate))
        return all(any(is_a(subject, target) for target in classes) for subject in subjects)
