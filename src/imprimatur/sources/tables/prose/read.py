"""A statement as it was read over a relation: its line, its atoms, and what a stretch of it describes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.atoms import Atom, atoms_of
from imprimatur.sources.tables.prose.binding import BE, HAVE, Line, line_of
from imprimatur.sources.tables.prose.cells import CellIndex
from imprimatur.sources.tables.prose.linking import SpanKind
from imprimatur.sources.tables.prose.rows import having

__all__ = ["Read", "read"]

_RANKS = frozenset("rank ranking position pos place placing finish standing no".split())


@dataclass(frozen=True, slots=True)
class Read:
    """A line with its atoms."""

    line: Line
    atoms: tuple[Atom, ...]

    @property
    def index(self) -> CellIndex:
        """The cells and columns."""
        return self.line.index

    @property
    def every(self) -> range:
        """The numbers of all rows."""
        return range(len(self.index.relation.rows))

    @property
    def titles(self) -> frozenset[int]:
        """The columns that name the rows."""
        relation = self.index.relation
        return frozenset(relation.numbers[name] for name in (relation.title, *relation.names) if name is not None)

    def within(self, first: int, stop: int, without: Collection[int] = ()) -> tuple[Atom, ...]:
        """The atoms of a stretch, but for those at some places."""
        return tuple(atom for atom in self.atoms if first <= atom.at < stop and atom.at not in without)

    def rows(self, atoms: Iterable[Atom], among: Iterable[int] | None = None) -> list[int]:
        """The rows that have all of some atoms, all rows where there are none."""
        chosen = tuple(atoms)
        base = self.every if among is None else among
        return having(chosen, base) or having(chosen, base, loose=True)

    def headings(self, first: int, stop: int) -> list[int]:
        """The places of the names of columns in a stretch, whether bound or not."""
        return [at for at in range(max(first, 0), min(stop, len(self.line.spans))) if self.line.spans[at].headings]

    def columns(self, at: int) -> tuple[int, ...]:
        """The columns that the name at a place speaks of, those of which all is said before others."""
        said = self.line.spans[at].headings
        best = [each.column for each in said if each.whole]
        return tuple(best or (each.column for each in said))

    def ordered(self, at: int) -> int | None:
        """The one column of numbers or dates that the name at a place speaks of."""
        found = [column for column in self.columns(at) if self.index.kind(column)]
        return found[0] if len(found) == 1 else None

    def word(self, at: int) -> str:
        """The word at a place; "" where none stands by itself."""
        return self.line.word(at)

    def verb(self, first: int, stop: int) -> int | None:
        """The first form of "be" or "have" in a stretch."""
        return next((at for at in range(first, stop) if self.word(at) in BE | HAVE), None)

    def ranks(self, column: int) -> bool:
        """Whether a column holds places, of which the first is the best."""
        return any(_RANKS & set(name) for name in self.index.headings[column])

    def is_name(self, at: int) -> bool:
        """Whether a place holds the name of a column."""
        return 0 <= at < len(self.line.spans) and self.line.spans[at].kind is SpanKind.HEADING


def read(text: str, index: CellIndex) -> Read:
    """A statement read over a relation."""
    line = line_of(text, index)
    return Read(line, atoms_of(line))
