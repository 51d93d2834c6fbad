"""Paths in queries: how often they lead from one node to another, and where they may start.

A path with ``/`` or ``|`` leads to a node as many times as there are ways (SPARQL 1.1, 18.4): aggregates count them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from imprimatur.sources.shacl.paths import Choice, Path, Repeat, Series, Step
from imprimatur.sources.shacl.view import View

__all__ = ["can_start", "is_multiple", "starts", "ways"]


def is_multiple(path: Path | str) -> bool:
    """Whether the path may lead from one node to another in several ways."""
    return not isinstance(path, str | Step)


def ways(path: Path, view: View, node: int) -> Iterable[int]:
    """The nodes that the path reaches from a node, each as often as there are ways.

    A path that may be empty reaches the node itself once more when it also leads back to it: rdflib counts so.
    """
    match path:
        case Step():
            return path.values(view, node)
        case Series():
            found = [node]
            for part in path.parts:
                found = list(_all_ways(part, view, found))
            return found
        case Choice():
            return [each for part in path.parts for each in ways(part, view, node)]
        case Repeat():
            again = Repeat(path.part, path.many, False).values(view, node)
            return [node, *again] if path.none else again


def _all_ways(part: Path, view: View, nodes: list[int]) -> Iterator[int]:
    for node in nodes:
        for each in ways(part, view, node):
            view.tick()
            yield each


def can_start(path: Path | str) -> bool:
    """Whether the nodes where the path may start can be told from its edges: it is not empty, nor of any predicate."""
    match path:
        case Step():
            return True
        case Series():
            return can_start(path.parts[0])
        case Choice():
            return all(map(can_start, path.parts))
        case Repeat():
            return not path.none and can_start(path.part)
    return False


def starts(path: Path, view: View) -> Iterator[int]:
    """The nodes from which a path that ``can_start`` may lead somewhere; one may come several times."""
    match path:
        case Step():
            yield from (pair[path.inverted] for pair in view.pairs(path.predicate))
        case Series():
            yield from starts(path.parts[0], view)
        case Choice():
            for part in path.parts:
                yield from starts(part, view)
        case Repeat():
            yield from starts(path.part, view)
