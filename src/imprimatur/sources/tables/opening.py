"""Files of tables opened as relations: delimited values, JSON, SQLite, Parquet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from imprimatur.errors import ConfigError, KnowledgeBaseError, nearest
from imprimatur.sources.tables.columns import referring, relation_of
from imprimatur.sources.tables.delimited import read_delimited
from imprimatur.sources.tables.described import TableWords, read_described
from imprimatur.sources.tables.nested import read_nested
from imprimatur.sources.tables.raw import RawTable, cell_of, checked_name, checked_size, distinct
from imprimatur.sources.tables.relation import Relation, Row
from imprimatur.sources.tables.stored import read_sqlite

__all__ = ["SUFFIXES", "open_relations"]

_DELIMITED = (".csv", ".tsv", ".tab")
_NESTED = (".json", ".jsonl", ".ndjson")
_STORED = (".sqlite", ".sqlite3", ".db")
_RESERVED = ("sqlite_", "imprimatur ")
SUFFIXES = (*_DELIMITED, *_NESTED, *_STORED, ".parquet")


def open_relations(paths: Iterable[Path], described: Iterable[Path] = ()) -> tuple[Relation, ...]:
    """The relations of some files, with what they refer to.

    Args:
        paths: the files.
        described: files that say what the tables hold (``described``).

    Raises:
        KnowledgeBaseError: a file is of no kind that is read, or is none of its kind; or two tables have one name.
        ConfigError: a description is malformed, or speaks of what is not there.
    """
    raws = [raw for path in paths for raw in _read(path)]
    for raw in raws:
        if not checked_name(raw.name, raw.origin) or raw.name.lower().startswith(_RESERVED):
            raise KnowledgeBaseError(f"a table cannot be called {raw.name!r}", where=raw.origin, hint="rename it")
    twice = [name for name, count in Counter(raw.name.lower() for raw in raws).items() if count > 1]
    if twice:
        files = ", ".join(sorted({raw.origin for raw in raws if raw.name.lower() == twice[0]}))
        raise KnowledgeBaseError(f"two tables are called {twice[0]!r}", where=files, hint="rename a file")
    told = _told(described, {raw.name: raw for raw in raws})
    found = referring([relation_of(raw, told.get(raw.name)) for raw in raws])
    for relation in found:
        _check_references(relation, {each.name: each for each in found})
    return found


def _told(described: Iterable[Path], raws: Mapping[str, RawTable]) -> dict[str, TableWords]:
    """What descriptions say of the tables, by name."""
    found: dict[str, TableWords] = {}
    for path in described:
        for name, words in read_described(path).items():
            if name not in raws:
                near = nearest(name, raws)
                hint = f"did you mean {near!r}?" if near else f"there are {', '.join(raws)}"
                raise ConfigError(f"no table is called {name[:60]!r}", where=words.where, hint=hint)
            if name in found:
                raise ConfigError(f"the table {name!r} is described twice", where=words.where, hint="keep one")
            words.check(name, raws[name].names)
            found[name] = words
    return found


def _check_references(relation: Relation, known: Mapping[str, Relation]) -> None:
    """Raises KnowledgeBaseError for a reference to what is not there."""
    for column in relation.columns:
        to = column.refers
        if to is None:
            continue
        if to.relation not in known or (to.column and to.column not in known[to.relation].numbers):
            message = f"the column {column.name!r} of {relation.name!r} refers to {to.relation}.{to.column}"
            raise KnowledgeBaseError(
                f"{message}, which is not there", where=relation.origin, hint="name its file under `tables`, too"
            )


def _read(path: Path) -> tuple[RawTable, ...]:
    suffix = path.suffix.lower()
    if suffix in _DELIMITED:
        return (read_delimited(path),)
    if suffix in _NESTED:
        return read_nested(path)
    if suffix in _STORED:
        return read_sqlite(path)
    if suffix == ".parquet":
        return (_read_parquet(path),)
    raise KnowledgeBaseError(
        f"files that end in {suffix or 'nothing'} are not read as tables",
        where=str(path),
        hint=f"known are {', '.join(SUFFIXES)}",
    )


def _read_parquet(path: Path) -> RawTable:
    """The table of a Parquet file, by the extra `parquet`."""
    try:
        from pyarrow import parquet
    except ImportError as fault:
        hint = "install it: pip install 'imprimatur[parquet]'"
        raise KnowledgeBaseError("Parquet needs the extra `parquet`", where=str(path), hint=hint) from fault
    try:
        table = parquet.read_table(path)
    except (OSError, ValueError) as fault:
        said = " ".join(str(fault).split())[:120]
        raise KnowledgeBaseError(f"is no Parquet file that can be read: {said}", where=str(path)) from fault
    checked_size(table.num_rows * table.num_columns, str(path))
    names = distinct(table.column_names, str(path))
    columns = [column.to_pylist() for column in table.columns]
    rows = tuple(
        Row(place=f"row {number}", cells=tuple(map(cell_of, cells))) for number, cells in enumerate(zip(*columns), 1)
    )
    return RawTable(name=path.stem, origin=path.name, names=names, rows=rows)
