"""Metrics, intervals and tests beside scikit-learn, scipy and statsmodels on made rows, where these are installed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from imprimatur.evals.calibration import brier, reliability
from imprimatur.evals.intervals import difference, exact
from imprimatur.evals.metrics import Share, wilson
from imprimatur.evals.paired import holm, mcnemar, permuted
from imprimatur.evals.repeated import student
from imprimatur.evals.scores import Counts, auroc, average_precision, balanced, macro_f1

_SEEDS = range(20)


def _made(seed: int) -> list[tuple[bool, float]]:
    """Rows of both classes with many ties."""
    chance = Random(seed)
    rows = [(chance.random() < 0.4, round(chance.random(), 1)) for _ in range(chance.randint(5, 60))]
    return [(True, 0.5), (False, 0.5), (True, 0.9), (False, 0.1), *rows]


@pytest.mark.parametrize("seed", _SEEDS)
def test_scores_beside_scikit_learn(seed: int) -> None:
    """AUROC, average precision, F1, MCC, balanced accuracy, macro F1 and Brier score of random rows."""
    metrics: Any = pytest.importorskip("sklearn.metrics")
    rows = _made(seed)
    gold, score = [each for each, _ in rows], [each for _, each in rows]
    flagged = [each >= 0.5 for each in score]
    table = Counts.of(zip(gold, flagged, strict=True))
    assert auroc(rows) == pytest.approx(metrics.roc_auc_score(gold, score))
    assert average_precision(rows) == pytest.approx(metrics.average_precision_score(gold, score))
    assert table.f1 == pytest.approx(metrics.f1_score(gold, flagged))
    assert table.mcc == pytest.approx(metrics.matthews_corrcoef(gold, flagged))
    assert table.balanced == pytest.approx(metrics.balanced_accuracy_score(gold, flagged))
    assert brier(rows) == pytest.approx(metrics.brier_score_loss(gold, score))
    chance = Random(seed)
    said = [(each, chance.choice("ECU")) for each in chance.choices("ECU", k=40)]
    right, predicted = [each for each, _ in said], [each for _, each in said]
    assert macro_f1(said) == pytest.approx(metrics.f1_score(right, predicted, average="macro"))
    assert balanced(said) == pytest.approx(metrics.balanced_accuracy_score(right, predicted))


@pytest.mark.parametrize("seed", _SEEDS)
def test_reliability_beside_scikit_learn(seed: int) -> None:
    """The bins of equal width of random rows."""
    calibration: Any = pytest.importorskip("sklearn.calibration")
    chance = Random(seed)
    rows = [(chance.random() < 0.5, chance.random()) for _ in range(50)] + [(True, 0.9), (False, 0.2)]
    right, sure = calibration.calibration_curve([each for each, _ in rows], [each for _, each in rows], n_bins=7)
    table = reliability(rows, bins=7)
    assert [each.right.count / each.right.total for each in table] == pytest.approx(list(right))
    assert [each.sure for each in table] == pytest.approx(list(sure))


@pytest.mark.parametrize("seed", _SEEDS)
def test_intervals_beside_statsmodels(seed: int) -> None:
    """Wilson's, Clopper and Pearson's and Newcombe's intervals, McNemar's test and Holm's correction."""
    proportion: Any = pytest.importorskip("statsmodels.stats.proportion")
    tables: Any = pytest.importorskip("statsmodels.stats.contingency_tables")
    several: Any = pytest.importorskip("statsmodels.stats.multitest")
    chance = Random(seed)
    total, other = chance.randint(1, 300), chance.randint(1, 300)
    count, fewer = chance.randint(0, total), chance.randint(0, other)
    assert wilson(count, total) == pytest.approx(proportion.proportion_confint(count, total, method="wilson"))
    beta = proportion.proportion_confint(count, total, method="beta")
    assert exact(Share(count, total)) == pytest.approx(beta, abs=1e-9)
    newcombe = proportion.confint_proportions_2indep(count, total, fewer, other, method="newcomb")
    assert difference(Share(count, total), Share(fewer, other)) == pytest.approx(newcombe, abs=1e-9)
    assert mcnemar(count, fewer) == pytest.approx(tables.mcnemar([[0, count], [fewer, 0]], exact=True).pvalue)
    values = [chance.random() ** 3 for _ in range(6)]
    corrected = several.multipletests(values, method="holm")[1]
    assert list(holm(dict(zip("abcdef", values, strict=True))).values()) == pytest.approx(list(corrected))


@pytest.mark.parametrize("seed", range(4))
def test_tests_beside_scipy(seed: int) -> None:
    """Student's t, and the permutation test over all exchanges of random pairs."""
    stats: Any = pytest.importorskip("scipy.stats")
    freedom = seed * 7 + 1
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom))
    assert student(freedom, 0.95) == pytest.approx(stats.t.ppf(0.95, freedom))
    chance = Random(seed)
    first, second = [chance.random() for _ in range(9)], [chance.random() - 0.2 for _ in range(9)]

    def gap(one: Any, two: Any, axis: int) -> Any:
        return (one - two).mean(axis=axis)

    tried = stats.permutation_test(
        (first, second), gap, permutation_type="samples", vectorized=True, n_resamples=float("inf")
    )
    found = permuted(list(zip(first, second, strict=True)), lambda rows: sum(rows) / len(rows))
    assert found == pytest.approx(tried.pvalue)
