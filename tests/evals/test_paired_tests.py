"""Tests between two conditions against printed values, and against what every such test must hold."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.paired import compared, differing, holm, mcnemar, permuted
from imprimatur.evals.scores import Counts

_pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9)


def _mean(rows: Sequence[float]) -> float | None:
    return sum(rows) / len(rows) if rows else None


def test_mcnemar_is_exact() -> None:
    """As statsmodels 0.15 prints it: ``mcnemar([[0, a], [b, 0]], exact=True).pvalue``; 1 where none differ."""
    found = [mcnemar(*cells) for cells in ((12, 2), (0, 6), (5, 5), (130, 90), (0, 0))]
    assert found == pytest.approx([0.012939453125, 0.03125, 1.0, 0.008405451752681935, 1.0], rel=1e-12)
    assert 0 < mcnemar(0, 20_000) < 1e-300


def test_two_conditions_are_compared() -> None:
    """Newcombe's example: 36 right in both, 12 and 2 in one alone; 24 points apart would be wrong, 20 are right."""
    pairs = [(True, True)] * 36 + [(True, False)] * 12 + [(False, True)] * 2
    found = compared(pairs)
    assert (found.both, found.first, found.second, found.neither, found.total) == (36, 12, 2, 0, 50)
    assert found.difference == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    assert found.p == mcnemar(12, 2)
    nothing = compared([])
    assert (nothing.difference, nothing.low, nothing.p) == (None, None, 1.0)


def test_the_permutation_test_of_means() -> None:
    """As ``scipy.stats.permutation_test`` 1.17 gives it over all exchanges of pairs: 14 of 256."""
    first = [3.1, 2.2, 5.0, 4.1, 2.8, 3.9, 4.4, 1.2]
    second = [2.0, 2.5, 3.9, 4.0, 1.1, 3.0, 4.6, 0.2]
    assert permuted(list(zip(first, second, strict=True)), _mean) == pytest.approx(0.0546875)


@given(_pairs)
def test_on_right_and_wrong_it_is_mcnemars(pairs: list[tuple[bool, bool]]) -> None:
    """Exchanging twins is tossing a coin for each question that only one condition got right."""
    found = compared(pairs)
    assert permuted(pairs, _mean) == pytest.approx(found.p)
    turned = [(other, one) for one, other in pairs]
    assert permuted(turned, _mean) == pytest.approx(found.p)
    assert compared(turned).p == found.p
    assert permuted(pairs[::-1], _mean) == pytest.approx(found.p)


def test_many_rows_are_drawn_and_never_give_nothing() -> None:
    """Forty rows that all differ in one direction: the least value that so many draws can give, and the same again."""
    pairs = [(1.0, 0.0)] * 40
    assert permuted(pairs, _mean, draws=999) == pytest.approx(1 / 1000)
    mixed = [(1.0, 0.0)] * 30 + [(0.0, 1.0)] * 14
    found = permuted(mixed, _mean, draws=4000)
    assert found == pytest.approx(mcnemar(30, 14), abs=0.01)
    assert permuted(mixed, _mean, draws=4000) == found


def test_any_figure_can_be_compared() -> None:
    """F1 of (gold, flagged) rows: the interval of the difference holds it, and a figure of nothing has no test."""

    def f1(rows: Sequence[tuple[bool, bool]]) -> float | None:
        return Counts.of(rows).f1

    rows = [((n % 2 == 0, n % 2 == 0), (n % 2 == 0, n % 3 == 0)) for n in range(60)]
    low, high = differing(rows, f1) or (1.0, -1.0)
    gap = 1.0 - (f1([other for _, other in rows]) or 0.0)
    assert 0 < low <= gap <= high
    assert (permuted(rows, f1) or 1.0) < 0.05
    assert permuted([((False, False), (False, False))], f1) is None
    assert differing([((False, False), (False, False))] * 3, f1) is None


def test_several_comparisons_are_corrected() -> None:
    """As statsmodels 0.15 prints it: ``multipletests([.01, .04, .03, .005], method="holm")[1]``."""
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert list(found) == ["a", "b", "c", "d"]
    assert list(found.values()) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm({}) == {}


@given(st.dictionaries(st.text(max_size=3), st.floats(1e-9, 1), max_size=6))
def test_corrected_values_are_never_smaller(values: dict[str, float]) -> None:
    """They keep the order of what they correct, and are 1 at most."""
    found = holm(values)
    assert all(values[name] <= found[name] <= 1 for name in values)
    ordered = sorted(values, key=lambda name: values[name])
    assert [found[name] for name in ordered] == sorted(found.values())
