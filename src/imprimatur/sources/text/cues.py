"""Words that name an operation with numbers: ``resources/operations.tsv``, and comparatives by their direction."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from imprimatur.language.degree import comparative
from imprimatur.sources.text.pieces import Piece

__all__ = ["named_by", "sign_of"]

_UP = frozenset(
    "more much many long large great high old heavy late wide deep tall big expensive hot warm thick".split()
)
_DOWN = frozenset("less few little short small low young light early cheap cold cool near thin narrow".split())
_TIMED = {"fast": -1, "quick": -1, "slow": 1, "soon": -1}


def named_by(piece: Piece, operation: str) -> bool:
    """Whether a word names an operation: total, gap, rest, mean, rise, fall, outdo or trail."""
    words = _table()[operation]
    return piece.lower in words or any(lemma in words for lemma, _ in piece.lemmas)


def sign_of(piece: Piece) -> int:
    """1 for a comparative of more, -1 for one of less, 0 for any other word."""
    base = comparative(piece.lower) or piece.lower
    if piece.lower in ("more", "later", "farther", "further"):
        return 1
    if piece.lower in ("less", "fewer", "earlier"):
        return -1
    if base == piece.lower:
        return 0
    return 1 if base in _UP else -1 if base in _DOWN else _TIMED.get(base, 0)


@cache
def _table() -> dict[str, frozenset[str]]:
    path = Path(__file__).parents[2] / "resources" / "operations.tsv"
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {name: frozenset(words.split(", ")) for name, words in (line.split("\t") for line in lines)}
