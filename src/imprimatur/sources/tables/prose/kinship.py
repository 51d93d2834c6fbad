"""Whether a word of a statement may speak of a word in a column's name: how near they are.

Rests on base forms, WordNet's derivations and synonyms, the groups of ``alike.tsv``, and on how headings are
abbreviated ("pop" for population, "pts" for points). Nearness is a number: 3 the same word, 2 a word derived from it or
its abbreviation, 1 a synonym, 0 nothing known.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur.language.morphology import lemmas
from imprimatur.language.wordnet import Relation, related
from imprimatur.sources.text.pieces import Part, Piece, lemmas_of
from imprimatur.sources.text.words import likeness

__all__ = ["ABBREVIATED", "SAME", "SYNONYM", "kinship"]

SAME, ABBREVIATED, SYNONYM = 3, 2, 1
_SHORTEST, _LONGEST = 2, 4
#: Usual short forms in headings that no rule gives.
_SHORT = {
    "no": ("number",),
    "w": ("win", "victory"),
    "l": ("lose", "loss", "defeat"),
    "d": ("draw",),
    "t": ("tie",),
    "pt": ("point",),
    "pct": ("percentage", "percent"),
    "pop": ("population",),
}


@lru_cache(maxsize=65536)
def kinship(word: str, heading: str) -> int:
    """How near a word (its stem) is to a word of a heading (its stem)."""
    if word == heading:
        return SAME
    if not word.isalpha() or not heading.isalpha():
        return 0
    if _derived(word, heading) or _abbreviates(heading, word):
        return ABBREVIATED
    return SYNONYM if _alike(word, heading) else 0


def _derived(word: str, heading: str) -> bool:
    return any(
        related((word, own), (heading, its)) in (Relation.SAME, Relation.DERIVED) for own in "nva" for its in "nva"
    )


def _abbreviates(short: str, word: str) -> bool:
    """Whether a heading is an abbreviation of a word: its first letters, or its first, last and some between."""
    if word in _SHORT.get(short, ()):
        return True
    if not _SHORTEST <= len(short) <= _LONGEST or len(word) <= len(short) + 1:
        return False
    if word.startswith(short):
        return len(short) > _SHORTEST or not _known(short)
    if _known(short):
        return False
    letters = iter(word)
    return word[0] == short[0] and all(letter in letters for letter in short) and word[-1] == short[-1]


@lru_cache(maxsize=8192)
def _known(word: str) -> bool:
    """Whether the dictionary has a word."""
    return bool(lemmas(word))


def _alike(word: str, heading: str) -> bool:
    return likeness(_piece(word), _piece(heading)) == 1


def _piece(word: str) -> Piece:
    return Piece(start=0, end=len(word), text=word, lower=word, part=Part.NAME, lemmas=lemmas_of(word))
