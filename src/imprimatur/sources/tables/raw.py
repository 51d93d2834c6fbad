"""Tables as they are read from files, before anything is known of their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.relation import Cell, Reference, Row

__all__ = ["MOST_CELLS", "MOST_COLUMNS", "SILENT", "RawTable", "cell_of", "checked_name", "checked_size", "distinct"]

#: More cells than this belong into a database that is queried where it is.
MOST_CELLS = 5_000_000
MOST_COLUMNS = 500
#: What stands in a cell of which the value is not known.
SILENT = frozenset(("", "na", "n/a", "#n/a", "null", "nan", "nil", "-", "–", "—", "--", "?", "unknown", "\\n"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """A table of a file.

    ``keys`` and ``refers`` are those that the file declares, by column name; ``made`` are columns that are not in it;
    ``paths`` has the keys that lead to a column of a thing within the row's: what names that one does not name the row.
    ``title`` is the column that the file itself says names them.
    """

    name: str
    origin: str
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    keys: frozenset[str] = frozenset()
    refers: tuple[tuple[str, Reference], ...] = ()
    made: frozenset[str] = frozenset()
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    title: str | None = None


def cell_of(written: object) -> Cell:
    """A value as a cell: its text without the white space around it; None where it says nothing."""
    if written is None:
        return None
    if isinstance(written, bool):
        return "true" if written else "false"
    text = " ".join(str(written).split())
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")  # JSON can write halves of characters
    return None if text.lower() in SILENT else text


def checked_size(cells: int, origin: str) -> None:
    """Raises KnowledgeBaseError for more cells than are held."""
    if cells > MOST_CELLS:
        raise KnowledgeBaseError(
            f"more than {MOST_CELLS:,} cells", where=origin, hint="name the database itself under `tables`"
        )


def checked_name(name: str, origin: str) -> str:
    """A name without the white space around it. Raises KnowledgeBaseError for one that no engine can hold."""
    cleaned = " ".join(name.split())
    if "\0" in cleaned or any("\ud800" <= char <= "\udfff" for char in cleaned) or len(cleaned) > 1000:
        hint = "use letters, digits and spaces"
        raise KnowledgeBaseError(f"{cleaned[:60]!a} cannot be the name of a table or column", where=origin, hint=hint)
    return cleaned


def distinct(names: Sequence[str], origin: str) -> tuple[str, ...]:
    """The names of columns. Raises KnowledgeBaseError where one is missing or there twice."""
    found: dict[str, str] = {}  # the engine does not tell small letters from capitals
    if len(names) > MOST_COLUMNS:
        raise KnowledgeBaseError(f"more than {MOST_COLUMNS} columns", where=origin, hint="leave out those of no use")
    for number, name in enumerate(names, 1):
        cleaned = checked_name(name, origin)
        if not cleaned:
            raise KnowledgeBaseError(f"column {number} has no name", where=origin, hint="name it in the first line")
        if cleaned.lower() in found or cleaned.lower() == "_rowid_":
            raise KnowledgeBaseError(f"two columns are called {cleaned[:60]!r}", where=origin, hint="rename one")
        found[cleaned.lower()] = cleaned
    return tuple(found.values())
