"""The relations of a knowledge base as one SQLite file in the cache, under a hash of all they depend on.

Invariants: the file is written whole, and never changed; what is asked of it goes through the sandbox, read-only; row
*n* of a relation has the rowid *n*; where a row stands in its source is in a table of places that no query can name by
chance, where a cell of a document stands in another, and what was left aside in a third. Numbers are stored as numbers
where they are written as such, all else as the text that was written.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.sources.tables.numbers import native
from imprimatur.sources.tables.relation import Cell, Column, ColumnKind, Relation
from imprimatur.sources.tables.sandbox import Sandbox, quoted

if TYPE_CHECKING:
    from imprimatur.sources.tables.opening import Opened

__all__ = ["ABOUT", "PLACES", "SPOTS", "asides", "described", "lost", "write_database"]

PLACES, ABOUT = "imprimatur places", "imprimatur tables"
SPOTS, _ASIDES = "imprimatur spots", "imprimatur asides"
_AFFINITY = {ColumnKind.NUMBER: "NUMERIC"}


def write_database(path: Path, opened: Opened) -> None:
    """Writes the relations to a file, replacing what is there. Raises OSError and sqlite3.Error."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    os.close(handle)
    try:
        with closing(sqlite3.connect(name)) as connection, connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            fill(connection, opened)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def fill(connection: sqlite3.Connection, opened: Opened) -> None:
    """Puts the relations into an empty database."""
    relations = opened.relations
    connection.execute(f"CREATE TABLE {quoted(PLACES)} (relation TEXT, number INTEGER, place TEXT, origin TEXT)")
    spotted = "(relation TEXT, number INTEGER, name TEXT, line INTEGER, start INTEGER, stop INTEGER)"
    connection.execute(f"CREATE TABLE {quoted(SPOTS)} {spotted}")
    connection.execute(
        f"CREATE TABLE {quoted(_ASIDES)} (origin TEXT, line INTEGER, start, stop, text TEXT, reason TEXT, lost)"
    )
    left = ((e.origin, e.spot.line, e.spot.start, e.spot.end, e.text, e.reason, int(e.lost)) for e in opened.asides)
    connection.executemany(f"INSERT INTO {quoted(_ASIDES)} VALUES (?, ?, ?, ?, ?, ?, ?)", left)
    connection.execute(f"CREATE TABLE {quoted(ABOUT)} (about TEXT)")
    about = [(json.dumps(_about(each)),) for each in relations]
    connection.executemany(f"INSERT INTO {quoted(ABOUT)} VALUES (?)", about)
    for relation in relations:
        listed = ", ".join(f"{quoted(c.name)} {_AFFINITY.get(c.kind, 'TEXT')}" for c in relation.columns)
        connection.execute(f"CREATE TABLE {quoted(relation.name)} ({listed})")
        marks = ", ".join("?" * (len(relation.columns) + 1))
        names = ", ".join(quoted(column.name) for column in relation.columns)
        rows = (
            (number, *(stored(column, cell) for column, cell in zip(relation.columns, row.cells, strict=True)))
            for number, row in enumerate(relation.rows, 1)
        )
        connection.executemany(f"INSERT INTO {quoted(relation.name)} (_rowid_, {names}) VALUES ({marks})", rows)
        places = ((relation.name, number, row.place, row.origin) for number, row in enumerate(relation.rows, 1))
        connection.executemany(f"INSERT INTO {quoted(PLACES)} VALUES (?, ?, ?, ?)", places)
        connection.executemany(f"INSERT INTO {quoted(SPOTS)} VALUES (?, ?, ?, ?, ?, ?)", _spots(relation))
        if relation.title:
            index = quoted(f"imprimatur {relation.name}")
            connection.execute(f"CREATE INDEX {index} ON {quoted(relation.name)} ({quoted(relation.title)})")
    connection.execute(f"CREATE INDEX {quoted('imprimatur place')} ON {quoted(PLACES)} (relation, number)")
    connection.execute(f"CREATE INDEX {quoted('imprimatur spot')} ON {quoted(SPOTS)} (relation, number)")


def _spots(relation: Relation) -> Iterator[tuple[str, int, str, int, int, int]]:
    """Where the cells of documents stand."""
    for number, row in enumerate(relation.rows, 1):
        for column, spot in zip(relation.columns, row.spots):
            if spot is not None:
                yield relation.name, number, column.name, spot.line, spot.start, spot.end


def stored(column: Column, cell: Cell) -> int | float | str | None:
    """A cell as the database holds it."""
    return cell if cell is None or column.kind is not ColumnKind.NUMBER else native(cell, column.unit)


def _about(relation: Relation) -> Mapping[str, Any]:
    return {
        "name": relation.name,
        "origin": relation.origin,
        "origins": list(dict.fromkeys((relation.origin, *(row.origin for row in relation.rows if row.origin)))),
        "title": relation.title,
        "names": list(relation.names),
        "iris": relation.iris,
        "nouns": list(relation.nouns),
        "about": relation.about,
        "rows": len(relation.rows),
        "columns": [
            {
                "name": column.name,
                "kind": column.kind.value,
                "unit": column.unit.symbol if column.unit else None,
                "words": column.words,
                "synonyms": list(column.synonyms),
                "key": column.key,
                "refers": f"{column.refers.relation}.{column.refers.column}" if column.refers else None,
                "hidden": column.hidden,
                "about": column.about,
            }
            for column in relation.columns
        ],
    }


def described(sandbox: Sandbox) -> list[dict[str, Any]]:
    """What a database says of its relations."""
    parts = sandbox.look_up(f"SELECT about FROM {quoted(ABOUT)} ORDER BY _rowid_").rows
    return [json.loads(text) for (text,) in parts]


def asides(sandbox: Sandbox) -> list[dict[str, Any]]:
    """What was left aside of documents: file, line, characters, how it begins, and why."""
    names = ("file", "line", "start", "end", "text", "reason", "lost")
    query = f"SELECT origin, line, start, stop, text, reason, lost FROM {quoted(_ASIDES)} ORDER BY _rowid_"
    return [{**dict(zip(names, row)), "lost": bool(row[-1])} for row in sandbox.look_up(query).rows]


def lost(sandbox: Sandbox) -> dict[str, int]:
    """The files of which things may have been left aside, each with the first line."""
    query = f"SELECT origin, min(line) FROM {quoted(_ASIDES)} WHERE lost = 1 GROUP BY origin"
    return {str(origin): int(line) for origin, line in sandbox.look_up(query).rows}
