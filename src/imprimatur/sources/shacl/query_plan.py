"""How a query is run: patterns in the order in which they are joined, and what sub-queries see.

rdflib joins lazily, with the solutions so far known on the other side, unless one side holds a join or DISTINCT; then
it joins sets (``lazy`` in its algebra). For most queries both are the same; sub-queries with groups and aggregates that
count solutions can tell the difference, so it is worked out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace

from imprimatur.sources.shacl.query_paths import can_start, is_multiple
from imprimatur.sources.shacl.query_scopes import all_exists, element_names, pattern_names
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Call,
    Constant,
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

__all__ = ["begins_anchored", "has_groups", "is_anchored", "marked", "planned"]


def _both(left: bool | None, right: bool | None) -> bool | None:
    """Whether both are so; None when that is not known."""
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _lazy_group(group: Group) -> bool | None:
    """Whether a join with the group would be lazy."""
    lazy = ([so_far for _, _, so_far in _joins(group)] or [True])[-1]
    for element in group.elements:
        if isinstance(element, Filter):
            lazy = _both(lazy, _lazy_expression(element.test))
    return lazy


def _joins(group: Group) -> Iterator[tuple[Element, bool | None, bool | None]]:
    """Each element but filters, whether it is joined lazily, and whether a join with all up to it would be lazy."""
    so_far: bool | None = True
    first = True
    for element in group.elements:
        if isinstance(element, Filter):
            continue
        own = _lazy_element(element)
        joined = True if first else _both(so_far, own)
        if first or isinstance(element, Maybe | Bind):
            so_far = _both(so_far, own)
        else:
            so_far = False
        first = False
        yield element, joined, so_far


def _lazy_element(element: Element) -> bool | None:
    match element:
        case Maybe(group):
            return _lazy_group(group)
        case Union(groups):
            lazy: bool | None = True
            for group in groups:
                lazy = _both(lazy, _lazy_group(group))
            return lazy
        case Bind(_, value):
            return _lazy_expression(value)
        case Select():
            return False if element.distinct else _lazy_group(element.where)
    return True


def _lazy_expression(expression: Expression) -> bool | None:
    """None when EXISTS holds a join: then it depends on its place in the expression."""
    return True if all(_lazy_group(each.group) for each in all_exists(expression)) else None


def has_groups(select: Select) -> bool:
    """Whether the query, or a query within it, counts solutions."""
    return select.grouped or any(isinstance(each, Select) and has_groups(each) for each in _deep(select.where))


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


def _deep(node: object) -> Iterator[object]:
    """All parts of a query, at any depth."""
    yield node
    if isinstance(node, tuple):
        for each in node:
            yield from _deep(each)
    elif is_dataclass(node) and not isinstance(node, Constant | type):
        for part in fields(node):
            yield from _deep(getattr(node, part.name))


# What sub-queries see


def marked(select: Select, given: frozenset[str], *, counted: bool = False) -> Select:
    """The query with ``pushed`` and ``closed`` of its sub-queries told; ``counted``: its solutions are counted.

    Raises:
        Unsupported: it depends on more than is worked out here.
    """
    counted = select.grouped or (counted and not select.distinct)
    return replace(
        select,
        where=_marked_group(select.where, given, counted),
        projection=select.projection
        and tuple((name, value and _marked_test(value, given)) for name, value in select.projection),
        closed=given.isdisjoint(each for each in _deep(select) if isinstance(each, str)),
    )


def _marked_group(group: Group, given: frozenset[str], counted: bool) -> Group:
    found: list[Element] = []
    for element, lazy, _ in _joins(group):
        if lazy is None and (counted or isinstance(element, Select)):
            raise Unsupported("EXISTS with several parts stands in a sub-query")
        match element:
            case Select():
                found.append(replace(marked(element, given, counted=counted), pushed=lazy is not False))
                continue
            case Maybe(inner):
                found.append(Maybe(_marked_group(inner, given, counted)))
                continue
            case Union(groups):
                found.append(Union(tuple(_marked_group(each, given, counted) for each in groups)))
            case Bind(name, value):
                found.append(Bind(name, _marked_test(value, given)))
                continue
            case Filter():
                continue
            case _:
                found.append(element)
        many = isinstance(element, Union) or any(is_multiple(each.path) for each in element)
        if counted and lazy is False and many:
            raise Unsupported("solutions are counted over a join of sets")
    found += [Filter(_marked_test(each.test, given)) for each in group.elements if isinstance(each, Filter)]
    return Group(tuple(found))


def _marked_test(test: Expression, given: frozenset[str]) -> Expression:
    match test:
        case Exists(group, negated):
            if any(isinstance(each, Select) for each in _deep(group)):
                raise Unsupported("EXISTS holds a sub-query")  # rdflib may translate it twice, with another outcome
            return Exists(_marked_group(group, given, False), negated)
        case Call(name, arguments):
            return Call(name, tuple(_marked_test(each, given) for each in arguments))
    return test


# The order of patterns


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
