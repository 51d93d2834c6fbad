"""How much one retrieval may do, give, and take into account."""

from __future__ import annotations

from dataclasses import dataclass, fields

from imprimatur.errors import InputError

__all__ = ["RetrievalLimits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalLimits:
    """Bounds of one call.

    Attributes:
        seconds: the deadline for all paths together.
        tokens: how much text the trail may hold, counted as a quarter of its characters.
        items: how many items a trail may hold in each section.
        hops: how many relations a chain of facts may have, 1 to 3.
        width: how many chains are followed further at each hop.
        fan: how many facts of one thing are looked at; of a hub only those that the question asks for.
        floor: items that speak of less than this share of the question, and are less similar than ``similarity``, are
            not evidence.
        similarity: the cosine from which an item counts as similar.
        rows: how many rows a query may give.
        repairs: how often a query that was refused is written again.
    """

    seconds: float = 10.0
    tokens: int = 4000
    items: int = 30
    hops: int = 2
    width: int = 64
    fan: int = 400
    floor: float = 0.34
    similarity: float = 0.45
    rows: int = 100
    repairs: int = 2

    def __post_init__(self) -> None:
        """Checks the bounds. Raises InputError."""
        for each in fields(self):
            if not getattr(self, each.name) >= 0:
                raise InputError(f"the limit `{each.name}` must not be negative")
        if not 1 <= self.hops <= 3:
            raise InputError("a chain of facts may have 1 to 3 hops", hint="for instance hops=2")
        if self.repairs > 2:
            raise InputError("a query is written again at most twice", hint="for instance repairs=2")
