"""How often something is said to be, and whether the texts say just that: "twice a day", "every other week", "monthly".

The words "once" and "a day" are ones, which a comparison of numbers passes over; a claim with another number of them is
another claim all the same (40 mg once a day is not 40 mg twice a day). ``often_marks`` only ever takes support away:
every frequency of a claim must be one of those of the sentences that bear it out, and a rate ("40 mg a day") must not
leave out how often. A rate whose amount is in none of these sentences was computed, and is judged as such.
English words only; linear in the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.language import quantities
from imprimatur.sources.text.comparison import Mark
from imprimatur.verdict import Reason

__all__ = ["often_marks"]


@dataclass(frozen=True, slots=True)
class _Often:
    """So many times a day, or a year; ``counted``: with a number of times, not only "a day"."""

    start: int
    end: int
    rate: tuple[str, Fraction]
    counted: bool


_DAY, _YEAR = "day", "year"
_UNITS = {
    "minute": (_DAY, Fraction(24 * 60)),
    "hour": (_DAY, Fraction(24)),
    "day": (_DAY, Fraction(1)),
    "night": (_DAY, Fraction(1)),
    "morning": (_DAY, Fraction(1)),
    "evening": (_DAY, Fraction(1)),
    "week": (_DAY, Fraction(1, 7)),
    "fortnight": (_DAY, Fraction(1, 14)),
    "month": (_YEAR, Fraction(12)),
    "season": (_YEAR, Fraction(1)),
    "year": (_YEAR, Fraction(1)),
    "decade": (_YEAR, Fraction(1, 10)),
    "century": (_YEAR, Fraction(1, 100)),
}
_ADVERBS = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "fortnightly": "fortnight",
    "monthly": "month", "yearly": "year", "annually": "year", "annual": "year",
}  # fmt: skip
_LATIN = {"qd": 1, "od": 1, "bid": 2, "bd": 2, "tid": 3, "tds": 3, "qid": 4, "qds": 4}
_ONCE = {"once": 1, "twice": 2, "thrice": 3}
_NUMBER = (
    r"\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred"
)
_TIMES = rf"(?:(?P<once>once|twice|thrice)|(?P<n>{_NUMBER})[ \u00a0-]times?)"
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})"
_SPACE = r"[ \u00a0]"
_COUNTED = expression(
    rf"\b{_TIMES}{_SPACE}(?:(?:in|within|during){_SPACE})?(?:a|an|per|each|every|one|the){_SPACE}(?:single{_SPACE}|whole{_SPACE})?"
    rf"{_UNIT}\b",
    re.IGNORECASE,
)
_ADVERBIAL = expression(rf"(?:\b{_TIMES}(?:{_SPACE}|-)|\b)(?P<adverb>{'|'.join(_ADVERBS)})\b", re.IGNORECASE)
_EVERY = expression(
    rf"\b(?:every|each){_SPACE}(?:(?P<step>other|second|third|fourth|fifth|sixth|{_NUMBER}){_SPACE})?{_UNIT}s?\b",
    re.IGNORECASE,
)
_LATIN_WORD = expression(r"\b(?P<latin>[qbt]\.?i\.?d|[qo]\.?d|b\.?d|t\.?d\.?s|q\.?d\.?s)\b\.?", re.IGNORECASE)
_HOURS = expression(r"\bq(?P<hours>\d{1,2})h\b", re.IGNORECASE)
_RATE = expression(
    rf"(?:\b(?:(?P<article>an?)|per|each|every){_SPACE}|\bper{_SPACE}[^.,;:()]{{1,30}}{_SPACE}and{_SPACE}|/{_SPACE}?)"
    r"(?P<unit>hour|day|night|week|fortnight|month|year|decade)\b"
    r"|\b(?P<annum>per annum|p\.a\.)|(?:/h|\bmph|\bkph|\bkmh)\b",
    re.IGNORECASE,
)
#: Characters between an amount and its rate ("40 mg of atorvastatin a day").
_NEAR = 40
_STEPS = {"other": 2, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}


def often_marks(words: str, sentences: Sequence[str]) -> Iterator[Mark]:
    """What is wrong with how often something is said to be.

    Args:
        words: the claim.
        sentences: those of the texts that would bear it out.
    """
    ours = list(_found(words))
    if not ours:
        yield from _without_rate(words, sentences)
        return
    theirs = [each for sentence in sentences for each in _found(sentence)]
    rates = {each.rate for each in theirs}
    for each in ours:
        if each.rate in rates or (not each.counted and _computed(words, each, sentences)):
            continue
        said = f"the text says {'another frequency' if theirs else 'nothing of how often'}"
        yield Mark(reason=Reason.NUMBER_NOT_IN_SOURCE, start=each.start, end=each.end, detail=said)


def _without_rate(words: str, sentences: Sequence[str]) -> Iterator[Mark]:
    """A mark for an amount that the text gives per day, hour or year, and the claim without."""
    mine = quantities.find(words)
    if not mine:
        return
    for sentence in sentences:
        for each in _found(sentence):
            before = [q for q in quantities.find(sentence[: each.start].rstrip()) if each.start - q.end <= _NEAR]
            amount = before[-1].quantity if before and not each.counted else None
            for found in mine if amount is not None else ():
                if amount is not None and found.quantity.low == amount.low and found.quantity.unit == amount.unit:
                    rate = sentence[each.start : each.end]
                    yield Mark(
                        reason=Reason.UNIT_MISMATCH,
                        start=found.start,
                        end=found.end,
                        detail=f"the text has it “{rate}”",
                    )


def _computed(words: str, often: _Often, sentences: Sequence[str]) -> bool:
    """Whether the amount before a rate is in none of the sentences: it was computed, with its unit."""
    before = [each for each in quantities.find(words[: often.start].rstrip()) if often.start - each.end <= _NEAR]
    if not before:
        return False
    amount = before[-1].quantity
    stated = (each.quantity for sentence in sentences for each in quantities.find(sentence))
    return not any(each.low.value == amount.low.value and each.unit == amount.unit for each in stated)


def _found(text: str) -> Iterator[_Often]:
    """How often, as far as it is said, in order; no word counts twice."""
    taken: list[tuple[int, int]] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            found = read(match)
            if found is not None:
                taken.append(match.span())
                yield _Often(match.start(), match.end(), *found)


def _times(match: re.Match[str]) -> int | None:
    """The number of times; None where none is said."""
    if match["once"]:
        return _ONCE[match["once"].lower()]
    if match["n"]:
        return _number(match["n"])
    return None


def _number(word: str) -> int:
    found = quantities.find(f"{word} items")
    return int(found[0].quantity.low.value) if found else 1


def _counted(match: re.Match[str]) -> tuple[tuple[str, Fraction], bool] | None:
    family, each = _UNITS[match["unit"].lower()]
    return (family, each * (_times(match) or 1)), True


def _adverbial(match: re.Match[str]) -> tuple[tuple[str, Fraction], bool] | None:
    family, each = _UNITS[_ADVERBS[match["adverb"].lower()]]
    times = _times(match)
    return (family, each * (times or 1)), times is not None


def _every(match: re.Match[str]) -> tuple[tuple[str, Fraction], bool] | None:
    family, each = _UNITS[match["unit"].lower()]
    step = match["step"]
    if step is None:
        return (family, each), False
    many = _STEPS.get(step.lower()) or _number(step)
    return (family, each / many), True


def _latin(match: re.Match[str]) -> tuple[tuple[str, Fraction], bool] | None:
    times = _LATIN.get(match["latin"].lower().replace(".", ""))
    plain = match["latin"].isupper() and "." not in match["latin"] and len(match["latin"]) < 3
    return None if times is None or plain else ((_DAY, Fraction(times)), True)


def _hours(match: re.Match[str]) -> tuple[tuple[str, Fraction], bool] | None:
    return ((_DAY, Fraction(24, max(int(match["hours"]), 1))), True)


def _rate(match: re.Match[str]) -> tuple[tuple[str, Fraction], bool] | None:
    if match["article"] and not quantities.find(match.string[max(0, match.start() - _NEAR) : match.start()]):
        return None  # "a night bus", "within a day"
    unit = match["unit"]
    return _UNITS["year" if match["annum"] else unit.lower() if unit else "hour"], False


_READERS = (
    (_COUNTED, _counted),
    (_EVERY, _every),
    (_ADVERBIAL, _adverbial),
    (_HOURS, _hours),
    (_LATIN_WORD, _latin),
    (_RATE, _rate),
)
