"""Places of rows as the names of graphs: ``doc:lights.csv#row=12``.

A loaded graph keeps at most 65,534 names of graphs. So where the sources of a mapping have more rows, a place is a
range of rows (``row=1201-1220``, RFC 7111, section 2.1), or, for what is found by JSON pointers, the file. Invariant:
whatever the number of rows, the places of one mapping are at most ``MOST``, and each row lies within its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.ingest.mapping.model import Source
from imprimatur.ingest.mapping.sources import Placed, rows

__all__ = ["MOST", "Places"]

MOST = 60_000
_ROW = expression(r"(.*\brow=)([0-9]{1,12})")


class Places:
    """Gives rows their places; the sources are counted first."""

    def __init__(self, sources: Iterable[Source], *, most: int = MOST) -> None:
        """Raises KnowledgeBaseError where a source cannot be read."""
        counts = {source.name: sum(1 for _ in rows(source)) for source in sources}
        self.rows = sum(counts.values())
        self._step = max(1, -(-self.rows // max(1, most - 2 * len(counts))))

    def of(self, source: Source, row: Placed) -> str:
        """The IRI of the place of a row."""
        base = f"doc:{quote(source.shown)}"
        found = _ROW.fullmatch(row.place)
        if self._step == 1:
            return f"{base}#{row.place if found else quote(row.place)}"
        if found is None:
            return base
        first = (int(found[2]) - 1) // self._step * self._step + 1
        return f"{base}#{found[1]}{first}-{first + self._step - 1}"


def placed(source: Source, places: Places) -> Iterator[tuple[str, Placed]]:
    """The rows of a source with the IRIs of their places."""
    for row in rows(source):
        yield places.of(source, row), row
