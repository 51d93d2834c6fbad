"""``sh:sparql`` constraints compiled into look-ups (W3C SHACL 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.shacl.query_absence import by_absence
from imprimatur.sources.shacl.query_marks import marked
from imprimatur.sources.shacl.query_names import group_names
from imprimatur.sources.shacl.query_plan import has_groups, is_anchored, planned
from imprimatur.sources.shacl.query_routes import query_routes
from imprimatur.sources.shacl.query_scopes import check_query
from imprimatur.sources.shacl.query_solve import Solver
from imprimatur.sources.shacl.query_syntax import Select
from imprimatur.sources.shacl.query_work import Row, Work
from imprimatur.sources.shacl.shape import Broken, Constraint
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term, View

__all__ = ["Query", "filled", "query_constraint"]

_PARTS = ("?this", "?path", "?value")


class Query:
    """A query made ready to be run for one focus node after another.

    Raises:
        Unsupported: it cannot be compiled.
    """

    __slots__ = ("_counted", "_loose", "_work", "select")

    def __init__(self, select: Select, prebound: tuple[str, ...] = ("?this",)) -> None:
        given = frozenset(prebound)
        if select.projection is None:
            select = replace(select, projection=tuple((name, None) for name in sorted(group_names(select.where))))
        if "?failure" in select.names:
            raise Unsupported("the query selects ?failure")
        select = marked(select, given)
        check_query(select, given)
        self.select = planned(select, given)
        self._counted = has_groups(self.select)
        self._loose = not self.select.grouped and not is_anchored(self.select.where)
        #: Of the view that was asked last.
        self._work: Work | None = None

    def rows(self, view: View, given: Row) -> Iterator[dict[str, Term]]:
        """The solutions over the selected variables, in terms."""
        solver = self._solver(view, given)
        # As in rdflib, solutions that bind nothing do not count, and others have what is bound beforehand; but what is
        # selected beside the aggregates of no solution at all has no value.
        no_keys = self.select.grouped and self.select.keys is None
        always = {} if no_keys else {name: number for name, number in given.items() if name in self.select.names}
        for row in solver.rows(self.select):
            if row:
                yield {name: solver.work.term(number) for name, number in {**always, **row}.items()}

    def holds(self, view: View, given: Row) -> bool:
        """Whether there is a solution (ASK)."""
        return any(True for _ in self._solver(view, given).solve(self.select.where, given))

    def _solver(self, view: View, given: Row) -> Solver:
        work = self._work
        if work is None or work.view is not view:
            work = self._work = Work(view)
        return Solver(work, given["?this"], given, self._counted, self._loose)


def query_constraint(select: Select, *, constraint: str, messages: tuple[str, ...], is_node_shape: bool) -> Constraint:
    """The constraint that a query states; ``messages`` may name its variables as ``{?x}`` or ``{$x}``.

    Raises:
        Unsupported: it cannot be compiled.
    """
    query = Query(select)

    def check(view: View, focus: int, _values: Sequence[int]) -> Iterator[Broken]:
        seen: set[Broken] = set()
        for terms in query.rows(view, {"?this": focus}):
            if terms.keys().isdisjoint(_PARTS):
                continue
            value = view.terms.number(terms["?value"]) if "?value" in terms else None
            if value is None and is_node_shape:
                value = focus
                terms["?value"] = view.terms.term(focus)
            broken = _broken(terms, value, view, constraint=constraint, messages=messages)
            if broken not in seen:
                seen.add(broken)
                yield broken

    at_focus, _ = query_routes(query.select)
    return Constraint(kind="SPARQL", check=check, at_focus=at_focus, by_absence=by_absence(query.select))


def _broken(
    terms: Mapping[str, Term], value: int | None, view: View, *, constraint: str, messages: tuple[str, ...]
) -> Broken:
    """The result of a solution."""
    path, this = terms.get("?path"), terms.get("?this")
    return Broken(
        "SPARQLConstraintComponent",
        value,
        path=path if isinstance(path, str) else "",
        constraint=constraint,
        said=tuple(sorted({filled(message, terms) for message in messages})),
        focus=None if this is None else view.terms.number(this),
    )


def filled(message: str, terms: Mapping[str, Term]) -> str:
    """The message with the terms of its variables, written as ``{?x}`` or ``{$x}``."""

    def one(match: re.Match[str]) -> str:
        term = terms.get("?" + match.group(1))
        if term is None:
            return match.group()
        return term.lexical if isinstance(term, RdfLiteral) else term

    return re.sub(r"\{[?$](\w+)\}", one, message)
