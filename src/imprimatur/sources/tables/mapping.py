"""Relations as triples: a row is a thing named by its title cell, a column a property, a reference a link between rows.

The vocabulary is that which the graph engine reads: OWL for kinds of properties, QUDT for units, RDFS and SKOS for
names. Invariants: an empty cell gives no triple; a cell that is not of its column's kind gives none; a reference that
fits no row, or several, gives none; a column whose cells may hold several values each is not functional.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from imprimatur._expressions import expression
from imprimatur.language import dates
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SKOS, XSD
from imprimatur.sources.tables.numbers import lexical, unit_iri
from imprimatur.sources.tables.opening_hours import said, stated
from imprimatur.sources.tables.relation import Cell, Column, ColumnKind, Relation, Row
from imprimatur.sources.tables.terms import class_iri, column_iri, row_iri
from imprimatur.values import Bound, DateValue

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["Value", "flag", "quads", "title_of", "value_of"]

#: A value: its lexical form and datatype.
Value = tuple[str, str]
_UNIT = "http://qudt.org/schema/qudt/hasUnit"
_LONGEST_NAME = 200
_LONGEST_TEXT = 80
_IRI = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_SEVERAL = expression(r"[,;/|&]|\band\b")
_YES, _NO = frozenset(("yes", "true", "y", "1")), frozenset(("no", "false", "n", "0"))
_REFERRING = frozenset(("id", "key", "no", "ref"))


def quads(relations: Sequence[Relation], names: Iterable[str], *, years: str = "xsd10") -> Iterator[ox.Quad]:
    """The triples of the relations with these names; the others are what they refer to."""
    rows = _Rows(relations)
    wanted = set(names)
    for relation in relations:
        if relation.name in wanted:
            yield from _Mapped(relation, rows, years).quads()


class _Rows:
    """Finds the row that a cell refers to."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._relations = {each.name: each for each in relations}
        self._known: dict[tuple[str, str], Mapping[str, int | None]] = {}

    def index(self, relation: str, column: str) -> Mapping[str, int | None]:
        """The number of the row by the cell in a column; None for a cell that several rows have."""
        to = self._relations[relation]
        column = column or next((each.name for each in to.columns if each.key), to.title or to.columns[0].name)
        known = self._known.get((relation, column))
        if known is None:
            found: dict[str, int | None] = {}
            for number, cell in enumerate(to.cells(column), 1):
                if cell is not None:
                    found[cell] = None if cell in found else number
            known = self._known[relation, column] = found
        return known

    def term(self, relation: str, number: int) -> str:
        """The thing that a row is."""
        to = self._relations[relation]
        return term_of(to, number, to.rows[number - 1])


def title_of(relation: Relation, row: Row) -> str | None:
    """What names a row; None where nothing does."""
    cell = row.cells[relation.numbers[relation.title]] if relation.title else None
    return cell if cell is not None and len(cell) <= _LONGEST_NAME else None


def term_of(relation: Relation, number: int, row: Row) -> str:
    """The thing that a row is: that of the graph whose IRI it has, or one of its own."""
    stated = row.cells[relation.numbers[relation.iris]] if relation.iris else None
    if stated is not None and _IRI.fullmatch(stated):
        return stated
    return row_iri(relation.name, number, named=title_of(relation, row) is not None)


class _Mapped:
    """One relation on its way to triples."""

    def __init__(self, relation: Relation, rows: _Rows, years: str) -> None:
        import pyoxigraph as ox

        self.relation, self.rows, self.years, self.ox = relation, rows, years, ox
        self.cls = ox.NamedNode(class_iri(relation.name))
        self.type = ox.NamedNode(RDF + "type")
        self.label, self.other = ox.NamedNode(RDFS + "label"), ox.NamedNode(SKOS + "altLabel")
        self.types: dict[str, ox.NamedNode] = {}
        naming = {relation.title, relation.iris, *relation.names}
        self.columns = [(c, n) for n, c in enumerate(relation.columns) if not c.hidden and c.name not in naming]

    def quads(self) -> Iterator[ox.Quad]:
        """The class, the properties, the rows."""
        yield self._quad(self.cls, self.type, self._node(OWL + "Class"))
        yield from self._named(self.cls, self.relation.nouns, self.relation.about)
        properties = [self.ox.NamedNode(column_iri(self.relation.name, column.name)) for column, _ in self.columns]
        for (column, _), made in zip(self.columns, properties):
            if column.kind is ColumnKind.HOURS:
                yield from self._hours(column)
            else:
                yield from self._property(column, made)
        for number, row in enumerate(self.relation.rows, 1):
            yield from self._row(number, row, properties)

    def _property(self, column: Column, made: ox.NamedNode) -> Iterator[ox.Quad]:
        kind = "ObjectProperty" if column.refers else "DatatypeProperty"
        yield self._quad(made, self.type, self._node(OWL + kind))
        if _single(column, self.relation.cells(column.name)):
            yield self._quad(made, self.type, self._node(OWL + "FunctionalProperty"))
        yield from self._named(made, (_label(column), *column.synonyms), column.about)
        yield self._quad(made, self._node(RDFS + "domain"), self.cls)
        ranged = class_iri(column.refers.relation) if column.refers else XSD + _DATATYPES[column.kind]
        if column.refers or column.kind is not ColumnKind.DATE:
            yield self._quad(made, self._node(RDFS + "range"), self._node(ranged))
        unit = unit_iri(column.unit) if column.unit is not None else None
        if unit is not None:
            yield self._quad(made, self._node(_UNIT), self._node(unit))

    def _hours(self, column: Column) -> Iterator[ox.Quad]:
        """The properties that a column of opening hours is."""
        for each in said(column):
            made = self.ox.NamedNode(column_iri(self.relation.name, column.name, each.part))
            yield self._quad(made, self.type, self._node(OWL + "DatatypeProperty"))
            yield self._quad(made, self.type, self._node(OWL + "FunctionalProperty"))
            yield from self._named(made, each.wordings, column.about)
            yield self._quad(made, self._node(RDFS + "domain"), self.cls)
            yield self._quad(made, self._node(RDFS + "range"), self._node(each.datatype))

    def _row(self, number: int, row: Row, properties: Sequence[ox.NamedNode]) -> Iterator[ox.Quad]:
        title = title_of(self.relation, row)
        thing = self.ox.NamedNode(term_of(self.relation, number, row))
        yield self._quad(thing, self.type, self.cls)
        if title is not None:
            yield self._quad(thing, self.label, self.ox.Literal(title))
        for name in self.relation.names if title is not None else ():
            cell = row.cells[self.relation.numbers[name]]
            if cell is not None and len(cell) <= _LONGEST_NAME:
                yield self._quad(thing, self.other, self.ox.Literal(cell))
        for (column, at), made in zip(self.columns, properties):
            cell = row.cells[at]
            if column.kind is ColumnKind.HOURS:
                for part, (form, datatype) in stated(column, cell or ""):
                    node = self._node(column_iri(self.relation.name, column.name, part))
                    yield self._quad(thing, node, self.ox.Literal(form, datatype=self._node(datatype)))
                continue
            for each in _cut(column, cell) if cell is not None else ():
                if (value := self._value(column, each)) is not None:
                    yield self._quad(thing, made, value)

    def _value(self, column: Column, cell: str) -> ox.NamedNode | ox.Literal | None:
        if column.refers is not None:
            number = self.rows.index(column.refers.relation, column.refers.column).get(cell)
            return None if number is None else self.ox.NamedNode(self.rows.term(column.refers.relation, number))
        found = value_of(column, cell, self.years)
        return None if found is None else self.ox.Literal(found[0], datatype=self._node(found[1]))

    def _named(self, term: ox.NamedNode, names: Sequence[str], about: str) -> Iterator[ox.Quad]:
        for at, name in enumerate(dict.fromkeys(names)):
            yield self._quad(term, self.other if at else self.label, self.ox.Literal(name))
        if about:
            yield self._quad(term, self._node(RDFS + "comment"), self.ox.Literal(about))

    def _node(self, iri: str) -> ox.NamedNode:
        found = self.types.get(iri)
        if found is None:
            found = self.types[iri] = self.ox.NamedNode(iri)
        return found

    def _quad(self, subject: ox.NamedNode, predicate: ox.NamedNode, value: ox.NamedNode | ox.Literal) -> ox.Quad:
        return self.ox.Quad(subject, predicate, value)


_DATATYPES = {
    ColumnKind.TEXT: "string",
    ColumnKind.NUMBER: "decimal",
    ColumnKind.FLAG: "boolean",
    ColumnKind.DATE: "",
    ColumnKind.HOURS: "",
}


def _label(column: Column) -> str:
    """What a column is called; of one that refers to others by a mark of theirs, without the word for the mark."""
    words = column.words.split(" ")
    if column.refers is not None and len(words) > 1 and words[-1].lower() in _REFERRING:
        words = words[:-1]
    return " ".join(words)


def _single(column: Column, cells: Iterable[Cell]) -> bool:
    """Whether a row has one value at most, so that another one is wrong."""
    if column.separator is not None:
        return False
    if column.kind is not ColumnKind.TEXT or column.refers is not None:
        return True
    return not any(cell is not None and (len(cell) > _LONGEST_TEXT or _SEVERAL.search(cell)) for cell in cells)


def _cut(column: Column, cell: str) -> Sequence[str]:
    """The values of a cell."""
    if column.separator is None:
        return (column.values.get(cell, cell),)
    parts = (part.strip() for part in cell.split(column.separator))
    return [column.values.get(part, part) for part in parts if part]


def value_of(column: Column, cell: str, years: str) -> Value | None:
    """The value of a cell of a column that refers to nothing; None where it is not of the column's kind."""
    match column.kind:
        case ColumnKind.NUMBER:
            number = lexical(cell, column.unit)
            return None if number is None else (number, XSD + "decimal")
        case ColumnKind.FLAG:
            truth = flag(cell)
            return None if truth is None else (str(truth).lower(), XSD + "boolean")
        case ColumnKind.DATE:
            return _date(cell, years)
        case _:
            return cell, XSD + "string"


def flag(cell: str) -> bool | None:
    """What a cell says of yes and no; None where it says neither."""
    low = cell.lower()
    return True if low in _YES else False if low in _NO else None


@lru_cache(maxsize=65536)
def _date(cell: str, years: str) -> Value | None:
    found = dates.find(cell)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(cell)):
        return None
    value: DateValue = found[0].value
    if value.other or value.bound is not Bound.EXACT or value.first is None:
        return None  # days and months could be exchanged: nothing is guessed
    year, month, day = value.first
    if year < 0 and years == "xsd11":
        year += 1
    written = f"{'-' if year < 0 else ''}{abs(year):04}"
    match value.precision:
        case "day":
            return f"{written}-{month:02}-{day:02}", XSD + "date"
        case "month":
            return f"{written}-{month:02}", XSD + "gYearMonth"
        case "year":
            return written, XSD + "gYear"
    return None
