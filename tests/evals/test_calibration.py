"""Calibration against values worked out by hand and printed by scikit-learn."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.calibration import Binning, brier, calibration_error, reliability
from imprimatur.evals.metrics import Share

_GOLD = (1, 1, 1, 0, 1, 0, 0, 1, 0, 0)
_SCORE = (0.9, 0.8, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.3, 0.1)
_ROWS = [(bool(gold), score) for gold, score in zip(_GOLD, _SCORE, strict=True)]
_rows = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=30)


def test_the_reliability_table() -> None:
    """As ``sklearn.calibration.calibration_curve(gold, score, n_bins=5)`` of scikit-learn 1.9 has it."""
    table = reliability(_ROWS, bins=5)
    assert [each.right for each in table] == [Share(0, 1), Share(1, 3), Share(1, 2), Share(2, 3), Share(1, 1)]
    assert [each.sure for each in table] == pytest.approx([0.1, 0.36666667, 0.55, 0.73333333, 0.9])
    assert [(each.low, each.high) for each in table][1:3] == [(0.3, 0.4), (0.5, 0.6)]


def test_bins_of_equal_mass() -> None:
    """Two rows in each of five bins; rows of one sureness stay together, however many they are."""
    table = reliability(_ROWS, bins=5, by=Binning.MASS)
    assert [each.right for each in table] == [Share(0, 2), Share(1, 2), Share(1, 2), Share(1, 2), Share(2, 2)]
    level = reliability([(True, 0.5)] * 7 + [(False, 0.9)], bins=4, by=Binning.MASS)
    assert [each.right for each in level] == [Share(7, 7), Share(0, 1)]


def test_the_calibration_error_and_the_brier_score() -> None:
    """Gaps by hand; ``sklearn.metrics.brier_score_loss(gold, score)`` of scikit-learn 1.9 is 0.166."""
    assert calibration_error(_ROWS, bins=5) == pytest.approx((0.1 + 0.1 + 0.1 + 0.2 + 0.1) / 10)
    assert calibration_error(_ROWS, bins=5, by=Binning.MASS) == pytest.approx((0.2 + 0.1 + 0.05 + 0.2 + 0.15) / 5)
    assert brier(_ROWS) == pytest.approx(0.166)


def test_figures_of_nothing_are_none() -> None:
    """No row has no error; a sureness that is none, and no bin, are refused."""
    assert (calibration_error([]), brier([]), reliability([])) == (None, None, ())
    for rows, bins in (([(True, 1.5)], 10), ([(True, float("nan"))], 10), ([(True, 0.5)], 0)):
        with pytest.raises(ValueError, match="between 0 and 1"):
            reliability(rows, bins=bins)


@given(_rows, st.integers(1, 12), st.sampled_from(Binning), st.randoms(use_true_random=False))
def test_bins_part_the_rows(rows: list[tuple[bool, float]], bins: int, by: Binning, chance: Random) -> None:
    """Every row is in one bin, bins do not overlap, and the order of the rows changes nothing."""
    table = reliability(rows, bins=bins, by=by)
    assert sum(each.right.total for each in table) == len(rows)
    assert all(one.high < other.low for one, other in pairwise(table))
    assert all(each.low <= each.sure <= each.high for each in table)
    assert len(table) <= bins
    error = calibration_error(rows, bins=bins, by=by)
    assert error is None or 0 <= error <= 1
    chance.shuffle(rows)
    assert [each.right for each in reliability(rows, bins=bins, by=by)] == [each.right for each in table]
