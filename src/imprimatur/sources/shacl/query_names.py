"""The variables of a query: which are mentioned where, and sub-queries with other names for their own ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

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
    Variable,
)
from imprimatur.sources.shacl.query_terms import is_callable
from imprimatur.sources.shacl.values import Unsupported

__all__ = ["all_exists", "element_names", "expression_names", "group_names", "parts_of", "pattern_names", "renamed"]
__all__ += ["select_expressions", "select_names"]


def expression_names(expression: Expression) -> set[str]:
    """The variables that the expression reads; those within EXISTS as well.

    Raises:
        Unsupported: it calls a function that is not known.
    """
    match expression:
        case Variable(name):
            return {name}
        case Call(name, arguments):
            if not is_callable(name, len(arguments)):
                raise Unsupported(f"the query calls {name} with {len(arguments)} arguments")
            return set().union(*map(expression_names, arguments))
        case Exists(group):
            return group_names(group)
    return set()


def group_names(group: Group) -> set[str]:
    """All variables of a group that can be seen from outside of its sub-queries."""
    return set().union(*map(element_names, group.elements))


def element_names(element: Element) -> set[str]:
    """As ``group_names``, for one element."""
    match element:
        case Filter(test):
            return expression_names(test)
        case Maybe(group):
            return group_names(group)
        case Union(groups):
            return set().union(*map(group_names, groups))
        case Bind(name, value):
            return {name} | expression_names(value)
        case Select():
            return set(element.names)
    return {part for pattern in element for part in pattern_names(pattern)}


def pattern_names(pattern: Pattern) -> tuple[str, ...]:
    """The variables of a pattern."""
    return tuple(part for part in (pattern.subject, pattern.path, pattern.object) if isinstance(part, str))


def all_exists(expression: Expression) -> Iterator[Exists]:
    """The outermost EXISTS within an expression."""
    if isinstance(expression, Exists):
        yield expression
    elif isinstance(expression, Call):
        for each in expression.arguments:
            yield from all_exists(each)


def select_names(select: Select) -> set[str]:
    """All variables that a sub-query mentions, at any depth but that of its own sub-queries."""
    found = group_names(select.where) | select.names | set(select.keys or ())
    for expression in select_expressions(select):
        found |= expression_names(expression)
    return found - {each.name for each in select.aggregates}


def select_expressions(select: Select) -> Iterator[Expression]:
    yield from (value for _, value in select.computed)
    yield from select.having
    yield from (each.argument for each in select.aggregates if each.argument is not None)


def parts_of(node: object) -> Iterator[object]:
    """All parts of a query, at any depth."""
    yield node
    if isinstance(node, tuple):
        for each in node:
            yield from parts_of(each)
    elif is_dataclass(node) and not isinstance(node, Constant | type):
        for part in fields(node):
            yield from parts_of(getattr(node, part.name))


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """A part of a query with other names for some variables, at any depth."""
    if isinstance(node, str):
        return names.get(node, node)
    if isinstance(node, tuple):
        return tuple(renamed(each, names) for each in node)
    if is_dataclass(node) and not isinstance(node, Constant | type):
        return replace(node, **{each.name: renamed(getattr(node, each.name), names) for each in fields(node)})
    return node
