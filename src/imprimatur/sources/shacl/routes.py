"""From added triples back to the focus nodes that they may affect.

``routes_of`` gives all routes of a shape at once. Recursive shapes have no end of them: for these, ``Ascent`` keeps the
routes to each single shape's own focus nodes, and steps from there to the shapes above until nothing new is found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from imprimatur.errors import LimitExceeded
from imprimatur.sources.shacl.paths import Path, inverse, then, walk
from imprimatur.sources.shacl.shape import ANY, Route, Shape
from imprimatur.sources.shacl.view import Edge, Hierarchy, View

__all__ = ["Ascent", "not_too_many", "routes_of", "starts"]

_MOST_FOCI = 20_000
_MOST_ROUTES = 2_000
#: So many nodes are looked at on the way back through recursive shapes, in all of them together.
_MOST_STEPS = 200_000


def routes_of(root: Shape, shapes: Sequence[Shape], types: Hierarchy) -> frozenset[Route] | None:
    """All routes by which a triple may change what the shape finds; None when they are too many to keep."""
    found = set(_target_routes(root, types))
    seen: set[tuple[int, Path | None]] = set()
    queue: list[tuple[Shape, Path | None]] = [(root, None)]
    for shape, prefix in queue:
        if (shape.index, prefix) in seen:
            continue
        seen.add((shape.index, prefix))
        found |= set(_own_routes(shape, prefix))
        if len(found) > _MOST_ROUTES or len(queue) > _MOST_ROUTES:
            return None
        below = then(prefix, shape.path)
        queue += [(shapes[index], below) for index in _below(shape)]
    return frozenset(found)


def _below(shape: Shape) -> list[int]:
    return [index for each in shape.constraints for index in each.inner] + [each.index for each in shape.properties]


def _target_routes(root: Shape, types: Hierarchy) -> Iterator[Route]:
    for target in root.targets:
        if target.kind == "class":
            yield Route(types.type)
            yield Route(types.subclass, retypes=True)
        elif target.kind in ("subjectsOf", "objectsOf"):
            yield Route(target.term, target.kind == "objectsOf")


def _own_routes(shape: Shape, prefix: Path | None) -> Iterable[Route]:
    back = inverse(prefix) if prefix is not None else None
    for step, before, _ in shape.path.edges() if shape.path is not None else ():
        yield Route(step.predicate, step.inverted, then(inverse(before) if before else None, back))
    to_values = then(inverse(shape.path) if shape.path is not None else None, back)
    for constraint in shape.constraints:
        for routes, rest in ((constraint.at_focus, back), (constraint.at_values, to_values)):
            for route in routes:
                yield Route(route.predicate, route.inverted, then(route.back, rest), route.retypes, route.everywhere)


class Ascent:
    """The way up through recursive shapes, shape by shape and node by node."""

    __slots__ = ("_above", "_any", "_by_predicate", "_roots")

    def __init__(self, roots: Sequence[Shape], shapes: Sequence[Shape], types: Hierarchy) -> None:
        self._roots = {root.index: root for root in roots}
        self._by_predicate: dict[int, list[tuple[int, Route]]] = defaultdict(list)
        self._any: list[tuple[int, Route]] = []
        self._above: dict[int, list[tuple[int, Path | None]]] = defaultdict(list)
        queue, seen = list(roots), set(self._roots)
        for shape in queue:
            self._add(shape, (*_own_routes(shape, None), *_target_routes(shape, types)))
            back = inverse(shape.path) if shape.path is not None else None
            for index in dict.fromkeys(_below(shape)):
                self._above[index].append((shape.index, back))
                if index not in seen:
                    seen.add(index)
                    queue.append(shapes[index])

    def _add(self, shape: Shape, routes: Iterable[Route]) -> None:
        for route in dict.fromkeys(routes):
            kept = self._any if route.predicate == ANY else self._by_predicate[route.predicate]
            kept.append((shape.index, route))

    def affected(self, view: View, triples: Iterable[Edge]) -> dict[int, dict[int, None]]:
        """The focus nodes of each recursive shape with targets that the triples (all in the view) may change.

        Raises:
            LimitExceeded: too many nodes lie on the way.
        """
        queue = list(dict.fromkeys(pair for triple in triples for pair in self._begin(view, triple)))
        seen = set(queue)
        found: dict[int, dict[int, None]] = {}
        for index, node in queue:
            view.tick()
            if len(queue) > _MOST_STEPS:
                not_too_many(_MOST_STEPS)
            root = self._roots.get(index)
            if root is not None and root.covers(view, node):
                found.setdefault(index, {})[node] = None
            for above, back in self._above.get(index, ()):
                nodes = (node,) if back is None else walk(back, view, (node,), widest=not_too_many)
                new = [(above, each) for each in nodes if (above, each) not in seen]
                seen.update(new)
                queue += new
        return found

    def _begin(self, view: View, triple: Edge) -> Iterator[tuple[int, int]]:
        subject, predicate, object_ = triple
        for index, route in (*self._by_predicate.get(predicate, ()), *self._any):
            if route.everywhere:
                yield from ((root.index, node) for root in self._roots.values() for node in root.focus_nodes(view))
                continue
            start = starts(view, route, object_ if route.inverted else subject)
            for node in walk(route.back, view, start, widest=not_too_many):
                yield index, node


def starts(view: View, route: Route, start: int) -> Iterable[int]:
    """The nodes from which a route begins."""
    return view.instances(start) if route.retypes else (start,)


def not_too_many(number: int) -> None:
    """Raises LimitExceeded when a claim touches too many nodes."""
    if number > _MOST_FOCI:
        raise LimitExceeded(f"the claim touches more than {_MOST_FOCI} nodes", hint="narrow the shapes' targets")
