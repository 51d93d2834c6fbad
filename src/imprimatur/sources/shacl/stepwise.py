"""Conformance with recursive and deeply nested shapes, without nesting Python's calls as deeply as the data go.

W3C SHACL 3.4.3 leaves recursion to the processor. Here a shape that refers to itself is judged like any other wherever
the data come to an end. Where judging a node comes back to the same shape at the same node, its outcome would rest on
itself: ``Undecided`` is raised, and nothing is assumed. What lies deeper than some levels is judged first, from a list
of goals, so that neither long chains of nodes nor of shapes fill the stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from imprimatur.errors import CheckFailed

if TYPE_CHECKING:
    from imprimatur.sources.shacl.view import View

__all__ = ["Steps", "Undecided", "conforms"]

#: So many shapes may be under way, each called by the one before.
_DEEPEST = 15


class Steps:
    """What is remembered while recursive and deeply nested shapes are judged, by (shape, node)."""

    __slots__ = ("asked", "circles", "depth", "outcomes", "undecided", "under_way")

    def __init__(self) -> None:
        self.depth = self.asked = 0
        self.under_way: set[tuple[int, int]] = set()
        #: Where the outcome rests on itself.
        self.undecided: dict[tuple[int, int], None] = {}
        #: The shape and focus node whose validation came upon that.
        self.circles: dict[tuple[int, int], None] = {}
        #: Whether a node breaks a shape, and by a conflict.
        self.outcomes: dict[tuple[int, int], tuple[bool, bool]] = {}


class Undecided(CheckFailed):
    """Whether a node conforms to a shape rests on itself."""


class _Deeper(Exception):
    """Another question must be answered first."""

    def __init__(self, shape: _Judged, node: int) -> None:
        self.shape, self.node = shape, node


class _Judged(Protocol):
    index: int

    @property
    def name(self) -> str: ...
    def examine(self, view: View, focus: int) -> bool: ...


def conforms(shape: _Judged, view: View, node: int) -> bool:
    """Whether the node conforms to the shape.

    Raises:
        Undecided: that rests on itself.
    """
    key, steps = (shape.index, node), view.steps
    if key in steps.under_way or key in steps.undecided:
        raise Undecided("a recursive shape comes back to itself", where=shape.name)
    if steps.depth == 0:
        return _settled(shape, view, node)
    if steps.depth >= _DEEPEST:
        raise _Deeper(shape, node)
    steps.under_way.add(key)
    try:
        return _examined(shape, view, node)
    finally:
        steps.under_way.discard(key)


def _examined(shape: _Judged, view: View, node: int) -> bool:
    steps = view.steps
    steps.depth += 1
    before = len(steps.undecided)
    try:
        outcome = shape.examine(view, node)
    except Undecided:
        # All that is under way leads to the same circle, from wherever one begins.
        steps.undecided[shape.index, node] = None
        raise
    else:
        # What was undecided only because this was under way is so no more.
        while len(steps.undecided) > before:
            steps.undecided.popitem()
        return outcome
    finally:
        steps.depth -= 1


def _settled(shape: _Judged, view: View, node: int) -> bool:
    """The answer, after those that it needs; each is remembered once it is known."""
    steps, goals = view.steps, [(shape, node)]
    steps.under_way.add((shape.index, node))
    try:
        while True:
            each, at = goals[-1]
            try:
                outcome = _examined(each, view, at)
            except _Deeper as first:
                goals.append((first.shape, first.node))
                steps.under_way.add((first.shape.index, first.node))
                continue
            goals.pop()
            steps.under_way.discard((each.index, at))
            if not goals:
                return outcome
            view.memo[each.index, at] = outcome
    except Undecided:
        steps.undecided.update(((each.index, at), None) for each, at in goals)
        raise
    finally:
        steps.under_way.difference_update((each.index, at) for each, at in goals)
