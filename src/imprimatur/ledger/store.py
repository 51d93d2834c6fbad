"""The ledger in an SQLite file: append, list, show, verify.

Invariants: records are only ever added, with consecutive ids (triggers refuse UPDATE, DELETE and out-of-order INSERT);
each append is one transaction, so several processes may write at once; a file of a newer schema, or one that is not
a ledger, is refused and left untouched; every SQLite fault becomes a LedgerError.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from imprimatur.errors import LedgerError
from imprimatur.ledger.records import GENESIS, Record, Verification, canonical, seal, timestamp
from imprimatur.report import Report

__all__ = ["MIGRATIONS", "Ledger"]

_APPLICATION = 0x494D5052  # "IMPR", in the file's header
_COLUMNS = "id, at, kb, decision, summary, previous, hash, body"

#: Migration n takes a file from schema version n to n + 1; released ones never change.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE records (id INTEGER PRIMARY KEY, at TEXT NOT NULL, kb TEXT NOT NULL, decision TEXT NOT NULL,"
        " summary TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT",
        "CREATE TRIGGER records_no_update BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'append-only'); END",
        "CREATE TRIGGER records_no_delete BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'append-only'); END",
        "CREATE TRIGGER records_in_order BEFORE INSERT ON records"
        " WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM records)"
        " BEGIN SELECT RAISE(ABORT, 'out of order'); END",
    ),
)


class Ledger:
    """An open ledger; a context manager that closes it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    @classmethod
    def open(cls, path: str | Path, *, create: bool = True) -> Ledger:
        """The ledger in that file, brought to the newest schema.

        Args:
            path: the file; its folder is made when it is absent and ``create`` holds.
            create: whether to make a file that does not exist.

        Raises:
            LedgerError: absent (and not ``create``), not a ledger, of a newer schema, or not accessible.
        """
        file = Path(path)
        if not file.exists():
            if not create:
                raise LedgerError(
                    "there is no ledger here yet", where=str(file), hint="a check with --ledger makes one"
                )
            _make_private(file)
        with _translated(file):
            connection = sqlite3.connect(file, timeout=10, isolation_level=None)
            try:
                _migrate(connection, file)
            except BaseException:
                connection.close()
                raise
        return cls(connection, file)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; what was appended is on disk."""
        self._connection.close()

    def append(self, report: Report | Mapping[str, Any], *, kb: str, at: datetime) -> int:
        """Adds a report, given as such or as its JSON-ready values, and returns its id (1, 2, …).

        Raises:
            LedgerError: ``at`` has no zone, the report is not JSON, or the file cannot be written.
        """
        values = report.to_dict() if isinstance(report, Report) else report
        body, time = canonical(values), timestamp(at)
        with _translated(self.path), _writing(self._connection) as connection:
            last = connection.execute("SELECT id, hash FROM records ORDER BY id DESC LIMIT 1").fetchone()
            number, previous = (last[0] + 1, last[1]) if last else (1, GENESIS)
            digest = seal(at=time, kb=kb, previous=previous, body=body)
            row = (number, time, kb, str(values["decision"]), str(values["summary"]), previous, digest, body)
            connection.execute(f"INSERT INTO records ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return int(number)

    def list(self, *, limit: int = 20, decision: str | None = None) -> tuple[Record, ...]:
        """The newest records first."""
        query = f"SELECT {_COLUMNS} FROM records WHERE ?1 IS NULL OR decision = ?1 ORDER BY id DESC LIMIT ?2"
        with _translated(self.path):
            return tuple(_record(row) for row in self._connection.execute(query, (decision, limit)))

    def each(self, *, since: str | None = None) -> Iterator[Record]:
        """All records, the oldest first; ``since``: those from this day or time (UTC, ISO 8601) on."""
        query = f"SELECT {_COLUMNS} FROM records WHERE ?1 IS NULL OR at >= ?1 ORDER BY id"
        with _translated(self.path):
            yield from map(_record, self._connection.execute(query, (since,)))

    def show(self, number: int) -> Record:
        """The record of that id. Raises LedgerError when there is none."""
        with _translated(self.path):
            query = f"SELECT {_COLUMNS} FROM records WHERE id = ?"
            row = self._connection.execute(query, (number,)).fetchone()
        if row is None:
            raise LedgerError(
                f"no record {number}", where=str(self.path), hint="`imprimatur ledger list` shows the ids"
            )
        return _record(row)

    def verify(self) -> Verification:
        """Derives every hash again. What does not fit is named in ``faults``; an untouched ledger has none."""
        faults: list[str] = []
        count, head = 0, GENESIS
        with _translated(self.path):
            for row in self._connection.execute(f"SELECT {_COLUMNS} FROM records ORDER BY id"):
                record = _record(row)
                faults.extend(_faults(record, number=count + 1, previous=head))
                count, head = count + 1, record.hash
        return Verification(count=count, head=head, faults=tuple(faults))


def _faults(record: Record, *, number: int, previous: str) -> Iterator[str]:
    if record.id != number:
        yield f"record {number} is missing: the next one is {record.id}"
    if record.previous != previous:
        yield f"record {record.id} does not follow the one before it"
    if seal(at=record.at, kb=record.kb, previous=record.previous, body=record.body) != record.hash:
        yield f"record {record.id} was changed: its hash does not fit its content"
        return
    report = record.report()
    if (report["decision"], report["summary"]) != (record.decision, record.summary):
        yield f"record {record.id} was changed: its decision or summary is not the report's"


def _record(row: tuple[Any, ...]) -> Record:
    return Record(**dict(zip(_COLUMNS.split(", "), row)))


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turns SQLite's faults into the ledger's own."""
    try:
        yield
    except (sqlite3.Error, UnicodeError) as fault:
        hint = "is the file a ledger, on a disk with room, and writable? --no-ledger goes on without one"
        raise LedgerError(f"the ledger cannot be used: {fault}", where=str(path), hint=hint) from fault


@contextmanager
def _writing(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _make_private(file: Path) -> None:
    """An empty file that only its owner may read: reports quote answers."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as fault:
        hint = "choose another place with --ledger PATH or $IMPRIMATUR_LEDGER, or go on with --no-ledger"
        raise LedgerError(f"cannot be made: {fault.strerror}", where=str(file), hint=hint) from fault


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    with closing(connection.execute(f"PRAGMA {name}")) as cursor:
        return int(cursor.fetchone()[0])


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switches to write-ahead logging; SQLite does not wait here for others that do the same."""
    for attempt in range(100):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as fault:
            if attempt == 99 or "locked" not in str(fault):
                raise
            time.sleep(0.05)


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    # Tables first: another process may be making them, and marks the file in the same transaction.
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    version, application = _pragma(connection, "user_version"), _pragma(connection, "application_id")
    if tables and application != _APPLICATION:
        raise LedgerError("an SQLite file, but not a ledger", where=str(path), hint="give another --ledger PATH")
    if version > len(MIGRATIONS):
        message = f"made by a newer release (schema {version}; this one knows {len(MIGRATIONS)})"
        raise LedgerError(message, where=str(path), hint="upgrade imprimatur")
    if version == len(MIGRATIONS):
        return
    _use_wal(connection)
    with _writing(connection):
        # Another process may have come first while this one waited for the lock.
        for step in range(_pragma(connection, "user_version"), len(MIGRATIONS)):
            for statement in MIGRATIONS[step]:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
