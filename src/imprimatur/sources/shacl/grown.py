"""A view of a graph that grows by many triples, each found by look-ups like those of the graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from imprimatur.sources.shacl.view import Edge, Hierarchy, Terms, View

__all__ = ["Grown"]

_Table = defaultdict[int, list[int]]


def _tables() -> defaultdict[int, _Table]:
    return defaultdict(lambda: defaultdict(list))


class Grown(View):
    """A graph with triples that are added bit by bit; what was remembered of it is forgotten whenever it grows."""

    __slots__ = ("_edges", "_in", "_of", "_out")

    def __init__(self, terms: Terms, types: Hierarchy, *, deadline: float = float("inf")) -> None:
        super().__init__(terms, types, deadline=deadline)
        self._edges: dict[Edge, None] = {}
        self._out, self._in = _tables(), _tables()
        self._of: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)

    def add(self, edges: Iterable[Edge]) -> None:
        """Adds triples; those that stand already are passed over."""
        for edge in edges:
            if self.has(*edge):
                continue
            subject, predicate, object_ = edge
            self._edges[edge] = None
            self._out[subject][predicate].append(object_)
            self._in[object_][predicate].append(subject)
            self._of[predicate].append((subject, object_))
            self._sorts = self._sorts or predicate == self.types.subclass
        self.memo.clear()

    def objects(self, subject: int, predicate: int) -> Sequence[int]:
        found = super().objects(subject, predicate)
        more = self._out.get(subject)
        return (*found, *more[predicate]) if more and predicate in more else found

    def subjects(self, predicate: int, object_: int) -> Sequence[int]:
        found = super().subjects(predicate, object_)
        more = self._in.get(object_)
        return (*found, *more[predicate]) if more and predicate in more else found

    def out(self, subject: int) -> Sequence[tuple[int, int]]:
        more: dict[int, list[int]] = self._out.get(subject, {})
        return (*super().out(subject), *((p, o) for p, objects in more.items() for o in objects))

    def into(self, object_: int) -> Sequence[tuple[int, int]]:
        more: dict[int, list[int]] = self._in.get(object_, {})
        return (*super().into(object_), *((s, p) for p, subjects in more.items() for s in subjects))

    def has(self, subject: int, predicate: int, object_: int) -> bool:
        return (subject, predicate, object_) in self._edges or super().has(subject, predicate, object_)

    def pairs(self, predicate: int) -> Iterator[tuple[int, int]]:
        yield from super().pairs(predicate)
        yield from tuple(self._of.get(predicate, ()))
