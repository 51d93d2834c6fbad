"""A database that a model fills, in which every row knows the words of the reference that it was made of.

Each INSERT comes with a quotation. It counts where the quotation stands in a text that was given, and holds every
number of the rows; such rows are *grounded*. Two sandboxes are kept: one with everything, by which the model sees what
exists, and one with grounded rows alone, which is all that a claim can be verified by. Invariants: nothing is deleted
or replaced; a row that says what another says is not used; a statement that fails changes neither; two entity ids that
are said to be one are an entry of ``aliases`` and no change of any row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

from imprimatur.sources.tables.sandbox import Found, Sandbox, quoted
from imprimatur.sources.tables.sql_steps import SqlFailed, SqlLimits, SqlRefused, Step
from imprimatur.teqhallu.found import Shown, Span
from imprimatur.teqhallu.lineage import compared, entered, inserts_into, is_key, measuring, traced
from imprimatur.teqhallu.spans import located, numbers_of, unheld

__all__ = ["ENTITY", "Database", "cells_of"]

#: The column with the id of what a row is about.
ENTITY = "entity_id"
_LIMITS = SqlLimits(seconds=2.0, rows=5000, characters=400_000, pages=5000)
_ROW_IDS = ("rowid", "oid", "_rowid_")
_MOST_SHOWN = 30
_MOST_SPANS = 200
_MOST_ALIASES = 500


class Database:
    """What a model made of some texts; use it as a context manager, or ``close`` it."""

    def __init__(self, limits: SqlLimits = _LIMITS) -> None:
        self.texts: list[str] = []
        self.aliases: dict[str, str] = {}
        self.failed: list[str] = []
        self.unmarked = 0
        self.repeated = 0
        self._everything = Sandbox(limits)
        self._grounded = Sandbox(limits)
        self._sources: dict[tuple[str, int], Span] = {}

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Forgets everything."""
        self._everything.close()
        self._grounded.close()

    # -- what is there -------------------------------------------------------------------------------------------------
    @property
    def rows(self) -> int:
        """How many grounded rows there are."""
        return len(self._sources)

    @property
    def spans(self) -> frozenset[Span]:
        """The words that left a row."""
        return frozenset(self._sources.values())

    def tables(self) -> dict[str, tuple[str, ...]]:
        """The columns of each table."""
        return self._everything.tables()

    def entities(self) -> tuple[str, ...]:
        """The ids of what grounded rows are about, sorted."""
        found: set[str] = set()
        for table, columns in self._grounded.tables().items():
            if ENTITY in (column.lower() for column in columns):
                sql = f"SELECT DISTINCT {ENTITY} FROM {quoted(table)} WHERE {ENTITY} IS NOT NULL"
                found.update(str(cell) for (cell,) in self._grounded.run(sql, Step.QUERY).rows)
        return tuple(sorted(found))

    def look(self, sql: str, step: Step) -> Found:
        """Runs a statement of ``inspect`` or ``query``. Raises SqlRefused, SqlFailed."""
        return self._everything.run(sql, step)

    # -- what is added -------------------------------------------------------------------------------------------------
    def make(self, sql: str) -> None:
        """Runs a CREATE or ALTER. Raises SqlRefused, SqlFailed."""
        if inserts_into(sql) is not None:
            raise SqlRefused("rows are given with the words of the reference that they are made of")
        taken = set(entered(sql)) & set(_ROW_IDS)
        if taken:
            raise SqlRefused(f"a column may not be called {min(taken)}")
        self._everything.run(sql, Step.STORE)
        self._grounded.run(sql, Step.STORE)

    def insert(self, sql: str, quote: str) -> None:
        """Runs an INSERT; its rows are grounded where the quotation holds them. Raises SqlRefused, SqlFailed."""
        table = inserts_into(sql)
        if table is None:
            raise SqlRefused("rows are added by INSERT INTO a table")
        new = self._new(self._everything, sql, table)
        if new and self._repeat(table, set(new)):
            self.repeated += len(new)
            return
        span = located(quote, self.texts)
        if span is None or not self._holds(span, table, new):
            self.unmarked += len(new)
            return
        try:
            added = self._new(self._grounded, sql, table)
        except (SqlRefused, SqlFailed):
            # A copy of rows that are not grounded, which are not there.
            self.unmarked += len(new)
            return
        for row in added:
            self._sources[table.lower(), row] = span

    def align(self, pairs: Iterable[tuple[str, str]]) -> int:
        """Takes two ids for one, where the second is that of a grounded row; how many pairs were new."""
        known, before = set(self.entities()), len(self.aliases)
        for alias, entity in pairs:
            fine = alias.strip() and alias != entity and entity in known and len(self.aliases) < _MOST_ALIASES
            if fine and self.resolved(entity) != alias:
                self.aliases.setdefault(alias, entity)
        return len(self.aliases) - before

    def resolved(self, entity: str) -> str:
        """The id that an alias stands for, or the id itself."""
        seen = {entity}
        while entity in self.aliases and self.aliases[entity] not in seen:
            entity = self.aliases[entity]
            seen.add(entity)
        return entity

    def _new(self, sandbox: Sandbox, sql: str, table: str) -> list[int]:
        before = self._ids(sandbox, table)
        sandbox.run(sql, Step.STORE)
        return sorted(self._ids(sandbox, table) - before)

    def _ids(self, sandbox: Sandbox, table: str) -> set[int]:
        found = sandbox.run(f"SELECT rowid FROM {quoted(table)}", Step.QUERY)
        if found.cut:
            raise SqlFailed(f"the table {table[:60]} has as many rows as it may have")
        return {row for (row,) in found.rows}

    def _repeat(self, table: str, new: set[int]) -> bool:
        """Whether each of some rows says what a grounded row says, whatever its number is."""
        sql = f"SELECT rowid, * FROM {quoted(table)}"
        found, known = self._everything.run(sql, Step.QUERY), self._grounded.run(sql, Step.QUERY)
        told = [number for number, name in enumerate(found.columns) if number and name.lower() != "id"]
        before = {tuple(row[number] for number in told) for row in known.rows}
        return all(tuple(row[number] for number in told) in before for row in found.rows if row[0] in new)

    def _holds(self, span: Span, table: str, new: Sequence[int]) -> bool:
        """Whether the words hold every number of some rows, but for those of keys, which the model gives."""
        held = numbers_of([span.text])
        listed = ", ".join(map(str, new[:100]))
        found = self._everything.run(f"SELECT * FROM {quoted(table)} WHERE rowid IN ({listed})", Step.QUERY)
        cells = (cell for row in found.rows for name, cell in zip(found.columns, row) if not is_key(name))
        return len(new) <= 100 and not any(unheld(cell, held) for cell in cells)

    # -- what verifies -------------------------------------------------------------------------------------------------
    def verify(self, sql: str) -> Shown:
        """What a SELECT gives out of the grounded rows, with the words they come from. Raises SqlRefused, SqlFailed."""
        found = self._grounded.run(sql, Step.VERIFY)
        read = {table.lower() for table, _ in found.read}
        spans, whole = self._traced(sql, read)
        measured = measuring(sql) or tuple(not is_key(name) for name in found.columns)
        return Shown(
            query=" ".join(sql.split()),
            columns=found.columns,
            rows=found.rows[:_MOST_SHOWN],
            measured=tuple(c for row in found.rows for c, fine in zip(row, measured) if fine) if whole else (),
            compared=compared(sql),
            spans=spans[:_MOST_SPANS],
            whole=whole and len(spans) <= _MOST_SPANS and len(found.rows) <= _MOST_SHOWN,
        )

    def _traced(self, sql: str, read: set[str]) -> tuple[tuple[Span, ...], bool]:
        query = traced(sql)
        if query is not None:
            try:
                found = self._grounded.run(query[0], Step.QUERY)
            except (SqlRefused, SqlFailed):
                query = None
            else:
                rows = (pair for row in found.rows for pair in zip(query[1], row))
                spans = (self._sources.get((table.lower(), row)) for table, row in rows)
                return tuple(dict.fromkeys(span for span in spans if span is not None)), not found.cut
        every = (span for (table, _), span in self._sources.items() if table in read)
        return tuple(dict.fromkeys(every)), False


def cells_of(found: Found) -> list[list[Any]]:
    """Rows as JSON has them, as many as a model is shown."""
    return [list(row) for row in found.rows[:_MOST_SHOWN]]
