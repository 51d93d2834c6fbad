"""Figures for judges, against tables worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.scores import (
    Counts,
    auroc,
    average_precision,
    balanced,
    best_threshold,
    covered,
    exact_spans,
    interval,
    macro_f1,
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


#: Ten rows, with ties within a class and across.
_GOLD = (1, 1, 1, 0, 1, 0, 0, 1, 0, 0)
_SCORE = (0.9, 0.8, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.3, 0.1)


def test_figures_are_those_of_scikit_learn() -> None:
    """As ``roc_auc_score``, ``average_precision_score`` and, from 0.5 up, the others of scikit-learn 1.9 print them."""
    scored = [(bool(gold), score) for gold, score in zip(_GOLD, _SCORE, strict=True)]
    assert auroc(scored) == pytest.approx(0.84)
    assert average_precision(scored) == pytest.approx(0.835)
    table = Counts.of((gold, score >= 0.5) for gold, score in scored)
    assert table.mcc == pytest.approx(0.408248290463863)
    assert (table.balanced, table.f1, table.accuracy) == pytest.approx((0.7, 0.7272727272727273, 0.7))
    classes = list(zip("EECCUUECUE", "ECCCUEEUUE", strict=True))
    assert macro_f1(classes) == pytest.approx(0.6944444444444443)
    assert balanced(classes) == pytest.approx(0.6944444444444443)


def test_more_figures_of_nothing_are_none() -> None:
    """No positive has no precision at a recall; a row or column without any has no correlation."""
    assert (average_precision([(False, 0.5)]), macro_f1([])) == (None, None)
    assert (Counts().accuracy, Counts(hit=3, missed=1).mcc, Counts(hit=1, false=2).mcc) == (None, None, None)
    assert Counts(hit=2, passed=3).mcc == 1.0
    assert Counts(false=2, missed=3).mcc == -1.0


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5).map(float)), max_size=20))
def test_average_precision_does_not_hang_on_the_order(pairs: list[tuple[bool, float]]) -> None:
    """Rows of one score are flagged together, so that their order cannot help; a perfect order has 1."""
    assert average_precision(pairs) == average_precision(sorted(pairs))
    if any(gold for gold, _ in pairs):
        assert average_precision([(gold, float(gold)) for gold, _ in pairs]) == 1.0


def test_whole_spans_need_both_ends() -> None:
    """One hit, one with a wrong end that is both false and missed, one more missed; twice the same is one."""
    table = exact_spans([(0, 3), (5, 9), (12, 14)], [(0, 3), (0, 3), (5, 8)])
    assert table == Counts(hit=1, false=1, missed=2)
    assert exact_spans([], []).f1 is None
