"""The sentences of a text that counts as evidence, with their offsets, cut as answers are."""

from __future__ import annotations

from functools import lru_cache

from imprimatur.segment import segment

__all__ = ["sentences"]


@lru_cache(4096)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of the sentences that carry words, in order."""
    spans = (part.body for part in segment(text))
    return tuple((start, end) for start, end in spans if any(c.isalnum() for c in text[start:end]))
