"""The quads of a mapping: a row after a row, each fact in the graph that is the row's place.

Invariants: a cell that says nothing, or is no value of its datatype, makes no quad; the latter is told (``Aside``). A
row whose subject cannot be named makes none at all. The same files and mapping give the same quads in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field

from imprimatur._dataclasses import dataclass
from imprimatur.errors import LimitExceeded
from imprimatur.ingest.mapping.model import Map, Mapping, Property
from imprimatur.ingest.mapping.places import Places
from imprimatur.ingest.mapping.sources import checked, rows
from imprimatur.ingest.mapping.terms import Cells, literal, open_iri
from imprimatur.sources.graph.terms import RDF, RdfLiteral, iri_text, literal_text

__all__ = ["Aside", "Quad", "Told", "line", "quads"]

#: More would not be loaded in reasonable time; what is larger belongs into a store of its own.
MOST_QUADS = 20_000_000
_SHOWN = 20

#: Subject, property, value (an IRI as text) and the place.
Quad = tuple[str, str, "str | RdfLiteral", str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A cell or row that made nothing: where it stands, its property or "", and why."""

    place: str
    property: str
    reason: str


@dataclass(slots=True)
class Told:
    """What came of a mapping: numbers of rows and quads, and what was left aside (the first twenty, and how many)."""

    rows: int = 0
    quads: int = 0
    left: int = 0
    asides: list[Aside] = field(default_factory=list)

    def aside(self, place: str, property_: str, reason: str) -> None:
        """Notes that something made nothing."""
        self.left += 1
        if len(self.asides) < _SHOWN:
            self.asides.append(Aside(place=place, property=property_, reason=reason))


def quads(mapping: Mapping, places: Places, told: Told) -> Iterator[Quad]:
    """The quads of a mapping; ``told`` is filled as they come.

    Raises:
        ConfigError: a map names a column that its source has not.
        KnowledgeBaseError: a source cannot be read.
        LimitExceeded: there are more than are held.
    """
    for each in mapping.maps:
        checked(mapping.source(each.source), each.columns, where=str(mapping.where))
    others = _Others(mapping)
    for each in mapping.maps:
        for quad in _quads_of(mapping, each, others, places=places, told=told):
            told.quads += 1
            if told.quads > MOST_QUADS:
                raise LimitExceeded(f"the mapping makes more than {MOST_QUADS:,} facts", where=str(mapping.where))
            yield quad


def line(quad: Quad) -> str:
    """A quad as a line of N-Quads, without its line end."""
    subject, predicate, value, place = quad
    written = literal_text(value) if isinstance(value, RdfLiteral) else iri_text(value)
    return f"{iri_text(subject)} {iri_text(predicate)} {written}{f' {iri_text(place)}' if place else ''} ."


def _quads_of(mapping: Mapping, made: Map, others: _Others, *, places: Places, told: Told) -> Iterator[Quad]:
    source = mapping.source(made.source)
    for row in rows(source):
        if not _meets(made, row.cells):
            continue
        told.rows += 1
        place = places.of(source, row)
        subject = made.subject.iri(row.cells)
        if subject is None:
            told.aside(place, "", "a cell of its subject says nothing")
            continue
        for cls in made.classes:
            yield subject, RDF + "type", cls, place
        for each in made.properties:
            values, fault = _values(each, row.cells, others, made)
            for value in dict.fromkeys(values):
                yield subject, each.iri, value, place
            if fault:
                told.aside(place, each.iri, fault)


def _meets(made: Map, cells: Cells) -> bool:
    """Whether a row meets the conditions; a cell that says nothing meets none of them."""
    for column, wanted, among in made.when:
        cell = cells.get(column)
        if cell is None or (wanted and (cell.strip() in wanted) is not among):
            return False
    return True


def _values(each: Property, cells: Cells, others: _Others, of: Map) -> tuple[list[str | RdfLiteral], str]:
    """What a property has in a row, and why it has nothing where that is a fault of the cell."""
    if each.join is not None:
        return others.found(each, cells, of), ""
    if each.constant:
        value = each.constant if each.datatype == "iri" else literal(each.constant, each.datatype, each.language)
        return ([value] if value is not None else []), ""
    if each.template is not None and each.datatype == "iri":
        iri = each.template.iri(cells)
        return ([iri] if iri is not None else []), ""
    cell = each.template.filled(cells) if each.template is not None else cells.get(each.column)
    if cell is None:
        return [], ""
    if each.datatype == "iri":
        found = open_iri(cell)
        return ([found], "") if found is not None else ([], f"{cell[:60]!r} is no IRI of the web")
    value = literal(cell, each.datatype, each.language)
    return ([value], "") if value is not None else ([], f"{cell[:60]!r} is no {each.datatype}")


class _Others:
    """The subjects of maps by the cells that joins go by; each is read once."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._maps = {each.name: each for each in mapping.maps}
        self._known: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], list[str]]] = {}

    def found(self, each: Property, cells: Cells, of: Map) -> list[str | RdfLiteral]:
        """The things that a row refers to."""
        join = each.join
        assert join is not None
        other = self._maps[join.map]
        if not join.on:
            same = other.subject.iri(cells) if _meets(other, cells) and other.source == of.source else None
            return [same] if same is not None else []
        own = [cells.get(column) for column, _ in join.on]
        if any(cell is None for cell in own):
            return []
        index = self._index(other, tuple(column for _, column in join.on))
        return list(index.get(tuple(str(cell) for cell in own), ()))

    def _index(self, other: Map, columns: tuple[str, ...]) -> dict[tuple[str, ...], list[str]]:
        known = self._known.get((other.name, columns))
        if known is None:
            source = self._mapping.source(other.source)
            checked(source, columns, where=str(self._mapping.where))
            found: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
            for row in rows(source):
                key = [row.cells.get(column) for column in columns]
                subject = other.subject.iri(row.cells) if _meets(other, row.cells) else None
                if subject is not None and not any(cell is None for cell in key):
                    found[tuple(str(cell) for cell in key)][subject] = None
            known = self._known[other.name, columns] = {key: list(things) for key, things in found.items()}
        return known
