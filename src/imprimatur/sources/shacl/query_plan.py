"""How a query is run: patterns in the order in which they are joined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from imprimatur.sources.shacl.query_names import element_names, parts_of, pattern_names
from imprimatur.sources.shacl.query_paths import can_start
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Call,
    Element,
    Exists,
    Expression,
    Filter,
    Group,
    Maybe,
    Pattern,
    Select,
    Union,
)
from imprimatur.sources.shacl.values import Unsupported

__all__ = ["begins_anchored", "has_groups", "is_anchored", "planned"]


def has_groups(select: Select) -> bool:
    """Whether the query, or a query within it, counts solutions."""
    return select.grouped or any(isinstance(each, Select) and has_groups(each) for each in parts_of(select.where))


def is_anchored(group: Group) -> bool:
    """Whether every solution of the group holds what is bound beforehand: those of patterns do, those of sub-queries
    hold only what they select.
    """
    elements = [each for each in group.elements if not isinstance(each, Filter)]
    return begins_anchored(group) or any(
        isinstance(each, tuple) or (isinstance(each, Union) and all(map(is_anchored, each.groups))) for each in elements
    )


def begins_anchored(group: Group) -> bool:
    """Whether the group begins with the solution of no patterns, which holds what is bound beforehand."""
    first = next((each for each in group.elements if not isinstance(each, Filter)), None)
    return first is None or isinstance(first, Bind | Maybe)


def planned(select: Select, given: frozenset[str], known: set[str] | None = None) -> Select:
    """The query with patterns in the order in which they are joined; ``given`` is bound before, ``known`` inside.

    Raises:
        Unsupported: a pattern would have to be looked for among all nodes.
    """
    outside = given | (known or set())
    projection = select.projection
    if projection is not None and not select.grouped:
        inside = outside | _bound(select.where)
        projection = tuple((name, value and _planned_test(value, given, inside)) for name, value in projection)
    return replace(select, where=_planned(select.where, given, outside), projection=projection)


def _bound(group: Group) -> set[str]:
    """The variables that every solution of the group binds, by and large."""
    found: set[str] = set()
    for element in group.elements:
        match element:
            case Union(groups):
                found |= set.intersection(*map(_bound, groups))
            case Filter() | Maybe():
                continue
            case Bind(name):
                found.add(name)
            case _:
                found |= element_names(element)
    return found


def _planned(group: Group, given: frozenset[str], known: Iterable[str]) -> Group:
    known = set(known)
    elements: list[Element] = []
    for element in group.elements:
        match element:
            case Maybe(inner):
                elements.append(Maybe(_planned(inner, given, known)))
            case Union(groups):
                elements.append(Union(tuple(_planned(each, given, known) for each in groups)))
            case Select():
                elements.append(planned(element, given, known if element.pushed else set()))
            case Filter(test):
                elements.append(Filter(_planned_test(test, given, known)))
            case Bind(name, value):
                elements.append(Bind(name, _planned_test(value, given, known)))
            case _:
                elements.append(tuple(ordered(element, known)))
        known |= _bound(Group((element,)))
    return Group(tuple(elements))


def _planned_test(test: Expression, given: frozenset[str], known: Iterable[str]) -> Expression:
    match test:
        case Exists(group, negated):
            return Exists(_planned(group, given, known), negated)
        case Call(name, arguments):
            return Call(name, tuple(_planned_test(each, given, known) for each in arguments))
    return test


def ordered(patterns: Iterable[Pattern], known: set[str]) -> list[Pattern]:
    """The patterns in an order in which each has as many known ends as can be.

    Raises:
        Unsupported: one has none, and cannot be found by its edges.
    """
    left, found, known = list(patterns), [], set(known)

    def unknown(pattern: Pattern) -> tuple[int, bool]:
        ends = [isinstance(end, str) and end not in known for end in (pattern.subject, pattern.object)]
        return sum(ends), not can_start(pattern.path)

    while left:
        best = min(left, key=unknown)
        if unknown(best) == (2, True):
            raise Unsupported("a pattern of the query could start at any node")
        left.remove(best)
        found.append(best)
        known |= set(pattern_names(best))
    return found
