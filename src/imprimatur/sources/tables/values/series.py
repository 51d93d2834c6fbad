"""Numbers and dates of a text against rows that go by time: cells of a day, the lowest and highest, the first and last.

Contract: asked of sheets with a column of dates that all differ. A number is held against the columns whose words stand
beside it, or whose unit it has; against the rows of the days that its sentence names (or the last one that did), and
against all rows. It is contradicted where it is said to be the lowest, highest or of a day and no such cell is it, or
where it lies outside all cells; that it is among the cells of another day is no support. Numbers of no column are left
alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.language import rounding
from imprimatur.language.rounding import Match
from imprimatur.sources.tables.numbers import decimal
from imprimatur.sources.tables.relation import ColumnKind
from imprimatur.sources.tables.values.dated import day_of, is_on, is_same_day, month_beside, with_month
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import At, Lookup, Record, Sheet, stem, words_of
from imprimatur.sources.tables.values.trends import Named, trends
from imprimatur.values import Unit

__all__ = ["Series", "series_of"]

_LOW = frozenset("low lows lowest minimum min dropping drop drops bottom nadir least".split())
_HIGH = frozenset("high highs highest maximum max peak peaks peaked peaking top most".split())
_LAST = frozenset("end latest recent current currently".split())
_WHOLE = frozenset("overall throughout period days week data chart graph".split())
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_JOINED = frozenset(("and", "&", "to", "through", "-", "–"))
_DENIALS = frozenset("no not without n't never".split())
_LONGEST = 60
#: A longer series is looked at too long for each number.
_MOST_ROWS = 5_000
_REACH = 6


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A number with the columns that it may be of, the rows, and what is said of it: "low", "high", "last" or ""."""

    item: Item
    columns: tuple[str, ...]
    rows: tuple[_Row, ...]
    role: str
    dated: bool
    day: Item | None = None


class Series:
    """The rows of one sheet in the order of their days; remembers the day that a text speaks of."""

    def __init__(self, sheet: Sheet, column: str, rows: Sequence[_Row]) -> None:
        self._sheet, self._column = sheet, column
        self._rows = tuple(rows)
        self._current: tuple[_Row, ...] = ()
        self._opened = False
        self._texts = _texts(sheet)

    def check(self, sentence: Sentence) -> Iterator[Finding]:
        """What the rows say of the numbers and dates of the next sentence."""
        named = self._named(sentence)
        words = {token.lower for token in sentence.tokens}
        if named:
            self._current = named[-1][1]
        elif words & _WHOLE:
            self._current = ()
        yield from self._span(sentence)
        yield from self._told(sentence, named)
        if len(self._sheet.values) == 1:
            yield from trends(sentence, self._cells_of(next(iter(self._sheet.values)), named))
        numbers = [
            i for i in sentence.items if i.kind == "number" and i.quantity is not None and not i.quantity.ordinal
        ]
        last: tuple[str, ...] = ()
        for at, item in enumerate(numbers):
            if item.article or month_beside(sentence, item) or sentence.low(item.first - 1) in ("per", "next"):
                continue
            after = numbers[at + 1] if at + 1 < len(numbers) else None
            columns = self._columns(sentence, item, after, last)
            last = columns or last
            if columns:
                asked = self._asked(sentence, item, (numbers[at - 1] if at else None, after), columns, named)
                yield self._held(asked)
                yield from self._misdated(asked)

    def _cells_of(self, column: str, named: Sequence[tuple[Item, tuple[_Row, ...]]]) -> Named:
        cells = [(row.number, n) for row in self._rows if (n := self._sheet.number(row.number, column)) is not None]
        days = tuple((item, frozenset(row.number for row in rows)) for item, rows in named)
        return Named(sheet=self._sheet.name, column=column, cells=tuple(cells), days=days)

    def _told(self, sentence: Sentence, named: Sequence[tuple[Item, tuple[_Row, ...]]]) -> Iterator[Finding]:
        """Words that cells say ("light rain"): wrong where no row of the day that is named has them."""
        stems = [stem(token.lower) for token in sentence.tokens]
        at = 0
        while at < len(stems):
            stop = next(
                (at + n for n in self._texts.lengths(stems[at]) if self._texts.get(tuple(stems[at : at + n]))), at
            )
            said = self._texts.get(tuple(stems[at:stop]))
            if said is None:
                at += 1
                continue
            place = Item(
                kind="phrase", first=at, stop=stop, start=sentence.tokens[at].start, end=sentence.tokens[stop - 1].end
            )
            rows = _nearest(sentence, place, named)[1] or self._current
            column, having = said
            denied = any(sentence.low(index) in _DENIALS for index in range(max(0, at - _REACH), at))
            if rows and not denied:
                fits = any(row.number in having for row in rows)
                at_rows = tuple(At(self._sheet.name, row.number) for row in rows[:5])
                outcome = Outcome.SUPPORTED if fits else Outcome.CONTRADICTED
                yield replace(_found(place, outcome, at_rows, (column,)), kind="word")
            at = stop

    def _columns(self, sentence: Sentence, item: Item, after: Item | None, last: tuple[str, ...]) -> tuple[str, ...]:
        """The columns that a number may be of: those whose words stand before or after it and that its unit fits."""
        unit = item.quantity.unit if item.quantity is not None else None
        if unit is None and after is not None and _ranged(sentence, item, after) and after.quantity is not None:
            unit = after.quantity.unit
        near = [i for i in reversed(sentence.items) if i.stop <= item.first] + [
            i for i in sentence.items if item.stop <= i.first <= item.stop + 3
        ]
        for each in near:
            found = tuple(
                p.name for p in each.means("value") if p.sheet == self._sheet.name and self._fits(p.name, unit)
            )
            if found:
                return found
        numeric = tuple(name for name in self._sheet.values if self._fits(name, unit))
        written = sentence.text[item.start : item.end]
        return (
            numeric
            if (unit is not None and unit.dimension) or (len(self._sheet.values) == 1 and "." in written)
            else ()
        )

    def _fits(self, name: str, unit: Unit | None) -> bool:
        own = self._unit(name)
        if unit is None or own is None:
            return own is None and (unit is None or unit.symbol == "%")
        return own.dimension == unit.dimension and (own.symbol == "%") == (unit.symbol == "%")

    def _asked(
        self,
        sentence: Sentence,
        item: Item,
        beside: tuple[Item | None, Item | None],
        columns: tuple[str, ...],
        named: Sequence[tuple[Item, tuple[_Row, ...]]],
    ) -> _Asked:
        before, after = beside
        role = _role(sentence, item)
        if not role and after is not None and _ranged(sentence, item, after):
            role = "low"
        elif not role and before is not None and _ranged(sentence, before, item):
            role = "high"
        day, rows = _nearest(sentence, item, named)
        rows = rows or self._current
        return _Asked(item=item, columns=columns, rows=rows or self._rows, role=role, dated=bool(rows), day=day)

    def _misdated(self, asked: _Asked) -> Iterator[Finding]:
        """The day of a lowest or highest number that is right but is another day's."""
        own, every = self._wanted(asked.rows, asked), self._wanted(self._rows, asked)
        unit = self._unit(asked.columns[0])
        if asked.role not in ("low", "high") or asked.day is None or any(_matches(asked.item, n, unit) for n in own):
            return
        if any(_matches(asked.item, number, unit) for number in every):
            yield Finding(start=asked.day.start, end=asked.day.end, kind="date", outcome=Outcome.CONTRADICTED)

    def _held(self, asked: _Asked) -> Finding:
        """A number against the cells that it may be."""
        item = asked.item
        scopes = (asked.rows,) if asked.dated and not asked.role else (asked.rows, self._rows)
        wanted = [number for rows in scopes for number in self._wanted(rows, asked)]
        every = [n for row in asked.rows for c in asked.columns if (n := self._sheet.number(row.number, c)) is not None]
        if not every:
            return _found(item, Outcome.NOT_FOUND)
        unit = self._unit(asked.columns[0])
        if any(_matches(item, number, unit) for number in wanted):
            return _found(item, Outcome.SUPPORTED, self._at(asked), asked.columns)
        if asked.role or asked.dated or not _within(item, every, unit):
            right = decimal(wanted[0]) if asked.role and len(asked.columns) == 1 else ""
            return _found(item, Outcome.CONTRADICTED, self._at(asked), asked.columns, right)
        return _found(item, Outcome.NOT_FOUND)

    def _at(self, asked: _Asked) -> tuple[At, ...]:
        return tuple(At(self._sheet.name, row.number) for row in asked.rows[:5])

    def _unit(self, name: str) -> Unit | None:
        column = self._sheet.column(name)
        return column.unit if column is not None else None

    def _wanted(self, rows: Sequence[_Row], asked: _Asked) -> list[Fraction]:
        """What a number should be, in each column."""
        found: list[Fraction] = []
        for name in asked.columns:
            cells = [number for row in rows if (number := self._sheet.number(row.number, name)) is not None]
            if cells:
                one = {"low": [min(cells)], "high": [max(cells)], "last": [cells[-1]]}
                found += one.get(asked.role, cells)
        return found

    # -- days ----------------------------------------------------------------------------------------------------------
    def _named(self, sentence: Sentence) -> list[tuple[Item, tuple[_Row, ...]]]:
        """The days that a sentence names, with their rows."""
        found: list[tuple[Item, tuple[_Row, ...]]] = []
        days = sorted({row.day for row in self._rows})
        for item in sentence.items:
            rows: tuple[_Row, ...] = ()
            if item.date is not None:
                rows = tuple(row for row in self._rows if is_on(row.day, item.date))
            elif item.day:
                rows = tuple(row for row in self._rows if _DAYS[row.day.weekday()] == item.day)
            elif item.quantity is not None and (month := month_beside(sentence, item)):
                at = (month, int(item.quantity.low.value))
                item = with_month(sentence, item)
                rows = tuple(row for row in self._rows if (row.day.month, row.day.day) == at)
            elif item.quantity is not None and item.quantity.ordinal and sentence.low(item.stop) == "day":
                place = int(item.quantity.low.value) - 1
                rows = tuple(row for row in self._rows if 0 <= place < len(days) and row.day == days[place])
            elif item.quantity is not None and item.quantity.ordinal and found and found[-1][0].stop + 1 == item.first:
                at = (found[-1][1][0].day.month, int(item.quantity.low.value))  # "January 7th and 8th"
                rows = tuple(row for row in self._rows if (row.day.month, row.day.day) == at)
            if rows and found and found[-1][0].stop + 1 == item.first and sentence.low(item.first - 1) in _JOINED:
                whole = (*found[-1][1], *rows)
                if sentence.low(item.first - 1) not in ("and", "&"):
                    whole = tuple(r for r in self._rows if whole[0].day <= r.day <= whole[-1].day)
                found[-1] = (item, whole)
            elif rows:
                found.append((item, rows))
        return found

    def _span(self, sentence: Sentence) -> Iterator[Finding]:
        """ "The data from D to E", once in a text: the first and the last day."""
        items = [item for item in sentence.items if item.date is not None and item.date.first is not None]
        for left, right in itertools.pairwise(items):
            between = [sentence.low(i) for i in range(left.stop, right.first) if sentence.low(i) != ","]
            if self._opened or between not in (["to"], ["until"], ["and"], ["through"], ["-"], ["–"]):
                continue
            if sentence.low(left.first - 1) not in ("from", "between", "spanning", "covering", "of", "period"):
                continue
            self._opened = True
            for item, row in ((left, self._rows[0]), (right, self._rows[-1])):
                yearless = not any(char.isdigit() for char in sentence.text[item.end - 4 : item.end])
                fits = item.date is not None and (
                    is_on(row.day, item.date) or (yearless and is_same_day(row.day, item.date))
                )
                at = (At(self._sheet.name, row.number),)
                outcome = Outcome.SUPPORTED if fits else Outcome.CONTRADICTED
                right_day = "" if fits else row.day.isoformat()
                yield Finding(
                    start=item.start,
                    end=item.end,
                    kind="date",
                    outcome=outcome,
                    rows=at,
                    columns=(self._column,),
                    right=right_day,
                )


def series_of(record: Record) -> tuple[Series, ...]:
    """The sheets of a record that go by time."""
    found = []
    for sheet in record.sheets.values():
        for column in sheet.relation.columns:
            cells = [sheet.cell(row, column.name) for row in sheet.rows()]
            dated = column.kind in (ColumnKind.DATE, ColumnKind.TEXT)
            if not dated or not 2 <= len(cells) <= _MOST_ROWS or len(set(cells)) < len(cells):
                continue
            days = [day_of(cell or "", written=column.kind is ColumnKind.DATE) for cell in cells]
            if None not in days and sheet.values:
                rows = [_Row(number, day) for number, day in enumerate(days) if day is not None]
                found.append(Series(sheet, column.name, sorted(rows, key=lambda row: row.day)))
                break
    return tuple(found)


def _texts(sheet: Sheet) -> Lookup[tuple[str, frozenset[int]]]:
    """What the cells of columns of text say, by their stems: the column, and the rows that say it."""
    found: dict[tuple[str, ...], tuple[str, set[int]]] = {}
    for column in sheet.relation.columns:
        if column.kind is not ColumnKind.TEXT or column.hidden or column.name == sheet.relation.title:
            continue
        for row in sheet.rows():
            cell = sheet.cell(row, column.name)
            for piece in (cell or "").split(column.separator or ";"):
                words = words_of(piece.strip()[:_LONGEST])
                if len(words) > 1 and not piece.strip()[0].isupper():
                    found.setdefault(words, (column.name, set()))[1].add(row)
    return Lookup({words: (column, frozenset(rows)) for words, (column, rows) in found.items()})


def _nearest(
    sentence: Sentence, item: Item, named: Sequence[tuple[Item, tuple[_Row, ...]]]
) -> tuple[Item | None, tuple[_Row, ...]]:
    """The day that stands right after a number ("a low of 3 on Monday"), else the last before it, and its rows."""
    before = [rows for each, rows in named if each.stop <= item.first]
    after = [(each, rows) for each, rows in named if each.first >= item.stop]
    if after:
        between = range(item.stop, after[0][0].first)
        crossed = any(
            sentence.low(i) in ",;." or ((at := sentence.at[i]) is not None and at.kind == "number") for i in between
        )
        if not crossed:
            return after[0]
    return None, before[-1] if before else after[0][1] if after else ()


def _ranged(sentence: Sentence, left: Item, right: Item) -> bool:
    """Whether two numbers are the ends of a range."""
    between = [sentence.low(index) for index in range(left.stop, right.first)]
    opened = {sentence.low(left.first - 1), sentence.low(left.first - 2)}
    return between in (["to"], ["-"], ["–"]) or (between == ["and"] and "between" in opened)


def _role(sentence: Sentence, item: Item) -> str:
    """What the words before a number, after the number before it, say of it."""
    for index in range(item.first - 1, max(-1, item.first - 1 - _REACH), -1):
        there = sentence.at[index]
        word = sentence.low(index)
        if (there is not None and there.kind == "number") or word in ",.;":
            break
        if word in _LOW:
            return "low"
        if word in _HIGH:
            return "high"
    ahead = [sentence.low(index) for index in range(item.stop, item.stop + 5)]
    return "last" if "end" in ahead and "period" in [sentence.low(i) for i in range(item.stop, item.stop + 8)] else ""


def _matches(item: Item, number: Fraction, unit: Unit | None) -> bool:
    if item.quantity is None:
        return False
    own = unit if item.quantity.unit is not None else None
    return rounding.matches(item.quantity, number, own) in (Match.YES, Match.AMBIGUOUS)


def _within(item: Item, numbers: Sequence[Fraction], unit: Unit | None) -> bool:
    """Whether a number lies between the least and the greatest of some."""
    if item.quantity is None:
        return True
    value = item.quantity.low.value
    if item.quantity.unit is not None and unit is not None:
        converted = rounding.convert(value, item.quantity.unit, unit)
        value = value if converted is None else converted
    return min(numbers) <= value <= max(numbers)


def _found(
    item: Item, outcome: Outcome, rows: tuple[At, ...] = (), columns: tuple[str, ...] = (), right: str = ""
) -> Finding:
    return Finding(
        start=item.start, end=item.end, kind="number", outcome=outcome, rows=rows, columns=columns, right=right
    )
