"""The rows of a mapping's sources, one after another: cells exactly as they are written, and where the row stands.

Places are fragments: ``row=3`` is the third row of a file of values, the line with the names counted (RFC 7111, section
2.1); ``/log/3`` is a JSON pointer (RFC 6901); a database has ``table=keepers&row=3``. Invariants: nothing is written
or run in a database; a cell is None where nothing is said; a row of another length than the first is an error.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from imprimatur.config import TableAddress
from imprimatur.errors import ConfigError, KnowledgeBaseError, nearest
from imprimatur.ingest.mapping.model import Source
from imprimatur.sources.tables.delimited import delimiter_of
from imprimatur.sources.tables.raw import SILENT, distinct
from imprimatur.sources.tables.sandbox import quoted
from imprimatur.sources.tables.stored import check_whole

__all__ = ["Placed", "columns_of", "rows"]

_LONGEST_CELL = 1 << 20
#: Bytes of a value or row in a database: a column that is computed can be of any length.
_LONGEST_VALUE = 32 << 20
_LARGEST_JSON = 256 << 20
_DEEPEST = 20


class Placed(NamedTuple):
    """A row's cells by column, and its place in the source."""

    place: str
    cells: Mapping[str, str | None]


def rows(source: Source) -> Iterator[Placed]:
    """The rows of a source.

    Raises:
        KnowledgeBaseError: it cannot be read, or a row has another number of cells.
    """
    for place, cells in _read(source):
        yield Placed(place, {name: _said(cell, source.nulls) for name, cell in cells.items()})


def columns_of(source: Source) -> tuple[str, ...]:
    """The columns of a source; of JSON those of its first thousand things. Raises as ``rows``."""
    found: dict[str, None] = {}
    for number, (_, cells) in enumerate(_read(source)):
        if number >= (1000 if _is_nested(source) else 1):
            break
        found.update(dict.fromkeys(cells))
    return tuple(found)


def checked(source: Source, columns: tuple[str, ...], *, where: str) -> None:
    """Raises ConfigError for a column that a source has not; a source without rows has none to miss."""
    known = columns_of(source)
    for name in columns:
        if known and name not in known and not _is_nested(source):
            near = nearest(name, known)
            hint = f"did you mean {near!r}?" if near else f"there are {', '.join(known)[:200]}"
            raise ConfigError(f"{source.shown} has no column {name[:60]!r}", where=where, hint=hint)


def _is_nested(source: Source) -> bool:
    return source.path is not None and source.path.suffix.lower() in (".json", ".jsonl", ".ndjson")


def _said(cell: str | None, nulls: frozenset[str] | None) -> str | None:
    if cell is None:
        return None
    bare = cell.strip().lower()
    return None if not bare or bare in (SILENT if nulls is None else nulls) else cell


def _read(source: Source) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    if source.path is None:
        return _addressed(source)
    suffix = source.path.suffix.lower()
    if _is_nested(source):
        return _nested(source, source.path)
    if suffix == ".parquet":
        return _parquet(source.path)
    return _stored(source, source.path) if source.table else _delimited(source.path)


def _delimited(path: Path) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """A file of delimited values (RFC 4180), as it is read."""
    csv.field_size_limit(_LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.read(1 << 16)
            file.seek(0)
            tabbed = path.suffix.lower() in (".tsv", ".tab")
            reader = csv.reader(file, delimiter="\t" if tabbed else delimiter_of(head), strict=True)
            names: tuple[str, ...] = ()
            number = 0
            try:
                for cells in reader:
                    number += 1
                    if not any(cell.strip() for cell in cells):
                        continue
                    if not names:
                        names = distinct(cells, str(path))
                        continue
                    if len(cells) != len(names):
                        message = f"{len(cells)} cells where the first line names {len(names)} columns"
                        where = f"{path}, line {reader.line_num}"
                        raise KnowledgeBaseError(message, where=where, hint="quote cells that hold the delimiter")
                    yield f"row={number}", dict(zip(names, cells))
            except csv.Error as fault:
                raise KnowledgeBaseError(str(fault), where=f"{path}, line {reader.line_num}") from fault
    except UnicodeDecodeError as fault:
        raise KnowledgeBaseError("is not UTF-8", where=str(path), hint="save it as UTF-8") from fault
    except OSError as fault:
        raise KnowledgeBaseError(f"cannot be read: {fault.strerror or fault}", where=str(path)) from fault
    if not names:
        raise KnowledgeBaseError("there is no line that names columns", where=str(path))


def _nested(source: Source, path: Path) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """The things of a JSON file; what is nested in one has the keys that lead to it, with dots."""
    try:
        if path.stat().st_size > _LARGEST_JSON:
            raise KnowledgeBaseError(f"is larger than {_LARGEST_JSON >> 20} MiB", where=str(path), hint="split it")
        text = path.read_text("utf-8-sig")
        if path.suffix.lower() == ".json":
            whole = _loaded(text)
            found = list(_below(whole, source.items or _items(whole), ""))
        else:
            lines = enumerate(text.split("\n"))
            found = [(f"/{number}", _loaded(line)) for number, line in lines if line.strip()]
    except (OSError, ValueError, RecursionError) as fault:
        raise KnowledgeBaseError(f"cannot be read as JSON: {str(fault)[:120]}", where=str(path)) from fault
    for place, value in found:
        if not isinstance(value, dict):
            hint = 'say with `items` where the things are: "$.log[*]"'
            raise KnowledgeBaseError(f"{place or 'the root'} is no object", where=str(path), hint=hint)
        cells: dict[str, str | None] = {}
        for name, cell in _flat(value, ()):
            if name in cells:
                raise KnowledgeBaseError(f"{place or 'the root'} says {name[:60]!r} twice", where=str(path))
            cells[name] = cell
        yield place, cells


def _items(value: Any) -> tuple[str, ...]:
    """Where the things of a JSON file are when nothing says so: in its list, or it is one itself."""
    return ("*",) if isinstance(value, list) else ()


def _below(value: Any, keys: tuple[str, ...], place: str) -> Iterator[tuple[str, Any]]:
    if not keys:
        yield place, value
    elif keys[0] == "*":
        for number, each in enumerate(value if isinstance(value, list) else ()):
            yield from _below(each, keys[1:], f"{place}/{number}")
    elif isinstance(value, dict) and keys[0] in value:
        escaped = keys[0].replace("~", "~0").replace("/", "~1")
        yield from _below(value[keys[0]], keys[1:], f"{place}/{escaped}")


def _flat(value: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, str | None]]:
    """The cells of an object; lists are left out, for their members are things of their own (``items``)."""
    for key, inner in value.items():
        own = (*path, key)
        if isinstance(inner, dict) and len(path) < _DEEPEST:
            yield from _flat(inner, own)
        elif isinstance(inner, bool):
            yield ".".join(own), "true" if inner else "false"
        elif not isinstance(inner, list | dict):
            yield ".".join(own), None if inner is None else _text(inner)


def _text(value: Any) -> str:
    """A value as text; halves of characters, which JSON can write, become question marks."""
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _loaded(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object. Raises ValueError for a key that stands twice: readers differ in which one counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in an object")
    return found


def _stored(source: Source, path: Path) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """A table of an SQLite file, opened read-only, no code of its schema run."""
    check_whole(path)
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            # A virtual table, which has no page of its own, gives what code makes of files that it names itself.
            made = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").fetchall()
            known = [str(name) for (name,) in made if not str(name).startswith("sqlite_")]
            if source.table not in known:
                near = nearest(source.table, known)
                hint = f"did you mean {near!r}?" if near else f"there are {', '.join(known)[:200]}"
                raise KnowledgeBaseError(f"has no table {source.table[:60]!r}", where=str(path), hint=hint)
            found = connection.execute(f"SELECT * FROM {quoted(source.table)}")
            names = [str(each[0]) for each in found.description]
            for number, cells in enumerate(found, 1):
                yield _of_table(source, number), dict(zip(names, map(_cell, cells)))
    except sqlite3.Error as fault:
        raise KnowledgeBaseError(f"is no database that can be read: {fault}", where=str(path)) from fault


def _cell(value: Any) -> str | None:
    if value is None or isinstance(value, bytes):
        return None
    return repr(value).removesuffix(".0") if isinstance(value, float) else _text(value)


def _parquet(path: Path) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    from imprimatur.sources.tables.parquet import read_parquet

    table = read_parquet(path)
    for number, row in enumerate(table.rows, 1):
        yield f"row={number}", dict(zip(table.names, row.cells))


def _addressed(source: Source) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """A table behind an address, as the tables of a knowledge base are read."""
    from imprimatur.sources.tables.addressed import read_address

    assert source.address is not None
    (table,) = read_address(TableAddress(address=source.address, origin=source.shown, tables=(source.table,)))
    for number, row in enumerate(table.rows, 1):
        yield _of_table(source, number), dict(zip(table.names, row.cells))


def _of_table(source: Source, number: int) -> str:
    return f"table={quote(source.table, safe='')}&row={number}"
