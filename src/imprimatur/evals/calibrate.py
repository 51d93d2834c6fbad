"""``imprimatur eval calibrate``: the threshold of the passage judge, from labels of the user's own.

A row is ``{id, text | answer, context: [passage], label}``. A text is unfounded when its label is not ``supported``;
it is *missed* when no segment of it is flagged. Chosen is the highest threshold whose share of missed unfounded texts
stays below the risk with the asked confidence, by the exact bound of Clopper and Pearson. The bound holds for texts
drawn as the rows were. Thresholds are tried from the lowest up, and the search stops at the first that fails: so the
bound stays valid for the one that is chosen (a fixed sequence of tests). What is licensed does not hang on it: a
threshold parts ``not_found`` from ``ambiguous``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.errors import InputError, nearest
from imprimatur.evals.finishing import keep, provenance, versions
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Figure, Outcome, Table
from imprimatur.evals.scores import clopper_pearson
from imprimatur.sources.passages.course import Course
from imprimatur.sources.passages.judge import PassageSource
from imprimatur.sources.passages.signs import beyond
from imprimatur.sources.passages.weighing import Weights, above, unfounded
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.verdict import Label

__all__ = ["Chosen", "Labelled", "Row", "Scale", "check_shares", "choose", "read_labelled", "read_rows", "run", "write"]

_SHAPE = 'a row looks like {"id": "1", "text": "…", "context": ["…"], "label": "supported"}'


@dataclass(frozen=True, slots=True)
class Scale:
    """What a threshold is rounded down to, in decimals; at ``lowest`` every text is flagged."""

    lowest: float
    decimals: int


#: That of log-odds.
_ODDS = Scale(-12.0, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the file; ``where`` is its line."""

    where: str
    text: str
    context: tuple[str, ...]
    question: str
    unfounded: bool


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text: the log-odds of its worst segment (infinite where it plainly goes beyond), and what it is."""

    odds: float
    unfounded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A threshold with what the rows say of it; ``bound`` is on the share of unfounded texts that are missed."""

    threshold: float
    missed: Share
    bound: float
    founded_flagged: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a threshold has to keep, and where what is chosen goes: the threshold, and the outcome."""

    out: Path
    risk: float = 0.1
    confidence: float = 0.95
    outcome: Path | None = None

    @property
    def settings(self) -> dict[str, float]:
        """What a figure hangs on."""
        return {"risk": self.risk, "confidence": self.confidence}


def run(path: Path, wanted: Wanted) -> int:
    """Chooses a threshold, prints what it costs, writes the weights with it, and returns 0.

    Raises:
        InputError: the rows are wrong, too few for the bound, or the file cannot be written.
    """
    out, risk, confidence = wanted.out, wanted.risk, wanted.confidence
    check_shares(risk=risk, confidence=confidence)
    weights = Weights.shipped()
    chosen = choose(read_labelled(path, weights), risk=risk, confidence=confidence)
    said = {
        "base": weights.base,
        "each": dict(weights.each),
        "strayed": weights.strayed,
        "calm": weights.calm,
        "threshold": chosen.threshold,
        "sooner": dict(weights.sooner),
    }
    write(out, said, chosen, risk=risk, confidence=confidence)
    keep(replace(outcome(chosen, wanted), sources=provenance(files=(path,))[0]), wanted.outcome)
    click.echo(f"threshold: {chosen.threshold:.2f} (before: {weights.threshold:.2f})")
    click.echo(f"unfounded texts missed: {chosen.missed}; at most {chosen.bound:.4f} with confidence {confidence:g}")
    click.echo(f"founded texts flagged: {chosen.founded_flagged}")
    click.echo(f"written to {out}: name it under `weights:` in imprimatur.yaml")
    return 0


def outcome(chosen: Chosen, wanted: Wanted, threshold: float | None = None) -> Outcome:
    """What was chosen as an outcome; ``threshold`` is it as it is written, where that is on another scale."""
    rows = (
        ("threshold", Figure(value=chosen.threshold if threshold is None else threshold)),
        ("unfounded texts missed", Figure.of(chosen.missed)),
        ("at most, with that confidence", Figure(value=chosen.bound)),
        ("founded texts flagged", Figure.of(chosen.founded_flagged)),
    )
    table = Table(title="The threshold, and what the rows say of it", head=("", "figure"), rows=rows)
    return Outcome(
        name="calibrate",
        title="A threshold from labels",
        tables=(table,),
        settings=wanted.settings,
        versions=versions(),
        notes=("The bound holds for texts drawn as the rows were.",),
    )


def check_shares(**shares: float) -> None:
    """Raises InputError for a share that does not lie between 0 and 1."""
    for name, value in shares.items():
        if not 0 < value < 1:
            raise InputError(f"the {name} must lie between 0 and 1", hint="for instance 0.1 and 0.95")


def choose(rows: Sequence[Labelled], *, risk: float, confidence: float, scale: Scale = _ODDS) -> Chosen:
    """The highest threshold that keeps the bound.

    Raises:
        InputError: too few unfounded texts: even with none missed the bound is above the risk.
    """
    wrong = sorted(row.odds for row in rows if row.unfounded)
    if clopper_pearson(0, len(wrong), confidence) > risk:
        needed = math.ceil(math.log(1 - confidence) / math.log(1 - risk))
        hint = f"label at least {needed}, or accept a higher --risk"
        raise InputError(f"{len(wrong)} unfounded texts are too few for this bound", hint=hint)
    threshold, missed = scale.lowest, sum(odds < scale.lowest for odds in wrong)
    for candidate in _candidates(wrong, scale):
        below = sum(odds < candidate for odds in wrong)
        if clopper_pearson(below, len(wrong), confidence) > risk:
            break
        threshold, missed = candidate, below
    good = [row.odds for row in rows if not row.unfounded]
    return Chosen(
        threshold=threshold,
        missed=Share(missed, len(wrong)),
        bound=clopper_pearson(missed, len(wrong), confidence),
        founded_flagged=Share(sum(odds >= threshold for odds in good), len(good)),
    )


def _candidates(odds: Sequence[float], scale: Scale) -> list[float]:
    """The thresholds that make a difference, from the lowest up, rounded down so that what is written flags as much."""
    finite = (each for each in odds if math.isfinite(each) and each > scale.lowest)
    steps = 10**scale.decimals
    return sorted({math.floor(round(each * steps, 6)) / steps for each in finite})


def read_labelled(path: Path, weights: Weights) -> list[Labelled]:
    """The rows of a file, weighed. Raises what ``read_rows`` raises."""
    return [Labelled(_worst(row, weights), row.unfounded) for row in read_rows(path)]


def read_rows(path: Path) -> list[Row]:
    """The rows of a file.

    Raises:
        InputError: the file or a row of it is not as it must be; its line is named.
    """
    lines = session.read_file(path).split("\n")
    rows = [_row(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise InputError("holds no row", where=str(path), hint=_SHAPE)
    return rows


def _row(line: str, where: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not a line of JSON: {str(fault)[:200]}", where=where, hint=_SHAPE) from fault
    text, context, label = _parts(row)
    if text is None or context is None:
        raise InputError("a row needs a `text` or `answer`, and `context`", where=where, hint=_SHAPE)
    if label not in set(Label):
        near = nearest(str(label), list(Label))
        hint = f"did you mean {near!r}?" if near else f"the labels are {', '.join(Label)}"
        raise InputError(f"{str(label)[:60]!r} is not a verdict label", where=where, hint=hint)
    question = row.get("question")
    return Row(
        where=where,
        text=text,
        context=tuple(context),
        question=question if isinstance(question, str) else "",
        unfounded=label != Label.SUPPORTED,
    )


def _parts(row: Any) -> tuple[str | None, list[str] | None, Any]:
    if not isinstance(row, dict):
        return None, None, None
    text, context = row.get("text", row.get("answer")), row.get("context")
    whole = isinstance(context, list) and all(isinstance(each, str) for each in context)
    return (text if isinstance(text, str) else None), (context if whole else None), row.get("label")


def _worst(row: Row, weights: Weights) -> float:
    """The log-odds of the worst segment of a text; where its kind of context counts sooner, so much higher."""
    course = Course.of(row.text, row.question)
    source = PassageSource.of(row.context, TextLimits(), course=course, weights=weights)
    alone: list[float] = []
    worst = -math.inf
    for place in range(len(course.parts)):
        signs = source.signs_at(place)
        odds = unfounded(signs.values, weights, alone)
        alone.append(unfounded(signs.values, weights))
        odds = math.inf if beyond(signs) else above(odds, signs.values, weights) + weights.threshold
        worst = max(worst, odds)
    return worst


def write(out: Path, said: Mapping[str, Any], chosen: Chosen, *, risk: float, confidence: float) -> None:
    """Writes what was chosen, with what the rows say of it. Raises InputError where that cannot be done."""
    calibrated = {
        "unfounded": chosen.missed.total,
        "missed": chosen.missed.count,
        "bound": round(chosen.bound, 6),
        "risk": risk,
        "confidence": confidence,
    }
    try:
        out.write_text(json.dumps({"calibrated": calibrated, **said}, indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise InputError(f"cannot be written: {fault.strerror}", where=str(out)) from fault
