"""Exact match and F1 against tables that were worked out by hand from SQuAD's definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.answer_scores import exact, f1, normal

#: What is said, what is right, exact match, and F1 as twice the shared words over all words of both.
TABLE = [
    ("Ohio River", ("Ohio River",), True, 1.0),
    ("the Ohio River.", ("Ohio River",), True, 1.0),
    ("THE OHIO   RIVER", ("an Ohio river",), True, 1.0),
    ("Ohio", ("Ohio River",), False, 2 * 1 / 3),
    ("the river Ohio", ("Ohio River",), False, 1.0),
    ("It is the Ohio River", ("Ohio River",), False, 2 * 2 / 6),
    ("Ohio, Mississippi", ("Ohio",), False, 2 * 1 / 3),
    ("Danube", ("Ohio River", "Rhine"), False, 0.0),
    ("Rhine", ("Ohio River", "the Rhine"), True, 1.0),
    ("Rhine River", ("Ohio River", "the Rhine"), False, 2 * 1 / 3),
    ("", ("Ohio River",), False, 0.0),
    ("the", ("Ohio River",), False, 0.0),
    ("Ohio River", (), False, 0.0),
    ("the", ("a",), True, 1.0),
    ("well-known", ("wellknown",), True, 1.0),
    ("U.S.A.", ("USA",), True, 1.0),
    ("1,234", ("1234",), True, 1.0),
    ("12 March 1950", ("March 12, 1950",), False, 1.0),
    ("to be or not to be", ("to be",), False, 2 * 2 / 8),
    ("be be", ("be be be",), False, 2 * 2 / 5),
    ("Café", ("Cafe",), False, 0.0),
    ("theatre", ("atre",), False, 0.0),
    ("A1 road", ("a 1 road",), False, 2 * 1 / 4),
]


@pytest.mark.parametrize(("said", "right", "is_exact", "share"), TABLE)
def test_as_worked_out_by_hand(said: str, right: tuple[str, ...], is_exact: bool, share: float) -> None:
    """Each row of the table, to the last digit that a float has."""
    assert exact(said, right) is is_exact
    assert f1(said, right) == pytest.approx(share, abs=1e-12)


def test_what_is_left_of_a_text() -> None:
    """Small letters, no ASCII punctuation, no articles, one space; in this order, so that "a." is an article."""
    assert normal('  The "Lord"  of\tthe Rings, a. film! ') == "lord of rings film"
    assert normal("“Quoted” – as it is") == "“quoted” – as it is"
    assert normal("") == normal("the a an") == ""


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=4))
def test_bounds(said: str, right: list[str]) -> None:
    """F1 is from 0 to 1, is 1 where the match is exact, and no less with more right answers."""
    share = f1(said, right)
    assert 0.0 <= share <= 1.0
    assert share == 1.0 or not exact(said, right)
    assert f1(said, [*right, said]) == 1.0
