"""What speaks against a proposal beside the graph: forms, words compared with text; edits between two wordings."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_correction import Proposing

from imprimatur.acceptable import odd_form
from imprimatur.correcting import edits_between
from imprimatur.corrector import Correction
from imprimatur.decision import Edit, applied
from imprimatur.oracle import Oracle

BEFORE = "The blue kiln is fired at 900 degrees by Ann [mem:a]."


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A memory with one entry."""
    folder = tmp_path_factory.mktemp("kb")
    entry = {"id": "a", "text": "The blue kiln is fired at 900 degrees and holds 40 plates."}
    (folder / "memory.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\nmemory: memory.jsonl\npolicy: correct\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("The blue kiln is fired at 900 degrees [mem:a].", True),
        ("The blue kiln holds 40 plates [mem:a].", False),
        ("The blue kiln is fired at 900 degrees and holds 40 plates [mem:a].", False),
        ("The blue kiln is fired at 900 degrees [mem:b].", False),
        ("The blue kiln is fired at 900 degrees.", False),
        ("Perhaps the blue kiln is fired at 900 degrees [mem:a].", False),
        ("The blue kiln is fired at more than 800 degrees [mem:a].", False),
        ("The blue kiln is not fired at 800 degrees [mem:a].", False),
        ("The red kiln is fired at 900 degrees [mem:a].", False),
    ],
)
def test_words_that_are_compared_with_text(oracle: Oracle, said: str, taken: bool) -> None:
    """A few words of the segment may be changed; another true sentence does not stand for it."""
    knowledge = replace(oracle.knowledge, correction=Correction(corrector=Proposing(said)))
    shown = Oracle(knowledge, oracle.policy).check(BEFORE).decision.text
    assert (shown.strip() == said) is taken


@pytest.mark.parametrize(
    "said",
    [
        *("", "—", "A\nB.", "A\u2028B.", "A\u200bB.", "x" * 500, "A [b](c).", "see www.x.org", "http://x", "A *b*."),
        *("A <b>.", "A."),
    ],
)
def test_forms_that_are_never_taken(said: str) -> None:
    """Nothing, several lines, hidden signs, length, markup, addresses, and the same once more."""
    assert odd_form("A.", said)


def test_forms_that_may_be() -> None:
    """Plain words, and signs that the segment had."""
    for before, after in (("A b.", "A “c” – d’s 5 % (e)."), ("A [1].", "B [1]."), ("**A** b.", "**A** c.")):
        assert odd_form(before, after) == ""


@given(st.text(st.sampled_from("ab 1.,"), max_size=40), st.text(st.sampled_from("ab 1.,"), max_size=40))
def test_edits_make_one_wording_of_the_other(before: str, after: str) -> None:
    """In order, without overlap, of whole words."""
    edits = [Edit(start=a, end=b, before=before[a:b], after=said) for a, b, said in edits_between(before, after)]
    assert applied(before, edits) == after
    assert all(one.end <= two.start for one, two in pairwise(edits))


def test_long_wordings_are_one_edit() -> None:
    """So that no time is lost in comparing them."""
    assert edits_between("a " * 700, "b") == [(0, 1400, "b")]
