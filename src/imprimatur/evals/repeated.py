"""Runs that were repeated with other seeds: mean, spread and interval, and where the spread lies.

The Licensing Oracle's paper has one run of each condition (section 4.6), from which no spread can be told. Invariants:
every run has the same questions in the same order; a spread of fewer than two runs is None; an interval holds the mean.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.evals.outcome import Figure

__all__ = ["Repeated", "student"]


@dataclass(frozen=True, slots=True)
class Repeated:
    """Scores by run and question: ``runs[run][question]``, each usually 0 or 1.

    Raises:
        ValueError: the runs do not have the same number of questions.
    """

    runs: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if len({len(run) for run in self.runs}) > 1:
            raise ValueError("every run has the same questions")

    @property
    def means(self) -> tuple[float, ...]:
        """The mean of each run; none where there are no questions."""
        return tuple(sum(run) / len(run) for run in self.runs if run)

    @property
    def mean(self) -> float | None:
        """The mean of the runs' means."""
        return _mean(self.means)

    @property
    def between(self) -> float | None:
        """The variance between the runs: of their means, with n - 1 below."""
        return _variance(self.means)

    @property
    def within(self) -> float | None:
        """The variance within a run, from question to question, with n - 1 below; the mean over the runs."""
        found = [variance for run in self.runs if (variance := _variance(run)) is not None]
        return _mean(found)

    @property
    def unsteady(self) -> float | None:
        """The variance of one question from run to run, with n - 1 below; the mean over the questions."""
        found = [variance for each in zip(*self.runs, strict=True) if (variance := _variance(each)) is not None]
        return _mean(found)

    @property
    def sd(self) -> float | None:
        """The standard deviation of the runs' means."""
        return None if self.between is None else math.sqrt(self.between)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % t interval of the mean over runs: how far other seeds would move it, on these questions."""
        if self.mean is None or self.sd is None:
            return None
        half = student(len(self.means) - 1) * self.sd / math.sqrt(len(self.means))
        return self.mean - half, self.mean + half

    def figure(self) -> Figure:
        """The mean with its t interval, as tables show it."""
        low, high = self.interval or (None, None)
        return Figure(value=self.mean, low=low, high=high)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _variance(values: Sequence[float]) -> float | None:
    # Exact: values that are all the same have a variance of 0, and not of a rounding error.
    return float(statistics.variance(values)) if len(values) > 1 else None


def student(freedom: int, share: float = 0.975) -> float:
    """The point below which Student's t lies with that chance, above a half; ``freedom`` at least 1.

    By halving on the chance, which for whole degrees of freedom is a finite sum (Abramowitz and Stegun, 26.7.3 and 4).
    """
    low, high = 0.0, 1.0
    while _below(high, freedom) < share:
        low, high = high, high * 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, freedom) < share else (low, middle)
    return high


def _below(point: float, freedom: int) -> float:
    """The chance that Student's t is at most ``point``, not below 0."""
    angle = math.atan2(point, math.sqrt(freedom))
    square = math.cos(angle) ** 2
    if freedom % 2:
        term, total = math.cos(angle), 0.0
        for odd in range(1, freedom - 1, 2):
            total, term = total + term, term * square * (odd + 1) / (odd + 2)
        inside = (angle + math.sin(angle) * total) * 2 / math.pi
    else:
        term, total = 1.0, 0.0
        for even in range(0, freedom, 2):
            total, term = total + term, term * square * (even + 1) / (even + 2)
        inside = math.sin(angle) * total
    return 0.5 + inside / 2
