"""Which patterns of a Cypher query hang together, and whether what they match is bounded.

Each node and each relationship with a variable begins as a group of its own; what one path holds is one group. Groups
that share no variable give every combination of what they match: at most one of them may be left that is neither held
to a value that is written out nor cut to few rows, and at most three may stand beside each other at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["Groups"]

_MOST_APART = 3


class Groups:
    """The groups of one query, by number. ``nowhere`` belongs to no pattern, and is always held."""

    def __init__(self) -> None:
        self._parents: list[int] = []
        #: The groups that are narrowed at all, held to a value that is written out, and cut to few rows.
        self.narrowed: set[int] = set()
        self.held: set[int] = set()
        self.few: set[int] = set()
        #: The groups of which all that is found is put into one value.
        self.listed: set[int] = set()
        self.nowhere = self.new()
        self.held.add(self.nowhere)

    def new(self) -> int:
        """One more."""
        self._parents.append(len(self._parents))
        return self.count - 1

    @property
    def count(self) -> int:
        """How many have been made, joined or not."""
        return len(self._parents)

    def join(self, groups: Iterable[int]) -> int:
        """Makes one of some; which one."""
        first, *others = groups
        for other in others:
            self._parents[self._root(other)] = self._root(first)
        return self._root(first)

    def _root(self, group: int) -> int:
        while self._parents[group] != group:
            group = self._parents[group]
        return group

    def problems(self) -> Iterator[str]:
        """What is wrong with all that have been made until now: asked where rows are passed on, folded or cut."""
        roots = {self._root(group) for group in range(self.count)}
        narrowed, held, few, listed = (
            set(map(self._root, groups)) for groups in (self.narrowed, self.held, self.few, self.listed)
        )
        if roots - narrowed - held:
            yield "a pattern matches every node: give it a label, a type or a value"
        if len(roots - held - few) > 1:
            yield "patterns that share no variable give every combination: join them, or give one a value"
        elif len(roots) - 1 > _MOST_APART:
            yield f"more than {_MOST_APART} patterns share no variable: join them"
        if listed - held:
            yield "collect takes what is found by a value: return rows instead"
