"""Expressions of SPARQL queries, evaluated over terms (SPARQL 1.1, 17)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature

from imprimatur.sources.shacl.query_functions import FUNCTIONS
from imprimatur.sources.shacl.query_syntax import Call, Constant, Exists, Expression, Variable
from imprimatur.sources.shacl.query_values import NoValue, Operand, Scope, is_true

__all__ = ["evaluate", "is_callable"]


def evaluate(expression: Expression, scope: Scope) -> Operand:
    """The value of the expression.

    Raises:
        NoValue: it has none.
    """
    match expression:
        case Variable(name):
            found = scope.lookup(name)
            if found is None:
                raise NoValue
            return found
        case Constant(term):
            return term
        case Exists():
            return scope.exists(expression)
        case Call(name, arguments):
            lazy = _LAZY.get(name)
            if lazy is not None:
                return lazy(arguments, scope)
            return FUNCTIONS[name](scope, *(evaluate(each, scope) for each in arguments))


def _tried(expression: Expression, scope: Scope) -> bool | NoValue:
    try:
        return is_true(evaluate(expression, scope))
    except NoValue as error:
        return error


def _logic(arguments: tuple[Expression, ...], scope: Scope, decisive: bool) -> bool:
    """``||`` (decided by true) or ``&&`` (by false): an error on one side does not matter when the other decides."""
    left = _tried(arguments[0], scope)
    if left is decisive:
        return decisive
    right = _tried(arguments[1], scope)
    if right is decisive:
        return decisive
    for side in (left, right):
        if isinstance(side, NoValue):
            raise side
    return not decisive


def _coalesce(arguments: tuple[Expression, ...], scope: Scope) -> Operand:
    for each in arguments:
        try:
            return evaluate(each, scope)
        except NoValue:
            continue
    raise NoValue


def _if(arguments: tuple[Expression, ...], scope: Scope) -> Operand:
    test, yes, no = arguments
    return evaluate(yes if is_true(evaluate(test, scope)) else no, scope)


def _bound(arguments: tuple[Expression, ...], scope: Scope) -> bool:
    (variable,) = arguments
    # A constant stands where a variable was that is bound beforehand.
    return isinstance(variable, Constant) or (
        isinstance(variable, Variable) and scope.lookup(variable.name) is not None
    )


_LAZY: Mapping[str, Callable[[tuple[Expression, ...], Scope], Operand]] = {
    "||": lambda arguments, scope: _logic(arguments, scope, True),
    "&&": lambda arguments, scope: _logic(arguments, scope, False),
    "COALESCE": _coalesce,
    "IF": _if,
    "BOUND": _bound,
}
#: How many arguments those take that take any number, or that are not evaluated beforehand.
_COUNTS = {"||": (2, 2), "&&": (2, 2), "COALESCE": (0, 99), "IF": (3, 3), "BOUND": (1, 1)}
_COUNTS |= {"IN": (1, 999), "CONCAT": (0, 99)}


def is_callable(name: str, arguments: int) -> bool:
    """Whether there is such an operator or function with so many arguments."""
    if name in _COUNTS:
        low, high = _COUNTS[name]
        return low <= arguments <= high
    if name not in FUNCTIONS:
        return False
    try:
        signature(FUNCTIONS[name]).bind(None, *range(arguments))
    except TypeError:
        return False
    return True
