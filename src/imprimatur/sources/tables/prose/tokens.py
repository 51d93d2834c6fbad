"""Words, numbers and signs of a cell or a statement, in one form for both.

Invariants: tokens are in order and do not overlap; ``text`` is what stands at ``start:end``, in small letters. A number
is exact, and parted from the unit written to it ("4.7in"); a sign is a part of it where neither word nor number stands
right before ("- 1" in "at - 1 to par", and not in "12 - 0"). Two tokens say the same word when their ``stem`` is the
same: of a word the base form without accents, of a number its value.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import number_words
from imprimatur.language.morphology import lemmas, normalise
from imprimatur.language.numbers import normalise as plain_text

__all__ = ["Token", "fold", "stem", "tokens"]

_TOKEN = expression(
    r"(?P<clock>\d{1,3}(?::\d{2})+(?:\.\d+)?(?![:\w]))|"
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)(?:(?P<th>st|nd|rd|th)(?![^\W_])|(?![^\W_])|(?=[^\W\d_]{2,9}(?!\w)))"
    r"|(?P<word>n['’]t(?!\w)|[^\W_]+?(?=n['’]t(?!\w))|[^\W_]+(?:['’](?!s\b)[^\W\d_]+)?)"
    r"|(?P<clitic>['’]s?(?![^\W_]))"
    r"|(?P<sign>[^\w\s]|_)"
)
#: Before a "one" that stands for a thing.
_POINTED = expression(r"(?<!\w)(?:the|no|this|that|which|each|every|any|some)\s\Z")
_MINUS = frozenset("-−–")
_SIGNS = _MINUS | {"+"}
_MOST_DIGITS = 40
#: A shorter word that no dictionary knows is no plural.
_SHORTEST = 4
_NO_PLURAL = ("ss", "us", "is")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a sign.

    ``stem`` is "" for signs and for the "'s" of a possessive, which say nothing by themselves. ``number`` is the value
    of a number in digits or words; ``ordinal`` marks "2nd" and "second".
    """

    start: int
    end: int
    text: str
    stem: str
    number: Fraction | None = None
    ordinal: bool = False

    @property
    def mute(self) -> bool:
        """Whether it is a sign, or the mark of a possessive."""
        return not self.stem

    @property
    def cardinal(self) -> Fraction | None:
        """Its value, where it is a number that says how many or how much."""
        return None if self.ordinal else self.number


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text."""
    plain = plain_text(text)
    low = plain.lower()
    if len(low) != len(plain):  # few letters have a longer small form
        low = plain
    found: list[Token] = []
    at = 0
    while (match := _TOKEN.search(low, at)) is not None:
        token = _clock(match) if match["clock"] else _numeral(match) if match["number"] else _word(low, match)
        if match["number"] and found and token.cardinal is not None and _is_sign(found):
            token = _signed(token, found.pop(), low)
        found.append(token)
        at = token.end
    return tuple(found)


def _numeral(match: re.Match[str]) -> Token:
    digits, ordinal = match["number"].replace(",", ""), match["th"] is not None
    if len(digits) > _MOST_DIGITS:
        return Token(*match.span(), match[0], match[0])
    value = Fraction(digits)
    return Token(*match.span(), match[0], _number_stem(value, ordinal=ordinal), value, ordinal)


def _clock(match: re.Match[str]) -> Token:
    """A time in hours, minutes and seconds, or minutes and seconds: its value is in the last of them."""
    value = Fraction(0)
    for part in match[0].split(":"):
        value = value * 60 + Fraction(part)
    return Token(*match.span(), match[0], match[0], value)


def _word(low: str, match: re.Match[str]) -> Token:
    start, text = match.start(), match[0]
    if not match["word"]:
        return Token(start, match.end(), text, "")
    if text in number_words.FIRST_WORDS and text not in ("a", "an", "half"):
        read = number_words.read_at(low, start)
        if read is not None:
            value, ordinal = read.number.value, read.ordinal
            return Token(start, read.end, low[start : read.end], _number_stem(value, ordinal=ordinal), value, ordinal)
    if text == "one" and not _POINTED.search(low, max(0, start - 12), start):
        return Token(start, match.end(), text, "1", Fraction(1))
    return Token(start, match.end(), text.replace("’", "'"), stem(text))


def _is_sign(found: list[Token]) -> bool:
    """Whether the last token may be the sign of the number that follows: "12 - 0" and "route - 9" have none."""
    if found[-1].text not in _SIGNS:
        return False
    if len(found) == 1:
        return True
    before = found[-2]
    apart = found[-1].start > before.end
    return apart and before.number is None and before.text not in (")", "]") and before.text not in _SIGNS


def _signed(token: Token, sign: Token, low: str) -> Token:
    value = token.number if token.number is not None else Fraction(0)
    value = -value if sign.text in _MINUS else value
    return Token(sign.start, token.end, low[sign.start : token.end], _number_stem(value, ordinal=False), value)


def _number_stem(value: Fraction, *, ordinal: bool) -> str:
    return f"{value}th" if ordinal else str(value)


def fold(word: str) -> str:
    """The word in small letters without accents: "Pádraig" gives "padraig"."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", word.lower())
    return "".join(char for char in apart if not unicodedata.combining(char)) or word.lower()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The base form of a word, the same for all its forms: "won" and "wins" give "win", "hawks" gives "hawk"."""
    low = fold(word)
    for _ in range(3):  # the base form of "found" is "find", and a base form may be one of another word
        base = _base(low)
        if base == low:
            break
        low = base
    return normalise(low)


def _base(low: str) -> str:
    known = lemmas(low)
    for pos in ("v", "n"):
        bases = sorted(lemma for lemma, its in known if its == pos)
        plural = next((base for base in bases if low == f"{base}s"), None)
        if bases and (low not in bases or plural is not None):
            return plural or bases[0]
    if known or len(low) < _SHORTEST or not low.endswith("s") or not low.isalpha() or low.endswith(_NO_PLURAL):
        return low
    return low[:-1]
