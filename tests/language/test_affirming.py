"""Sentences turned into their opposite by one small change."""

from __future__ import annotations

import pytest

from imprimatur.language.affirming import affirmed, turned


def _applied(words: str, changes: tuple[tuple[int, int, str], ...]) -> str:
    for start, end, new in reversed(changes):
        words = words[:start] + new + words[end:]
    return words


@pytest.mark.parametrize(
    ("denied", "said"),
    [
        ("The Ebba is not a river", "The Ebba is a river"),
        ("The Ebba isn't tidal", "The Ebba is tidal"),
        ("The Ebba did not get its name in 1852", "The Ebba got its name in 1852"),
        ("The Ebba does not flow into it", "The Ebba flows into it"),
        ("They don't flow into it", "They flow into it"),
        ("The Ebba cannot be crossed", "The Ebba can be crossed"),
        ("It can't be crossed and won", "It can be crossed and won"),
        ("The Ebba is no feeder of it", "The Ebba is a feeder of it"),
        ("They are no feeders of it", "They are feeders of it"),
        ("The Ebba never reaches it", "The Ebba reaches it"),
        ("She has never led it", "She has led it"),
    ],
)
def test_one_negator_goes(denied: str, said: str) -> None:
    """The negator goes, and the verb takes the form that it has without it."""
    assert _applied(denied, affirmed(denied)) == said


@pytest.mark.parametrize(
    "words", ["It is not true that it does not flow", "No river flows", "It flows", "", "It fails to"]
)
def test_other_negations_stay(words: str) -> None:
    """Two negators, a negated subject and verbs that deny are left alone."""
    assert affirmed(words) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("X is longer than Y", "X is shorter than Y"),
        ("Shorter than Y", "Longer than Y"),
        ("X has more seats than Y", "X has fewer seats than Y"),
        ("X holds more water than Y", "X holds less water than Y"),
        ("X opened before Y", "X opened after Y"),
        ("X is older than Y", "X is younger than Y"),
        ("X is deeper than Y", "X is shallower than Y"),
    ],
)
def test_comparatives(one: str, other: str) -> None:
    """The one comparative becomes its opposite."""
    assert _applied(one, turned(one)) == other


@pytest.mark.parametrize("words", ["X is longer than Y and older than Z", "X is long", "X is redder than Y"])
def test_no_single_comparative(words: str) -> None:
    """Two comparatives, none, or one without a known opposite are left alone."""
    assert turned(words) == ()
