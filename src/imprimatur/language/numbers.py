"""Numbers in digits: every script's digits, every locale's separators, all readings.

Contract: ``normalise`` maps characters one to one, so that offsets stay; ``read_at`` reads the run of digits and
separators that starts at a digit and returns the numbers in it, each with its readings (the primary one first, DESIGN
section 3). A form that allows one reading has one ("1,57", "1.410,00", "12,34,567", "1 234"); "16.181" and "8,234"
have two. A run that is no number ("1.2.3") gives nothing; a run of several ("1,2" in a list, "1400,1777") gives
several. Time is linear in the run; runs of more than ``MOST_DIGITS`` digits are codes, not numbers.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.values import Number

__all__ = ["MOST_DIGITS", "Numeral", "decimal_comma", "normalise", "read_at"]

MOST_DIGITS = 60

_RUN = expression(r"\d+(?:[.,'\u00a0٫٬]\d+|[ ]\d{3}(?!\d))*")
_CHUNK = expression(r"\d+|\D")
_LIST_AFTER = expression(r"(?:,? (?:and|or|&) |, ?)\d+(?!\d|[.,]\d|[ \u00a0]?%)")
_LIST_BEFORE = expression(
    r"\d, ?\Z|\b(?:steps|pages|chapters|items|numbers|figures|tables|questions|sections|lines|rows)[ \u00a0]\Z"
)
_COMMA_TAGS = (
    "af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it ka kk lt lv mk mn nb nl nn no pl pt ro ru sk"
    " sl sq sr sv tr uk uz vi"
)
_COMMA_LANGUAGES = frozenset(_COMMA_TAGS.split())
_POINT_REGIONS = frozenset(
    {
        "es-mx",
        "es-us",
        "es-gt",
        "es-hn",
        "es-ni",
        "es-pa",
        "es-pe",
        "es-pr",
        "es-sv",
        "es-do",
        "de-ch",
        "it-ch",
        "de-li",
    }
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written: its span and its readings, the primary one first."""

    start: int
    end: int
    readings: tuple[Number, ...]


class _Plain(dict[int, int]):
    """Code point to plain code point, filled as characters are met."""

    def __missing__(self, code: int) -> int:
        plain = _plain_code(code) if code > 127 else code
        self[code] = plain
        return plain


_SAME = {
    "\u2212": "-", "\ufe63": "-", "\uff0d": "-", "\u2010": "-", "\u2011": "-", "\u2012": "–",
    "\u2009": "\u00a0", "\u202f": "\u00a0", "\u2007": "\u00a0", "\u2008": "\u00a0", "\u2006": "\u00a0",
    "\u200a": "\u00a0",
    "\u2019": "'", "\u02bc": "'", "\u2032": "'", "\u2018": "'", "\u2033": '"', "\u201d": '"', "\u201c": '"',
    "\u00ba": "°", "\u02da": "°", "\u03bc": "µ", "\u2126": "Ω", "\u212b": "Å", "\u212a": "K",
    "\u2044": "/", "\u2215": "/",
}  # fmt: skip
_PLAIN = _Plain({ord(char): ord(plain) for char, plain in _SAME.items()})


def _plain_code(code: int) -> int:
    digit = unicodedata.decimal(chr(code), None)
    if digit is not None:
        return 48 + digit
    return code - 0xFEE0 if 0xFF01 <= code <= 0xFF5E else code


def normalise(text: str) -> str:
    """``text`` with plain digits, minus signs, spaces, quotes and full-width forms; same length, same offsets."""
    return text if text.isascii() else text.translate(_PLAIN)


def decimal_comma(locale: str) -> bool:
    """Whether the comma is the decimal mark of a BCP 47 locale ("en", "de-AT", "pt_BR")."""
    tag = locale.replace("_", "-").lower()
    return tag.partition("-")[0] in _COMMA_LANGUAGES and tag not in _POINT_REGIONS


def read_at(plain: str, pos: int, *, comma: bool = False) -> tuple[int, tuple[Numeral, ...]]:
    """Where the run of digits at ``pos`` ends, and the numbers in it, in order.

    ``comma`` says that the text's language uses the decimal comma. ``pos`` must be at an ASCII digit.
    """
    run = _RUN.match(plain, pos)
    if run is None:
        raise ValueError(f"offset {pos} is not at a digit; pass the offset of one")
    whole = _numeral(plain, run.span(), comma)
    if whole or run[0].isdigit():
        return run.end(), tuple(whole)
    numerals = (_numeral(plain, span, comma) for span in _pieces(run))
    return run.end(), tuple(numeral for found in numerals for numeral in found)


def _pieces(run: re.Match[str]) -> list[tuple[int, int]]:
    """The run cut at its spaces: what is not one number may be several."""
    spans = [part.span() for part in re.finditer(r"[^ \u00a0]+", run[0])]
    return [(run.start() + start, run.start() + end) for start, end in spans]


def _numeral(plain: str, span: tuple[int, int], comma: bool) -> list[Numeral]:
    start, end = span
    written = plain[start:end]
    tokens = _CHUNK.findall(written) if not written.isdigit() else [written]
    chunks, marks = tokens[::2], tokens[1::2]
    if _is_list(plain, span, chunks, marks, comma=comma):
        return _listed(start, chunks)
    if sum(map(len, chunks)) > MOST_DIGITS:
        return []
    readings = _readings(chunks, marks, comma)
    return [Numeral(start, end, readings)] if readings else []


def _is_list(plain: str, span: tuple[int, int], chunks: list[str], marks: list[str], *, comma: bool) -> bool:
    """Whether commas (or a prime, "5'10") set numbers apart here rather than groups or decimals."""
    if not marks or len(set(marks)) > 1 or marks[0] not in ",'":
        return False
    if marks[0] == "'" or len(marks) > 1:
        return not _grouped(chunks, marks[0])
    if len(chunks[1]) == 3 and _grouped(chunks, ","):
        return False
    if len(chunks[0]) >= 4 and len(chunks[1]) >= 3:
        return True
    if comma or len(chunks[1]) > 2:
        return False
    before = plain[max(0, span[0] - 12) : span[0]]
    return _LIST_AFTER.match(plain, span[1]) is not None or _LIST_BEFORE.search(before) is not None


def _listed(start: int, chunks: list[str]) -> list[Numeral]:
    numerals = []
    for chunk in chunks:
        if len(chunk) <= MOST_DIGITS:
            numerals.append(Numeral(start, start + len(chunk), (_number(chunk, ""),)))
        start += len(chunk) + 1
    return numerals


def _readings(chunks: list[str], marks: list[str], comma: bool) -> tuple[Number, ...]:
    """The numbers that digits and separators may mean; empty when they are no number."""
    if not marks:
        return (_number(chunks[0], ""),)
    if len(marks) > 1:
        return _long_reading(chunks, marks)
    decimal, grouped = _number(chunks[0], chunks[1]), _number("".join(chunks), "")
    mark = marks[0]
    can_group = _grouped(chunks, mark)
    if mark not in ".,":
        if mark == "٫":
            return (decimal,)
        return (grouped,) if can_group else ()
    if not can_group:
        return (decimal,)
    return (decimal, grouped) if (mark == ",") == comma else (grouped, decimal)


def _long_reading(chunks: list[str], marks: list[str]) -> tuple[Number, ...]:
    """Two or more separators allow one reading at most: groups, and then perhaps a decimal mark of another kind."""
    if len(set(marks)) == 1:
        return (_number("".join(chunks), ""),) if _grouped(chunks, marks[0]) else ()
    last = marks[-1]
    whole = chunks[:-1]
    if last not in ".,٫" or len(set(marks[:-1])) > 1 or marks[0] == last or not _grouped(whole, marks[0]):
        return ()
    return (_number("".join(whole), chunks[-1]),)


def _grouped(chunks: list[str], mark: str) -> bool:
    """Whether chunks are digit groups: 1,234,567 in any style, or the Indian 12,34,567."""
    first, *rest = chunks
    if first[0] == "0" or mark == "٫" or len(first) > 3 or len(rest[-1]) != 3:
        return False
    middle = {len(chunk) for chunk in rest[:-1]}
    return middle <= {3} or (mark == "," and middle == {2} and len(first) <= 2)


@lru_cache(maxsize=4096)
def _number(whole: str, decimals: str) -> Number:
    digits = whole + decimals
    value = Fraction(int(digits), 10 ** len(decimals))
    kept = digits.lstrip("0") if decimals else digits.strip("0")
    return Number(value, Fraction(1, 10 ** len(decimals)), max(1, len(kept)))
