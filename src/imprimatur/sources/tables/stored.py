"""Tables of an SQLite file, read as they are; nothing in the file is changed, and no code in it is run.

Keys and references are those that the file declares (``PRIMARY KEY``, ``REFERENCES``).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.raw import RawTable, cell_of, checked_size
from imprimatur.sources.tables.relation import Reference, Row
from imprimatur.sources.tables.sandbox import quoted

__all__ = ["check_whole", "read_sqlite"]


def check_whole(path: Path) -> None:
    """Raises KnowledgeBaseError for a file beside which changes stand that are not in it yet.

    They would be lost in a copy, and the file's hash does not tell of them (https://sqlite.org/wal.html).
    """
    for ending in ("-wal", "-journal"):
        beside = path.with_name(path.name + ending)
        if beside.is_file() and beside.stat().st_size:
            hint = "close what writes it, or run PRAGMA wal_checkpoint(TRUNCATE) there"
            message = f"has changes that are not in the file yet, but in {beside.name}"
            raise KnowledgeBaseError(message, where=str(path), hint=hint)


def read_sqlite(path: Path) -> tuple[RawTable, ...]:
    """The tables of a file, in the order in which they were made. Raises KnowledgeBaseError where it is no database."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            made = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) != 'sqlite_' ORDER BY rowid"
            ).fetchall()
            return tuple(_table(connection, str(name), path) for (name,) in made)
    except sqlite3.Error as fault:
        raise KnowledgeBaseError(f"is no database that can be read: {fault}", where=str(path)) from fault


def _table(connection: sqlite3.Connection, name: str, path: Path) -> RawTable:
    columns = connection.execute(f"PRAGMA table_info({quoted(name)})").fetchall()
    names = tuple(str(column[1]) for column in columns)
    keys = [str(column[1]) for column in columns if column[5]]
    refers = connection.execute(f"PRAGMA foreign_key_list({quoted(name)})").fetchall()
    rows: list[Row] = []
    listed = ", ".join(map(quoted, names))
    for number, cells in enumerate(connection.execute(f"SELECT {listed} FROM {quoted(name)}"), 1):
        rows.append(Row(place=f"row {number}", cells=tuple(map(_cell, cells))))
        checked_size(len(rows) * len(names), f"{path}, table {name}")
    return RawTable(
        name=name,
        origin=path.name,
        names=names,
        rows=tuple(rows),
        keys=frozenset(keys if len(keys) == 1 else ()),
        refers=tuple((str(each[3]), Reference(str(each[2]), str(each[4] or ""))) for each in refers),
    )


def _cell(value: Any) -> str | None:
    if isinstance(value, bytes):
        return None  # what is no text says nothing that could be read
    if isinstance(value, float):
        return cell_of(repr(value).removesuffix(".0"))
    return cell_of(value)
