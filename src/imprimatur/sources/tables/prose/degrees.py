"""Words that say more and less, that deny, and that change what a statement says of the rows it speaks of.

Closed classes and the regular endings only (``language.degree``); nothing here knows a domain, or where a word stands.
"""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.language.degree import AMOUNTS, DATES, comparative, superlative

__all__ = ["RANKING", "Degree", "degree_of", "denies", "turns"]

_TURNING = frozenset(
    "no not never only all every each most least more less fewer than before after first last final average total same "
    "different half majority other any neither none without except but until since between n't cannot".split()
)
_NEGATORS = frozenset(("not", "never", "n't", "cannot"))
_UP = {**AMOUNTS, **DATES, "much": True, "many": True, "good": True, "old": False, "new": True, "young": True}
_TIMES = frozenset((*DATES, "old", "new", "young"))
#: They say more or less only of a place in a ranking.
RANKING = {"best": True, "worst": False, "better": True, "worse": False}


@dataclass(frozen=True, slots=True)
class Degree:
    """A comparative or superlative: its adjective, whether it looks for more, and whether it speaks of time."""

    up: bool
    time: bool
    word: str
    base: str = ""


def degree_of(word: str, *, most: bool) -> Degree | None:
    """The superlative (``most``) or comparative that a word is; None where it is none that says more or less."""
    if word in RANKING and word.endswith("t" if most else "r"):
        return Degree(RANKING[word], False, word)
    base = superlative(word) if most else comparative(word)
    if base is None or base not in _UP:
        return None
    return Degree(_UP[base], base in _TIMES, word, base)


def turns(word: str) -> bool:
    """Whether a word changes what a statement says of the rows it speaks of: unread, it leaves the reading unsure."""
    return word in _TURNING or word in RANKING or superlative(word) in _UP or comparative(word) in _UP


def denies(word: str) -> bool:
    """Whether a word denies what the statement says."""
    return word in _NEGATORS
