"""Figures that an evaluation prints as nested JSON, as the tables of an outcome.

A share told as ``{count, total, share, low, high}`` becomes a figure with its interval, a number a figure; the names on
the way to it become its row. What stands under one name at the top is one table; single figures at the top share one.
Lists and texts are no figures, and are left out. Invariant: nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from imprimatur.evals.outcome import Cell, Figure, Table

__all__ = ["tables_of"]

_SHARE = {"count", "total", "share", "low", "high"}


def tables_of(figures: Mapping[str, Any], single: str = "Figures") -> tuple[Table, ...]:
    """The tables of some figures.

    Args:
        single: the title of the table of figures that stand at the top by themselves.
    """
    alone: list[tuple[Cell, ...]] = []
    tables: list[Table] = []
    for name, value in figures.items():
        rows = [(" · ".join(path) or name, figure) for path, figure in _leaves(value)]
        if _figure(value) is not None:
            alone += rows
        elif rows:
            tables.append(Table(title=name, head=("", "figure"), rows=tuple(rows)))
    first = (Table(title=single, head=("", "figure"), rows=tuple(alone)),) if alone else ()
    return (*first, *tables)


def _leaves(value: Any) -> Iterator[tuple[tuple[str, ...], Figure]]:
    figure = _figure(value)
    if figure is not None:
        yield (), figure
    elif isinstance(value, Mapping):
        for name, part in value.items():
            for path, each in _leaves(part):
                yield (str(name), *path), each


def _figure(value: Any) -> Figure | None:
    if isinstance(value, Mapping) and value.keys() == _SHARE:
        if not value["total"]:
            return Figure(value=None, count=value["count"], total=0)
        ends = (min(value["low"], value["share"]), max(value["high"], value["share"]))
        return Figure(value=value["share"], low=ends[0], high=ends[1], count=value["count"], total=value["total"])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Figure(value=float(value))
    return None
