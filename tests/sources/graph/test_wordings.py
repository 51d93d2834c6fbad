"""The wordings of properties: which sentences a label allows, and which it must not."""

from __future__ import annotations

import pytest

from imprimatur.extract.wording import WordingKey, wording_keys
from imprimatur.sources.graph.own_words import chain_of, own_keys


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("source", "the source of S is O"),
        ("source", "S has O as its source"),
        ("crosses", "S crosses O"),
        ("crosses", "O is crossed by S"),
        ("flows into", "S flows into O"),
        ("designed by", "S was designed by O"),
        ("designed by", "O designed S"),
        ("was designed by", "O designed S"),
        ("is located in", "S is located in O"),
        ("tributary of", "S is a tributary of O"),
        ("has author", "S has author O"),
        ("is long", "S is O long"),
        ("number of arches", "the number of arches of S is O"),
        ("born in", "S was born in O"),
        ("part of", "S is part of O"),
        ("influenced by", "O influenced S"),
    ],
)
def test_a_label_allows(label: str, sentence: str) -> None:
    """A label gives the keys of the sentences that say it."""
    wanted = set(wording_keys(sentence))
    assert wanted
    assert wanted & own_keys(label)


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("crosses", "O crosses S"),
        ("designed by", "S designed O"),
        ("influenced by", "S influenced O"),
        ("flows into", "S flows from O"),
        ("flows into", "O flows into S"),
        ("source", "the mouth of S is O"),
        ("source", "the source of O is S"),
        ("tributary of", "O is a tributary of S"),
        ("upper house", "the house of S is O"),
        ("number of arches", "the number of S is O"),
        ("born in", "S died in O"),
    ],
)
def test_a_label_does_not_allow(label: str, sentence: str) -> None:
    """The other direction, another verb, another preposition or fewer words say something else."""
    assert not set(wording_keys(sentence)) & own_keys(label)


@pytest.mark.parametrize(
    "label",
    [
        *(
            "",
            " ",
            "of",
            "the",
            "is",
            "has",
            "in",
            "()",
            "'; DROP TABLE",
            "} UNION {",
            "<b>x</b>",
            "a" * 10_000,
            "x " * 50,
        ),
        *("\n", "\x00", "🙂", "is of", "S", "O", "S O", "*", "|", "=<*", "and", "not", "what is", "be"),
    ],
)
def test_odd_labels_say_nothing_in_general(label: str) -> None:
    """Labels without content, or with marks in them, do not make every sentence about two things true."""
    keys = {k.key for k in own_keys(label)}
    for sentence in ("S is O", "S has O", "S is in O", "S and O", "S is of O", "the thing of S is O", "S does O"):
        assert not keys & {k.key for k in wording_keys(sentence)}, sentence


def test_chain_of() -> None:
    """Only keys of the form "the … of S is O" are chains of nouns."""
    assert chain_of("=elevation<source<*") == ("elevation", "source")
    assert chain_of("@source<*") is None
    assert chain_of("feed|obj=*|subj=*") is None
    assert chain_of("=*") is None


def test_direction_is_kept() -> None:
    """The keys of a relation say which hole is the subject."""
    assert WordingKey("feed|obj=*|subj=*", 1) in own_keys("feeds")
    assert WordingKey("feed|obj=*|subj=*", 0) in own_keys("fed by")
