"""Tables in JSON: objects become rows, what is nested in them becomes further columns or further relations.

A list of objects is a relation; an object within an object gives columns under both names ("address city"); a list
within an object is a relation of its own, whose rows refer to the row that they stand in. Rows know where they stand by
a JSON pointer (RFC 6901). Numbers stand as written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.raw import RawTable, cell_of, checked_size, distinct
from imprimatur.sources.tables.relation import Cell, Reference, Row

__all__ = ["nested_tables", "read_nested"]

_DEEPEST = 20
#: The column that says which row of the relation above a row belongs to, and what that is called there.
OWNER, NUMBER = "belongs to", "number"


class _Growing:
    """A relation whose columns are known when all of its rows have been seen."""

    def __init__(self, above: str | None) -> None:
        self.above = above
        self.names: dict[str, None] = {}
        self.paths: dict[str, tuple[str, ...]] = {}
        self.rows: list[tuple[str, dict[str, Cell]]] = []


def read_nested(path: Path) -> tuple[RawTable, ...]:
    """The tables of a JSON or JSON-lines file. Raises KnowledgeBaseError where it is none."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise KnowledgeBaseError(f"cannot be read: {fault}", where=str(path)) from fault
    lines = path.suffix.lower() in (".jsonl", ".ndjson")
    try:
        value = [_loaded(line) for line in text.splitlines() if line.strip()] if lines else _loaded(text)
    except (ValueError, RecursionError) as fault:
        raise KnowledgeBaseError(f"is no JSON: {str(fault)[:120]}", where=str(path)) from fault
    return nested_tables(value, name=path.stem, origin=path.name)


def _loaded(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)


def nested_tables(value: Any, *, name: str, origin: str) -> tuple[RawTable, ...]:
    """The tables of a JSON value. Raises KnowledgeBaseError where it is no object or list of objects."""
    found: dict[str, _Growing] = {}
    if isinstance(value, dict) and value and all(_is_relation(inner) for inner in value.values()):
        for key, inner in value.items():
            _grow(found, _numbered(inner, f"/{_escaped(key)}"), name=str(key))
    elif isinstance(value, dict):
        _grow(found, [("", value)], name=name)
    elif isinstance(value, list) and all(isinstance(each, dict) for each in value):
        _grow(found, _numbered(value, ""), name=name)
    else:
        raise KnowledgeBaseError("is no object and no list of objects", where=origin)
    checked_size(sum(len(each.rows) * len(each.names) for each in found.values()), origin)
    return tuple(_table(each, named, origin) for named, each in found.items() if each.rows and each.names)


def _is_relation(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _numbered(values: list[Any], pointer: str) -> list[tuple[str, Any]]:
    """The things of a list, with the pointer to each."""
    return [(f"{pointer}/{at}", each) for at, each in enumerate(values)]


def _grow(
    found: dict[str, _Growing],
    values: list[tuple[str, Any]],
    *,
    name: str,
    above: str | None = None,
    owner: str | None = None,
) -> None:
    """Adds rows to a relation, and what is nested in them to others."""
    into = found.setdefault(name, _Growing(above))
    for place, each in values:
        number = str(len(into.rows) + 1)
        cells: dict[str, Cell] = {}
        inner = list(_flat(each, (), place)) if isinstance(each, dict) else [((), cell_of(each), place)]
        nested = [(path, value, where) for path, value, where in inner if isinstance(value, list)]
        for path, value, _ in inner:
            if not isinstance(value, list):
                cells[" ".join(path) or "value"] = value
                if len(path) > 1:
                    into.paths[" ".join(path)] = path
        if nested:
            cells[NUMBER] = number
        if owner is not None:
            cells[OWNER] = owner
        into.names.update(dict.fromkeys(cells))
        into.rows.append((place, cells))
        for path, value, where in nested:
            _grow(found, _numbered(value, where), name=" ".join(path), above=name, owner=number)


def _flat(value: dict[str, Any], path: tuple[str, ...], pointer: str) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    """The cells of an object under the names that lead to them; lists as they are."""
    if len(path) > _DEEPEST:
        raise KnowledgeBaseError(f"nested more than {_DEEPEST} levels deep", where=pointer)
    for key, inner in value.items():
        own, where = (*path, " ".join(str(key).split())), f"{pointer}/{_escaped(key)}"
        if isinstance(inner, dict):
            yield from _flat(inner, own, where)
        elif isinstance(inner, list):
            if inner:
                yield own, inner, where
        else:
            yield own, cell_of(inner), where


def _escaped(key: object) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _table(grown: _Growing, name: str, origin: str) -> RawTable:
    names = distinct(tuple(grown.names), origin)
    rows = tuple(Row(place=place or "/", cells=tuple(cells.get(each) for each in names)) for place, cells in grown.rows)
    refers = ((OWNER, Reference(grown.above, NUMBER)),) if grown.above is not None else ()
    made = frozenset((NUMBER,))
    return RawTable(name=name, origin=origin, names=names, rows=rows, refers=refers, made=made, paths=grown.paths)
