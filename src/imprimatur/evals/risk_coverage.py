"""``imprimatur eval risk-coverage``: how many questions are answered at which risk, by the gate and with the stages.

Each question is asked once, supported ones beside made ones that nothing supports. Its confidence is the score that its
evidence reaches at the gate. The *gate alone* says the fact that fits best, and is right when that is a fact that
answers the question; *gate and stages* says what ``generate.answers`` licenses, and is right when that states a right
value. As the floor falls, more is answered: *coverage* is the share of all questions that are, *risk* the share of the
answers that are wrong. The area under that curve is taken up to the largest coverage and divided by it, so that it is
the mean risk along the curve. Invariant: questions of one confidence are answered together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals import outcome as evaluation
from imprimatur.evals.curves import Line, drawn
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.posed import Draw, Posed, is_right, open_set
from imprimatur.generate.answers import answer
from imprimatur.oracle import Oracle
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.sources.passages.embedding import Embeds

__all__ = ["Curve", "Point", "Settings", "curve_of", "excess", "outcome", "run"]

_RISKS = (0.0, 0.01, 0.02, 0.05)
_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Point:
    """One question: how sure its answer is, whether there is one, and whether it is right."""

    confidence: float
    answered: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """Steps of falling confidence: each the coverage that is reached, and the risk there."""

    steps: tuple[tuple[float, float], ...]

    def coverage(self, risk: float) -> float:
        """The largest coverage at which the risk is not higher."""
        return max((covered for covered, wrong in self.steps if wrong <= risk), default=0.0)

    @property
    def most(self) -> float:
        """The largest coverage."""
        return self.steps[-1][0] if self.steps else 0.0

    @property
    def area(self) -> float:
        """The mean risk along the curve; 0 where nothing is answered."""
        before, total = 0.0, 0.0
        for covered, risk in self.steps:
            total, before = total + (covered - before) * risk, covered
        return total / self.most if self.most else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is measured: the knowledge base, how many questions are asked and made, and where the picture goes."""

    kb: str = "rivers"
    most: int = 500
    made: int = 300
    seed: int = 1
    embedder: Embeds | None = None
    out: Path | None = None
    outcome: Path | None = None
    as_json: bool = False


def curve_of(points: Sequence[Point]) -> Curve:
    """The risk at each coverage, over all questions."""
    answered = sorted((point for point in points if point.answered), key=lambda point: -point.confidence)
    steps: list[tuple[float, float]] = []
    count = wrong = 0
    for _, group in groupby(answered, key=lambda point: point.confidence):
        for point in group:
            count, wrong = count + 1, wrong + (not point.right)
        steps.append((count / len(points), wrong / count))
    return Curve(tuple(steps))


def excess(points: Sequence[Point]) -> float:
    """E-AURC (Geifman et al. 2018): how far the area lies above that of the best order of the same answers."""
    right = sum(point.right for point in points if point.answered)
    count = sum(point.answered for point in points)
    # In the best order every right answer stands before every wrong one, and each answer is a step of its own.
    least = sum((place - right) / place for place in range(right + 1, count + 1)) / count if count else 0.0
    return curve_of(points).area - least


def run(name: str, files: Sequence[Path], settings: Settings) -> int:
    """Asks a set, prints the curves as a table, draws them where asked, and returns 0.

    Raises:
        InputError: a file is not as it should be, no question is left, or the picture cannot be written.
    """
    with TemporaryDirectory() as folder:
        draw = Draw(most=settings.most, made=settings.made, seed=settings.seed)
        posed = open_set(name, files, settings.kb, folder=Path(folder), draw=draw)
        points = _points(posed.questions, posed.oracle, settings.embedder)
    curves = {kind: curve_of(found) for kind, found in points.items()}
    if settings.out is not None:
        _write(settings.out, curves)
    if settings.outcome is not None:
        sources, versions = provenance(posed.oracle, files=files)
        embedder = settings.embedder.fingerprint if settings.embedder is not None else None
        told = {"set": name, "most": settings.most, "unsupported": settings.made, "seed": settings.seed}
        made = outcome(curves, len(posed.questions))
        made = replace(made, settings={**told, "embedder": embedder}, sources=sources, versions=versions)
        keep(made, settings.outcome)
    if settings.as_json:
        session.emit_json({kind: _json(curve) for kind, curve in curves.items()})
        return 0
    supported = sum(each.supported for each in posed.questions)
    click.echo(f"{supported} questions with support, {len(posed.questions) - supported} without")
    click.echo("\n".join(_table(curves)))
    return 0


def outcome(curves: Mapping[str, Curve], questions: int) -> evaluation.Outcome:
    """The curves as an outcome."""
    head = (
        "answers",
        *(f"coverage at a risk of {risk:.0%}" for risk in _RISKS),
        "largest coverage",
        "risk there",
        "AURC",
    )
    rows: list[tuple[evaluation.Cell, ...]] = []
    for kind, curve in curves.items():
        last = curve.steps[-1][1] if curve.steps else None
        figures = [*(curve.coverage(risk) for risk in _RISKS), curve.most, last, curve.area]
        rows.append((kind, *(evaluation.Figure(value=figure) for figure in figures)))
    drawn_ = evaluation.Curve(
        title="Risk by coverage",
        kind=evaluation.Kind.LINES,
        across="coverage",
        up="risk",
        series={kind: curve.steps for kind, curve in curves.items()},
    )
    return evaluation.Outcome(
        name="risk-coverage",
        title="Risk by coverage",
        tables=(evaluation.Table(title="Coverage and risk", head=head, rows=tuple(rows)),),
        curves=(drawn_,),
        notes=(f"{questions} questions were asked. AURC is the mean risk along the curve.",),
    )


def _points(questions: Sequence[Posed], oracle: Oracle, embedder: Embeds | None) -> dict[str, list[Point]]:
    retrieval = Retrieval(oracle.knowledge, limits=RetrievalLimits(seconds=_SECONDS), embedder=embedder)
    alone, licensed = list[Point](), list[Point]()
    with Progress("Asking", len(questions)) as progress:
        for posed in questions:
            trail = retrieval(posed.text)
            alone.append(Point(trail.best, bool(trail.items), _says_it(trail, posed, oracle)))
            text = answer(posed.text, oracle).text
            licensed.append(Point(trail.best, bool(text), bool(text) and is_right(text, posed, oracle)))
            progress.step(posed.text)
    return {"gate alone": alone, "gate and stages": licensed}


def _says_it(trail: EvidenceTrail, posed: Posed, oracle: Oracle) -> bool:
    """Whether the item that fits best answers the question: it is of one of its facts, or states a right value."""
    best = max(trail.items, key=lambda item: (item.score, item.fused), default=None)
    if best is None or not posed.supported:
        return False
    if posed.gold:
        return any(triple in evidence.content for evidence in best.evidence for triple in posed.gold)
    return is_right(best.text, posed, oracle)


def _table(curves: Mapping[str, Curve]) -> Iterator[str]:
    head = ["coverage at a risk of", *(f"{risk:.0%}" for risk in _RISKS), "largest coverage", "risk there", "AURC"]
    rows = []
    for kind, curve in curves.items():
        last = curve.steps[-1][1] if curve.steps else 0.0
        figures = [*(curve.coverage(risk) for risk in _RISKS), curve.most, last, curve.area]
        rows.append([kind, *(f"{figure:.3f}" for figure in figures)])
    yield aligned(head, rows)


def _json(curve: Curve) -> dict[str, Any]:
    return {
        "coverage": {f"{risk:g}": round(curve.coverage(risk), 4) for risk in _RISKS},
        "most": round(curve.most, 4),
        "area": round(curve.area, 5),
        "steps": [[round(covered, 4), round(risk, 4)] for covered, risk in curve.steps],
    }


def _write(out: Path, curves: Mapping[str, Curve]) -> None:
    lines = [Line(kind, curve.steps) for kind, curve in curves.items()]
    try:
        out.write_text(drawn(lines, across="coverage", up="risk"), encoding="utf-8")
    except OSError as fault:
        raise InputError(f"cannot be written: {fault.strerror}", where=str(out)) from fault
