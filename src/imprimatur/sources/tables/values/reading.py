"""A sentence as the items that a record can be asked about: names of its rows, phrases of its words, numbers, dates.

Contract: items are in order and never overlap; spans are those of the whole text. A name must be written with the
capitals (or digits) of a name; the longest name or phrase wins. A digit within a phrase ("3Pt") is no number, nor is
one within a name ("76ers"). Time is linear in the sentence, for phrases and names of bounded length.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter

from imprimatur._dataclasses import dataclass
from imprimatur.extract.words import forms, is_closed
from imprimatur.language import amounts, dates, number_words, numbers, quantities
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.sources.tables.values.clauses import cut
from imprimatur.sources.tables.values.record import At, Phrase, Record, stem
from imprimatur.values import Bound, DateValue, Number, Quantity

__all__ = ["Item", "Sentence", "read_sentence"]

_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_MONTHS = "january february march april may june july august september october november december"
_NO_NAMES = _DAYS | frozenset(_MONTHS.split())
_NEAR = (Bound.ABOUT, Bound.AT_LEAST, Bound.AT_MOST, Bound.MORE_THAN, Bound.LESS_THAN)
_LONGEST = 10
#: Verbs by which a number is a bound: "surpassed 50 percent".
_PASSING = frozenset(
    "surpassed surpassing cracked cracking topped topping exceeded exceeding eclipsed eclipsing".split()
)
_ONE, _TWO = Number(Fraction(1)), Number(Fraction(2))
_YEARS = frozenset("in from since until by during early late mid year end to and between before after of".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Some tokens of a sentence (``first`` up to and without ``stop``) and what they are.

    ``kind`` is "row" (a name: the rows that it may be), "phrase", "number" (a quantity; ``article`` for "a"), "date"
    (``day`` for the name of a day alone) or "unknown" (a name of none). ``misnamed``: a part of a row's name beside
    what is none of it ("Eric Thompson").
    """

    kind: str
    first: int
    stop: int
    start: int
    end: int
    rows: tuple[At, ...] = ()
    whole: bool = False
    phrases: tuple[Phrase, ...] = ()
    quantity: Quantity | None = None
    article: bool = False
    date: DateValue | None = None
    day: str = ""
    misnamed: bool = False

    def means(self, kind: str) -> tuple[Phrase, ...]:
        """What its words may mean of a kind."""
        return tuple(phrase for phrase in self.phrases if phrase.kind == kind)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a sentence, with spans in the whole text, and its items; ``at`` has the item at each token.

    ``clauses`` has the first tokens of its clauses.
    """

    text: str
    start: int
    tokens: tuple[Token, ...]
    items: tuple[Item, ...]
    at: tuple[Item | None, ...]
    clauses: tuple[int, ...]

    def low(self, index: int) -> str:
        """A token in lower case; empty outside the sentence."""
        return self.tokens[index].lower if 0 <= index < len(self.tokens) else ""


def read_sentence(record: Record, text: str, start: int, end: int) -> Sentence:
    """The sentence that stands at ``start`` up to ``end`` of a text."""
    written = text[start:end]
    tokens = tuple(t._replace(start=t.start + start, end=t.end + start) for t in tokenise(written))
    found: list[Item] = []
    taken = [False] * len(tokens)
    for items in (
        _phrases_and_names(record, tokens),
        _dates(written, start, tokens),
        _numbers(written, start, tokens),
        _articles(record, tokens),
        _unknown(tokens, taken),
    ):
        for item in items:
            item = _cut(item, taken)
            if not any(taken[item.first : item.stop]):
                taken[item.first : item.stop] = [True] * (item.stop - item.first)
                found.append(item)
    found = list(_merged(record, tokens, sorted(found, key=lambda item: item.first)))
    at: list[Item | None] = [None] * len(tokens)
    for item in found:
        at[item.first : item.stop] = [item] * (item.stop - item.first)
    return Sentence(text, start, tokens, tuple(found), tuple(at), cut(tokens, at))


def _cut(item: Item, taken: Sequence[bool]) -> Item:
    """A number without the word of its unit, where that is a phrase ("36 minutes")."""
    stop = item.stop
    while item.kind == "number" and stop - item.first > 1 and taken[stop - 1]:
        stop -= 1
    return replace(item, stop=stop) if stop != item.stop else item


def _item(kind: str, tokens: Sequence[Token], first: int, stop: int) -> Item:
    return Item(kind=kind, first=first, stop=stop, start=tokens[first].start, end=tokens[stop - 1].end)


def _phrases_and_names(record: Record, tokens: Sequence[Token]) -> Iterator[Item]:
    stems = [stem(token.lower) for token in tokens]
    plain = [token.lower.replace(".", "") or token.lower for token in tokens]
    at = 0
    while at < len(tokens):
        named = _named(record, tokens, plain, at)
        phrase = _phrase(record, tokens, stems, at)
        best = max((each for each in (named, phrase) if each is not None), key=lambda i: i.stop, default=None)
        if best is not None:
            yield best
        at = best.stop if best is not None else at + 1


def _run(tokens: Sequence[Token], words: Sequence[str], at: int, count: int) -> tuple[tuple[str, ...], int] | None:
    """So many words from ``at`` on, hyphens and dots left out, and where they end; None where there are fewer."""
    found: list[str] = []
    index = at
    while len(found) < count:
        while found and index < len(tokens) and tokens[index].text in "-,." and index - at < 2 * count:
            index += 1
        if index >= len(tokens):
            return None
        found.append(words[index])
        index += 1
    return tuple(found), index


def _phrase(record: Record, tokens: Sequence[Token], stems: Sequence[str], at: int) -> Item | None:
    for count in record.phrases.lengths(stems[at]):
        run = _run(tokens, stems, at, count)
        phrases = record.phrases.get(run[0]) if run is not None else None
        if run is not None and phrases is not None:
            return _with(_item("phrase", tokens, at, run[1]), phrases=phrases)
    return None


def _named(record: Record, tokens: Sequence[Token], plain: Sequence[str], at: int) -> Item | None:
    if not (tokens[at].text[0].isupper() or tokens[at].text[0].isdigit()):
        return None
    for count in record.names.lengths(plain[at]):
        run = _run(tokens, plain, at, count)
        named = record.names.get(run[0]) if run is not None else None
        if run is not None and named is not None:
            return _with(_item("row", tokens, at, run[1]), rows=named[0], whole=named[1])
    named = record.names.get((plain[at] + "s",))
    if named is not None and named[1]:  # "the only other Laker"
        return _with(_item("row", tokens, at, at + 1), rows=named[0], whole=True)
    return None


def _with(item: Item, **given: object) -> Item:
    fields = {name: getattr(item, name) for name in ("kind", "first", "stop", "start", "end")}
    return Item(**{**fields, **given})


def _dates(written: str, start: int, tokens: Sequence[Token]) -> Iterator[Item]:
    for index, token in enumerate(tokens):
        if token.lower in _DAYS and token.text[0].isupper():
            yield _with(_item("date", tokens, index, index + 1), day=token.lower)
    for found in dates.find(written):
        span = _covering(tokens, found.start + start, found.end + start)
        bare = found.value.precision in ("year", "time") and written[found.start : found.end].isdigit()
        if span is not None and not (bare and not _is_year(tokens, span[0])):
            yield _with(_item("date", tokens, *span), date=found.value)


def _is_year(tokens: Sequence[Token], index: int) -> bool:
    """Whether four digits are a year: after a word of time."""
    return len(tokens[index].text) == 4 and index > 0 and tokens[index - 1].lower in _YEARS


def _covering(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int] | None:
    """The tokens that lie in a span; None where there are none."""
    first = bisect_left(tokens, start, key=attrgetter("start"))
    stop = bisect_right(tokens, end, key=attrgetter("end"))
    return (first, stop) if first < stop else None


def _numbers(written: str, start: int, tokens: Sequence[Token]) -> Iterator[Item]:
    hedged = [(found.start, found.end, found.quantity.bound) for found in quantities.find(written)]
    for amount in amounts.find_all(numbers.normalise(written)):
        span = _covering(tokens, amount.start + start, amount.end + start)
        if span is None or not amount.numbers:
            continue
        last = max((i for i in range(*span) if _is_figure(tokens[i])), default=span[1] - 1)
        bound = next((b for s, e, b in hedged if s <= amount.start and amount.end <= e and b in _NEAR), Bound.EXACT)
        if tokens[span[0] - 1 if span[0] else 0].lower in _PASSING:
            bound = Bound.AT_LEAST
        quantity = Quantity(
            low=amount.numbers[0],
            bound=bound,
            unit=amount.units[0] if amount.units else None,
            ordinal=amount.ordinal,
            other=tuple(Quantity(low=each) for each in amount.numbers[1:]),
        )
        made = _item("number", tokens, *span)
        yield _with(made, quantity=quantity, end=tokens[last].end)
    yield from _tried(tokens)


def _tried(tokens: Sequence[Token]) -> Iterator[Item]:
    """The second number of "11-of-15", which is no amount of its own."""
    for index, token in enumerate(tokens):
        before = [each.lower for each in tokens[max(0, index - 3) : index]]
        if token.text.isdigit() and len(token.text) < _LONGEST and before in (["-", "of", "-"], ["-", "for", "-"]):
            quantity = Quantity(low=Number(Fraction(int(token.text)), Fraction(1), len(token.text)))
            yield _with(_item("number", tokens, index, index + 1), quantity=quantity)


def _is_figure(token: Token) -> bool:
    return (
        token.kind is TokenKind.NUMBER or token.lower in number_words.FIRST_WORDS or token.lower in number_words.SCALES
    )


def _articles(record: Record, tokens: Sequence[Token]) -> Iterator[Item]:
    """ "A steal" is one, "a pair of steals" two: before a word of a value alone."""
    stems = [stem(token.lower) for token in tokens]

    def is_value(at: int) -> bool:
        found = _phrase(record, tokens, stems, at) if at < len(tokens) else None
        return found is not None and bool(found.means("value")) and not tokens[found.stop - 1].hyphenated

    for index, token in enumerate(tokens[:-1]):
        if token.lower in ("a", "an") and is_value(index + 1):
            yield _with(_item("number", tokens, index, index + 1), quantity=Quantity(low=_ONE), article=True)
        elif token.lower == "pair" and tokens[index + 1].lower == "of" and is_value(index + 2):
            yield _with(_item("number", tokens, index, index + 1), quantity=Quantity(low=_TWO), article=True)


def _unknown(tokens: Sequence[Token], taken: Sequence[bool]) -> Iterator[Item]:
    """Names that are none of the record's: words with capitals, but for the first of the sentence alone."""
    at = 0
    while at < len(tokens):
        stop = at
        while stop < len(tokens) and _is_name(tokens[stop]) and not taken[stop]:
            stop += 1
        if stop > at and not (at == 0 and stop == 1 and _is_word(tokens[0].lower)):
            yield _item("unknown", tokens, at, stop)
        at = max(stop, at + 1)


def _is_word(lower: str) -> bool:
    known = forms(lower)
    return is_closed(lower) or not (known.noun == lower == known.adj and known.verb is None)


def _is_name(token: Token) -> bool:
    return (
        token.kind is TokenKind.WORD and token.text[0].isupper() and token.lower not in _NO_NAMES and token.text != "I"
    )


def _merged(record: Record, tokens: Sequence[Token], items: Sequence[Item]) -> Iterator[Item]:
    """The items, with a part of a name and the names right beside it as one: "JJ Thompson" is not Klay Thompson."""
    at = 0
    while at < len(items):
        stop = at + 1
        while stop < len(items) and _beside(items[stop - 1], items[stop]):
            stop += 1
        run = items[at:stop]
        part = next((item for item in reversed(run) if item.kind == "row" and not item.whole), None)
        if len(run) > 1 and part is not None:
            wrong = part is run[-1] and not _is_short(tokens[part.first - 1].lower, record, part)
            yield replace(_item("row", tokens, run[0].first, run[-1].stop), rows=part.rows, misnamed=wrong)
        else:
            yield from run
        at = stop


def _is_short(lower: str, record: Record, part: Item) -> bool:
    """Whether a word is short for one of a row's names ("Steph" of "Stephen")."""
    names = [token.lower for at in part.rows for token in tokenise(record.title(at))]
    return any(name.startswith(lower) for name in names)


def _beside(left: Item, right: Item) -> bool:
    partial = any(item.kind == "row" and not item.whole for item in (left, right))
    return partial and right.first == left.stop and {left.kind, right.kind} <= {"row", "unknown"}
