"""Closed classes of words: membership, phrases, pronouns, and what may be passed over."""

from __future__ import annotations

import pytest

from imprimatur.language import closed_class


def test_every_class_has_members() -> None:
    """No class is empty and every entry is lower-case."""
    for name in closed_class.classes():
        entries = [*closed_class.words(name), *(word for phrase in closed_class.phrases(name) for word in phrase)]
        assert entries
        assert all(word == word.lower() == word.strip() for word in entries), name


def test_unknown_class() -> None:
    """An unknown class is an error that names those that exist."""
    with pytest.raises(KeyError, match="negator"):
        closed_class.words("negatives")


@pytest.mark.parametrize(
    "word",
    [
        "not",
        "n't",
        "no",
        "without",
        "only",
        "all",
        "most",
        "unless",
        "if",
        "until",
        "or",
        "may",
        "would",
        "very",
        "other",
    ],
)
def test_words_that_change_a_statement_are_never_passed_over(word: str) -> None:
    """Negators, quantifiers, focus words, modals, conditions and bounds are no mere function words."""
    assert not closed_class.is_function_word(word)


@pytest.mark.parametrize("word", ["the", "of", "is", "and", "it", "which", "has"])
def test_words_without_content_are_passed_over(word: str) -> None:
    """Articles, light prepositions, auxiliaries and pronouns carry nothing of their own."""
    assert closed_class.is_function_word(word)


def test_longest_takes_the_longest_phrase() -> None:
    """A phrase wins over its first word; nothing found is 0."""
    assert closed_class.longest("negator", ["it", "no", "longer", "flows"], 1) == 2
    assert closed_class.longest("negator", ["it", "no", "river"], 1) == 1
    assert closed_class.longest("negator", ["it", "no"], 0) == 0
    assert closed_class.longest("contrast", ["as", "opposed", "to"], 0) == 3


def test_pronouns_have_features() -> None:
    """Pronouns tell number, gender, animacy and case; "her" has two uses."""
    (he,) = closed_class.pronouns("he")
    assert (he.number, he.gender, he.animacy, he.case) == ("singular", "masculine", "animate", "subject")
    assert {use.case for use in closed_class.pronouns("her")} == {"object", "possessive"}
    assert closed_class.pronouns("river") == ()
    assert "they" in closed_class.words("pronoun")
