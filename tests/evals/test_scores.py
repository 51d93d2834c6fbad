"""Figures for judges, against tables worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.scores import (
    Counts,
    auroc,
    balanced,
    best_threshold,
    covered,
    interval,
    recalls,
    span_counts,
)


def test_counts_give_the_figures_of_their_table() -> None:
    """Three hits, one false alarm, two misses and four passed, in either order of counting."""
    pairs = [(True, True)] * 3 + [(False, True)] + [(True, False)] * 2 + [(False, False)] * 4
    table = Counts.of(pairs)
    assert table == Counts(hit=3, false=1, missed=2, passed=4)
    assert (table.precision, table.recall) == (0.75, 0.6)
    assert table.f1 == pytest.approx(6 / 9)
    assert table.balanced == pytest.approx((0.6 + 0.8) / 2)
    assert Counts.of(pairs[:4]) + Counts.of(pairs[4:]) == table


def test_figures_of_nothing_are_none() -> None:
    """No positive, no negative, nothing flagged: None, never 0 or 1."""
    empty = Counts()
    assert (empty.precision, empty.recall, empty.f1, empty.balanced) == (None, None, None, None)
    assert auroc([(True, 1.0)]) is None
    assert balanced([]) is None
    assert interval([1, 2], group=lambda row: row, figure=lambda rows: None) is None


def test_auroc_counts_ties_half() -> None:
    """Positives 3 and 1 against negatives 2 and 1: above in two of four pairs, level in one."""
    assert auroc([(True, 3.0), (True, 1.0), (False, 2.0), (False, 1.0)]) == pytest.approx(2.5 / 4)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5).map(float)), min_size=2, max_size=30))
def test_auroc_equals_the_count_of_pairs(pairs: list[tuple[bool, float]]) -> None:
    """The sorted computation and the definition agree."""
    high = [score for gold, score in pairs if gold]
    low = [score for gold, score in pairs if not gold]
    if not high or not low:
        assert auroc(pairs) is None
        return
    above = sum((a > b) + 0.5 * (a == b) for a in high for b in low)
    assert auroc(pairs) == pytest.approx(above / (len(high) * len(low)))


def test_the_best_threshold_flags_all_of_one_score_together() -> None:
    """At 0.5 both texts of that score are flagged, so that no better F1 is made up within a tie."""
    threshold, table = best_threshold([(True, 0.9), (True, 0.5), (False, 0.5), (False, 0.1)])
    assert threshold == 0.5
    assert table == Counts(hit=2, false=1, missed=0, passed=1)


def test_classes_are_counted_one_against_the_rest() -> None:
    """A predicted class that the set does not have lowers the recall of the gold class and has none itself."""
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "c")]
    tables = recalls(pairs)
    assert tables["a"] == Counts(hit=1, false=0, missed=1, passed=2)
    assert tables["b"] == Counts(hit=1, false=1, missed=1, passed=1)
    assert tables["c"].recall is None
    assert balanced(pairs) == pytest.approx(0.5)


def test_spans_are_counted_in_characters() -> None:
    """Overlapping gold spans count once; the table adds up to the text's length."""
    assert covered([(0, 4), (2, 6), (9, 10)]) == 7
    table = span_counts([(0, 4), (2, 6)], [(4, 8)], 10)
    assert table == Counts(hit=2, false=2, missed=4, passed=2)


def test_intervals_are_drawn_over_groups_and_are_the_same_each_time() -> None:
    """A figure that is the same in every group has no width; one that differs between groups has some."""
    rows = [("a", 1.0)] * 5 + [("b", 0.0)] * 5

    def mean(some: object) -> float:
        listed = list(some)  # type: ignore[call-overload]
        return float(sum(value for _, value in listed) / len(listed))

    found = interval(rows, group=lambda row: row[0], figure=mean)
    assert found == interval(rows, group=lambda row: row[0], figure=mean)
    assert found == (0.0, 1.0)
    assert interval(rows[:5], group=lambda row: row[0], figure=mean) == (1.0, 1.0)
