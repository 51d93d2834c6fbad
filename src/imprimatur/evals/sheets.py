"""The first sheet of an .xlsx workbook as rows by its head, read with the standard library alone.

Of the workbook only texts and numbers as they are stored are taken (ECMA-376 part 1, 18.3 and 18.4): no formula is
worked out and no format applied. Contract: a file that is no workbook, is too large when unpacked, or declares entities
is an InputError; a row has a text for every name of the head, empty where the cell is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from imprimatur._expressions import expression
from imprimatur.errors import InputError

__all__ = ["sheet_rows"]

_SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_MOST_BYTES = 100_000_000
_PLACE = expression(r"([A-Z]{1,3})\d+")
_HINT = "save it anew as .xlsx or .csv"


def sheet_rows(path: Path) -> Iterator[tuple[dict[str, str], str]]:
    """The rows of the first sheet, each with its place. Raises InputError."""
    try:
        with ZipFile(path) as book:
            names = sorted(name for name in book.namelist() if name.startswith("xl/worksheets/sheet"))
            if not names:
                raise InputError("has no sheet", where=str(path), hint=_HINT)
            first = "xl/worksheets/sheet1.xml" if "xl/worksheets/sheet1.xml" in names else names[0]
            shared = _part(book, "xl/sharedStrings.xml") if "xl/sharedStrings.xml" in book.namelist() else None
            sheet = _part(book, first)
    except OSError as fault:
        raise InputError(f"cannot be read: {fault.strerror}", where=str(path), hint="check the path") from fault
    except (BadZipFile, ElementTree.ParseError, RuntimeError, NotImplementedError, EOFError) as fault:
        raise InputError(f"not an .xlsx workbook: {str(fault)[:200]}", where=str(path), hint=_HINT) from fault
    texts = [_text(item) for item in shared.iter(f"{_SPACE}si")] if shared is not None else []
    lines = iter(sheet.iter(f"{_SPACE}row"))
    head = {column: name.strip() for column, name in _cells(next(lines, None), texts, path).items() if name.strip()}
    if not head:
        raise InputError("its first sheet has no head", where=str(path), hint=_HINT)
    for line in lines:
        cells = _cells(line, texts, path)
        if any(value.strip() for value in cells.values()):
            where = f"{path}: row {line.get('r', '?')}"
            yield {name: cells.get(column, "") for column, name in head.items()}, where


def _part(book: ZipFile, name: str) -> ElementTree.Element:
    """One part of a workbook. Raises ParseError for one that declares entities: they could unfold without end."""
    if book.getinfo(name).file_size > _MOST_BYTES:
        raise RuntimeError(f"{name} is larger than {_MOST_BYTES} bytes")
    data = book.read(name)
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ElementTree.ParseError(f"{name} declares a document type")
    return ElementTree.fromstring(data)


def _cells(line: ElementTree.Element | None, texts: list[str], path: Path) -> dict[str, str]:
    """The texts of a row by their column."""
    found: dict[str, str] = {}
    for cell in line.iter(f"{_SPACE}c") if line is not None else ():
        place = _PLACE.fullmatch(cell.get("r", ""))
        if place is not None:
            found[place[1]] = _value(cell, texts, path)
    return found


def _value(cell: ElementTree.Element, texts: list[str], path: Path) -> str:
    if cell.get("t") == "inlineStr":
        return _text(cell)
    value = cell.findtext(f"{_SPACE}v") or ""
    if cell.get("t") != "s":
        return value
    if not value.isdigit() or int(value) >= len(texts):
        raise InputError(f"the cell {cell.get('r')} names no text", where=str(path), hint=_HINT)
    return texts[int(value)]


def _text(item: ElementTree.Element) -> str:
    """All runs of a text, but how it is pronounced."""
    spoken = {run for part in item.iter(f"{_SPACE}rPh") for run in part.iter(f"{_SPACE}t")}
    return "".join(run.text or "" for run in item.iter(f"{_SPACE}t") if run not in spoken)
