"""``imprimatur eval data2txt``: answers about records, judged by the rows, by the same records as text, and by both.

An answer is *unfounded* when the set marks a span in it. The table flags it when its row refutes anything of it, is
silent of what it claims, or knows nothing of it; nothing is tuned there. The text flags it as ``imprimatur eval
passages`` does. Both flag it when the table does, or when the text flags at least a certain share of it; the stretches
are those of the table where it has some. That share is chosen for the best sum of F1 and balanced accuracy: on the
other folds of sources than the answer's own, and once on the first half of the sources alone. The rules were written
while looking at that half; faults that the other showed were mended once. Figures are printed for all answers, each
half and each model, with intervals over sources. F1 of characters is of all spans; that of one type leaves out the
characters of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned
from imprimatur.evals import outcome as evaluation
from imprimatur.evals.data2txt_judging import Judged, judge
from imprimatur.evals.data2txt_rows import TYPES, Answer, fold, load
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.scores import Counts, Span, interval, span_counts
from imprimatur.evals.told_figures import tables_of

__all__ = ["Measured", "figures", "measured", "rendered", "run"]

_FOLDS = 5
_WAYS = ("refuted by the table", "table", "text", "both, by folds", "both, by the first half")
#: So many neighbours on each side smooth a choice.
_BESIDE = 2
#: The shares that are tried; above 1, text counts for nothing.
_SHARES = (2.0, *(round(step * 0.05, 2) for step in range(19, 0, -1)))


@dataclass(frozen=True, slots=True)
class Measured:
    """An answer with what the set, the table and the text say of it, and the shares from which text counts.

    ``folds`` is the one that was chosen on the other folds, ``first`` that of the first half.
    """

    answer: Answer
    judged: Judged
    folds: float
    first: float

    def spans(self, way: str) -> tuple[Span, ...]:
        """The stretches that are flagged in one of the ways."""
        if way == _WAYS[0]:
            return self.judged.refuted
        if way == "table":
            return self.judged.table
        if way == "text":
            return self.judged.text
        least = self.folds if way == "both, by folds" else self.first
        return self.judged.table or (self.judged.text if self.judged.share >= least else ())


def run(folder: Path, *, policy: str, as_json: bool, out: Path | None = None) -> int:
    """Judges the answers, prints the figures and returns the exit status 0.

    Raises:
        InputError: the files are not as they should be.
        ImprimaturError: the policy is wrong.
    """
    sources, answers = load(folder)
    with Progress("Judging", len(answers)) as progress:
        judged = list(progress.over(judge(sources, answers, policy=policy), lambda _: 1))
    rows = measured(answers, judged)
    if out is not None:
        files, versions = provenance(files=(folder,))
        told = evaluation.Outcome(
            name="data2txt",
            title="Answers about records, judged by rows, by text, and by both",
            tables=tables_of(figures(rows)),
            settings={"policy": policy},
            sources=files,
            versions=versions,
        )
        keep(told, out)
    if as_json:
        session.emit_json(figures(rows))
    else:
        click.echo(rendered(rows))
    return 0


def measured(answers: Sequence[Answer], judged: Sequence[Judged]) -> list[Measured]:
    """The answers, each with the shares of text that were chosen without its fold, and on the first half."""
    rows = list(zip(answers, judged, strict=True))
    folds = {at: _least([row for row in rows if _fold(row[0]) != at]) for at in range(_FOLDS)}
    first = _least([row for row in rows if row[0].half == 1])
    return [Measured(answer, each, folds[_fold(answer)], first) for answer, each in rows]


def _fold(answer: Answer) -> int:
    return fold(f"fold/{answer.source}", _FOLDS)


def _least(rows: Sequence[tuple[Answer, Judged]]) -> float:
    """The share of text from which flagging by both is worth most, smoothed: a peak between valleys is luck."""
    worths = [_worth(rows, share) for share in _SHARES]
    smooth = [mean(worths[max(0, at - _BESIDE) : at + _BESIDE + 1]) for at in range(len(worths))]
    return _SHARES[smooth.index(max(smooth))]


def _worth(rows: Sequence[tuple[Answer, Judged]], share: float) -> float:
    """F1 and balanced accuracy together."""
    pairs = ((bool(answer.spans), bool(judged.table) or judged.share >= share) for answer, judged in rows)
    found = Counts.of(pairs)
    return (found.f1 or 0.0) + (found.balanced or 0.0)


def figures(rows: Sequence[Measured]) -> dict[str, Any]:
    """All figures, JSON-ready: by way, then by part."""
    return {
        way: {
            "parts": {name: _figures(part, way, drawn=drawn) for name, part, drawn in _parts(rows)},
            "types": {each: _typed(rows, way, each) for each in TYPES},
        }
        for way in _WAYS
    }


def _parts(rows: Sequence[Measured]) -> Iterator[tuple[str, list[Measured], bool]]:
    """All rows, those of each half and those of each model; whether intervals are drawn."""
    yield "all", list(rows), True
    for half, name in ((1, "first half"), (2, "second half")):
        yield name, [row for row in rows if row.answer.half == half], True
    for model in sorted({row.answer.model for row in rows}):
        yield model, [row for row in rows if row.answer.model == model], False


def _figures(rows: Sequence[Measured], way: str, *, drawn: bool) -> dict[str, Any]:
    def table(some: Sequence[Measured]) -> Counts:
        return Counts.of((bool(row.answer.spans), bool(row.spans(way))) for row in some)

    found = table(rows)
    characters = _characters(rows, way)
    return {
        "answers": len(rows),
        "unfounded": found.hit + found.missed,
        "precision": found.precision,
        "recall": found.recall,
        "f1": found.f1,
        "f1_interval": _interval(rows, lambda some: table(some).f1) if drawn else None,
        "balanced": found.balanced,
        "balanced_interval": _interval(rows, lambda some: table(some).balanced) if drawn else None,
        "span_precision": characters.precision,
        "span_recall": characters.recall,
        "span_f1": characters.f1,
    }


def _interval(
    rows: Sequence[Measured], figure: Callable[[Sequence[Measured]], float | None]
) -> tuple[float, float] | None:
    return interval(rows, group=lambda row: row.answer.source, figure=figure)


def _characters(rows: Sequence[Measured], way: str) -> Counts:
    tables = (
        span_counts([(s.start, s.end) for s in row.answer.spans], row.spans(way), len(row.answer.text)) for row in rows
    )
    return sum(tables, Counts())


def _typed(rows: Sequence[Measured], way: str, kind: str) -> dict[str, Any]:
    """The characters of one type of spans; those of the other types are left out."""
    total = Counts()
    spans = touched = 0
    for row in rows:
        own = [(span.start, span.end) for span in row.answer.spans if span.type == kind]
        others = [(span.start, span.end) for span in row.answer.spans if span.type != kind]
        flagged = list(_without(row.spans(way), others))
        total += span_counts(own, flagged, len(row.answer.text))
        spans += len(own)
        touched += sum(any(a < end and start < b for a, b in row.spans(way)) for start, end in own)
    found = {"precision": total.precision, "recall": total.recall, "f1": total.f1}
    return {"spans": spans, "touched": touched, **found}


def _without(spans: Sequence[Span], others: Sequence[Span]) -> Iterator[Span]:
    """The parts of spans that lie in none of the others."""
    for start, end in spans:
        at = start
        for first, last in sorted(others):
            if last <= at or end <= first:
                continue
            if at < first:
                yield at, first
            at = max(at, last)
        if at < end:
            yield at, end


def rendered(rows: Sequence[Measured]) -> str:
    """The figures for people."""
    told = figures(rows)
    head = ["", "answers", "unfounded", "precision", "recall", "F1", "95 %", "balanced", "95 %", "span F1"]
    lines = []
    for way, found in told.items():
        body = [[name, *_cells(part)] for name, part in found["parts"].items()]
        lines += [aligned([way, *head[1:]], body), ""]
    beside = [[kind, str(told["table"]["types"][kind]["spans"]), *_by_type(told, kind)] for kind in TYPES]
    ways = [f"{way}: F1, found" for way in _WAYS]
    lines += [aligned(["spans", "", *ways], beside), ""]
    baseline = Counts.of((bool(row.answer.spans), True) for row in rows)
    least = [*sorted({row.folds for row in rows}), rows[0].first]
    *folds, first = ("never" if share > 1 else f"{share:.2f}" for share in least)
    lines += [f"flagging everything: F1 {_short(baseline.f1)}, balanced 0.500"]
    lines += [f"share of text that counts beside the table, by folds: {', '.join(folds)}; by the first half: {first}"]
    return "\n".join(lines)


def _cells(part: Mapping[str, Any]) -> list[str]:
    shown = [
        str(part["answers"]),
        str(part["unfounded"]),
        *(_short(part[key]) for key in ("precision", "recall", "f1")),
    ]
    shown += [_range(part["f1_interval"]), _short(part["balanced"]), _range(part["balanced_interval"])]
    return [*shown, _short(part["span_f1"])]


def _by_type(told: Mapping[str, Any], kind: str) -> Iterator[str]:
    """For each way the F1 of characters, and how many of the spans were touched."""
    for way in _WAYS:
        each = told[way]["types"][kind]
        yield f"{_short(each['f1'])}, {each['touched']}"


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _range(value: tuple[float, float] | None) -> str:
    return "-" if value is None else f"{value[0]:.2f}-{value[1]:.2f}"
