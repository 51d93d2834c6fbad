"""Relative clauses are of what they follow, and a case is that of the clause that it stands with."""

from __future__ import annotations

import pytest

from imprimatur.answer import MemoryEntry
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.knowledge import open_knowledge
from imprimatur.oracle import Oracle
from imprimatur.policy import load
from imprimatur.tagged import TaggedClaim
from imprimatur.verdict import Label


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """One without any knowledge of its own."""
    folder = tmp_path_factory.mktemp("none")
    return Oracle(open_knowledge(KnowledgeBaseConfig(folder=folder, name="none")), load("strict"))


def _label(oracle: Oracle, claim: str, fact: str) -> Label:
    report = oracle.check_claims([TaggedClaim(text=claim, citations=("m1",))], memory=[MemoryEntry("m1", fact)])
    return report.segments[0].label


_SOLD = "Mr Kern sold the house to Ms Adler, whom the bank trusts."
_MEDICINE = "Tamoxol was stopped because of a rash, so it was replaced by benadine, which the patient tolerated well."
_VALVE = "The valve opens when the pressure rises above 5 bar and closes when it falls below 3 bar."


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        (_SOLD, "The bank trusts Mr Kern."),
        (_MEDICINE, "The patient tolerated tamoxol well."),
        ("The old bridge was replaced by a tunnel, which the city inspects.", "The city inspects the old bridge."),
        (_VALVE, "The valve opens when the pressure falls below 3 bar."),
        (_VALVE, "The valve closes when the pressure rises above 5 bar."),
        (
            "The light goes out at ten and comes on when the door is opened.",
            "The light goes out when the door is opened.",
        ),
    ],
)
def test_of_another_one_it_is_not_said(oracle: Oracle, fact: str, claim: str) -> None:
    """What a sentence says of one thing, or in one case, is not said of another one in it."""
    assert _label(oracle, claim, fact) is not Label.SUPPORTED


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        (_SOLD, "The bank trusts Ms Adler."),
        (_SOLD, "Mr Kern sold the house to Ms Adler."),
        (_MEDICINE, "The patient tolerated benadine well."),
        ("Everyone but Mr Hahn signed the letter.", "Everyone but Mr Hahn signed the letter."),
        ("Ms Falk, formerly head of the lab, now advises the city.", "Ms Falk advises the city."),
        ("Karl studies law, Emil medicine.", "Karl studies law."),
        ("Karl owns cars, trucks and boats.", "Karl owns boats."),
        ("Her pressure was 150/95 on admission and 128/80 at discharge.", "Her pressure was 128/80 at discharge."),
        ("A black dog bit the postman.", "The dog was black."),
        ("Our tests showed that the filter lasts nine months.", "Our tests showed that the filter lasts nine months."),
        (_VALVE, "The valve opens when the pressure rises above 5 bar."),
        (
            "The bell rings when the door is open. The bell also rings when the window is open.",
            "The bell rings when the window is open.",
        ),
        ("The ward has 32 beds, five of which are for isolation.", "Five of the ward's 32 beds are for isolation."),
    ],
)
def test_of_its_own_it_is(oracle: Oracle, fact: str, claim: str) -> None:
    """What is said of the thing, and in the case, that the text has."""
    assert _label(oracle, claim, fact) is Label.SUPPORTED
