"""What a statement comes to over a table."""

from __future__ import annotations

from imprimatur._dataclasses import dataclass

__all__ = ["Outcome"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was found.

    Attributes:
        holds: whether the table says so.
        form: by which form of statement it was read: "row", "list", "count", "superlative", "comparison".
        rows: the rows that show it.
        columns: the columns that were read.
        over: words that were not taken up; while there are any, a statement that holds is not supported.
        right: what a wrong value should have been, where one cell says it.
    """

    holds: bool
    form: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    over: str = ""
    right: str | None = None
