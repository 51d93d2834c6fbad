"""May missing triples be what a query finds? (DESIGN section 3: only what is there refutes a claim.)

A solution may rest on absence through NOT EXISTS and its like, and through aggregates: a count grows with more triples,
so "more than three" stands however many are added, and "fewer than three" does not. In doubt: yes.
"""

from __future__ import annotations

from imprimatur.sources.shacl.query_names import expression_names, pattern_names
from imprimatur.sources.shacl.query_syntax import (
    Bind,
    Call,
    Exists,
    Expression,
    Filter,
    Group,
    Maybe,
    Select,
    Union,
    Variable,
)

__all__ = ["by_absence"]

#: How an aggregate moves as triples are added: up (1), down (-1), either way (0).
_TRENDS = {"COUNT": 1, "MAX": 1, "MIN": -1}
_UP, _DOWN = (">", ">="), ("<", "<=")
_TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
_Trends = dict[str, int]


def by_absence(select: Select) -> bool:
    """Whether a solution of the query may rest on triples that are missing."""
    # Without HAVING, the solution that rdflib gives for no group at all counts as well.
    return (select.keys is not None and not select.having) or _of_select(select, {})


def _of_select(select: Select, trends: _Trends) -> bool:
    """As ``by_absence``; tells in ``trends`` how the selected variables move."""
    inside: _Trends = {}
    if _of_group(select.where, inside) or not inside.keys().isdisjoint(select.keys or ()):
        return True
    if select.grouped:
        inside = {each.name: _trend(each.function, each.argument, inside) for each in select.aggregates}
    if any(_of_test(test, inside) for test in select.having):
        return True
    trends.update({name: inside[name] for name in select.plain if name in inside})
    for name, value in select.computed:
        _follow(name, value, inside, trends)
    return any(_of_test(value, {}) for _, value in select.computed)


def _trend(function: str, argument: Expression | None, inside: _Trends) -> int:
    reads = expression_names(argument) if argument is not None else set()
    return 0 if reads & inside.keys() else _TRENDS.get(function, 0)


def _follow(name: str, value: Expression, inside: _Trends, trends: _Trends) -> None:
    """Notes how a calculated variable moves."""
    if isinstance(value, Variable) and value.name in inside:
        trends[name] = inside[value.name]
    elif expression_names(value) & inside.keys():
        trends[name] = 0


def _of_group(group: Group, trends: _Trends) -> bool:
    tests: list[Expression] = []
    for element in group.elements:
        match element:
            case Maybe(inner):
                if _of_group(inner, trends):
                    return True
            case Union(groups):
                absent = [_of_group(each, trends) for each in groups]  # all of them: each tells trends
                if any(absent):
                    return True
            case Filter(test):
                tests.append(test)
            case Bind(name, value):
                _follow(name, value, trends, trends)
                tests += [] if isinstance(value, Variable) else [Call("!", (Call("!", (value,)),))]
            case Select():
                if _of_select(element, trends):
                    return True
            case _:
                joined = {part for pattern in element for part in pattern_names(pattern)}
                tests += [Variable(name) for name in joined & trends.keys()]
    return any(_of_test(test, trends) for test in tests)


def _of_test(test: Expression, trends: _Trends, negated: bool = False) -> bool:
    match test:
        case Exists(group, is_negated):
            return is_negated or negated or _of_group(group, {})
        case Call("BOUND"):
            return negated or bool(expression_names(test) & trends.keys())
        case Call(name, (left, right)) if name in _TURNED and not negated:
            moved = _moved(left, trends), _moved(right, trends)
            if any(moved):
                return not (_stays(left, name, trends) and not moved[1]) and not (
                    _stays(right, _TURNED[name], trends) and not moved[0]
                )
            return any(_of_test(each, trends) for each in (left, right))
        case Call("&&" | "||", arguments) if not negated:
            return any(_of_test(each, trends) for each in arguments)
        case Call(name, arguments):
            if _moved(test, trends):
                return True
            below = negated or name in ("!", "COALESCE", "IF", "=", "!=")
            return any(_of_test(each, trends, below) for each in arguments)
    return _moved(test, trends)


def _moved(expression: Expression, trends: _Trends) -> bool:
    """Whether the expression reads something that moves as triples are added."""
    return bool(expression_names(expression) & trends.keys())


def _stays(expression: Expression, mark: str, trends: _Trends) -> bool:
    """Whether it is a variable that, once beyond a limit, moves only further beyond it."""
    trend = trends.get(expression.name, 0) if isinstance(expression, Variable) else 0
    return (trend == 1 and mark in _UP) or (trend == -1 and mark in _DOWN)
