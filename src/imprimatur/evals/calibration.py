"""How far what a judge says of its own sureness can be taken at its word: reliability, calibration error, Brier score.

Rows are (it was right, how sure it was), a sureness between 0 and 1. Invariants: rows of one sureness lie in one bin,
so that the order of the rows changes nothing; the bins are disjoint and have every row; a figure of nothing is None.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from imprimatur.evals.metrics import Share

__all__ = ["Bin", "Binning", "brier", "calibration_error", "reliability"]

Row = tuple[bool, float]


class Binning(StrEnum):
    """What the bins have in common: the width of their range, or how many rows they have."""

    WIDTH = "equal-width"
    MASS = "equal-mass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Some rows of like sureness: the least and highest, the mean of it, and how many were right."""

    low: float
    high: float
    sure: float
    right: Share

    @property
    def gap(self) -> float:
        """How far the mean sureness lies from the share that was right."""
        return abs(self.sure - self.right.count / self.right.total)


def reliability(rows: Iterable[Row], *, bins: int = 10, by: Binning = Binning.WIDTH) -> tuple[Bin, ...]:
    """The reliability table: the bins that have rows, from the least sure up.

    Args:
        bins: how many there are at most. Of equal width, each has its upper end and not its lower one, as in Guo et
            al. 2017, except that 0 lies in the first.

    Raises:
        ValueError: a sureness outside of 0 to 1, or no bin.
    """
    ordered = sorted(rows, key=lambda row: row[1])
    if bins < 1 or any(not 0 <= sure <= 1 for _, sure in ordered):
        raise ValueError("a sureness lies between 0 and 1, and there is at least one bin")
    if by is Binning.WIDTH:
        found = [list(each) for _, each in groupby(ordered, key=lambda row: max(1, math.ceil(row[1] * bins)))]
    else:
        found = _heaps(ordered, bins)
    return tuple(map(_bin, found))


def _heaps(ordered: Sequence[Row], bins: int) -> list[list[Row]]:
    """Cut into heaps as even as rows of one sureness, which stay together, allow."""
    heaps: list[list[Row]] = [[]]
    seen = 0
    for _, same in groupby(ordered, key=lambda row: row[1]):
        if heaps[-1] and seen * bins >= len(heaps) * len(ordered):
            heaps.append([])
        heaps[-1].extend(same)
        seen = sum(map(len, heaps))
    return [heap for heap in heaps if heap]


def _bin(rows: Sequence[Row]) -> Bin:
    sure = [each for _, each in rows]
    mean = min(max(math.fsum(sure) / len(sure), sure[0]), sure[-1])
    return Bin(low=sure[0], high=sure[-1], sure=mean, right=Share(sum(right for right, _ in rows), len(rows)))


def calibration_error(rows: Iterable[Row], *, bins: int = 10, by: Binning = Binning.WIDTH) -> float | None:
    """The expected calibration error (Naeini et al. 2015): the mean gap of the bins, each weighed by its rows."""
    table = reliability(rows, bins=bins, by=by)
    total = sum(each.right.total for each in table)
    return math.fsum(each.gap * each.right.total for each in table) / total if total else None


def brier(rows: Iterable[Row]) -> float | None:
    """The Brier score (1950): the mean of the squared distance of the sureness from 1 where right and 0 where wrong."""
    squares = [(sure - right) ** 2 for right, sure in rows]
    return math.fsum(squares) / len(squares) if squares else None
