"""Where revisions of entries are kept: a JSON-lines file, or an SQLite file.

Invariants: revisions are only ever added; what one ``append`` is given is on disk whole or not at all; writers of one
file wait for each other. A JSON-lines file may be written by hand: a line without ``at`` is an entry as it always was,
and its id stands once. A line ``{"id", "deleted": true, "at"}`` ends an entry.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from imprimatur.errors import InputError, KnowledgeBaseError, StoreUnavailable
from imprimatur.sources.memory.entries import Revision, entry_of, entry_to_dict, moment_of

__all__ = ["SQLITE_SUFFIXES", "JsonLines", "Revisions", "Sqlite"]

SQLITE_SUFFIXES = (".db", ".sqlite", ".sqlite3")
_MAX_BYTES = 200 << 20
_APPLICATION = 0x494D504D  # "IMPM", in the file's header
_TABLE = (
    "CREATE TABLE revisions (number INTEGER PRIMARY KEY, id TEXT NOT NULL, at TEXT, body TEXT) STRICT",
    "CREATE INDEX revisions_of ON revisions (id, number)",
    "CREATE TRIGGER revisions_no_update BEFORE UPDATE ON revisions BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER revisions_no_delete BEFORE DELETE ON revisions BEGIN SELECT RAISE(ABORT, 'append-only'); END",
)


class Revisions(Protocol):
    """A file of revisions."""

    path: Path

    def read(self) -> list[Revision]:
        """All revisions, oldest first."""
        ...

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds other writers off."""
        ...

    def append(self, new: Iterable[Revision]) -> None:
        """Adds revisions; only within ``writing``."""
        ...


class JsonLines:
    """Revisions as lines of JSON."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: IO[bytes] | None = None

    def read(self) -> list[Revision]:
        """All revisions, oldest first; none when the file does not exist.

        Raises:
            KnowledgeBaseError: the file cannot be read. InputError: a line is wrong.
        """
        try:
            if self.path.stat().st_size > _MAX_BYTES:
                raise KnowledgeBaseError(f"larger than {_MAX_BYTES >> 20} MiB", where=str(self.path))
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as fault:
            raise KnowledgeBaseError(f"cannot be read: {fault.strerror}", where=str(self.path)) from fault
        found: list[Revision] = []
        plain: set[str] = set()
        for number, line in enumerate(lines, 1):
            if line.strip():
                where = f"{self.path}, line {number}"
                found.append(_revision(_values(line, where), where))
                if found[-1].at is None:
                    if found[-1].id in plain:
                        hint = "give each entry its own id, or change entries with `imprimatur memory update`"
                        raise InputError(f"the id {found[-1].id!r} is given twice", where=where, hint=hint)
                    plain.add(found[-1].id)
        return found

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds other writers off. Raises StoreUnavailable where the file cannot be opened for writing."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as stream:
                _lock(stream)
                self._stream = stream
                yield
        except OSError as fault:
            raise StoreUnavailable(f"cannot be written: {fault.strerror}", where=str(self.path)) from fault
        finally:
            self._stream = None

    def append(self, new: Iterable[Revision]) -> None:
        """Adds revisions; only within ``writing``."""
        assert self._stream is not None, "append within writing"
        text = "".join(json.dumps(_to_dict(each), ensure_ascii=False) + "\n" for each in new).encode("utf-8")
        end = self._stream.seek(0, os.SEEK_END)
        if end:
            with self.path.open("rb") as stream:
                stream.seek(end - 1)
                text = text if stream.read(1) == b"\n" else b"\n" + text
        try:
            self._stream.write(text)
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError:
            with suppress(OSError):
                self._stream.truncate(end)
            raise


class Sqlite:
    """Revisions as rows of an SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None

    def read(self) -> list[Revision]:
        """All revisions, oldest first; none when the file does not exist.

        Raises:
            KnowledgeBaseError: it is no memory, or cannot be read. InputError: an entry in it is wrong.
        """
        if not self.path.exists():
            return []
        query = "SELECT number, id, at, body FROM revisions ORDER BY number"
        if self._connection is not None:
            rows = self._connection.execute(query).fetchall()
        else:
            with self._opened() as connection:
                rows = connection.execute(query).fetchall()
        found = []
        for number, id_, at, body in rows:
            where = f"{self.path}, revision {number}"
            values = {"id": id_, "deleted": True} if body is None else _values(body.encode("utf-8"), where)
            found.append(_revision({**values, **({"at": at} if at else {})}, where))
        return found

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds other writers off: one transaction, which an exception undoes."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            self._connection = connection
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._connection = None

    def append(self, new: Iterable[Revision]) -> None:
        """Adds revisions; only within ``writing``."""
        assert self._connection is not None, "append within writing"
        for each in new:
            body = None if each.entry is None else json.dumps(entry_to_dict(each.entry), ensure_ascii=False)
            at = None if each.at is None else each.at.isoformat()
            self._connection.execute("INSERT INTO revisions (id, at, body) VALUES (?, ?, ?)", (each.id, at, body))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=10, isolation_level=None)) as connection:
                self._prepare(connection)
                yield connection
        except (sqlite3.Error, UnicodeError) as fault:
            hint = "is it an SQLite file made by `imprimatur memory`?"
            raise KnowledgeBaseError(f"the memory cannot be used: {fault}", where=str(self.path), hint=hint) from fault

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if self._is_memory(connection):
            return
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have come first while this one waited for the lock.
        if not self._is_memory(connection):
            for statement in _TABLE:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute("COMMIT")

    def _is_memory(self, connection: sqlite3.Connection) -> bool:
        """Whether the file is one already; False for an empty file."""
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if tables and application != _APPLICATION:
            raise KnowledgeBaseError("an SQLite file, but not a memory", where=str(self.path))
        return bool(tables)


def _lock(stream: IO[bytes]) -> None:
    """Waits until no other process writes the file; released when it is closed."""
    with suppress(ImportError):  # Windows: an append of one line is whole there too
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX)


def _values(line: bytes, where: str) -> Mapping[str, Any]:
    try:
        values = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not a line of JSON: {str(fault)[:100]}", where=where) from fault
    if not isinstance(values, dict):
        raise InputError("an entry must be a JSON object", where=where, hint='write {"id": "…", "text": "…"}')
    return values


def _revision(values: Mapping[str, Any], where: str) -> Revision:
    rest = dict(values)
    at = moment_of(rest.pop("at"), where=where) if "at" in rest else None
    if rest.pop("deleted", False) is True:
        entry = entry_of({"id": rest.get("id"), "text": "."}, where=where)
        return Revision(entry.id, at, None)
    entry = entry_of(rest, where=where)
    return Revision(entry.id, at, entry)


def _to_dict(revision: Revision) -> dict[str, Any]:
    made = {"id": revision.id, "deleted": True} if revision.entry is None else entry_to_dict(revision.entry)
    return made if revision.at is None else {**made, "at": revision.at.isoformat()}
