"""Evidence from tables: the cells that a fact rests on, and the SELECT that gives them again.

Invariants: every SELECT that is shown was run in the sandbox and gave exactly one row; where it did not, nothing is
shown here, and the triples speak for themselves. Names and values are quoted by the engine's rules, so that no cell can
change a query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from imprimatur.errors import ImprimaturError
from imprimatur.sources.tables.database import PLACES, SPOTS
from imprimatur.sources.tables.library import Tables
from imprimatur.sources.tables.reckoned import Asked, Reckoned, reckoned
from imprimatur.sources.tables.sandbox import quoted
from imprimatur.sources.tables.terms import found

__all__ = ["Rows", "Told"]

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_LONGEST = 300


class Told(NamedTuple):
    """What a row says: its cells in words, the query, where the row stands, and of a document where its cells do."""

    content: str
    query: str
    origin: str
    spots: tuple[tuple[int, int, int], ...] = ()


class Rows:
    """Turns triples of mapped tables back into what was asked of the tables (implements ``shown.Rows``)."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: dict[tuple[str, int, tuple[str, ...]], Told | None] = {}

    def told(self, triples: Iterable[tuple[str, str, str]]) -> tuple[tuple[Told, ...], bool]:
        """The rows that some triples (as IRIs and lexical forms) stand in, and whether that is all of them."""
        wanted: dict[tuple[str, int], dict[str, None]] = {}
        every = True
        for subject, predicate, value in triples:
            of = found(value if predicate == _TYPE else predicate)
            number = self._number(subject, of.relation) if of is not None else None
            if of is None or number is None:
                every = False
                continue
            columns = wanted.setdefault((of.relation, number), {})
            if of.column is not None:
                columns[of.column] = None
        rows = [self.row(relation, number, tuple(columns)) for (relation, number), columns in wanted.items()]
        return tuple(each for each in rows if each is not None), every and None not in rows and bool(rows)

    def reckoned(self, asked: Asked) -> Reckoned | None:
        """A figure over many rows, as one query gives it; None where none gives just that."""
        return reckoned(self._tables, asked)

    def _number(self, subject: str, relation: str) -> int | None:
        """The number of the row of a relation that is a thing; None where there is none, or several."""
        row = found(subject)
        if row is not None:
            return row.row if row.relation == relation else None
        column = self._tables.told().get(relation, {}).get("iris")
        if column is None:
            return None
        query = f"SELECT _rowid_ FROM {quoted(relation)} WHERE {quoted(column)} = ? LIMIT 2"
        rows = self._tables.sandbox().look_up(query, (subject,)).rows
        return int(rows[0][0]) if len(rows) == 1 else None

    def row(self, relation: str, number: int, columns: Iterable[str]) -> Told | None:
        """What some columns of a row say, its number counted from 1; None where it cannot be shown."""
        at = (relation, number, tuple(columns))
        if at not in self._known:
            try:
                self._known[at] = self._look_up(*at)
            except (ImprimaturError, KeyError):
                self._known[at] = None
        return self._known[at]

    def _look_up(self, relation: str, number: int, columns: tuple[str, ...]) -> Told | None:
        about = self._tables.told()[relation]
        title = about["title"]
        names = tuple(dict.fromkeys((*((title,) if title else ()), *columns)))
        names = names or tuple(each["name"] for each in about["columns"][:1])
        sandbox = self._tables.sandbox()
        listed = f"SELECT {', '.join(map(quoted, names))} FROM {quoted(relation)}"
        byrow = sandbox.look_up(f"{listed} WHERE _rowid_ = {number}").rows
        if len(byrow) != 1:
            return None
        query = f"{listed} WHERE {self._which(names, byrow[0], title, number)}"
        if sandbox.look_up(query).rows != byrow:
            query = f"{query} AND _rowid_ = {number}"  # others have that name
            if sandbox.look_up(query).rows != byrow:
                return None
        units = {each["name"]: each["unit"] for each in about["columns"]}
        content = "; ".join(_cells(names, byrow[0], units))
        spots = self._spots(relation, number, names)
        place, file = sandbox.look_up(
            f"SELECT place, origin FROM {quoted(PLACES)} WHERE relation = ? AND number = ?", (relation, number)
        ).rows[0]
        if spots:
            place = _lines([spots[name] for name in columns if name in spots] or [*spots.values()])
        found = tuple(dict.fromkeys(spot for spot in spots.values() if spot[2]))
        origin = f"{file or about['origin']}, {place}"
        return Told(content=f"{relation}: {content}", query=query, origin=origin, spots=found)

    def _spots(self, relation: str, number: int, names: tuple[str, ...]) -> dict[str, tuple[int, int, int]]:
        """Where the cells of a document stand, by column."""
        query = f"SELECT name, line, start, stop FROM {quoted(SPOTS)} WHERE relation = ? AND number = ?"
        found = {name: (line, start, end) for name, line, start, end in self._rows(query, relation, number)}
        return {name: found[name] for name in names if name in found}

    def _rows(self, query: str, *values: Any) -> tuple[tuple[Any, ...], ...]:
        return self._tables.sandbox().look_up(query, values).rows

    @staticmethod
    def _which(names: tuple[str, ...], cells: tuple[Any, ...], title: str | None, number: int) -> str:
        """The condition that finds the row: by its title where it has one."""
        cell = cells[names.index(title)] if title else None
        if not isinstance(cell, str) or "\0" in cell or len(cell) > _LONGEST:
            return f"_rowid_ = {number}"
        return f"{quoted(title or '')} = " + "'" + cell.replace("'", "''") + "'"


def _lines(spots: list[tuple[int, int, int]]) -> str:
    """The lines of some cells in words."""
    numbers = sorted({line for line, _, _ in spots})
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    return f"lines {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _cells(names: tuple[str, ...], cells: tuple[Any, ...], units: dict[str, str | None]) -> Iterator[str]:
    for name, cell in zip(names, cells, strict=True):
        unit = units.get(name)
        shown = "nothing" if cell is None else str(cell)
        stated = f" {unit}" if unit and isinstance(cell, int | float) and unit not in name else ""
        yield f"{name} = {shown[:_LONGEST]}{'…' if len(shown) > _LONGEST else ''}{stated}"
