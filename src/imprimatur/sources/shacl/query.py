"""``sh:sparql`` constraints compiled into look-ups (W3C SHACL 5), with the routes from added triples back to ``$this``.

Each triple pattern of a query, also inside NOT EXISTS, OPTIONAL and UNION, gives routes: from a triple that matches one
edge of it, back along the patterns that must hold in the same solution, to ``$this``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from imprimatur._records import dataclass
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.shacl.paths import Path, Step, inverse, then
from imprimatur.sources.shacl.query_solve import Solver, check_scopes, expression_variables, ordered
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
    Select,
    Union,
)
from imprimatur.sources.shacl.query_terms import NoValue
from imprimatur.sources.shacl.shape import ANY, Broken, Constraint, Route
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term, View

__all__ = ["query_constraint"]

_MOST_ROUTES = 500
_PARTS = ("?this", "?path", "?value")


def query_constraint(select: Select, *, constraint: str, messages: tuple[str, ...], is_node_shape: bool) -> Constraint:
    """The constraint that a query states; ``messages`` may name its variables as ``{?x}`` or ``{$x}``.

    Raises:
        Unsupported: it cannot be compiled.
    """
    projected = [name for name, _ in select.projection]
    computed = {name for name, value in select.projection if value is not None}
    if "?failure" in projected or "?this" in computed:
        raise Unsupported("the query selects ?failure or computes $this")
    bound = check_scopes(select.where)
    for name, value in select.projection:
        if value is not None and (name in bound or expression_variables(value) & computed):
            raise Unsupported("the query computes a variable that it also binds")
    where = _planned(select.where, {"?this"})
    found = tuple(_patterns(where, ()))

    def check(view: View, focus: int, _values: Sequence[int]) -> Iterator[Broken]:
        solver = Solver(view, focus)
        seen: set[Broken] = set()
        for row in solver.solve(where, {"?this": focus}):
            given = _given(solver, row, select)
            if given.keys().isdisjoint(_PARTS):
                continue
            if is_node_shape:
                given.setdefault("?value", focus)
            broken = _broken(given, view, constraint=constraint, messages=messages)
            if broken not in seen:
                seen.add(broken)
                yield broken

    return Constraint(
        kind="SPARQL",
        check=check,
        at_focus=tuple(dict.fromkeys(_routes(found))),
        by_absence=_by_absence(select.where),
    )


def _given(solver: Solver, row: dict[str, int], select: Select) -> dict[str, int]:
    """What a solution gives the selected variables."""
    given: dict[str, int] = {}
    for name, value in select.projection or [(name, None) for name in row]:
        if value is None:
            if name in row:
                given[name] = row[name] if row[name] >= 0 else solver.view.terms.number(_known(solver, row, name))
            continue
        try:
            given[name] = solver.number(solver.value(value, row))
        except NoValue as error:
            solver.doubt(error)
    return given


def _broken(given: dict[str, int], view: View, *, constraint: str, messages: tuple[str, ...]) -> Broken:
    """The result of a solution."""
    terms = {name: view.terms.term(number) for name, number in given.items()}
    path = terms.get("?path")
    return Broken(
        "SPARQLConstraintComponent",
        given.get("?value"),
        path=path if isinstance(path, str) else "",
        constraint=constraint,
        said=tuple(sorted({_filled(message, terms) for message in messages})),
        focus=given.get("?this"),
    )


def _known(solver: Solver, row: dict[str, int], name: str) -> Term:
    term = solver.term(row, name)
    assert term is not None  # the row binds the name
    return term


def _filled(message: str, terms: dict[str, Term]) -> str:
    def one(match: re.Match[str]) -> str:
        term = terms.get("?" + match.group(1))
        if term is None:
            return match.group()
        return term.lexical if isinstance(term, RdfLiteral) else term

    return re.sub(r"\{[?$](\w+)\}", one, message)


# Plans


def _planned(group: Group, known: set[str]) -> Group:
    """The group with patterns in the order in which they are joined."""
    known = set(known)
    elements: list[Element] = []
    for element in group.elements:
        match element:
            case Maybe(inner):
                elements.append(Maybe(_planned(inner, known)))
            case Union(groups):
                elements.append(Union(tuple(_planned(each, known) for each in groups)))
            case Filter():
                elements.append(element)
            case Bind():
                elements.append(element)
                known.add(element.name)
            case _:
                patterns = ordered(element, known)
                elements.append(tuple(patterns))
                known |= {
                    part
                    for each in patterns
                    for part in (each.subject, each.path, each.object)
                    if isinstance(part, str)
                }
    planned = []
    for each in elements:
        planned.append(Filter(_planned_test(each.test, known)) if isinstance(each, Filter) else each)
    return Group(tuple(planned))


def _planned_test(test: Expression, known: set[str]) -> Expression:
    match test:
        case Exists(group, negated):
            return Exists(_planned(group, known), negated)
        case Call(name, arguments):
            return Call(name, tuple(_planned_test(each, known) for each in arguments))
    return test


# Routes


@dataclass(frozen=True, slots=True)
class _Placed:
    """A pattern and the nest of alternatives, options and negations that it stands in, outermost first."""

    pattern: Pattern
    nest: tuple[int, ...]


def _patterns(group: Group, nest: tuple[int, ...]) -> Iterator[_Placed]:
    for number, element in enumerate(group.elements):
        match element:
            case Maybe(inner):
                yield from _patterns(inner, (*nest, number))
            case Union(groups):
                for which, each in enumerate(groups):
                    yield from _patterns(each, (*nest, number, which))
            case Filter(test):
                yield from _in_test(test, (*nest, number))
            case Bind(_, value):
                yield from _in_test(value, (*nest, number))
            case _:
                yield from (_Placed(pattern, nest) for pattern in element)


def _in_test(test: Expression, nest: tuple[int, ...]) -> Iterator[_Placed]:
    if isinstance(test, Exists):
        yield from _patterns(test.group, nest)
    elif isinstance(test, Call):
        for number, each in enumerate(test.arguments):
            yield from _in_test(each, (*nest, number))


def _routes(found: tuple[_Placed, ...]) -> Iterator[Route]:
    number = 0
    for placed in found:
        links = [each for each in found if placed.nest[: len(each.nest)] == each.nest and each is not placed]
        from_subject = _to_this(placed.pattern.subject, links)
        from_object = _to_this(placed.pattern.object, links) if from_subject is None else None
        if from_subject is None and from_object is None:
            raise Unsupported("a pattern of the query is not joined to $this")
        path = placed.pattern.path
        for step, before, after in Step(ANY).edges() if isinstance(path, str) else path.edges():
            number += 1
            if number > _MOST_ROUTES:
                raise Unsupported("the query has too many patterns")
            if from_subject is not None:
                back = then(inverse(before) if before else None, from_subject[0])
                yield Route(step.predicate, step.inverted, back)
            elif from_object is not None:
                yield Route(step.predicate, not step.inverted, then(after, from_object[0]))


def _to_this(start: Node, links: Sequence[_Placed]) -> tuple[Path | None] | None:
    """The shortest chain of patterns to ``$this`` (None within: it is ``$this``); None when there is none."""
    if start == "?this":
        return (None,)
    came: dict[Node, Path | None] = {start: None}
    queue: list[Node] = [start] if isinstance(start, str) else []
    for at in queue:
        for link in links:
            pattern, path = link.pattern, link.pattern.path
            if isinstance(path, str):
                continue
            for here, there, way in (
                (pattern.subject, pattern.object, path),
                (pattern.object, pattern.subject, inverse(path)),
            ):
                if here == at and isinstance(there, str) and there not in came:
                    came[there] = then(came[at], way)
                    queue.append(there)
                    if there == "?this":
                        return (came[there],)
    return None


def _by_absence(group: Group) -> bool:
    """Whether a solution may rest on triples that are missing."""
    for element in group.elements:
        match element:
            case Maybe(inner):
                if _by_absence(inner):
                    return True
            case Union(groups):
                if any(map(_by_absence, groups)):
                    return True
            case Filter(expression) | Bind(_, expression):
                if _test_by_absence(expression):
                    return True
    return False


def _test_by_absence(expression: Expression, negated: bool = False) -> bool:
    match expression:
        case Exists(group, is_negated):
            return is_negated or negated or _by_absence(group)
        case Call("BOUND"):
            return negated
        case Call(name, arguments):
            below = negated or name in ("!", "COALESCE", "IF", "=", "!=")
            return any(_test_by_absence(each, below) for each in arguments)
    return False
