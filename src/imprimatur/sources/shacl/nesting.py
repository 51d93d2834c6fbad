"""Which shapes refer to which: circles, and how deeply they are nested."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["Nesting"]


class Nesting:
    """Shapes by index, and the indexes that each refers to directly. Made in time linear in all references."""

    __slots__ = ("_circles", "_heights", "_inner", "_parts")

    def __init__(self, inner: Sequence[Sequence[int]]) -> None:
        self._inner = inner
        self._heights = [0] * len(inner)
        self._circles: set[int] = set()
        self._parts = _components(inner)
        for part in self._parts:
            if len(part) > 1 or part[0] in inner[part[0]]:
                self._circles.update(part)
            members = set(part)
            below = (self._heights[each] for one in part for each in inner[one] if each not in members)
            height = 1 + max(below, default=0)
            for one in part:
                self._heights[one] = height

    def is_recursive(self, index: int) -> bool:
        """Whether the shape refers to itself, directly or not."""
        return index in self._circles

    def height(self, index: int) -> int:
        """How many shapes the longest chain down from the shape has; a circle counts once."""
        return self._heights[index]

    def lowest(self, marked: Collection[int]) -> list[int | None]:
        """For each shape, the lowest of the marked ones among itself and all that it refers to; None for none."""
        found: list[int | None] = [None] * len(self._inner)
        for part in self._parts:
            below = {found[each] for one in part for each in self._inner[one]}
            below.update(one for one in part if one in marked)
            lowest = min((each for each in below if each is not None), default=None)
            for one in part:
                found[one] = lowest
        return found

    def reach(self, index: int) -> frozenset[int]:
        """The shape and all that it refers to, directly or not."""
        queue, seen = [index], {index}
        for each in queue:
            new = [other for other in self._inner[each] if other not in seen]
            seen.update(new)
            queue += new
        return frozenset(seen)


def _components(inner: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components, those that are referred to first (Tarjan 1972, without nested calls)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for start in range(len(inner)):
        if start in order:
            continue
        work = [(start, 0)]
        while work:
            node, place = work.pop()
            if place == 0:
                order[node] = low[node] = len(order)
                stack.append(node)
                on_stack.add(node)
            elif inner[node][place - 1] in on_stack:
                low[node] = min(low[node], low[inner[node][place - 1]])
            while place < len(inner[node]):
                other = inner[node][place]
                place += 1
                if other not in order:
                    work += [(node, place), (other, 0)]
                    break
                if other in on_stack:
                    low[node] = min(low[node], order[other])
            else:
                if low[node] == order[node]:
                    part = stack[_place(stack, node) :]
                    del stack[-len(part) :]
                    for each in part:
                        on_stack.discard(each)
                    found.append(part)
    return found


def _place(stack: list[int], node: int) -> int:
    place = len(stack) - 1
    while stack[place] != node:
        place -= 1
    return place
