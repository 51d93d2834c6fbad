"""Whether a sentence states what its words say."""

from __future__ import annotations

import pytest

from imprimatur.sources.passages.asserting import asserts

_CLAIM = "The Orla is 9 km long."


@pytest.mark.parametrize(
    "sentence",
    [
        *("It is not true that the Orla is 9 km long.", "It is a myth that the Orla is 9 km long."),
        *("Bob denied that the Orla is 9 km long.", "Nobody believes that the Orla is 9 km long."),
        *("Bob thinks the Orla is 9 km long.", "Some say that the Orla is 9 km long."),
        *("If the Orla is 9 km long, it is short.", "It is unclear whether the Orla is 9 km long."),
        *("The claim that the Orla is 9 km long is wrong.", "The survey did not show that the Orla is 9 km long."),
        *("Is the Orla 9 km long?", "The Orla would be 9 km long.", "The Orla is hardly 9 km long."),
        *("The Orla is said to be 9 km long.", "The Orla was once thought to be 9 km long."),
    ],
)
def test_what_is_only_spoken_of_is_no_evidence(sentence: str) -> None:
    """Denied, believed, supposed, asked, hedged."""
    assert not asserts(sentence, _CLAIM)


@pytest.mark.parametrize(
    "sentence",
    [
        *("The Orla is 9 km long.", "The Orla, which rises near Tessen, is 9 km long.", "The Orla is only 9 km long."),
        *("The survey shows that the Orla is 9 km long.", "Contrary to what Bob says, the Orla is 9 km long."),
        *("The Orla is 9 km long and can be crossed by boat.", "Note that the Orla is 9 km long."),
        "(meta data) TITLE: Orla The Orla is 9 km long.",
    ],
)
def test_statements_and_what_factive_verbs_embed_are_evidence(sentence: str) -> None:
    """And so is what stands beside something that may be so."""
    assert asserts(sentence, _CLAIM)


def test_what_the_claim_says_too_is_no_hedge() -> None:
    """ "It may be long" is borne out by "it may be long"."""
    assert asserts("The Orla may be long.", "The Orla may be long.")
