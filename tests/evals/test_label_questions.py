"""Questions in the words of a property."""

from __future__ import annotations

import pytest

from imprimatur.evals.label_questions import asked_by_noun, asked_by_verb, question_of

TABLE = [
    ("length", "What is the length of Elm Brook?"),
    ("source county", "What is the source county of Elm Brook?"),
    ("flows into", "What does Elm Brook flow into?"),
    ("crosses", "What does Elm Brook cross?"),
    ("instance of", "What is Elm Brook an instance of?"),
    ("part of", "What is Elm Brook a part of?"),
    ("participant in", "What is Elm Brook a participant in?"),
    ("named after", "What is Elm Brook named after?"),
    ("located in the county", "Which county is Elm Brook located in?"),
    ("located on terrain feature", "Which terrain feature is Elm Brook located on?"),
    ("place of birth", "What is the place of birth of Elm Brook?"),
    ("position held", "What is the position held of Elm Brook?"),
]


@pytest.mark.parametrize(("label", "question"), TABLE)
def test_a_question_has_the_form_of_its_label(label: str, question: str) -> None:
    """Verbs, participles, nouns with a preposition behind them, and other nouns."""
    assert question_of(label, "Elm Brook") == question


def test_what_is_sure_to_be_english() -> None:
    """A verb with something behind it, or a noun phrase; nothing for the rest."""
    said = [asked_by_verb(label, "Elm Brook") for label in ("flows into", "crosses", "length")]
    assert said == ["What does Elm Brook flow into?", "", ""]
    said = [asked_by_noun(label, "Elm Brook") for label in ("length", "named after", "part of")]
    assert said == ["What is the length of Elm Brook?", "", ""]
