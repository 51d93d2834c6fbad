"""Operands of SPARQL expressions: their values, order, equality and arithmetic (SPARQL 1.1, 17.2 to 17.4.1).

Contract: an error is an exception (``NoValue``), never false. When it comes from a comparison, a cast or a calculation
that has no outcome for values that are there, it says so in words, for plain SPARQL would drop the solution and a shape
would seem to hold; an unbound variable is ordinary and says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import cast

from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.shacl.literals import Value, compare, equal, value_of
from imprimatur.sources.shacl.query_syntax import Exists
from imprimatur.sources.shacl.view import Term

__all__ = ["NoValue", "Operand", "Scope", "as_term", "calculated", "equals", "in_order", "is_in", "is_true", "literal"]
__all__ += ["number_in", "rounded", "said"]

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


def is_true(operand: Operand) -> bool:
    """The effective boolean value (SPARQL 1.1, 17.2.2)."""
    if isinstance(operand, bool):
        return operand
    value = literal(operand)
    if value is None or value.kind not in ("boolean", "number", "string", "tagged"):
        raise NoValue(f"{said(operand)} is neither true nor false")
    return bool(value.payload) and value.payload == value.payload


def literal(operand: Operand) -> Value | None:
    """The value of a literal or calculated operand; None for an IRI or blank node."""
    if isinstance(operand, RdfLiteral):
        return value_of(operand)
    if isinstance(operand, str):
        return None
    if isinstance(operand, bool):
        return Value("boolean", operand, RdfLiteral(str(operand).lower(), XSD + "boolean"))
    kind = "integer" if isinstance(operand, Fraction) and operand.denominator == 1 else "decimal"
    return Value("number", operand, RdfLiteral(str(operand), XSD + kind))


def said(operand: Operand) -> str:
    """The operand as people read it."""
    return operand.lexical if isinstance(operand, RdfLiteral) else str(operand)


def equals(left: Operand, right: Operand) -> bool:
    """Whether they are equal by ``=``; raises NoValue when that cannot be known."""
    a, b = literal(left), literal(right)
    if a is None or b is None:
        return left == right if a is b is None else False
    found = equal(a, b)
    if found is None:
        raise NoValue(f"whether {said(left)} equals {said(right)} cannot be known")
    return found


def in_order(left: Operand, right: Operand, allowed: tuple[int, ...]) -> bool:
    """Whether the left one is less (-1), equal (0) or greater (1), as allowed; raises NoValue without an order."""
    a, b = literal(left), literal(right)
    found = compare(a, b) if a is not None and b is not None else None
    if found is None:
        if a is not None and b is not None and a.kind == b.kind == "number":
            return False  # NaN is neither less nor greater
        raise NoValue(f"{said(left)} and {said(right)} have no order")
    return found in allowed


def is_in(left: Operand, *members: Operand) -> bool:
    """Whether it equals a member."""
    errors = []
    for each in members:
        try:
            if equals(left, each):
                return True
        except NoValue as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return False


def number_in(operand: Operand) -> Fraction | float:
    """The number; raises NoValue for anything else."""
    value = literal(operand)
    if value is None or value.kind != "number":
        raise NoValue(f"{said(operand)} is no number")
    return cast("Fraction | float", value.payload)


def calculated(mark: str, left: Operand, right: Operand) -> Fraction | float:
    """The outcome of a calculation; raises NoValue when there is none."""
    a, b = number_in(left), number_in(right)
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
        raise NoValue(f"{said(left)} {mark} {said(right)} has no value") from error


def rounded(operand: Operand, mode: str) -> Fraction | float:
    """ABS, CEIL, FLOOR or ROUND."""
    number = number_in(operand)
    if not isinstance(number, Fraction):
        raise NoValue(f"{said(operand)} cannot be rounded")
    match mode:
        case "ABS":
            return abs(number)
        case "CEIL":
            return Fraction(-((-number.numerator) // number.denominator))
        case "FLOOR":
            return Fraction(number.numerator // number.denominator)
    return Fraction((number + Fraction(1, 2)).__floor__())


def as_term(value: Operand) -> Term:
    """The term of a value; a calculated number is written as an integer where it is one, else as a decimal."""
    if isinstance(value, bool):
        return RdfLiteral(str(value).lower(), XSD + "boolean")
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return RdfLiteral(str(value.numerator), XSD + "integer")
        return RdfLiteral(format(float(value), "f"), XSD + "decimal")
    return RdfLiteral(str(value), XSD + "double") if isinstance(value, float) else value
