"""What became of one clause of a claim: ``Outcome``, and which of two outcomes is better."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Match
from imprimatur.verdict import Reason

__all__ = ["Outcome", "misplaced", "most_marks"]


@dataclass(slots=True)
class Outcome:
    """What became of one clause."""

    match: Match | None
    marks: tuple[Mark, ...] = ()
    content: int = 0
    covered: int = 0
    derivation: tuple[str, ...] = ()
    used: tuple[int, ...] = field(default=())

    @property
    def against(self) -> bool:
        """Whether a text says otherwise, of something that it surely speaks of."""
        return any(mark.against for mark in self.marks) and all(m.against for m in self.marks)

    @property
    def silent(self) -> bool:
        """Whether some of the clause is in no text."""
        return any(not mark.against for mark in self.marks)


def misplaced(found: Iterable[Outcome]) -> bool:
    """Whether a comparison of the claim has its sides the wrong way round: then nothing needs to be computed."""
    return any(m.reason is Reason.COMPARISON_MISMATCH and m.against for each in found for m in each.marks)


def most_marks(best: Outcome | None, covered: int) -> float:
    """How many marks an outcome may have to be better than the best so far: fewer, or as many where more is covered."""
    return math.inf if best is None else len(best.marks) - (covered <= best.covered)
