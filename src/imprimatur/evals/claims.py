"""``imprimatur eval claims``: judge labelled rows and compare.

A row is one JSON object a line: ``{id, text | answer, label, question?}``; ``label`` is one verdict label or a list of
labels any of which is right; other keys are left alone. Invariants: the whole file is read before anything is judged,
so that a mistake in the last row costs no waiting; a row's verdict is the worst label of its segments, so that it is
``supported`` only when nothing in it is withheld.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError, nearest
from imprimatur.evals.finishing import keep, processor_seconds, provenance
from imprimatur.evals.kept import judged_by
from imprimatur.evals.metrics import Judged, Measures, Share
from imprimatur.evals.outcome import Case, Figure, Matrix, Outcome, Row, Table
from imprimatur.evals.running import Running, Task, rows_judged
from imprimatur.evals.shown import evidence_of, reasons_of
from imprimatur.report import Report
from imprimatur.verdict import SEVERITY, Label, worst

__all__ = ["Checker", "Found", "LabelledRow", "measure", "outcome", "read_rows", "rendered", "run"]

_SHAPE = 'a row looks like {"id": "1", "text": "…", "label": "supported"}'


class Checker(Protocol):
    """The part of an oracle that measuring uses."""

    def check(self, answer: str, question: str | None = None) -> Report: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRow:
    """One text with the labels that are right for it."""

    id: str | int
    text: str
    gold: tuple[Label, ...]
    question: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the oracle says of one row: the worst label of its segments, why, and on which evidence."""

    verdict: Label
    reasons: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


def run(
    rows_path: Path,
    kb: str,
    *,
    as_json: bool,
    policy: str | None,
    out: Path | None = None,
    running: Running | None = None,
) -> int:
    """Judges the rows of a file, prints the measures, and returns the exit status: 0 without any false licence, else 1.

    Raises:
        ImprimaturError: the file, a row, the knowledge base or the policy is wrong, or a process ended.
    """
    rows = read_rows(rows_path)
    oracle = session.open_oracle(kb, policy)
    how = running or Running()
    about = judged_by(oracle) if how.keep is not None else {}
    found = list(rows_judged(rows, _task(oracle, about), how))
    measures = Measures(tuple(map(_judged, rows, found)))
    if out is not None:
        sources, versions = provenance(oracle, files=(rows_path,))
        told = replace(outcome(measures, found), sources=sources, versions=versions)
        used = {"processor seconds": round(processor_seconds(), 2)}
        keep(replace(told, settings={"kb": Path(kb).name, "policy": policy}, used=used), out)
    if as_json:
        session.emit_json(measures.to_dict())
    else:
        click.echo(rendered(measures))
    return 1 if measures.false_licences() else 0


def measure(rows: Iterable[LabelledRow], oracle: Checker) -> Measures:
    """The measures of an oracle's verdicts on labelled rows."""
    listed = tuple(rows)
    return Measures(tuple(map(_judged, listed, rows_judged(listed, _task(oracle, {})))))


def _task(oracle: Checker, about: Mapping[str, Any]) -> Task[LabelledRow, Found]:
    def judge(row: LabelledRow) -> Found:
        report = oracle.check(row.text, row.question)
        verdict = worst([segment.label for segment in report.segments])
        return Found(verdict=verdict, reasons=reasons_of(report), evidence=evidence_of(report))

    return Task(
        judge=judge,
        key=lambda row: [row.text, row.question],
        told=lambda row: str(row.id),
        write=lambda found: [found.verdict.value, list(found.reasons), list(found.evidence)],
        read=lambda told: Found(verdict=Label(told[0]), reasons=tuple(told[1]), evidence=tuple(told[2])),
        about={"evaluation": "claims", **about},
        keeps=lambda found: found.verdict is not Label.UNCHECKED,
    )


def _judged(row: LabelledRow, found: Found) -> Judged:
    return Judged(id=row.id, text=row.text, gold=row.gold, verdict=found.verdict)


def outcome(measures: Measures, found: Sequence[Found]) -> Outcome:
    """The measures as an outcome, with every wrong row as a case; the false licences are grave."""
    golds = [(f"gold {name}", Figure.of(share)) for name, share in measures.golds().items()]
    right = Table(title="Judged right", head=("rows", "right"), rows=(("all", Figure.of(measures.right())), *golds))
    called = Share(len(measures.true_called_false()), sum(set(row.gold) == {Label.SUPPORTED} for row in measures.rows))
    mistakes = (
        ("false licences", Figure.of(measures.false_licence_share())),
        ("true called false", Figure.of(called)),
        ("abstained (not_a_claim)", Figure.of(measures.abstained())),
    )
    cells, names = measures.cells(), [*measures.golds()]
    labels = [label for label in SEVERITY if any(verdict is label for _, verdict in cells)]
    counts = tuple(tuple(cells[name, label] for label in labels) for name in names)
    return Outcome(
        name="claims",
        title="Labelled claims",
        tables=(right, Table(title="Mistakes", head=("kind", "share"), rows=mistakes)),
        matrices=(Matrix(title="Gold by verdict", rows=tuple(names), columns=tuple(labels), counts=counts),),
        cases=tuple(_case(row, each) for row, each in zip(measures.rows, found) if not row.right),
        rows=tuple(Row(id=str(row.id), said=row.verdict.value, right=row.right) for row in measures.rows),
    )


def _case(row: Judged, found: Found) -> Case:
    kind = "false licence" if row.false_licence else "true called false" if row.true_called_false else "judged wrong"
    return Case(
        id=str(row.id),
        kind=kind,
        text=row.text,
        gold=row.name,
        said=row.verdict.value,
        reasons=found.reasons,
        evidence=found.evidence,
        grave=row.false_licence,
    )


def read_rows(path: Path) -> tuple[LabelledRow, ...]:
    """The labelled rows of a JSON-lines file.

    Raises:
        InputError: the file cannot be read or holds no row, or a row is not as it must be; its line is named.
    """
    lines = session.read_file(path).split("\n")
    rows = tuple(_row(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip())
    if not rows:
        raise InputError("holds no row to judge", where=str(path), hint=_SHAPE)
    return rows


def _row(line: str, where: str) -> LabelledRow:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not a line of JSON: {str(fault)[:200]}", where=where, hint=_SHAPE) from fault
    if not isinstance(values, dict):
        raise InputError("not a JSON object", where=where, hint=_SHAPE)
    if ("text" in values) == ("answer" in values):
        raise InputError("give either `text` or `answer`", where=where, hint=_SHAPE)
    key = "text" if "text" in values else "answer"
    question = _text(values, "question", where) if values.get("question") is not None else None
    return LabelledRow(
        id=_id(values, where), text=_text(values, key, where), gold=_labels(values, where), question=question
    )


def _text(values: dict[str, Any], key: str, where: str) -> str:
    if not isinstance(values.get(key), str):
        raise InputError(f"`{key}` must be a text", where=where, hint=_SHAPE)
    return str(values[key])


def _id(values: dict[str, Any], where: str) -> str | int:
    value = values.get("id")
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise InputError("`id` must be a text or a whole number", where=where, hint=_SHAPE)
    return value


def _labels(values: dict[str, Any], where: str) -> tuple[Label, ...]:
    given = values.get("label")
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list) or not given:
        raise InputError("`label` must be one verdict label, or a list of them", where=where, hint=_SHAPE)
    return tuple(_label(item, where) for item in given)


def _label(item: Any, where: str) -> Label:
    if isinstance(item, str) and item in set(Label):
        return Label(item)
    near = nearest(item, list(Label)) if isinstance(item, str) else None
    hint = f"did you mean {near!r}?" if near else f"the labels are {', '.join(Label)}"
    raise InputError(f"{str(item)[:60]!r} is not a verdict label", where=where, hint=hint)


def rendered(measures: Measures) -> str:
    """The measures for people: every grave mistake, the table, the shares."""
    return "\n".join([*_mistakes(measures), _table(measures), "", *_shares(measures)])


def _mistakes(measures: Measures) -> Iterator[str]:
    for row in measures.false_licences():
        yield f"FALSE LICENCE  {plain(str(row.id))}  (gold: {row.name})  {_short(row.text)}"
    for row in measures.true_called_false():
        yield f"TRUE CALLED FALSE  {plain(str(row.id))}  {_short(row.text)}"


def _short(text: str) -> str:
    line = plain(" ".join(text.split()))
    return line if len(line) <= 200 else f"{line[:199]}…"


def _table(measures: Measures) -> str:
    cells = measures.cells()
    verdicts = [label for label in SEVERITY if any(verdict is label for _, verdict in cells)]
    golds = measures.golds()
    body = [[gold, *(str(cells[gold, verdict]) for verdict in verdicts), str(golds[gold].total)] for gold in golds]
    return aligned(["gold \\ verdict", *verdicts, "rows"], body)


def _shares(measures: Measures) -> Iterator[str]:
    for gold, share in measures.golds().items():
        yield f"{gold} judged right: {share}"
    yield f"all judged right: {measures.right()}"
    yield f"abstained (not_a_claim): {measures.abstained()}"
    yield f"false licences: {measures.false_licence_share()}"
    yield f"true called false: {len(measures.true_called_false())}"
