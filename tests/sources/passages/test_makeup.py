"""How a claim is made up from the lines of its passages."""

from __future__ import annotations

import pytest

from imprimatur.sources.passages.ground import Ground, Line, terms_of
from imprimatur.sources.passages.signs import signs_of

_GROUND = Ground(
    [
        Line("The Orla rises near Tessen.", "a", 0, 27),
        Line("Otters swim in its lower course.", "a", 28, 60),
        Line("A mill by the bridge grinds barley.", "a", 61, 96),
        Line("The chief executive officer of the United Nations came.", "a", 97, 152),
    ]
)


@pytest.mark.parametrize(
    ("words", "sign", "value"),
    [
        ("The Orla rises near Tessen.", "spread", 0.0),
        ("The Orla has a mill.", "spread", 0.5),
        ("The Orla rises, attracting visitors.", "new_participles", 1.0),
        ("The Orla rises near Tessen.", "opening_new", 0.0),
        ("Herons rise near Tessen.", "opening_new", 1.0),
        ("The mill swims.", "verbs_apart", 1.0),
        ("The mill grinds.", "verbs_apart", 0.0),
    ],
)
def test_each_sign_of_making_shows_where_it_should(words: str, sign: str, value: float) -> None:
    """Distant lines joined, new words in front, a participle added, a verb beside what never does it."""
    assert signs_of(words, _GROUND).values[sign] == value


@pytest.mark.parametrize(("word", "known"), [("CEO", True), ("UN", True), ("OC", False), ("EU", False), ("un", False)])
def test_initials_of_neighbouring_words_are_known(word: str, known: bool) -> None:
    """Two letters are the initials of two capitals; more, of any words in a row."""
    (term,) = terms_of(word)
    assert _GROUND.spelt(term) is known
