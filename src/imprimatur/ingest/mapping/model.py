"""What a mapping says: frozen, checked when it was read, without input or output."""

from __future__ import annotations

from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.config import Key
from imprimatur.ingest.mapping.terms import Template

__all__ = ["Join", "Map", "Mapping", "Property", "Source", "Vocabulary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Rows: of a file, of a table in an SQLite file, or of a table behind an address.

    Attributes:
        name: as the mapping calls it. path: the file; None behind an address.
        shown: what places call it: the file's path below the mapping's folder, or the address without secrets.
        table: of a database. items: the keys from the root of a JSON file to its things, ``*`` for each of a list.
        nulls: cells, in small letters, that say nothing; None for those that no table takes for a value.
        address: of a database; its text is revealed only to the driver.
    """

    name: str
    path: Path | None = None
    shown: str = ""
    table: str = ""
    items: tuple[str, ...] = ()
    nulls: frozenset[str] | None = None
    address: Key | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """The things of another map: of the rows that have the same cells (own column, other's column), or the same row."""

    map: str
    on: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One property of a row's thing: a column as a literal or an IRI, a template, or another map's thing.

    ``datatype`` is a name of ``terms.DATATYPES``, or ``iri`` for cells that are IRIs.
    """

    iri: str
    column: str = ""
    datatype: str = "string"
    language: str = ""
    template: Template | None = None
    constant: str = ""
    join: Join | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """What each row of a source becomes.

    ``when`` are the conditions that a row must meet: a column, the cells that are meant, and whether they must be one
    of these (True) or must not; no cells at all stand for any that says something.
    """

    name: str
    source: str
    subject: Template
    classes: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()
    when: tuple[tuple[str, tuple[str, ...], bool], ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that it speaks of, each once."""
        named: dict[str, None] = dict.fromkeys(self.subject.columns)
        for each in self.properties:
            named.update(dict.fromkeys((each.column,) if each.column else ()))
            named.update(dict.fromkeys(each.template.columns if each.template else ()))
            named.update(dict.fromkeys(own for own, _ in each.join.on) if each.join else {})
        named.update(dict.fromkeys(column for column, _, _ in self.when))
        return tuple(named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """How a class or property is spoken of: words, other words, the unit of its numbers (an IRI), one value only."""

    iri: str
    kind: str
    label: str
    synonyms: tuple[str, ...] = ()
    unit: str = ""
    functional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """A whole mapping. ``where`` is its file; ``vocabulary`` has an entry for each class and property."""

    where: Path
    sources: tuple[Source, ...]
    maps: tuple[Map, ...]
    vocabulary: tuple[Vocabulary, ...] = ()

    def source(self, name: str) -> Source:
        """The source of a name. Raises KeyError."""
        return {each.name: each for each in self.sources}[name]
