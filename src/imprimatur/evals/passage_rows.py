"""Labelled answers as rows of signs: what the weights of the passage judge are made from.

A row is one segment of an answer. Whether it is *settled* without the weights, flagged or not, is what the oracle says
of it when no odds are high enough: typed facts, the exact comparison and what plainly goes beyond decide the same
whatever the weights. Invariant: the rows of an answer are in its order, and they are all of its segments.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from imprimatur.answer import Kind
from imprimatur.evals.passage_judging import FLAGGED
from imprimatur.evals.passage_sets import Example
from imprimatur.oracle import Oracle
from imprimatur.segment import segment
from imprimatur.sources.passages.course import Course
from imprimatur.sources.passages.judge import PassageSource
from imprimatur.sources.passages.signs import NAMES
from imprimatur.sources.passages.weighing import KINDS, kind_of
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.verdict import Label

__all__ = ["Row", "Text", "read"]

#: No log-odds are so high.
_NEVER = 1e9
_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Row:
    """One segment.

    Attributes:
        signs: what is weighed; none for code.
        settled: whether it is flagged whatever they weigh; None where they decide.
        claim: whether there is anything to judge.
        unfounded: a labelled span lies in it.
    """

    signs: dict[str, float]
    settled: bool | None
    claim: bool
    unfounded: bool
    length: int


@dataclass(frozen=True, slots=True)
class Text:
    """One answer with its segments; ``family`` is that of the model which wrote it, ``kind`` that of its context."""

    source: str
    family: str
    kind: str
    unfounded: bool
    length: int
    rows: tuple[Row, ...]


def read(examples: Sequence[Example]) -> list[Text]:
    """The answers as rows of signs."""
    oracle = _oracle_without_weights()
    return [_text(example, oracle) for example in examples]


def _oracle_without_weights() -> Oracle:
    """An oracle without any source of its own, to which no odds are high enough."""
    never = {"base": 0.0, "each": dict.fromkeys(NAMES, 0.0), "strayed": 0.0, "calm": 0.0, "threshold": _NEVER}
    with tempfile.TemporaryDirectory() as folder:
        weights = json.dumps({**never, "sooner": dict.fromkeys(KINDS, 0.0)})
        Path(folder, "weights.json").write_text(weights, encoding="utf-8")
        Path(folder, "imprimatur.yaml").write_text("version: 1\nweights: weights.json\n", encoding="utf-8")
        return Oracle.from_folder(folder, policy="annotate")


def _text(example: Example, oracle: Oracle) -> Text:
    rows = tuple(_rows(example, oracle))
    kinds = (kind_of(row.signs) for row in rows if row.signs)
    return Text(
        source=example.source,
        family=example.model.partition("-")[0],
        kind=next(kinds, KINDS[-1]),
        unfounded=bool(example.spans),
        length=len(example.text),
        rows=rows,
    )


def _rows(example: Example, oracle: Oracle) -> Iterator[Row]:
    source = PassageSource.of(example.context, TextLimits(), course=Course.of(example.text, example.question or ""))
    report = oracle.check(example.text, example.question, example.context, seconds=_SECONDS)
    place = 0
    for part, judged in zip(segment(example.text), report.segments, strict=True):
        signs: dict[str, float] = {}
        if part.kind is not Kind.CODE:
            signs = dict(source.signs_at(place).values)
            place += 1
        yield Row(
            signs=signs,
            settled=None if judged.label is Label.AMBIGUOUS and signs else judged.label in FLAGGED,
            claim=judged.label is not Label.NOT_A_CLAIM and bool(signs),
            unfounded=any(start < part.end and part.start < end for start, end in example.spans),
            length=part.end - part.start,
        )
