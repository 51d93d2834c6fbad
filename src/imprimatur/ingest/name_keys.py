"""Names as they are compared when it is asked whether two are of one thing.

Two names are *the same* when they are equal letter by letter, *alike* when they differ in accents, capitals, stops,
brackets, hyphens or a leading "the". One is *short for* another when it leaves out a qualifier ("Mill Creek" for "Mill
Creek (Ohio)"), when it is made of initials ("IBM", "J. Smith"), or is the family name of a person. What is short for
something may be short for something else as well: it settles nothing by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from imprimatur.sources.graph.names import folded

__all__ = ["alike", "exact", "initials", "qualifier", "shorter"]

_LONGEST = 400
_DROPPED = re.compile(r"['’‘´`\".“”!?]")
_GLUED = re.compile(r"(?<=[A-Z]\.)(?=[A-Z][a-z])")
_MINUS = re.compile(r"(?<![^\s(])[-−](?=[0-9])")
_SPACED = re.compile(r"[\s\-‐‑–—/_,;:()\[\]]+")
_BRACKETS = re.compile(r"^([^()]{2,}?)\s*\(([^()]{1,120})\)$")
_SMALL = frozenset("of the and for in on at to de la le les des du und der die das von van del di da y e et &".split())
_LEAST_INITIALS, _MOST_WORDS = 2, 12


def exact(name: str) -> str:
    """The name letter by letter, with single spaces."""
    return " ".join(unicodedata.normalize("NFC", name[:_LONGEST]).split())


@lru_cache(maxsize=65536)
def alike(name: str) -> str:
    """What names that are alike have in common; "" for one without letters or digits."""
    signed = _MINUS.sub("minus ", _GLUED.sub(" ", exact(name)))
    plain = " ".join(_SPACED.sub(" ", _DROPPED.sub("", folded(signed))).split())
    plain = plain.removeprefix("the ") if plain.count(" ") else plain
    return plain if any(c.isalnum() for c in plain) else ""


def initials(key: str) -> str:
    """The first letters of a name as ``alike`` gives it, without small words: "usa" of "united states of america"."""
    return "".join(word[0] for word in key.split() if word not in _SMALL)


def qualifier(name: str) -> tuple[str, str]:
    """A name without what tells it from others of that name, and that: ("Mill Creek", "Ohio"); or the name and ""."""
    plain = exact(name)
    match = _BRACKETS.match(plain)
    if match:
        return match.group(1), match.group(2)
    if plain.count(", ") == 1:
        first, _, rest = plain.partition(", ")
        return first, rest
    return plain, ""


@lru_cache(maxsize=65536)
def shorter(name: str, *, person: bool) -> frozenset[str]:
    """What ``alike`` gives of the shorter names that may stand for a name."""
    return frozenset(found for found in map(alike, _shorter(name, person)) if found) - {alike(name)}


def _shorter(name: str, person: bool) -> Iterator[str]:
    bare, told = qualifier(name)
    if told:
        yield bare
    words = [word for word in _SPACED.split(bare) if word]
    if not 2 <= len(words) <= _MOST_WORDS:
        return
    capital = [word for word in words if word[:1].isupper()]
    if person:
        if len(capital) == len(words) and not any(c.isdigit() for c in bare):
            firsts, last = words[:-1], words[-1]
            yield last
            yield " ".join([*(word[:1] for word in firsts), last])
            yield f"{firsts[0][:1]} {last}"
            yield f"{firsts[0]} {last}"
        return
    if all(word[:1].isupper() or word.lower() in _SMALL for word in words) and len(capital) >= _LEAST_INITIALS:
        yield "".join(word[:1] for word in capital)
