"""A YAML file that says what tables hold: what rows and columns are called, units, keys, references, marks.

Every key is optional but ``version``; unknown ones are errors::

    version: 1
    tables:
      lighthouses:
        is: lighthouse                 # what a row is; else the table's name in the singular
        synonyms: [light]
        title: name                    # the column that names the rows
        names: [short name]            # columns that hold further names
        iri: wikidata                  # a column of IRIs: the rows are these things of the graph
        silent: [tbc]                  # cells that say nothing, besides the usual ones
        description: Lights of the northern coast.
        columns:
          h:
            words: height              # how the column is spoken of; else its name in words
            synonyms: [stands]
            unit: m
            kind: number               # number, text, date or flag
            key: true
            refers: keepers.name       # the cells are cells of that column
            separator: ";"             # one cell holds several values
            values: {R: red, G: green} # what codes mean
            yes_words: [x]
            no_words: [o]
            silent: ["0"]
            hidden: true               # no evidence
            description: Above mean high water.
          rating:
            best: 5                    # the best there is: "4.5 out of 5" is read
        spoken: {}                     # how running text speaks of the rows (``spoken``)

Invariants: nothing of a table is read here; what a file says of tables and columns that are not there is an error when
the tables are opened.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import field
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.errors import ConfigError, nearest
from imprimatur.language import units
from imprimatur.settings_file import Section, read
from imprimatur.sources.tables.relation import ColumnKind, Reference
from imprimatur.sources.tables.spoken import Spoken, read_spoken
from imprimatur.values import Unit

__all__ = ["ColumnWords", "TableWords", "read_described"]

_KINDS = tuple(kind.value for kind in ColumnKind)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnWords:
    """What is said of a column; ``kind`` is empty where nothing is."""

    words: str = ""
    synonyms: tuple[str, ...] = ()
    unit: Unit | None = None
    kind: str = ""
    key: bool = False
    refers: Reference | None = None
    separator: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    hidden: bool = False
    about: str = ""


_NOTHING = ColumnWords()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWords:
    """What is said of a table, and in ``where``."""

    noun: str = ""
    synonyms: tuple[str, ...] = ()
    title: str | None = None
    names: tuple[str, ...] = ()
    iris: str | None = None
    silent: tuple[str, ...] = ()
    about: str = ""
    columns: Mapping[str, ColumnWords] = field(default_factory=dict)
    spoken: Spoken = field(default_factory=Spoken)
    where: str = ""

    def column(self, name: str) -> ColumnWords:
        """What is said of a column."""
        return self.columns.get(name, _NOTHING)

    def check(self, table: str, columns: Collection[str]) -> None:
        """Raises ConfigError for a column that the table has not."""
        for name in (*self.columns, *self.names, *filter(None, (self.title, self.iris))):
            if name not in columns:
                near = nearest(name, columns)
                hint = f"did you mean {near!r}?" if near else f"it has {', '.join(columns)}"
                raise ConfigError(f"the table {table!r} has no column {name[:60]!r}", where=self.where, hint=hint)
        self.spoken.check(table, columns, self.where)


def read_described(path: Path) -> dict[str, TableWords]:
    """What a file says, by table. Raises ConfigError for a wrong key or value."""
    top = Section(read(path, error=ConfigError, environ=os.environ), str(path), ConfigError)
    top.version()
    tables = top.section("tables")
    found = {str(name): _table(tables.section(name)) for name in list(tables.values)}
    top.close()
    return found


def _table(part: Section) -> TableWords:
    columns = part.section("columns")
    made = TableWords(
        noun=part.text("is", "") or "",
        synonyms=part.texts("synonyms"),
        title=part.text("title"),
        names=part.texts("names"),
        iris=part.text("iri"),
        silent=part.texts("silent"),
        about=part.text("description", "") or "",
        columns={str(name): _column(columns.section(name)) for name in list(columns.values)},
        spoken=read_spoken(part.section("spoken")),
        where=part.where,
    )
    part.close()
    return made


def _column(part: Section) -> ColumnWords:
    values = part.section("values")
    made = ColumnWords(
        words=part.text("words", "") or "",
        synonyms=part.texts("synonyms"),
        unit=_unit(part),
        kind=part.choice("kind", _KINDS, _KINDS[0]) if part.values.get("kind") is not None else _unsaid(part),
        key=part.flag("key", False),
        refers=_reference(part),
        separator=part.text("separator"),
        values={str(code): values.text(code) or "" for code in list(values.values)},
        yes=part.texts("yes_words"),
        no=part.texts("no_words"),
        silent=part.texts("silent"),
        hidden=part.flag("hidden", False),
        about=part.text("description", "") or "",
    )
    part.close()
    return made


def _unsaid(part: Section) -> str:
    """The kind where none is said: yes or no where words for them are."""
    part.known.add("kind")
    return ColumnKind.FLAG.value if part.values.get("yes_words") or part.values.get("no_words") else ""


def _unit(part: Section) -> Unit | None:
    written = part.text("unit")
    part.known.add("best")
    if part.values.get("best") is not None:
        if written:
            raise part.fault("best", "a rating has no unit beside its best value", hint="leave one of them out")
        return units.scale(part.integer("best", 5, low=2, high=9999))
    found = units.parse(written) if written else None
    if written and found is None:
        raise part.fault("unit", f"{written[:40]!r} is no unit that is known", hint="for instance km², ft or USD")
    return found


def _reference(part: Section) -> Reference | None:
    written = part.text("refers")
    if written is None:
        return None
    table, dot, column = written.partition(".")
    if not (table and dot and column):
        raise part.fault("refers", f"{written[:60]!r} names no column", hint="write table.column")
    return Reference(table, column)
