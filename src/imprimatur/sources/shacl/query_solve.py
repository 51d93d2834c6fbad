"""Solutions of compiled queries by look-ups, from ``$this`` outward.

Patterns are joined in an order in which each has an end that is known. Groups are evaluated with the solutions found so
far, which gives what SPARQL's bottom-up evaluation gives only where scopes do not interfere; ``check_scopes`` refuses
(``Unsupported``) the queries in which they might.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from fractions import Fraction

from imprimatur._records import dataclass
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.shacl.paths import Path, inverse
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Call,
    Element,
    Exists,
    Expression,
    Filter,
    Group,
    Maybe,
    Node,
    Pattern,
    Union,
    Variable,
)
from imprimatur.sources.shacl.query_terms import KNOWN, NoValue, Operand, Scope, evaluate, is_true
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term, View

__all__ = ["Solver", "check_scopes", "expression_variables", "group_variables", "ordered"]

_Row = dict[str, int]


def expression_variables(expression: Expression) -> set[str]:
    """The variables that the expression reads; those within EXISTS as well."""
    match expression:
        case Variable(name):
            return {name}
        case Call(name, arguments):
            if name not in KNOWN:
                raise Unsupported(f"the query calls {name}")
            return set().union(*map(expression_variables, arguments))
        case Exists(group):
            return group_variables(group)
    return set()


def group_variables(group: Group) -> set[str]:
    """All variables that a group mentions."""
    return set().union(*map(_mentioned, group.elements))


def _mentioned(element: Element) -> set[str]:
    match element:
        case Filter(test):
            return expression_variables(test)
        case Maybe(group):
            return group_variables(group)
        case Union(groups):
            return set().union(*map(group_variables, groups))
        case Bind(name, value):
            return {name} | expression_variables(value)
    return {part for pattern in element for part in _variables(pattern)}


def _variables(pattern: Pattern) -> tuple[str, ...]:
    return tuple(part for part in (pattern.subject, pattern.path, pattern.object) if isinstance(part, str))


def check_scopes(group: Group, outer: frozenset[str] = frozenset({"?this"})) -> set[str]:
    """The variables that the group binds in every solution.

    Raises:
        Unsupported: evaluating it from outside in might give other solutions than SPARQL's bottom-up evaluation.
    """
    sure: set[str] = set(outer)
    unsure: set[str] = set()
    for element in group.elements:
        if isinstance(element, Filter):
            continue
        if unsure & _mentioned(element):
            raise Unsupported("the query uses a variable again that an OPTIONAL or UNION may leave unbound")
        match element:
            case Maybe(inner):
                check_scopes(inner, frozenset(sure))
                unsure |= group_variables(inner) - sure
            case Union(groups):
                bound = [_nested(each, sure) for each in groups]
                sure |= set.intersection(*bound)
                unsure |= set().union(*bound) - sure
            case Bind(name, value):
                if name in sure or not expression_variables(value) <= sure:
                    raise Unsupported("a BIND reads or binds a variable out of order")
                unsure.add(name)
            case _:
                sure |= _mentioned(element)
    _check_filters(group, sure | unsure)
    return sure


def _nested(group: Group, outer: set[str]) -> set[str]:
    """As ``check_scopes`` for a group in braces, whose filters see only what it binds itself."""
    plain = all(isinstance(each, tuple | Filter) for each in group.elements)
    own = {"?this"}.union(*(_mentioned(each) for each in group.elements if isinstance(each, tuple)))
    if outer != {"?this"} and not plain:
        raise Unsupported("a group in braces follows other patterns")
    for each in group.elements:
        if isinstance(each, Filter) and plain and not expression_variables(each.test) <= own:
            raise Unsupported("a FILTER reads a variable from outside its group")
    return check_scopes(group)


def _check_filters(group: Group, visible: set[str]) -> None:
    for element in group.elements:
        for test in _tests(element):
            for exists in _all_exists(test):
                check_scopes(exists.group, frozenset(visible))


def _tests(element: Element) -> Iterator[Expression]:
    if isinstance(element, Filter):
        expression_variables(element.test)
        yield element.test
    if isinstance(element, Bind):
        yield element.value


def _all_exists(expression: Expression) -> Iterator[Exists]:
    if isinstance(expression, Exists):
        yield expression
    elif isinstance(expression, Call):
        for each in expression.arguments:
            yield from _all_exists(each)


def ordered(patterns: Iterable[Pattern], known: set[str]) -> list[Pattern]:
    """The patterns in an order in which each has as many known ends as can be."""
    left, found, known = list(patterns), [], set(known)

    def unknown(pattern: Pattern) -> int:
        return sum(isinstance(end, str) and end not in known for end in (pattern.subject, pattern.object))

    while left:
        best = min(left, key=unknown)
        left.remove(best)
        found.append(best)
        known |= set(_variables(best))
    return found


@dataclass(slots=True)
class Solver:
    """Finds solutions in one view; identifiers of calculated terms are its own."""

    view: View
    focus: int
    _made: dict[Term, int] = field(default_factory=dict)
    _inverse: dict[int, Path] = field(default_factory=dict)

    def solve(self, group: Group, row: _Row) -> Iterator[_Row]:
        """The solutions of the group that agree with ``row``."""
        rows: Iterator[_Row] = iter([row])
        for element in group.elements:
            rows = self._with(element, rows)
        tests = [element.test for element in group.elements if isinstance(element, Filter)]
        for found in rows:
            self.view.tick()
            if all(self._passes(test, found) for test in tests):
                yield found

    def _with(self, element: Element, rows: Iterator[_Row]) -> Iterator[_Row]:
        match element:
            case Filter():
                return rows
            case Maybe(group):
                return self._maybe(group, rows)
            case Union(groups):
                return (found for row in rows for group in groups for found in self.solve(group, row))
            case Bind():
                return self._bound(element, rows)
        for pattern in element:
            matched = self._any_edge if isinstance(pattern.path, str) else self._matched
            rows = matched(pattern, rows)
        return rows

    def _maybe(self, group: Group, rows: Iterator[_Row]) -> Iterator[_Row]:
        for row in rows:
            more = False
            for found in self.solve(group, row):
                more = True
                yield found
            if not more:
                yield row

    def _bound(self, element: Bind, rows: Iterator[_Row]) -> Iterator[_Row]:
        for row in rows:
            try:
                value = self.value(element.value, row)
            except NoValue as error:
                self.doubt(error)
                yield row
            else:
                yield {**row, element.name: self._number(value)}

    def _any_edge(self, pattern: Pattern, rows: Iterator[_Row]) -> Iterator[_Row]:
        """The solutions of a pattern with a variable predicate."""
        for row in rows:
            self.view.tick()
            start, end = _end(pattern.subject, row), _end(pattern.object, row)
            if start is not None:
                edges = [(start, p, o) for p, o in self.view.out(start)]
            else:
                edges = [(s, p, end) for s, p in self.view.into(end)] if end is not None else []
            for edge in edges:
                found = dict(row)
                for part, number in zip((pattern.subject, pattern.path, pattern.object), edge, strict=True):
                    known = found.setdefault(part, number) if isinstance(part, str) else part
                    if known != number:
                        break
                else:
                    yield found

    def _matched(self, pattern: Pattern, rows: Iterator[_Row]) -> Iterator[_Row]:
        view, path = self.view, pattern.path
        assert not isinstance(path, str)  # those are matched by _any_edge
        back: Path | None = None
        for row in rows:
            view.tick()
            start, end = _end(pattern.subject, row), _end(pattern.object, row)
            if start is not None:
                for value in path.values(view, start):
                    if end is None:
                        yield {**row, str(pattern.object): value}
                    elif value == end:
                        yield row
            elif end is not None:
                back = back or inverse(path)
                same = pattern.subject == pattern.object
                for value in back.values(view, end):
                    if not same or value == end:
                        yield {**row, str(pattern.subject): value}

    def _passes(self, test: Expression, row: _Row) -> bool:
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

    def value(self, expression: Expression, row: _Row) -> Operand:
        """The value of an expression in a solution.

        Raises:
            NoValue: it has none.
        """
        return evaluate(
            expression,
            Scope(lambda name: self.term(row, name), lambda exists: self._exists(exists, row), self.view.tick),
        )

    def _exists(self, exists: Exists, row: _Row) -> bool:
        return any(True for _ in self.solve(exists.group, row)) is not exists.negated

    def term(self, row: _Row, name: str) -> Term | None:
        """The term that a solution gives a variable; None when it is unbound."""
        number = row.get(name)
        if number is None:
            return None
        if number < 0:
            return next(term for term, made in self._made.items() if made == number)
        return self.view.terms.term(number)

    def _number(self, value: Operand) -> int:
        """The identifier of a calculated value; a negative one when the graph does not know the term."""
        term = as_term(value)
        known = self.view.terms.find(term)
        return self._made.setdefault(term, -1 - len(self._made)) if known is None else known

    def number(self, value: Operand) -> int:
        """The identifier of a calculated value, a new one when it has none."""
        return self.view.terms.number(as_term(value))


def as_term(value: Operand) -> Term:
    """The term of a value; a calculated number is written as an integer where it is one, else as a decimal."""
    if isinstance(value, bool):
        return RdfLiteral(str(value).lower(), XSD + "boolean")
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return RdfLiteral(str(value.numerator), XSD + "integer")
        return RdfLiteral(format(float(value), "f"), XSD + "decimal")
    return RdfLiteral(str(value), XSD + "double") if isinstance(value, float) else value


def _end(end: Node, row: _Row) -> int | None:
    return row.get(end) if isinstance(end, str) else end
