"""What a statement says of rows, one value at a time: the value, the columns it may be of, the rows that have it.

Invariants: an atom holds of a row where a cell of one of its ``columns`` says its value, or is on the right side of it;
nothing here says what the atoms of a statement come to together.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.language.wordnet import noun_kind
from imprimatur.sources.tables.prose.binding import Line
from imprimatur.sources.tables.prose.cells import CellIndex, Place
from imprimatur.sources.tables.prose.cues import Sign
from imprimatur.sources.tables.prose.days import is_year
from imprimatur.sources.tables.prose.linking import Span, SpanKind
from imprimatur.sources.tables.prose.tokens import Token

__all__ = ["Atom", "atoms_of", "compared", "holds"]

_COMPARED: dict[Sign, Callable[[Any, Any], bool]] = {
    Sign.EQUAL: operator.eq,
    Sign.MORE: operator.gt,
    Sign.LESS: operator.lt,
    Sign.AT_LEAST: operator.ge,
    Sign.AT_MOST: operator.le,
}
_NAMED = ("noun.location", "noun.person", "noun.group")


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """One value of a statement.

    Attributes:
        at: its place among the spans.
        sign: how a cell stands to it.
        columns: the columns that it may be of; ``rows``: for each row that has it, in which of them.
        whole: whether the cells say it and nothing else.
        tied: whether its column is named.
        weak: whether it is an ordinary word that happens to stand in cells.
        more: rows in whose cells it is said among other things, where others say it alone.
    """

    at: int
    span: Span
    columns: frozenset[int]
    rows: Mapping[int, frozenset[int]]
    sign: Sign = Sign.EQUAL
    whole: bool = True
    tied: bool = False
    weak: bool = False
    more: Mapping[int, frozenset[int]] | None = None

    @property
    def settled(self) -> bool:
        """Whether it is of one column for sure: that is named, or only its cells say it; and they say nothing else."""
        return self.whole and (self.tied or (len(self.columns) == 1 and not self.number))

    @property
    def number(self) -> bool:
        """Whether it is a bare number."""
        return self.span.day is None and len(self.span.read) == 1 and self.span.token.number is not None


def atoms_of(line: Line) -> tuple[Atom, ...]:
    """The atoms of a statement, in order; a number or date that no column can be meant by is none."""
    found = []
    for at, span in enumerate(line.spans):
        if span.kind in (SpanKind.VALUE, SpanKind.NUMBER) and at not in line.mute:
            atom = _limited(line, at, span) if at in line.limits else _equal(line, at, span)
            if atom is not None:
                found.append(atom)
    return tuple(found)


def _limited(line: Line, at: int, span: Span) -> Atom | None:
    """The atom of a limit: it needs a column of numbers or dates."""
    sign = line.limits[at].sign
    columns = line.named(at)
    if columns is None:
        wanted = "day" if span.day is not None or is_year(span.token) else "number"
        fit = [column for column in line.index.shown if line.index.kind(column) == wanted]
        if wanted == "day" and not fit:
            fit = [column for column in line.index.shown if line.index.years(column)]
        if len(fit) != 1:
            return None
        columns = frozenset(fit)
    rows: dict[int, set[int]] = {}
    for column in columns:
        for row in range(len(line.index.relation.rows)):
            if holds(line.index, (row, column), span, sign):
                rows.setdefault(row, set()).add(column)
    return Atom(
        at=at, span=span, sign=sign, columns=columns, rows=_frozen(rows), tied=line.named(at) is not None, whole=True
    )


def compared(own: Any, other: Any, sign: Sign) -> bool:
    """Whether a value stands so to another."""
    return _COMPARED[sign](own, other)


def holds(index: CellIndex, place: Place, span: Span, sign: Sign) -> bool:
    """Whether a cell stands so to a number or date. A cell without a worth does not."""
    worth = index.worth(place)
    if worth is None:
        return False
    compared = _COMPARED[sign]
    if span.day is not None:
        return worth.day is not None and worth.day.parts >= span.day.parts and compared(*_cut(worth.day.key, span.day))
    number = span.token.number
    if number is None:
        return False
    if worth.day is not None:
        return is_year(span.token) and worth.day.year is not None and compared(worth.day.year, number)
    return worth.number is not None and compared(worth.number, number)


def _cut(key: tuple[int, int, int], day: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The parts of a date that another states, of both."""
    stated = day.parts
    own = tuple(part for part, there in zip(key, stated, strict=True) if there)
    return own, tuple(part for part, there in zip(day.key, stated, strict=True) if there)


def _equal(line: Line, at: int, span: Span) -> Atom | None:
    """The atom of a value; None for a number that no cell has, where no column is named for it."""
    index = line.index
    whole, part, near = span.found.whole, span.found.part, frozenset[Place]()
    if span.day is None and len(span.read) == 1 and span.token.number is not None:
        whole, part = _numbers(index, span.token, whole, part)
        near = _near(index, span.token) - whole
    named = line.named(at)
    if named is not None:
        return _tied(line, at, whole, part, near)
    if span.token.ordinal and len(span.read) == 1:
        return None  # the first of what?
    if whole or part:
        columns = frozenset(column for _, column in whole or part)
        made = _atom(at, span, columns, whole or part, whole=bool(whole))
        return _with(made, (*part, *near)) if whole else made
    days = span.day is not None or is_year(span.token)
    if not days:
        return _with(_atom(at, span, frozenset(column for _, column in near), ()), near) if near else None
    columns = frozenset(column for column in index.shown if index.kind(column) == "day" or index.years(column))
    return _atom(at, span, columns, ()) if columns else None


def _tied(line: Line, at: int, whole: frozenset[Place], part: frozenset[Place], near: frozenset[Place]) -> Atom:
    """The atom of a value whose column is named: of one that is named in full, if some cell of it has the value."""
    span, named, best = line.spans[at], line.named(at) or frozenset(), line.named(at, best=True)
    for chosen in (best or named, named):
        for cells, all_of_it in ((whole, True), (part, False)):
            if any(column in chosen for _, column in cells):
                made = _atom(at, span, chosen, cells, whole=all_of_it, tied=True)
                further = (place for place in (*part, *near) if place[1] in chosen)
                return _with(made, further) if all_of_it else made
    chosen = best or named
    return _with(_atom(at, span, chosen, (), tied=True), (place for place in near if place[1] in chosen))


def _numbers(
    index: CellIndex, token: Token, whole: frozenset[Place], part: frozenset[Place]
) -> tuple[frozenset[Place], frozenset[Place]]:
    """The cells that have a number, those among them where it is written with something else, or as an ordinal."""
    number = token.number if token.number is not None else Fraction(0)
    if token.ordinal:
        part |= index.find((str(number),)).part
        whole |= index.find((str(number),)).whole
    valued = index.valued(number)
    whole |= frozenset(place for place in valued if (worth := index.worth(place)) is not None and worth.exact)
    return whole, (part | valued) - whole


def _near(index: CellIndex, token: Token) -> frozenset[Place]:
    """The cells that may say a number in another way."""
    digits = len(token.text.partition(".")[2])
    return frozenset() if token.ordinal else index.near(token.number or Fraction(0), digits)


def _atom(
    at: int, span: Span, columns: frozenset[int], places: Iterable[Place], *, whole: bool = True, tied: bool = False
) -> Atom:
    weak = not tied and not whole and len(span.read) == 1 and span.token.number is None and _ordinary(span.text)
    return Atom(
        at=at, span=span, columns=columns, rows=_by_row(places, columns), whole=whole, tied=tied, weak=weak, more=None
    )


def _with(atom: Atom, places: Iterable[Place]) -> Atom:
    part = tuple(places)
    if not part:
        return atom
    columns = atom.columns | {column for _, column in part}
    more = {**_by_row(part, columns)}
    for row, of in atom.rows.items():
        more[row] = of | more.get(row, frozenset())
    return Atom(
        at=atom.at,
        span=atom.span,
        columns=atom.columns,
        rows=atom.rows,
        whole=atom.whole,
        tied=atom.tied,
        more=more,
    )


def _by_row(places: Iterable[Place], columns: frozenset[int]) -> Mapping[int, frozenset[int]]:
    rows: dict[int, set[int]] = {}
    for row, column in places:
        if column in columns:
            rows.setdefault(row, set()).add(column)
    return _frozen(rows)


def _frozen(rows: Mapping[int, Iterable[int]]) -> Mapping[int, frozenset[int]]:
    return {row: frozenset(of) for row, of in rows.items()}


def _ordinary(word: str) -> bool:
    """Whether a word is one of the dictionary, and no name of a place, person or group."""
    kind = noun_kind(word)
    return kind is not None and kind not in _NAMED
