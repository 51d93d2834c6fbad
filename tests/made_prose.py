"""A table of lights as a relation, for the tests of statements in prose."""

from __future__ import annotations

from imprimatur.sources.tables.columns import relation_of
from imprimatur.sources.tables.raw import RawTable, cell_of
from imprimatur.sources.tables.relation import Relation, Row

__all__ = ["made_relation"]


def made_relation(text: str, name: str = "lights") -> Relation:
    """The relation of a text: the names of the columns, then a row a line, cells parted by "|"."""
    head, *lines = (tuple(cell.strip() for cell in line.split("|")) for line in text.strip().splitlines())
    rows = tuple(Row(place=f"line {number}", cells=tuple(map(cell_of, cells))) for number, cells in enumerate(lines, 2))
    return relation_of(RawTable(name=name, origin=f"{name}.csv", names=head, rows=rows), None)
