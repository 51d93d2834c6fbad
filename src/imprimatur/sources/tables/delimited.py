"""Tables in files of delimited values (CSV, TSV and their kin; RFC 4180).

The first line names the columns. The delimiter is the one that cuts the first lines into equally many cells. A line of
another length than the first is an error that names it: nothing is guessed about which cell is missing.
"""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from pathlib import Path

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.raw import RawTable, cell_of, checked_size, distinct
from imprimatur.sources.tables.relation import Row

__all__ = ["delimiter_of", "read_delimited"]

_DELIMITERS = (",", ";", "\t", "|")
_LOOKED_AT = 20
_LONGEST_CELL = 1 << 20


def read_delimited(path: Path) -> RawTable:
    """The table of a file.

    Raises:
        KnowledgeBaseError: it is not UTF-8, has no columns, or a line has another number of cells.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        hint = "save it as UTF-8"
        raise KnowledgeBaseError(f"byte {fault.start} is not UTF-8", where=str(path), hint=hint) from fault
    except OSError as fault:
        raise KnowledgeBaseError(f"cannot be read: {fault.strerror or fault}", where=str(path)) from fault
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else delimiter_of(text)
    return _read(text, delimiter, path)


def delimiter_of(text: str) -> str:
    """The delimiter that cuts most of the first lines alike, into more than one cell; a comma where none does."""
    best, most = ",", 0
    for each in _DELIMITERS:
        lengths = _lengths(text, each)
        alike = sum(length == lengths[0] for length in lengths) if lengths and lengths[0] > 1 else 0
        if alike * 1000 + (lengths[0] if alike else 0) > most and alike * 2 > len(lengths):
            best, most = each, alike * 1000 + lengths[0]
    return best


def _lengths(text: str, delimiter: str) -> list[int]:
    """How many cells the first lines have, as far as they can be read with a delimiter."""
    found: list[int] = []
    with suppress(csv.Error):
        for cells, _ in zip(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), range(_LOOKED_AT)):
            found.append(len(cells))
    return found


def _read(text: str, delimiter: str, path: Path) -> RawTable:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    csv.field_size_limit(_LONGEST_CELL)
    names: tuple[str, ...] = ()
    rows: list[Row] = []
    try:
        for cells in reader:
            line = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = distinct(cells, str(path))
                continue
            if len(cells) != len(names):
                message = f"{len(cells)} cells where the first line names {len(names)} columns"
                raise KnowledgeBaseError(
                    message, where=f"{path}, line {line}", hint="quote cells that hold the delimiter"
                )
            rows.append(Row(place=f"line {line}", cells=tuple(map(cell_of, cells))))
            checked_size(len(rows) * len(names), str(path))
    except csv.Error as fault:
        raise KnowledgeBaseError(str(fault), where=f"{path}, line {reader.line_num}") from fault
    if not names:
        raise KnowledgeBaseError("there is no line that names columns", where=str(path))
    return RawTable(name=path.stem, origin=path.name, names=names, rows=tuple(rows))
