"""A database in memory that runs statements which a model wrote.

Two fences: a parser that is not the engine's (``sql_check``), and the engine's own authorizer, which is asked about
every table, column, function and pragma that a statement touches. Invariants: a step does only what it may; no file, no
other database, no extension, no trigger, no recursion; time, work, rows and size are bounded; a statement that fails
changes nothing; a ``verify`` query whose values stay the same when the table's do is refused.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.sql_steps import FUNCTIONS, MOVED, SqlFailed, SqlLimits, SqlRefused, Step

if TYPE_CHECKING:
    from imprimatur.sources.tables.opening import Opened

__all__ = ["Found", "Sandbox", "SqlFailed", "quoted"]

_EVERY = 1000  # steps of the virtual machine between two looks at the clock
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 30_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 600,  # `raw.MOST_COLUMNS`, and some that a query makes
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 50_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 500,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 1000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
_STORING = (
    sqlite3.SQLITE_CREATE_TABLE,
    sqlite3.SQLITE_CREATE_INDEX,  # of a key that a table is made with
    sqlite3.SQLITE_ALTER_TABLE,
    sqlite3.SQLITE_INSERT,
)
_CATALOGUE = ("sqlite_master", "sqlite_schema", "sqlite_sequence")
#: For queries of the product's own.
_WIDE = SqlLimits(seconds=60.0, steps=1_000_000_000, rows=100_000, characters=100_000_000)
#: What the engine itself calls when a table gets a column.
_OWN_FUNCTIONS = frozenset(("printf", "substr", "length"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What came back: column names, rows, whether there were more, and the (table, column) that were read."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cut: bool
    read: frozenset[tuple[str, str]]


class Sandbox:
    """A database; one statement at a time, whichever thread asks. Use it as a context manager, or ``close`` it.

    With a ``path`` it is a file of the product's own making, which is read and never written.
    """

    def __init__(self, limits: SqlLimits | None = None, *, path: Path | None = None) -> None:
        self.limits = limits or SqlLimits()
        address = ":memory:" if path is None else f"file:{quote(str(path))}?mode=ro&immutable=1"
        # A statement that is kept is not authorized anew when it is run for another step: none is kept.
        self._connection = sqlite3.connect(
            address, isolation_level=None, check_same_thread=False, uri=path is not None, cached_statements=0
        )
        if path is None:
            self._connection.execute(f"PRAGMA max_page_count = {self.limits.pages}")
        self._connection.execute("PRAGMA temp_store = MEMORY")
        self._connection.execute("PRAGMA trusted_schema = OFF")
        self._connection.text_factory = lambda data: data.decode("utf-8", "replace")
        for kind, most in _LIMITS.items():
            self._connection.setlimit(kind, most)
        self._lock = threading.RLock()
        self._step: Step | None = None
        self._read: set[tuple[str, str]] = set()
        self._denied = ""
        self._until = self._left = 0.0
        self._connection.set_authorizer(self._authorized)
        self._connection.set_progress_handler(self._over, _EVERY)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forgets everything."""
        self._connection.close()

    def run(self, sql: str, step: Step) -> Found:
        """Runs one statement of a step.

        Raises:
            SqlRefused: it does what the step must not.
            SqlFailed: the engine cannot run it, or a limit ended it.
        """
        from imprimatur.sources.tables.sql_check import checked, moved  # its parser is an extra, and slow to import

        statement = checked(sql, step)
        with self._lock:
            found = self._run(sql, step)
            if step is Step.VERIFY:
                if not found.read:
                    raise SqlRefused("the query reads no table")
                changed, must = moved(statement)
                if any(must):
                    _has_to_differ(found, self._run_moved(changed), must)
            return found

    def look_up(self, sql: str, values: Sequence[Any] = ()) -> Found:
        """Runs a query of the product's own making. Raises SqlRefused and SqlFailed as ``run`` does."""
        with self._lock:
            own, self.limits = self.limits, _WIDE
            try:
                return self._run(sql, Step.QUERY, values)
            finally:
                self.limits = own

    def add(self, table: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]) -> None:
        """Makes a table of trusted data; ``columns`` are names with SQLite's types. Raises SqlFailed."""
        names = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns)
        places = ", ".join("?" * len(columns))
        with self._freely():
            self._connection.execute(f"CREATE TABLE {quoted(table)} ({names})")
            self._connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", rows)

    def load(self, opened: Opened) -> None:
        """Makes the database of trusted relations. Raises SqlFailed."""
        from imprimatur.sources.tables.database import fill

        with self._freely():
            fill(self._connection, opened)

    def tables(self) -> dict[str, tuple[str, ...]]:
        """The names of the columns of each table."""
        with self._freely():
            made = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
            names = [str(name) for (name,) in made]
            return {
                name: tuple(str(row[1]) for row in self._connection.execute(f"PRAGMA table_info({quoted(name)})"))
                for name in names
            }

    # -- running -------------------------------------------------------------------------------------------------------
    def _run(self, sql: str, step: Step, values: Sequence[Any] = ()) -> Found:
        self._step, self._read, self._denied = step, set(), ""
        self._until, self._left = time.monotonic() + self.limits.seconds, self.limits.steps
        try:
            cursor = self._connection.execute(sql, values)
            columns = tuple(each[0] for each in cursor.description or ())
            rows, cut = self._drawn(cursor)
            cursor.close()
        except sqlite3.Error as fault:
            if self._denied:
                raise SqlRefused(self._denied) from None
            raise SqlFailed(self._told(fault)) from None
        except (OverflowError, MemoryError) as fault:
            raise SqlFailed(f"the engine gave up: {type(fault).__name__}") from None
        finally:
            self._step = None
        return Found(columns=columns, rows=rows, cut=cut, read=frozenset(self._read))

    def _drawn(self, cursor: sqlite3.Cursor) -> tuple[tuple[tuple[Any, ...], ...], bool]:
        """The rows, as many as may come back."""
        rows: list[tuple[Any, ...]] = []
        size = 0
        for row in cursor:
            size += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
            if len(rows) == self.limits.rows or size > self.limits.characters:
                return tuple(rows), True
            rows.append(tuple(value.hex() if isinstance(value, bytes) else value for value in row))
        return tuple(rows), False

    def _run_moved(self, sql: str) -> Found:
        self._connection.create_function(MOVED, 1, _moved, deterministic=True)
        try:
            return self._run(sql, Step.VERIFY)
        except SqlRefused:
            raise
        except SqlFailed as fault:
            raise SqlRefused(f"the query cannot be held against changed values: {fault.message}") from None

    def _told(self, fault: sqlite3.Error) -> str:
        if "interrupted" in str(fault):
            return "the statement takes too long"
        return " ".join(str(fault).split())[:200]

    @contextmanager
    def _freely(self) -> Iterator[None]:
        """What is done here is the product's own."""
        with self._lock:
            self._connection.set_authorizer(None)
            self._left, self._until = float("inf"), float("inf")
            try:
                yield
            except sqlite3.Error as fault:
                raise SqlFailed(self._told(fault)) from fault
            finally:
                self._connection.set_authorizer(self._authorized)

    # -- what the engine asks ------------------------------------------------------------------------------------------
    def _over(self) -> int:
        self._left -= _EVERY
        return int(self._left < 0 or time.monotonic() > self._until)

    def _authorized(self, action: int, first: str | None, second: str | None, base: str | None, by: str | None) -> int:
        # ``by`` names a view, a trigger (neither can be made here), or a part of the statement itself.
        if base not in (None, "main"):
            return self._deny("only tables of this database may be used")
        if action == sqlite3.SQLITE_FUNCTION:
            return self._may_call((second or "").lower())
        if action in _READING:
            return self._may_read(action, first or "", second or "")
        if self._step is Step.INSPECT and action == sqlite3.SQLITE_PRAGMA:
            return sqlite3.SQLITE_OK if first in ("table_info", "table_xinfo") else self._deny("no such PRAGMA here")
        if self._step is Step.STORE:
            if action in _STORING:
                return sqlite3.SQLITE_OK
            if action == sqlite3.SQLITE_UPDATE and first in _CATALOGUE:
                return sqlite3.SQLITE_OK  # the engine enters a new table; a statement cannot (`sql_check`)
        return self._deny("the statement does what this step must not")

    def _may_call(self, name: str) -> int:
        allowed = name in FUNCTIONS or name in ("like", "glob") or (self._step is Step.STORE and name in _OWN_FUNCTIONS)
        if allowed or (self._step is Step.VERIFY and name == MOVED):
            return sqlite3.SQLITE_OK
        return self._deny(f"the function {name[:40]} may not be called")

    def _may_read(self, action: int, table: str, column: str) -> int:
        if action == sqlite3.SQLITE_READ:
            catalogue = table.lower() in _CATALOGUE
            if table.lower().startswith(("sqlite_", "pragma_")) and not (catalogue and self._step is not Step.VERIFY):
                return self._deny("only tables of this database may be used")
            if not catalogue:
                self._read.add((table, column))
        return sqlite3.SQLITE_OK

    def _deny(self, why: str) -> int:
        self._denied = self._denied or why
        return sqlite3.SQLITE_DENY


def quoted(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def _moved(value: Any) -> Any:
    """Another value of the same type; NULL stays."""
    if isinstance(value, int | float):
        return value * 1.37 + 3.1
    if isinstance(value, str):
        return f"{value[::-1]}~"
    return value


def _has_to_differ(before: Found, after: Found, must: Sequence[bool]) -> None:
    """Raises SqlRefused where a value stays the same although the table's do not."""
    for number, needed in enumerate(must):
        was = sorted(repr(row[number]) for row in before.rows)
        now = sorted(repr(row[number]) for row in after.rows)
        if needed and was == now and any(row[number] is not None for row in before.rows):
            raise SqlRefused(f"the column {before.columns[number]} comes out the same whatever the table says")
