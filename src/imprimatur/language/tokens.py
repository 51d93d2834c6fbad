"""Tokens of a text in any script, with exact spans.

Contract:

- Every character that is not white space lies in exactly one token; tokens are in order and never overlap;
  ``text[token.start:token.end] == token.text``.
- Time is linear in the length of the text.
- ``lower`` is what to compare by: lower case, composed (NFC), straight apostrophes, without soft hyphens and
  zero-width characters, and with clipped stems restored ("ca" of "can't" is "can", "wo" of "won't" is "will").

What is one token: a word (letters, marks and digits that begin with a letter: "Río", "H2O", "km²", "O'Brien"), an
initialism with its dots ("U.S."), a number with its separators and ordinal or plural ending ("2,330", "3rd",
"1990s"), a Han or kana character, a clitic ("n't", "'s", "'ll"), and any other single character.
Hyphenated words are split: "north-central" is three tokens, and ``compounds`` gives it back as one.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression

__all__ = ["Compound", "Token", "TokenKind", "compounds", "tokenise"]


class TokenKind(StrEnum):
    """What a token is."""

    WORD = "word"
    NUMBER = "number"
    PUNCT = "punct"
    SYMBOL = "symbol"


class Token(NamedTuple):
    """One token: ``text == source[start:end]``, spans in code points.

    ``clitic``: a part split from the word before it ("n't", "'s", "not" of "cannot").
    ``possessive``: a clitic that may mark a possessive. "'s" after a noun may as well stand for "is" or "has" or be
    part of a name ("Prince George's"), and the apostrophe of "rivers'" may close a quotation: the reader decides.
    ``hyphenated``: joined by a hyphen to the word or number beside it.
    """

    start: int
    end: int
    text: str
    lower: str
    kind: TokenKind
    clitic: bool = False
    possessive: bool = False
    hyphenated: bool = False


@dataclass(frozen=True, slots=True)
class Compound:
    """A hyphenated word: tokens ``first`` up to and without ``stop``, hyphens among them."""

    first: int
    stop: int
    start: int
    end: int
    text: str
    lower: str


#: Characters; the tokens of a longer text are not kept.
_MOST_KEPT = 2000
_HYPHENS = "-\u2010\u2011"
_HYPHEN_MARKS = frozenset(_HYPHENS)
_APOSTROPHES = "'\u2019\u02bc\uff07"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
# Han, kana and their iteration marks: written without spaces, so each character stands alone.
_SOLID = "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
_SOLID += "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
_HAS_MARKS = expression(
    "[\u0300-\u1fff\u20d0-\u20ff\u302a-\u3099\ua66f-\uabff\ufb1e\ufe00-\ufe2f\U00010000-\U0010ffff]"
)
_HAS_SOLID = expression(f"[{_SOLID}]")

_TYPOGRAPHY = {ord(c): "'" for c in _APOSTROPHES} | dict.fromkeys(map(ord, _INVISIBLE))
_CLITICS = frozenset({"'s", "'re", "'ve", "'ll", "'d", "'m"})
_FUSED = frozenset({"cannot", "Cannot", "CANNOT"})
_CLIPPED = {"ca": "can", "wo": "will", "sha": "shall"}
_NEVER_POSSESS = frozenset(
    {"he", "here", "how", "i", "it", "let", "she", "that", "there", "these", "they", "this"}
    | {"those", "we", "what", "when", "where", "who", "why", "you"}
)


def tokenise(text: str) -> tuple[Token, ...]:
    """The tokens of ``text`` in order. Those of short texts are kept for a while: one is read by several stages."""
    return _kept(text) if len(text) <= _MOST_KEPT else _tokenised(text)


@lru_cache(maxsize=512)
def _kept(text: str) -> tuple[Token, ...]:
    return _tokenised(text)


def _tokenised(text: str) -> tuple[Token, ...]:
    if text.isascii():
        return tuple(_tokens(text, _pattern(marks=False, solid=False)))
    marks, solid = _HAS_MARKS.search(text) is not None, _HAS_SOLID.search(text) is not None
    return tuple(_tokens(text, _pattern(marks=marks, solid=solid)))


def compounds(tokens: Sequence[Token]) -> tuple[Compound, ...]:
    """The hyphenated words among ``tokens``: longest runs of words and numbers joined by single hyphens.

    A run without a letter ("2010-2015", "555-1234") is not a word and is left out.
    """
    found: list[Compound] = []
    index = 0
    while index < len(tokens):
        stop = _compound_end(tokens, index)
        run = tokens[index:stop]
        if len(run) > 1 and any(token.kind is TokenKind.WORD for token in run):
            text, lower = "".join(t.text for t in run), "-".join(t.lower for t in run[::2])
            found.append(Compound(index, stop, run[0].start, run[-1].end, text, lower))
        index = stop
    return tuple(found)


def _compound_end(tokens: Sequence[Token], index: int) -> int:
    """One past the last token of the compound that begins at ``index``; ``index + 1`` when none does."""
    stop = index + 1
    while (
        stop + 1 < len(tokens)
        and tokens[stop - 1].hyphenated
        and tokens[stop].text in _HYPHENS
        and tokens[stop + 1].hyphenated
        and tokens[stop - 1].end == tokens[stop].start
        and tokens[stop].end == tokens[stop + 1].start
    ):
        stop += 2
    return stop


@cache
def _pattern(*, marks: bool, solid: bool) -> re.Pattern[str]:
    """The one pattern, for a text with or without combining marks and characters that stand alone.

    Classes of neighbouring parts are disjoint, so matching never backtracks far. Large classes are slow to compile: a
    text that has no use for them does without, and only the endings ignore case.
    """
    alone = _SOLID if solid else ""
    letter = rf"[^\W\d_{alone}]"
    inner = rf"[^\W_{alone}]|[{_INVISIBLE}{_mark_ranges() if marks else ''}]"
    word = rf"{letter}(?:{inner})*"
    apostrophe = f"[{_APOSTROPHES}]"
    return re.compile(
        rf"(?P<initials>(?:{letter}\.)+{letter}(?!\w)\.?)"
        rf"|(?P<number>\d+(?:[.,\u066b\u066c\uff0c\uff0e]\d+|['\u2019]\d{{3}}(?!\d))*"
        rf"(?:(?i:st|nd|rd|th|s)(?!\w))?)"
        rf"|(?P<word>{word}(?:{apostrophe}{word})*)"
        + (rf"|(?P<solid>[{_SOLID}])" if solid else "")
        + rf"|(?P<clitic>(?<=[\w.)\]\"\u201d]){apostrophe}(?i:s|re|ve|ll|d|m)(?!\w))"
        rf"|(?P<other>\S)"
    )


def _mark_ranges() -> str:
    """Combining marks as the inside of a character class; ``\\w`` leaves them out, words of many scripts need them."""
    ranges: list[str] = []
    start = None
    for code in [*range(0x300, 0xFE30), *range(0x10A01, 0x11FFF), sys.maxunicode]:
        is_mark = unicodedata.category(chr(code)).startswith("M")
        if is_mark and start is None:
            start = code
        elif not is_mark and start is not None:
            ranges.append(f"{chr(start)}-{chr(code - 1)}")
            start = None
    return "".join(ranges)


def _tokens(text: str, pattern: re.Pattern[str]) -> Iterator[Token]:
    quote_open = False
    lower = str.lower if text.isascii() else _lower
    hyphens = not _HYPHEN_MARKS.isdisjoint(text)
    for match in pattern.finditer(text):
        start, end = match.span()
        group = match.lastgroup
        raw = text[start:end]
        if group == "word" and (not raw.isalpha() or raw in _FUSED):
            yield from _word(text, start, raw)
        elif group == "clitic":
            yield Token(start, end, raw, lower(raw), TokenKind.WORD, True, raw[1:] in "sS")
        elif group != "other":
            kind = TokenKind.NUMBER if group == "number" else TokenKind.WORD
            yield Token(start, end, raw, lower(raw), kind, hyphenated=hyphens and _hyphenated(text, start, end))
        elif raw in _APOSTROPHES and _after_plural(text, start) and not quote_open:
            yield Token(start, end, raw, "'", TokenKind.WORD, True, True)
        else:
            if raw in "'\u2018":
                quote_open = _opens(text, start)
            yield Token(start, end, raw, lower(raw), _mark_kind(raw))


def _word(text: str, start: int, raw: str) -> Iterator[Token]:
    """A word, split into stem and clitics."""
    end = start + len(raw)
    lower = _lower(raw)
    if raw[0].isnumeric() and not raw[0].isalpha():
        yield from _leading_numeral(text, start, raw)
        return
    cuts = _cuts(raw)
    if not cuts:
        yield Token(start, end, raw, lower, TokenKind.WORD, hyphenated=_hyphenated(text, start, end))
        return
    stem = _lower(raw[: cuts[0]])
    bounds = [0, *cuts, len(raw)]
    for index, (left, right) in enumerate(pairwise(bounds)):
        piece, low = raw[left:right], _lower(raw[left:right])
        if index == 0:
            low = _CLIPPED.get(low, low) if _lower(raw[right : right + 3]) == "n't" else low
        spot = _hyphenated(text, start + left, start + right)
        possessive = low == "'s" and stem not in _NEVER_POSSESS
        yield Token(start + left, start + right, piece, low, TokenKind.WORD, index > 0, possessive, spot)


def _leading_numeral(text: str, start: int, raw: str) -> Iterator[Token]:
    """A vulgar fraction, superscript or other numeral that is no digit ("½", "Ⅳ"), then the word glued to it if any."""
    length = next((i for i, c in enumerate(raw) if c.isalpha() or not c.isnumeric()), len(raw))
    end = start + length
    number, rest = raw[:length], raw[length:]
    yield Token(start, end, number, _lower(number), TokenKind.NUMBER, hyphenated=_hyphenated(text, start, end))
    if rest:
        whole = start + len(raw)
        yield Token(end, whole, rest, _lower(rest), TokenKind.WORD, hyphenated=_hyphenated(text, end, whole))


def _cuts(raw: str) -> list[int]:
    """Offsets in ``raw`` at which clitics begin, at most two ("shouldn't've")."""
    if raw in _FUSED:
        return [3]
    cuts: list[int] = []
    rest = raw
    while len(cuts) < 2:
        at = max(rest.rfind(mark) for mark in _APOSTROPHES)
        if at <= 0:
            break
        tail = _lower(rest[at:])
        if tail == "'t" and at > 1 and rest[at - 1] in "nN":
            at -= 1
        elif tail not in _CLITICS:
            break
        cuts.insert(0, at)
        rest = rest[:at]
    return cuts


def _lower(raw: str) -> str:
    if raw.isascii():
        return raw.lower()
    return unicodedata.normalize("NFC", raw.translate(_TYPOGRAPHY).lower())


def _hyphenated(text: str, start: int, end: int) -> bool:
    if text[end : end + 1] in _HYPHEN_MARKS and text[end + 1 : end + 2].isalnum():
        return True
    return start > 1 and text[start - 1] in _HYPHEN_MARKS and text[start - 2].isalnum()


def _after_plural(text: str, at: int) -> bool:
    return text[at - 1 : at] in ("s", "S") and not text[at + 1 : at + 2].isalnum()


def _opens(text: str, at: int) -> bool:
    """Whether a quotation mark at ``at`` opens: nothing or no letter before it, something after it."""
    return not text[max(0, at - 1) : at].isalnum() and not text[at + 1 : at + 2].isspace() and at + 1 < len(text)


@lru_cache(maxsize=1024)
def _mark_kind(char: str) -> TokenKind:
    return TokenKind.PUNCT if unicodedata.category(char).startswith("P") else TokenKind.SYMBOL
