"""Figures for judges that give a score and mark spans: F1 of examples, spans and characters, AUROC, MCC and the like.

Invariants: a figure of nothing (no positive, no negative) is None, never 0, 1 or NaN; ties count half; every function
is linear or sorts once. Intervals are drawn over *groups* (all answers about one source stand or fall together), with
a fixed seed, so that the same rows give the same interval.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

__all__ = [
    "Counts",
    "Span",
    "auroc",
    "average_precision",
    "balanced",
    "best_threshold",
    "clopper_pearson",
    "covered",
    "exact_spans",
    "grouped",
    "interval",
    "macro_f1",
    "recalls",
    "resampled",
    "span_counts",
]

T = TypeVar("T")
Span = tuple[int, int]

_DRAWS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The four cells of a yes/no table."""

    hit: int = 0
    false: int = 0
    missed: int = 0
    passed: int = 0

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Counts:
        """The table of some (gold, flagged) pairs."""
        cells = [0, 0, 0, 0]
        for gold, flagged in pairs:
            cells[2 * gold + flagged] += 1
        return cls(hit=cells[3], false=cells[1], missed=cells[2], passed=cells[0])

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            hit=self.hit + other.hit,
            false=self.false + other.false,
            missed=self.missed + other.missed,
            passed=self.passed + other.passed,
        )

    @property
    def precision(self) -> float | None:
        """Of what was flagged, how much should be; None when nothing was."""
        return _share(self.hit, self.hit + self.false)

    @property
    def recall(self) -> float | None:
        """Of what should be flagged, how much was; None when nothing should."""
        return _share(self.hit, self.hit + self.missed)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None when nothing was flagged nor should be."""
        return _share(2 * self.hit, 2 * self.hit + self.false + self.missed)

    @property
    def balanced(self) -> float | None:
        """The mean of recall and of the share of the rest that was passed; None when either is of nothing."""
        kept = _share(self.passed, self.passed + self.false)
        return None if self.recall is None or kept is None else (self.recall + kept) / 2

    @property
    def accuracy(self) -> float | None:
        """Of all, how much was told right; None of nothing."""
        return _share(self.hit + self.passed, self.hit + self.false + self.missed + self.passed)

    @property
    def mcc(self) -> float | None:
        """Matthews' correlation (1975), from -1 to 1; None when a row or column of the table is empty."""
        flagged, gold = self.hit + self.false, self.hit + self.missed
        left, rest = self.passed + self.missed, self.passed + self.false
        if not flagged * gold * left * rest:
            return None
        bound = (self.hit * self.passed - self.false * self.missed) / math.sqrt(flagged * gold * left * rest)
        return max(-1.0, min(1.0, bound))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def auroc(pairs: Iterable[tuple[bool, float]]) -> float | None:
    """How often a positive scores above a negative (ties half), of (gold, score) pairs; None without both kinds."""
    listed = list(pairs)
    high = [score for gold, score in listed if gold]
    low = sorted(score for gold, score in listed if not gold)
    if not high or not low:
        return None
    above = sum(bisect_left(low, score) + bisect_right(low, score) for score in high)
    return above / (2 * len(high) * len(low))


def average_precision(pairs: Iterable[tuple[bool, float]]) -> float | None:
    """The area under precision by recall as a sum of steps, of (gold, score) pairs; None without a positive.

    Rows of one score are flagged together. No straight lines are drawn between points: they would be too high (Davis
    and Goadrich 2006).
    """
    ordered = sorted(pairs, key=lambda pair: -pair[1])
    total = sum(gold for gold, _ in ordered)
    hit = flagged = 0
    area = 0.0
    for _, same in groupby(ordered, key=lambda pair: pair[1]):
        golds = [gold for gold, _ in same]
        flagged, found = flagged + len(golds), sum(golds)
        hit += found
        area += found * hit / flagged
    return area / total if total else None


def best_threshold(pairs: Sequence[tuple[bool, float]]) -> tuple[float, Counts]:
    """The least score to flag from for the highest F1 on these very pairs, and its table (generous: chosen on them)."""
    best = (0.0, Counts.of((gold, True) for gold, _ in pairs))
    gold_total = sum(gold for gold, _ in pairs)
    hit = flagged = 0
    ordered = sorted(pairs, key=lambda pair: -pair[1])
    for index, (gold, score) in enumerate(ordered):
        hit, flagged = hit + gold, flagged + 1
        if index + 1 < len(ordered) and ordered[index + 1][1] == score:
            continue
        missed = gold_total - hit
        found = Counts(hit=hit, false=flagged - hit, missed=missed, passed=len(pairs) - flagged - missed)
        if (found.f1 or 0.0) > (best[1].f1 or 0.0):
            best = (score, found)
    return best


def clopper_pearson(count: int, total: int, confidence: float) -> float:
    """The one-sided upper bound of a proportion (Clopper and Pearson 1934): exact, never too low; 1 for no trials."""
    if count >= total:
        return 1.0
    low, high = count / total, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(count, total, middle) > 1 - confidence else (low, middle)
    return high


def _at_most(count: int, total: int, share: float) -> float:
    """The chance of at most so many hits in so many trials."""
    if share <= 0.0 or share >= 1.0:
        return 1.0 if share <= 0.0 else 0.0
    hit, miss = math.log(share), math.log1p(-share)
    ways = (math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1) for k in range(count + 1))
    return sum(math.exp(each + k * hit + (total - k) * miss) for k, each in enumerate(ways))


def recalls(pairs: Iterable[tuple[str, str]]) -> dict[str, Counts]:
    """For each class, its table one against the rest, of (gold, predicted) pairs; classes in sorted order."""
    listed = list(pairs)
    names = sorted({name for pair in listed for name in pair})
    return {name: Counts.of((gold == name, said == name) for gold, said in listed) for name in names}


def balanced(pairs: Iterable[tuple[str, str]]) -> float | None:
    """The mean over the gold classes of the share judged right, of (gold, predicted) pairs; None for no pair."""
    found = [table.recall for table in recalls(pairs).values() if table.recall is not None]
    return sum(found) / len(found) if found else None


def macro_f1(pairs: Iterable[tuple[str, str]]) -> float | None:
    """The mean of the F1 of each class that is gold or was predicted, of (gold, predicted) pairs; None for no pair."""
    found = [table.f1 for table in recalls(pairs).values() if table.f1 is not None]
    return sum(found) / len(found) if found else None


def covered(spans: Iterable[Span]) -> int:
    """How many characters lie in at least one span."""
    total, reach = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reach))
        reach = max(reach, end)
    return total


def span_counts(gold: Iterable[Span], flagged: Iterable[Span], length: int) -> Counts:
    """The table over the characters of one text of some length."""
    should, did = [*gold], [*flagged]
    a, b, either = covered(should), covered(did), covered([*should, *did])
    both = a + b - either
    return Counts(hit=both, false=b - both, missed=a - both, passed=length - either)


def exact_spans(gold: Iterable[Span], flagged: Iterable[Span]) -> Counts:
    """The table over whole spans: a hit has both ends right; the same span twice is one. Nothing counts as passed."""
    should, did = set(gold), set(flagged)
    return Counts(hit=len(should & did), false=len(did - should), missed=len(should - did))


def interval(
    rows: Sequence[T], *, group: Callable[[T], Hashable], figure: Callable[[Sequence[T]], float | None]
) -> tuple[float, float] | None:
    """The 95 % bootstrap interval of a figure, whole groups drawn with replacement; None when it cannot be had."""
    drawn = sorted(resampled(grouped(rows, group), figure, draws=_DRAWS))
    if len(drawn) < _DRAWS // 2:
        return None
    return drawn[int(0.025 * len(drawn))], drawn[min(len(drawn) - 1, int(0.975 * len(drawn)))]


def grouped(rows: Sequence[T], group: Callable[[T], Hashable]) -> list[list[T]]:
    """The rows of each group, groups and rows in the order of the rows."""
    groups: dict[Hashable, list[T]] = {}
    for row in rows:
        groups.setdefault(group(row), []).append(row)
    return list(groups.values())


def resampled(
    groups: Sequence[Sequence[T]], figure: Callable[[Sequence[T]], float | None], *, draws: int, seed: int = 0
) -> Iterator[float]:
    """The figure of as many whole groups drawn with replacement, for each draw that has one."""
    chance = random.Random(seed)
    for _ in range(draws):
        found = figure([row for unit in chance.choices(groups, k=len(groups)) for row in unit])
        if found is not None:
            yield found
