"""``python -m imprimatur.evals.passage_weights FOLDER --out FILE``: fits the weights by which signs are weighed.

FOLDER holds RAGTruth. A row is one segment of an answer; it is unfounded when a labelled span lies in it. Fitted is a
logistic regression with a penalty on the squares of the standardised weights, by Newton's method. What is told of it
comes from folds by source: no answer is judged by weights that saw an answer about the same passages. The sources are
dealt into folds several times, for one deal is luck; figures are means over the deals. The same is told of folds by
family of model: no answer is judged by weights that saw one of a model of that family. Each kind of context has its
threshold: in the folds by source, those with the best areas under the curve for which little of the best pooled F1 of
answers is given up. Same files, same weights, to the last digit written. Needs numpy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

from imprimatur.errors import InputError
from imprimatur.evals.passage_rows import Row, Text, read
from imprimatur.evals.passage_sets import load
from imprimatur.evals.scores import Counts, auroc
from imprimatur.sources.passages.signs import NAMES
from imprimatur.sources.passages.weighing import KINDS, Weights, unfounded

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["fit", "main"]

_FOLDS, _DEALS = 5, 4
_PENALTY = 30.0
_STEPS = 12
_STRAYED, _CALM = 1.0, -1.2
#: So much of the best pooled F1 of answers is given up for the areas under the curve.
_GIVEN_UP = 0.045
_THRESHOLDS = [round(-3.0 + 0.1 * step, 1) for step in range(26)]
Odds = Sequence[Sequence[float]]


def fit(rows: Sequence[Row]) -> Weights:
    """The weights for some rows; the threshold is left at even odds. Raises InputError where there is none."""
    import numpy

    if not rows:
        raise InputError("nothing to learn from: all answers fall into one fold", hint="give the whole set")

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


def _fold(text: Text, *, deal: int) -> str:
    return str(int(hashlib.sha256(f"{deal}/{text.source}".encode()).hexdigest(), 16) % _FOLDS)


def _odds(text: Text, weights: Weights) -> list[float]:
    """The log-odds of each segment, with what came before it; code has none."""
    alone: list[float] = []
    odds = []
    for row in text.rows:
        odds.append(unfounded(row.signs, weights, alone) if row.signs else 0.0)
        if row.signs:
            alone.append(unfounded(row.signs, weights))
    return odds


def _rows_of(texts: Sequence[Text]) -> list[Row]:
    """The rows to learn from: all that claim something."""
    return [row for text in texts for row in text.rows if row.claim]


def _folded(texts: Sequence[Text], fold: Callable[[Text], str]) -> list[list[float]]:
    """The log-odds of each answer's segments by weights that saw no answer of its fold."""
    weights = {
        name: fit(_rows_of([text for text in texts if fold(text) != name])) for name in {fold(text) for text in texts}
    }
    return [_odds(text, weights[fold(text)]) for text in texts]


def _share(text: Text, odds: Sequence[float], threshold: float) -> float:
    """The share of an answer's characters in flagged segments."""
    over = (
        row.length
        for row, each in zip(text.rows, odds)
        if (row.settled if row.settled is not None else each >= threshold)
    )
    return sum(over) / max(1, text.length)


class _Worth(NamedTuple):
    """What a threshold is worth on some answers: the area under the curve, and the table of who is flagged."""

    area: float
    hit: float
    false: float
    missed: float


def _worth(texts: Sequence[Text], odds: Odds, threshold: float) -> _Worth:
    shares = [(text.unfounded, _share(text, each, threshold)) for text, each in zip(texts, odds)]
    table = Counts.of((gold, share > 0) for gold, share in shares)
    return _Worth(auroc(shares) or 0.0, table.hit, table.false, table.missed)


def _mean(worths: Sequence[_Worth]) -> _Worth:
    return _Worth(*(mean(each) for each in zip(*worths)))


def _f1(worths: Sequence[_Worth]) -> float:
    hit, false, missed = (sum(each[place] for each in worths) for place in (1, 2, 3))
    return 2 * hit / (2 * hit + false + missed) if hit else 0.0


def _at(texts: Sequence[Text], odds: Odds, kind: str, threshold: float) -> _Worth:
    own = [place for place, text in enumerate(texts) if text.kind == kind]
    return _worth([texts[place] for place in own], [odds[place] for place in own], threshold)


def _thresholds(texts: Sequence[Text], deals: Sequence[Odds]) -> dict[str, float]:
    """For each kind the threshold; worths are smoothed over the neighbours: a peak by chance is no peak."""
    kinds = [kind for kind in KINDS if any(text.kind == kind for text in texts)]
    smooth = {}
    for kind in kinds:
        worths = [_mean([_at(texts, odds, kind, step) for odds in deals]) for step in _THRESHOLDS]
        smooth[kind] = [_mean(worths[max(0, i - 1) : i + 2]) for i in range(len(worths))]
    points = list(product(range(len(_THRESHOLDS)), repeat=len(kinds)))
    together = [[smooth[kind][place] for kind, place in zip(kinds, point)] for point in points]
    scores = [_f1(each) for each in together]
    least = max(scores) - _GIVEN_UP
    areas = [sum(worth.area for worth in each) if f1 >= least else 0.0 for each, f1 in zip(together, scores)]
    chosen = points[areas.index(max(areas))]
    return {kind: _THRESHOLDS[place] for kind, place in zip(kinds, chosen)}


def _told(name: str, texts: Sequence[Text], deals: Sequence[Odds], thresholds: dict[str, float]) -> list[str]:
    """Lines with the area under the curve and F1 of each kind and of all, as means over deals."""
    lines = [f"{name}:"]
    by_kind = {kind: [_at(texts, odds, kind, step) for odds in deals] for kind, step in thresholds.items()}
    for kind, worths in by_kind.items():
        area, f1 = mean(worth.area for worth in worths), mean(_f1([worth]) for worth in worths)
        lines.append(f"  {kind}: AUROC {area:.3f}, F1 {f1:.3f}")
    scores = [_f1(worths) for worths in zip(*by_kind.values())]
    lines.append(f"  all: F1 {mean(scores):.3f} ({min(scores):.3f} to {max(scores):.3f})")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Fits the weights, prints what folds say of them, and writes them."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.passage_weights", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    texts = read(load("ragtruth", given.folder))
    deals = [_folded(texts, partial(_fold, deal=deal)) for deal in range(_DEALS)]
    thresholds = _thresholds(texts, deals)
    weights = fit(_rows_of(texts))
    print("thresholds:", ", ".join(f"{kind} {step}" for kind, step in thresholds.items()))
    print(*_told(f"folds by source, {_DEALS} deals", texts, deals, thresholds), sep="\n")
    if len({text.family for text in texts}) > 1:
        families = _folded(texts, lambda text: text.family)
        print(*_told("folds by family of model", texts, [families], thresholds), sep="\n")
    print(
        *_told("on what the weights were made from", texts, [[_odds(t, weights) for t in texts]], thresholds), sep="\n"
    )
    given.out.write_text(json.dumps(_file(weights, thresholds), indent=2) + "\n", encoding="utf-8")
    return 0


def _file(weights: Weights, thresholds: dict[str, float]) -> dict[str, Any]:
    """The weights as they are written; kinds that no text has are as the last one."""
    highest = max(thresholds.values())
    last = list(thresholds.values())[-1]
    return {
        "trained_on": "RAGTruth (MIT): segments of answers, unfounded where a labelled span lies in them",
        "command": "python -m imprimatur.evals.passage_weights FOLDER --out FILE",
        "base": round(weights.base, 4),
        "each": {name: round(weight, 4) for name, weight in weights.each.items()},
        "strayed": _STRAYED,
        "calm": _CALM,
        "threshold": highest,
        "sooner": {kind: round(highest - thresholds.get(kind, last), 1) for kind in KINDS},
    }


if __name__ == "__main__":
    sys.exit(main())
