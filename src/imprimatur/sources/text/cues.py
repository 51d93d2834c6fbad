"""Words that name an operation with numbers ("together", "less", "left"): ``resources/operations.tsv``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from imprimatur.sources.text.pieces import Piece

__all__ = ["named_by"]


def named_by(piece: Piece, operation: str) -> bool:
    """Whether a word names an operation: total, gap, rest, mean, rise, fall, outdo or trail."""
    words = _table()[operation]
    return piece.lower in words or any(lemma in words for lemma, _ in piece.lemmas)


@cache
def _table() -> dict[str, frozenset[str]]:
    path = Path(__file__).parents[2] / "resources" / "operations.tsv"
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {name: frozenset(words.split(", ")) for name, words in (line.split("\t") for line in lines)}
