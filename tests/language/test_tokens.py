"""Tokens: exact spans in any script, clitics, hyphens, numbers, linear time."""

from __future__ import annotations

from itertools import pairwise

import pytest
from effort import ends
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.language.tokens import Token, TokenKind, compounds, tokenise

_ALPHABET = "aZ09 .,-'\u2019\u2018()\n\té\u0301\u00ad\u200bñ東タ½²न्हि\u2212%$_\U0001f600"


def texts(text: str) -> list[str]:
    return [token.text for token in tokenise(text)]


def only(text: str, piece: str) -> Token:
    (token,) = [t for t in tokenise(text) if t.text == piece]
    return token


@given(st.one_of(st.text(), st.text(alphabet=_ALPHABET)))
def test_every_visible_character_is_in_one_token(text: str) -> None:
    """Tokens are in order, exact, free of white space, and leave out nothing else."""
    tokens = tokenise(text)
    assert all(text[t.start : t.end] == t.text and t.text and not any(map(str.isspace, t.text)) for t in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    covered = {i for t in tokens for i in range(t.start, t.end)}
    assert covered == {i for i, char in enumerate(text) if not char.isspace()}


@given(st.text(alphabet=_ALPHABET), st.text(alphabet=_ALPHABET))
def test_a_line_break_separates(left: str, right: str) -> None:
    """Tokens after a line break do not depend on what stands before it, quotation marks aside."""
    whole = [t.text for t in tokenise(left + "\n" + right)]
    assert whole == texts(left) + texts(right)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("isn't", ["is", "n't"]),
        ("can't", ["ca", "n't"]),
        ("cannot", ["can", "not"]),
        ("it’s", ["it", "’s"]),
        ("shouldn't've", ["should", "n't", "'ve"]),
        ("O'Brien's boat", ["O'Brien", "'s", "boat"]),
        ("Prince George's County", ["Prince", "George", "'s", "County"]),
        ("the rivers' mouths", ["the", "rivers", "'", "mouths"]),
        ("north-central Ohio", ["north", "-", "central", "Ohio"]),
        ("2,330 km, 1.410,00 m", ["2,330", "km", ",", "1.410,00", "m"]),
        ("10km 3rd 1990s", ["10", "km", "3rd", "1990s"]),
        ("U.S. rivers, e.g. D.C.'s", ["U.S.", "rivers", ",", "e.g.", "D.C.", "'s"]),
        ("H2O km²", ["H2O", "km²"]),
        ("3½ miles", ["3", "½", "miles"]),
        ("東京はfar", ["東", "京", "は", "far"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("Río Bravo", ["Río", "Bravo"]),
        ("'Three Rivers'", ["'", "Three", "Rivers", "'"]),
        ("\u2212$5 %", ["\u2212", "$", "5", "%"]),
    ],
)
def test_cuts(text: str, expected: list[str]) -> None:
    """Words, numbers, clitics and signs are cut where a reader would cut them."""
    assert texts(text) == expected


@pytest.mark.parametrize(("text", "stem"), [("can't", "can"), ("won’t", "will"), ("shan't", "shall"), ("isn't", "is")])
def test_clipped_stems_are_restored(text: str, stem: str) -> None:
    """The stem of a contraction compares equal to the full verb and its negation is one clitic."""
    first, second = tokenise(text)
    assert (first.lower, second.lower, second.clitic) == (stem, "n't", True)


def test_possessive_or_is() -> None:
    """After a noun "'s" may be a possessive; after a pronoun it never is; a closing quotation mark is none."""
    assert only("George's County", "'s").possessive
    assert not only("it's long", "'s").possessive
    assert only("the rivers' mouth", "'").possessive
    assert not any(token.possessive for token in tokenise("the 'Three Rivers' site"))


def test_lower_folds_what_the_eye_does_not_see() -> None:
    """Zero-width characters, soft hyphens, decomposed accents and curly apostrophes do not hide a word."""
    assert [t.lower for t in tokenise("n\u200bot Ri\u0301o moun\u00adtain O’Brien")] == [
        "not",
        "río",
        "mountain",
        "o'brien",
    ]


def test_kinds() -> None:
    """Words, numbers, punctuation and symbols are told apart."""
    kinds = [token.kind for token in tokenise("Ohio 12 , %$")]
    assert kinds == [TokenKind.WORD, TokenKind.NUMBER, TokenKind.PUNCT, TokenKind.PUNCT, TokenKind.SYMBOL]


def test_compounds() -> None:
    """Hyphenated words come back whole; runs of numbers and loose hyphens do not."""
    found = compounds(tokenise("A north-central, 1,450-mile-long river - in 2010-2015"))
    assert [c.text for c in found] == ["north-central", "1,450-mile-long"]
    assert all(c.stop - c.first == len(c.text.split("-")) * 2 - 1 for c in found)


@pytest.mark.parametrize("unit", ["a", "a.", "1,", "a'", "'s", "n't", "\u0301", "न्", "\u200b"])
@ends
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """A fifth of a megabyte of one awkward pattern is cut within seconds."""
    tokens = tokenise(unit * (200_000 // len(unit)))
    assert all(a.end <= b.start for a, b in pairwise(tokens))
