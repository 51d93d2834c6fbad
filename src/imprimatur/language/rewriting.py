"""A right value in the place of a wrong one, written as that was: its unit, precision, words or digits, form of date.

Contract: every function takes the words that state a value and gives the changes ``(start, end, new)`` in them, in
order, apart from each other, with half-open code-point offsets into these words; nothing where the value cannot be
written in that form. What is right already stays: of "4,500 feet (1,400 m)" only the number that is wrong. A hedge
stays ("about 8 miles"); a bound or a range gives way to the value ("more than eight" to "six"). Nothing here knows
whether a value is right; the caller checks what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.language import calendar, dates, number_words, numbers, quantities, rounding
from imprimatur.language.units import LATITUDE, LONGITUDE, scale_of
from imprimatur.values import Bound, DateValue, Number, Quantity, Unit

__all__ = ["Change", "article_before", "redated", "requantified"]

#: Start, end and the new words.
Change = tuple[int, int, str]

_DIGIT = expression(r"(?<![\w.,])\d")
_WORD = expression(r"[A-Za-z]+")
_SCALE = expression(r"[ \u00a0](?:hundred|thousand|million|billion|trillion|dozen)\b", re.IGNORECASE)
_ANGLE = expression(
    r"(\d{1,3})([ \u00a0]?°[ \u00a0]?)"
    r"(?:(\d{1,2})([ \u00a0]?['’′][ \u00a0]?)(?:(\d{1,2})([ \u00a0]?(?:\"|”|″|''|’’|′′)[ \u00a0]?))?)?([NSEW])\b"
)
_ORDINAL = expression(r"(?:st|nd|rd|th)\b")
_ARTICLE = expression(r"\b([Aa])(n?)[ \u00a0]$")
_ISO = expression(r"\d{4}-\d{2}(-\d{2})?")
_MONTH_FIRST = expression(r"([A-Z][a-z]{2,8})\.? \d{1,2}(?:st|nd|rd|th)?(,?) \d{3,4}")
_DAY_FIRST = expression(r"\d{1,2}(st|nd|rd|th)?( of)? ([A-Z][a-z]{2,8})\.?,? \d{3,4}")
_DATE_WORDS = expression(r"(?:[a-z]+ )*(?=[\dA-Z])")
_GROUP = expression(r"\d+")
_SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
          "seventeen eighteen nineteen").split()  # fmt: skip
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_MOST_IN_WORDS = 100
_CONSONANT = ("uni", "use", "usu", "uk", "eu", "one", "once", "ura", "uri", "uto")
_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_BARE = (Bound.EXACT, Bound.ABOUT)


def requantified(
    words: str, stated: Quantity, value: Fraction, unit: Unit | None, *, locale: str = "en"
) -> tuple[Change, ...]:
    """The changes that make the quantity in ``words`` say ``value`` (in ``unit``).

    Args:
        words: a text in which the quantity stands once.
        stated: it, as ``quantities.find`` reads it there.
        unit: None where the value has none.
    """
    as_read = replace(stated, unit=None) if scale_of(stated.unit) is not None else stated
    found = [each for each in quantities.find(words, locale=locale) if each.quantity == as_read]
    if len(found) != 1:
        return ()
    start, end = found[0].start, found[0].end
    if stated.unit in (LATITUDE, LONGITUDE):
        return _angle(words, start, end, value)
    try:
        if stated.high is not None or stated.bound not in _BARE:
            return _unbounded(words, (start, end), stated, value, unit)
        return _exact(words, (start, end), stated, value, unit)
    except InputError:  # the stated unit cannot express the value
        return ()


def _exact(
    words: str, span: tuple[int, int], stated: Quantity, value: Fraction, unit: Unit | None
) -> tuple[Change, ...]:
    parts = (stated, stated.partner) if stated.partner is not None else (stated,)
    written = list(_numerals(words, *span))
    if len(written) != len(parts):
        return ()
    made = [
        (start, end, _number(value, part, unit, words[start:end]))
        for part, (start, end) in zip(parts, written, strict=True)
    ]
    tries = [made] if len(made) == 1 else [[change] for change in made] + [made]
    return tuple(next((each for each in tries if _says(words, span[0], each, value, unit)), made))


def _says(words: str, start: int, changes: list[Change], value: Fraction, unit: Unit | None) -> bool:
    """Whether the quantity at a place fits the value once the changes are made."""
    for low, high, new in reversed(changes):
        words = words[:low] + new + words[high:]
    read = next((each.quantity for each in quantities.find(words) if each.start == start), None)
    return read is not None and rounding.matches(read, value, unit) is rounding.Match.YES


def _unbounded(
    words: str, span: tuple[int, int], stated: Quantity, value: Fraction, unit: Unit | None
) -> tuple[Change, ...]:
    """The bound, or the range, gives way to the value."""
    written = list(_numerals(words, *span))
    if stated.partner is not None or len(written) != (1 if stated.high in (None, stated.low) else 2):
        return ()
    plain = Quantity(low=stated.low, unit=stated.unit)
    start, end = span[0], written[-1][1]
    said = _number(value, plain, unit, words[written[0][0] : written[0][1]])
    return ((start, end, said[:1].upper() + said[1:] if words[start].isupper() else said),)


def _numerals(words: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The numbers between two offsets, in digits with the scale word behind them, or in words."""
    plain = numbers.normalise(words[:end])
    while start < end:
        digit, word = _DIGIT.search(plain, start), _WORD.search(plain, start)
        if digit is not None and (word is None or digit.start() < word.start()):
            start, numerals = numbers.read_at(plain, digit.start())
            for numeral in numerals:
                scale = _SCALE.match(plain, numeral.end) or _ORDINAL.match(plain, numeral.end)
                start = scale.end() if scale else numeral.end
                yield numeral.start, start
        elif word is not None:
            start = word.end()
            read = number_words.read_at(plain, word.start()) if word[0].lower() in number_words.FIRST_WORDS else None
            if read is not None:
                start = read.end
                yield word.start(), read.end
        else:
            return


def _number(value: Fraction, like: Quantity, unit: Unit | None, written: str) -> str:
    """The value as the writer wrote the number: in words where it was in words and still can be."""
    if like.low.step == 0 and like.low.value.denominator > 1:  # "three and a half"
        like = replace(like, low=Number(like.low.value, Fraction(1, 10)))
    said = rounding.write(value, like, unit, written=written)
    if any(char.isdigit() for char in written):
        return said
    digits = said[:-2] if like.ordinal else said
    named = _in_words(int(digits), ordinal=like.ordinal) if digits.isdecimal() else None
    if named is None:
        return said
    return named.capitalize() if written[:1].isupper() else named


def _in_words(value: int, *, ordinal: bool) -> str | None:
    if value > _MOST_IN_WORDS or (value == _MOST_IN_WORDS and ordinal):
        return None
    if value == _MOST_IN_WORDS:
        return "a hundred"
    if value < len(_SMALL):
        ten, one = "", _SMALL[value]
    else:
        ten, one = _TENS[value // 10 - 2], _SMALL[value % 10] if value % 10 else ""
    if ordinal:
        if not one:
            return f"{ten[:-1]}ieth"
        one = _ORDINALS.get(one) or (f"{one[:-2]}fth" if one.endswith("ve") else f"{one}th")
    return f"{ten}-{one}" if ten and one else ten or one


def _angle(words: str, start: int, end: int, value: Fraction) -> tuple[Change, ...]:
    """Degrees, minutes and seconds, as finely as they were given; the side of the globe goes by the sign."""
    match = _ANGLE.fullmatch(words, start, end)
    if match is None:
        decimal = re.compile(r"\d{1,3}(?:[.,](\d{1,12}))?").match(words, start, end)
        if decimal is None or "'" in words[start:end] or "′" in words[start:end]:
            return ()
        places = len(decimal[1] or "")
        said = rounding.write(abs(value), Quantity(low=_like(places)), None, written=decimal[0])
        return ((decimal.start(), decimal.end(), said),)
    fields = 1 + (match[3] is not None) + (match[5] is not None)
    rest = round(abs(value) * 60 ** (fields - 1))
    parts: list[int] = []
    for _ in range(fields - 1):
        rest, part = divmod(rest, 60)
        parts.insert(0, part)
    parts.insert(0, rest)
    made = "".join(f"{part:0{len(match[2 * n + 1]) if n else 1}d}{match[2 * n + 2]}" for n, part in enumerate(parts))
    sides = "NS" if match[7] in "NS" else "EW"
    return ((start, end, f"{made}{sides[value < 0]}"),)


def _like(places: int) -> Number:
    return Number(Fraction(0), Fraction(1, 10**places))


# -- dates ------------------------------------------------------------------------------------------------------------


def redated(words: str, stated: DateValue, value: DateValue, *, locale: str = "en") -> tuple[Change, ...]:
    """The change that makes the date in ``words`` say ``value``: as finely as it was written, or as it is known.

    "on 3 May 1871" becomes "in 1872" where only the year is known.
    """
    every = dates.find(words, locale=locale)
    found = [each for each in every if each.value == stated]
    found = found or [each for each in every if replace(each.value, bound=stated.bound) == stated]  # "lived until 1980"
    if len(found) != 1 or value.first is None or value.last is None:
        return ()
    start, end = found[0].start, found[0].end
    if found[0].value.bound not in _BARE:
        at = _DATE_WORDS.match(words, start, end)
        start = at.end() if at else start
    written = words[start:end]
    made = _date_as(written, _coarser(value, stated))
    if made is None:
        return ()
    changes: list[Change] = [(start, end, made)]
    if stated.precision == "day" and value.precision != "day" and words[:start].endswith(" on "):
        changes.insert(0, (start - 3, start - 1, "in"))
    return tuple(changes)


def _coarser(value: DateValue, stated: DateValue) -> DateValue:
    """The value no finer than the date was stated."""
    assert value.first is not None
    if stated.precision == "year" and value.precision in ("day", "month"):
        return calendar.year(value.first[0])
    if stated.precision == "month" and value.precision == "day":
        return calendar.month(*value.first[:2])
    return value


def _date_as(written: str, value: DateValue) -> str | None:
    """A date in the form of another one."""
    assert value.first is not None
    year, month, day = value.first
    if value.precision == "day" and year > 0:
        name = calendar.MONTHS[month - 1]
        if _ISO.fullmatch(written):
            return f"{year:04d}-{month:02d}-{day:02d}"
        if (first := _MONTH_FIRST.fullmatch(written)) is not None:
            return f"{_as_long(name, first[1])} {day}{first[2]} {year}"
        if (second := _DAY_FIRST.fullmatch(written)) is not None:
            ending = rounding.ordinal(day)[len(str(day)) :] if second[1] else ""
            return f"{day}{ending}{second[2] or ''} {_as_long(name, second[3])} {year}"
    return dates.write(replace(value, bound=Bound.EXACT, other=()))


def _as_long(name: str, written: str) -> str:
    """The name of a month, cut short where the other one was."""
    short = written not in calendar.MONTHS or (written == "May" and len(name) > 4)
    return name[:3] if short and written != "May" else name


# -- articles ---------------------------------------------------------------------------------------------------------
def article_before(text: str, start: int, new: str) -> Change | None:
    """The change of "a" and "an" that a new word at ``start`` needs; None where the article stays, or none is there."""
    found = _ARTICLE.search(text[max(0, start - 4) : start])
    if found is None:
        return None
    vowel = _sounds_like_vowel(new)
    if vowel is (found[2] == "n"):
        return None
    at = max(0, start - 4) + found.start(1)
    return at, at + 1 + len(found[2]), f"{found[1]}n" if vowel else found[1]


def _sounds_like_vowel(word: str) -> bool:
    """ "an 8 km river", "an 11-storey house", "an hour", "a university"."""
    group = _GROUP.match(word)
    if group is not None:
        return group[0].startswith("8") or group[0] in ("11", "18")
    lower = word.lower()
    if lower.startswith(_CONSONANT):
        return False
    return lower.startswith(_SILENT_H) or lower[:1] in tuple("aeiou")
