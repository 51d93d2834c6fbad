"""What is read of one segment: its claims, and the words that some claim must account for."""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Segment
from imprimatur.claim import Claim

__all__ = ["Extracted", "Word"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word that some claim must account for."""

    start: int
    end: int
    hard: bool


@dataclass(frozen=True, slots=True)
class Extracted:
    """A segment with its claims and the words to account for; ``silent`` when there is nothing to check.

    ``prose`` are the claims read as words; they say the same words once more. ``alone`` is the segment without them.
    """

    segment: Segment
    claims: tuple[Claim, ...] = ()
    words: tuple[Word, ...] = ()
    silent: bool = False
    attributed: bool = False
    prose: tuple[Claim, ...] = ()
    alone: Extracted | None = None
