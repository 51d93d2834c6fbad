"""``python -m imprimatur.evals.passage_weights FOLDER --out FILE``: fits the weights by which signs are weighed.

FOLDER holds RAGTruth. A row is one segment of an answer; it is unfounded when a labelled span lies in it. Fitted is a
logistic regression with a penalty on the squares of the standardised weights, by Newton's method. What is told of it
comes from folds by source: no answer is judged by weights that saw an answer about the same passages. The threshold is
the one with the best pooled F1 of answers in those folds. Same files, same weights, to the last digit written.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from imprimatur.answer import Kind
from imprimatur.evals.passage_sets import Example, load
from imprimatur.evals.scores import Counts, auroc
from imprimatur.language.modality import SegmentKind, classify
from imprimatur.segment import segment
from imprimatur.sources.passages.judge import PassageSource
from imprimatur.sources.passages.signs import NAMES, beyond
from imprimatur.sources.passages.weighing import Weights, unfounded
from imprimatur.sources.text.comparison import TextLimits

__all__ = ["Row", "Text", "fit", "main", "read"]

_FOLDS = 5
_PENALTY = 10.0
_STEPS = 12
_STRAYED, _CALM = 0.2, -3.0
_SILENT = (SegmentKind.META, SegmentKind.ASKED, SegmentKind.GREETING, SegmentKind.INSTRUCTION, SegmentKind.HYPOTHETICAL)


@dataclass(frozen=True, slots=True)
class Row:
    """One segment.

    Attributes:
        signs: what is weighed; beyond: it is flagged whatever they weigh.
        unfounded: a labelled span lies in it.
        judged: it is judged at all.
    """

    signs: dict[str, float]
    beyond: bool
    unfounded: bool
    length: int
    judged: bool


@dataclass(frozen=True, slots=True)
class Text:
    """One answer with its segments."""

    source: str
    task: str
    unfounded: bool
    length: int
    rows: tuple[Row, ...]


def read(examples: Sequence[Example]) -> list[Text]:
    """The answers as rows of signs."""
    sources: dict[tuple[str, ...], PassageSource] = {}
    texts = []
    for example in examples:
        if example.context not in sources:
            sources = {example.context: PassageSource.of(example.context, TextLimits())}
        rows = tuple(_rows(example, sources[example.context]))
        texts.append(Text(example.source, example.task, bool(example.spans), len(example.text), rows))
    return texts


def _rows(example: Example, source: PassageSource) -> Sequence[Row]:
    rows = []
    for part in segment(example.text):
        start, end = part.body
        words = example.text[start:end]
        signs = source.signs(words, item=part.kind is Kind.LIST_ITEM)
        rows.append(
            Row(
                signs=dict(signs.values),
                beyond=beyond(signs),
                unfounded=any(a < end and start < b for a, b in example.spans),
                length=part.end - part.start,
                judged=classify(words).kind not in _SILENT,
            )
        )
    return rows


def fit(rows: Sequence[Row]) -> Weights:
    """The weights for some rows; the threshold is left at even odds."""
    means = [sum(row.signs[name] for row in rows) / len(rows) for name in NAMES]
    spreads = [
        math.sqrt(sum((row.signs[name] - mean) ** 2 for row in rows) / len(rows)) or 1.0
        for name, mean in zip(NAMES, means)
    ]
    table = [[1.0, *((row.signs[n] - m) / s for n, m, s in zip(NAMES, means, spreads))] for row in rows]
    solved = _newton(table, [row.unfounded for row in rows])
    each = {name: weight / spread for name, weight, spread in zip(NAMES, solved[1:], spreads)}
    base = solved[0] - sum(each[name] * mean for name, mean in zip(NAMES, means))
    return Weights(base=base, each=each, strayed=_STRAYED, calm=_CALM, threshold=0.0)


def _newton(table: Sequence[Sequence[float]], gold: Sequence[bool]) -> list[float]:
    size = len(table[0])
    solved = [0.0] * size
    for _ in range(_STEPS):
        slope = [0.0 if at == 0 else -_PENALTY * value for at, value in enumerate(solved)]
        bend = [[_PENALTY if i == j and i else 0.0 for j in range(size)] for i in range(size)]
        for row, label in zip(table, gold):
            odds = sum(a * b for a, b in zip(solved, row))
            share = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
            spread, miss = share * (1 - share), label - share
            for i, value in enumerate(row):
                slope[i] += miss * value
                scaled, into = spread * value, bend[i]
                for j in range(i + 1):
                    into[j] += scaled * row[j]
        step = _solve(bend, slope)
        solved = [value + change for value, change in zip(solved, step)]
        if max(map(abs, step)) < 1e-7:
            break
    return solved


def _solve(lower: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a symmetric system of which the lower half is given (Cholesky)."""
    size = len(right)
    root = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            left = lower[i][j] - sum(root[i][k] * root[j][k] for k in range(j))
            root[i][j] = math.sqrt(left) if i == j else left / root[j][j]
    half = [0.0] * size
    for i in range(size):
        half[i] = (right[i] - sum(root[i][k] * half[k] for k in range(i))) / root[i][i]
    out = [0.0] * size
    for i in reversed(range(size)):
        out[i] = (half[i] - sum(root[k][i] * out[k] for k in range(i + 1, size))) / root[i][i]
    return out


def _fold(source: str) -> int:
    return int(hashlib.sha256(source.encode()).hexdigest(), 16) % _FOLDS


def _odds(text: Text, weights: Weights) -> list[float]:
    """The log-odds of each segment, with what came before it."""
    alone: list[float] = []
    odds = []
    for row in text.rows:
        odds.append(unfounded(row.signs, weights, alone))
        alone.append(unfounded(row.signs, weights))
    return odds


def _folded(texts: Sequence[Text]) -> list[list[float]]:
    """The log-odds of each answer's segments by weights that saw none of its source."""
    by_fold = [
        fit([row for text in texts if _fold(text.source) != fold for row in text.rows if row.judged])
        for fold in range(_FOLDS)
    ]
    return [_odds(text, by_fold[_fold(text.source)]) for text in texts]


def _share(text: Text, odds: Sequence[float], threshold: float) -> float:
    """The share of an answer's characters in segments from the threshold on."""
    over = (row.length for row, each in zip(text.rows, odds) if (each >= threshold or row.beyond) and row.judged)
    return sum(over) / max(1, text.length)


def _table(texts: Sequence[Text], odds: Sequence[Sequence[float]], threshold: float) -> Counts:
    return Counts.of((text.unfounded, _share(text, each, threshold) > 0) for text, each in zip(texts, odds))


def _threshold(texts: Sequence[Text], odds: Sequence[Sequence[float]]) -> float:
    """The threshold with the best F1, smoothed over its neighbours: a peak by chance is no peak."""
    steps = [-4.0 + 0.05 * step for step in range(81)]
    scores = [_table(texts, odds, step).f1 or 0.0 for step in steps]
    smooth = [sum(scores[max(0, i - 2) : i + 3]) / len(scores[max(0, i - 2) : i + 3]) for i in range(len(scores))]
    return round(steps[smooth.index(max(smooth))], 2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fits the weights, prints what folds say of them, and writes them."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.passage_weights", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    texts = read(load("ragtruth", given.folder))
    odds = _folded(texts)
    threshold = _threshold(texts, odds)
    for task in dict.fromkeys(text.task for text in texts):
        own = [(text, each) for text, each in zip(texts, odds) if text.task == task]
        area = auroc((text.unfounded, _share(text, each, threshold)) for text, each in own)
        print(f"{task}: AUROC {area:.3f}, F1 {_table([t for t, _ in own], [e for _, e in own], threshold).f1:.3f}")
    print(f"pooled F1 {_table(texts, odds, threshold).f1:.3f} at {threshold}, by folds over sources")
    weights = fit([row for text in texts for row in text.rows if row.judged])
    said = {
        "trained_on": "RAGTruth (MIT): segments of answers, unfounded where a labelled span lies in them",
        "command": "python -m imprimatur.evals.passage_weights FOLDER --out FILE",
        "base": round(weights.base, 4),
        "each": {name: round(weight, 4) for name, weight in weights.each.items()},
        "strayed": _STRAYED,
        "calm": _CALM,
        "threshold": threshold,
    }
    given.out.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
