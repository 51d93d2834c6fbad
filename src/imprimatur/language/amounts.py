"""Amounts: each number of a text with its sign, scale word, fraction and unit, before hedges and ranges are read.

Contract: ``find_all`` takes text that ``numbers.normalise`` has made plain and returns the amounts in order, not
overlapping. Digits inside identifiers ("B12", "COVID-19", "v2.1"), dates in digits, clock times, scores in ratio form
("3:1"), web addresses, citation marks ("[3]", "[mem:l1]") and list markers ("1. ") are no amounts. Every character is
looked at a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import coordinates, hedges, number_words, numbers, suffixes, units
from imprimatur.language.suffixes import Amount
from imprimatur.values import Number, Unit

__all__ = ["Amount", "find_all"]

_START = expression(rf"[A-Za-z]+|\d|[{suffixes.VULGAR}\[]")
_CITATION = expression(r"\[(?:\d{1,3}(?: ?[,–-] ?\d{1,3}){0,20}|[\w.-]{1,40}:[\w.,:-]{1,80})\]")
_ADDRESS = expression(r"(?:(?:https?|ftp)://|www\.)\S+", re.IGNORECASE)
_ADDRESS_WORDS = frozenset({"http", "https", "ftp", "www"})
_MARKER = expression(r"\d{1,3}[.)][ \t]+(?=\S)")
_MARKER_BEFORE = expression(r"(?:\A|\n)[ \t]{0,12}\Z")
_CODE = expression(
    r"\d{1,4}:\d{1,3}(?::\d{1,3}){0,3}(?:[.,]\d{1,9})?(?: ?[ap]\.?m\b)?"
    r"|\d{1,2} ?[ap]\.?m\b"
    r"|\d+(?:-\d+){2,}[T:.Z+\d-]*"
    r"|\d+(?:/\d+){2,}"
    r"|\d{3}0'?s\b",
    re.IGNORECASE,
)
_SLASHED = expression(r"(\d{1,9})/(\d{1,9})(?![\w/])")
_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100})
_DECADE = expression(r"\d0'?s\b")
_DECADE_BEFORE = expression(r"(?:\b(?:the|early|late|mid)[ \u00a0-]|')\Z", re.IGNORECASE)
_MONEY_MARK = r"(?:[A-Z]{1,2}|CA|MX|AU|JP)?[$€£¥₹₩₽₴₺₪฿₫₱₦₿]|R\$"
_SIGN = r"(?<![\w.)\]%°'\"-])[-+]|(?<![^\s(\[|])–|\b(?:minus|negative)[ \u00a0]"
_MONEY_LEAD = expression(
    rf"(?P<sign>{_SIGN})?(?<![A-Za-z])(?P<money>(?:{_MONEY_MARK}|[A-Z]{{3}}|Rs\.?|RM|kr)[ \u00a0]?)(?P<inner>[-+])?\Z"
)
_SIGN_LEAD = expression(rf"(?:{_SIGN})\Z", re.IGNORECASE)
_MAY_LEAD = expression(r"(?:[A-Z]{2}|[$€£¥₹₩₽₴₺₪฿₫₱₦₿]|Rs\.?|kr|(?i:minus|negative))[ \u00a0]\Z")
_JOINED_PREFIX = expression(r"\b(?:mid|pre|post|early|late|non|sub|over|under|about|approx|to|and)-\Z", re.IGNORECASE)
_WINDOW = 14
_WORD_REST = expression(r"[\w-]*")
_AN_UNIT = expression(
    r"an?[ \u00a0](?P<unit>[A-Za-z]{2,12}(?:[ \u00a0][A-Za-z]{2,12})?)(?=[ \u00a0]and[ \u00a0]an?[ \u00a0])", re.I
)
_ONE_UNIT = expression(r"an?[ \u00a0](?P<unit>[A-Za-z]{3,12})(?![\w-])", re.I)
_LASTING = expression(r"\b(?:for|within)[ \u00a0]\Z", re.I)


@dataclass(frozen=True, slots=True)
class _Lead:
    """What stands right before the digits: where it starts, the sign, and a currency."""

    start: int
    negative: bool = False
    money: tuple[Unit, ...] = ()


def find_all(plain: str, *, comma: bool = False) -> Iterator[Amount]:
    """The amounts of a plain text; ``comma`` says that its language writes decimals with a comma."""
    pos = taken = 0
    while (start := _START.search(plain, pos)) is not None:
        at, end = start.span()
        token = start[0]
        word = token.lower()
        if token.isalpha() and word not in number_words.FIRST_WORDS and word not in _ADDRESS_WORDS:
            pos = end
            continue
        found: list[Amount] = []
        if token.isdigit():
            end, found = _digits(plain, at, comma, taken)
        elif token == "[":
            citation = _CITATION.match(plain, at)
            end = citation.end() if citation else end
        elif token[0] in suffixes.VULGAR:
            end, found = _part(plain, at)
        elif word in number_words.FIRST_WORDS:
            end, found = _word(plain, at, end)
        elif word in _ADDRESS_WORDS:
            address = _ADDRESS.match(plain, at)
            end = address.end() if address else end
        yield from found
        pos, taken = end, found[-1].end if found else taken


def _digits(plain: str, pos: int, comma: bool, floor: int) -> tuple[int, list[Amount]]:
    """The amounts from the digits at ``pos``; what stands before ``floor`` belongs to the amount before."""
    if _is_marker(plain, pos):
        return _past_word(plain, pos), []
    code = _CODE.match(plain, pos)
    if code:
        return code.end(), []
    end, numerals = numbers.read_at(plain, pos, comma=comma)
    lead = _lead(plain, pos)
    if lead is not None and lead.start < floor:
        lead = _Lead(pos)
    if lead is None or not numerals:
        return _past_word(plain, end), []
    place = coordinates.read_at(plain, pos, end)
    if place:
        return place[0], [Amount(start=lead.start, end=place[0], numbers=(place[1],), units=(place[2],))]
    if plain[end : end + 1] == "/" and plain[end + 1 : end + 2].isdigit():
        return _fraction(plain, _SLASHED.match(plain, pos), lead, end)
    if _DECADE.match(plain, end - 2) and _DECADE_BEFORE.search(plain[max(0, pos - 6) : pos]):
        return _past_word(plain, end), []
    *rest, last = numerals
    if not rest and _is_point(plain, last, lead) and not plain[last.start : last.end].isdecimal():
        return _past_word(plain, end), []  # ".1,234" is no number
    amounts = [Amount(start=numeral.start, end=numeral.end, numbers=numeral.readings) for numeral in rest]
    final = _led(plain, last, lead) if not rest else Amount(start=last.start, end=last.end, numbers=last.readings)
    if rest:
        amounts[0] = _first_of_several(plain, rest[0], lead, last.end)
    whole = suffixes.read(plain, final, money=() if rest else lead.money)
    if whole is None:
        return _past_word(plain, end), amounts
    return max(end, whole.end), [*amounts, whole]


def _is_marker(plain: str, pos: int) -> bool:
    """Whether the digits at ``pos`` number a list item."""
    if pos and plain[pos - 1] not in " \t\n":
        return False
    return _MARKER.match(plain, pos) is not None and _MARKER_BEFORE.search(plain, max(0, pos - 13), pos) is not None


def _first_of_several(plain: str, first: numbers.Numeral, lead: _Lead, run_end: int) -> Amount:
    """The first number of a list ("1,2 and 3"), or the feet of feet and inches."""
    amount = _led(plain, first, lead)
    if plain[first.end] == "'" and plain[run_end : run_end + 1] == '"':
        return replace(amount, end=first.end + 1, units=units.named("ft"))
    return amount


def _past_word(plain: str, end: int) -> int:
    rest = _WORD_REST.match(plain, end)
    return rest.end() if rest else end


def _fraction(plain: str, slashed: re.Match[str] | None, lead: _Lead, end: int) -> tuple[int, list[Amount]]:
    """ "3/4" as an exact fraction; other slashes ("24/7", "5/2024") are no amount."""
    if slashed is None:
        return end, []
    above, below = int(slashed[1]), int(slashed[2])
    if below not in _DENOMINATORS or not 0 < above < below:
        return slashed.end(), []
    value = Fraction(above, below) * (-1 if lead.negative else 1)
    bare = Amount(start=lead.start, end=slashed.end(), numbers=(Number(value),))
    whole = suffixes.read(plain, bare)
    return (slashed.end(), []) if whole is None else (whole.end, [whole])


def _is_point(plain: str, numeral: numbers.Numeral, lead: _Lead) -> bool:
    """Whether a decimal point leads the digits (".5")."""
    return plain[numeral.start - 1 : numeral.start] == "." and lead.start < numeral.start


def _led(plain: str, numeral: numbers.Numeral, lead: _Lead) -> Amount:
    readings = numeral.readings
    if _is_point(plain, numeral, lead):
        digits = plain[numeral.start : numeral.end]
        readings = (Number(Fraction(f"0.{digits}"), Fraction(1, 10 ** len(digits)), len(digits)),)
    if lead.negative:
        readings = tuple(Number(-number.value, number.step, number.significant) for number in readings)
    return Amount(start=lead.start, end=numeral.end, numbers=readings, units=lead.money)


def _lead(plain: str, pos: int) -> _Lead | None:
    """What leads the digits at ``pos``; None when they are the tail of an identifier, an address or a path."""
    if pos == 0:
        return _Lead(0)
    window = max(0, pos - _WINDOW)
    if plain[pos - 1] in " \u00a0" and not _MAY_LEAD.search(plain, max(0, pos - 9), pos):
        return _Lead(pos)
    match = _MONEY_LEAD.search(plain, window, pos)
    if match:
        money = units.named(match["money"].strip(" \u00a0"))
        if money and money[0].symbol.startswith("cur:"):
            return _Lead(match.start(), negative=_minus(match["sign"]) or _minus(match["inner"]), money=money)
    sign = _SIGN_LEAD.search(plain, window, pos)
    return _Lead(sign.start(), negative=_minus(sign[0])) if sign else _unled(plain, pos)


def _minus(sign: str | None) -> bool:
    return sign is not None and sign != "+"


def _unled(plain: str, pos: int) -> _Lead | None:
    previous, earlier = plain[pos - 1], plain[pos - 2 : pos - 1] if pos > 1 else ""
    if previous in "/=@\\_&" or (previous.isalpha() and not _is_cjk(previous)):
        return None
    if previous == "." and not earlier.isalnum():
        return _Lead(pos - 1) if earlier != "." else _Lead(pos)
    if previous == "." and not earlier.isdigit():
        return None
    if previous == "-" and earlier.isalpha():
        return _Lead(pos) if _JOINED_PREFIX.search(plain[max(0, pos - 8) : pos]) else None
    return _Lead(pos)


def _is_cjk(char: str) -> bool:
    return "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"


def _part(plain: str, pos: int) -> tuple[int, list[Amount]]:
    """A fraction sign that stands alone: "½ mile"."""
    if pos and plain[pos - 1].isalnum():
        return pos + 1, []
    bare = Amount(start=pos, end=pos + 1, numbers=(Number(suffixes.vulgar(plain[pos])),))
    whole = suffixes.read(plain, bare)
    return (pos + 1, []) if whole is None else (whole.end, [whole])


def _word(plain: str, pos: int, end: int) -> tuple[int, list[Amount]]:
    if plain[end : end + 1].isalnum() or plain[pos - 1 : pos].isalnum():
        return end, []
    numeral = number_words.read_at(plain, pos)
    if numeral is None:
        found = _AN_UNIT.match(plain, pos) or _one_unit(plain, pos)
        read = units.named(found["unit"].replace("\u00a0", " ")) if found else ()
        if found is None or not read:
            return end, []
        one = Amount(start=pos, end=found.end(), numbers=(Number(Fraction(1)),), units=read)
        return _tailed(plain, one)
    bare = Amount(start=pos, end=numeral.end, numbers=(numeral.number,), ordinal=numeral.ordinal)
    if numeral.ordinal:
        return numeral.end, [bare]
    whole = suffixes.read(plain, bare)
    return (numeral.end, []) if whole is None else _tailed(plain, whole)


def _one_unit(plain: str, pos: int) -> re.Match[str] | None:
    """ "An hour" where it measures: after a hedge or "for". ("A second" is an ordinal, "a degree" is many things.)"""
    found = _ONE_UNIT.match(plain, pos)
    if found is None or number_words.read_at(plain, found.start("unit")) is not None:
        return None
    measured = hedges.before(plain, pos) is not None or _LASTING.search(plain, max(0, pos - 8), pos) is not None
    read = units.named(found["unit"]) if measured else ()
    return found if len({unit.dimension for unit in read}) == 1 else None


def _tailed(plain: str, amount: Amount) -> tuple[int, list[Amount]]:
    """ "two miles and a half"."""
    tail = number_words.FRACTION_TAIL.match(plain, amount.end) if amount.units else None
    added = number_words.fraction_tail(tail) if tail else None
    if tail is None or added is None or amount.numbers[0].value.denominator != 1:
        return amount.end, [amount]
    return tail.end(), [replace(amount, end=tail.end(), numbers=(Number(amount.numbers[0].value + added),))]
