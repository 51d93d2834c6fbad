"""A forward-only view of a text that arrives in pieces.

Readers are generators: they ``yield`` when they need a character that has not arrived, and are resumed after the next
``push``. Only ``BEHIND`` characters before ``pos`` are kept, and looking ahead is bounded by ``LIMIT``, so the buffer
stays short and any cutting of a text into pieces is read in linear time. All positions are code points of the whole
text. What a method returns never depends on how the text was cut.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import TypeVar

from imprimatur._expressions import expression

__all__ = ["LIMIT", "LINE_END", "Wait", "Window"]

_Result = TypeVar("_Result")
Wait = Generator[None, None, _Result]

BEHIND = 64
LIMIT = 4096
LINE_END = expression("\r\n|[\n\r\u2028\u2029]")


class Window:
    """The text received so far, from a little before ``pos`` on, up to ``end``; ``done``: nothing more comes."""

    __slots__ = ("base", "buffer", "done", "end", "pos")

    def __init__(self) -> None:
        self.base = 0
        self.buffer = ""
        self.done = False
        self.end = 0
        self.pos = 0

    def push(self, chunk: str) -> None:
        """Append a piece and forget what lies further back than ``BEHIND``."""
        drop = max(0, self.pos - self.base - BEHIND)
        self.buffer = self.buffer[drop:] + chunk
        self.base += drop
        self.end += len(chunk)

    def behind(self, count: int) -> str:
        """Return up to ``count`` (at most ``BEHIND``) characters before ``pos``."""
        here = self.pos - self.base
        return self.buffer[max(0, here - min(count, BEHIND)) : here]

    def peek(self, index: int) -> Wait[str]:
        """Return the character at ``index``, or an empty string at the end of the text."""
        while index >= self.end and not self.done:
            yield
        at = index - self.base
        return self.buffer[at] if at < len(self.buffer) else ""

    def run(self, index: int, pattern: re.Pattern[str], limit: int = LIMIT) -> Wait[int]:
        """Return the end of the run of ``pattern`` (a class with ``+``) at ``index``, at most ``limit`` further."""
        top = index + limit
        while True:
            found = pattern.match(self.buffer, index - self.base, top - self.base)
            index = self.base + found.end() if found else index
            if index < self.end or index >= top or self.done:
                return index
            yield

    def ahead(self, index: int, limit: int, stop: re.Pattern[str] = LINE_END) -> Wait[str]:
        """Return the text from ``index`` through the first ``stop`` (a single character), at most ``limit`` long."""
        while True:
            at = index - self.base
            found = stop.search(self.buffer, at, at + limit)
            if found:
                return self.buffer[at : found.end()]
            if len(self.buffer) - at >= limit or self.done:
                return self.buffer[at : at + limit]
            yield
