"""What labelled rows say of verdicts: a table gold × verdict, shares with their intervals, and every grave mistake.

Invariants: every row is counted in exactly one cell of the table, and ``right`` is the sum of the cells whose verdict
is among their gold labels, so that no score can disagree with the counts beneath it. ``not_a_claim`` is an abstention:
it is counted by itself and never as a licence or a refutation. Shares of nothing are None, never 0, 1 or NaN.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from imprimatur.verdict import Label

__all__ = ["Judged", "Measures", "Share", "wilson"]

#: The standard normal's 97.5 % point.
_Z = 1.959963984540054


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95 % score interval of a proportion (E. B. Wilson 1927), as shares between 0 and 1; (0, 1) for no trials."""
    if total == 0:
        return (0.0, 1.0)
    square = _Z * _Z
    share = count / total
    middle = share + square / (2 * total)
    half = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    # At the ends the interval touches 0 or 1 exactly, which rounding would miss by a hair.
    low = 0.0 if count == 0 else (middle - half) / scale
    high = 1.0 if count == total else (middle + half) / scale
    return (low, high)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    total: int

    def __str__(self) -> str:
        if self.total == 0:
            return "none"
        low, high = wilson(self.count, self.total)
        return f"{self.count} of {self.total}, {self.count / self.total:.4f} [{low:.4f}, {high:.4f}]"

    def to_dict(self) -> dict[str, Any]:
        """The share with its 95 % interval, as JSON-ready values."""
        low, high = wilson(self.count, self.total)
        share = self.count / self.total if self.total else None
        return {"count": self.count, "total": self.total, "share": share, "low": low, "high": high}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One row: its gold labels (any of them is right) and the verdict that it got.

    ``rests``: whether the verdict rests on what a model made; None where there is nothing of the kind.
    """

    id: str | int
    text: str
    gold: tuple[Label, ...]
    verdict: Label
    rests: bool | None = None

    @property
    def name(self) -> str:
        """The gold labels as one name, in a fixed order."""
        return "|".join(sorted(set(self.gold)))

    @property
    def right(self) -> bool:
        """Whether the verdict is among the gold labels."""
        return self.verdict in self.gold

    @property
    def false_licence(self) -> bool:
        """Whether something was licensed that is not known to be true."""
        return self.verdict is Label.SUPPORTED and Label.SUPPORTED not in self.gold

    @property
    def true_called_false(self) -> bool:
        """Whether something true was called false."""
        return self.verdict is Label.CONTRADICTED and set(self.gold) == {Label.SUPPORTED}


@dataclass(frozen=True, slots=True)
class Measures:
    """All that is measured over some judged rows."""

    rows: tuple[Judged, ...]

    def cells(self) -> Counter[tuple[str, Label]]:
        """How many rows have each pair of gold labels and verdict."""
        return Counter((row.name, row.verdict) for row in self.rows)

    def golds(self) -> dict[str, Share]:
        """For each set of gold labels, how many of its rows were judged right."""
        totals = Counter(row.name for row in self.rows)
        right = Counter(row.name for row in self.rows if row.right)
        return {name: Share(right[name], totals[name]) for name in sorted(totals)}

    def right(self) -> Share:
        """How many rows were judged right."""
        return Share(sum(row.right for row in self.rows), len(self.rows))

    def abstained(self) -> Share:
        """How many rows were found to hold nothing to check."""
        return Share(sum(row.verdict is Label.NOT_A_CLAIM for row in self.rows), len(self.rows))

    def false_licences(self) -> tuple[Judged, ...]:
        """Every row that was licensed and must not have been."""
        return tuple(row for row in self.rows if row.false_licence)

    def false_licence_share(self) -> Share:
        """False licences, of the rows that must not be licensed."""
        return Share(len(self.false_licences()), sum(Label.SUPPORTED not in row.gold for row in self.rows))

    def true_called_false(self) -> tuple[Judged, ...]:
        """Every true row that was called false."""
        return tuple(row for row in self.rows if row.true_called_false)

    def resting(self) -> Share | None:
        """How many verdicts rest on what a model made; None where there is nothing of the kind."""
        told = [row.rests for row in self.rows if row.rests is not None]
        return Share(sum(told), len(told)) if told else None

    def to_dict(self) -> dict[str, Any]:
        """The measures as JSON-ready values."""
        resting = self.resting()
        table: dict[str, dict[str, int]] = {}
        for (gold, verdict), count in sorted(self.cells().items()):
            table.setdefault(gold, {})[verdict.value] = count
        return {
            "rows": len(self.rows),
            "table": table,
            "right": self.right().to_dict(),
            "by_gold": {name: share.to_dict() for name, share in self.golds().items()},
            "abstained": self.abstained().to_dict(),
            "false_licences": [_listed(row) for row in self.false_licences()],
            "false_licence_share": self.false_licence_share().to_dict(),
            "true_called_false": [_listed(row) for row in self.true_called_false()],
            **({} if resting is None else {"rested_on_model_facts": resting.to_dict()}),
        }


def _listed(row: Judged) -> dict[str, Any]:
    return {"id": row.id, "gold": sorted(row.gold), "text": row.text}
