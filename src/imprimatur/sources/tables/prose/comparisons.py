"""Comparisons: a value of one row against that of another, or how many rows there are of each.

"A has more points than B", "A has 2 more points than B", "the crowd at A was larger than at B", "A happened later than
B", "A won more games than B". Each side must come to one value: that of its only row, or the number of its rows where
the column counts nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.atoms import Atom
from imprimatur.sources.tables.prose.degrees import Degree, degree_of
from imprimatur.sources.tables.prose.left import left_over
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import Read
from imprimatur.sources.tables.prose.superlatives import best_in, by_adjective, winners

__all__ = ["comparison"]

_REACH = 6
_TIMES = {"before": False, "after": True}
_OWN = frozenset("than that the of do does did have has had".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pivot:
    """Where a comparison turns: its degree, the places of its words, and of the stated difference."""

    degree: Degree
    at: int
    stop: int
    by: int | None = None


def comparison(read: Read) -> Outcome | None:
    """What a relation says of a statement that compares two things; None where it cannot be read so."""
    end = len(read.line.spans)
    pivot = _pivot(read, end)
    if pivot is None:
        return None
    left = _side(read, 0, pivot.at, pivot)
    right = _side(read, pivot.stop, end, pivot)
    if not left.rows:
        return None
    column = _column(read, pivot, end)
    other = column
    if not right.rows:  # "A won more than it lost"
        named = [found for at in read.headings(pivot.stop, end) if (found := read.ordered(at)) is not None]
        if right.atoms or len(named) != 1 or column is None or named[0] == column:
            return None
        right, other = left, named[0]
    values = _values(read, left, right, column, other)
    if values is None:
        return None
    up = pivot.degree.up
    if column is not None and read.ranks(column) and pivot.degree.word in ("higher", "better", "lower", "worse"):
        up = not up
    difference = values[0] - values[1] if up else values[1] - values[0]
    wanted = read.line.spans[pivot.by].token.number if pivot.by is not None else None
    inner = [at for at in range(pivot.at, pivot.stop) if read.word(at) in _OWN or at == pivot.at]
    places = (*inner, *left.places, *right.places, *((pivot.by,) if pivot.by is not None else ()))
    return Outcome(
        holds=difference == wanted if wanted is not None else difference > 0,
        form="comparison",
        rows=(*left.rows, *right.rows),
        columns=tuple(found for found in dict.fromkeys((column, other)) if found is not None),
        used=(*left.atoms, *right.atoms),
        left=left_over(read, (*left.atoms, *right.atoms), places),
        sure=len(left.rows) == 1 == len(right.rows),
    )


def _values(
    read: Read, left: _Side, right: _Side, column: int | None, other: int | None
) -> tuple[Fraction, Fraction] | None:
    """What is compared: the value of each side in its column, or how many rows each has where no column is meant."""
    if column is None or other is None:
        if len(left.rows) == 1 == len(right.rows):
            return None  # each is one thing: it is no number that is compared
        return Fraction(len(left.rows)), Fraction(len(right.rows))
    one, two = _value(read, left.rows, column), _value(read, right.rows, other)
    return None if one is None or two is None else (one, two)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    atoms: tuple[Atom, ...]
    rows: tuple[int, ...]
    places: tuple[int, ...] = ()
    best: bool = False


def _pivot(read: Read, end: int) -> _Pivot | None:
    """The one place where a statement compares two things."""
    limiting = {place for limit in read.line.limits.values() for place in limit.places}
    found: list[_Pivot] = []
    for at in range(end):
        if at in limiting:
            continue
        word = read.word(at)
        if word == "than":
            for place in range(at - 1, max(at - _REACH, -1), -1):
                degree = degree_of(read.word(place), most=False)
                if degree is not None:
                    found.append(_Pivot(degree=degree, at=place, stop=at + 1, by=_difference(read, place, at)))
                    break
        elif word in _TIMES and at + 1 < end:
            found.append(_Pivot(degree=Degree(_TIMES[word], True, word), at=at, stop=at + 1, by=_span(read, at)))
    return found[0] if len(found) == 1 else None


def _difference(read: Read, at: int, than: int) -> int | None:
    """The place of a stated difference: "2 more", "2 points higher", "2 games more", "higher by 2"."""
    for place in (at - 1, at - 2, than - 1):
        if place >= 0 and read.line.spans[place].token.cardinal is not None:
            if place == at - 1 or (place == at - 2 and (read.word(at - 1) or read.is_name(at - 1))):
                return place
            if read.word(place - 1) == "by":
                return place
    return None


def _span(read: Read, at: int) -> int | None:
    """The place of a stated time between: "7 years before"."""
    place = at - 2
    return place if place >= 0 and read.line.spans[place].token.cardinal is not None else None


def _side(read: Read, first: int, stop: int, pivot: _Pivot) -> _Side:
    """What one side of a comparison is: the rows that it describes."""
    best = best_in(read, first, stop)
    without = {pivot.by} if pivot.by is not None else set()
    if best is not None:
        atoms = read.within(first, stop, {*best.places, *without})
        won, _ = winners(read, best, read.rows(atoms))
        places = (*best.places, *((best.name,) if best.name is not None else ()))
        return _Side(atoms=atoms, rows=tuple(won), places=places, best=True)
    atoms = tuple(atom for atom in read.within(first, stop, without) if not atom.weak)
    return _Side(atoms=atoms, rows=tuple(read.rows(atoms)) if atoms else ())


def _column(read: Read, pivot: _Pivot, end: int) -> int | None:
    """The column that is compared: the one named in the comparison, else before it."""
    time = pivot.degree.time
    for place in (*read.headings(pivot.at, pivot.stop), *reversed(read.headings(0, pivot.at))):
        column = read.ordered(place)
        if column is not None and (not time or read.index.kind(column) == "day" or read.index.years(column)):
            return column
    if time:
        days = [column for column in read.index.shown if read.index.kind(column) == "day"]
        years = [column for column in read.index.shown if read.index.years(column)]
        fit = days or years
        return fit[0] if len(fit) == 1 else None
    found = by_adjective(read, pivot.degree)
    return found[0] if found is not None else None


def _value(read: Read, rows: Sequence[int], column: int) -> Fraction | None:
    """The one value that some rows have in a column."""
    found = set()
    for row in rows:
        worth = read.index.worth((row, column))
        if worth is None:
            return None
        if worth.number is not None:
            found.add(worth.number)
        elif worth.day is not None:
            found.add(Fraction(_ordinal(worth.day.key)))
    return found.pop() if len(found) == 1 else None


def _ordinal(key: tuple[int, int, int]) -> int:
    year, month, day = key
    return (year * 12 + month) * 31 + day
