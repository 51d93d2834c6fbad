"""Figures over many rows as one SELECT: a number, a share, a sum, a mean, a median.

The engine finds the figure; here a query is made that gives it again. Invariants: a query is shown only when it was run
in the sandbox, picks exactly the rows that the engine counted, and gives the engine's figure (to six places); else
nothing is shown here, and the rows speak for themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from imprimatur.errors import ImprimaturError
from imprimatur.sources.tables.library import Tables
from imprimatur.sources.tables.sandbox import quoted
from imprimatur.sources.tables.terms import found

__all__ = ["Asked", "Reckoned", "reckoned"]

_FEW = 8  # so many cells are named one by one
_LONGEST = 60
_PLACES = 6
_AGGREGATES = {"sum": "sum", "mean": "avg"}
_WORDS = {"sum": "sum", "mean": "mean", "median": "median"}
_MEDIAN = (
    "SELECT round(avg({0}), {3}) FROM (SELECT {0} FROM {1}{2} ORDER BY {0} "
    "LIMIT 2 - (SELECT count({0}) FROM {1}{2}) % 2 OFFSET (SELECT (count({0}) - 1) / 2 FROM {1}{2}))"
)

Triple = tuple[str, str, str]


class Asked(Protocol):
    """What the engine has reckoned: see ``graph.reckoning.Reckoning``, with IRIs in place of numbers."""

    @property
    def figure(self) -> str: ...

    @property
    def value(self) -> Fraction: ...

    @property
    def of(self) -> Sequence[str]: ...

    @property
    def counted(self) -> Sequence[str]: ...

    @property
    def base(self) -> Sequence[Triple]: ...

    @property
    def triples(self) -> Sequence[Triple]: ...

    @property
    def property(self) -> str | None: ...


class Reckoned(NamedTuple):
    """A figure in words, the query that gives it, and the file."""

    content: str
    query: str
    origin: str
    spots: tuple[tuple[int, int, int], ...] = ()


class _Where(NamedTuple):
    """A condition that picks some rows; both parts are empty where it picks all of them."""

    sql: str
    words: str

    def after(self, keyword: str) -> str:
        return f" {keyword} {self.sql}" if self.sql else ""


def reckoned(tables: Tables, asked: Asked) -> Reckoned | None:
    """The figure as a query gives it; None where the rows are not of one table, or no query gives just that."""
    try:
        return _Query(tables, asked).told()
    except (ImprimaturError, KeyError, _NoQuery):
        return None


class _NoQuery(Exception):
    """No query gives the figure."""


class _Query:
    """A figure on its way to a query."""

    def __init__(self, tables: Tables, asked: Asked) -> None:
        self.sandbox, self.asked = tables.sandbox(), asked
        terms = [found(iri) for iri in asked.of]
        self.relation = terms[0].relation if terms and terms[0] is not None else ""
        if not terms or any(t is None or t.row is None or t.relation != self.relation for t in terms):
            raise _NoQuery
        self.about: Mapping[str, Any] = tables.told()[self.relation]
        self.of = self._rows(asked.of)
        self.counted = self._rows(asked.counted)

    def _rows(self, iris: Iterable[str]) -> frozenset[int]:
        rows = [t.row for iri in iris if (t := found(iri)) is not None and t.row is not None]
        return frozenset(rows)

    def told(self) -> Reckoned:
        """The figure, with the condition under which rows count."""
        match self.asked.figure:
            case "count":
                return self._count()
            case "share":
                return self._share()
            case _:
                return self._pooled()

    def _count(self) -> Reckoned:
        where = self._where(self.counted, self.asked.triples, among=None)
        query = f"SELECT count(*) FROM {quoted(self.relation)}{where.after('WHERE')}"
        self._gives(query, (int(self.asked.value),))
        return self._made(f"{int(self.asked.value)} {'rows' if self.asked.value != 1 else 'row'}", where, query)

    def _share(self) -> Reckoned:
        base = self._where(self.of, self.asked.base, among=None)
        such = self._where(self.counted, self.asked.triples, among=self.of)
        case = f"CASE WHEN {such.sql} THEN 1 END" if such.sql else "*"
        query = f"SELECT count({case}), count(*) FROM {quoted(self.relation)}{base.after('WHERE')}"
        number, total = int(self.asked.value), len(self.of)
        self._gives(query, (number, total))
        return self._made(f"{number} of {total} rows", such, query, of=base)

    def _pooled(self) -> Reckoned:
        term = found(self.asked.property or "")
        if term is None or term.column is None or term.relation != self.relation:
            raise _NoQuery
        where = self._where(self.of, self.asked.base, among=None)
        column, table = quoted(term.column), quoted(self.relation)
        known = f"SELECT count({column}) FROM {table}{where.after('WHERE')}"
        self._gives(known, (len(self.of),))
        if self.asked.figure == "median":
            query = _MEDIAN.format(column, table, where.after("WHERE"), _PLACES)
        else:
            figure = f"round({_AGGREGATES[self.asked.figure]}({column}), {_PLACES})"
            query = f"SELECT {figure} FROM {table}{where.after('WHERE')}"
        ((value,),) = self.sandbox.look_up(query).rows
        if not isinstance(value, int | float) or not _same(value, self.asked.value):
            raise _NoQuery
        unit = next((each["unit"] for each in self.about["columns"] if each["name"] == term.column), None)
        shown = f"{value} {unit}" if unit and unit not in term.column else f"{value}"
        rows = f"{len(self.of)} rows"
        return self._made(f"{_WORDS[self.asked.figure]} of {term.column} = {shown}, {rows}", where, query)

    def _made(self, figure: str, where: _Where, query: str, *, of: _Where | None = None) -> Reckoned:
        words = f" with {where.words}" if where.words else ""
        base = f" among those with {of.words}" if of is not None and of.words else ""
        return Reckoned(f"{self.relation}: {figure}{words}{base}", query, self.about["origin"])

    def _gives(self, query: str, row: tuple[int, ...]) -> None:
        if self.sandbox.look_up(query).rows != (row,):
            raise _NoQuery

    # -- which rows ---------------------------------------------------------------------------------------------------
    def _where(self, rows: frozenset[int], triples: Sequence[Triple], *, among: frozenset[int] | None) -> _Where:
        """A condition that just these rows fulfil, of all or ``among`` some, by the cells that the triples stand in."""
        everything = among if among is not None else frozenset(range(1, int(self.about["rows"]) + 1))
        if rows == everything:
            return _Where("", "")
        columns = self._columns(rows, triples)
        parts = [self._picked(rows, everything, column) for column in columns]
        made = _Where(" AND ".join(p.sql for p in parts), " and ".join(p.words for p in parts))
        if not parts or self._picks(made.sql, everything) != rows:
            raise _NoQuery
        return made

    def _columns(self, rows: frozenset[int], triples: Sequence[Triple]) -> tuple[str, ...]:
        """The columns of the table that make the rows count."""
        told: dict[str, None] = {}
        for subject, predicate, _ in triples:
            thing, of = found(subject), found(predicate)
            own = thing is not None and thing.relation == self.relation and thing.row in rows
            if own and of is not None and of.column is not None and of.relation == self.relation:
                told[of.column] = None
        return tuple(told)

    def _picked(self, rows: frozenset[int], everything: frozenset[int], column: str) -> _Where:
        """The cells of a column that these rows have: named, or as a range of numbers."""
        name = quoted(column)
        every = self.sandbox.look_up(f"SELECT _rowid_, {name} FROM {quoted(self.relation)}").rows
        cells = {cell for number, cell in every if number in rows}
        others = {cell for number, cell in every if number in everything and number not in rows} - {None}
        if None in cells or not cells:
            raise _NoQuery
        if all(isinstance(cell, int | float) for cell in cells) and len(cells) > 1:
            low, high = min(cells), max(cells)
            numbers = [cell for cell in others if isinstance(cell, int | float)]
            if len(numbers) == len(others) and all(cell < low for cell in numbers):
                return _Where(f"{name} >= {low!r}", f"{column} from {low} up")
            if len(numbers) == len(others) and all(cell > high for cell in numbers):
                return _Where(f"{name} <= {high!r}", f"{column} up to {high}")
            if len(cells) > _FEW:
                return _Where(f"{name} BETWEEN {low!r} AND {high!r}", f"{column} from {low} to {high}")
        if len(cells) > _FEW or any(isinstance(c, str) and (len(c) > _LONGEST or "\0" in c) for c in cells):
            raise _NoQuery
        listed = sorted(cells, key=lambda cell: (isinstance(cell, str), cell))
        literals = [_literal(cell) for cell in listed]
        sql = f"{name} = {literals[0]}" if len(literals) == 1 else f"{name} IN ({', '.join(literals)})"
        return _Where(sql, f"{column} = {' or '.join(map(str, listed))}")

    def _picks(self, sql: str, everything: frozenset[int]) -> frozenset[int]:
        picked = self.sandbox.look_up(f"SELECT _rowid_ FROM {quoted(self.relation)} WHERE {sql}").rows
        return frozenset(number for (number,) in picked) & everything


def _same(value: float, figure: Fraction) -> bool:
    """Whether a number is the figure to six places, as far as binary fractions hold them."""
    off = abs(Fraction(value) - figure)
    return off <= Fraction(1, 2 * 10**_PLACES) + abs(figure) / 10**12


def _literal(cell: Any) -> str:
    return "'" + cell.replace("'", "''") + "'" if isinstance(cell, str) else repr(cell)
