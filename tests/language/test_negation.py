"""Negators: golden sentences and invariants."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.language import negation
from imprimatur.language.negation import NegationKind
from imprimatur.language.tokens import tokenise

GOLDEN = Path(__file__).parents[1] / "golden" / "negation" / "find.tsv"
ROWS = [line.split("\t") for line in GOLDEN.read_text("utf-8").splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_find(text: str, expected: str) -> None:
    """Negators are found with their words and kind; lookalikes are not."""
    tokens = [token.lower for token in tokenise(text)]
    found = [f"{' '.join(tokens[each.start : each.end])} = {each.kind}" for each in negation.find(tokens)]
    assert (" ; ".join(found) or "-") == expected


@pytest.mark.parametrize("word", ["isn't", "aren’t", "can't", "won’t", "cannot", "didn't"])
def test_unsplit_contractions(word: str) -> None:
    """A contraction that was not split is one clause negator."""
    assert [each.kind for each in negation.find(["it", word, "flow"])] == [NegationKind.CLAUSE]


def test_additive() -> None:
    """ "Not only" is reported as additive and never as a negator."""
    tokens = ["it", "is", "not", "only", "long", "but", "deep"]
    assert negation.additive(tokens) == ((2, 4),)
    assert negation.find(tokens) == ()


@given(
    st.lists(st.sampled_from(["not", "no", "longer", "than", "only", "neither", "x", ",", "to", "fail", "that", "n't"]))
)
def test_ranges_are_ordered(tokens: list[str]) -> None:
    """Whatever the words, ranges lie within them, in order, without overlap."""
    end = 0
    for each in negation.find(tokens):
        assert end <= each.start < each.end <= len(tokens)
        end = each.end
