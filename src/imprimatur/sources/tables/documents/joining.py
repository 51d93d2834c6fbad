"""The records and sheets of some documents as tables.

Records under one heading are rows of one table, whichever document they stand in; records without one are, where one
has all the keys of the other. Sheets of one name and the same columns are one table; one of a name that is taken gets a
number.
Documents of different trust are never joined. Invariant: what does not become a cell is among what is left aside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.documents.blocks import Aside, Words
from imprimatur.sources.tables.documents.things import Record, Sheet, Things
from imprimatur.sources.tables.raw import RawTable, cell_of, checked_size, distinct
from imprimatur.sources.tables.relation import Cell, Row, Spot

__all__ = ["Document", "joined"]

_LONGEST = 200
_MOST_TABLES = 1000
_TITLES = ("name", "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: its file's name, what it says, and what its tables are called where nothing in it says so."""

    origin: str
    stem: str
    things: Things
    table: str = ""
    trust: str = ""


class _Joining:
    """Makes the tables, and remembers what is left aside."""

    def __init__(self) -> None:
        self.asides: list[Aside] = []
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def aside(self, words: Words, reason: str, origin: str, *, lost: bool = False) -> None:
        """Notes what is left aside."""
        self.asides.append(replace(Aside.of(words.spot, words.text, reason, lost=lost), origin=origin))

    def name(self, wanted: str, origin: str) -> str:
        """The name, or the name with a number where it is taken. Raises KnowledgeBaseError for too many tables."""
        name = wanted
        while name.lower() in self._taken:
            number = self._numbers[wanted] = self._numbers.get(wanted, 1) + 1
            name = f"{wanted} {number}"
        self._taken.add(name.lower())
        _checked_count(len(self._taken), origin)
        return name

    def cell(self, words: Words, origin: str) -> Cell:
        """What a cell says; silence, and left aside, where it is in doubt."""
        if words.doubt or words.note:
            self.aside(words, words.doubt or words.note, origin)
        return None if words.doubt else cell_of(words.text)


def joined(documents: Sequence[Document]) -> tuple[tuple[RawTable, ...], tuple[Aside, ...]]:
    """The tables of some documents, and what was left aside of them. Raises KnowledgeBaseError for too many cells."""
    joining = _Joining()
    for each in documents:
        joining.asides.extend(replace(aside, origin=each.origin) for aside in each.things.asides)
    made = [*_sheets(documents, joining), *_records(documents, joining)]
    order = {each.origin: number for number, each in enumerate(documents)}
    asides = sorted(joining.asides, key=lambda each: (order[each.origin], each.spot.line, each.spot.start))
    return tuple(made), tuple(asides)


# -- sheets ------------------------------------------------------------------------------------------------------------
def _sheets(documents: Sequence[Document], joining: _Joining) -> Iterator[RawTable]:
    groups: dict[tuple[str, str, tuple[str, ...]], list[tuple[str, str, Sheet]]] = {}
    for each in documents:
        for sheet in each.things.sheets:
            name = " ".join((sheet.name or each.table or each.stem).split())
            heads = tuple(words.text.lower() for words in sheet.grid.header)
            groups.setdefault((each.trust, name.lower(), heads), []).append((name, each.origin, sheet))
    for held in groups.values():
        name, origin, first = held[0]
        doubt = next((words.doubt for words in first.grid.header if words.doubt), "")
        names = [words.text for words in first.grid.header]
        if names and not names[0] and "name" not in (each.lower() for each in names):
            names[0] = "name"  # what stands there names the rows
        columns = _columns(names, "has a header that " + doubt if doubt else "", name)
        if isinstance(columns, str):
            for _, own, sheet in held:
                at = Words(text=" | ".join(words.text for words in sheet.grid.header), spot=sheet.grid.spot)
                joining.aside(at, columns, own)
            continue
        checked_size(sum(len(sheet.grid.rows) for _, _, sheet in held) * len(columns), origin)
        rows = [row for _, own, sheet in held for row in _sheet_rows(sheet, own, origin, joining)]
        title = columns[0] if not first.grid.header[0].text else None
        yield RawTable(name=joining.name(name, origin), origin=origin, names=columns, rows=tuple(rows), title=title)


def _columns(names: Sequence[str], doubt: str, table: str) -> tuple[str, ...] | str:
    """The names of the columns, or why there is no such table."""
    if doubt:
        return doubt
    if len(table) > _LONGEST:
        return f"is under a name of more than {_LONGEST} characters"
    try:
        return distinct(names, "")
    except KnowledgeBaseError as fault:
        return f"is a table that cannot be: {fault.message}"


def _sheet_rows(sheet: Sheet, own: str, origin: str, joining: _Joining) -> Iterator[Row]:
    for cells in sheet.grid.rows:
        made = tuple(joining.cell(words, own) for words in cells)
        if any(cell is not None for cell in made):
            spots = tuple(words.spot for words in cells)
            yield _row(made, spots, cells[0].spot.line, "" if own == origin else own)


def _row(cells: tuple[Cell, ...], spots: tuple[Spot | None, ...], line: int, origin: str) -> Row:
    return Row(place=f"line {line}", cells=cells, spots=spots, origin=origin)


# -- records -----------------------------------------------------------------------------------------------------------
_Held = tuple[Document, Record]


def _records(documents: Sequence[Document], joining: _Joining) -> Iterator[RawTable]:
    for held in _grouped(documents):
        first, leading = held[0]
        name = " ".join((leading.group or first.table or first.stem).split())
        found: dict[str, str] = {}
        for _, one in held:
            for said in one.said:
                found.setdefault(said.column.lower(), said.column)
        title = next(each for each in chain(_TITLES, map("name {}".format, count(2))) if each not in found)
        columns = _columns([title, *found.values()], "", name)
        if isinstance(columns, str):
            for document, one in held:
                joining.aside(one.title, columns, document.origin)
            continue
        checked_size(len(held) * len(columns), first.origin)
        rows = tuple(_record_rows(held, list(found), first.origin, joining))
        if rows:
            paths = _paths(held, found)
            yield RawTable(
                name=joining.name(name, first.origin),
                origin=first.origin,
                names=columns,
                rows=rows,
                title=title,
                paths=paths,
            )


def _grouped(documents: Sequence[Document]) -> list[list[_Held]]:
    """The records of each table: those of one name; those without one by their keys, where one has all of another's."""
    named: dict[tuple[str, str], list[_Held]] = {}
    nameless: dict[tuple[str, frozenset[str]], list[_Held]] = {}
    wider: list[tuple[str, set[str], list[_Held]]] = []
    groups: list[list[_Held]] = []
    for each in documents:
        for record in each.things.records:
            name = " ".join((record.group or each.table).split()).lower()
            keys = frozenset(said.column.lower() for said in record.said)
            held = named.get((each.trust, name)) if name else nameless.get((each.trust, keys))
            if held is None and not name:
                fit = (at for at in wider if at[0] == each.trust and (at[1] <= keys or at[1] >= keys))
                found = next(fit, None)
                if found is not None:
                    found[1].update(keys)
                    held = found[2]
            if held is None:
                held = []
                groups.append(held)
                _checked_count(len(groups), each.origin)
                if not name:
                    wider.append((each.trust, set(keys), held))
            if name:
                named[each.trust, name] = held
            else:
                nameless[each.trust, keys] = held
            held.append((each, record))
    return groups


def _checked_count(tables: int, origin: str) -> None:
    """Raises KnowledgeBaseError for too many tables."""
    if tables > _MOST_TABLES:
        hint = "give things of one kind one heading, and their attributes the same names"
        raise KnowledgeBaseError(f"documents come to more than {_MOST_TABLES} tables", where=origin, hint=hint)


def _paths(held: Iterable[_Held], found: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The keys that lead to the columns of things within the things."""
    said = (each for _, record in held for each in record.said if len(each.path) > 1)
    return {found[each.column.lower()]: each.path for each in said}


def _record_rows(held: Sequence[_Held], keys: Sequence[str], origin: str, joining: _Joining) -> Iterator[Row]:
    for document, record in held:
        own = document.origin
        name = cell_of(record.title.text)
        if name is None or len(name) > _LONGEST:
            joining.aside(record.title, "cannot be the name of a thing", own, lost=True)
            continue
        said = {each.column.lower(): each.words for each in record.said}
        cells = (name, *(joining.cell(said[key], own) if key in said else None for key in keys))
        spots = (record.title.spot, *(said[key].spot if key in said else None for key in keys))
        yield _row(cells, spots, record.spot.line, "" if own == origin else own)
