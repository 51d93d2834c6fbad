"""``imprimatur eval calibrate --judge``: the threshold of a trained judge, from labels of the user's own.

The rows and the bound are those of ``calibrate``. A text's score is the lowest that the judge gives to one of its
segments beside all passages of the row; the text is flagged when that is below the threshold. Chosen is the lowest
threshold whose share of missed unfounded texts stays below the risk. The written file names the judge as it is with
that threshold, so that it is refused for any other model or other settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import click

from imprimatur.answer import Kind
from imprimatur.config import JudgeConfig, load_folder, resolve
from imprimatur.errors import CheckFailed, InputError, nearest
from imprimatur.evals.calibrate import Labelled, Row, Scale, Wanted, check_shares, choose, outcome, read_rows, write
from imprimatur.evals.finishing import keep, provenance
from imprimatur.judges.opening import open_panel
from imprimatur.judges.panel import Seat, opinions
from imprimatur.protocols import Case
from imprimatur.segment import segment
from imprimatur.verdict import Label

__all__ = ["run", "scored"]

#: Scores have four decimals, and are turned round: the higher, the more a text is flagged.
_SCALE = Scale(-1.0, 4)
_STEP = Fraction(1, 10_000)


def run(path: Path, wanted: Wanted, *, kb: str | None, name: str | None) -> int:
    """Chooses a threshold, prints what it costs, writes it to a file, and returns 0.

    Raises:
        InputError: the rows are wrong, too few for the bound, or no threshold keeps it; or the knowledge base has no
            such judge.
        CheckFailed: the judge fails on a row.
    """
    out, risk, confidence = wanted.out, wanted.risk, wanted.confidence
    check_shares(risk=risk, confidence=confidence)
    entry = _entry(kb, name)
    rows = scored(read_rows(path), _seat(replace(entry, calibrated="")))
    chosen = choose(rows, risk=risk, confidence=confidence, scale=_SCALE)
    threshold = Fraction(round(-chosen.threshold / float(_STEP))) * _STEP + _STEP
    if threshold > 1:
        hint = "this judge cannot keep the bound on these texts: accept a higher --risk, or use another judge"
        raise InputError("unfounded texts have the judge's full score, so that no threshold is high enough", hint=hint)
    fitted = _seat(replace(entry, threshold=threshold, calibrated=""))
    about = {"name": entry.name, "kind": entry.kind, "fingerprint": fitted.judge.fingerprint}
    said = {"judge": about, "threshold": float(threshold)}
    write(out, said, chosen, risk=risk, confidence=confidence)
    sources = {**provenance(files=(path,))[0], f"judge {entry.name}": fitted.judge.fingerprint}
    keep(replace(outcome(chosen, wanted, float(threshold)), sources=sources), wanted.outcome)
    click.echo(f"threshold: {float(threshold):.4f} (before: {float(entry.threshold):g})")
    click.echo(f"unfounded texts missed: {chosen.missed}; at most {chosen.bound:.4f} with confidence {confidence:g}")
    click.echo(f"founded texts flagged: {chosen.founded_flagged}")
    click.echo(f"written to {out}: name it as `threshold` of the judge {entry.name} in imprimatur.yaml")
    return 0


def scored(rows: Sequence[Row], seat: Seat) -> list[Labelled]:
    """The rows with their scores, turned round.

    Raises:
        CheckFailed: the judge has no opinion on a segment; its line is named.
    """
    cases = [_cases(row) for row in rows]
    found = iter(opinions(seat, [case for each in cases for case in each]))
    labelled = []
    for row, each in zip(rows, cases):
        lowest = 1.0
        for _ in each:
            opinion = next(found)
            if opinion.label is Label.UNCHECKED:
                raise CheckFailed(f"the judge {seat.judge.name} {opinion.detail}", where=row.where)
            lowest = min(lowest, opinion.score)
        labelled.append(Labelled(-lowest, row.unfounded))
    return labelled


def _cases(row: Row) -> list[Case]:
    parts = (part for part in segment(row.text) if part.kind is not Kind.CODE)
    bodies = (row.text[slice(*part.body)] for part in parts)
    return [Case(claim=body, texts=row.context or ("",), question=row.question) for body in bodies if body.strip()]


def _entry(kb: str | None, name: str | None) -> JudgeConfig:
    if kb is None or name is None:
        raise InputError("--judge and --kb go together", hint="for instance --kb DIR --judge minicheck")
    config = load_folder(resolve(kb))
    found = next((entry for entry in config.judges if entry.name == name), None)
    if found is None:
        known = [entry.name for entry in config.judges]
        near = nearest(name, known)
        hint = f"did you mean {near!r}?" if near else f"its judges are: {', '.join(known) or 'none'}"
        raise InputError(f"the knowledge base has no judge {name[:60]!r}", where=kb, hint=hint)
    return found


def _seat(entry: JudgeConfig) -> Seat:
    panel = open_panel([entry])
    if panel is None:
        raise AssertionError("one entry makes one seat")
    return panel.seats[0]
