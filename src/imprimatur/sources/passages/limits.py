"""How much is read of one document, and how large a passage is: one frozen object, safe as it stands."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits for one document; what is beyond them is an error that says so, never read in part.

    Attributes:
        max_bytes: the largest file.
        max_text: the longest extracted text, in code points; structured data may grow when its keys are written out.
        max_depth: how deep structured data, HTML or Markdown may be nested.
        max_pages: the longest PDF.
        seconds: the longest that a PDF may take.
        memory: what the process that reads a PDF may use, in bytes.
        passage: the size that passages are filled up to, in code points.
        sentence: the longest sentence; a longer one is cut into fragments. No passage is longer than both.
    """

    max_bytes: int = 32 << 20
    max_text: int = 32 << 20
    max_depth: int = 100
    max_pages: int = 5_000
    seconds: float = 120.0
    memory: int = 2 << 30
    passage: int = 1_000
    sentence: int = 4_000
