"""Which values the words beside a number mean: of its form and unit, at the time that is said, and of this record.

Contract: a value with times of its own ("in the first quarter") is meant only where these stand beside the number, and
then no other is. Words that speak of other records ("this season") leave nothing meant; "season-high" is of this one.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.words import is_closed
from imprimatur.language.tokens import TokenKind
from imprimatur.sources.tables.values.clauses import clause_of, reach_of
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import Phrase, Record, words_of
from imprimatur.values import Unit

__all__ = [
    "all_values",
    "by_unit",
    "contested",
    "here",
    "is_main_pair",
    "is_timed",
    "meant",
    "near",
    "others",
    "times_of",
]

_SUPERLATIVES = frozenset("high low best worst".split())
_OPENINGS = frozenset("in at after during through over by".split())
_OPENING = 6


def all_values(record: Record, names: set[str]) -> Iterator[Phrase]:
    """All values of some sheets."""
    for name in sorted(names):
        for value in record.sheets[name].values.values():
            yield Phrase(kind="value", sheet=name, name=value.name)


def is_main_pair(record: Record, phrase: Phrase) -> bool:
    """Whether it is the pair that is meant where nothing says which."""
    value = record.sheets[phrase.sheet].values[phrase.name]
    return value.main and bool(value.pair)


def contested(record: Record, sentence: Sentence, pair: tuple[Item, Item]) -> tuple[Phrase, ...]:
    """What two numbers of two rows are of: what the contest's verb or a time says, else the main value.

    "A 16-2 run" without a time is of none: it is not said when.
    """
    start, stop = clause_of(sentence, pair[0].first)
    whens = times_of(sentence, pair[0], pair[1].stop)
    gaps = [p for item in sentence.items if pair[1].stop <= item.first < pair[1].stop + 2 for p in item.means("gap")]
    if gaps and not whens and not any(gap.yes for gap in gaps):
        return ()
    verbs = [p for item in sentence.items for p in (*item.means("ahead"), *item.means("behind")) if item.first < stop]
    if gaps:
        verbs = [p for item in sentence.items if start <= item.first < stop for p in item.means("ahead")]
    mains = [p for p in all_values(record, set(record.sheets)) if record.sheets[p.sheet].values[p.name].main]
    mains = [p for p in mains if not record.sheets[p.sheet].values[p.name].pair]
    verbal = [Phrase(kind="value", sheet=p.sheet, name=p.name) for p in verbs]
    wanted = verbal[-1:] or _topic(record, sentence, pair[0], {p.sheet for p in mains}) or mains
    beside = near(sentence, pair[1].stop) or near(sentence, pair[1].stop + 1)
    plain = [p for p in beside.means("value") if p.sheet in {m.sheet for m in mains}] if beside is not None else []
    wanted = [p for p in plain if not record.sheets[p.sheet].values[p.name].pair] or wanted
    if not whens:
        return tuple(dict.fromkeys(p for p in wanted if not record.sheets[p.sheet].values[p.name].when))
    timed = [p for p in all_values(record, {p.sheet for p in wanted}) if is_timed(record, p, whens)]
    words = {word for p in wanted for word in record.sheets[p.sheet].values[p.name].words}
    return tuple(p for p in timed if words & set(record.sheets[p.sheet].values[p.name].words))


def _topic(record: Record, sentence: Sentence, item: Item, sheets: set[str]) -> list[Phrase]:
    """The value that a sentence is about ("rebounding was"), where no number stands before its words."""
    start, stop = clause_of(sentence, item.first)
    if any(each.means("gap") for each in sentence.items if start <= each.first < stop):
        start, stop = start, item.first
    else:
        start = 0
    for there in reversed([each for each in sentence.items if start <= each.first and each.stop <= item.first]):
        before = sentence.at[there.first - 1] if there.first else None
        found = [
            p for p in there.means("value") if p.sheet in sheets and not record.sheets[p.sheet].values[p.name].pair
        ]
        if found and (before is None or before.kind != "number"):
            return [p for p in found if not record.sheets[p.sheet].values[p.name].when]
    return []


def times_of(sentence: Sentence, item: Item, after: int) -> set[tuple[str, str]]:
    """The times of a number: those after it, before the next; else those in its clause; else the sentence's first."""
    start, stop = reach_of(sentence, item.first)
    following = [each.first for each in sentence.items if each.kind == "number" and after <= each.first < stop]
    found = _whens(sentence, after, min(following, default=stop))
    if found:
        return found
    before = [each for each in sentence.items if start <= each.first < item.first and each.means("when")]
    if before:
        return _whens(sentence, before[-1].first, before[-1].stop)
    if sentence.low(start) == "," and sentence.low(start + 1).endswith("ing"):
        earlier = [each for each in sentence.items if each.first < start and each.means("when")]
        if earlier:  # "in the third quarter, outscoring them"
            return _whens(sentence, earlier[-1].first, earlier[-1].stop)
    opening: set[tuple[str, str]] = set()
    if sentence.low(0) in _OPENINGS:
        opening = _whens(sentence, 0, min(_OPENING, start))
    if sentence.low(start) == "where":
        opening = opening or _whens(sentence, 0, start)
    return opening if len(opening) == 1 else set()


def _whens(sentence: Sentence, start: int, stop: int) -> set[tuple[str, str]]:
    """The times and places that stand between two tokens, by sheet."""
    items = [item for item in sentence.items if start <= item.first < stop]
    return {(phrase.sheet, phrase.name) for item in items for phrase in item.means("when")}


def is_timed(record: Record, phrase: Phrase, whens: set[tuple[str, str]]) -> bool:
    """Whether a value is that of one of some times."""
    value = record.sheets[phrase.sheet].values[phrase.name]
    return any((phrase.sheet, " ".join(words_of(each))) in whens for each in value.when)


def near(sentence: Sentence, at: int) -> Item | None:
    """The value whose words follow at once, or after one word ("total", "bench")."""
    if sentence.low(at) == "-":
        at += 1
    for index in (at, at + 1):
        item = sentence.at[index] if index < len(sentence.tokens) else None
        if item is not None and item.means("value"):
            return item
        if index == at and (
            is_closed(sentence.low(at))
            or sentence.low(at) == "combined"
            or at >= len(sentence.tokens)
            or sentence.tokens[at].kind is not TokenKind.WORD
            or (item is not None and item.kind != "phrase")
        ):
            return None
    return None


def meant(
    record: Record, sentence: Sentence, phrase: Item | None, item: Item, *, pairs: bool = False
) -> tuple[Phrase, ...]:
    """The values that a phrase means for a number: of its form and unit, and of the time that is said."""
    if phrase is None or item.quantity is None:
        return ()
    whens = times_of(sentence, item, item.stop)
    fit = [p for p in phrase.means("value") if _fits(record, p, item.quantity.unit, pairs)]
    timed = [p for p in fit if is_timed(record, p, whens)]
    if whens:
        return tuple(timed)
    return tuple(p for p in fit if not record.sheets[p.sheet].values[p.name].when)


def _fits(record: Record, phrase: Phrase, unit: Unit | None, pairs: bool) -> bool:
    sheet = record.sheets[phrase.sheet]
    value = sheet.values[phrase.name]
    if pairs or value.pair:
        return pairs and bool(value.pair)
    column = sheet.column(value.total[0] if value.total else value.name)
    own = column.unit if column is not None else None
    if unit is None:
        return own is None or own.symbol != "%"
    return own is not None and own.dimension == unit.dimension and (own.symbol == "%") == (unit.symbol == "%")


def by_unit(record: Record, unit: Unit) -> tuple[Phrase, ...]:
    """The values of that unit, where it is one that measures something."""
    if not unit.dimension:
        return ()
    found = [p for p in all_values(record, set(record.sheets)) if _fits(record, p, unit, pairs=False)]
    return tuple(p for p in found if (own := record.sheets[p.sheet].column(p.name)) is not None and own.unit == unit)


def others(sentence: Sentence, item: Item) -> set[str]:
    """The sheets of which a number's clause says that it speaks of other records."""
    start, stop = reach_of(sentence, item.first)
    found: set[str] = set()
    for there in sentence.items:
        if start <= there.first < stop:
            rest = there.stop + (sentence.low(there.stop) == "-")
            if sentence.low(rest) not in _SUPERLATIVES:
                found.update(phrase.sheet for phrase in there.means("elsewhere"))
    return found


def here(sentence: Sentence, item: Item, values: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
    """The values of which nothing says that they are of another record."""
    not_here = others(sentence, item)
    return tuple(value for value in values if value.sheet not in not_here)
