"""``python -m imprimatur.evals.passage_weights FOLDER --out FILE``: fits the weights by which signs are weighed.

FOLDER holds RAGTruth. A row is one segment of an answer; it is unfounded when a labelled span lies in it. Fitted is a
logistic regression with a penalty on the squares of the standardised weights, by Newton's method. What is told of it
comes from folds by source: no answer is judged by weights that saw an answer about the same passages. The sources are
dealt into folds several times, for one deal is luck; figures are means over the deals. The threshold is the one with
the best sum of the pooled F1 of answers and the tasks' mean area under the curve in those folds. Same files, same
weights, to the last digit written. Needs numpy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

from imprimatur.answer import Kind
from imprimatur.evals.passage_sets import Example, load
from imprimatur.evals.scores import Counts, auroc
from imprimatur.language.modality import SegmentKind, classify
from imprimatur.segment import segment
from imprimatur.sources.passages.judge import PassageSource
from imprimatur.sources.passages.signs import NAMES, beyond
from imprimatur.sources.passages.weighing import Weights, unfounded
from imprimatur.sources.text.comparison import TextLimits

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["Row", "Text", "fit", "main", "read"]

_FOLDS, _DEALS = 5, 4
_PENALTY = 30.0
_STEPS = 12
_STRAYED, _CALM = 1.0, -1.2
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
    import numpy

    table = numpy.array([[row.signs[name] for name in NAMES] for row in rows])
    means, spreads = table.mean(axis=0), table.std(axis=0)
    spreads[spreads == 0.0] = 1.0
    ones = numpy.ones((len(rows), 1))
    gold = numpy.array([row.unfounded for row in rows], dtype=float)
    solved = _newton(numpy.hstack([ones, (table - means) / spreads]), gold)
    each = solved[1:] / spreads
    return Weights(
        base=float(solved[0] - each @ means),
        each={name: float(weight) for name, weight in zip(NAMES, each)},
        strayed=_STRAYED,
        calm=_CALM,
        threshold=0.0,
    )


def _newton(table: Array, gold: Array) -> Array:
    """The weights of the columns, the first of which is free of the penalty."""
    import numpy

    penalty = numpy.full(table.shape[1], _PENALTY)
    penalty[0] = 0.0
    solved = numpy.zeros(table.shape[1])
    for _ in range(_STEPS):
        shares = 1 / (1 + numpy.exp(-numpy.clip(table @ solved, -30.0, 30.0)))
        slope = table.T @ (gold - shares) - penalty * solved
        bend = (table * (shares * (1 - shares))[:, None]).T @ table + numpy.diag(penalty)
        step = numpy.linalg.solve(bend, slope)
        solved = solved + step
        if numpy.abs(step).max() < 1e-7:
            break
    return solved


def _fold(source: str, deal: int) -> int:
    return int(hashlib.sha256(f"{deal}/{source}".encode()).hexdigest(), 16) % _FOLDS


def _odds(text: Text, weights: Weights) -> list[float]:
    """The log-odds of each segment, with what came before it."""
    alone: list[float] = []
    odds = []
    for row in text.rows:
        odds.append(unfounded(row.signs, weights, alone))
        alone.append(unfounded(row.signs, weights))
    return odds


def _folded(texts: Sequence[Text], deal: int) -> list[list[float]]:
    """The log-odds of each answer's segments by weights that saw none of its source."""
    by_fold = [
        fit([row for text in texts if _fold(text.source, deal) != fold for row in text.rows if row.judged])
        for fold in range(_FOLDS)
    ]
    return [_odds(text, by_fold[_fold(text.source, deal)]) for text in texts]


def _share(text: Text, odds: Sequence[float], threshold: float) -> float:
    """The share of an answer's characters in segments from the threshold on."""
    over = (row.length for row, each in zip(text.rows, odds) if (each >= threshold or row.beyond) and row.judged)
    return sum(over) / max(1, text.length)


def _table(texts: Sequence[Text], odds: Sequence[Sequence[float]], threshold: float) -> Counts:
    return Counts.of((text.unfounded, _share(text, each, threshold) > 0) for text, each in zip(texts, odds))


def _threshold(texts: Sequence[Text], deals: Sequence[Sequence[Sequence[float]]]) -> float:
    """The threshold with the best F1 and areas, smoothed over its neighbours: a peak by chance is no peak."""
    steps = [-3.0 + 0.05 * step for step in range(51)]
    tasks = [[place for place, text in enumerate(texts) if text.task == task] for task in {t.task for t in texts}]
    scores = [mean(_worth(texts, odds, step, tasks) for odds in deals) for step in steps]
    smooth = [mean(scores[max(0, i - 2) : i + 3]) for i in range(len(scores))]
    return round(steps[smooth.index(max(smooth))], 2)


def _worth(
    texts: Sequence[Text], odds: Sequence[Sequence[float]], threshold: float, tasks: Sequence[Sequence[int]]
) -> float:
    """What a threshold is worth: the pooled F1 of answers, and the mean over the tasks of the area under the curve."""
    pairs = [(text.unfounded, _share(text, each, threshold)) for text, each in zip(texts, odds)]
    areas = [auroc(pairs[place] for place in places) or 0.0 for places in tasks]
    return (_table(texts, odds, threshold).f1 or 0.0) + mean(areas)


def _told(texts: Sequence[Text], deals: Sequence[Sequence[Sequence[float]]], threshold: float) -> str:
    """The area under the curve and F1 of some texts, as means over deals."""
    areas = [
        auroc((text.unfounded, _share(text, each, threshold)) for text, each in zip(texts, odds)) for odds in deals
    ]
    scores = [_table(texts, odds, threshold).f1 or 0.0 for odds in deals]
    area = mean(each for each in areas if each is not None)
    return f"AUROC {area:.3f}, F1 {mean(scores):.3f} ({min(scores):.3f} to {max(scores):.3f})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fits the weights, prints what folds say of them, and writes them."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.passage_weights", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    texts = read(load("ragtruth", given.folder))
    deals = [_folded(texts, deal) for deal in range(_DEALS)]
    threshold = _threshold(texts, deals)
    for task in dict.fromkeys(text.task for text in texts):
        own = [place for place, text in enumerate(texts) if text.task == task]
        parts = [[odds[place] for place in own] for odds in deals]
        print(f"{task}: {_told([texts[place] for place in own], parts, threshold)}")
    print(f"all: {_told(texts, deals, threshold)}; threshold {threshold}; folds over sources, {_DEALS} deals")
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
