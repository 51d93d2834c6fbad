"""Statements that put rows in order: comparisons of two, and what has the most or least of a column.

Invariants: only one graded word; the column that it grades is named, or there is only one column of numbers; a cell
that is empty is compared with nothing; ties are ties: what shares the first place has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from imprimatur.language import degree
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.rows import common
from imprimatur.sources.tables.prose.statement import Statement
from imprimatur.sources.tables.prose.tokens import number_of

__all__ = ["of_comparison", "of_superlative", "upwards"]

_MANY = {"much": True, "little": False, "few": False}
_REACH = 5


def upwards(adjective: str | None) -> bool | None:
    """Whether an adjective says more (True) or less of an amount; None where it says neither."""
    if adjective is None:
        return None
    return _MANY.get(adjective, degree.AMOUNTS.get(adjective))


def _graded_column(statement: Statement, at: int) -> int | None:
    """The column of numbers that a graded word at a token is about."""
    numeric = [column for column, is_numeric in enumerate(statement.index.numeric) if is_numeric]
    named = [each for each in statement.named if each.column in numeric]
    near = sorted(named, key=lambda each: (not each.whole, min(abs(each.start - at), abs(each.end - 1 - at))))
    if near and (near[0].whole or len({each.column for each in near}) == 1):
        same = {each.column for each in near if (each.start, each.whole) == (near[0].start, near[0].whole)}
        return near[0].column if len(same) == 1 else None
    return None


def of_comparison(statement: Statement) -> Outcome | None:
    """ "X has more points than Y": one cell of a column beside another."""
    tokens = statement.tokens
    graded = [(n, up) for n in statement.turning if (up := upwards(degree.comparative(tokens[n].lower))) is not None]
    than = [n for n, token in enumerate(tokens) if token.lower == "than"]
    if len(graded) != 1 or len(than) != 1 or not graded[0][0] < than[0] <= graded[0][0] + _REACH:
        return None
    at, up = graded[0]
    column = _graded_column(statement, at)
    before = [link for link in statement.links if link.end <= than[0] and column not in link.columns]
    after = [link for link in statement.links if link.start > than[0] and column not in link.columns]
    if column is None or not before or not after or len(statement.links) != len(before) + len(after):
        return None
    rows = common(before), common(after)
    if any(len(each) != 1 for each in rows) or rows[0] == rows[1] or _by_how_much(statement, at):
        return None
    first, second = (next(iter(each)) for each in rows)
    values = statement.index.number(first, column), statement.index.number(second, column)
    if values[0] is None or values[1] is None:
        return None
    holds = values[0] > values[1] if up else values[0] < values[1]
    over = statement.words(
        tuple(n for n in (*statement.over, *statement.turning) if n != at and tokens[n].lower != "than")
    )
    return Outcome(holds=holds, form="comparison", rows=(first, second), columns=(column,), over=over)


def _by_how_much(statement: Statement, at: int) -> bool:
    """Whether a number says by how much, which is another statement."""
    before = statement.tokens[max(at - 3, 0) : at]
    return any(
        number_of(token) is not None and n + max(at - 3, 0) not in statement.linked for n, token in enumerate(before)
    )


def of_superlative(statement: Statement) -> Outcome | None:
    """ "X has the most points", "the highest attendance is 9,000", "of those from Y, X has the fewest goals"."""
    tokens = statement.tokens
    graded = [(n, up) for n in statement.turning if (up := upwards(degree.superlative(tokens[n].lower))) is not None]
    if len(graded) != 1:
        return None
    at, up = graded[0]
    column = _graded_column(statement, at)
    if column is None or (at and tokens[at - 1].lower == "at"):
        return None
    said = [link for link in statement.links if column in link.columns and len(link.columns) == 1]
    others = [link for link in statement.links if column not in link.columns]
    free = [
        number
        for n, token in enumerate(tokens)
        if n not in statement.linked and (number := number_of(token)) is not None
    ]
    if len(said) + len(others) != len(statement.links) or len(said) + len(free) > 1:
        return None
    among = [link for link in others if len(link.rows) > 1 and not said]
    subjects = [link for link in others if link not in among]
    if not subjects and not said and not free:
        return None
    best, rows = _first(statement, column, common(among) if among else None, up=up)
    holds = bool(rows) and all(link.rows & rows for link in (*subjects, *said)) and all(each == best for each in free)
    over = statement.words(tuple(n for n in (*statement.over, *statement.turning) if n != at))
    if over and not holds and among:
        return None
    right = _cell(statement, rows, column) if said or free else None
    return Outcome(holds=holds, form="superlative", rows=tuple(sorted(rows)), columns=(column,), over=over, right=right)


def _first(
    statement: Statement, column: int, among: Iterable[int] | None, *, up: bool
) -> tuple[Fraction | None, frozenset[int]]:
    """The greatest (or least) number of a column, and the rows that have it."""
    rows = range(len(statement.index.relation.rows)) if among is None else among
    numbers = {row: number for row in rows if (number := statement.index.number(row, column)) is not None}
    if not numbers:
        return None, frozenset()
    best = max(numbers.values()) if up else min(numbers.values())
    return best, frozenset(row for row, number in numbers.items() if number == best)


def _cell(statement: Statement, rows: Iterable[int], column: int) -> str | None:
    return next((statement.index.relation.rows[row].cells[column] for row in rows), None)
