"""The times of a clause: dates that no property takes up say when the rest holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.claim import When
from imprimatur.extract.syntax import Clause, Item, Np, NpKind
from imprimatur.values import Bound

__all__ = ["dates_of", "times"]

_STARTING = frozenset("begin start commence".split())
_ENDING = frozenset("end finish stop cease".split())

Dated = tuple[str, Np, frozenset[int]]


def dates_of(clause: Clause, items: Sequence[Item]) -> Iterator[Dated]:
    """The dates of the clause with their prepositions: complements, and phrases after its nouns."""
    for np in (clause.subj, *(c.np for c in clause.comps)):
        for leaf in np.leaves() if np is not None else ():
            for inner in leaf.inner if leaf.kind is not NpKind.NOUN else ():
                if _dated(inner, items):
                    yield "loc", inner, inner.items
    for comp in clause.comps:
        if comp.np is None:
            continue
        for leaf in comp.np.leaves():
            if _dated(leaf, items):
                yield comp.role, leaf, comp.items
        for prep, post in comp.np.posts:
            if _dated(post, items):
                yield prep, post, comp.items - (comp.np.items - post.items - {min(post.items) - 1})


def _dated(np: Np, items: Sequence[Item]) -> bool:
    if items[np.head_item].stands is not None:
        return False  # a value given by comparison is no time
    return np.kind is NpKind.DATE or (np.kind is NpKind.QUANTITY and items[np.head_item].date is not None)


def times(found: list[Dated], verb: str, items: Sequence[Item]) -> When:
    """The dates of a clause as a time: a start and an end, or a moment."""
    at = start = end = None
    between = [items[np.head_item].date for role, np, _ in found if role == "between"]
    if len(between) == 2:
        start, end = between
    for role, np, _ in found:
        if role == "between":
            continue
        value, interval = items[np.head_item].date, items[np.head_item].interval
        if interval is not None:
            start, end = interval
        if value is None or interval is not None:
            continue
        if role == "from" or value.bound is Bound.AT_LEAST or verb in _STARTING:
            start = value
        elif (
            role in ("to", "until", "till")
            or items[np.head_item].lower.startswith(("until", "till"))
            or verb in _ENDING
        ):
            end = value
        else:
            at = value
    return When(at=at, start=start, end=end)
