"""The compiled shapes over one graph: which focus nodes a claim can change, and what is broken there.

``Engine.affected`` unifies each added triple with the routes of each shape and walks back to the focus nodes over the
graph with the triple; a shape with more routes than can be kept is examined at all its targets. Everything is bounded:
by time, and by how many focus nodes a claim may touch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from imprimatur._records import dataclass
from imprimatur.errors import LimitExceeded
from imprimatur.sources.shacl.compile import Compiler, compile_shapes
from imprimatur.sources.shacl.facts import Facts
from imprimatur.sources.shacl.paths import Path, inverse, then, walk
from imprimatur.sources.shacl.shape import ANY, FALLBACK, Finding, Route, Shape
from imprimatur.sources.shacl.view import Edge, Hierarchy, Terms, Triples, View

__all__ = ["Engine", "Foci", "Way", "routes_of"]

#: The focus nodes to examine, per shape with targets (by index).
Foci = Mapping[int, Iterable[int]]

_MOST_FOCI = 20_000
_MOST_ROUTES = 2_000


@dataclass(frozen=True, slots=True)
class Way:
    """A route of a shape with targets."""

    root: Shape
    route: Route


def routes_of(root: Shape, shapes: Sequence[Shape], types: Hierarchy) -> frozenset[Route] | None:
    """All routes by which a triple may change what the shape finds; None when they are too many to keep."""
    found: set[Route] = set()
    for target in root.targets:
        if target.kind == "class":
            found |= {Route(types.type), Route(types.subclass, retypes=True)}
        elif target.kind in ("subjectsOf", "objectsOf"):
            found.add(Route(target.term, target.kind == "objectsOf"))
    seen: set[tuple[int, Path | None]] = set()
    queue: list[tuple[Shape, Path | None]] = [(root, None)]
    for shape, prefix in queue:
        if (shape.index, prefix) in seen:
            continue
        seen.add((shape.index, prefix))
        found |= set(_own_routes(shape, prefix))
        if len(found) > _MOST_ROUTES or len(seen) > _MOST_ROUTES:
            return None
        below = then(prefix, shape.path)
        queue += [(shapes[index], below) for each in shape.constraints for index in each.inner]
        queue += [(nested, below) for nested in shape.properties]
    return frozenset(found)


def _own_routes(shape: Shape, prefix: Path | None) -> Iterable[Route]:
    back = inverse(prefix) if prefix is not None else None
    for step, before, _ in shape.path.edges() if shape.path is not None else ():
        yield Route(step.predicate, step.inverted, then(inverse(before) if before else None, back))
    to_values = then(inverse(shape.path) if shape.path is not None else None, back)
    for constraint in shape.constraints:
        for routes, rest in ((constraint.at_focus, back), (constraint.at_values, to_values)):
            for route in routes:
                yield Route(route.predicate, route.inverted, then(route.back, rest), route.retypes, route.everywhere)


class Engine:
    """The compiled shapes of some facts over a graph."""

    __slots__ = (
        "_any",
        "_by_predicate",
        "compiled",
        "everywhere",
        "facts",
        "fallback",
        "roots",
        "shapes",
        "terms",
        "types",
    )

    def __init__(self, graph: Triples, facts: Facts) -> None:
        self.facts = facts
        self.terms = Terms(graph)
        self.types = Hierarchy(self.terms)
        compiler = Compiler(facts, self.terms, self.types)
        self.roots = compile_shapes(compiler)
        self.shapes = tuple(compiler.shapes)
        self.compiled = tuple(root for root in self.roots if root.way != FALLBACK)
        self.fallback = tuple(root for root in self.roots if root.way == FALLBACK)
        self._by_predicate: dict[int, list[Way]] = defaultdict(list)
        self._any: list[Way] = []
        self.everywhere: list[Shape] = []
        for root in self.compiled:
            self._add_routes(root)

    def _add_routes(self, root: Shape) -> None:
        routes = routes_of(root, self.shapes, self.types)
        if routes is None:
            self.everywhere.append(root)
            return
        for route in routes:
            way = Way(root, route)
            if route.predicate == ANY:
                self._any.append(way)
            else:
                self._by_predicate[route.predicate].append(way)

    def ways(self, predicate: int) -> Sequence[Way]:
        """The routes that begin with a predicate; those of any predicate only for ``ANY``."""
        return self._any if predicate == ANY else self._by_predicate.get(predicate, ())

    def scope(self) -> Terms:
        """A table for the terms of one call, so that what claims name is forgotten afterwards."""
        return Terms(self.terms.graph, self.terms)

    def view(
        self,
        terms: Terms,
        *,
        added: Iterable[Edge] = (),
        removed: Iterable[Edge] = (),
        deadline: float = float("inf"),
    ) -> View:
        """The graph with and without some triples."""
        return View(terms, self.types, added=added, removed=removed, deadline=deadline)

    def affected(self, view: View, triples: Iterable[Edge]) -> dict[int, dict[int, None]]:
        """The focus nodes of each shape that the triples (all of them in the view) may change.

        Raises:
            LimitExceeded: they are too many.
        """
        found: dict[int, dict[int, None]] = {}
        for subject, predicate, object_ in triples:
            ways: Sequence[Way] = self._by_predicate.get(predicate, ())
            for way in (*ways, *self._any) if self._any else ways:
                root, route = way.root, way.route
                start = object_ if route.inverted else subject
                known = found.get(root.index)
                if known is None:
                    known = found[root.index] = {}
                if route.everywhere:
                    known.update(root.focus_nodes(view))
                    continue
                if route.back is None and not route.retypes:
                    if start not in known and root.covers(view, start):
                        known[start] = None
                    continue
                for node in walk(route.back, view, self._starts(view, route, start), widest=_not_too_many):
                    if node not in known and root.covers(view, node):
                        known[node] = None
        for root in self.everywhere:
            found[root.index] = root.focus_nodes(view)
        if len(found) > 1 or self.everywhere:
            _not_too_many(sum(map(len, found.values())))
        return found

    def _starts(self, view: View, route: Route, start: int) -> Iterable[int]:
        return view.instances(start) if route.retypes else (start,)

    def run(self, view: View, foci: Foci) -> dict[Finding, None]:
        """All results at the focus nodes, each once.

        Raises:
            LimitExceeded: the time is over.
        """
        found: list[Finding] = []
        for index, nodes in foci.items():
            shape = self.shapes[index]
            for node in nodes:
                shape.run(view, node, found)
        return dict.fromkeys(found)

    def all_foci(self, view: View) -> dict[int, dict[int, None]]:
        """All focus nodes of all compiled shapes."""
        return {root.index: root.focus_nodes(view) for root in self.compiled}


def _not_too_many(number: int) -> None:
    if number > _MOST_FOCI:
        raise LimitExceeded(f"the claim touches more than {_MOST_FOCI} nodes", hint="narrow the shapes' targets")
