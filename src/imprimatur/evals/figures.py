"""``imprimatur eval figures``: every measure, interval and test, of rows that any evaluation wrote.

Conditions stand side by side (``figures_compared`` compares them). Invariants: intervals are drawn over groups, and a
question that was asked in several runs is one group; the same rows and seed give the same outcome, in whatever order
the rows come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from imprimatur.evals.calibration import Binning, Row, brier, calibration_error, reliability
from imprimatur.evals.epistemic import NAMES, Epistemic
from imprimatur.evals.figure_rows import Answer, AnyRow, Flag, read_figure_rows
from imprimatur.evals.figures_compared import Settings, comparisons, repeated
from imprimatur.evals.finishing import finish, provenance
from imprimatur.evals.intervals import bootstrap
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Cell, Curve, Figure, Kind, Outcome, Table
from imprimatur.evals.outcome import Row as Told
from imprimatur.evals.risk_coverage import Point, curve_of, excess
from imprimatur.evals.scores import Counts, auroc, average_precision

__all__ = ["Settings", "outcome_of", "run"]

_Measure = Callable[[Sequence[AnyRow]], float | None]


def run(paths: Sequence[Path], settings: Settings, *, as_json: bool, out: Path | None) -> int:
    """Computes all figures of some rows, prints and writes them, and returns 0.

    Raises:
        InputError: the rows are not as they should be.
    """
    flags, answers = read_figure_rows(paths, threshold=settings.threshold)
    found = outcome_of(flags, settings) if flags else outcome_of(answers, settings)
    sources, versions = provenance(files=paths)
    told = {"threshold": settings.threshold, "interval": settings.how.value, "draws": settings.draws}
    whole = replace(found, settings={**told, "seed": settings.seed}, sources=sources, versions=versions)
    return finish(whole, as_json=as_json, out=out)


def outcome_of(rows: Sequence[AnyRow], settings: Settings) -> Outcome:
    """All figures of some rows of one shape."""
    ordered = sorted(rows, key=lambda row: (row.named.condition, row.named.id, row.named.run))
    conditions: dict[str, list[AnyRow]] = {}
    for row in ordered:
        conditions.setdefault(row.named.condition, []).append(row)
    sure = {name: known for name, these in conditions.items() if (known := _sure(these))}
    points = {name: _points(conditions[name], settings.threshold) for name in sure}
    tables = [
        _measures(conditions, settings),
        *_sureness(sure, points),
        *comparisons(conditions, settings),
        *repeated(conditions),
    ]
    return Outcome(
        name="figures",
        title=f"{len(ordered)} rows, {len(conditions)} {'condition' if len(conditions) == 1 else 'conditions'}",
        tables=tuple(tables),
        curves=tuple(_curves(sure, points)),
        rows=tuple(_told(row) for row in ordered),
    )


def _told(row: AnyRow) -> Told:
    parts = (row.named.condition, row.named.run, row.named.id)
    if isinstance(row, Flag):
        said = "flagged" if row.flagged else "passed"
    else:
        said = "answered" if row.asked.answered else "abstained"
    return Told(id="/".join(part for part in parts if part), said=said, right=row.right)


# -- measures ---------------------------------------------------------------------------------------------------------
def _measures(conditions: Mapping[str, Sequence[AnyRow]], settings: Settings) -> Table:
    columns = {name: _column(rows, settings) for name, rows in conditions.items()}
    names = dict.fromkeys(measure for column in columns.values() for measure in column)
    lines: list[tuple[Cell, ...]] = [("rows", *(len(rows) for rows in conditions.values()))]
    lines += [(name, *(column.get(name) for column in columns.values())) for name in names]
    return Table(title="Measures", head=("measure", *columns), rows=tuple(lines))


def _column(rows: Sequence[AnyRow], settings: Settings) -> dict[str, Figure]:
    flags = [row for row in rows if isinstance(row, Flag)]
    answers = [row for row in rows if isinstance(row, Answer)]
    if flags:
        scored = all(row.score is not None for row in flags)
        measures = {**_COUNTED, **(_SCORED if scored else {})}
        return {name: _drawn(flags, measure, settings) for name, measure in measures.items()}
    several = len({row.named.run for row in answers}) > 1 or any(row.named.group != row.named.id for row in answers)
    shares = Epistemic.of(row.asked for row in answers).shares()
    if not several:
        return {NAMES[name]: Figure.of(share) for name, share in shares.items()}
    # Rows that hang together are drawn together: counted as if each stood alone, an interval would be too narrow.
    return {NAMES[name]: _drawn(answers, _share(name), settings) for name in shares}


def _counts(rows: Sequence[AnyRow]) -> Counts:
    return Counts.of((row.gold, row.flagged) for row in rows if isinstance(row, Flag))


def _scores(rows: Sequence[AnyRow]) -> list[tuple[bool, float]]:
    return [(row.gold, row.score) for row in rows if isinstance(row, Flag) and row.score is not None]


_COUNTED: Mapping[str, _Measure] = {
    "precision": lambda rows: _counts(rows).precision,
    "recall": lambda rows: _counts(rows).recall,
    "F1": lambda rows: _counts(rows).f1,
    "accuracy": lambda rows: _counts(rows).accuracy,
    "balanced accuracy": lambda rows: _counts(rows).balanced,
    "MCC": lambda rows: _counts(rows).mcc,
}
_SCORED: Mapping[str, _Measure] = {
    "AUROC": lambda rows: auroc(_scores(rows)),
    "average precision": lambda rows: average_precision(_scores(rows)),
}


def _share(name: str) -> _Measure:
    def measure(rows: Sequence[AnyRow]) -> float | None:
        share: Share = getattr(Epistemic.of(row.asked for row in rows if isinstance(row, Answer)), name)()
        return share.count / share.total if share.total else None

    return measure


def _drawn(rows: Sequence[AnyRow], measure: _Measure, settings: Settings) -> Figure:
    ends = bootstrap(
        rows,
        measure,
        group=lambda row: row.named.group,
        how=settings.how,
        draws=settings.draws,
        seed=settings.seed,
    )
    low, high = ends or (None, None)
    return Figure(value=measure(rows), low=low, high=high)


# -- sureness ---------------------------------------------------------------------------------------------------------
def _sure(rows: Sequence[AnyRow]) -> list[Row]:
    """(It is so, how sure that was) of each row, where all tell it as a share; of answers, those that were given."""
    flags = [(row.gold, row.score) for row in rows if isinstance(row, Flag)]
    answers = [(row.right, row.sure) for row in rows if isinstance(row, Answer) and row.asked.answered]
    known = [(right, sure) for right, sure in flags or answers if sure is not None and 0 <= sure <= 1]
    return known if len(known) == len(flags or answers) else []


def _points(rows: Sequence[AnyRow], threshold: float) -> list[Point]:
    """Each row with how sure its answer is: of a flag, how far its score lies from the threshold."""
    flags = [Point(abs((row.score or 0.0) - threshold), True, row.right) for row in rows if isinstance(row, Flag)]
    return flags or [Point(row.sure or 0.0, row.asked.answered, row.right) for row in rows if isinstance(row, Answer)]


def _sureness(sure: Mapping[str, Sequence[Row]], points: Mapping[str, Sequence[Point]]) -> Iterator[Table]:
    if not sure:
        return
    head = ("condition", "ECE, bins of equal width", "ECE, bins of equal mass", "Brier score", "AURC", "E-AURC")
    lines: list[tuple[Cell, ...]] = []
    for name, rows in sure.items():
        found = (calibration_error(rows), calibration_error(rows, by=Binning.MASS), brier(rows))
        risks = (curve_of(points[name]).area, excess(points[name]))
        lines.append((name, *(Figure(value=value) for value in (*found, *risks))))
    yield Table(title="Sureness", head=head, rows=tuple(lines), note="Ten bins.")
    table = [
        (name, f"{bin.low:.3f} to {bin.high:.3f}", Figure(value=bin.sure), Figure.of(bin.right))
        for name, rows in sure.items()
        for bin in reliability(rows)
    ]
    yield Table(title="Reliability", head=("condition", "sureness", "mean", "share right"), rows=tuple(table))


def _curves(sure: Mapping[str, Sequence[Row]], points: Mapping[str, Sequence[Point]]) -> Iterator[Curve]:
    if not sure:
        return
    lines = {
        name: tuple((bin.sure, bin.right.count / bin.right.total) for bin in reliability(rows))
        for name, rows in sure.items()
    }
    yield Curve(title="Reliability", kind=Kind.LINES, across="mean sureness", up="share right", series=lines)
    risks = {name: curve_of(each).steps for name, each in points.items()}
    yield Curve(title="Risk by coverage", kind=Kind.LINES, across="coverage", up="risk", series=risks)
