"""Multiple choice with a model: it writes a sentence with a gap, and the stages choose."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_asking import Fixed
from small_kb import write_kb

from imprimatur.generate import Ended, How, ask
from imprimatur.generate.chosen import says_the_question
from imprimatur.oracle import Oracle

#: A question that is not read without a model.
ODD = "Which town does Elm Brook through flow?"


@pytest.fixture(scope="module")
def brooks(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A small graph about brooks and towns."""
    return Oracle.from_folder(write_kb(tmp_path_factory.mktemp("kb")))


@pytest.mark.parametrize(
    ("sentence", "question", "same"),
    [
        ("Elm Brook flows through ___.", "Which town does Elm Brook flow through?", True),
        ("Elm Brook flows through ___.", "Through which town does Elm Brook flow?", True),
        ("The town that Elm Brook flows through is ___.", "Which town does Elm Brook flow through?", False),
        ("The length of Elm Brook is ___.", "What is the length of Elm Brook?", True),
        ("___ flows into Oak Brook.", "Which brook flows into Oak Brook?", True),
        ("Oak Brook flows into ___.", "Which brook flows into Oak Brook?", False),
        ("___ flows into Elm Brook.", "Which brook does Elm Brook flow into?", False),
        ("Elm Brook does not flow through ___.", "Which town does Elm Brook flow through?", False),
        ("Elm Brook flows through ___.", "Which town does Elm Brook not flow through?", False),
        ("Elm Brook flows into ___.", "Which town does Elm Brook flow through?", False),
        ("Oak Brook flows through ___.", "Which town does Elm Brook flow through?", False),
        ("Elm Brook is ___.", "How long is Elm Brook?", False),
        ("Elm Brook flows through ___ and ___.", "Which town does Elm Brook flow through?", False),
        ("Elm Brook flows through it.", "Which town does Elm Brook flow through?", False),
        ("", "Which town does Elm Brook flow through?", False),
        ("Elm Brook flows through ___. " + "So it is. " * 30, "Which town does Elm Brook flow through?", False),
    ],
)
def test_a_sentence_says_what_the_question_asks(brooks: Oracle, sentence: str, question: str, same: bool) -> None:
    """Names in their places, the same words, one gap; else it does not count."""
    assert says_the_question(sentence, question, brooks) is same


def test_the_option_that_stands_is_the_answer(brooks: Oracle) -> None:
    """None when no option is licensed, or several are; the model's sentence only carries them."""
    model = Fixed("Elm Brook flows through ___.")
    found = ask(ODD, brooks, model=model, options=["Corfe", "Arden."])
    assert (found.outcome, found.option, found.text) == (Ended.ANSWERED, "Arden", "Elm Brook flows through Arden.")
    assert found.licensed
    assert ask(ODD, brooks, model=model, options=["Corfe", "Oakham"]).outcome is Ended.WITHHELD
    assert ask(ODD, brooks, model=model, options=["Arden", "Bree"]).outcome is Ended.AMBIGUOUS


@pytest.mark.parametrize("said", ["Corfe", "___ is right: Elm Brook flows through Arden.", "", "Arden flows into ___."])
def test_what_a_model_makes_up_chooses_nothing(brooks: Oracle, said: str) -> None:
    """An opinion, another sentence and nothing at all: no option is the answer."""
    found = ask(ODD, brooks, model=Fixed(said), options=["Corfe", "Arden"])
    assert (found.outcome, found.option) == (Ended.WITHHELD, "")


def test_a_question_that_is_read_needs_no_sentence(brooks: Oracle) -> None:
    """It is completed as without a model, which is not asked then."""
    model = Fixed("nonsense")
    found = ask("How long is Elm Brook?", brooks, model=model, options=["11 km", "12 km"])
    assert (found.option, found.licensed, model.prompts) == ("12 km", True, [])


def test_without_the_oracle_the_option_that_is_named_counts(brooks: Oracle) -> None:
    """One that is named alone, and it is not checked; two named ones are none."""
    model = Fixed("It is 13 km.")
    found = ask("How long is Elm Brook?", brooks, model=model, how=How.PLAIN, options=["12 km", "13 km", "3 km"])
    assert (found.option, found.label) == ("13 km", "not checked")
    assert "(2) 13 km" in model.prompts[0].messages[-1].content
    both = ask("How long?", brooks, model=Fixed("12 km or 13 km."), how=How.PLAIN, options=["12 km", "13 km"])
    assert (both.outcome, both.option) == (Ended.ANSWERED, "")


def test_another_language_has_no_sentence_by_a_model() -> None:
    """What is passed over when a sentence is compared with a question is English."""
    spanish = Oracle.from_folder(Path(__file__).parents[1] / "golden" / "spanish" / "world")
    same = "Elm Brook flows through ___."
    assert not says_the_question(same, "Which town does Elm Brook flow through?", spanish)
