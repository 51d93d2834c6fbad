"""What a table says of a statement that was read over it."""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.prose.atoms import Atom

__all__ = ["Outcome"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Whether a statement holds, by which reading.

    Attributes:
        holds: whether the table bears it out; else it says otherwise.
        form: the kind of statement that it was read as.
        rows: the rows that say so; ``columns``: the columns that were looked at.
        used: the values that the rows were chosen and judged by.
        left: the words that no part of the reading accounts for.
        sure: whether the reading was the only one, and rests on whole cells and named columns.
    """

    holds: bool
    form: str
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    used: tuple[Atom, ...] = ()
    left: tuple[str, ...] = ()
    sure: bool = True
