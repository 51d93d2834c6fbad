"""Intervals against published and printed values, and against what every interval must hold."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.intervals import How, bootstrap, difference, exact, figure_of, paired_difference
from imprimatur.evals.metrics import Share, wilson

_counts = st.integers(0, 400).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))
_SKEWED: list[float] = [1, 1, 0, 2, 5, 9, 1, 0, 3, 14, 2, 2, 7, 1, 0, 4, 1, 1, 22, 3]


def _mean(rows: Sequence[float]) -> float | None:
    return sum(rows) / len(rows) if rows else None


@pytest.mark.parametrize(
    ("share", "beta", "score"),
    [
        (Share(7, 20), (0.15390920478454118, 0.5921885345328282), (0.18119182410108203, 0.5671457233147638)),
        (Share(0, 15), (0.0, 0.21801936091053403), (0.0, 0.20388330103584867)),
        (Share(499, 500), (0.9889075231010312, 0.9999493656659926), (0.9887592932948532, 0.9996468636054407)),
    ],
)
def test_intervals_of_shares(share: Share, beta: tuple[float, float], score: tuple[float, float]) -> None:
    """As statsmodels 0.15 prints them: ``proportion_confint(count, total, method="beta")`` and ``"wilson"``."""
    assert exact(share) == pytest.approx(beta, abs=1e-9)
    assert wilson(share.count, share.total) == pytest.approx(score, abs=1e-12)


def test_differences_of_independent_shares() -> None:
    """56 of 70 and 48 of 80, and 9 and 3 of 10, as Newcombe 1998 prints them for method 10, to four places."""
    assert difference(Share(56, 70), Share(48, 80)) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert difference(Share(9, 10), Share(3, 10)) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert difference(Share(0, 0), Share(1, 2)) is None


def test_differences_of_paired_shares() -> None:
    """36, 12, 2 and 0, as Newcombe 1998 prints them for the paired method 10; twins without margins are apart alike.

    Where the two hang together, phi is corrected for continuity: 20 · 12 − 6 · 2 less half of the 40 rows, by hand.
    """
    assert paired_difference(36, 12, 2, 0) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    assert paired_difference(20, 6, 2, 12) == pytest.approx((-0.042030, 0.234839), abs=1e-6)
    assert paired_difference(0, 0, 0, 0) is None
    low, high = paired_difference(54, 0, 0, 0) or (1.0, -1.0)
    assert low == pytest.approx(-high)


@given(_counts, _counts)
def test_intervals_of_shares_hold_them_and_turn_with_them(one: tuple[int, int], other: tuple[int, int]) -> None:
    """Exact intervals hold their share, are wider than none, and mirror; differences change sign with their sides."""
    share = Share(*one)
    low, high = exact(share)
    assert 0 <= low <= high <= 1
    assert exact(Share(share.total - share.count, share.total)) == pytest.approx((1 - high, 1 - low))
    there, back = difference(share, Share(*other)), difference(Share(*other), share)
    if there is None or back is None:
        assert not share.total or not other[1]
        return
    gap = share.count / share.total - other[0] / other[1]
    assert low - 1e-9 <= share.count / share.total <= high + 1e-9
    assert there[0] - 1e-9 <= gap <= there[1] + 1e-9
    assert there == pytest.approx((-back[1], -back[0]))


@given(st.tuples(*[st.integers(0, 60)] * 4))
def test_paired_differences_hold_them_and_turn_with_them(cells: tuple[int, int, int, int]) -> None:
    """Both ends lie within -1 and 1, around the difference, and change sides with the conditions."""
    both, first, second, neither = cells
    found, turned = paired_difference(*cells), paired_difference(both, second, first, neither)
    if found is None or turned is None:
        assert not sum(cells)
        return
    assert -1 - 1e-9 <= found[0] <= (first - second) / sum(cells) + 1e-9
    assert (first - second) / sum(cells) - 1e-9 <= found[1] <= 1 + 1e-9
    assert found == pytest.approx((-turned[1], -turned[0]))


def test_the_bootstrap_of_a_skewed_mean() -> None:
    """Near what ``scipy.stats.bootstrap`` 1.17 prints after 100,000 draws: 1.9 to 6.55, and 2.25 to 7.5 for BCa."""
    plain = bootstrap(_SKEWED, _mean, draws=20_000)
    assert plain == pytest.approx((1.9, 6.55), abs=0.15)
    corrected = bootstrap(_SKEWED, _mean, how=How.BCA, draws=20_000)
    assert corrected == pytest.approx((2.25, 7.5), abs=0.25)
    assert bootstrap(_SKEWED, _mean, draws=20_000) == plain


def test_rows_of_one_group_stand_or_fall_together() -> None:
    """Ten copies of each row tell no more than the row: grouped, the interval stays as wide."""
    rows = [(name, value) for name, value in enumerate(_SKEWED) for _ in range(10)]

    def mean(drawn: Sequence[tuple[int, float]]) -> float | None:
        return _mean([value for _, value in drawn])

    alone = bootstrap(_SKEWED, _mean)
    assert bootstrap(rows, mean, group=lambda row: row[0]) == alone
    apart = bootstrap(rows, mean)
    assert alone is not None
    assert apart is not None
    assert apart[1] - apart[0] < (alone[1] - alone[0]) / 2


def test_an_interval_that_cannot_be_had_is_none() -> None:
    """One group alone, no figure, or one that most draws lack."""
    assert bootstrap([1.0], _mean) is None
    assert bootstrap([1, 2, 3], lambda rows: None) is None
    assert bootstrap([1, 2, 3], lambda rows: 1.0 if len(set(rows)) == 3 else None) is None
    assert figure_of([], _mean).value is None


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=12), st.sampled_from(How), st.integers(0, 3))
def test_drawn_intervals_hold_their_figure(rows: list[int], how: How, seed: int) -> None:
    """Of any rows and seed, and a figure that is not smooth; the figure of a table takes it."""

    def highest(drawn: Sequence[int]) -> float | None:
        return float(max(drawn))

    low, high = bootstrap(rows, highest, how=how, draws=50, seed=seed) or (1.0, 0.0)
    assert low <= max(rows) <= high
    assert figure_of(rows, highest, how=how, seed=seed).value == max(rows)
