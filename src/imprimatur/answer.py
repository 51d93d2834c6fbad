"""The answer to check and its segments. Spans are 0-based, half-open, in code points of the answer as given."""

from __future__ import annotations

from dataclasses import field
from datetime import date
from enum import StrEnum

from imprimatur._dataclasses import dataclass

__all__ = ["Answer", "Kind", "MemoryEntry", "Message", "Segment"]


class Kind(StrEnum):
    """What a segment is."""

    SENTENCE = "sentence"
    LIST_ITEM = "list_item"
    TABLE_CELL = "table_cell"
    TABLE_HEADER = "table_header"
    HEADING = "heading"
    CODE = "code"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the answer that is judged as one: ``answer[start:end]``.

    ``body`` is the span that carries words (without list markers, ``#``, ``|`` and white space around); it lies within
    ``start:end``. ``heading``, ``stem``, ``row`` and ``column`` are spans of the answer that give this segment its
    subject or property: the nearest heading, the line that introduces a list, the first cell of the row, the column's
    header.
    """

    start: int
    end: int
    kind: Kind
    body: tuple[int, int]
    heading: tuple[int, int] | None = None
    stem: tuple[int, int] | None = None
    row: tuple[int, int] | None = None
    column: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the dialogue so far."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One memory entry given with a call."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """All that a check is given."""

    text: str
    question: str | None = None
    messages: tuple[Message, ...] = ()
    context: tuple[str, ...] = ()
    memory: tuple[MemoryEntry, ...] = ()
    as_of: date | None = field(default=None)
