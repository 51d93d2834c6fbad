"""What sub-queries see of the query around them.

rdflib joins lazily, with the solutions so far known on the other side, unless one side holds a join or DISTINCT; then
it joins sets (``lazy`` in its algebra). For most queries both are the same; sub-queries with groups and aggregates that
count solutions can tell the difference, so it is worked out here. Variables that a sub-query does not select are its
own (SPARQL 1.1, 12) and get names of their own here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from imprimatur.sources.shacl.query_names import all_exists, element_names, parts_of, renamed, select_names
from imprimatur.sources.shacl.query_paths import is_multiple
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Call,
    Element,
    Exists,
    Expression,
    Filter,
    Group,
    Maybe,
    Select,
    Union,
)
from imprimatur.sources.shacl.values import Unsupported

__all__ = ["marked"]


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


def marked(select: Select, given: frozenset[str]) -> Select:
    """The query with ``pushed`` and ``closed`` of its sub-queries told, and with names of their own for what is theirs.

    Raises:
        Unsupported: it depends on more than is worked out here.
    """
    return _Marker(given).select(select, given, counted=False)


class _Marker:
    """Goes through a query; ``seen`` are the variables that may be bound where a part of it is evaluated."""

    def __init__(self, given: frozenset[str]) -> None:
        self._given = given
        self._number = 0

    def select(self, select: Select, seen: frozenset[str], *, counted: bool) -> Select:
        """As ``marked``; ``counted``: the solutions are counted."""
        counted = select.grouped or (counted and not select.distinct)
        return replace(
            select,
            where=self._group(select.where, seen, counted=counted),
            projection=select.projection
            and tuple((name, value and self._test(value)) for name, value in select.projection),
            closed=self._given.isdisjoint(each for each in parts_of(select) if isinstance(each, str)),
        )

    def _apart(self, select: Select, seen: frozenset[str]) -> Select:
        """The sub-query with other names for the variables that it does not select."""
        own = select_names(select) - select.names - self._given
        if own & seen:
            raise Unsupported("a sub-query has a variable of its own that is bound outside before it")
        self._number += 1
        found: Select = renamed(select, {name: f"{name}#{self._number}" for name in own})
        return found

    def _group(self, group: Group, seen: frozenset[str], *, counted: bool) -> Group:
        found: list[Element] = []
        for element, lazy, _ in _joins(group):
            if lazy is None and (counted or isinstance(element, Select)):
                raise Unsupported("EXISTS with several parts stands in a sub-query")
            made = self._element(element, seen, counted=counted)
            found.append(replace(made, pushed=lazy is not False) if isinstance(made, Select) else made)
            if counted and lazy is False and _repeats(element):
                raise Unsupported("solutions are counted over a join of sets")
            seen |= element_names(element)
        found += [Filter(self._test(each.test)) for each in group.elements if isinstance(each, Filter)]
        return Group(tuple(found))

    def _element(self, element: Element, seen: frozenset[str], *, counted: bool) -> Element:
        match element:
            case Select():
                return self.select(self._apart(element, seen), seen, counted=counted)
            case Maybe(inner):
                return Maybe(self._group(inner, seen, counted=counted))
            case Union(groups):
                return Union(tuple(self._group(each, seen, counted=counted) for each in groups))
            case Bind(name, value):
                return Bind(name, self._test(value))
        return element

    def _test(self, test: Expression) -> Expression:
        match test:
            case Exists(group, negated):
                if any(isinstance(each, Select) for each in parts_of(group)):
                    raise Unsupported("EXISTS holds a sub-query")  # rdflib may translate it twice: another outcome
                return Exists(self._group(group, self._given, counted=False), negated)
            case Call(name, arguments):
                return Call(name, tuple(map(self._test, arguments)))
        return test


def _repeats(element: Element) -> bool:
    """Whether the element may give a solution several times, other than a sub-query, whose solutions are a set then."""
    if isinstance(element, tuple):
        return any(is_multiple(each.path) for each in element)
    return isinstance(element, Union)
