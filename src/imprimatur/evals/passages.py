"""``imprimatur eval passages``: how well answers are judged against passages, beside what is no detection.

A text is *unfounded* when the set says that its passages do not bear it out, and *flagged* when some segment of it is
``contradicted`` or ``not_found``; its score is the share of its characters in such segments. Every
figure is printed for each task and each model, with intervals over sources, beside the baselines on the same rows.
Invariant: nothing of what the set says is known to the oracle.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import aligned
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.passage_baselines import BASELINES, task_and_length
from imprimatur.evals.passage_judging import Outcome, judge
from imprimatur.evals.passage_sets import SETS, Example, PassageSet, load
from imprimatur.evals.passages_outcome import passages_outcome
from imprimatur.evals.scores import Counts, auroc, balanced, best_threshold, interval, recalls, span_counts

__all__ = ["Measured", "Settings", "figures", "measured", "rendered", "run"]


@dataclass(frozen=True, slots=True)
class Measured:
    """One text with what the set and the oracle say of it."""

    example: Example
    unfounded: bool
    outcome: Outcome

    @property
    def flagged(self) -> bool:
        """Whether any of it is flagged."""
        return self.outcome.share > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a set is judged: by which policy, in how many processes (all cores by default), and what is written."""

    policy: str = "annotate"
    jobs: int | None = None
    keep: Path | None = None
    out: Path | None = None
    as_json: bool = False


def run(name: str, folder: Path, settings: Settings) -> int:
    """Judges a set, prints the figures and returns the exit status 0.

    Raises:
        InputError: no such set, or its files are not as they should be.
        ImprimaturError: the policy is wrong, or a worker ended.
    """
    examples = load(name, folder)
    jobs = settings.jobs or os.cpu_count() or 1
    outcomes = judge(examples, policy=settings.policy, jobs=jobs, keep=settings.keep)
    rows = [measured(example, outcome, SETS[name]) for example, outcome in zip(examples, outcomes)]
    told = figures(rows, SETS[name])
    if settings.out is not None:
        sources, versions = provenance(files=(folder,))
        chosen = {"set": name, "policy": settings.policy}
        found = replace(passages_outcome(rows, told), settings=chosen, sources=sources, versions=versions)
        keep(found, settings.out)
    if settings.as_json:
        session.emit_json(told)
    else:
        click.echo(rendered(rows, told))
    return 0


def measured(example: Example, outcome: Outcome, of: PassageSet) -> Measured:
    """A judged example with its gold label read."""
    return Measured(example, example.gold not in of.good, outcome)


def figures(rows: Sequence[Measured], of: PassageSet) -> dict[str, Any]:
    """All figures, JSON-ready."""
    spoken = _sets_spans(rows)
    parts = {" ".join(key): _figures(part, spans=spoken, drawn=len(key) == 1) for key, part in _parts(rows)}
    table: dict[str, dict[str, int]] = {}
    for row in rows:
        cells = table.setdefault(row.example.gold, {})
        cells[row.outcome.verdict] = cells.get(row.outcome.verdict, 0) + 1
    pairs = _classes(rows, of)
    return {
        "set": of.name,
        "parts": parts,
        "baselines": _baselines(rows),
        "table": table,
        "classes": {name: {"recall": t.recall, "balanced": t.balanced} for name, t in recalls(pairs).items()},
        "balanced_accuracy": balanced(pairs),
        "segments": sum(row.outcome.segments for row in rows),
        "seconds": sum(row.outcome.seconds for row in rows),
    }


def _sets_spans(rows: Sequence[Measured]) -> bool:
    return any(row.example.spans for row in rows)


def _classes(rows: Sequence[Measured], of: PassageSet) -> list[tuple[str, str]]:
    """Gold and predicted class of each row; what amounts to none of the set's labels is a class of its own."""
    return [(row.example.gold, of.classes.get(row.outcome.verdict, row.outcome.verdict)) for row in rows]


def _parts(rows: Sequence[Measured]) -> Iterator[tuple[tuple[str, ...], list[Measured]]]:
    """All rows, those of each task, and those of each model in it."""
    yield ("all",), list(rows)
    for task in dict.fromkeys(row.example.task for row in rows):
        own = [row for row in rows if row.example.task == task]
        yield (task,), own
        models = sorted({row.example.model for row in own})
        if len(models) > 1:
            for model in models:
                yield (task, model), [row for row in own if row.example.model == model]


def _figures(rows: Sequence[Measured], *, spans: bool, drawn: bool) -> dict[str, Any]:
    """The figures of some rows; ``drawn``: with intervals, which take a while."""
    table = _table(rows)
    found: dict[str, Any] = {
        "rows": len(rows),
        "unfounded": sum(row.unfounded for row in rows),
        "auroc": _auroc(rows),
        "auroc_interval": _interval(rows, _auroc) if drawn else None,
        "precision": table.precision,
        "recall": table.recall,
        "f1": table.f1,
        "f1_interval": _interval(rows, lambda some: _table(some).f1) if drawn else None,
        "balanced": table.balanced,
    }
    if spans:
        found["span_f1"] = _span_table(rows).f1
    return found


def _interval(
    rows: Sequence[Measured], figure: Callable[[Sequence[Measured]], float | None]
) -> tuple[float, float] | None:
    return interval(rows, group=lambda row: row.example.source, figure=figure)


def _auroc(rows: Sequence[Measured]) -> float | None:
    return auroc((row.unfounded, row.outcome.share) for row in rows)


def _table(rows: Sequence[Measured]) -> Counts:
    return Counts.of((row.unfounded, row.flagged) for row in rows)


def _span_table(rows: Sequence[Measured]) -> Counts:
    tables = (span_counts(row.example.spans, row.outcome.spans, len(row.example.text)) for row in rows)
    return sum(tables, Counts())


def _baselines(rows: Sequence[Measured]) -> dict[str, dict[str, Any]]:
    """For each baseline its AUROC and its best F1, for all rows and each task."""
    found: dict[str, dict[str, Any]] = {}
    for key, part in _parts(rows):
        if len(key) > 1:
            continue
        examples, gold = [row.example for row in part], [row.unfounded for row in part]
        scored = {name: score(examples) for name, score in BASELINES.items()}
        if key == ("all",):
            scored["task, then length"] = task_and_length(examples, gold)
        for name, scores in scored.items():
            pairs = list(zip(gold, scores))
            found.setdefault(name, {})[key[0]] = {"auroc": auroc(pairs), "f1": best_threshold(pairs)[1].f1}
    return found


def rendered(rows: Sequence[Measured], told: Mapping[str, Any]) -> str:
    """The figures of some rows for people."""
    spans = _sets_spans(rows)
    head = ["", "rows", "unfounded", "AUROC", "95 %", "precision", "recall", "F1", "95 %", "balanced"]
    body = [[name, *_cells(part, spans=spans)] for name, part in told["parts"].items()]
    lines = [aligned([*head, *(["span F1"] if spans else [])], body), ""]
    names = [key[0] for key, _ in _parts(rows) if len(key) == 1]
    beside = [[name, *(_pair(each.get(part)) for part in names)] for name, each in told["baselines"].items()]
    lines += [aligned(["baseline: AUROC, best F1", *names], beside), ""]
    verdicts = sorted({verdict for cells in told["table"].values() for verdict in cells})
    cells = [[gold, *(str(row.get(v, 0)) for v in verdicts)] for gold, row in sorted(told["table"].items())]
    lines += [aligned(["gold \\ verdict", *verdicts], cells), ""]
    each = [[name, _short(c["recall"]), _short(c["balanced"])] for name, c in told["classes"].items()]
    lines += [aligned(["class", "judged right", "balanced, one against the rest"], each)]
    lines += [f"balanced accuracy over the classes: {_short(told['balanced_accuracy'])}"]
    if told["seconds"]:
        lines += [f"{told['segments']} segments, {told['segments'] / told['seconds']:.0f} a second on one core"]
    return "\n".join(lines)


def _cells(part: dict[str, Any], *, spans: bool) -> list[str]:
    shown = [str(part["rows"]), str(part["unfounded"]), _short(part["auroc"]), _range(part["auroc_interval"])]
    shown += [_short(part[key]) for key in ("precision", "recall", "f1")]
    shown += [_range(part["f1_interval"]), _short(part["balanced"])]
    return [*shown, _short(part["span_f1"])] if spans else shown


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _range(value: tuple[float, float] | None) -> str:
    return "-" if value is None else f"{value[0]:.2f}-{value[1]:.2f}"


def _pair(found: dict[str, Any] | None) -> str:
    return "-" if found is None else f"{_short(found['auroc'])}, {_short(found['f1'])}"
