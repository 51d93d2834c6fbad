"""Questions are read as sentences with a gap."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_kb import write_kb

from imprimatur.extract.asked import is_gap
from imprimatur.extract.described import relatives
from imprimatur.extract.items import items_of
from imprimatur.extract.questions import choice, premise, statements, yes_or_no
from imprimatur.generate.sentence import written
from imprimatur.oracle import Oracle
from imprimatur.protocols import Lexicon

_GOLDEN = Path(__file__).parents[1] / "golden" / "questions" / "statements.tsv"
_ROWS = [line.split("\t") for line in _GOLDEN.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    """The names of a small graph about brooks and towns."""
    return Oracle.from_folder(write_kb(tmp_path_factory.mktemp("kb"))).knowledge.lexicon


@pytest.mark.parametrize(("question", "sentence", "noun", "wanted", "unit"), _ROWS, ids=[row[0] for row in _ROWS])
def test_a_question_is_a_sentence_with_a_gap(
    lexicon: Lexicon, question: str, sentence: str, noun: str, wanted: str, unit: str
) -> None:
    """The likeliest sentence, what is asked of its gap, and the unit; a yes-or-no question has no gap."""
    items = items_of(question, lexicon)
    found = statements(items)
    if wanted == "-":
        assert not found
        said = yes_or_no(items)
        assert (written(said, "") if said else "-") == sentence
        return
    first = found[0]
    assert (written(first.items, "GAP"), first.wanted.value) == (sentence, wanted)
    assert (" ".join(i.text for i in first.noun) or "-", first.unit or "-") == (noun, unit)
    assert all(sum(map(is_gap, asked.items)) == 1 for asked in found)


def test_a_premise_is_told_from_its_question(lexicon: Lexicon) -> None:
    """ "If X is 12 km long" is what the question supposes; its pronoun then stands for X."""
    supposed, rest = premise(items_of("If Elm Brook is 12 km long, how long is it in miles?", lexicon))
    assert written(supposed, "") == "Elm Brook is 12 km long."
    assert written(statements(rest)[0].items, "GAP") == "Elm Brook is GAP long."
    assert premise(items_of("In Bree, which brook is long?", lexicon)) == ((), ())
    assert premise(items_of("If Elm Brook meets Oak Brook, which is longer?", lexicon)) == ((), ())


def test_a_choice_names_its_things(lexicon: Lexicon) -> None:
    """Each thing gets its sentence, compared with the other where the question compares."""
    found = choice(items_of("Which is longer, Elm Brook or Oak Brook?", lexicon))
    assert found is not None
    assert [written(said, "") for said in found.said] == [
        "Elm Brook is longer than Oak Brook.",
        "Oak Brook is longer than Elm Brook.",
    ]
    found = choice(items_of("Which flows through Arden, Elm Brook, Ash Brook or Oak Brook?", lexicon))
    assert found is not None
    assert written(found.said[1], "") == "Ash Brook flows through Arden."
    assert choice(items_of("Which brook, if any, crosses Arden?", lexicon)) is None


def test_described_things_are_found_in_a_question(lexicon: Lexicon) -> None:
    """ "the brook that X flows into" is a thing to be found first."""
    items = items_of("How long is the brook that Elm Brook flows into?", lexicon)
    first = relatives(items)[0]
    assert written(first.asked.items, "GAP") == "Elm Brook flows into GAP."
    assert [i.text for i in items[first.start : first.stop]] == "the|brook|that|Elm Brook|flows|into".split("|")
    items = items_of("What is the length of the mouth of Elm Brook?", lexicon)
    assert "The mouth of Elm Brook is GAP." in [written(r.asked.items, "GAP") for r in relatives(items)]
