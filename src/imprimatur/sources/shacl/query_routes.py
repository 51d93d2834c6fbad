"""The routes of a query: from a triple that matches one of its patterns back to the focus nodes that it may change.

Each triple pattern, also inside NOT EXISTS, OPTIONAL, UNION and sub-queries, gives routes: from a triple that matches
one edge of it, back along the patterns that must hold in the same solution, to ``$this``, or to a value node where the
query is asked of each. A pattern that nothing joins to either may change the outcome at every target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from imprimatur.sources.shacl.paths import Edges, Path, Step, inverse, then
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Call,
    Exists,
    Expression,
    Filter,
    Group,
    Maybe,
    Node,
    Pattern,
    Select,
    Union,
)
from imprimatur.sources.shacl.shape import ANY, Route
from imprimatur.sources.shacl.values import Unsupported

__all__ = ["query_routes"]

_MOST_ROUTES = 500


@dataclass(frozen=True, slots=True)
class _Placed:
    """A pattern and the nest that it stands in, outermost first.

    ``nest`` are alternatives, options, negations and sub-queries; ``apart`` is how much of it lies outside of the
    innermost sub-query whose groups do not depend on what is around it.
    """

    pattern: Pattern
    nest: tuple[int, ...]
    apart: int = 0


def _patterns(group: Group, nest: tuple[int, ...], apart: int) -> Iterator[_Placed]:
    for number, element in enumerate(group.elements):
        inside = (*nest, number)
        match element:
            case Maybe(inner):
                yield from _patterns(inner, inside, apart)
            case Union(groups):
                for which, each in enumerate(groups):
                    yield from _patterns(each, (*inside, which), apart)
            case Filter(test):
                yield from _in_test(test, inside, apart)
            case Bind(_, value):
                yield from _in_test(value, inside, apart)
            case Select():
                yield from _in_select(element, inside, apart)
            case _:
                yield from (_Placed(pattern, nest, apart) for pattern in element)


def _in_select(select: Select, nest: tuple[int, ...], apart: int) -> Iterator[_Placed]:
    # A sub-query that is not pushed has its groups by itself: that it finds none, too, shows in every solution outside.
    apart = len(nest) if select.grouped and not select.pushed else apart
    yield from _patterns(select.where, nest, apart)
    for number, (_, value) in enumerate(select.computed):
        yield from _in_test(value, (*nest, -1 - number), apart)


def _in_test(test: Expression, nest: tuple[int, ...], apart: int) -> Iterator[_Placed]:
    if isinstance(test, Exists):
        yield from _patterns(test.group, nest, apart)
    elif isinstance(test, Call):
        for number, each in enumerate(test.arguments):
            yield from _in_test(each, (*nest, number), apart)


def query_routes(select: Select, *, of_values: bool = False) -> tuple[tuple[Route, ...], tuple[Route, ...]]:
    """The routes that lead to the focus node, and (``of_values``) those that lead to value nodes, as ``?value``.

    Raises:
        Unsupported: they are too many.
    """
    at_focus: dict[Route, None] = {}
    at_values: dict[Route, None] = {}
    found = tuple(_in_select(select, (), 0))
    for placed in found:
        links = [
            each
            for each in found
            if placed.nest[: len(each.nest)] == each.nest and len(each.nest) >= placed.apart and each is not placed
        ]
        routes = _routes_to("?this", placed.pattern, links)
        if routes is not None:
            at_focus.update(dict.fromkeys(routes))
            continue
        routes = _routes_to("?value", placed.pattern, links) if of_values else None
        if routes is not None:
            at_values.update(dict.fromkeys(routes))
        else:
            at_focus.update({Route(step.predicate, everywhere=True): None for step, _, _ in _edges(placed.pattern)})
        if len(at_focus) + len(at_values) > _MOST_ROUTES:
            raise Unsupported("the query has too many patterns")
    return tuple(at_focus), tuple(at_values)


def _edges(pattern: Pattern) -> Edges:
    return Step(ANY).edges() if isinstance(pattern.path, str) else pattern.path.edges()


def _routes_to(goal: str, pattern: Pattern, links: Sequence[_Placed]) -> list[Route] | None:
    """The routes from the edges of a pattern to a variable; None when nothing joins them."""
    way = _way(pattern.subject, links, goal)
    if way is not None:
        return [
            Route(step.predicate, step.inverted, then(inverse(before) if before else None, way[0]))
            for step, before, _ in _edges(pattern)
        ]
    way = _way(pattern.object, links, goal)
    if way is None:
        return None
    return [Route(step.predicate, not step.inverted, then(after, way[0])) for step, _, after in _edges(pattern)]


def _way(start: Node, links: Sequence[_Placed], goal: str) -> tuple[Path | None] | None:
    """The shortest chain of patterns to the goal (None within: it is the goal); None when there is none."""
    if start == goal:
        return (None,)
    came: dict[Node, Path | None] = {start: None}
    queue: list[Node] = [start] if isinstance(start, str) else []
    for at in queue:
        for link in links:
            pattern, path = link.pattern, link.pattern.path
            if isinstance(path, str):
                continue
            for here, there, way in (
                (pattern.subject, pattern.object, path),
                (pattern.object, pattern.subject, inverse(path)),
            ):
                if here == at and isinstance(there, str) and there not in came:
                    came[there] = then(came[at], way)
                    queue.append(there)
                    if there == goal:
                        return (came[there],)
    return None
