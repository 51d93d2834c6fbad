"""The compiled shapes over one graph: which focus nodes a claim can change, and what is broken there.

``Engine.affected`` unifies each added triple with the routes of each shape and walks back to the focus nodes over the
graph with the triple; for recursive shapes, which have no end of routes, it steps from shape to shape until nothing new
is found (``routes.Ascent``). A shape with more routes than can be kept is examined at all its targets. Everything is
bounded: by time, and by how many focus nodes a claim may touch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.errors import LimitExceeded
from imprimatur.sources.shacl.compile import Compiler, compile_shapes
from imprimatur.sources.shacl.facts import Facts, text_of
from imprimatur.sources.shacl.paths import walk
from imprimatur.sources.shacl.routes import Ascent, not_too_many, routes_of, starts
from imprimatur.sources.shacl.shape import ANY, FALLBACK, RECURSIVE, Finding, Route, Shape
from imprimatur.sources.shacl.view import Edge, Hierarchy, Terms, Triples, View

__all__ = ["Engine", "Foci", "Way"]

#: The focus nodes to examine, per shape with targets (by index).
Foci = Mapping[int, Iterable[int]]


@dataclass(frozen=True, slots=True)
class Way:
    """A route of a shape with targets."""

    root: Shape
    route: Route


class Engine:
    """The compiled shapes of some facts over a graph."""

    __slots__ = (
        "_any",
        "_ascent",
        "_by_predicate",
        "_nesting",
        "_reach",
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
        self._nesting = compiler.nesting
        self._reach: dict[int, frozenset[int]] = {}
        recursive = [root for root in self.compiled if root.why == RECURSIVE]
        self._ascent = Ascent(recursive, self.shapes, self.types) if recursive else None
        for root in self.compiled:
            if root.why != RECURSIVE:
                self._add_routes(root)

    def reach(self, root: int) -> frozenset[int]:
        """The indexes of a shape and of all that it refers to, directly or not."""
        if root not in self._reach:
            self._reach[root] = self._nesting.reach(root)
        return self._reach[root]

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

    @property
    def recursive(self) -> bool:
        """Whether some compiled shape comes back to itself."""
        return self._ascent is not None

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
                for node in walk(route.back, view, starts(view, route, start), widest=not_too_many):
                    if node not in known and root.covers(view, node):
                        known[node] = None
        for root in self.everywhere:
            found[root.index] = root.focus_nodes(view)
        if self._ascent is not None:
            found.update(self._ascent.affected(view, triples))
        if len(found) > 1 or self.everywhere:
            not_too_many(sum(map(len, found.values())))
        return found

    def run(self, view: View, foci: Foci) -> dict[Finding, None]:
        """All results at the focus nodes, each once.

        Raises:
            LimitExceeded: the time is over.
        """
        found: list[Finding] = []
        for index, nodes in foci.items():
            shape = self.shapes[index]
            try:
                for node in nodes:
                    shape.run(view, node, found)
            except LimitExceeded as error:
                raise LimitExceeded(error.message, hint=error.hint, where=error.where or shape.name) from error
        return dict.fromkeys(found)

    def all_foci(self, view: View) -> dict[int, dict[int, None]]:
        """All focus nodes of all compiled shapes."""
        return {root.index: root.focus_nodes(view) for root in self.compiled}

    def circles(self, view: View) -> list[str]:
        """Where a shape's outcome rested on itself in a view, in words: neither kept nor broken."""
        return [
            f"{text_of(view.terms.term(focus))}: the recursive shape {self.shapes[index].name} comes back to itself"
            for index, focus in view.circles
        ]
