"""The entries under ``tables:`` in imprimatur.yaml: files of tables, and what must be known to judge by them.

Invariant: nothing here is opened but to see that it exists.
"""

from __future__ import annotations

from pathlib import Path

from imprimatur._config_paths import NamedFiles
from imprimatur._config_rdf import TRUST_CLASSES
from imprimatur._dataclasses import dataclass
from imprimatur.settings_file import Section

__all__ = ["TableFile", "read_tables"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """A file of tables.

    ``complete``: its tables hold all things of their kind; or the names of those that do. ``described``: the file that
    says what its columns are. ``statements``: whole statements in prose are read over those of its tables that are
    complete, and may be refuted by them. ``values``: single numbers, names and days of running text are held against
    its rows, and may be contradicted.
    """

    path: Path
    complete: bool | tuple[str, ...] = False
    described: Path | None = None
    trust: str = TRUST_CLASSES[0]
    statements: bool = False
    values: bool = False


def read_tables(top: Section, named: NamedFiles) -> tuple[TableFile, ...]:
    """The files of tables: names, or mappings with ``file``."""
    value = top.take("tables")
    entries = value if isinstance(value, list) else [] if value is None else [value]
    found = []
    for number, entry in enumerate(entries):
        if isinstance(entry, str):
            entry = {"file": entry}
        if not isinstance(entry, dict):
            raise top.fault("tables", "expected files, or mappings with `file`", hint="for instance [rivers.csv]")
        found.append(_table(Section(entry, top.where, top.error, path=f"{top.path}tables[{number}]."), named))
    return tuple(found)


def _table(part: Section, named: NamedFiles) -> TableFile:
    name = part.text("file")
    if name is None:
        raise part.fault("file", "is missing", hint="name the file of the table")
    described = part.text("described")
    stated = part.values.get("complete")
    made = TableFile(
        path=named.existing(part, "file", name, folders=False),
        complete=part.texts("complete") if isinstance(stated, list) else part.flag("complete", False),
        described=None if described is None else named.existing(part, "described", described, folders=False),
        trust=part.choice("trust", TRUST_CLASSES, TRUST_CLASSES[0]),
        statements=part.flag("statements", False),
        values=part.flag("values", False),
    )
    if made.statements and not made.complete:
        raise part.fault(
            "statements", "needs tables that hold all of their kind", hint="add complete: true, if it is so"
        )
    part.close()
    return made
