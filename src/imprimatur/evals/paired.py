"""Tests between two conditions that were asked the same questions, and the correction for several such tests.

The Licensing Oracle's paper compares conditions by their shares alone (section 4.6). Its questions are the same for
each condition, so rows are compared with their own twins. Invariants: every p-value lies above 0 and at most at 1, is
two-sided, and is the same when the conditions change places; the same rows and seed give the same value; where nothing
differs it is 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from imprimatur.evals.intervals import How, Interval, bootstrap, paired_difference

__all__ = ["Compared", "compared", "differing", "holm", "mcnemar", "permuted"]

T = TypeVar("T")

#: Up to so many rows that differ, every exchange of their twins is tried; else some are drawn.
_EXHAUSTIVE = 12
_DRAWS = 5000
#: Sums in another order differ by a hair; a draw as far as the figure itself must count as far.
_HAIR = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two conditions on the same questions, right or wrong each.

    Attributes:
        both, first, second, neither: how many questions each got right alone, and together.
        p: McNemar's exact p-value; ``low``, ``high``: Newcombe's interval of the difference of the shares.
    """

    both: int
    first: int
    second: int
    neither: int
    p: float
    low: float | None
    high: float | None

    @property
    def total(self) -> int:
        """How many questions there are."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> float | None:
        """The share of the first condition less that of the second; None for no question."""
        return (self.first - self.second) / self.total if self.total else None


def compared(pairs: Iterable[tuple[bool, bool]]) -> Compared:
    """Compares two conditions by (first is right, second is right) for each question."""
    cells = [0, 0, 0, 0]
    for one, other in pairs:
        cells[2 * one + other] += 1
    neither, second, first, both = cells
    low, high = paired_difference(both, first, second, neither) or (None, None)
    return Compared(
        both=both, first=first, second=second, neither=neither, p=mcnemar(first, second), low=low, high=high
    )


def mcnemar(first: int, second: int) -> float:
    """The exact p-value of McNemar's test (1947): questions that only one of two conditions got right are a fair coin.

    Args:
        first, second: how many questions only the first, or only the second, got right.
    """
    total = first + second
    ways = tail = 1
    for count in range(1, min(first, second) + 1):
        ways = ways * (total - count + 1) // count
        tail += ways
    # Whole numbers divide exactly, however large they are; what is too small for a float is the smallest one.
    return min(1.0, max(2 * tail / (1 << total), math.ulp(0.0)))


def differing(
    pairs: Sequence[tuple[T, T]],
    figure: Callable[[Sequence[T]], float | None],
    *,
    group: Callable[[tuple[T, T]], Hashable] | None = None,
    how: How = How.PERCENTILE,
    draws: int = 2000,
    seed: int = 0,
) -> Interval | None:
    """The paired bootstrap interval of a figure of the first conditions' rows less that of the second ones'."""
    return bootstrap(pairs, lambda rows: _gap(rows, figure), group=group, how=how, draws=draws, seed=seed)


def permuted(
    pairs: Sequence[tuple[T, T]], figure: Callable[[Sequence[T]], float | None], *, draws: int = _DRAWS, seed: int = 0
) -> float | None:
    """The p-value of the paired permutation test (Pitman 1937): how often twins exchanged at random are as far apart.

    All exchanges are tried where few rows differ; else some are drawn, and the figure itself counts as one of them, so
    that the value is never 0 (Phipson and Smyth 2010). None where the figure cannot be had.
    """
    gap = _gap(pairs, figure)
    if gap is None:
        return None
    same = [pair for pair in pairs if pair[0] == pair[1]]
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if not apart:
        return 1.0
    if len(apart) <= _EXHAUSTIVE:
        masks: Iterable[int] = range(1 << len(apart))
        started, far = 0, 0
    else:
        chance = random.Random(seed)
        masks = (chance.getrandbits(len(apart)) for _ in range(draws))
        started, far = 1, 1
    tried = started
    for mask in masks:
        turned = [(b, a) if mask >> at & 1 else (a, b) for at, (a, b) in enumerate(apart)]
        found = _gap([*same, *turned], figure)
        tried += 1
        # An exchange without a figure cannot speak for a difference.
        far += found is None or abs(found) >= abs(gap) - _HAIR
    return far / tried


def _gap(pairs: Sequence[tuple[T, T]], figure: Callable[[Sequence[T]], float | None]) -> float | None:
    first, second = figure([one for one, _ in pairs]), figure([other for _, other in pairs])
    return None if first is None or second is None else first - second


def holm(values: Mapping[str, float]) -> dict[str, float]:
    """p-values corrected for that there are several (S. Holm 1979), under their names and in their order."""
    ordered = sorted(values, key=lambda name: values[name])
    corrected: dict[str, float] = {}
    least = 0.0
    for place, name in enumerate(ordered):
        least = max(least, min(1.0, (len(ordered) - place) * values[name]))
        corrected[name] = least
    return {name: corrected[name] for name in values}
