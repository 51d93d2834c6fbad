"""The figures of ``imprimatur eval passages`` as an outcome: by task and model, by class, beside the baselines.

The figures are those of ``passages.figures``; nothing is measured here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from imprimatur.evals.outcome import Case, Figure, Matrix, Outcome, Row, Table
from imprimatur.evals.passage_judging import Outcome as Judged
from imprimatur.evals.passage_sets import Example

__all__ = ["JudgedText", "passages_outcome"]

_COLUMNS = ("auroc", "precision", "recall", "f1", "balanced", "span_f1")
_WORDS = {"auroc": "AUROC", "f1": "F1", "span_f1": "span F1"}
_MOST_CASES = 500


class JudgedText(Protocol):
    """A text with what the set and the oracle say of it."""

    @property
    def example(self) -> Example: ...
    @property
    def unfounded(self) -> bool: ...
    @property
    def flagged(self) -> bool: ...
    @property
    def outcome(self) -> Judged: ...


def passages_outcome(rows: Sequence[JudgedText], figures: Mapping[str, Any]) -> Outcome:
    """The figures of some judged texts; texts that are missed, and those flagged wrongly, are its cases."""
    columns = [name for name in _COLUMNS if name in figures["parts"]["all"]]
    parts = tuple(
        (name, part["rows"], part["unfounded"], *(_figure(part, column) for column in columns))
        for name, part in figures["parts"].items()
    )
    head = ("texts", "rows", "unfounded", *(_WORDS.get(column, column) for column in columns))
    classes = tuple(
        (name, Figure(value=told["recall"]), Figure(value=told["balanced"]))
        for name, told in figures["classes"].items()
    )
    verdicts = sorted({verdict for cells in figures["table"].values() for verdict in cells})
    golds = sorted(figures["table"])
    counts = tuple(tuple(figures["table"][gold].get(verdict, 0) for verdict in verdicts) for gold in golds)
    return Outcome(
        name="passages",
        title=f"Texts judged by passages: {figures['set']}",
        tables=(
            Table(title="By task and model", head=head, rows=parts),
            _baselines(figures["baselines"]),
            Table(title="By class", head=("class", "judged right", "balanced, against the rest"), rows=classes),
        ),
        matrices=(Matrix(title="Gold by verdict", rows=tuple(golds), columns=tuple(verdicts), counts=counts),),
        cases=tuple(_case(row) for row in rows if row.unfounded is not row.flagged)[:_MOST_CASES],
        rows=tuple(_row(row) for row in rows),
        used={"seconds of judging": figures["seconds"], "segments": float(figures["segments"])},
        notes=(f"Of the texts that are judged wrong, {_MOST_CASES} at most are told.",),
    )


def _figure(part: Mapping[str, Any], column: str) -> Figure:
    ends = part.get(f"{column}_interval")
    value = part[column]
    if value is None or ends is None:
        return Figure(value=value)
    # The ends come from draws, which may all lie on one side of the figure.
    return Figure(value=value, low=min(ends[0], value), high=max(ends[1], value))


def _baselines(told: Mapping[str, Mapping[str, Mapping[str, float | None]]]) -> Table:
    rows = tuple(
        (name, part, Figure(value=figures["auroc"]), Figure(value=figures["f1"]))
        for name, parts in told.items()
        for part, figures in parts.items()
    )
    return Table(title="Baselines on the same texts", head=("baseline", "texts", "AUROC", "best F1"), rows=rows)


def _row(row: JudgedText) -> Row:
    said = "flagged" if row.flagged else "passed"
    return Row(id=row.example.id, said=said, right=row.unfounded is row.flagged)


def _case(row: JudgedText) -> Case:
    marked = row.example.spans if row.unfounded else row.outcome.spans
    return Case(
        id=row.example.id,
        kind="missed" if row.unfounded else "flagged wrongly",
        text=row.example.text,
        gold=row.example.gold,
        said=row.outcome.verdict,
        evidence=tuple(f"marked: {row.example.text[start:end]}" for start, end in marked[:6]),
    )
