"""Rises and falls, and the days of extremes that come without a number, against rows that go by time.

Contract: asked of the one column of numbers that a sheet has. "Rose from March to May" is wrong where the last of those
cells is not above the first; a rise without a day is one over all rows, and is looked at only where it is said to be
over time or steady, and not to be a part of the whole ("then", "since"). "Steady" is wrong where the cells once go back
by more than half of all that they span. A peak's day is wrong where no cell of it is the highest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.extract.words import forms
from imprimatur.sources.tables.values.clauses import clause_of
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import At

__all__ = ["Named", "trends"]

_RISES = frozenset("increase rise grow climb growth".split())
_FALLS = frozenset("decrease decline drop fall reduce reduction".split())
_STEADY = frozenset("steady steadily gradual gradually consistent consistently continuous continuously".split())
_PARTS = frozenset(
    "then since past recent towards toward slight slightly followed until before after subsequently".split()
)
#: Words before a day, or before the last day of a range.
_WITHIN = frozenset("in during from to and through - –".split())
_OVER = frozenset("time years period decades overall throughout".split())
_DENIALS = frozenset("not n't no without may might could would if".split())
_PEAKS = {"peak": True, "peaked": True, "peaking": True, "highest": True, "lowest": False}
_REACH = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The cells of a column by the rows' order: all of them, and those of each day or range that a sentence names."""

    sheet: str
    column: str
    cells: tuple[tuple[int, Fraction], ...]
    days: tuple[tuple[Item, frozenset[int]], ...]


def trends(sentence: Sentence, named: Named) -> Iterator[Finding]:
    """What the cells say of the rises, falls and days of extremes in a sentence."""
    for index in range(len(sentence.tokens)):
        if sentence.at[index] is None:
            yield from _trend(sentence, named, index)
            yield from _peak(sentence, named, index)


def _trend(sentence: Sentence, named: Named, index: int) -> Iterator[Finding]:
    known = forms(sentence.low(index))
    rises = known.verb in _RISES or known.noun in _RISES
    if not rises and known.verb not in _FALLS and known.noun not in _FALLS:
        return
    start, stop = clause_of(sentence, index)
    words = [sentence.low(at) for at in range(start, stop)]
    if _DENIALS & set(words):
        return
    steady = index > 0 and sentence.low(index - 1) in _STEADY
    days = [rows for item, rows in named.days if start <= item.first < stop]
    if (named.days and not days) or (not days and (_PARTS & set(words) or not (steady or _OVER & set(words)))):
        return
    numbers = [number for number, (row, _) in enumerate(named.cells) if any(row in each for each in days)]
    cells = [cell for _, cell in (named.cells[min(numbers) : max(numbers) + 1] if numbers else named.cells)]
    if len(cells) < 2 or (len(days) == 1 and sentence.low(named.days[0][0].first - 1) not in _WITHIN):
        return
    turned = cells if rises else [-cell for cell in cells]
    holds = turned[-1] > turned[0] and not (steady and _goes_back(turned))
    first = index - 1 if steady else index
    yield _found(sentence, named, (first, index + 1), holds)


def _goes_back(cells: Sequence[Fraction]) -> bool:
    """Whether cells once go back by more than half of all that they span."""
    top, most = cells[0], Fraction(0)
    for cell in cells:
        top = max(top, cell)
        most = max(most, top - cell)
    return most > (max(cells) - min(cells)) / 2


def _peak(sentence: Sentence, named: Named, index: int) -> Iterator[Finding]:
    high = _PEAKS.get(sentence.low(index))
    if high is None:
        return
    for at in range(index + 1, min(index + _REACH, len(sentence.tokens))):
        item = sentence.at[at]
        if sentence.tokens[at].text in ",;." or (item is not None and item.kind == "number" and not item.date):
            return
        day = next((each for each in named.days if each[0].first == at), None)
        if day is not None:
            cells = [cell for _, cell in named.cells]
            best = max(cells) if high else min(cells)
            holds = any(cell == best and row in day[1] for row, cell in named.cells)
            yield _found(sentence, named, (day[0].first, day[0].stop), holds)
            return


def _found(sentence: Sentence, named: Named, span: tuple[int, int], holds: bool) -> Finding:
    return Finding(
        start=sentence.tokens[span[0]].start,
        end=sentence.tokens[span[1] - 1].end,
        kind="word",
        outcome=Outcome.SUPPORTED if holds else Outcome.CONTRADICTED,
        rows=tuple(At(named.sheet, row) for row, _ in (named.cells[0], named.cells[-1])),
        columns=(named.column,),
    )
