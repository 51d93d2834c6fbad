"""What is found about the words of a text that stand for cells."""

from __future__ import annotations

from enum import StrEnum

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.values.record import At

__all__ = ["Finding", "Outcome"]


class Outcome(StrEnum):
    """What the record says of a span."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A span of the text, what it is ("number", "name", "date" or "word"), and what the record says of it.

    ``rows`` and ``columns`` are the cells that it was held against; ``right`` is what would be right, where the cells
    determine it.
    """

    start: int
    end: int
    kind: str
    outcome: Outcome
    rows: tuple[At, ...] = ()
    columns: tuple[str, ...] = ()
    right: str = ""
