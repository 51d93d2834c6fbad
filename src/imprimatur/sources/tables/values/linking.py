"""Which values of a record the numbers of a sentence state, by the words beside them.

Contract: every number of a sentence that is no ordinal becomes part of at most one ``Stated``: alone, or as one of a
pair ("7-15", "7 of 15", "112-103"). ``values`` are the values that its words may mean, over all sheets; none where no
words say. Two numbers with "of his" between them are a pair only where words say so; else the first is a part of the
second, and stands for no cell.
"""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.extract.words import forms, is_closed
from imprimatur.language.tokens import TokenKind
from imprimatur.sources.tables.values.clauses import clause_of
from imprimatur.sources.tables.values.meaning import (
    all_values,
    by_unit,
    contested,
    here,
    is_main_pair,
    is_timed,
    meant,
    near,
    times_of,
)
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import Phrase, Record

__all__ = ["Stated", "link"]

_JOINTS = {("-",): "-", ("–",): "-", ("-", "of", "-"): "of", ("of",): "whole", ("-", "for", "-"): "of", ("to",): "to"}
_JOINTS |= {("of", own): "own" for own in ("his", "her", "its", "their")}
_PREFIXES = frozenset("sub pre mid non".split())
_ADVERBS = frozenset("as many just only exactly a an".split())
_LACKING = frozenset("short shy".split())
_OWN = frozenset("his her its their".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One number or two, and what is said of them.

    ``form``: "one", "pair" (of one row: made and tried), "bare" (in brackets after a name), "versus" (of two rows),
    "gap" (what two rows differ by).
    ``phrase`` is the item that says which value; ``bracket``: it stands in brackets.
    """

    form: str
    numbers: tuple[Item, ...]
    values: tuple[Phrase, ...]
    phrase: Item | None = None
    bracket: bool = False

    @property
    def first(self) -> int:
        """The first token."""
        return self.numbers[0].first


def link(record: Record, sentence: Sentence) -> tuple[Stated, ...]:
    """What the numbers of a sentence state, in order."""
    found: list[Stated] = []
    numbers = [item for item in sentence.items if item.kind == "number"]
    at = 0
    while at < len(numbers):
        item = numbers[at]
        other = numbers[at + 1] if at + 1 < len(numbers) else None
        joint = _joint(sentence, item, other)
        if item.quantity is None or item.quantity.ordinal or sentence.low(item.first - 2) in _PREFIXES:
            at += 1
            continue
        if other is not None and joint:
            stated = _pair(record, sentence, (item, other), joint)
            found.append(stated)
            at += len(stated.numbers)
            continue
        found.append(_one(record, sentence, item, found))
        at += 1
    return tuple(found)


def _joint(sentence: Sentence, item: Item, other: Item | None) -> str:
    if other is None or other.first - item.stop > 3 or item.article or other.article:
        return ""
    between = tuple(token.lower for token in sentence.tokens[item.stop : other.first])
    return _JOINTS.get(between, "")


def _pair(record: Record, sentence: Sentence, pair: tuple[Item, Item], joint: str) -> Stated:
    first, second = pair
    bracket = _bracketed(sentence, first.first)
    phrase = near(sentence, second.stop) or _further(record, sentence, second, pairs=True)
    left = sentence.at[first.first - 1] if first.first else None
    if phrase is None and left is not None and joint == "-" and meant(record, sentence, left, second, pairs=True):
        phrase = left  # "improved to 7-10"
    values = meant(record, sentence, phrase, second, pairs=True) if joint != "to" else ()
    values = here(sentence, first, values)
    if values:
        return Stated(form="pair", numbers=pair, values=values, phrase=phrase, bracket=bracket)
    if joint in ("own", "whole"):
        return Stated(form="one", numbers=(first,), values=())
    if _is_year(first) or sentence.low(first.first - 1) in ("combined", "collective"):
        return Stated(form="versus", numbers=pair, values=())
    before = sentence.at[first.first - 2] if first.first > 1 else None
    if bracket and (before is None or before.kind != "row" or sentence.low(first.first - 1) != "("):
        return Stated(form="versus", numbers=pair, values=(), bracket=True)
    if bracket and before is not None and joint == "-" and (phrase is None or phrase.first != second.stop):
        names = {at.sheet for at in before.rows}
        bare = tuple(p for p in all_values(record, names) if record.sheets[p.sheet].values[p.name].bare)
        return Stated(form="bare", numbers=pair, values=bare, bracket=True)
    if joint == "of":
        mains = tuple(p for p in all_values(record, set(record.sheets)) if is_main_pair(record, p))
        return Stated(form="pair", numbers=pair, values=here(sentence, first, mains), bracket=bracket)
    return Stated(form="versus", numbers=pair, values=here(sentence, first, contested(record, sentence, pair)))


def _is_year(item: Item) -> bool:
    """Whether a number has the four digits of a year: "the 2015-16 season"."""
    value = item.quantity.low.value if item.quantity is not None else 0
    return 1900 <= value < 2100


def _one(record: Record, sentence: Sentence, item: Item, before: list[Stated]) -> Stated:
    phrase = near(sentence, item.stop + (item.article and sentence.low(item.stop) == "of"))
    if phrase is not None and not item.article and gap(sentence, item, phrase) is not None:
        return Stated(form="gap", numbers=(item,), values=_gap(record, sentence, item, phrase), phrase=phrase)
    values = meant(record, sentence, phrase, item)
    if not values and item.quantity is not None and item.quantity.unit is not None:
        phrase = _further(record, sentence, item)
        values = meant(record, sentence, phrase, item) or by_unit(record, item.quantity.unit)
    if not values and _is_open(sentence, item.stop):
        phrase = _left(sentence, item)
        values = meant(record, sentence, phrase, item)
    if not values and sentence.low(item.stop) == "of" and sentence.low(item.stop + 1) in _OWN and before:
        values, phrase = before[-1].values, before[-1].phrase
    if item.article and phrase is not None and sentence.low(phrase.stop) in _LACKING:
        values = ()  # "a rebound short of"
    values = here(sentence, item, values)
    bracket = _bracketed(sentence, item.first)
    return Stated(form="one", numbers=(item,), values=values, phrase=phrase, bracket=bracket)


def gap(sentence: Sentence, item: Item, phrase: Item) -> Item | str | None:
    """What says that a number is a difference: "a 20-point win", "by 20 points"; None where nothing does."""
    after = sentence.at[phrase.stop] if phrase.stop < len(sentence.tokens) else None
    if after is None and phrase.stop + 1 < len(sentence.tokens) and sentence.tokens[phrase.stop].kind is TokenKind.WORD:
        after = sentence.at[phrase.stop + 1]
    if after is not None and after.means("gap"):
        return after
    words = [sentence.low(index) for index in range(max(0, item.first - 4), item.first)]
    if "by" in words and all(w == "by" or w in _ADVERBS for w in words[words.index("by") :]):
        return "by"
    return "more" if {sentence.low(item.stop), sentence.low(phrase.stop)} & {"more", "fewer", "less", "short"} else None


def _gap(record: Record, sentence: Sentence, item: Item, phrase: Item) -> tuple[Phrase, ...]:
    """The values that a number is a difference of, where the time is known: at the end, or as said."""
    said = gap(sentence, item, phrase)
    times = times_of(sentence, item, phrase.stop)
    start, stop = clause_of(sentence, item.first)
    contests = [i for i in sentence.items if i.first < stop and i.means("ahead")]
    names = list(said.means("gap")) if isinstance(said, Item) else [p for i in contests[-1:] for p in i.means("ahead")]
    if said == "more" or "many" in (sentence.low(index) for index in range(start, item.first)):
        return ()
    found = []
    for name in names:
        if not times and (name.yes or said == "by"):
            found.append(Phrase(kind="value", sheet=name.sheet, name=name.name))
        words = set(record.sheets[name.sheet].values[name.name].words)
        timed = [p for p in all_values(record, {name.sheet}) if is_timed(record, p, times)]
        found += [p for p in timed if words & set(record.sheets[p.sheet].values[p.name].words)]
    return here(sentence, item, tuple(found))


def _further(record: Record, sentence: Sentence, item: Item, *, pairs: bool = False) -> Item | None:
    """The nearest value after a number that it can be of, before the next number or the end of the clause."""
    _, stop = clause_of(sentence, item.first)
    for index in range(item.stop, stop):
        there = sentence.at[index]
        if (there is not None and there.kind == "number") or sentence.tokens[index].text in ",;()":
            break
        if there is not None and there.first == index and meant(record, sentence, there, item, pairs=pairs):
            return there
    return _left(sentence, item) if not pairs else None


def _left(sentence: Sentence, item: Item) -> Item | None:
    """The nearest value before a number, after the number before it, in the clause."""
    start, _ = clause_of(sentence, item.first)
    for index in range(item.first - 1, start - 1, -1):
        there = sentence.at[index]
        if there is not None and there.kind == "number":
            return None
        if there is not None and there.means("value"):
            return there
    return None


def _is_open(sentence: Sentence, at: int) -> bool:
    """Whether no noun of its own follows a number."""
    if at >= len(sentence.tokens) or sentence.tokens[at].kind is not TokenKind.WORD:
        return sentence.low(at) != "-"
    return is_closed(sentence.low(at)) or not forms(sentence.low(at)).noun


def _bracketed(sentence: Sentence, at: int) -> bool:
    for index in range(at - 1, -1, -1):
        if sentence.tokens[index].text in "()":
            return sentence.tokens[index].text == "("
    return False
