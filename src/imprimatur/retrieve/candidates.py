"""What a path proposes, and paths themselves."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from imprimatur.errors import LimitExceeded
from imprimatur.evidence import Evidence
from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.trail import Section

__all__ = ["Candidate", "Clock", "Path"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A thing that a path found.

    Attributes:
        key: the same for the same thing, whichever path finds it.
        score: how well it fits the question, 0 to 1.
        similarity: its cosine with the question, where the path knows it.
        tell: gives its text and its evidence; asked only for what is shown.
        order: what the path itself orders by; the score where None.
        fit: the score, with small preferences that order what fits equally; the score where None.
    """

    key: Hashable
    section: Section
    score: float
    tell: Callable[[], tuple[str, tuple[Evidence, ...]]]
    similarity: float | None = None
    order: tuple[float, ...] | None = None
    fit: float | None = None


class Clock:
    """The time that is left of one retrieval."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """The seconds left; never below 0."""
        return max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raises LimitExceeded when the time is over."""
        if not self.left:
            raise LimitExceeded("the time is over")


class Path(Protocol):
    """One way to find evidence. It raises an ``ImprimaturError`` where it cannot look."""

    def __call__(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """What it finds for a question, best first."""
        ...
