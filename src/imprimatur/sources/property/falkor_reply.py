"""Replies of FalkorDB in their compact form, as plain values.

A reply gives each value with the number of its type, and labels, types and keys of nodes and edges by numbers, for
which ``Names`` has the words. Contract: a value is what the server has, or ``Unread``; a reply of another form is an
error. Floating point numbers come with 15 significant digits, which is all that FalkorDB sends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import CheckFailed
from imprimatur.sources.property.connection import Table
from imprimatur.sources.property.values import Unread

__all__ = ["Names", "table_of"]

_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The words for the numbers in replies, and the version of the graph's names for which they hold."""

    version: int = 0
    labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


def table_of(reply: Any, names: Names, where: str) -> Table:
    """The rows of a reply. Raises CheckFailed where it has another form than FalkorDB gives."""
    try:
        if not isinstance(reply, list) or len(reply) < 2:
            return Table((), ())
        header, rows = reply[0], reply[1]
        columns = tuple(str(name) for _, name in header)
        made = tuple(tuple(_value(cell, names) for cell in row) for row in rows)
        if any(len(row) != len(columns) for row in made):
            raise ValueError
        return Table(columns, made)
    except (TypeError, ValueError, IndexError, KeyError, OverflowError, RecursionError) as fault:
        raise CheckFailed("the server's reply has an unknown form", where=where) from fault


def _value(cell: Any, names: Names) -> Any:
    kind, value = cell
    reader = _READERS.get(int(kind))
    return Unread(f"type {int(kind)}") if reader is None else reader(value, names)


def _truth(value: Any, names: Names) -> bool:
    if value not in ("true", "false", True, False):
        raise ValueError
    return value in ("true", True)


def _float(value: Any, names: Names) -> float | Unread:
    number = float(value)
    return number if math.isfinite(number) else Unread("number that is not finite")


def _moment(value: Any) -> datetime | None:
    try:
        return _EPOCH + timedelta(seconds=int(value))
    except OverflowError:
        return None


def _datetime(value: Any, names: Names) -> datetime | Unread:
    return _moment(value) or Unread("time outside the years 1 to 9999")


def _date(value: Any, names: Names) -> date | Unread:
    found = _moment(value)
    return found.date() if found is not None else Unread("date outside the years 1 to 9999")


def _properties(value: Any, names: Names) -> dict[str, Any]:
    return {names.keys[int(key)]: _value((kind, each), names) for key, kind, each in value}


def _node(value: Any, names: Names) -> dict[str, Any]:
    number, labels, properties = value
    words = [names.labels[int(each)] for each in labels]
    return {"id": int(number), "labels": words, "properties": _properties(properties, names)}


def _edge(value: Any, names: Names) -> dict[str, Any]:
    number, kind, start, end, properties = value
    return {
        "id": int(number),
        "type": names.types[int(kind)],
        "start": int(start),
        "end": int(end),
        "properties": _properties(properties, names),
    }


def _path(value: Any, names: Names) -> dict[str, Any]:
    nodes, edges = value
    return {"nodes": _value(nodes, names), "edges": _value(edges, names)}


def _map(value: Any, names: Names) -> dict[str, Any]:
    if len(value) % 2:
        raise ValueError
    return {str(key): _value(each, names) for key, each in zip(value[::2], value[1::2])}


def _point(value: Any, names: Names) -> dict[str, float]:
    latitude, longitude = value
    return {"latitude": float(latitude), "longitude": float(longitude)}


def _text(value: Any, names: Names) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


#: By the numbers of FalkorDB's types of values.
_READERS: dict[int, Callable[[Any, Names], Any]] = {
    1: lambda value, names: None,
    2: _text,
    3: lambda value, names: int(value),
    4: _truth,
    5: _float,
    6: lambda value, names: [_value(each, names) for each in value],
    7: _edge,
    8: _node,
    9: _path,
    10: _map,
    11: _point,
    12: lambda value, names: tuple(float(each) for each in value),
    13: _datetime,
    14: _date,
    15: lambda value, names: Unread("time of day"),
    16: lambda value, names: Unread("duration"),
}
