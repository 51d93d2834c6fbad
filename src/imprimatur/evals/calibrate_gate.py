"""``imprimatur eval calibrate-gate``: the gate's floor, from questions of which it is known whether they have support.

A row is ``{id?, question, supported}``. Each question is asked of the knowledge base as ``ask`` would; an unsupported
one *passes* when enough items fit it at least as well as the floor. Chosen is the lowest floor at which the share of
unsupported questions that pass stays below the risk with the asked confidence, by the exact bound of Clopper and
Pearson. The bound holds for questions drawn as the rows were. Floors are tried from the highest down, and the search
stops at the first that fails: so the bound stays valid for the one that is chosen (a fixed sequence of tests).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.config import load_folder, resolve
from imprimatur.errors import InputError
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Figure, Outcome, Table
from imprimatur.evals.scores import clopper_pearson
from imprimatur.knowledge import open_knowledge
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.sources.passages.embedding import open_embedder

__all__ = ["ChosenFloor", "Scored", "choose_floor", "read_questions", "run"]

_SHAPE = 'a row looks like {"question": "How long is …?", "supported": true}'
#: Floors are hundredths: what is written is what was tried.
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Scored:
    """One question: whether it has support, and the score that its evidence reaches with the asked number of items."""

    supported: bool
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenFloor:
    """A floor with what the rows say of it; ``bound`` is on the share of unsupported questions that pass."""

    floor: float
    passed: Share
    bound: float
    answered: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a floor has to keep, and where what is chosen goes: the floor, and the outcome."""

    kb: str
    risk: float = 0.02
    confidence: float = 0.95
    items: int = 1
    out: Path | None = None
    outcome: Path | None = None


def run(path: Path, settings: Settings) -> int:
    """Chooses a floor, prints what it costs, writes it where asked, and returns 0.

    Raises:
        InputError: the rows are wrong, too few for the bound, or the file cannot be written.
    """
    risk, confidence, items = settings.risk, settings.confidence, settings.items
    for name, value in (("risk", risk), ("confidence", confidence)):
        if not 0 < value < 1:
            raise InputError(f"the {name} must lie between 0 and 1", hint="for instance 0.02 and 0.95")
    questions = read_questions(path)
    config = load_folder(resolve(settings.kb))
    knowledge = open_knowledge(config)
    retrieval = Retrieval(knowledge, embedder=open_embedder(config.embed) if config.embed else None)
    rows = []
    with Progress("Asking", len(questions)) as progress:
        for question, supported in questions:
            rows.append(Scored(supported, reached(retrieval(question), items)))
            progress.step(question)
    chosen = choose_floor(rows, risk=risk, confidence=confidence)
    click.echo(f"floor: {chosen.floor:.2f}, with {items} {'item' if items == 1 else 'items'}")
    click.echo(
        f"unsupported questions that pass: {chosen.passed}; at most {chosen.bound:.4f} with confidence {confidence:g}"
    )
    click.echo(f"supported questions that pass: {chosen.answered}")
    if settings.outcome is not None:
        sources, versions = provenance(knowledge, files=(path,))
        told = {"kb": Path(settings.kb).name, "risk": risk, "confidence": confidence, "items": items}
        keep(replace(outcome(chosen), settings=told, sources=sources, versions=versions), settings.outcome)
    if settings.out is not None:
        _write(settings.out, chosen, items=items, risk=risk, confidence=confidence)
        click.echo(f"written to {settings.out}")
    return 0


def outcome(chosen: ChosenFloor) -> Outcome:
    """What was chosen as an outcome."""
    rows = (
        ("floor", Figure(value=chosen.floor)),
        ("unsupported questions that pass", Figure.of(chosen.passed)),
        ("at most, with that confidence", Figure(value=chosen.bound)),
        ("supported questions that pass", Figure.of(chosen.answered)),
    )
    table = Table(title="The floor, and what the rows say of it", head=("", "figure"), rows=rows)
    note = "The bound holds for questions drawn as the rows were."
    return Outcome(name="calibrate-gate", title="The gate's floor from labels", tables=(table,), notes=(note,))


def reached(trail: EvidenceTrail, items: int) -> float:
    """The highest floor at which a trail has so many items; below 0 when it has not so many at all."""
    scores = sorted((item.score for item in trail.items if item.text.strip()), reverse=True)
    return scores[items - 1] if len(scores) >= items else -1.0


def choose_floor(rows: Sequence[Scored], *, risk: float, confidence: float) -> ChosenFloor:
    """The lowest floor that keeps the bound.

    Raises:
        InputError: too few unsupported questions, or even the highest floor lets too many pass.
    """
    wrong = [row.score for row in rows if not row.supported]
    if clopper_pearson(0, len(wrong), confidence) > risk:
        needed = math.ceil(math.log(1 - confidence) / math.log(1 - risk))
        hint = f"label at least {needed}, or accept a higher --risk"
        raise InputError(f"{len(wrong)} unsupported questions are too few for this bound", hint=hint)
    floor: float | None = None
    for step in range(_STEPS, -1, -1):
        passing = sum(score >= step / _STEPS for score in wrong)
        if clopper_pearson(passing, len(wrong), confidence) > risk:
            break
        floor = step / _STEPS
    if floor is None:
        hint = "the labels may be wrong: look at the unsupported questions with `imprimatur ask --show-context`"
        raise InputError("unsupported questions find evidence that fits them wholly: no floor parts them", hint=hint)
    good = [row.score for row in rows if row.supported]
    passing = sum(score >= floor for score in wrong)
    return ChosenFloor(
        floor=floor,
        passed=Share(passing, len(wrong)),
        bound=clopper_pearson(passing, len(wrong), confidence),
        answered=Share(sum(score >= floor for score in good), len(good)),
    )


def read_questions(path: Path) -> list[tuple[str, bool]]:
    """The rows of a file. Raises InputError; names the line."""
    found: list[tuple[str, bool]] = []
    for number, line in enumerate(session.read_file(path).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as fault:
            raise InputError(f"not a line of JSON: {str(fault)[:200]}", where=where, hint=_SHAPE) from fault
        question, supported = (row.get("question"), row.get("supported")) if isinstance(row, dict) else (None, None)
        if not isinstance(question, str) or not isinstance(supported, bool):
            raise InputError("a row needs a `question`, and `supported` true or false", where=where, hint=_SHAPE)
        found.append((question, supported))
    if not found:
        raise InputError("holds no row", where=str(path), hint=_SHAPE)
    return found


def _write(out: Path, chosen: ChosenFloor, *, items: int, risk: float, confidence: float) -> None:
    said = {
        "floor": chosen.floor,
        "items": items,
        "calibrated": {
            "unsupported": chosen.passed.total,
            "passed": chosen.passed.count,
            "bound": round(chosen.bound, 6),
            "risk": risk,
            "confidence": confidence,
        },
    }
    try:
        out.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise InputError(f"cannot be written: {fault.strerror}", where=str(out)) from fault
