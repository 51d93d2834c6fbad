"""Repeated runs against values worked out by hand and printed by scipy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.repeated import Repeated, student

_runs = st.integers(1, 5).flatmap(
    lambda length: st.lists(
        st.lists(st.sampled_from((0.0, 0.5, 1.0)), min_size=length, max_size=length).map(tuple), min_size=1, max_size=5
    )
)


def test_points_of_students_t() -> None:
    """As ``scipy.stats.t.ppf(0.975, [1, 2, 3, 4, 9, 30])`` of scipy 1.17 prints them."""
    expected = [12.70620474, 4.30265273, 3.18244631, 2.77644511, 2.26215716, 2.04227246]
    assert [student(freedom) for freedom in (1, 2, 3, 4, 9, 30)] == pytest.approx(expected, abs=1e-7)


def test_five_runs() -> None:
    """Mean, standard deviation and ``stats.t.interval(0.95, 4, loc=mean, scale=stats.sem(runs))`` of scipy 1.17."""
    found = Repeated(((0.81,), (0.84,), (0.79,), (0.88,), (0.83,)))
    assert found.mean == pytest.approx(0.83)
    assert found.sd == pytest.approx(0.03391164991562632)
    assert found.interval == pytest.approx((0.7878931251800769, 0.8721068748199228))
    assert found.figure().value == found.mean


def test_where_the_spread_lies() -> None:
    """Two runs of four questions, means .75 and .25: one question steady and right, one steady and wrong, two turn."""
    found = Repeated(((1.0, 1.0, 1.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    assert found.means == (0.75, 0.25)
    assert found.between == pytest.approx(0.125)
    assert found.within == pytest.approx(0.25)
    assert found.unsteady == pytest.approx((0 + 0.5 + 0.5 + 0) / 4)


def test_one_run_tells_no_spread() -> None:
    """As in the paper: a mean, and no interval; no run tells nothing, and runs of other questions are refused."""
    found = Repeated(((1.0, 0.0),))
    assert (found.mean, found.sd, found.interval, found.between, found.unsteady) == (0.5, None, None, None, None)
    assert found.figure().low is None
    assert Repeated(()).mean is None
    assert Repeated(((), ())).mean is None
    with pytest.raises(ValueError, match="same questions"):
        Repeated(((1.0,), (1.0, 0.0)))


@given(_runs)
def test_the_order_of_runs_changes_nothing(runs: list[tuple[float, ...]]) -> None:
    """And an interval holds its mean."""
    found, turned = Repeated(tuple(runs)), Repeated(tuple(runs[::-1]))
    assert (found.mean, found.between, found.within) == (turned.mean, turned.between, turned.within)
    if found.interval is not None and found.mean is not None:
        assert found.interval[0] <= found.mean <= found.interval[1]
