"""``imprimatur eval teqhallu``: the paper's tables, on a model of the user's.

A response counts as hallucinated when it is flagged (``Found.flagged``), a dialogue when one of its turns is. Three
verdicts are measured on the same rows: ``held``, what is left when everything was held against its evidence; ``said``,
the model's last word as it stands, which is what the paper measures; ``initial``, the direct prediction. Invariants:
labels are seen by nothing that judges; what is unchecked counts as flagged, and is counted by itself too; intervals
are drawn over sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from imprimatur._dataclasses import dataclass
from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.config import Price
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Outcome
from imprimatur.evals.scores import Counts, interval
from imprimatur.evals.teqhallu_rows import Labelled, load
from imprimatur.evals.told_figures import tables_of
from imprimatur.models.asking import Model
from imprimatur.teqhallu.asker import Limits
from imprimatur.teqhallu.found import Found, Used
from imprimatur.teqhallu.kinds import Ablation, Basis, Category, Scope, Support
from imprimatur.teqhallu.pipeline import TeQHallu

__all__ = ["Settings", "Unit", "judged", "run", "units"]

_KINDS = ("held", "said", "initial")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is run.

    Attributes:
        most: so many responses or dialogues of each task, the first of the file; None for all.
        price: what the model's tokens cost; None where no cost is told.
        chains: print the reason chain of each sample.
        model: opens the model.
    """

    model: Callable[[], Model]
    ablations: tuple[Ablation, ...] = (Ablation.FULL,)
    scope: Scope = Scope.PASSAGE
    tasks: tuple[str, ...] = ()
    most: int | None = None
    price: Price | None = None
    limits: Limits = Limits()
    chains: bool = False
    out: Path | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A response, or a dialogue, with what was found of it or of its turns."""

    rows: tuple[tuple[Labelled, Found], ...]

    @property
    def label(self) -> Labelled:
        """The first sample, whose label is that of all."""
        return self.rows[0][0]

    def flagged(self, kind: str) -> bool | None:
        """Whether it is, by one of the three verdicts; None where that was not asked for."""
        if kind == "held":
            return any(found.flagged for _, found in self.rows)
        said = [found.said if kind == "said" else found.initial for _, found in self.rows]
        return None if None in said else any(each is not Support.FULLY for each in said)


def run(file: Path, settings: Settings) -> int:
    """Judges the samples with each ablation, and prints what came of it; 3 when nothing could be asked, else 0.

    Raises:
        ImprimaturError: the file or the model's configuration is wrong.
    """
    rows = _chosen(load(file, tasks=settings.tasks), settings.most)
    model = settings.model()
    done = {ablation: judged(rows, model, ablation, settings) for ablation in settings.ablations}
    if settings.out is not None:
        keep(_outcome(file, rows, done, settings), settings.out)
    if settings.as_json:
        session.emit_json({each.value: _json(rows, found, settings) for each, found in done.items()})
    else:
        for each, found in done.items():
            chains = (line for one in found for line in (f"# {one.id}", *one.told())) if settings.chains else ()
            click.echo("\n".join((*map(plain, chains), *_lines(each, units(rows, found), settings.price))))
    return 3 if all(each.fault for found in done.values() for each in found) else 0


def _outcome(
    file: Path, rows: Sequence[Labelled], done: Mapping[Ablation, Sequence[Found]], settings: Settings
) -> Outcome:
    """The figures of each ablation as an outcome."""
    sources, versions = provenance(files=(file,))
    told = {each: _figures(units(rows, found), settings.price) for each, found in done.items()}
    used: Counter[str] = Counter()
    for figures in told.values():
        used.update(figures["in all"])
    scope = {"scope": settings.scope.value, "tasks": list(settings.tasks), "most": settings.most}
    return Outcome(
        name="teqhallu",
        title="Hallucinated responses, found by a database that a model makes",
        tables=tuple(
            replace(table, title=f"{each}: {table.title}")
            for each, figures in told.items()
            for table in tables_of(figures)
        ),
        settings={**scope, "ablations": [each.value for each in done]},
        sources=sources,
        versions=versions,
        used={name: float(value) for name, value in used.items()},
    )


def _json(rows: Sequence[Labelled], found: Sequence[Found], settings: Settings) -> dict[str, Any]:
    figures = _figures(units(rows, found), settings.price)
    if not settings.chains:
        return figures
    return figures | {"chains": {one.id: list(one.told()) for one in found}}


def judged(rows: Sequence[Labelled], model: Model, ablation: Ablation, settings: Settings) -> list[Found]:
    """What is found of each sample."""
    made = []
    with (
        TeQHallu(model, ablation=ablation, scope=settings.scope, limits=settings.limits) as judge,
        Progress(f"Asking {ablation}", len(rows)) as progress,
    ):
        for row in rows:
            made.append(judge.check(row.sample))
            progress.step(row.sample.id)
    return made


def units(rows: Sequence[Labelled], found: Sequence[Found]) -> list[Unit]:
    """The samples put together by what their labels are of."""
    by_name: dict[tuple[str, str], list[tuple[Labelled, Found]]] = {}
    for row, each in zip(rows, found, strict=True):
        by_name.setdefault((row.task, row.unit), []).append((row, each))
    return [Unit(rows=tuple(listed)) for listed in by_name.values()]


def _chosen(rows: Sequence[Labelled], most: int | None) -> list[Labelled]:
    if most is None:
        return list(rows)
    seen: dict[str, set[str]] = {}
    chosen = []
    for row in rows:
        names = seen.setdefault(row.task, set())
        if row.unit in names or len(names) < most:
            names.add(row.unit)
            chosen.append(row)
    return chosen


# -- figures -----------------------------------------------------------------------------------------------------------
def _counts(part: Sequence[Unit], kind: str) -> Counts | None:
    """The table of one verdict; None where it was not asked for of all."""
    pairs = [(unit.label.hallucinated, flag) for unit in part if (flag := unit.flagged(kind)) is not None]
    return Counts.of(pairs) if len(pairs) == len(part) and part else None


def _f1(part: Sequence[Unit]) -> float | None:
    return Counts.of((unit.label.hallucinated, bool(unit.flagged("held"))) for unit in part).f1


def _categories(part: Sequence[Unit], only: Category | None = None) -> Counts:
    """Of one category of dialogues, else micro-averaged over all."""
    pairs: list[tuple[bool, bool]] = []
    for unit in part:
        told = {category for _, found in unit.rows for category, _ in found.categories}
        wanted = unit.label.categories | told if only is None else {only}
        pairs.extend((category in unit.label.categories, category in told) for category in wanted)
    return Counts.of(pairs)


def _figures(found: Sequence[Unit], price: Price | None) -> dict[str, Any]:
    """All that is measured, JSON-ready."""
    parts = {task: [unit for unit in found if unit.label.task == task] for task in _tasks(found)}
    scores = {name: _scores(part) for name, part in {**parts, "all": found}.items()}
    each_f1 = [_f1(part) for part in parts.values()]
    samples = [each for unit in found for _, each in unit.rows]
    used = Used()
    for each in samples:
        for stage in each.used.values():
            used.add(stage)
    incomplete = [unit for unit in found if any(not each.audit.complete for _, each in unit.rows)]
    right = sum(unit.flagged("held") is unit.label.hallucinated for unit in incomplete)
    claims = [claim for each in samples for claim in each.claims]
    dialogues = any(unit.label.sample.dialogue for unit in found)
    return {
        "tasks": scores,
        "macro f1": None if None in each_f1 else sum(f1 for f1 in each_f1 if f1 is not None) / len(each_f1),
        "faults": dict(Counter(each.fault for each in samples if each.fault)),
        "verdicts": dict(Counter(each.verdict.value for each in samples)),
        "categories": _table(_categories(found)) if dialogues else None,
        "by category": {each.value: _table(_categories(found, each)) for each in Category} if dialogues else None,
        "per sample": {name: value / len(samples) for name, value in _account(used, price).items()},
        "in all": _account(used, price),
        "parse": {
            "sentences": sum(each.audit.sentences for each in samples),
            "without a row": sum(len(each.audit.unread) for each in samples),
            "rows that no words hold": sum(each.audit.unmarked for each in samples),
            "incomplete": len(incomplete),
            "right though incomplete": Share(right, len(incomplete)).to_dict(),
        },
        "claims": {
            "claims": len(claims),
            "by": dict(Counter(claim.basis.value for claim in claims)),
            "lowered": sum(bool(claim.lowered) for claim in claims),
            "repairs": sum(claim.shown.repairs for claim in claims),
        },
    }


def _account(used: Used, price: Price | None) -> dict[str, float]:
    """Tokens, calls, and with a price the cost of all tokens, those of answers from a file too."""
    told: dict[str, float] = {
        "tokens in": used.prompt,
        "tokens out": used.completion,
        "calls": used.calls,
        "calls answered from a file": used.kept,
    }
    return told if price is None else told | {"cost": float(price.of(used.prompt, used.completion))}


def _tasks(found: Sequence[Unit]) -> list[str]:
    return sorted({unit.label.task for unit in found})


def _scores(part: Sequence[Unit]) -> dict[str, Any]:
    drawn = interval(part, group=lambda unit: unit.label.source, figure=_f1)
    kinds = {kind: _table(counts) for kind in _KINDS if (counts := _counts(part, kind)) is not None}
    unchecked = sum(any(found.verdict is Support.UNCHECKED for _, found in unit.rows) for unit in part)
    return {"rows": len(part), **kinds, "f1 interval": drawn, "unchecked": unchecked}


def _table(counts: Counts) -> dict[str, Any]:
    cells = {"hit": counts.hit, "false": counts.false, "missed": counts.missed, "passed": counts.passed}
    return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1, **cells}


# -- words -------------------------------------------------------------------------------------------------------------
def _lines(ablation: Ablation, found: Sequence[Unit], price: Price | None) -> Iterator[str]:
    figures = _figures(found, price)
    yield f"{ablation}"
    head = ["task", "rows", "precision", "recall", "F1", "95 %", "F1 as said", "F1 initial", "unchecked"]
    yield aligned(head, (_row(name, scores) for name, scores in figures["tasks"].items()))
    yield f"macro F1: {_short(figures['macro f1'])}"
    if figures["categories"] is not None:
        table = figures["categories"]
        kinds = ("precision", "recall", "f1")
        yield f"categories, micro: {', '.join(f'{kind} {_short(table[kind])}' for kind in kinds)}"
        for name, each in figures["by category"].items():
            yield f"  {name}: {', '.join(f'{kind} {_short(each[kind])}' for kind in kinds)}"
    yield f"verdicts: {', '.join(f'{name} {count}' for name, count in sorted(figures['verdicts'].items()))}"
    for fault, count in figures["faults"].items():
        yield plain(f"{count} unchecked: {fault}")
    each, whole = figures["per sample"], figures["in all"]
    yield (
        f"per sample: {each['tokens in']:.0f} tokens in, {each['tokens out']:.0f} out, {each['calls']:.1f} calls"
        f" ({each['calls answered from a file']:.1f} answered from a file)"
        f"{_cost(each, price)}"
    )
    yield (
        f"in all: {whole['tokens in']:.0f} tokens in, {whole['tokens out']:.0f} out, {whole['calls']:.0f} calls"
        f"{_cost(whole, price)}"
    )
    yield from _of_claims(figures)
    yield ""


def _cost(account: dict[str, float], price: Price | None) -> str:
    return "" if price is None else f", cost {price.written(Fraction(account['cost']))}"


def _of_claims(figures: dict[str, Any]) -> Iterator[str]:
    parse, claims = figures["parse"], figures["claims"]
    if parse["sentences"]:
        right = parse["right though incomplete"]
        yield (
            f"parse: {parse['without a row']} of {parse['sentences']} sentences left no row,"
            f" {parse['rows that no words hold']} rows not held by their words; incomplete {parse['incomplete']},"
            f" of these right {right['count']}"
        )
    if claims["claims"]:
        by = ", ".join(f"{claims['by'].get(basis.value, 0)} by {basis}" for basis in Basis)
        yield f"claims: {claims['claims']} ({by}), {claims['lowered']} lowered, {claims['repairs']} repairs"


def _row(name: str, scores: dict[str, Any]) -> list[str]:
    held = scores["held"]
    drawn = scores["f1 interval"]
    return [
        *(name, str(scores["rows"]), *(_short(held[kind]) for kind in ("precision", "recall", "f1"))),
        "-" if drawn is None else f"[{drawn[0]:.3f}, {drawn[1]:.3f}]",
        *(_short(scores[kind]["f1"]) if kind in scores else "-" for kind in ("said", "initial")),
        str(scores["unchecked"]),
    ]


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
