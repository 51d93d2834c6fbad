"""The layout of a sentence: remembered with its parse, the same as one made afresh, and bounded."""

from __future__ import annotations

import pytest
from parsing import clauses_of, fresh, items

from imprimatur.extract.grammar import MOST_KEPT, parse
from imprimatur.extract.keys import keys
from imprimatur.extract.layout import layout

SENTENCES = (
    "S is the source of O.",
    "O, which S feeds, is 40 m long.",
    "S feeds B, C and D, and O is the river that crosses E.",
    "The length of S is 40 m.",
    "Source: S",
    "The river that crosses S",
)


def test_one_skeleton_has_one_layout() -> None:
    """Sentences that differ in numbers alone share it; another wording has its own."""
    first = layout(fresh(items("S is 40 m long.")))
    assert layout(parse(items("S is 5 km long."))) is first
    assert layout(parse(items("S is 40 m wide."))) is not first


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_is_remembered_is_what_is_made(sentence: str) -> None:
    """The second time gives the layout and the keys of the first."""
    parsed = fresh(items(sentence))
    assert layout(parsed) == layout.__wrapped__(parsed)
    for clause in clauses_of(sentence)[1]:
        assert keys(clause) == keys(clause) == keys.__wrapped__(clause)


def test_places() -> None:
    """Subjects stand at the top of their clauses, members in lists."""
    places = layout(fresh(items("S feeds B and C."))).places
    assert places.subjects == {0}
    assert places.members == {2, 3, 4}


def test_little_is_remembered() -> None:
    """The tables have a bound: a long text does not fill the memory."""
    assert layout.cache_info().maxsize == MOST_KEPT
    assert keys.cache_info().maxsize is not None
