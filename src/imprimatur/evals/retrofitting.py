"""``imprimatur eval retrofit``: wrong values in true sentences, retrofitted; which stage lost the errors that stay.

The rows are those of ``eval claims``; those labelled ``supported`` that are licensed get one wrong value each
(``corrupting``), and those of them that are then contradicted are drafts. A draft is mended when the text in the end is
licensed by itself and rests on the same triples as the true sentence; else ``retrofit.attribution`` says which stage
lost it, against what is known of the sentence: the words that are wrong, what it is about, the triple that refutes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import click

from imprimatur.claim import mentions_of
from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.config import Price
from imprimatur.errors import InputError
from imprimatur.evals import outcome as evaluation
from imprimatur.evals.claims import LabelledRow, read_rows
from imprimatur.evals.corrupting import Corruption, corrupted, others_of
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metered import Metered, Used, account, accounted, accounts
from imprimatur.evals.metrics import Share
from imprimatur.evals.mutants import licensed
from imprimatur.generate.revising import RetrofitSettings, stages_of
from imprimatur.models.asking import Model
from imprimatur.oracle import Oracle
from imprimatur.report import JudgedClaim, Report
from imprimatur.retrofit.attribution import Mistake, lost_at, passed
from imprimatur.retrofit.kinds import Retrofitted, Stage
from imprimatur.retrofit.pipeline import Retrofitter, Taking
from imprimatur.sources.graph.candidates import rested_on
from imprimatur.verdict import Label

__all__ = ["Attempt", "Outcome", "Settings", "as_outcome", "mistake_of", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How many drafts are retrofitted, and how; ``model`` opens the model, where one is asked, for its ``price``."""

    most: int = 100
    seed: int = 1
    retrofit: RetrofitSettings = field(default_factory=lambda: RetrofitSettings(form="graph"))
    taking: Taking = Taking.LICENSED
    seconds: float = 120.0
    model: Callable[[], Model] | None = None
    price: Price | None = None
    out: Path | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One draft: what became of it, the stage that lost its error (None where it is mended), and those that did not."""

    corruption: Corruption
    found: Retrofitted
    lost: Stage | None
    passed: frozenset[Stage] = frozenset()


@dataclass(slots=True)
class Outcome:
    """All drafts, and what was used of the model."""

    attempts: list[Attempt] = field(default_factory=list)
    used: Used = field(default_factory=Used)
    price: Price | None = None

    @property
    def mended(self) -> Share:
        """The share of the drafts that say what is right in the end."""
        return Share(sum(each.lost is None for each in self.attempts), len(self.attempts))

    def passed(self, stage: Stage) -> Share:
        """The share of the drafts for which a stage, and all before it, did their part."""
        if stage is Stage.RETROFITTING:
            return self.mended
        return Share(sum(stage in each.passed for each in self.attempts), len(self.attempts))

    def lost(self, stage: Stage) -> Share:
        """The share that one stage lost."""
        return Share(sum(each.lost is stage for each in self.attempts), len(self.attempts))

    def to_dict(self) -> dict[str, Any]:
        """The counts and the drafts, JSON-ready."""
        return {
            "drafts": len(self.attempts),
            "mended": self.mended.to_dict(),
            "passed": {stage.value: self.passed(stage).to_dict() for stage in Stage},
            "lost": {stage.value: self.lost(stage).to_dict() for stage in Stage},
            "ended": dict(sorted(Counter(each.found.ended.value for each in self.attempts).items())),
            **accounted(self.used, self.price, len(self.attempts)),
            "each": [
                {"true": each.corruption.true.answer, "lost": each.lost.value if each.lost else None}
                | each.found.to_dict()
                for each in self.attempts
            ],
        }


def run(rows_path: Path, kb: str, settings: Settings) -> int:
    """Retrofits wrong drafts, and prints what became of them.

    Raises:
        ImprimaturError: the file, a row, the knowledge base or the model is wrong.
    """
    oracle = Oracle.from_folder(kb, policy="redact")
    if oracle.knowledge.part is None:
        raise InputError("the knowledge base has no graph", where=kb, hint="drafts are retrofitted to a graph")
    drafts = _drafts(rows_path, oracle, settings)
    model = Metered(settings.model()) if settings.model is not None else None
    fit = Retrofitter(
        oracle=oracle,
        stages=stages_of(oracle, model, settings.retrofit),
        taking=settings.taking,
        rounds=settings.retrofit.rounds,
        seconds=settings.seconds,
    )
    outcome = Outcome(price=settings.price)
    with Progress("Retrofitting", len(drafts)) as progress:
        for corruption, mistake in progress.over(drafts, lambda _: 1):
            found = fit(corruption.row.question or "", corruption.text)
            mended = _is_mended(corruption, found, oracle)
            lost, done = lost_at(mistake, found, mended=mended), passed(mistake, found)
            outcome.attempts.append(Attempt(corruption=corruption, found=found, lost=lost, passed=done))
    if model is not None:
        outcome.used = model.reset()
    if settings.out is not None:
        sources, versions = provenance(oracle, files=(rows_path,))
        told = {"kb": Path(kb).name, "most": settings.most, "draw": settings.seed, "form": settings.retrofit.form}
        told = {**told, "rounds": settings.retrofit.rounds, "taking": settings.taking.value}
        keep(replace(as_outcome(outcome), settings=told, sources=sources, versions=versions), settings.out)
    if settings.as_json:
        session.emit_json(outcome.to_dict())
    else:
        click.echo("\n".join(_lines(outcome)))
    return 0


def _drafts(rows_path: Path, oracle: Oracle, settings: Settings) -> list[tuple[Corruption, Mistake]]:
    rows = [row for row in read_rows(rows_path) if row.gold == (Label.SUPPORTED,)]
    Random(settings.seed).shuffle(rows)
    true: list[tuple[LabelledRow, Report]] = []
    with Progress("Reading", min(len(rows), 2 * settings.most)) as progress:
        for row in progress.over(rows[: 2 * settings.most], lambda _: 1):
            report = oracle.check(row.text, row.question)
            true += [(row, report)] if licensed(report) else []
    others, part = others_of([report for _, report in true]), oracle.knowledge.part
    assert part is not None
    made = (corrupted(row, report, part.schema, others, seed=settings.seed) for row, report in true)
    drafts = ((each, mistake_of(each, oracle)) for each in made if each is not None)
    return list(islice(((each, mistake) for each, mistake in drafts if mistake is not None), settings.most))


def mistake_of(corruption: Corruption, oracle: Oracle) -> Mistake | None:
    """What is known of the error in a changed sentence; None where it is not contradicted."""
    judged = oracle.check(corruption.text, corruption.row.question)
    right = [e.correction for c in _claims(judged) for e in c.verdict.evidence if e.correction is not None]
    if Label.CONTRADICTED not in {segment.label for segment in judged.segments}:
        return None
    true, start = corruption.true, corruption.start
    stop = len(true.answer) - (len(corruption.text) - corruption.end)
    stated = [each for each in _claims(true) if each.claim.start <= start and each.claim.end >= stop]
    facts = [triple for each in stated for evidence in each.verdict.evidence for triple in rested_on(evidence)[:1]]
    if not facts:
        return None
    things = [m for each in stated for reading in each.claim.readings for m in mentions_of(reading)[:1]]
    names = {_label(iri, oracle) for mention in things for iri in mention.candidates} | {m.text for m in things}
    return Mistake(
        start=start,
        end=corruption.end,
        wrong=corruption.text[start : corruption.end],
        right=tuple(dict.fromkeys((true.answer[start:stop], *right))),
        entities=tuple(sorted(names)),
        fact=" ".join(facts[0]),
    )


def _label(iri: str, oracle: Oracle) -> str:
    part = oracle.knowledge.part
    number = part.graph.id(iri) if part is not None else None
    return part.graph.label(number) if part is not None and number is not None else iri


def _claims(report: Report) -> Iterator[JudgedClaim]:
    return (each for segment in report.segments for each in segment.claims)


def _is_mended(corruption: Corruption, found: Retrofitted, oracle: Oracle) -> bool:
    report = oracle.check(found.text, corruption.row.question)
    return licensed(report) and _triples(report) == _triples(corruption.true)


def _triples(report: Report) -> frozenset[tuple[str, str, str]]:
    found = (evidence for each in _claims(report) for evidence in each.verdict.evidence)
    return frozenset(triple for evidence in found for triple in rested_on(evidence))


def as_outcome(found: Outcome) -> evaluation.Outcome:
    """The drafts as what every evaluation ends in, with those that a stage lost as cases."""
    figure = evaluation.Figure.of
    stages = tuple((stage.value, figure(found.passed(stage)), figure(found.lost(stage))) for stage in Stage)
    cases = tuple(
        evaluation.Case(
            id=str(each.corruption.row.id),
            kind=f"lost at {each.lost.value}",
            text=each.corruption.text,
            gold=each.corruption.true.answer,
            said=each.found.text,
            reasons=(each.lost.value,),
        )
        for each in found.attempts
        if each.lost is not None
    )
    spent = found.used
    used = {
        "calls": spent.calls,
        "tokens read": spent.prompt,
        "tokens written": spent.completion,
        "seconds": spent.seconds,
    }
    return evaluation.Outcome(
        name="retrofit",
        title="Wrong values retrofitted by the graph",
        tables=(
            evaluation.Table(title="Drafts", head=("", "share"), rows=(("mended", figure(found.mended)),)),
            evaluation.Table(title="By stage", head=("stage", "passed", "lost"), rows=stages),
        ),
        cases=cases,
        used=used if spent.calls else {},
    )


def _lines(outcome: Outcome) -> Iterator[str]:
    yield f"{len(outcome.attempts)} drafts with one wrong value each; mended: {outcome.mended}"
    yield aligned(["stage", "passed", "lost"], _rows(outcome))
    ended: Mapping[str, int] = Counter(each.found.ended.value for each in outcome.attempts)
    yield f"ended: {', '.join(f'{kind} {count}' for kind, count in sorted(ended.items()))}"
    if outcome.used.calls:
        told = zip(accounts(outcome.price), account(outcome.used, outcome.price, len(outcome.attempts)))
        yield "; ".join(f"{name.replace('question', 'draft')}: {value}" for name, value in told)
    for attempt in outcome.attempts:
        if attempt.lost is not None:
            yield plain(f"{attempt.lost.value}: {attempt.corruption.text}  ->  {attempt.found.text}")


def _rows(outcome: Outcome) -> Sequence[Sequence[str]]:
    return [[stage.value, str(outcome.passed(stage)), str(outcome.lost(stage))] for stage in Stage]
