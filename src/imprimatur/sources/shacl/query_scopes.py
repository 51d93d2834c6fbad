"""Which variables a query binds where, and whether it may be evaluated from ``$this`` outward.

SPARQL's semantics is bottom-up; solutions found so far are passed inward here, which gives the same only where scopes
do not interfere. rdflib passes them inward too, even into sub-queries, where SPARQL lets nothing in (SPARQL 1.1, 12).
So queries in which it could matter are refused (``Unsupported``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from imprimatur.sources.shacl.query_names import (
    all_exists,
    element_names,
    expression_names,
    group_names,
    select_expressions,
)
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Exists,
    Filter,
    Group,
    Maybe,
    Select,
    Union,
)
from imprimatur.sources.shacl.values import Unsupported

__all__ = ["check_query"]

_Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Scope:
    """What surrounds a group.

    Attributes:
        given: bound before the query is run.
        sure: bound in every solution so far. visible: perhaps bound.
        main: whether the group is the whole of a query.
    """

    given: _Names
    sure: _Names
    visible: _Names
    main: bool = False

    def inner(self, sure: Iterable[str], visible: Iterable[str]) -> _Scope:
        return _Scope(self.given, frozenset(sure), self.visible.union(visible))


def check_query(select: Select, given: frozenset[str]) -> None:
    """Checks a whole query; ``given`` is bound before it is run.

    Raises:
        Unsupported: evaluating it from outside in might give other solutions than rdflib's.
    """
    _check_select(select, _Scope(given, given, given), sub=False)


def _check_select(select: Select, scope: _Scope, *, sub: bool) -> set[str]:
    """The variables that every solution of the query binds."""
    own = _Scope(scope.given, scope.given, scope.visible, main=True)
    sure, unsure = _check_group(select.where, own)
    if sub and not set(select.plain) <= sure | unsure | scope.given:
        raise Unsupported("a sub-query selects a variable that it does not bind")
    if select.grouped:
        _check_groups(select, sure | (set() if sub else unsure), scope.given)
        sure = set(scope.given)
    for name, value in select.computed:
        others = {other for other, _ in select.computed}
        if name in group_names(select.where) | set(select.keys or ()) or expression_names(value) & others:
            raise Unsupported("the query computes a variable that it also binds")
    return sure


def _check_groups(select: Select, keys: set[str], given: _Names) -> None:
    if not set(select.keys or ()) <= keys:
        raise Unsupported("GROUP BY of a variable that may be unbound")
    known = {*(select.keys or ()), *given}
    if not set(select.plain) <= known:
        raise Unsupported("the query selects a variable that it does not group by")
    made = {each.name for each in select.aggregates}
    for expression in (*(value for _, value in select.computed), *select.having):
        if not expression_names(expression) <= known | made:
            raise Unsupported("an expression over groups reads a variable that is no key")
    if any(True for expression in select_expressions(select) for _ in all_exists(expression)):
        raise Unsupported("EXISTS stands in an expression over groups")


def _check_group(group: Group, scope: _Scope) -> tuple[set[str], set[str]]:
    """The variables that the group binds in every solution, and those that it may bind."""
    sure: set[str] = set(scope.sure)
    unsure: set[str] = set()
    for element in group.elements:
        if isinstance(element, Filter):
            continue
        if unsure & element_names(element):
            raise Unsupported("the query uses a variable again that an OPTIONAL, UNION or sub-query may leave unbound")
        match element:
            case Maybe(inner):
                _check_group(inner, scope.inner(sure, sure | unsure))
                unsure |= group_names(inner) - sure
            case Union(groups):
                bound = [_check_nested(each, sure, scope.inner(scope.given, sure | unsure)) for each in groups]
                sure |= set.intersection(*bound)
                unsure |= set().union(*bound) - sure
            case Bind(name, value):
                if name in sure or not expression_names(value) <= sure:
                    raise Unsupported("a BIND reads or binds a variable out of order")
                unsure.add(name)
            case Select():
                _check_sub(element, sure, scope.inner(scope.given, sure | unsure), main=scope.main)
                bound_inside = _check_select(element, scope.inner(scope.given, sure | unsure), sub=True)
                if not element.grouped and not (sure - scope.given) & element.names <= bound_inside:
                    raise Unsupported("a sub-query may leave a variable unbound that is bound before")
                sure |= element.names & bound_inside
                unsure |= element.names - sure
            case _:
                sure |= element_names(element)
    for exists in _exists_of(group):
        _check_group(exists.group, scope.inner(sure | unsure, sure | unsure))
    return sure, unsure


def _exists_of(group: Group) -> Iterator[Exists]:
    for element in group.elements:
        if isinstance(element, Filter):
            expression_names(element.test)
            yield from all_exists(element.test)
        if isinstance(element, Bind):
            yield from all_exists(element.value)


def _check_nested(group: Group, outer: set[str], scope: _Scope) -> set[str]:
    """As ``_check_group`` for a group in braces, whose filters see only what it binds itself."""
    plain = all(isinstance(each, tuple | Filter) for each in group.elements)
    own = scope.given.union(*(element_names(each) for each in group.elements if isinstance(each, tuple)))
    if outer != scope.given and not plain:
        raise Unsupported("a group in braces follows other patterns")
    for each in group.elements:
        if isinstance(each, Filter) and plain and not expression_names(each.test) <= own:
            raise Unsupported("a FILTER reads a variable from outside its group")
    return _check_group(group, scope)[0]


def _check_sub(select: Select, sure: set[str], scope: _Scope, *, main: bool) -> None:
    """Whether a sub-query may see the solutions so far (``sure`` or ``scope.visible``), as it does in rdflib."""
    shared = scope.visible - scope.given
    if shared & {name for name, _ in select.computed}:
        raise Unsupported("a sub-query computes a variable that is bound before")
    if shared & select.names and not (main and shared & select.names <= sure):
        raise Unsupported("a sub-query shares variables with patterns before it")
    if select.grouped and select.keys is None and select.plain and not (select.pushed and sure > scope.given):
        raise Unsupported("a sub-query without GROUP BY selects a variable")
