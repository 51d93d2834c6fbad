"""The rows of an RML mapping, written for the engine in terms in which no cell can do harm.

Each source is a CSV file with columns place, c0, c1, … of ASCII: an IRI of a cell was checked, all else is
percent-encoded, which no reader changes. What the engine gives is decoded again.
"""

from __future__ import annotations

import csv
from pathlib import Path
from urllib.parse import quote

from imprimatur._dataclasses import dataclass
from imprimatur.ingest.mapping.model import Source
from imprimatur.ingest.mapping.places import Places, placed
from imprimatur.ingest.mapping.sources import checked
from imprimatur.ingest.mapping.terms import Cells, open_iri, template

__all__ = ["Column", "Rml", "encoded"]

#: What a column of a staged file holds, and of what: "cell", "iri", "text" (a template), "constant", or "parent", a
#: cell again, for joins: morph-kgc takes a join of a column with itself for the row itself, whatever others have in it.
Column = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rml:
    """A checked mapping in the engine's terms.

    ``lines`` are its triples in N-Triples; ``columns`` what the staged file of each source holds; ``sources`` in the
    order of their files (``s0.csv``, …). ``properties`` and ``classes`` are the constant ones that it names, properties
    with whether their values are things.
    """

    where: Path
    lines: tuple[str, ...]
    sources: tuple[Source, ...]
    columns: tuple[tuple[Column, ...], ...]
    properties: tuple[tuple[str, bool], ...]
    classes: tuple[str, ...]

    def stage(self, folder: Path, places: Places) -> int:
        """Writes the rows of all sources for the engine; how many there were. Raises KnowledgeBaseError as ``rows``."""
        count = 0
        for number, (source, columns) in enumerate(zip(self.sources, self.columns, strict=True)):
            cells = tuple(dict.fromkeys(name for column in columns for name in _names(column)))
            checked(source, cells, where=str(self.where))
            fills = [_Fill(column) for column in columns]
            with (folder / f"s{number}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, quoting=csv.QUOTE_ALL)
                writer.writerow(["place", *(f"c{at}" for at in range(len(columns)))])
                for place, row in placed(source, places):
                    writer.writerow([place, *(fill(row.cells) or "" for fill in fills)])
                    count += 1
        return count


class _Fill:
    """Gives what a staged column has for a row: an IRI as it is, all else percent-encoded, which no reader changes."""

    def __init__(self, column: Column) -> None:
        self._kind, self._of = column
        self._template = template(self._of) if self._kind == "text" else None

    def __call__(self, cells: Cells) -> str | None:
        if self._kind == "constant":
            cell: str | None = self._of
        else:
            cell = self._template.filled(cells) if self._template is not None else cells.get(self._of)
        if cell is None:
            return None
        return open_iri(cell) if self._kind == "iri" else encoded(cell)


def encoded(text: str) -> str:
    """A text in unreserved characters of ASCII and percent signs (RFC 3986, section 2.1)."""
    return quote(text, safe="", errors="replace")


def _names(column: Column) -> tuple[str, ...]:
    kind, of = column
    made = template(of) if kind == "text" else None
    return made.columns if made is not None else (of,) if kind != "constant" else ()
