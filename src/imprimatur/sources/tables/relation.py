"""Relations: rows of cells under named columns, with where each cell stands.

Invariants: a cell is the text as it was written, or None where nothing was (null, an empty cell, a mark for "not
known"): that is silence, never "no"; rows have a cell for each column; names of columns are distinct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.spoken import Spoken
from imprimatur.values import Unit

__all__ = ["Cell", "Column", "ColumnKind", "Reference", "Relation", "Row", "Spot"]

Cell = str | None


class ColumnKind(StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    FLAG = "flag"
    HOURS = "hours"


@dataclass(frozen=True, slots=True)
class Reference:
    """A column of another relation that a column's cells are cells of."""

    relation: str
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: its name as written, what its cells are, and how it is spoken of.

    ``unit`` is that of cells that state none; ``words`` are the name's, without the unit, and ``synonyms`` what else it
    is called; ``key``: its cells are all there, and all different. ``separator`` stands between the values of one cell;
    ``values`` says what codes mean; a column that is ``hidden`` is no evidence. ``path`` are the keys that lead to it
    where it is nested in its row.
    """

    name: str
    kind: ColumnKind = ColumnKind.TEXT
    unit: Unit | None = None
    words: str = ""
    synonyms: tuple[str, ...] = ()
    key: bool = False
    refers: Reference | None = None
    separator: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    hidden: bool = False
    about: str = ""
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a cell stands in a document: the line (from 1), and the characters from ``start`` up to ``end``."""

    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row. ``place`` says where it stands in its file: a line ("line 12") or a JSON pointer ("/rivers/3").

    ``origin`` is its file where that is not the relation's; ``spots`` are those of the cells of a document.
    """

    place: str
    cells: tuple[Cell, ...]
    origin: str = ""
    spots: tuple[Spot | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation.

    ``origin`` is the file (or address) that it is of; ``title`` the column that names its rows, and ``names`` further
    columns that do; ``iris`` holds the IRIs of the things that the rows are in a graph. ``nouns`` are what a row is
    said to be ("river"); ``spoken`` says how running text speaks of them.
    """

    name: str
    origin: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str | None = None
    names: tuple[str, ...] = ()
    iris: str | None = None
    nouns: tuple[str, ...] = ()
    about: str = ""
    spoken: Spoken = field(default_factory=Spoken)
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {column.name: at for at, column in enumerate(self.columns)})

    def column(self, name: str) -> Column:
        """The column of a name. Raises KeyError."""
        return self.columns[self.numbers[name]]

    def cells(self, name: str) -> Iterator[Cell]:
        """The cells of a column, row by row."""
        at = self.numbers[name]
        return (row.cells[at] for row in self.rows)
