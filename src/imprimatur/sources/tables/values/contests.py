"""Two numbers of two rows ("beat the Hawks, 112-103"), and which of the rows a contest's verb puts ahead.

Contract: the rows are the last two that the sentence names before the numbers; where it names one, the other is what
the text was about, or the only other row. A row cannot stand against itself: its second name is contradicted. The first
number is the subject's; the numbers may stand the other way round where the verb says that the subject is behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.language import rounding
from imprimatur.language.rounding import Match
from imprimatur.sources.tables.numbers import decimal
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.linking import Stated
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import At, Phrase, Record
from imprimatur.sources.tables.values.subjects import Mention, Mentions

__all__ = ["contest", "difference"]

_AGAINST = frozenset("against over to of with from versus".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """The rows of a contest with the names that say them (None: not in the sentence), and the verb between them."""

    subject: At
    object: At
    subject_item: Item | None
    object_item: Item | None
    verb: Item | None = None
    sign: int = 0


def contest(
    record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention], stated: Stated
) -> Iterator[Finding]:
    """What the record says of the two numbers, of the names that stand for the rows, and of the verb."""
    first, second = stated.numbers
    if not _is_contest(sentence, named, stated):
        for item in stated.numbers:
            yield Finding(start=item.start, end=item.end, kind="number", outcome=Outcome.NOT_FOUND)
        return
    sides, names = _sides(record, mentions, sentence, named, stated)
    yield from names
    value = next((v for v in stated.values if sides is not None and v.sheet == sides.subject.sheet), None)
    if sides is None or value is None:
        for item in stated.numbers:
            yield Finding(start=item.start, end=item.end, kind="number", outcome=Outcome.NOT_FOUND)
        return
    mine, theirs = record.number(sides.subject, value.name), record.number(sides.object, value.name)
    if mine is None or theirs is None:
        return
    straight = [_is(first, mine), _is(second, theirs)]
    crossed = [_is(first, theirs), _is(second, mine)]
    turned = sum(crossed) > sum(straight) or (sum(crossed) == sum(straight) and sides.sign < 0)
    if all(crossed) and sides.sign >= 0 and not all(straight):
        yield from _crossed(record, sides, value, stated)
        return
    wanted = (
        ((theirs, sides.object), (mine, sides.subject)) if turned else ((mine, sides.subject), (theirs, sides.object))
    )
    for item, (number, at) in zip(stated.numbers, wanted, strict=True):
        yield _number(item, number, at, value.name)
    if sides.verb is not None and (mine - theirs) * sides.sign < 0:
        yield _verb(sides, value.name)


def _is_contest(sentence: Sentence, named: Sequence[Mention], stated: Stated) -> bool:
    """Whether a sentence speaks of two rows (it names two, or has a contest's words), and of no unknown one."""
    stop = stated.numbers[-1].stop
    other = any(
        m.unknown and stop <= m.first and sentence.low(m.first - 1 - (sentence.low(m.first - 1) == "the")) in _AGAINST
        for m in named
    )
    sheets = {value.sheet for value in stated.values}
    rows = {at for m in named if m.stop <= stated.first for r in m.rows for at in r if at.sheet in sheets}
    words = any(i.means(kind) for i in sentence.items for kind in ("ahead", "behind", "gap", "when", "value"))
    return not other and bool(sheets) and (words or len(rows) > 1)


def difference(
    record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention], stated: Stated
) -> Iterator[Finding]:
    """What the record says of a number that two rows differ by ("a 20-point win"): where there are two rows only."""
    item = stated.numbers[0]
    for value in stated.values:
        sheet = record.sheets[value.sheet]
        numbers = [sheet.number(row, value.name) for row in sheet.rows()]
        if len(numbers) != 2 or None in numbers:
            continue
        right = abs((numbers[0] or Fraction(0)) - (numbers[1] or Fraction(0)))
        fits = _is(item, right)
        yield Finding(
            start=item.start,
            end=item.end,
            kind="number",
            outcome=Outcome.SUPPORTED if fits else Outcome.CONTRADICTED,
            rows=tuple(At(value.sheet, row) for row in sheet.rows()),
            columns=(value.name,),
            right="" if fits else decimal(right),
        )
        return
    yield Finding(start=item.start, end=item.end, kind="number", outcome=Outcome.NOT_FOUND)


def _is(item: Item, number: Fraction) -> bool:
    return item.quantity is not None and rounding.matches(item.quantity, number, None) is Match.YES


def _number(item: Item, number: Fraction, at: At, column: str) -> Finding:
    outcome = Outcome.SUPPORTED if _is(item, number) else Outcome.CONTRADICTED
    right = "" if outcome is Outcome.SUPPORTED else decimal(number)
    return Finding(
        start=item.start, end=item.end, kind="number", outcome=outcome, rows=(at,), columns=(column,), right=right
    )


def _verb(sides: _Sides, column: str) -> Finding:
    assert sides.verb is not None
    return Finding(
        start=sides.verb.start,
        end=sides.verb.end,
        kind="word",
        outcome=Outcome.CONTRADICTED,
        rows=(sides.subject, sides.object),
        columns=(column,),
    )


def _crossed(record: Record, sides: _Sides, value: Phrase, stated: Stated) -> Iterator[Finding]:
    """Both numbers are right for the other row: the verb is wrong, or, for a part of the contest, the names are."""
    timed = bool(record.sheets[value.sheet].values[value.name].when)
    for item, at in zip(stated.numbers, (sides.object, sides.subject), strict=True):
        number = record.number(at, value.name)
        if number is not None:
            yield _number(item, number, at, value.name)
    if sides.verb is not None and not timed:
        yield _verb(sides, value.name)
        return
    for named, right in ((sides.subject_item, sides.object), (sides.object_item, sides.subject)):
        if named is not None:
            yield _name(record, named, right, value.name)


def _name(record: Record, item: Item, right: At, column: str = "") -> Finding:
    return Finding(
        start=item.start,
        end=item.end,
        kind="name",
        outcome=Outcome.CONTRADICTED,
        rows=(right,),
        columns=(column,) if column else (),
        right=record.title(right),
    )


def _sides(
    record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention], stated: Stated
) -> tuple[_Sides | None, list[Finding]]:
    """The two rows that numbers are of, and what is wrong with their names."""
    sheet = next((value.sheet for value in stated.values), "")
    verb = _verb_before(sentence, stated.first, sheet)
    subject, last = _named_sides(mentions, sentence, named, stated, verb)
    one, two = _row(subject, sheet), _row(last, sheet)
    wrong: list[Finding] = []
    if one is None or two is None or one == two:
        known = one or two
        rest = [At(sheet, row) for row in record.sheets[sheet].rows() if At(sheet, row) != known]
        if known is None or len(rest) != 1:
            return None, wrong
        if one == two and subject is not None and subject.items and last is not None and last.items:
            wrong.append(_name(record, last.items[0], rest[0]))
        one, two = (one, rest[0]) if one is not None else (rest[0], known)
    other = _wrong_kind(verb, named, sheet, stated.first)
    if other is not None:
        wrong.append(_name(record, other, two))
    sign = 0 if verb is None else 1 if any(p.sheet == sheet for p in verb.means("ahead")) else -1
    items = [each.items[0] if each is not None and each.items else None for each in (subject, last)]
    made = _Sides(subject=one, object=two, subject_item=items[0], object_item=items[1], verb=verb, sign=sign)
    return made, wrong


def _named_sides(
    mentions: Mentions, sentence: Sentence, named: Sequence[Mention], stated: Stated, verb: Item | None
) -> tuple[Mention | None, Mention | None]:
    """The mentions of the two rows: the last two before the numbers, or one and what the text was about."""
    sheet = next((value.sheet for value in stated.values), "")
    before = [m for m in named if sheet in m.sheets and m.stop <= stated.first and len(m.rows) == 1 and m.items]
    if len(before) > 1:
        return before[-2], before[-1]
    earlier = [Mention(items=(), rows=rows, role="pronoun") for rows in mentions.earlier({sheet}, sentence)]
    about = earlier[0] if earlier else None
    if not before:
        return about, None
    return (about, before[0]) if verb is not None and verb.stop <= before[0].first else (before[0], None)


def _row(mention: Mention | None, sheet: str) -> At | None:
    rows = mention.of(sheet) if mention is not None else ()
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else None


def _verb_before(sentence: Sentence, at: int, sheet: str) -> Item | None:
    """The last verb of a contest before a token."""
    verbs = [i for i in sentence.items if i.stop <= at and any(p.sheet == sheet for p in _contests(i))]
    return verbs[-1] if verbs else None


def _contests(item: Item) -> tuple[Phrase, ...]:
    return (*item.means("ahead"), *item.means("behind"))


def _wrong_kind(verb: Item | None, named: Sequence[Mention], sheet: str, at: int) -> Item | None:
    """What stands after the verb where a row of the contest's sheet should, and is a row of another."""
    for mention in named:
        if verb is not None and mention.items and verb.stop <= mention.first <= verb.stop + 1 and mention.stop <= at:
            return mention.items[0] if mention.rows and sheet not in mention.sheets else None
    return None
