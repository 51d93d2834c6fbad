"""The values of a text checked against a record, cell by cell.

Contract: ``check_values`` gives findings in the order of the text, that never overlap. A number is contradicted only
where it was linked to a value of rows that the text names, and no reading of it fits; where all values of one mention
are wrong and all are those of another row, the name is what is contradicted. Nothing that is supported here is
licensed: the words between the values are not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.language import rounding
from imprimatur.language.rounding import Match
from imprimatur.segment import segment
from imprimatur.sources.tables.numbers import decimal
from imprimatur.sources.tables.values.clauses import clause_of
from imprimatur.sources.tables.values.contests import contest, difference
from imprimatur.sources.tables.values.days import check_days
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.linking import Stated, link
from imprimatur.sources.tables.values.names import Cells
from imprimatur.sources.tables.values.reading import Item, Sentence, read_sentence
from imprimatur.sources.tables.values.record import At, Phrase, Record
from imprimatur.sources.tables.values.series import series_of
from imprimatur.sources.tables.values.standing import Belonging, group_sum, membership, standing
from imprimatur.sources.tables.values.subjects import Mention, Mentions
from imprimatur.values import Bound

__all__ = ["Checker", "check_values"]

#: What has more characters, or holds more names and numbers, is no sentence, and would take long.
_LONGEST = 5_000
_MOST_ITEMS = 300
_AGAINST = frozenset("against versus vs".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A number that was held against cells: of which mention, what was found, and which other rows fit."""

    finding: Finding
    mention: Mention
    others: frozenset[At] = frozenset()
    bare: bool = False


class Checker:
    """Checks one text, sentence by sentence; what a sentence says never changes what was found of those before it."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._mentions = Mentions(record)
        self._series, self._cells = series_of(record), Cells(record)
        self._named: set[At] = set()

    def __copy__(self) -> Checker:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._mentions = copy(self._mentions)
        made._series = tuple(map(copy, self._series))
        made._named = set(self._named)
        return made

    def read(self, text: str, start: int, end: int) -> tuple[Finding, ...]:
        """The findings of the next sentence, which stands at ``start`` up to ``end`` of a text."""
        if end - start > _LONGEST:
            return ()
        sentence = read_sentence(self._record, text, start, end)
        if len(sentence.items) > _MOST_ITEMS:
            return ()
        self._named.update(item.rows[0] for item in sentence.items if len(item.rows) == 1)
        named = self._mentions.read(sentence)
        belongings = tuple(membership(self._record, sentence, named))
        righted = tuple(_righted(each, belongings) for each in named)
        said = {new: old for new, old in zip(righted, named, strict=True) if new != old}
        context = (belongings, said, frozenset(self._named))
        found = list(_sentence(self._record, self._mentions, sentence, righted, context))
        self._mentions.done(righted)
        for each in self._series:
            found += each.check(sentence)
        return tuple(_apart((*found, *self._cells.check(sentence))))


def check_values(record: Record, text: str) -> tuple[Finding, ...]:
    """What the record says of the values of a text."""
    checker = Checker(record)
    return tuple(found for part in segment(text) for found in checker.read(text, *part.body))


def _righted(mention: Mention, belongings: Sequence[Belonging]) -> Mention:
    """A mention with the row that should have been named, where another was."""
    for each in belongings:
        if each.right is not None and each.parent == mention:
            return replace(mention, rows=((each.right,),))
    return mention


def _apart(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings in order; of those that overlap, the worse."""
    worst = {Outcome.CONTRADICTED: 0, Outcome.SUPPORTED: 1, Outcome.NOT_FOUND: 2}
    taken: list[Finding] = []
    for each in sorted(found, key=lambda f: (worst[f.outcome], f.start)):
        if all(each.end <= other.start or other.end <= each.start for other in taken):
            taken.append(each)
    yield from sorted(taken, key=lambda f: f.start)


def _sentence(
    record: Record,
    mentions: Mentions,
    sentence: Sentence,
    named: Sequence[Mention],
    context: tuple[Sequence[Belonging], Mapping[Mention, Mention], frozenset[At]],
) -> Iterator[Finding]:
    belongings, said, everywhere = context
    held: list[_Held] = []
    for stated in link(record, sentence):
        if stated.form == "versus":
            yield from contest(record, mentions, sentence, named, stated)
            continue
        if stated.form == "gap":
            yield from difference(record, mentions, sentence, named, stated)
            continue
        if not stated.values or _is_apart(sentence, stated):
            yield from (_unread(item) for item in stated.numbers if not item.article)
            continue
        group = group_sum(record, mentions, sentence, named, stated)
        if group is not None:
            yield _summed(stated.numbers[0], *group)
            continue
        owner = mentions.owner(sentence, named, stated)
        if owner is None or owner.unknown or not owner.rows:
            yield from (_unread(item) for item in stated.numbers if not item.article)
            continue
        found = list(_held(record, stated, owner))
        if owner in said and stated.form == "bare":  # the pair may be that of the row that was named
            found = max(found, list(_held(record, stated, said[owner])), key=_supported)
        held += found
        mentions.spoke(owner)
    yield from _misnamed(record, sentence, {item for each in held for item in each.mention.items})
    yield from _blamed(record, held, everywhere)
    yield from _owned(record, belongings, held)
    yield from standing(record, mentions, sentence, named)
    yield from check_days(record, sentence)


def _supported(held: Sequence[_Held]) -> int:
    return sum(1 for each in held if each.finding.outcome is Outcome.SUPPORTED)


def _is_apart(sentence: Sentence, stated: Stated) -> bool:
    """Whether a number is one of a list that another list goes with, or of an event with someone unknown."""
    start, stop = clause_of(sentence, stated.first)
    words = [sentence.low(index) for index in range(start, stop)]
    opponents = [i for i in sentence.items if i.kind == "unknown" and start <= i.first < stop]
    against = any(sentence.low(i.first - 1 - (sentence.low(i.first - 1) == "the")) in _AGAINST for i in opponents)
    return "respectively" in words[stated.first - start :] or against


def _summed(item: Item, rows: tuple[At, ...], column: str, right: Fraction) -> Finding:
    """A number against the sum of a group's cells."""
    fits = item.quantity is not None and rounding.matches(item.quantity, right, None) is not Match.NO
    return Finding(
        start=item.start,
        end=item.end,
        kind="number",
        outcome=Outcome.SUPPORTED if fits else Outcome.CONTRADICTED,
        rows=rows,
        columns=(column,),
        right="" if fits else decimal(right),
    )


def _unread(item: Item) -> Finding:
    return Finding(start=item.start, end=item.end, kind="number", outcome=Outcome.NOT_FOUND)


def _held(record: Record, stated: Stated, owner: Mention) -> Iterator[_Held]:
    """The numbers of a statement against the cells of a mention's rows."""
    sheets = owner.sheets
    values = [phrase for phrase in stated.values if phrase.sheet in sheets]
    for place, item in enumerate(stated.numbers):
        readings = [(rows, value) for value in values for rows in _readings(owner.of(value.sheet))]
        tried = [(rows, value, _sum(record, rows, value, place)) for rows, value in readings]
        fits = [each for each in tried if each[2] is not None and _fits(record, item, each[1], each[2])]
        shown = fits or [each for each in tried if each[2] is not None]
        if not shown or (not fits and any(each[2] is None for each in tried)):
            yield _Held(finding=_unread(item), mention=owner)
            continue
        rows, value, right = shown[0]
        outcome = Outcome.SUPPORTED if fits else Outcome.CONTRADICTED
        finding = Finding(
            start=item.start,
            end=item.end,
            kind="number",
            outcome=outcome,
            rows=rows,
            columns=_columns(record, value, place),
            right=decimal(right) if right is not None and not fits and len(tried) == 1 else "",
        )
        yield _Held(
            finding=finding,
            mention=owner,
            others=frozenset(_others(record, item, value, place)),
            bare=stated.form == "bare",
        )


def _readings(rows: tuple[tuple[At, ...], ...]) -> Iterator[tuple[At, ...]]:
    """The rows that a value may be of: each of them, or all of them together."""
    for each in rows:
        yield from ((at,) for at in each)
    if len(rows) > 1 and all(len(each) == 1 for each in rows):
        yield tuple(each[0] for each in rows)


def _columns(record: Record, value: Phrase, place: int) -> tuple[str, ...]:
    told = record.sheets[value.sheet].values[value.name]
    return (told.pair[place],) if told.pair else told.total or (told.name,)


def _cell(record: Record, at: At, value: Phrase, place: int) -> Fraction | None:
    sheet = record.sheets[at.sheet]
    return sheet.pair(at.row, value.name)[place] if sheet.values[value.name].pair else sheet.number(at.row, value.name)


def _sum(record: Record, rows: tuple[At, ...], value: Phrase, place: int) -> Fraction | None:
    found = [_cell(record, at, value, place) for at in rows]
    return None if None in found else sum(filter(None, found), Fraction(0))


def _fits(record: Record, item: Item, value: Phrase, number: Fraction | None) -> bool:
    if item.quantity is None or number is None:
        return False
    sheet = record.sheets[value.sheet]
    told = sheet.values[value.name]
    column = sheet.column((*told.pair, *told.total, told.name)[0])
    unit = column.unit if column is not None and item.quantity.unit is not None else None
    exact = replace(item.quantity, bound=Bound.EXACT)
    return any(rounding.matches(each, number, unit) is not Match.NO for each in (item.quantity, exact))


def _others(record: Record, item: Item, value: Phrase, place: int) -> Iterator[At]:
    """The rows whose cell a number is."""
    for row in record.sheets[value.sheet].rows():
        at = At(value.sheet, row)
        if _fits(record, item, value, _cell(record, at, value, place)):
            yield at


def _misnamed(record: Record, sentence: Sentence, owners: set[Item]) -> Iterator[Finding]:
    """Names that are in part those of a row, and no row's: wrong where values are said to be theirs."""
    for item in sentence.items:
        if item.misnamed and item in owners:
            right = record.title(item.rows[0]) if len(item.rows) == 1 else ""
            yield _name(item, item.rows, (), right)


def _name(item: Item, rows: tuple[At, ...], columns: tuple[str, ...], right: str) -> Finding:
    outcome = Outcome.CONTRADICTED
    return Finding(
        start=item.start, end=item.end, kind="name", outcome=outcome, rows=rows, columns=columns, right=right
    )


def _owned(record: Record, belongings: Sequence[Belonging], held: Sequence[_Held]) -> Iterator[Finding]:
    """What is said of whose the rows are; where all values are another row's of that parent, the row is wrong."""
    for each in belongings:
        item = each.parent.items[0]
        mine = [h for h in held if h.mention == each.child]
        wrong = [h for h in mine if h.finding.outcome is Outcome.CONTRADICTED]
        meant = (
            [at for at in frozenset.intersection(*(h.others for h in mine)) if record.owner(at) == each.said]
            if mine
            else []
        )
        if each.wrong and len(wrong) > 1 and len(meant) == 1 and len(each.child.items) == 1:
            yield _name(each.child.items[0], (meant[0],), (), record.title(meant[0]))
        elif each.wrong:
            yield _name(item, each.rows, (), record.title(each.right) if each.right is not None else "")
        else:
            yield Finding(start=item.start, end=item.end, kind="name", outcome=Outcome.SUPPORTED, rows=each.rows)


def _blamed(record: Record, held: Sequence[_Held], everywhere: frozenset[At]) -> Iterator[Finding]:
    """The findings; where two or more values of a name are all wrong and all of one other row, that of the name.

    Where that row has the same values in the same sentence, they were copied; a row of a parent is taken for another
    only where the text has not named that one. Then the numbers are wrong.
    """
    said = {
        (each.finding.columns, at)
        for each in held
        for at in each.finding.rows
        if each.finding.outcome is Outcome.SUPPORTED
    }
    for mention in dict.fromkeys(each.mention for each in held):
        mine = [each for each in held if each.mention == mention]
        wrong = [each for each in mine if each.finding.outcome is Outcome.CONTRADICTED]
        shared = frozenset.intersection(*(each.others for each in mine))
        all_wrong = len(mine) == len(wrong) > 1 and len(mention.items) == 1 and len(shared) == 1
        right = next(iter(shared)) if all_wrong else None
        copied = any((each.finding.columns, right) in said for each in mine)
        taken = right is not None and record.owner(right) is not None and right in everywhere
        if right is not None and not (copied or taken or all(each.bare for each in mine)):
            columns = tuple(dict.fromkeys(c for each in mine for c in each.finding.columns))
            yield _name(mention.items[0], (right,), columns, record.title(right))
        else:
            yield from (each.finding for each in mine)
