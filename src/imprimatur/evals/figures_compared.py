"""Conditions beside each other on the questions that they share, and runs beside each other.

Invariants: what is compared is a question, by the mean of its rows where it was asked in several runs, or a group, by
the mean over its questions, where groups are given; only questions that both conditions were asked count; the p-values
are corrected for their number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from imprimatur.errors import InputError
from imprimatur.evals.figure_rows import AnyRow
from imprimatur.evals.intervals import How
from imprimatur.evals.outcome import Cell, Figure, Table
from imprimatur.evals.paired import compared, differing, holm, permuted
from imprimatur.evals.repeated import Repeated

__all__ = ["Settings", "comparisons", "repeated"]

_NOTE = (
    "Each comparison is of the questions that both conditions were asked. p is McNemar's, exact, with Newcombe's "
    "paired interval; with several runs, or groups, that of the paired permutation test on the means, with a drawn "
    "interval. Corrected by Holm."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The score from which is flagged, how intervals are drawn, and how often and from which seed."""

    threshold: float = 0.5
    how: How = How.PERCENTILE
    draws: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Two conditions: the cells of their line, and the p-value that is still to be corrected."""

    cells: tuple[Cell, ...]
    p: float


def comparisons(conditions: Mapping[str, Sequence[AnyRow]], settings: Settings) -> Iterator[Table]:
    """Each two conditions by how often they are right.

    Raises:
        InputError: two conditions were asked nothing in common.
    """
    found: dict[str, _Pair] = {}
    for one, other in combinations(conditions, 2):
        found[f"{one}\n{other}"] = _pair((one, conditions[one]), (other, conditions[other]), settings)
    if not found:
        return
    corrected = holm({name: pair.p for name, pair in found.items()})
    rows = tuple((*pair.cells, _p(pair.p), _p(corrected[name])) for name, pair in found.items())
    head = (
        *("first", "second", "questions", "asked of one", "only first right", "only second right"),
        *("difference", "p", "p, corrected"),
    )
    yield Table(title="Conditions compared by how often they are right", head=head, rows=rows, note=_NOTE)


def _p(value: float) -> str:
    """A p-value in two figures: as a share it would be printed as 0."""
    return f"{value:.2g}"


def _pair(first: tuple[str, Sequence[AnyRow]], second: tuple[str, Sequence[AnyRow]], settings: Settings) -> _Pair:
    (one, here), (other, there) = first, second
    ids, others = {row.named.id for row in here}, {row.named.id for row in there}
    shared = ids & others
    if not shared:
        hint = "the same question needs the same `id`"
        raise InputError(f"the conditions {one!r} and {other!r} share no id", hint=hint)
    means, twins = _means(here, shared), _means(there, shared)
    if means.keys() != twins.keys():
        raise InputError(f"{one!r} and {other!r} put the same ids into other groups", hint="give each id one `group`")
    pairs = [(means[name], twins[name]) for name in means]
    told: tuple[Cell, ...] = (one, other, len(shared), len(ids ^ others))
    if all(each in (0.0, 1.0) for pair in pairs for each in pair):
        plain = compared((one == 1.0, other == 1.0) for one, other in pairs)
        apart = Figure(value=plain.difference, low=plain.low, high=plain.high)
        return _Pair(cells=(*told, plain.first, plain.second, apart), p=plain.p)
    low, high = differing(pairs, _mean, how=settings.how, draws=settings.draws, seed=settings.seed) or (None, None)
    gap = math.fsum(one - other for one, other in pairs) / len(pairs)
    better = (sum(one > other for one, other in pairs), sum(one < other for one, other in pairs))
    p = permuted(pairs, _mean, draws=settings.draws, seed=settings.seed)
    return _Pair(cells=(*told, *better, Figure(value=gap, low=low, high=high)), p=1.0 if p is None else p)


def _means(rows: Sequence[AnyRow], ids: set[str]) -> dict[str, float]:
    """For each group, in order, how often its rows are right."""
    told: dict[str, list[bool]] = {}
    for row in sorted((row for row in rows if row.named.id in ids), key=lambda row: row.named.group):
        told.setdefault(row.named.group, []).append(row.right)
    return {name: sum(right) / len(right) for name, right in told.items()}


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def repeated(conditions: Mapping[str, Sequence[AnyRow]]) -> Iterator[Table]:
    """The spread of each condition that has several runs, over the questions that every run was asked."""
    lines: list[tuple[Cell, ...]] = []
    for name, rows in conditions.items():
        runs: dict[str, dict[str, float]] = {}
        for row in rows:
            runs.setdefault(row.named.run, {})[row.named.id] = float(row.right)
        if len(runs) < 2:
            continue
        ids = [each for each in next(iter(runs.values())) if all(each in run for run in runs.values())]
        found = Repeated(tuple(tuple(run[each] for each in ids) for run in runs.values()))
        spreads = (found.between, found.within, found.unsteady)
        sds = (Figure(value=None if spread is None else math.sqrt(spread)) for spread in spreads)
        lines.append((name, len(runs), len(ids), found.figure(), *sds))
    if lines:
        head = (
            *("condition", "runs", "questions in all", "share right"),
            *("sd between runs", "sd within a run", "sd of one question"),
        )
        note = "The interval is Student's, over runs. Questions that some run lacks are left out."
        yield Table(title="Repeated runs", head=head, rows=tuple(lines), note=note)
