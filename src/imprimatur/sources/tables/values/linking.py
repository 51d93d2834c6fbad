"""Which values of a record the numbers of a sentence state, by the words beside them.

Contract: every number of a sentence that is no ordinal becomes part of at most one ``Stated``: alone, or as one of a
pair ("7-15", "7 of 15", "112-103"). ``values`` are the values that its words may mean, over all sheets; none where no
words say. A value with times of its own ("in the first quarter") is meant only where these stand beside it. Words that
speak of other records ("this season") leave nothing meant; "season-high" speaks of this one.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._dataclasses import dataclass
from imprimatur.extract.words import forms, is_closed
from imprimatur.language.tokens import TokenKind
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import Phrase, Record
from imprimatur.values import Unit

__all__ = ["Stated", "clause_of", "clauses", "link", "others"]

_JOINTS = {("-",): "-", ("–",): "-", ("-", "of", "-"): "of", ("of",): "of", ("-", "for", "-"): "of", ("to",): "to"}
_JOINTS |= {("of", own): "of" for own in ("his", "her", "its", "their")}
_CUTS = frozenset("while whereas but although though as where who which whose ;".split())
_SUPERLATIVES = frozenset("high low best worst".split())
_PREFIXES = frozenset("sub pre mid non".split())
_ADVERBS = frozenset("as many just only exactly a an".split())
_TAIL = 4
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


def clauses(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """The clauses of a sentence as token spans: cut at conjunctions, and at commas that no list goes on after."""
    starts = [0]
    for index, token in enumerate(sentence.tokens):
        if token.lower in _CUTS or (token.text == "," and not _goes_on(sentence, index)):
            starts.append(index)
    return tuple(zip(starts, [*starts[1:], len(sentence.tokens)], strict=True))


def _goes_on(sentence: Sentence, comma: int) -> bool:
    """Whether a number follows a comma at once: a list of values."""
    after = comma + 1
    if sentence.low(after) in ("and", "or"):
        after += 1
    ahead = [sentence.at[i] for i in range(after, min(after + 2, len(sentence.tokens)))]
    return any(item is not None and item.kind == "number" for item in ahead)


def clause_of(sentence: Sentence, index: int) -> tuple[int, int]:
    """The clause that a token is in."""
    return next(
        ((start, stop) for start, stop in clauses(sentence) if start <= index < stop), (0, len(sentence.tokens))
    )


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
            found.append(_pair(record, sentence, (item, other), joint))
            at += 2
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
    phrase = _near(sentence, second.stop) or _further(record, sentence, second, pairs=True)
    left = sentence.at[first.first - 1] if first.first else None
    if phrase is None and left is not None and joint == "-" and _meant(record, sentence, left, second, pairs=True):
        phrase = left  # "improved to 7-10"
    values = _meant(record, sentence, phrase, second, pairs=True) if joint != "to" else ()
    values = _here(sentence, first, values)
    if values:
        return Stated(form="pair", numbers=pair, values=values, phrase=phrase, bracket=bracket)
    before = sentence.at[first.first - 2] if first.first > 1 else None
    if bracket and (before is None or before.kind != "row" or sentence.low(first.first - 1) != "("):
        return Stated(form="versus", numbers=pair, values=(), bracket=True)
    if bracket and before is not None and joint == "-" and (phrase is None or phrase.first != second.stop):
        names = {at.sheet for at in before.rows}
        bare = tuple(p for p in _all(record, names) if record.sheets[p.sheet].values[p.name].bare)
        return Stated(form="bare", numbers=pair, values=bare, bracket=True)
    if joint == "of":
        mains = tuple(p for p in _all(record, set(record.sheets)) if _is_main_pair(record, p))
        return Stated(form="pair", numbers=pair, values=_here(sentence, first, mains), bracket=bracket)
    return Stated(form="versus", numbers=pair, values=_here(sentence, first, _contest(record, sentence, pair)))


def _all(record: Record, names: set[str]) -> Iterator[Phrase]:
    for name in sorted(names):
        for value in record.sheets[name].values.values():
            yield Phrase(kind="value", sheet=name, name=value.name)


def _is_main_pair(record: Record, phrase: Phrase) -> bool:
    value = record.sheets[phrase.sheet].values[phrase.name]
    return value.main and bool(value.pair)


def _contest(record: Record, sentence: Sentence, pair: tuple[Item, Item]) -> tuple[Phrase, ...]:
    """What two numbers of two rows are of: what the contest's verb or a time says, else the main value."""
    _start, stop = clause_of(sentence, pair[0].first)
    whens = _times(sentence, pair[0], pair[1].stop)
    verbs = [p for item in sentence.items for p in (*item.means("ahead"), *item.means("behind")) if item.first < stop]
    mains = [p for p in _all(record, set(record.sheets)) if record.sheets[p.sheet].values[p.name].main]
    mains = [p for p in mains if not record.sheets[p.sheet].values[p.name].pair]
    verbal = [Phrase(kind="value", sheet=p.sheet, name=p.name) for p in verbs]
    wanted = verbal[-1:] or _topic(record, sentence, pair[0], {p.sheet for p in mains}) or mains
    beside = _near(sentence, pair[1].stop) or _near(sentence, pair[1].stop + 1)
    plain = [p for p in beside.means("value") if p.sheet in {m.sheet for m in mains}] if beside is not None else []
    wanted = [p for p in plain if not record.sheets[p.sheet].values[p.name].pair] or wanted
    if not whens:
        return tuple(dict.fromkeys(p for p in wanted if not record.sheets[p.sheet].values[p.name].when))
    timed = [p for p in _all(record, {p.sheet for p in wanted}) if _timed(record, p, whens)]
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


def _times(sentence: Sentence, item: Item, after: int) -> set[tuple[str, str]]:
    """The times of a number: those after it, before the next; else those in its clause; else the sentence's first."""
    start, stop = clause_of(sentence, item.first)
    following = [each.first for each in sentence.items if each.kind == "number" and after <= each.first < stop]
    found = _whens(sentence, after, min(following, default=stop)) or _whens(sentence, start, item.first)
    if found:
        return found
    opening = _whens(sentence, 0, min(6, start)) or (
        _whens(sentence, 0, start) if sentence.low(start) == "where" else set()
    )
    return opening if len(opening) == 1 else set()


def _whens(sentence: Sentence, start: int, stop: int) -> set[tuple[str, str]]:
    """The times and places that stand between two tokens, by sheet."""
    items = [item for item in sentence.items if start <= item.first < stop]
    return {(phrase.sheet, phrase.name) for item in items for phrase in item.means("when")}


def _timed(record: Record, phrase: Phrase, whens: set[tuple[str, str]]) -> bool:
    from imprimatur.sources.tables.values.record import words_of

    value = record.sheets[phrase.sheet].values[phrase.name]
    return any((phrase.sheet, " ".join(words_of(each))) in whens for each in value.when)


def _one(record: Record, sentence: Sentence, item: Item, before: list[Stated]) -> Stated:
    phrase = _near(sentence, item.stop + (item.article and sentence.low(item.stop) == "of"))
    if phrase is not None and not item.article and gap(sentence, item, phrase) is not None:
        return Stated(form="gap", numbers=(item,), values=_gap(record, sentence, item, phrase), phrase=phrase)
    values = _meant(record, sentence, phrase, item)
    if not values and item.quantity is not None and item.quantity.unit is not None:
        phrase = _further(record, sentence, item)
        values = _meant(record, sentence, phrase, item) or _by_unit(record, item.quantity.unit)
    if not values and _is_open(sentence, item.stop):
        phrase = _left(sentence, item)
        values = _meant(record, sentence, phrase, item)
    if not values and sentence.low(item.stop) == "of" and sentence.low(item.stop + 1) in _OWN and before:
        values, phrase = before[-1].values, before[-1].phrase
    values = _here(sentence, item, values)
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
    times = _times(sentence, item, phrase.stop)
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
        timed = [p for p in _all(record, {name.sheet}) if _timed(record, p, times)]
        found += [p for p in timed if words & set(record.sheets[p.sheet].values[p.name].words)]
    return _here(sentence, item, tuple(found))


def _near(sentence: Sentence, at: int) -> Item | None:
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


def _further(record: Record, sentence: Sentence, item: Item, *, pairs: bool = False) -> Item | None:
    """The nearest value after a number that it can be of, before the next number or the end of the clause."""
    _, stop = clause_of(sentence, item.first)
    for index in range(item.stop, stop):
        there = sentence.at[index]
        if (there is not None and there.kind == "number") or sentence.tokens[index].text in ",;()":
            break
        if there is not None and there.first == index and _meant(record, sentence, there, item, pairs=pairs):
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


def _meant(
    record: Record, sentence: Sentence, phrase: Item | None, item: Item, *, pairs: bool = False
) -> tuple[Phrase, ...]:
    """The values that a phrase means for a number: of its form and unit, and of the time that is said."""
    if phrase is None or item.quantity is None:
        return ()
    whens = _times(sentence, item, item.stop)
    fit = [p for p in phrase.means("value") if _fits(record, p, item.quantity.unit, pairs)]
    timed = [p for p in fit if _timed(record, p, whens)]
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


def _by_unit(record: Record, unit: Unit) -> tuple[Phrase, ...]:
    """The values of that unit, where it is one that measures something."""
    if not unit.dimension:
        return ()
    found = [p for p in _all(record, set(record.sheets)) if _fits(record, p, unit, pairs=False)]
    return tuple(p for p in found if (own := record.sheets[p.sheet].column(p.name)) is not None and own.unit == unit)


def others(sentence: Sentence, item: Item) -> set[str]:
    """The sheets of which a number's clause says that it speaks of other records."""
    start, stop = clause_of(sentence, item.first)
    for after, end in clauses(sentence):
        if after == stop and end - after <= _TAIL:  # ", last year"
            stop = end
    found: set[str] = set()
    for there in sentence.items:
        if start <= there.first < stop:
            rest = there.stop + (sentence.low(there.stop) == "-")
            if sentence.low(rest) not in _SUPERLATIVES:
                found.update(phrase.sheet for phrase in there.means("elsewhere"))
    return found


def _here(sentence: Sentence, item: Item, values: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
    """The values of which nothing says that they are of another record."""
    not_here = others(sentence, item)
    return tuple(value for value in values if value.sheet not in not_here)


def _bracketed(sentence: Sentence, at: int) -> bool:
    for index in range(at - 1, -1, -1):
        if sentence.tokens[index].text in "()":
            return sentence.tokens[index].text == "("
    return False
