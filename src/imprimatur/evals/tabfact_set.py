"""The loader of TabFact (Chen et al., ICLR 2020): statements that are entailed or refuted by a table.

The set is not in the package: the loader takes the folder where the user keeps ``statements.jsonl`` (rows {id,
table_id, statement, label, channel}) and ``tables.jsonl`` (rows {table_id, caption, columns, rows}). Contract: both
files are read whole before anything is judged; a row that is not as described is an InputError that names it; ids are
unique; every statement has its table. Statements with a mark for an unknown word are left out, and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import json_rows
from imprimatur.sources.tables.columns import relation_of
from imprimatur.sources.tables.raw import RawTable, cell_of
from imprimatur.sources.tables.relation import Relation, Row

__all__ = ["Labelled", "TabFact", "half_of", "load"]

_UNKNOWN = "[UNK]"
_LABELS = ("entailed", "refuted")
_CHANNELS = ("simple", "complex")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A statement with the table that it is about, and whether that bears it out."""

    id: str
    table: str
    text: str
    entailed: bool
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TabFact:
    """The set: statements, tables by id, and how many statements were left out for an unknown word."""

    statements: tuple[Labelled, ...]
    tables: Mapping[str, Relation]
    left_out: int


def half_of(table: str) -> int:
    """The half, 0 or 1, that a table is in: fixed by the hash of its id, so that no choice is made."""
    return int(sha256(table.encode()).hexdigest(), 16) % 2


def load(folder: Path) -> TabFact:
    """The set in a folder. Raises InputError for a file that is absent or not as described."""
    if not folder.is_dir():
        hint = "give the folder with statements.jsonl and tables.jsonl"
        raise InputError("no such folder", where=str(folder), hint=hint)
    tables: dict[str, Relation] = {}
    for row, where in json_rows(folder / "tables.jsonl"):
        name = _text(row, "table_id", where)
        if name in tables:
            raise InputError(f"the table {name[:80]!r} comes twice", where=where)
        tables[name] = _relation(name, row, where)
    seen: set[str] = set()
    found: list[Labelled] = []
    left_out = 0
    for row, where in json_rows(folder / "statements.jsonl"):
        statement = _statement(row, where)
        if statement.id in seen:
            raise InputError(f"the id {statement.id[:80]!r} comes twice", where=where)
        if statement.table not in tables:
            raise InputError(f"the table {statement.table[:80]!r} is not in tables.jsonl", where=where)
        seen.add(statement.id)
        if _UNKNOWN in statement.text:
            left_out += 1
        else:
            found.append(statement)
    if not found:
        raise InputError("holds no statement", where=str(folder))
    return TabFact(statements=tuple(found), tables=tables, left_out=left_out)


def _statement(row: Mapping[str, Any], where: str) -> Labelled:
    label, channel = _text(row, "label", where), _text(row, "channel", where)
    for value, known in ((label, _LABELS), (channel, _CHANNELS)):
        if value not in known:
            raise InputError(f"{value[:60]!r} is neither of {', '.join(known)}", where=where)
    return Labelled(
        id=_text(row, "id", where),
        table=_text(row, "table_id", where),
        text=_text(row, "statement", where),
        entailed=label == "entailed",
        channel=channel,
    )


def _relation(name: str, row: Mapping[str, Any], where: str) -> Relation:
    """The table as a relation: what it is called is its caption, its columns get names that differ."""
    columns, rows = _texts(row.get("columns"), "columns", where), row.get("rows")
    if not isinstance(rows, list):
        raise InputError("`rows` must be a list of lists of texts", where=where)
    cells = [_texts(each, "rows", where) for each in rows]
    if any(len(each) != len(columns) for each in cells):
        raise InputError(f"a row has not {len(columns)} cells, as many as there are columns", where=where)
    caption = row.get("caption") or ""
    if not isinstance(caption, str):
        raise InputError("`caption` must be a text", where=where)
    made = tuple(Row(place=f"row {at}", cells=tuple(map(cell_of, each))) for at, each in enumerate(cells, 1))
    raw = RawTable(name=caption or "table", origin=name, names=_distinct(columns), rows=made)
    return replace(relation_of(raw, None), about=caption)


def _distinct(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Names that differ: a second "score" is "score 2", the third column without a name "column 3"."""
    found: list[str] = []
    for at, written in enumerate(columns, 1):
        name = base = " ".join(written.split()) or f"column {at}"
        number = 2
        while name in found:
            name, number = f"{base} {number}", number + 1
        found.append(name)
    return tuple(found)


def _texts(value: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise InputError(f"`{key}` must hold lists of texts", where=where)
    return tuple(value)


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise InputError(f"`{key}` must be a text", where=where)
    return value
