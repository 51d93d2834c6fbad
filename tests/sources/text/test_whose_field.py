"""What somebody or a group is in charge of is not exchanged for something more general."""

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


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        ("Ms Adey will follow Mr Kranz as head of sales.", "Ms Adey will follow Mr Kranz as head of marketing."),
        ("Ms Okoro is the sales manager of the firm.", "Ms Okoro is the marketing manager of the firm."),
        ("Mr Lind is professor of physics at the college.", "Mr Lind is professor of science at the college."),
        ("She heads the sales department.", "She heads the marketing department."),
        ("The physics teacher resigned in May.", "The science teacher resigned in May."),
        ("The department of physics has 40 rooms.", "The department of science has 40 rooms."),
        ("The sales office is closed on Friday.", "The marketing office is closed on Friday."),
    ],
)
def test_a_field_is_not_widened(oracle: Oracle, fact: str, claim: str) -> None:
    """There may be another one who has the wider field."""
    assert _label(oracle, fact, fact) is Label.SUPPORTED
    assert _label(oracle, claim, fact) is Label.NOT_FOUND


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        ("Mr Lind is professor of physics at the college.", "Mr Lind is a professor at the college."),
        ("Mr Brand owns a factory for shoes.", "Mr Brand owns a factory for footwear."),
        ("The cup of espresso costs 3 euros.", "The cup of coffee costs 3 euros."),
        ("Mr Roth studied physics in Jena.", "Mr Roth studied science in Jena."),
        ("He is the owner of a terrier.", "He is the owner of a dog."),
    ],
)
def test_elsewhere_the_wider_word_is_as_true(oracle: Oracle, fact: str, claim: str) -> None:
    """Whatever is not somebody's field may be said more generally."""
    assert _label(oracle, claim, fact) is Label.SUPPORTED
