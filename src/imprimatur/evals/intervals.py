"""Intervals of 95 %: exact ones of shares, Newcombe's of differences, and the bootstrap's of any figure.

``metrics.wilson`` has the interval that shares are printed with, ``scores.clopper_pearson`` the one-sided exact bound.
Here are the others. Invariants: an interval holds its figure (one that was drawn is widened to it where it would not);
the same rows and seed give the same interval; a figure that cannot be had has the interval None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from enum import StrEnum
from statistics import NormalDist
from typing import TypeVar

from imprimatur.evals.metrics import Share, wilson
from imprimatur.evals.outcome import Figure
from imprimatur.evals.scores import clopper_pearson, grouped, resampled

__all__ = ["How", "Interval", "bootstrap", "difference", "exact", "figure_of", "paired_difference"]

T = TypeVar("T")
Interval = tuple[float, float]

_NORMAL = NormalDist()
_TAIL = 0.025
#: With fewer groups left out one by one than this the acceleration is the jackknife's; blocks of groups else.
_BLOCKS = 400


class How(StrEnum):
    """How an interval is read off the drawn figures (Efron and Tibshirani 1993, chapters 13 and 14)."""

    PERCENTILE = "percentile"
    BCA = "bca"


def exact(share: Share) -> Interval:
    """The two-sided interval of a share by Clopper and Pearson (1934): never too narrow; (0, 1) for no trials."""
    low = 1 - clopper_pearson(share.total - share.count, share.total, 1 - _TAIL)
    return (low, clopper_pearson(share.count, share.total, 1 - _TAIL))


def difference(first: Share, second: Share) -> Interval | None:
    """The interval of first minus second, of two independent samples (R. G. Newcombe 1998, method 10)."""
    if not first.total or not second.total:
        return None
    here, there = _ends(first), _ends(second)
    middle = here[0] - there[0]
    return middle - math.hypot(here[1], there[2]), middle + math.hypot(here[2], there[1])


def paired_difference(both: int, first: int, second: int, neither: int) -> Interval | None:
    """The interval of a difference of two shares of the same rows (Newcombe 1998, paired, method 10).

    Args:
        both: rows that are right in both conditions; ``first``, ``second``: in that one alone; ``neither``: in none.
    """
    total = both + first + second + neither
    if not total:
        return None
    here, there = _ends(Share(both + first, total)), _ends(Share(both + second, total))
    middle, bond = (first - second) / total, _bond(both, first, second, neither)
    low = here[1] ** 2 - 2 * bond * here[1] * there[2] + there[2] ** 2
    high = here[2] ** 2 - 2 * bond * here[2] * there[1] + there[1] ** 2
    return middle - math.sqrt(max(0.0, low)), middle + math.sqrt(max(0.0, high))


def _ends(share: Share) -> tuple[float, float, float]:
    """A share, how far its Wilson interval reaches below it, and how far above."""
    low, high = wilson(share.count, share.total)
    value = share.count / share.total
    return value, value - low, high - value


def _bond(both: int, first: int, second: int, neither: int) -> float:
    """How the two conditions hang together: the phi of their table, with Newcombe's continuity correction."""
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    if not margins:
        return 0.0
    bound = float(both * neither - first * second)
    if bound > 0:
        bound = max(0.0, bound - (both + first + second + neither) / 2)
    return bound / math.sqrt(margins)


def bootstrap(
    rows: Sequence[T],
    figure: Callable[[Sequence[T]], float | None],
    *,
    group: Callable[[T], Hashable] | None = None,
    how: How = How.PERCENTILE,
    draws: int = 2000,
    seed: int = 0,
) -> Interval | None:
    """The interval of a figure, rows drawn with replacement, or whole groups of them; None where it cannot be had.

    Args:
        group: what a row belongs to, where rows of one source stand or fall together; each by itself by default.
        draws: how often is drawn; draws without a figure are left out, and with fewer than half left there is none.
    """
    value, units = figure(rows), [[row] for row in rows] if group is None else grouped(rows, group)
    if value is None or len(units) < 2:
        return None
    drawn = sorted(resampled(units, figure, draws=draws, seed=seed))
    if len(drawn) < max(2, draws // 2):
        return None
    low, high = _TAIL, 1 - _TAIL
    if how is How.BCA:
        low, high = _corrected(drawn, value, units, figure)
    return min(value, _quantile(drawn, low)), max(value, _quantile(drawn, high))


def figure_of(
    rows: Sequence[T],
    figure: Callable[[Sequence[T]], float | None],
    *,
    group: Callable[[T], Hashable] | None = None,
    how: How = How.PERCENTILE,
    seed: int = 0,
) -> Figure:
    """A figure with its bootstrap interval, as tables show it."""
    low, high = bootstrap(rows, figure, group=group, how=how, seed=seed) or (None, None)
    return Figure(value=figure(rows), low=low, high=high)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of them lies, with a straight line between neighbours."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _corrected(
    drawn: Sequence[float],
    value: float,
    units: Sequence[Sequence[T]],
    figure: Callable[[Sequence[T]], float | None],
) -> Interval:
    """The two shares at which BCa reads the drawn figures: corrected for bias, and for a spread that is skewed."""
    below = sum(each < value for each in drawn) + sum(each == value for each in drawn) / 2
    # A figure at the very edge of what was drawn has no bias that could be told; half a draw keeps it finite.
    share = min(max(below, 0.5), len(drawn) - 0.5) / len(drawn)
    bias, skew = _NORMAL.inv_cdf(share), _acceleration(units, figure)
    ends = []
    for tail in (_TAIL, 1 - _TAIL):
        moved = bias + _NORMAL.inv_cdf(tail)
        ends.append(_NORMAL.cdf(bias + moved / (1 - skew * moved)) if skew * moved < 1 else tail)
    return min(ends), max(ends)


def _acceleration(units: Sequence[Sequence[T]], figure: Callable[[Sequence[T]], float | None]) -> float:
    """A sixth of the skewness of the figures without one unit; without one block of units where there are many."""
    blocks = min(len(units), _BLOCKS)
    left = [
        figure([row for at, unit in enumerate(units) if at % blocks != out for row in unit]) for out in range(blocks)
    ]
    known = [each for each in left if each is not None]
    if not known:
        return 0.0
    mean = sum(known) / len(known)
    squares = sum((mean - each) ** 2 for each in known)
    cubes = sum((mean - each) ** 3 for each in known)
    return cubes / (6 * squares**1.5) if squares else 0.0
