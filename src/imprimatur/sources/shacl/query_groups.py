"""Aggregates over the solutions of a group (SPARQL 1.1, 18.5.1).

Contract: an aggregate over a value that it cannot take has no outcome (``NoValue``) and says so; nothing is left out
silently but unbound variables. Sums and averages are written as rdflib writes them: in the widest datatype of what was
added, in decimals of 28 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from imprimatur.sources.graph.terms import INTEGER_TYPES, XSD, RdfLiteral
from imprimatur.sources.shacl.literals import compare, value_of
from imprimatur.sources.shacl.query_syntax import Aggregate, Expression, Variable
from imprimatur.sources.shacl.query_values import NoValue, Operand, as_term
from imprimatur.sources.shacl.view import Term

__all__ = ["Tally", "row_key"]

_INTEGER, _DECIMAL, _FLOAT, _DOUBLE = (XSD + name for name in ("integer", "decimal", "float", "double"))
#: Numeric datatypes, each wider than the ones before it.
_WIDTHS = (_INTEGER, _DECIMAL, _FLOAT, _DOUBLE)

_Evaluate = Callable[[Expression, dict[str, int]], Operand]


def row_key(row: Mapping[str, int]) -> frozenset[tuple[str, int]]:
    """Equal for equal solutions."""
    return frozenset(row.items())


@dataclass(slots=True)
class Tally:
    """What was seen of one group, for each aggregate: how many values, and the values themselves where they matter."""

    aggregates: tuple[Aggregate, ...]
    counts: dict[str, int] = field(default_factory=dict)
    values: dict[str, list[Term | int]] = field(default_factory=dict)
    seen: dict[str, set[object]] = field(default_factory=dict)
    failed: dict[str, NoValue] = field(default_factory=dict)

    @classmethod
    def of(cls, aggregates: tuple[Aggregate, ...]) -> Tally:
        """The tally of a group without solutions."""
        return cls(aggregates)

    def add(self, row: dict[str, int], evaluate: _Evaluate) -> None:
        """Adds a solution."""
        for each in self.aggregates:
            value = self._value(each, row, evaluate)
            if value is None:
                continue
            if each.distinct:
                seen = self.seen.setdefault(each.name, set())
                if value in seen:
                    continue
                seen.add(value)
            if each.function == "COUNT":
                self.counts[each.name] = self.counts.get(each.name, 0) + 1
            elif isinstance(value, str | int | RdfLiteral):
                self.values.setdefault(each.name, []).append(value)

    def _value(self, each: Aggregate, row: dict[str, int], evaluate: _Evaluate) -> object:
        """The value that counts: an identifier, a calculated term, or the whole solution; None for none."""
        if each.argument is None:
            return row_key(row)
        if isinstance(each.argument, Variable):
            return row.get(each.argument.name)
        try:
            return as_term(evaluate(each.argument, row))
        except NoValue as error:
            self.failed.setdefault(each.name, NoValue(str(error) or f"what {each.function} is to take has no value"))
            return None

    def outcome(self, each: Aggregate, term: Callable[[int], Term]) -> RdfLiteral:
        """The outcome of an aggregate; ``term`` gives the terms of identifiers.

        Raises:
            NoValue: it has none.
        """
        if each.name in self.failed:
            raise self.failed[each.name]
        if each.function == "COUNT":
            return RdfLiteral(str(self.counts.get(each.name, 0)), _INTEGER)
        taken = [term(value) if isinstance(value, int) else value for value in self.values.get(each.name, ())]
        literals = [value for value in taken if isinstance(value, RdfLiteral)]
        if len(literals) < len(taken):
            raise NoValue(f"{each.function} takes what is no literal")
        match each.function:
            case "SUM":
                return _sum(literals)
            case "AVG":
                return _average(literals)
        return _extreme(literals, wanted=1 if each.function == "MAX" else -1)


def _number(literal: RdfLiteral) -> int | Decimal | float:
    if value_of(literal).kind != "number":
        raise NoValue(f"{literal.lexical} is no number to add")
    if literal.datatype in (_FLOAT, _DOUBLE):
        return float(literal.lexical)
    return int(literal.lexical) if literal.datatype in INTEGER_TYPES else Decimal(literal.lexical.strip())


def _datatype(literals: Iterable[RdfLiteral]) -> str:
    """The widest datatype of several numbers; that of a single one as it is."""
    kinds = list(dict.fromkeys(each.datatype for each in literals))
    if len(kinds) == 1:
        return kinds[0]
    return max((_INTEGER if kind in INTEGER_TYPES else kind for kind in kinds), key=_WIDTHS.index)


def _total(literals: list[RdfLiteral]) -> int | Decimal | float:
    numbers = [_number(each) for each in literals]
    if any(isinstance(each, float) for each in numbers):
        return sum(map(float, numbers))
    return sum(each for each in numbers if not isinstance(each, float))


def _sum(literals: list[RdfLiteral]) -> RdfLiteral:
    if not literals:
        return RdfLiteral("0", _INTEGER)
    try:
        total = _total(literals)
    except InvalidOperation as error:
        raise NoValue("the sum has no value") from error
    datatype = _datatype(literals)
    if len(literals) > 1 and datatype in INTEGER_TYPES:
        datatype = _INTEGER
    return RdfLiteral(f"{total:f}" if isinstance(total, Decimal) else str(total), datatype)


def _average(literals: list[RdfLiteral]) -> RdfLiteral:
    if not literals:
        return RdfLiteral("0", _INTEGER)
    try:
        total = _total(literals)
        if isinstance(total, float):
            return RdfLiteral(str(total / len(literals)), _DOUBLE)
        return RdfLiteral(f"{Decimal(total) / Decimal(len(literals)):f}", _DECIMAL)
    except (InvalidOperation, OverflowError) as error:
        raise NoValue("the average has no value") from error


def _extreme(literals: list[RdfLiteral], *, wanted: int) -> RdfLiteral:
    """The greatest (1) or least (-1) literal; of equal ones the one whose text comes first."""
    if not literals:
        raise NoValue
    found = literals[0]
    for each in literals[1:]:
        order = compare(value_of(each), value_of(found))
        if order is None:
            raise NoValue(f"{each.lexical} and {found.lexical} have no order")
        if order == wanted or (order == 0 and (each.lexical, each.datatype) < (found.lexical, found.datatype)):
            found = each
    return found
