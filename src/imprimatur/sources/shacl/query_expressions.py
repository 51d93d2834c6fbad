"""Reads the expressions of a SPARQL query (SPARQL 1.1, 19.8: ConstraintS to Aggregate)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NoReturn

from imprimatur.sources.shacl.query_syntax import (
    Aggregate,
    Call,
    Constant,
    Exists,
    Expression,
    Group,
    Variable,
)
from imprimatur.sources.shacl.query_tokens import TokenReader
from imprimatur.sources.shacl.values import Unsupported
from imprimatur.sources.shacl.view import Term, Terms

__all__ = ["DEEPEST", "ExpressionReader"]

DEEPEST = 60
_AGGREGATES = ("COUNT", "SUM", "AVG", "MIN", "MAX")


class ExpressionReader(TokenReader, ABC):
    """Recursive descent over tokens; the names follow SPARQL 1.1's grammar.

    ``given`` are variables that stand for a term; an aggregate is noted in ``_open`` where one is allowed.
    """

    def __init__(self, text: str, terms: Terms, prefixes: Mapping[str, str], given: Mapping[str, Term]) -> None:
        super().__init__(text, terms, prefixes)
        self._depth = 0
        self._given = given
        self._open: list[Aggregate] | None = None

    @abstractmethod
    def _group(self) -> Group:
        """The group of patterns that comes next, for EXISTS."""

    def _variable(self) -> str:
        return "?" + self._next("variable")[1:]

    def _read_variable(self) -> Expression:
        name = self._variable()
        return Constant(self._given[name]) if name in self._given else Variable(name)

    def _expression(self) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unsupported("the query is nested too deeply")
        found = self._left(self._and, "||")
        self._depth -= 1
        return found

    def _and(self) -> Expression:
        return self._left(self._relation, "&&")

    def _left(self, part: Callable[[], Expression], *marks: str) -> Expression:
        found = part()
        while self._is(*marks):
            name = self._next("mark")
            found = Call(name, (found, part()))
        return found

    def _relation(self) -> Expression:
        left = self._sum()
        if self._is("=", "!=", "<", ">", "<=", ">="):
            return Call(self._next("mark"), (left, self._sum()))
        negated = self._take("NOT")
        if negated or self._is("IN"):
            self._need("IN")
            members = Call("IN", (left, *self._arguments()))
            return Call("!", (members,)) if negated else members
        return left

    def _sum(self) -> Expression:
        return self._left(self._product, "+", "-")

    def _product(self) -> Expression:
        return self._left(self._unary, "*", "/")

    def _unary(self) -> Expression:
        if self._take("!"):
            return Call("!", (self._unary(),))
        if self._is("-") and self._tokens[self._at + 1][0] != "number":
            self._need("-")
            return Call("NEGATE", (self._unary(),))
        return self._primary()

    def _primary(self) -> Expression:
        if self._take("("):
            found = self._expression()
            self._need(")")
            return found
        if self._kind() == "variable":
            return self._read_variable()
        negated = self._take("NOT")
        if negated or self._is("EXISTS"):
            self._need("EXISTS")
            return Exists(self._group(), negated)
        if self._kind() == "word" and not self._is("TRUE", "FALSE"):
            return self._called(self._next("word").upper())
        term = self._term()
        if isinstance(term, str) and self._is("("):
            return Call(term, self._arguments())
        return Constant(term)

    def _called(self, name: str) -> Expression:
        if name in ("SAMPLE", "GROUP_CONCAT"):
            raise Unsupported(f"the outcome of {name} depends on the order of solutions")
        return self._aggregate(name) if name in _AGGREGATES else Call(name, self._arguments())

    def _aggregate(self, function: str) -> Expression:
        allowed = self._open
        if allowed is None:
            raise Unsupported(f"the query has {function} where no aggregate may stand")
        self._open = None  # no aggregate of an aggregate
        self._need("(")
        distinct = self._take("DISTINCT")
        argument = None if function == "COUNT" and self._take("*") else self._expression()
        self._need(")")
        self._open = allowed
        if argument is not None and not isinstance(argument, Variable) and (distinct or function == "COUNT"):
            raise Unsupported(f"{function} of distinct or calculated values")
        made = Aggregate(f"?#{len(allowed)}", function, argument, distinct)
        allowed.append(made)
        return Variable(made.name)

    def _arguments(self) -> tuple[Expression, ...]:
        self._need("(")
        found: list[Expression] = []
        while not self._take(")"):
            found.append(self._expression())
            if not self._is(")"):
                self._need(",")
        return tuple(found)

    def _refuse(self, what: str) -> NoReturn:
        raise Unsupported(f"the query has {what}")
