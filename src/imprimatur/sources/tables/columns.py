"""What the columns of a table are: numbers with units, dates, yes or no, texts; keys; and how they are spoken of.

Invariants: a kind is given to a column only when all of the cells that are looked at are of it; a unit is taken from a
name only where it stands as one ("length (km)", "length_km", "length in km"), never guessed from what is usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur._expressions import expression
from imprimatur.extract.words import forms
from imprimatur.language import dates, units
from imprimatur.language.clock_times import hours
from imprimatur.sources.tables.described import ColumnWords, TableWords
from imprimatur.sources.tables.numbers import is_exact, unit_of
from imprimatur.sources.tables.opening_hours import opening_day
from imprimatur.sources.tables.raw import RawTable
from imprimatur.sources.tables.relation import Cell, Column, ColumnKind, Reference, Relation, Row
from imprimatur.values import Unit

__all__ = ["referring", "relation_of", "spoken"]

_LOOKED_AT = 300
_YES_NO = frozenset(("yes", "no", "true", "false", "y", "n"))
_BITS = frozenset(("0", "1"))
_WORD = expression(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+|[^\w\s]+")
_APART = expression(r"[\s_]+|(?<=\w)-(?=\w)")
_BRACKETED = expression(r"^(.*\S)\s*[(\[]\s*([^()\[\]]{1,30})\s*[)\]]\s*$")
_TRAILING = expression(r"^(.*[^\s_,])(?:[\s_]+in|,)?[\s_]+([^\s_,]{1,20})$")
#: "rating (out of 5)"
_BEST = expression(r"(\S.{0,80}?)[\s_]*[(\[]?[\s_]*(?:out[\s_]of[\s_]|/\s?)(\d{1,4})[)\]]?")
_YEARS = frozenset(("year", "date", "since", "founded", "born", "died", "established", "built", "opened"))
_TITLES = ("name", "title", "label")
_FULL_YEAR = expression(r"\d{4}")
_ALL_DAY = expression(r"(\d{1,2}:\d{1,2})\s?[-–]\s?\1")
#: Digits that begin with a nought are a code (a postcode, a number to call), not a number.
_CODE = expression(r"0\d+")


def relation_of(raw: RawTable, described: TableWords | None = None) -> Relation:
    """The relation of a table, with what is said of it."""
    told = described or TableWords()
    silent = frozenset(told.silent)
    rows = raw.rows
    if silent or any(column.silent for column in told.columns.values()):
        marks = [silent | frozenset(told.column(name).silent) for name in raw.names]
        rows = tuple(_silenced(row, marks) for row in rows)
    raw = replace(raw, rows=rows)
    columns = tuple(_column(raw, at, told.column(name)) for at, name in enumerate(raw.names))
    return Relation(
        name=raw.name,
        origin=raw.origin,
        columns=columns,
        rows=rows,
        title=told.title or raw.title or _title([column for column in columns if column.name not in raw.paths]),
        names=told.names,
        iris=told.iris,
        nouns=(told.noun or _noun(raw.name), *told.synonyms),
        about=told.about,
        spoken=told.spoken,
    )


def _silenced(row: Row, marks: Sequence[frozenset[str]]) -> Row:
    """The row without what stands for "not known"."""
    return replace(
        row, cells=tuple(None if cell in mark else cell for cell, mark in zip(row.cells, marks, strict=True))
    )


def _noun(name: str) -> str:
    """What a row of a table of this name is: "lighthouses" holds lighthouses."""
    words = _words(name).split()
    if not words:
        return name
    return " ".join([*words[:-1], forms(words[-1].lower()).noun or words[-1]])


def spoken(name: str) -> tuple[str, Unit | None]:
    """The words of a column's name, in lower case, and the unit that stands in it."""
    if (rated := _BEST.fullmatch(name)) is not None and int(rated[2]) > 1:
        return _words(rated[1]), units.scale(int(rated[2]))
    for pattern, shortest in ((_BRACKETED, 1), (_TRAILING, 2)):
        found = pattern.match(name)
        if found and len(found[2]) >= shortest and (unit := units.parse(found[2])) is not None:
            return _words(found[1]), unit
    return _words(name), None


def _words(name: str) -> str:
    """A name in words: "RestaurantsTakeOut" and "restaurants_take_out" have three; "has WiFi" has two."""
    apart = _APART.split(name.strip(" _-"))
    parts = apart if len(apart) > 1 else _WORD.findall(name)
    return " ".join(part if len(part) > 1 and part.isupper() else part.lower() for part in parts if part)


def _column(raw: RawTable, at: int, told: ColumnWords) -> Column:
    name = raw.names[at]
    cells = [row.cells[at] for row in raw.rows]
    words, unit = spoken(name)
    known = [cell for cell in cells if cell is not None]
    kind = ColumnKind.TEXT if name == raw.title else _kind(words, known[:_LOOKED_AT])
    kind = ColumnKind(told.kind) if told.kind else kind
    if kind is ColumnKind.NUMBER:
        unit = told.unit or unit or unit_of(known)
        if not told.kind and not all(is_exact(cell, unit) for cell in known):
            kind = ColumnKind.TEXT
    if kind is not ColumnKind.NUMBER:
        words, unit = _words(name), None
    refers = told.refers or next((reference for own, reference in raw.refers if own == name), None)
    return Column(
        name=name,
        kind=kind,
        unit=unit,
        words=told.words or words,
        synonyms=(*told.synonyms, *(() if told.words else _written(name, words))),
        key=told.key or name in raw.keys or (kind is ColumnKind.TEXT and _all_differ(cells)),
        refers=refers,
        separator=told.separator,
        values={**told.values, **dict.fromkeys(told.yes, "yes"), **dict.fromkeys(told.no, "no")},
        hidden=told.hidden or name in raw.made,
        about=told.about,
        path=raw.paths.get(name, ()),
    )


def _written(name: str, words: str) -> tuple[str, ...]:
    """The name as one word, where capitals within it need not begin words ("WiFi")."""
    low = name.lower()
    return (low,) if low.isalpha() and low != words.lower() else ()


def _kind(words: str, cells: Sequence[str]) -> ColumnKind:
    if not cells:
        return ColumnKind.TEXT
    low = {cell.lower() for cell in cells}
    if low <= _YES_NO or (low <= _BITS and words.split(" ")[0] in ("is", "has")):
        return ColumnKind.FLAG
    if _YEARS & set(words.lower().split()) and all(_FULL_YEAR.fullmatch(cell) for cell in cells):
        return ColumnKind.DATE
    unit = unit_of(cells)
    if opening_day(words) is not None and all(hours(cell) is not None or _ALL_DAY.fullmatch(cell) for cell in cells):
        return ColumnKind.HOURS
    if not any(map(_CODE.fullmatch, cells)) and all(is_exact(cell, unit) for cell in cells):
        return ColumnKind.NUMBER
    return ColumnKind.DATE if all(map(_is_date, cells)) else ColumnKind.TEXT


def _is_date(cell: str) -> bool:
    found = dates.find(cell)
    return len(found) == 1 and (found[0].start, found[0].end) == (0, len(cell))


def _all_differ(cells: Sequence[Cell]) -> bool:
    return bool(cells) and None not in cells and len(set(cells)) == len(cells)


def _title(columns: Sequence[Column]) -> str | None:
    """The column that names the rows: a text that is called a name, or else the first one if its cells all differ."""
    texts = [column for column in columns if column.kind is ColumnKind.TEXT and column.refers is None]
    named = (column for column in texts if column.words.lower().split(" ")[-1] in _TITLES)
    found = next(named, None) or next((column for column in texts[:1] if column.key), None)
    return found.name if found is not None else None


def referring(relations: Sequence[Relation]) -> tuple[Relation, ...]:
    """The relations, with the references that their cells show where none is declared.

    A text column refers to another relation's title when every one of its cells is one of that title's cells.
    """
    titles = [(each.name, each.title, frozenset(each.cells(each.title))) for each in relations if each.title]

    def referred(own: Relation, column: Column) -> Column:
        cells = {cell for cell in own.cells(column.name) if cell is not None}
        if column.kind is not ColumnKind.TEXT or column.refers is not None or not cells or column.name == own.title:
            return column
        fit = [Reference(name, title) for name, title, there in titles if title and name != own.name and cells <= there]
        return replace(column, refers=fit[0]) if len(fit) == 1 else column

    return tuple(replace(each, columns=tuple(referred(each, column) for column in each.columns)) for each in relations)
