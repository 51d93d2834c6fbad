"""Tables of a page, row by row with their headers.

A header is a ``th`` in the first row (or ``thead``) for its column, and a ``th`` elsewhere for its row. Cells that span
several columns or rows stand in each of them. A table that lays out a page (tables or headings in it, or long texts
without any header) is no table.
"""

from __future__ import annotations

from typing import Any

from imprimatur.sources.passages.extraction import Cell, Extraction

__all__ = ["read_table", "text_of"]

_DROPPED = frozenset(("script", "style", "noscript", "template"))
_BREAKING = frozenset(("br", "p", "div", "li"))
_LONG = 400
_MOST_SPAN = 100
_MOST_COLUMNS = 500


def text_of(element: Any) -> str:
    """The words of an element on one line, without those of scripts and styles."""
    return " ".join("".join(_words(element)).split())


def _words(element: Any) -> list[str]:
    from lxml import etree

    found: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, each in walker:
        if event == "start":
            if each.tag in _DROPPED:
                walker.skip_subtree()
            else:
                found.append(" " if each.tag in _BREAKING else "")
                found.append(each.text or "")
        elif each is not element:
            found.append(each.tail or "")
    return found


def read_table(table: Any, into: Extraction) -> bool:
    """Writes a table's rows down; False, and nothing written, where it only lays out a page."""
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    if not rows or _lays_out(table):
        return False
    caption = table.find("caption")
    if caption is not None:
        into.paragraph(text_of(caption))
    header: list[str] = []
    for cells in _grid(rows):
        names = [text for text, head in cells if head]
        if not header and names and len(names) == len(cells) > 1:
            header = [text for text, _ in cells]
            continue
        _write(cells, header, into)
    return True


def _lays_out(table: Any) -> bool:
    if next(table.iterdescendants("table", "h1", "h2", "h3"), None) is not None:
        return True
    if next(table.iterdescendants("th"), None) is not None:
        return False
    return any(len(text_of(cell)) > _LONG for cell in table.iterdescendants("td"))


def _grid(rows: list[Any]) -> list[list[tuple[str, bool]]]:
    """The cells of each row, each with whether it is a header; spanning cells are repeated."""
    grid = []
    below: dict[int, tuple[int, tuple[str, bool]]] = {}
    for row in rows:
        cells: list[tuple[str, bool]] = []
        for cell in row.iterchildren("td", "th"):
            _carry(cells, below)
            made = (text_of(cell), cell.tag == "th")
            for _ in range(_span(cell, "colspan")):
                if len(cells) < _MOST_COLUMNS:
                    if (more := _span(cell, "rowspan") - 1) > 0:
                        below[len(cells)] = (more, made)
                    cells.append(made)
        _carry(cells, below)
        grid.append(cells)
    return grid


def _carry(cells: list[tuple[str, bool]], below: dict[int, tuple[int, tuple[str, bool]]]) -> None:
    """Adds the cells that reach down from rows above, as long as the next column has one."""
    while (held := below.pop(len(cells), None)) is not None:
        left, made = held
        if left > 1:
            below[len(cells)] = (left - 1, made)
        cells.append(made)


def _span(cell: Any, name: str) -> int:
    value = cell.get(name) or "1"
    return min(max(int(value), 1), _MOST_SPAN) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _write(cells: list[tuple[str, bool]], header: list[str], into: Extraction) -> None:
    if len(cells) == 1 and not header:
        into.paragraph(cells[0][0], gap="\n")
        return
    name, made = "", list[Cell]()
    for column, cell in enumerate(cells):
        text, head = cell
        if column and cells[column - 1] is cell:  # one cell over several columns
            continue
        if head and not header:
            # The header of a row: "Length | 1,233 km".
            name = text
            continue
        under = header[column] if column < len(header) else name
        made.append(((under,) if under else (), text))
    into.row(made)
