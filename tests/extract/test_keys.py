"""Clauses in their normal form: rows of sentences with the key that links their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsing import clauses_of, denied, items, keys_of, named

from imprimatur.extract.keys import keys

GOLDEN = Path(__file__).parents[1] / "golden" / "grammar" / "keys.tsv"


def rows() -> Iterator[tuple[str, str, str, bool]]:
    """Sentence, key, names in its holes, and whether it is denied."""
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            sentence, key, holes, *denial = line.split("\t")
            yield sentence, key, holes, bool(denial)


@pytest.mark.parametrize(("sentence", "key", "holes", "denial"), list(rows()))
def test_rows(sentence: str, key: str, holes: str, denial: bool) -> None:
    """Each sentence has its key with its names, denied or not; where there is none, no key links two names."""
    found = [(k.key, named(k), denied(clause)) for clause, k in keys_of(sentence)]
    if key == "-":
        assert not [each for each in found if len(each[1].split()) > 1]
    else:
        assert (key, holes, denial) in found
        assert (key, holes, not denial) not in found


def test_there_are_enough_rows() -> None:
    """The golden file does not shrink unseen."""
    assert len(list(rows())) >= 125


@pytest.mark.parametrize(("sentence", "key", "holes", "denial"), list(rows()))
def test_keys_use_items_of_their_clause(sentence: str, key: str, holes: str, denial: bool) -> None:
    """A key accounts for items of the sentence only, and links two phrases at most."""
    count = len(items(sentence))
    for _, keyed in keys_of(sentence):
        assert keyed.items <= set(range(count))
        assert 0 < len(keyed.holes) <= 2


_WORDS = "S O the a of in by which that is was feeds fed not source river long 40 m and , ( ) 's has".split()


@given(st.lists(st.sampled_from(_WORDS), max_size=14))
@settings(max_examples=80, deadline=None)
def test_any_words_can_be_read(words: list[str]) -> None:
    """No order of words makes the grammar fail, and every clause keeps to the items there are."""
    sentence = " ".join(words)
    _, clauses = clauses_of(sentence)
    for clause in clauses:
        assert clause.items <= set(range(len(items(sentence))))
        assert all(keyed.key for keyed in keys(clause))
