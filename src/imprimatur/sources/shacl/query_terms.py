"""Expressions of SPARQL queries, evaluated over terms (SPARQL 1.1, 17).

Contract: an error is an exception (``NoValue``), never false. When it comes from a comparison, a cast or a calculation
that has no outcome for values that are there, it says so in words, for plain SPARQL would drop the solution and a shape
would seem to hold; an unbound variable is ordinary and says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import cast

from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.shacl.literals import Value, compare, equal, value_of
from imprimatur.sources.shacl.patterns import SafePattern
from imprimatur.sources.shacl.query_syntax import Call, Constant, Exists, Expression, Variable
from imprimatur.sources.shacl.view import Term

__all__ = ["KNOWN", "NoValue", "Operand", "Scope", "evaluate", "is_true"]

#: What an expression gives: a term, or a number or truth value that was calculated.
Operand = Term | Fraction | float | bool


class NoValue(Exception):
    """An error in SPARQL's sense. ``str`` of it is empty, or says in words what had no outcome."""


class Scope:
    """What an expression may ask for: the variables, EXISTS, and leave to go on."""

    __slots__ = ("exists", "lookup", "tick")

    def __init__(
        self, lookup: Callable[[str], Term | None], exists: Callable[[Exists], bool], tick: Callable[[], None]
    ) -> None:
        self.lookup, self.exists, self.tick = lookup, exists, tick


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
            return KNOWN[name](scope, *(evaluate(each, scope) for each in arguments))


def is_true(operand: Operand) -> bool:
    """The effective boolean value (SPARQL 1.1, 17.2.2)."""
    if isinstance(operand, bool):
        return operand
    value = _value(operand)
    if value is None or value.kind not in ("boolean", "number", "string", "tagged"):
        raise NoValue(f"{_said(operand)} is neither true nor false")
    return bool(value.payload) and value.payload == value.payload


def _value(operand: Operand) -> Value | None:
    """The value of a literal or calculated operand; None for an IRI or blank node."""
    if isinstance(operand, RdfLiteral):
        return value_of(operand)
    if isinstance(operand, str):
        return None
    if isinstance(operand, bool):
        return Value("boolean", operand, RdfLiteral(str(operand).lower(), XSD + "boolean"))
    kind = "integer" if isinstance(operand, Fraction) and operand.denominator == 1 else "decimal"
    return Value("number", operand, RdfLiteral(str(operand), XSD + kind))


def _said(operand: Operand) -> str:
    return operand.lexical if isinstance(operand, RdfLiteral) else str(operand)


# Logic


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
    return isinstance(variable, Variable) and scope.lookup(variable.name) is not None


_LAZY: Mapping[str, Callable[[tuple[Expression, ...], Scope], Operand]] = {
    "||": lambda arguments, scope: _logic(arguments, scope, True),
    "&&": lambda arguments, scope: _logic(arguments, scope, False),
    "COALESCE": _coalesce,
    "IF": _if,
    "BOUND": _bound,
}


# Comparison


def _equal(left: Operand, right: Operand) -> bool:
    a, b = _value(left), _value(right)
    if a is None or b is None:
        return left == right if a is b is None else False
    found = equal(a, b)
    if found is None:
        raise NoValue(f"whether {_said(left)} equals {_said(right)} cannot be known")
    return found


def _ordered(left: Operand, right: Operand, allowed: tuple[int, ...]) -> bool:
    a, b = _value(left), _value(right)
    found = compare(a, b) if a is not None and b is not None else None
    if found is None:
        if a is not None and b is not None and a.kind == b.kind == "number":
            return False  # NaN is neither less nor greater
        raise NoValue(f"{_said(left)} and {_said(right)} have no order")
    return found in allowed


def _in(left: Operand, *members: Operand) -> bool:
    errors = []
    for each in members:
        try:
            if _equal(left, each):
                return True
        except NoValue as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return False


# Calculation


def _number(operand: Operand) -> Fraction | float:
    value = _value(operand)
    if value is None or value.kind != "number":
        raise NoValue(f"{_said(operand)} is no number")
    return cast("Fraction | float", value.payload)


def _calculated(mark: str, left: Operand, right: Operand) -> Fraction | float:
    a, b = _number(left), _number(right)
    try:
        match mark:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
        return a / b
    except (ZeroDivisionError, OverflowError) as error:
        raise NoValue(f"{_said(left)} {mark} {_said(right)} has no value") from error


def _rounded(operand: Operand, mode: str) -> Fraction | float:
    number = _number(operand)
    if not isinstance(number, Fraction):
        raise NoValue(f"{_said(operand)} cannot be rounded")
    match mode:
        case "ABS":
            return abs(number)
        case "CEIL":
            return Fraction(-((-number.numerator) // number.denominator))
        case "FLOOR":
            return Fraction(number.numerator // number.denominator)
    return Fraction((number + Fraction(1, 2)).__floor__())


# Text


def _text(operand: Operand) -> str:
    if isinstance(operand, RdfLiteral) and (operand.lang or operand.datatype == XSD + "string"):
        return operand.lexical
    raise NoValue(f"{_said(operand)} is no text")


def _alike(text: str, like: Operand) -> RdfLiteral:
    return RdfLiteral(text, like.datatype, like.lang) if isinstance(like, RdfLiteral) else RdfLiteral(text)


def _str(operand: Operand) -> RdfLiteral:
    if isinstance(operand, RdfLiteral):
        return RdfLiteral(operand.lexical)
    if isinstance(operand, bool):
        return RdfLiteral(str(operand).lower())
    if isinstance(operand, str):
        if operand.startswith("_:"):
            raise NoValue
        return RdfLiteral(operand)
    if isinstance(operand, Fraction) and operand.denominator == 1:
        return RdfLiteral(str(operand.numerator))
    raise NoValue(f"{operand} has no one way to be written")


_NONE = RdfLiteral("")


@lru_cache(maxsize=256)
def _expression(pattern: str, flags: str) -> SafePattern:
    try:
        return SafePattern.of(pattern, flags)
    except re.error as error:
        raise NoValue(f"{pattern[:80]!r} is no regular expression: {error}") from error


def _regex(scope: Scope, text: Operand, pattern: Operand, flags: Operand = _NONE) -> bool:
    return _expression(_text(pattern), _text(flags)).found_in(_text(text), scope.tick)


def _replace(_: Scope, text: Operand, pattern: Operand, by: Operand, flags: Operand = _NONE) -> RdfLiteral:
    try:
        return _alike(_expression(_text(pattern), _text(flags)).replaced_in(_text(text), _text(by)), text)
    except (re.error, IndexError) as error:
        raise NoValue(f"{_text(by)[:80]!r} cannot replace anything: {error}") from error


def _lang_matches(_: Scope, tag: Operand, wanted: Operand) -> bool:
    have, want = _text(tag).lower(), _text(wanted).lower()
    return bool(have) if want == "*" else have == want or have.startswith(want + "-")


def _lang(_: Scope, operand: Operand) -> RdfLiteral:
    if isinstance(operand, RdfLiteral):
        return RdfLiteral(operand.lang)
    raise NoValue


def _datatype(_: Scope, operand: Operand) -> str:
    value = _value(operand)
    if value is None:
        raise NoValue
    return value.literal.datatype


# Casts (SPARQL 1.1, 17.5)


def _cast(operand: Operand, local: str) -> Operand:
    text = _str(operand).lexical if not isinstance(operand, float) else str(operand)
    if local == "string":
        return RdfLiteral(text)
    value = _value(operand)
    if local == "integer" and value is not None and isinstance(value.payload, Fraction | bool):
        return Fraction(int(value.payload))
    if local == "boolean" and value is not None and value.kind == "number":
        return bool(value.payload)
    if value is not None and value.kind == "boolean" and local != "boolean":
        return Fraction(int(bool(value.payload)))
    found = value_of(RdfLiteral(text.strip(), XSD + local))
    if found.kind == "other" or isinstance(operand, str):
        raise NoValue(f"{_said(operand)} cannot be read as xsd:{local}")
    return found.literal


def _kind_is(kind: str) -> Callable[..., bool]:
    def test(_: Scope, operand: Operand) -> bool:
        is_text = isinstance(operand, str)
        match kind:
            case "iri":
                return isinstance(operand, str) and not operand.startswith("_:")
            case "blank":
                return isinstance(operand, str) and operand.startswith("_:")
            case "literal":
                return not is_text
        value = _value(operand)
        return value is not None and value.kind == "number"

    return test


#: Operators and functions by name; each takes the scope and its operands.
KNOWN: dict[str, Callable[..., Operand]] = {
    "!": lambda _, a: not is_true(a),
    "=": lambda _, a, b: _equal(a, b),
    "!=": lambda _, a, b: not _equal(a, b),
    "<": lambda _, a, b: _ordered(a, b, (-1,)),
    "<=": lambda _, a, b: _ordered(a, b, (-1, 0)),
    ">": lambda _, a, b: _ordered(a, b, (1,)),
    ">=": lambda _, a, b: _ordered(a, b, (0, 1)),
    "IN": lambda _, a, *members: _in(a, *members),
    "+": lambda _, a, b: _calculated("+", a, b),
    "-": lambda _, a, b: _calculated("-", a, b),
    "*": lambda _, a, b: _calculated("*", a, b),
    "/": lambda _, a, b: _calculated("/", a, b),
    "NEGATE": lambda _, a: -_number(a),
    "ABS": lambda _, a: _rounded(a, "ABS"),
    "CEIL": lambda _, a: _rounded(a, "CEIL"),
    "FLOOR": lambda _, a: _rounded(a, "FLOOR"),
    "ROUND": lambda _, a: _rounded(a, "ROUND"),
    "STR": lambda _, a: _str(a),
    "STRLEN": lambda _, a: Fraction(len(_text(a))),
    "CONTAINS": lambda _, a, b: _text(b) in _text(a),
    "STRSTARTS": lambda _, a, b: _text(a).startswith(_text(b)),
    "STRENDS": lambda _, a, b: _text(a).endswith(_text(b)),
    "LCASE": lambda _, a: _alike(_text(a).lower(), a),
    "UCASE": lambda _, a: _alike(_text(a).upper(), a),
    "REGEX": _regex,
    "REPLACE": _replace,
    "LANG": _lang,
    "LANGMATCHES": _lang_matches,
    "DATATYPE": _datatype,
    "SAMETERM": lambda _, a, b: a == b,
    "ISIRI": _kind_is("iri"),
    "ISURI": _kind_is("iri"),
    "ISBLANK": _kind_is("blank"),
    "ISLITERAL": _kind_is("literal"),
    "ISNUMERIC": _kind_is("number"),
    **{
        XSD + local: (lambda _, a, local=local: _cast(a, local))
        for local in ("integer", "decimal", "double", "float", "string", "boolean", "dateTime", "date")
    },
    **dict.fromkeys(_LAZY, lambda *_: False),
}
