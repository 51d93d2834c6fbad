"""Numbers in English words: cardinals, ordinals, fractions, dozens and years.

Contract: ``read_at(plain, pos)`` reads the longest number phrase that starts with the word at ``pos``; its number is
exact (``step`` 0). "one" as a pronoun, "second" as a unit of time, "half" of a named pair ("the second half") and
vague plurals ("thousands of") are no numbers. Each call looks at a bounded number of words. "two hundred and five" is
one number; "(between) two hundred and five hundred" is two, because the part after "and" must be smaller than the
word before it.
"""

from __future__ import annotations

import re
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import _number_context as context
from imprimatur.values import Number

__all__ = ["FIRST_WORDS", "FRACTION_TAIL", "SCALES", "WordNumeral", "fraction_tail", "read_at"]

_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_SMALL = {word: value for value, word in enumerate(_SMALL_WORDS.split())}
_TENS = {word: 10 * value for value, word in enumerate(_TENS_WORDS.split(), start=2)}
SCALES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
    "lakh": 10**5,
    "crore": 10**7,
}
_ORDINAL_SMALL = {word: value for value, word in enumerate(_ORDINAL_WORDS.split())}
_ORDINAL_TENS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}
_ORDINAL_SCALES = {"hundredth": 100} | {f"{word}th": value for word, value in SCALES.items()}
_DENOMINATORS = (
    {"half": 2, "halve": 2, "quarter": 4}
    | {word: value for word, value in _ORDINAL_SMALL.items() if value >= 3}
    | {"twentieth": 20, "hundredth": 100, "thousandth": 1000, "millionth": 10**6}
)
_MOST_WORDS = 24

FIRST_WORDS = frozenset([*_SMALL, *_TENS, *_ORDINAL_SMALL, *_ORDINAL_TENS, *_ORDINAL_SCALES, "half", "a", "an"])
"""The words, in lower case, that a number phrase may start with."""

_TOKEN = expression(r"[A-Za-z]+")
_GAP = expression(r"[ \u00a0]|-")
_AND = expression(r"[ \u00a0]and[ \u00a0]")
_DENOMINATOR = expression(
    r"[ \u00a0-](half|halves|quarters?|(?:"
    + "|".join(word for word in _DENOMINATORS if word not in ("half", "halve", "quarter"))
    + r")s?)\b",
    re.IGNORECASE,
)  # fmt: skip
FRACTION_TAIL = expression(
    r"[ \u00a0]and[ \u00a0](?:(an?|one|two|three|four|five)[ \u00a0-])?"
    r"(half|quarters?|thirds?|fourths?|fifths?|eighths?|tenths?)\b(?![ \u00a0]of\b)",
    re.IGNORECASE,
)
_ARTICLE = expression(
    r"(an?)[ \u00a0-](hundred|thousand|million|billion|trillion|dozen|half|quarter|couple of|"
    r"third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twentieth|hundredth|thousandth)\b",
    re.IGNORECASE,
)
_FRACTION_FOLLOWS = expression(
    r"[ \u00a0](?:of|the|as|more|less|larger|smaller|mile|pound|acre|inch|cup)\b|[ \u00a0]*(?:[.,;:!?)]|\Z)"
)
_HALF_AFTER = expression(
    r"[ \u00a0-]an?[ \u00a0](?=[A-Za-z])"
    r"|[ \u00a0-](?=(?:dozen|million|billion|mile|hour|inch|acre|pint|pound|century)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WordNumeral:
    """A number in words: where it ends, its exact value, and whether it is an ordinal."""

    end: int
    number: Number
    ordinal: bool = False


@dataclass(slots=True)
class _Cursor:
    """The place of the parse in the text, in a phrase of bounded length."""

    plain: str
    end: int
    at: int
    words: int = 0
    ordinal: bool = False

    def peek(self) -> tuple[str, int]:
        token = _TOKEN.match(self.plain, self.at) if self.words < _MOST_WORDS else None
        return (token[0].lower(), token.end()) if token else ("", self.at)

    def take(self, end: int) -> None:
        self.end = end
        self.words += 1
        gap = _GAP.match(self.plain, end)
        self.at = gap.end() if gap else len(self.plain)


def read_at(plain: str, pos: int) -> WordNumeral | None:
    """The number phrase at ``pos``, where one of ``FIRST_WORDS`` stands; None when those words are no number here."""
    word = _TOKEN.match(plain, pos)
    if word is None:
        return None
    first = word[0].lower()
    if first in ("a", "an"):
        return _article(plain, pos)
    if first == "half":
        return _half(plain, pos, word.end())
    cursor = _Cursor(plain, pos, pos)
    value = _cardinal(cursor)
    if value is None:
        return None
    if cursor.ordinal:
        return _exact(cursor.end, value, ordinal=True) if context.is_ordinal(plain, pos, cursor.end) else None
    found = _with_fraction(plain, cursor.end, value)
    if first == "one" and cursor.end == word.end() == found.end and not context.is_one(plain, pos, word.end()):
        return None
    return found


def fraction_tail(tail: re.Match[str]) -> Fraction | None:
    """The value of a match of ``FRACTION_TAIL``: 1/2 for " and a half", 3/4 for " and three quarters"."""
    above, below = (tail[1] or "a").lower(), tail[2].lower()
    count = 1 if above in ("a", "an") else _SMALL[above]
    return Fraction(count, _denominator(below))


def _exact(end: int, value: Fraction | int, *, ordinal: bool = False) -> WordNumeral:
    return WordNumeral(end, Number(Fraction(value)), ordinal)


def _denominator(word: str) -> int:
    singular = "half" if word == "halves" else word.removesuffix("s")
    return _DENOMINATORS[singular]


def _article(plain: str, pos: int) -> WordNumeral | None:
    """ "a hundred and five", "a dozen", "a third of", "a half"."""
    match = _ARTICLE.match(plain, pos)
    if match is None:
        return None
    word, end = match[2].lower(), match.end()
    if word == "dozen":
        return _exact(end, 12)
    if word == "couple of":
        return _exact(end, 2)
    if word == "half":
        return _half(plain, pos, end)
    if word in _DENOMINATORS:
        return _exact(end, Fraction(1, _DENOMINATORS[word])) if _FRACTION_FOLLOWS.match(plain, end) else None
    cursor = _Cursor(plain, pos, match.start(2))
    value = _cardinal(cursor, one=True)
    return None if value is None or cursor.ordinal else _with_fraction(plain, cursor.end, value)


def _half(plain: str, pos: int, end: int) -> WordNumeral | None:
    """ "half", "half a million", "half an hour", "half a dozen"; not "the second half" or "half-brother"."""
    if context.is_one_of_two(plain, pos):
        return None
    more = _HALF_AFTER.match(plain, end)
    if more:
        cursor = _Cursor(plain, end, more.end())
        word, word_end = cursor.peek()
        multiple = 12 if word == "dozen" else SCALES.get(word)
        if multiple:
            return _exact(word_end, Fraction(multiple, 2))
        return _exact(more.end() - 1, Fraction(1, 2))
    if plain[end : end + 1] == "-" and plain[end + 1 : end + 2].isalpha():
        return None
    return _exact(end, Fraction(1, 2))


def _cardinal(cursor: _Cursor, *, one: bool = False) -> int | None:
    """Groups of falling scale: "two million three hundred thousand and five"; ``one`` reads "(a) hundred"."""
    total, limit = 0, 10**18
    group = _group(cursor, one=one)
    if group is None and not one:
        return None
    while True:
        word, end = cursor.peek()
        scale = SCALES.get(word, 0)
        if cursor.ordinal or not 0 < scale < limit:
            scale = 0
            ordinal_scale = _ORDINAL_SCALES.get(word, 0)
            if not cursor.ordinal and 100 < ordinal_scale < limit and group is not None:
                cursor.take(end)
                cursor.ordinal = True
                return total + group * ordinal_scale
            return None if group is None else total + group
        cursor.take(end)
        total, limit = total + (1 if group is None else group) * scale, scale
        mark = (cursor.at, cursor.end, cursor.words)
        _skip_and(cursor)
        group = _group(cursor, limit=limit)
        if group is None:
            cursor.at, cursor.end, cursor.words = mark
            return total
        if SCALES.get(cursor.peek()[0], 0) >= limit:
            cursor.at, cursor.end, cursor.words, cursor.ordinal = *mark, False
            return total


def _skip_and(cursor: _Cursor) -> None:
    joint = _AND.match(cursor.plain, cursor.end)
    if joint:
        cursor.at = joint.end()


def _group(cursor: _Cursor, *, one: bool = False, limit: int = 10**18) -> int | None:
    """A number below a thousand ("two hundred and five"), a dozen, or a year ("nineteen eighty-four")."""
    value = _below_hundred(cursor)
    word, end = cursor.peek()
    if cursor.ordinal or (value is None and not one and word != "hundredth"):
        return value
    if word == "dozen" and value is not None:
        cursor.take(end)
        return value * 12
    if word in ("hundred", "hundredth"):
        cursor.take(end)
        cursor.ordinal = word == "hundredth"
        hundreds = 100 * (1 if value is None else value)
        if cursor.ordinal:
            return hundreds
        return hundreds + _rest(cursor)
    if value is not None and 11 <= value <= 20 and limit > 10**6:
        mark = (cursor.at, cursor.end, cursor.words)
        tail = _below_hundred(cursor)
        if tail is not None and tail >= 10 and not cursor.ordinal:
            return value * 100 + tail
        cursor.at, cursor.end, cursor.words = mark
        cursor.ordinal = False
    return value


def _rest(cursor: _Cursor) -> int:
    """What follows "hundred", below a hundred; 0, with the cursor unmoved, when nothing does or it is too large."""
    mark = (cursor.at, cursor.end, cursor.words)
    _skip_and(cursor)
    rest = _below_hundred(cursor)
    joined = cursor.at != mark[0] and _AND.match(cursor.plain, mark[1]) is not None
    word = cursor.peek()[0]
    if rest is None or word == "hundred" or (joined and (word in SCALES or word == "dozen")):
        cursor.at, cursor.end, cursor.words, cursor.ordinal = *mark, False
        return 0
    return rest


def _below_hundred(cursor: _Cursor) -> int | None:
    word, end = cursor.peek()
    if word in _SMALL:
        cursor.take(end)
        return _SMALL[word]
    if word in _TENS:
        cursor.take(end)
        return _TENS[word] + _ones(cursor)
    ordinal = _ORDINAL_SMALL.get(word, _ORDINAL_TENS.get(word))
    if ordinal is not None:
        cursor.take(end)
        cursor.ordinal = True
    return ordinal


def _ones(cursor: _Cursor) -> int:
    word, end = cursor.peek()
    if 1 <= _SMALL.get(word, 0) <= 9:
        cursor.take(end)
        return _SMALL[word]
    # "thirty second delay" counts seconds; "thirty-second" is an ordinal.
    hyphened = cursor.plain[cursor.at - 1 : cursor.at] == "-"
    if 1 <= _ORDINAL_SMALL.get(word, 0) <= 9 and (word != "second" or hyphened):
        cursor.take(end)
        cursor.ordinal = True
        return _ORDINAL_SMALL[word]
    return 0


def _with_fraction(plain: str, end: int, value: int) -> WordNumeral:
    """The cardinal and what may follow it: thirds, "and a half", "point five", then a scale word."""
    below = _DENOMINATOR.match(plain, end)
    if below and 1 <= value <= 99 and (value == 1 or below[1].endswith("s") or below[0][0] == "-"):
        return _exact(below.end(), Fraction(value, _denominator(below[1].lower())))
    tail = FRACTION_TAIL.match(plain, end)
    exact: Fraction | int = value
    if tail and (added := fraction_tail(tail)) is not None and 0 < added < 1:
        exact, end = value + added, tail.end()
    else:
        exact, end = _point(plain, end, value)
    cursor = _Cursor(plain, end, end + 1 if plain[end : end + 1] in (" ", "\u00a0") else len(plain))
    word, word_end = cursor.peek()
    if exact != value and word in SCALES:
        return _exact(word_end, exact * SCALES[word])
    return _exact(end, exact)


def _point(plain: str, end: int, value: int) -> tuple[Fraction | int, int]:
    """ "three point one four"."""
    cursor = _Cursor(plain, end, end + 1)
    word, word_end = cursor.peek()
    if word != "point":
        return value, end
    cursor.take(word_end)
    digits = ""
    while True:
        word, word_end = cursor.peek()
        digit = 0 if word == "oh" else _SMALL.get(word, 10)
        if digit > 9 or len(digits) >= 12:
            break
        digits += str(digit)
        cursor.take(word_end)
    return (value + Fraction(int(digits), 10 ** len(digits)), cursor.end) if digits else (value, end)
