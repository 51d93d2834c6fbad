"""Tables of a page as grids: header cells over columns, spanning cells in each place that they span."""

from __future__ import annotations

from typing import Any, NamedTuple

from imprimatur.sources.tables.documents.blocks import Aside, Block, Entry, Fields, Grid, Words
from imprimatur.sources.tables.documents.places import Places
from imprimatur.sources.tables.documents.wording import is_hidden, words_of
from imprimatur.sources.tables.raw import MOST_CELLS, MOST_COLUMNS

__all__ = ["grid_of"]

_MOST_SPAN = 1000


class _Cell(NamedTuple):
    """A cell; ``mark`` tells cells apart that span several places."""

    words: Words
    head: bool
    mark: int


_Row = list[_Cell]


def grid_of(table: Any, places: Places) -> list[Block]:
    """The blocks that a table is: a grid, or the keys and values of one thing; else what is left aside."""
    spot = places.spot(table)

    def aside(reason: str) -> list[Block]:
        return [Aside.of(spot, words_of(table).text, reason)]

    if next(table.iterdescendants("table", "h1", "h2", "h3"), None) is not None:
        return aside("is a table with tables or headings in it")
    if next(table.iterdescendants("th"), None) is None:
        return aside("is a table without header cells (th)")
    asides: list[Block] = []
    caption = None
    if (stated := table.find("caption")) is not None and not is_hidden(stated):
        caption = _words(stated, places)
    rows = _rows(table, places, asides)
    if rows is None:
        return aside(f"is a table with more than {MOST_COLUMNS} columns, or too many cells")
    if len(rows) > 1 and _is_one(rows[0]) and rows[0][0].head:
        caption, rows = caption or rows[0][0].words, rows[1:]
    if all(_is_one(row) or (len(row) == 2 and row[0].head and not row[1].head) for row in rows):
        told = [row for row in rows if not _is_one(row)]
        entries = tuple(Entry(key=row[0].words.text.rstrip(" :"), value=row[1].words) for row in told)
        asides.extend(_left(row, "is one cell over all columns") for row in rows if _is_one(row))
        return [Fields(entries=entries, spot=spot, title=caption), *asides]
    top = next((number for number, row in enumerate(rows) if not all(cell.head for cell in row)), len(rows))
    if not top or len({len(row) for row in rows[:top]}) > 1:
        return aside("is a table without a row of header cells (th) above")
    header = tuple(_header([row[column] for row in rows[:top]]) for column in range(len(rows[0])))
    kept = []
    for row in rows[top:]:
        if len(row) != len(header):
            reason = f"has {len(row)} cells where its table has {len(header)} columns"
            asides.append(_left(row, reason, lost=True))
        elif _is_one(row):
            asides.append(_left(row, "is one cell over all columns"))
        else:
            kept.append(tuple(cell.words for cell in row))
    return [Grid(header=header, rows=tuple(kept), spot=spot, caption=caption), *asides]


def _is_one(row: _Row) -> bool:
    """Whether one cell is the whole row, in a table that has more columns."""
    return len(row) > 1 and len({cell.mark for cell in row}) == 1


def _left(row: _Row, reason: str, *, lost: bool = False) -> Aside:
    text = "; ".join(dict.fromkeys(cell.words.text for cell in row))
    return Aside.of(row[0].words.spot, text, reason, lost=lost)


def _rows(table: Any, places: Places, asides: list[Block]) -> list[_Row] | None:
    """The rows with all their places filled; None where there are too many columns."""
    rows: list[_Row] = []
    below: dict[int, tuple[int, _Cell]] = {}
    mark = cells = 0
    for row in table.iter("tr"):
        if row.getparent().tag == "tfoot" or is_hidden(row):
            what = "a row of sums (tfoot)" if row.getparent().tag == "tfoot" else "hidden from readers of the page"
            asides.append(Aside.of(places.spot(row), words_of(row).text, f"is {what}"))
            continue
        made: _Row = []
        for cell in row.iterchildren("td", "th"):
            mark += 1
            _carry(made, below)
            this = _Cell(_words(cell, places), cell.tag == "th", mark)
            for _ in range(_span(cell, "colspan")):
                if len(made) > MOST_COLUMNS:
                    return None
                if (more := _span(cell, "rowspan") - 1) > 0:
                    below[len(made)] = (more, this)
                made.append(this)
        _carry(made, below)
        cells += len(made)
        if cells > MOST_CELLS:
            return None
        if made:
            rows.append(made)
    return rows


def _carry(cells: _Row, below: dict[int, tuple[int, _Cell]]) -> None:
    """Adds the cells that reach down from rows above, as long as the next column has one."""
    while (held := below.pop(len(cells), None)) is not None:
        left, made = held
        if left > 1:
            below[len(cells)] = (left - 1, made)
        cells.append(made)


def _span(cell: Any, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return min(max(int(value), 1), _MOST_SPAN) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _words(element: Any, places: Places) -> Words:
    if is_hidden(element):
        return Words(text="", spot=places.spot(element), doubt="is hidden from readers of the page")
    made = words_of(element)
    return Words(text=made.text, spot=places.spot(element, made.text), doubt=made.doubt, note=made.note)


def _header(cells: _Row) -> Words:
    """The name of a column that has several headers above it: all of them, from the top."""
    names = dict.fromkeys(cell.words.text for cell in cells)
    last = cells[-1].words
    doubt = next((cell.words.doubt for cell in cells if cell.words.doubt), "")
    return Words(text=" ".join(name for name in names if name), spot=last.spot, doubt=doubt, note=last.note)
