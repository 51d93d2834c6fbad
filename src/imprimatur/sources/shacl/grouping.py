"""Which claims does no shape see together? So that many are judged in small groups, and none of them is missed.

Two claims are in one group when both may change the outcome of one shape at one focus node, or over others of the
group. What a shape finds at a node depends on the triples that lead back to it (``shape.Route``), hence on one group.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.grown import Grown
from imprimatur.sources.shacl.view import Edge, Terms

__all__ = ["groups"]


def groups(
    engine: Engine, terms: Terms, claims: Sequence[Sequence[Edge]], *, deadline: float
) -> tuple[tuple[int, ...], ...]:
    """The numbers of the claims that shapes see, by groups, each sorted; a claim that no shape sees is in none.

    Raises:
        LimitExceeded: too many focus nodes, or no time left.
    """
    if engine.everywhere or engine.fallback or engine.recursive:
        return (tuple(range(len(claims))),) if claims else ()
    view = Grown(terms, engine.types, deadline=deadline)
    view.add(edge for claim in claims for edge in claim)
    owner: dict[tuple[int, int], int] = {}
    parents = list(range(len(claims)))
    seen: set[int] = set()
    for number, claim in enumerate(claims):
        view.check()
        for shape, foci in engine.affected(view, claim).items():
            for focus in foci:
                seen.add(number)
                _join(parents, number, owner.setdefault((shape, focus), number))
    found: dict[int, list[int]] = {}
    for number in sorted(seen):
        found.setdefault(_top(parents, number), []).append(number)
    return tuple(tuple(each) for each in found.values())


def _top(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def _join(parents: list[int], one: int, other: int) -> None:
    left, right = _top(parents, one), _top(parents, other)
    parents[max(left, right)] = min(left, right)
