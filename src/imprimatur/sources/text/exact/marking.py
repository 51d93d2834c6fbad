"""A mark on one word of a claim."""

from __future__ import annotations

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.pieces import Piece
from imprimatur.verdict import Reason

__all__ = ["mark"]


def mark(piece: Piece, reason: Reason, detail: str) -> Mark:
    return Mark(reason=reason, start=piece.start, end=piece.end, detail=detail)
