"""Solutions of compiled queries by look-ups, from ``$this`` outward.

Patterns are joined in an order in which each has an end that is known, where there is one. Groups are evaluated with
the solutions found so far; ``query_scopes`` refuses the queries for which that would matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from imprimatur.errors import CheckFailed
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.shacl.paths import Path, inverse
from imprimatur.sources.shacl.query_groups import Tally, row_key
from imprimatur.sources.shacl.query_paths import can_start, starts, ways
from imprimatur.sources.shacl.query_plan import begins_anchored
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Element,
    Exists,
    Expression,
    Filter,
    Group,
    Maybe,
    Node,
    Pattern,
    Select,
    Union,
)
from imprimatur.sources.shacl.query_terms import evaluate
from imprimatur.sources.shacl.query_values import NoValue, Operand, Scope, as_term, is_true
from imprimatur.sources.shacl.query_work import Row, Work
from imprimatur.sources.shacl.view import Term, View

__all__ = ["Solver"]


@dataclass(slots=True)
class Solver:
    """Finds solutions for one focus node.

    Attributes:
        given: what is bound beforehand.
        counted: a query counts solutions, so that each counts.
        loose: a solution need not hold what is bound beforehand (it is known all the same).
    """

    work: Work
    focus: int
    given: Row
    counted: bool
    loose: bool
    view: View = field(init=False)

    def __post_init__(self) -> None:
        self.view = self.work.view

    def rows(self, select: Select) -> list[Row]:
        """The solutions of the whole query over its selected variables."""
        return self._rows_of(select, {} if self.loose else self.given)

    def solve(self, group: Group, row: Row) -> Iterator[Row]:
        """The solutions of the group that agree with ``row``."""
        tests = [element.test for element in group.elements if isinstance(element, Filter)]
        rows: Iterator[Row] = iter([{**self.given, **row} if self.loose and begins_anchored(group) else row])
        for element in group.elements:
            rows = self._with(element, rows, row)
        for found in rows:
            self.view.tick()
            if all(self._passes(test, found) for test in tests):
                yield found

    def _with(self, element: Element, rows: Iterator[Row], around: Row) -> Iterator[Row]:
        match element:
            case Filter():
                return rows
            case Maybe(group):
                return self._maybe(group, rows)
            case Union(groups):
                return (found for row in rows for group in groups for found in self.solve(group, row))
            case Bind():
                return self._bound(element, rows)
            case Select():
                return self._joined(element, rows, around)
        if self.loose:
            rows = ({**self.given, **row} for row in rows)
        for pattern in element:
            matched = self._any_edge if isinstance(pattern.path, str) else self._matched
            rows = matched(pattern, rows)
        return rows

    def _maybe(self, group: Group, rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            more = False
            for found in self.solve(group, row):
                more = True
                yield found
            if not more:
                yield row

    def _bound(self, element: Bind, rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            value = self._number_of(element.value, row)
            yield row if value is None else {**row, element.name: value}

    # Patterns

    def _any_edge(self, pattern: Pattern, rows: Iterator[Row]) -> Iterator[Row]:
        """The solutions of a pattern with a variable predicate."""
        for row in rows:
            self.view.tick()
            start, end = _end(pattern.subject, row), _end(pattern.object, row)
            if start is not None:
                edges = [(start, p, o) for p, o in self.view.out(start)]
            elif end is not None:
                edges = [(s, p, end) for s, p in self.view.into(end)]
            else:
                raise CheckFailed("a query matches any triple", hint="mend the shape")
            for edge in edges:
                self.view.tick()
                found = dict(row)
                for part, number in zip((pattern.subject, pattern.path, pattern.object), edge, strict=True):
                    known = found.setdefault(part, number) if isinstance(part, str) else part
                    if known != number:
                        break
                else:
                    yield found

    def _matched(self, pattern: Pattern, rows: Iterator[Row]) -> Iterator[Row]:
        view, path = self.view, pattern.path
        assert not isinstance(path, str)  # those are matched by _any_edge
        back: Path | None = None
        for row in rows:
            view.tick()
            start, end = _end(pattern.subject, row), _end(pattern.object, row)
            if start is not None:
                for value in self._reached(path, start):
                    if end is None:
                        yield {**row, str(pattern.object): value}
                    elif value == end:
                        yield row
            elif end is not None:
                back = back or inverse(path)
                for value in self._reached(back, end):
                    yield {**row, str(pattern.subject): value}
            else:
                yield from self._anywhere(pattern, path, row)

    def _anywhere(self, pattern: Pattern, path: Path, row: Row) -> Iterator[Row]:
        """The solutions of a pattern no end of which is known."""
        if not can_start(path):
            raise CheckFailed("a query matches any node", hint="mend the shape")
        same = pattern.subject == pattern.object
        for start in dict.fromkeys(starts(path, self.view)):
            for value in self._reached(path, start):
                self.view.tick()
                if not same or value == start:
                    yield {**row, str(pattern.subject): start, str(pattern.object): value}

    def _reached(self, path: Path, node: int) -> Iterable[int]:
        return ways(path, self.view, node) if self.counted else path.values(self.view, node)

    # Sub-queries and groups

    def _joined(self, select: Select, rows: Iterator[Row], around: Row) -> Iterator[Row]:
        """The solutions so far joined with those of a sub-query."""
        shared = {*select.plain, *self.given}
        once: list[Row] | None = None
        for row in rows:
            self.view.tick()
            if select.pushed:
                found = self._rows_of(select, _only(shared, row))
            else:
                if once is None:
                    unique = {row_key(each): each for each in self._rows_of(select, _only(shared, around))}
                    once = list(unique.values())
                found = once
            for each in found:
                self.view.tick()
                if all(row.get(name, number) == number for name, number in each.items()):
                    yield {**row, **each}

    def _rows_of(self, select: Select, start: Row) -> list[Row]:
        key = id(select)
        is_closed = select.closed and start.keys() <= self.given.keys()
        if is_closed and key in self.work.closed:
            return self.work.closed[key]
        if select.grouped:
            found = list(self._groups(select, start))
        else:
            found = [self._selected(select, row) for row in self.solve(select.where, start)]
        if select.distinct:
            found = list({row_key(row): row for row in found}.values())
        if is_closed:
            self.work.closed[key] = found
        return found

    def _selected(self, select: Select, row: Row) -> Row:
        """What a solution gives the selected variables."""
        found = {name: row[name] for name in select.plain if name in row}
        for name, value in select.computed:
            number = self._number_of(value, row)
            if number is not None:
                found[name] = number
        return found

    def _groups(self, select: Select, start: Row) -> Iterator[Row]:
        """The solutions of a query with groups (SPARQL 1.1, 11).

        rdflib gives one solution that binds nothing where GROUP BY finds no group; so does this.
        """
        tallies: dict[tuple[int | None, ...], Tally] = {}
        for row in self.solve(select.where, start):
            key = tuple(row.get(name) for name in select.keys or ())
            tally = tallies.get(key)
            if tally is None:
                tally = tallies[key] = Tally.of(select.aggregates)
            tally.add(row, self.value)
        solutions: list[Row] = []
        for key, tally in tallies.items():
            known = {name: number for name, number in zip(select.keys or (), key, strict=True) if number is not None}
            solutions.append({**self.given, **start, **known, **self._outcomes(tally)})
        if not tallies:
            solutions.append({} if select.keys is not None else self._outcomes(Tally.of(select.aggregates)))
        for row in solutions:
            self.view.tick()
            if all(self._passes(test, row) for test in select.having):
                yield self._selected(select, row)

    def _outcomes(self, tally: Tally) -> Row:
        found: Row = {}
        for aggregate in tally.aggregates:
            try:
                found[aggregate.name] = self.work.own(tally.outcome(aggregate, self.work.term))
            except NoValue as error:
                self.doubt(error)
        return found

    # Expressions

    def _number_of(self, expression: Expression, row: Row) -> int | None:
        try:
            return self.work.number(as_term(self.value(expression, row)))
        except NoValue as error:
            self.doubt(error)
            return None

    def _passes(self, test: Expression, row: Row) -> bool:
        try:
            return is_true(self.value(test, row))
        except NoValue as error:
            self.doubt(error)
            return False

    def doubt(self, error: NoValue) -> None:
        """Notes a comparison or calculation that had no outcome."""
        if str(error):
            focus = self.view.terms.term(self.focus)
            self.view.doubts[f"{focus.lexical if isinstance(focus, RdfLiteral) else focus}: {error}"] = None

    def value(self, expression: Expression, row: Row) -> Operand:
        """The value of an expression in a solution.

        Raises:
            NoValue: it has none.
        """
        return evaluate(
            expression,
            Scope(lambda name: self.term(row, name), lambda exists: self._exists(exists, row), self.view.tick),
        )

    def _exists(self, exists: Exists, row: Row) -> bool:
        return any(True for _ in self.solve(exists.group, row)) is not exists.negated

    def term(self, row: Row, name: str) -> Term | None:
        """The term that a solution gives a variable; None when it is unbound."""
        number = row.get(name, self.given.get(name) if self.loose else None)
        return None if number is None else self.work.term(number)


def _only(names: set[str], row: Row) -> Row:
    return {name: number for name, number in row.items() if name in names}


def _end(end: Node, row: Row) -> int | None:
    return row.get(end) if isinstance(end, str) else end
