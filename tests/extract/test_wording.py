"""Wordings of the lexicon: sentences with holes, parsed by the grammar of the texts."""

from __future__ import annotations

import pytest
from parsing import keys_of, named

from imprimatur.extract.wording import WordingKey, wording_keys


@pytest.mark.parametrize(
    ("sentence", "key", "subject"),
    [
        ("S feeds O", "feed|obj=*|subj=*", 1),
        ("O is fed by S", "feed|obj=*|subj=*", 1),
        ("O feeds S", "feed|obj=*|subj=*", 0),
        ("the source of S is O", "=source<*", 0),
        ("S is O long", "be|adj=*~long|subj=*", 1),
        ("S has Q arches", "#arch<*", 0),
        ("S rises in O", "rise|loc=*|subj=*", 1),
    ],
)
def test_keys(sentence: str, key: str, subject: int) -> None:
    """A wording gives its key and says which hole is S."""
    assert WordingKey(key, subject) in wording_keys(sentence)


@pytest.mark.parametrize(
    ("wording", "text"),
    [
        ("S feeds O", "O, which is fed by S, is long"),
        ("S was designed by O", "It was O who designed S"),
        ("S was designed by O", "O designed S"),
        ("the source of S is O", "S's source is O"),
        ("the source of S lies in O", "In O lies the source of S"),
        ("S rises in O", "O is where S rises"),
    ],
)
def test_a_wording_meets_the_forms_of_its_clause(wording: str, text: str) -> None:
    """Wording and text have a key in common, with the same names in its holes."""
    texts = {(keyed.key, named(keyed)) for _, keyed in keys_of(text)}
    wordings = {(k.key, "S O" if k.subject == 0 else "O S") for k in wording_keys(wording)}
    assert texts & wordings


@pytest.mark.parametrize(
    "sentence",
    ["", "S", "S O", "S and O", "of of of", "S feeds", "S feeds the river", "S is", "S feeds of of O", "(" * 50],
)
def test_what_links_nothing_has_no_key(sentence: str) -> None:
    """A sentence that does not link S and O, or cannot be read, says nothing."""
    assert wording_keys(sentence) == ()


def test_no_word_is_dropped() -> None:
    """A key must use every word: adverbs become a part of it, words that it leaves out keep it from being one."""
    plain = {k.key for k in wording_keys("S feeds O")}
    assert not plain & {k.key for k in wording_keys("S slowly feeds O")}
    assert not plain & {k.key for k in wording_keys("S feeds O in winter")}
    assert not plain & {k.key for k in wording_keys("the tired S feeds O")}
