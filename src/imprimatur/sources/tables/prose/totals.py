"""Totals and means: what the numbers of a column come to over the rows that have something."""

from __future__ import annotations

from fractions import Fraction

from imprimatur.sources.tables.prose.atoms import Atom, compared
from imprimatur.sources.tables.prose.cues import Sign
from imprimatur.sources.tables.prose.left import left_over
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import Read
from imprimatur.sources.tables.prose.rows import groups

__all__ = ["total"]

_MEANS = frozenset("average mean averaged".split())
_SUMS = frozenset("total sum combined combine totaled altogether".split())
_REACH = 5


def total(read: Read) -> Outcome | None:
    """What a relation says of a statement about a total or a mean; None where it cannot be read so."""
    end = len(read.line.spans)
    places = [at for at in range(end) if read.word(at) in _MEANS | _SUMS]
    if len(places) != 1:
        return None
    at = places[0]
    column = _column(read, at, end)
    if column is None:
        return None
    claimed = [atom for atom in read.atoms if _is_result(read, atom, column)]
    if len(claimed) != 1:
        number = [
            place
            for place, span in enumerate(read.line.spans)
            if span.token.cardinal is not None and not span.found and place not in read.line.mute
        ]
        if claimed or len(number) != 1:
            return None
        where = number[0]
    else:
        where = claimed[0].at
    others = [atom for atom in read.atoms if atom.at != where]
    if len(groups(others)) > 1:
        return None
    rows = read.rows(others)
    values = [worth.number for row in rows if (worth := read.index.worth((row, column))) is not None]
    exact = [value for value in values if value is not None]
    stated = read.line.spans[where].token
    if len(exact) < 2 or stated.number is None:
        return None
    result = sum(exact, Fraction(0))
    mean = read.word(at) in _MEANS
    result = result / len(exact) if mean else result
    sign = read.line.limits[where].sign if where in read.line.limits else Sign.EQUAL
    if sign is Sign.EQUAL:
        digits = len(stated.text.partition(".")[2])
        holds = abs(result - stated.number) * 2 <= Fraction(1, 10**digits) if mean else result == stated.number
    else:
        holds = compared(result, stated.number, sign)
    limits = read.line.limits[where].places if where in read.line.limits else ()
    return Outcome(
        holds=holds,
        form="total",
        rows=tuple(rows),
        columns=(column,),
        used=tuple(others),
        left=left_over(read, others, (at, where, *limits)),
        sure=len(exact) == len(rows),
    )


def _is_result(read: Read, atom: Atom, column: int) -> bool:
    """Whether an atom is the number that is claimed: of the column, by its name or by nothing else."""
    return atom.number and not atom.span.token.ordinal and (atom.columns == {column} or not atom.tied)


def _column(read: Read, at: int, end: int) -> int | None:
    for place in (*read.headings(at + 1, min(at + 1 + _REACH, end)), *reversed(read.headings(0, at))):
        column = read.ordered(place)
        if column is not None and read.index.kind(column) == "number":
            return column
    return None
