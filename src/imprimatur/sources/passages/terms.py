"""What full text is found by: the base forms of a text's words, and its numbers in plain digits.

Invariants: a text and a query go through the same function; words of closed classes are no terms; case, accents and
possessives do not matter ("Río's" is "rio"), nor do a number's thousands separators and trailing zeros ("2,330.50" is
"2330.5"). A Han or kana character is a term of its own. Linear in the length of the text. Terms hold no white space.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache

from imprimatur._expressions import expression
from imprimatur.extract.words import forms

__all__ = ["terms_above", "terms_of"]

_SOLID = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TERM = expression(rf"\d+(?:[.,]\d+)*(?![^\W\d_])|[{_SOLID}]|(?:(?![{_SOLID}])[^\W_])+")
_HUMPED = expression(r"\b[A-Za-z]*[a-z][A-Z][A-Za-z]*")
_HUMP = expression(r"(?<=[a-z])(?=[A-Z])")
_POSSESSIVE = expression(r"['’ʼ＇]s\b")
_GROUPED = expression(r"\d{1,3}(?:,\d{2,3})+(?:\.\d+)?")
#: No word is longer; what is would only fill the index.
_MOST = 60


def terms_of(text: str) -> list[str]:
    """The terms of a text, repeated as often as they stand in it; the parts of "OutdoorSeating" are terms too."""
    lower = text.casefold()
    if not lower.isascii():
        parted = unicodedata.normalize("NFKD", _POSSESSIVE.sub(" ", lower))
        lower = "".join(char for char in parted if not unicodedata.combining(char))
    else:
        lower = lower.replace("'s ", " ")
    found = [term for word in _TERM.findall(lower) if (term := _term(word))]
    for word in _HUMPED.findall(text):
        found += [term for part in _HUMP.sub(" ", word).casefold().split() if (term := _term(part))]
    return found


def terms_above(headings: Iterable[str], below: Collection[str]) -> list[str]:
    """The terms of the headings above a passage that are not in it, each once, in order of the alphabet.

    A heading says what all below it is about, but its words are few: they count once. The number of a thing in a list
    of structured data is no word.
    """
    found = {term for heading in headings if not heading.isdigit() for term in terms_of(heading)}
    return sorted(found.difference(below))


@lru_cache(maxsize=1 << 17)
def _term(word: str) -> str:
    """The term that a word counts as; empty for a word of a closed class."""
    if word[0].isdigit() and word[-1].isdigit() and not any(char.isalpha() for char in word):
        return _digits(word)[:_MOST]
    found = forms(word)
    if found.closed:
        return ""
    return (found.noun or found.verb or found.adj or word)[:_MOST]


def _digits(word: str) -> str:
    plain = word.replace(",", "") if _GROUPED.fullmatch(word) else word
    whole, point, rest = plain.rpartition(".")
    if point and rest.isdigit() and whole.isdigit():
        rest = rest.rstrip("0")
        return f"{whole}.{rest}" if rest else whole
    return plain
