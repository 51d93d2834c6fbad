"""The numbers, dates, days and codes of a text as pieces, by where they start.

Invariants: they do not overlap; where several readings are possible a date comes before a code before a number; a
number's unit, hedge and bound belong to it, but not a word that belongs to the verb before it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from imprimatur._expressions import expression
from imprimatur.language import dates, quantities
from imprimatur.sources.text.pieces import Part, Piece, made
from imprimatur.values import Bound, DateValue, Quantity

__all__ = ["written"]

_CODE = expression(
    r"(?<![\w.,-])(?:\d{1,2}:\d{2}(?::\d{2}|\.\d{1,2}(?![\d.]*\d))?(?![\d:])|\d{1,3}[-\u2013]\d{1,3}(?![\w.,]*[\d-])"
    r"|(?=[A-Za-z0-9/-]*\d)(?=[A-Za-z0-9/-]*[A-Za-z])[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*(?![\w-]))"
)

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)

#: A time of day with its half ("2 p.m.", "10:57 pm"), or by name.
_CLOCK = expression(
    r"(?<![\w.,:-])(?:(\d{1,2})(?:[:.](\d{2}))?\s?([ap])(?:\.m\.|m\b)|(\d{1,2}):(\d{2})(?![\d:]|\.\d)|(noon|midnight)\b)",
    re.IGNORECASE,
)
#: A day without its year; a day with one is a date.
_DAY = expression(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTHS})|({_MONTHS}) (\d{{1,2}})(?:st|nd|rd|th)?)\b(?![\d.,]*\d)",
    re.IGNORECASE,
)


def written(text: str, locale: str) -> dict[int, Piece]:
    """Numbers, dates and codes by where they start; dates before codes before numbers."""
    found: dict[int, Piece] = {}
    taken: list[tuple[int, int]] = []

    def add(piece: Piece) -> None:
        if all(piece.end <= a or b <= piece.start for a, b in taken):
            found[piece.start] = piece
            taken.append((piece.start, piece.end))

    numbers = quantities.find(text, locale=locale)
    measured = [(q.start, q.end) for q in numbers if q.quantity.unit is not None]
    for date in dates.find(text, locale=locale):
        inside = any(a < date.start and date.end <= b for a, b in measured)
        if not inside and not _bare_number(text[date.start : date.end], date.value):
            add(made(text, date.start, date.end, Part.DATE, date=date.value))
    for day in _DAY.finditer(text):
        if (day[2] or day[3]) == "may":
            continue  # "nobody under 18 may enter"
        month = (day[2] or day[3]).lower()[:3]
        add(replace(made(text, *day.span(), Part.NAME), lower=f"{int(day[1] or day[4])} {month}"))
    for clock in _CLOCK.finditer(text):
        if (time := _time_of(clock)) is not None:
            add(replace(made(text, *clock.span(), Part.NAME), lower=time))
    for code in _CODE.finditer(text):
        if not any(a <= code.start() and code.end() <= b for a, b in measured):
            add(made(text, code.start(), code.end(), Part.NAME))
    for number in numbers:
        for piece in _numbers(text, number.start, number.end, number.quantity):
            add(piece)
    return found


def _time_of(clock: re.Match[str]) -> str | None:
    """A time of day as "14:05"; None for what is none."""
    if clock[6]:
        return "12:00" if clock[6].lower() == "noon" else "0:00"
    hour, minute = int(clock[1] or clock[4]), int(clock[2] or clock[5] or 0)
    if clock[3] and not 1 <= hour <= 12:
        return None
    if clock[3]:
        hour = hour % 12 + 12 * (clock[3].lower() == "p")
    return f"{hour}:{minute:02d}" if hour <= 24 and minute < 60 else None


def _bare_number(written: str, value: DateValue) -> bool:
    """Whether what may be a year is as well a plain number: only four digits from 1000 to 2199 are taken as a year."""
    last = written.split()[-1]
    return value.precision == "year" and last.isdigit() and not (len(last) == 4 and "1000" <= last <= "2199")


def _numbers(text: str, start: int, end: int, quantity: Quantity) -> tuple[Piece, ...]:
    """The pieces of a quantity: "from 5 to 8 km" says two numbers, in an order that counts."""
    year = _YEAR_TO.match(text[start:end])
    if quantity.high is not None and year is not None:  # "in 2023 to €5.1 million": the year belongs to what is before
        rest = [
            (n.start + start + year.end(), n.end + start + year.end(), n.quantity)
            for n in quantities.find(text[start + year.end() : end])
        ]
        return tuple(piece for each in rest for piece in _numbers(text, *each))
    paid = _PAID_TO.fullmatch(text[start:end])
    if paid is not None and quantity.high is not None and _WORD.match(text, end):  # "1.2 million euros to 85 growers"
        first, last = quantities.find(paid[1]), quantities.find(paid[2])
        if len(first) == len(last) == 1 and first[0].quantity.unit is not None and last[0].quantity.unit is None:
            return (
                made(text, start, start + paid.end(1), Part.NUMBER, quantity=first[0].quantity),
                made(text, start + paid.start(2), end, Part.NUMBER, quantity=last[0].quantity),
            )
    again = _OVER_AGAIN.match(text[start:end])
    rate = _RATE.fullmatch(text[start:end])
    if rate is not None and rate[1].lower().endswith(" times"):
        return (made(text, start, start + rate.end(1), Part.NUMBER, quantity=replace(quantity, unit=None)),)
    for cut, rest_from in ((again, again and again.end()), (rate, None)):
        if cut is None:
            continue
        a, b = (start + rest_from, end) if rest_from else (start, start + cut.start(2) - 1)
        inner = quantities.find(text[a:b])
        if len(inner) == 1 and (inner[0].start, inner[0].end) == (0, b - a):
            return _numbers(text, a, b, inner[0].quantity)
    turn = _FROM_TO.fullmatch(text[start:end])
    if quantity.bound is not Bound.RANGE or quantity.high is None or turn is None:
        return (made(text, start, end, Part.NUMBER, quantity=quantity),)
    low, high = quantity.low, quantity.high
    first, last = quantities.find(turn.group(1)), quantities.find(turn.group(2))
    falling = bool(first and last) and first[0].quantity.low.value > last[0].quantity.low.value
    plain = replace(quantity, high=None, bound=Bound.EXACT, other=(), partner=None)
    here, there = (high, low) if falling else (low, high)
    one = made(text, start + turn.start(1), start + turn.end(1), Part.NUMBER, quantity=replace(plain, low=here))
    two = made(text, start + turn.start(2), end, Part.NUMBER, quantity=replace(plain, low=there))
    return (one, two)


#: "carry over at most five": the first word belongs to the verb.
_OVER_AGAIN = expression(r"over (?=at |no |up |about |some |exactly |less |more |fewer |almost |nearly )")

#: "0.75% a year": the rate is said by words of its own.
_RATE = expression(r"(.+) (a|an|per|each) (day|week|month|quarter|year)")

_YEAR_TO = expression(r"(?:1\d|20|21)\d\d to (?=\D)")

_PAID_TO = expression(r"(.*[^\d\s.,].*) to ([\d.,]+)")
_WORD = expression(r"\s[a-z]{3}")
_FROM_TO = expression(r"[Ff]rom (.{1,40}) to (.{1,60})")
