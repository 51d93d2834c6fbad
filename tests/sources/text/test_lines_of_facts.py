"""Lines like "Ben: dismissed for fraud": each says of what stands before its colon, and of nothing in another line."""

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


def _labels(oracle: Oracle, claim: str, lines: tuple[str, ...]) -> set[Label]:
    """The label of a claim as a tagged one, as a cited one, and by the lines as passages."""
    entries = [MemoryEntry(f"m{number}", line) for number, line in enumerate(lines, 1)]
    ids = tuple(entry.id for entry in entries)
    cited = f"{claim[:-1]} {''.join(f'[mem:{each}]' for each in ids)}."
    reports = [
        oracle.check_claims([TaggedClaim(text=claim, citations=ids)], memory=entries),
        oracle.check(cited, memory=entries),
        oracle.check(claim, context=lines),
    ]
    return {segment.label for report in reports for segment in report.segments}


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("Elm Brook is 30 km long.", ("Elm Brook: length: 12 km", "Oak Brook: length: 30 km")),
        ("Elm Brook is 30 km long.", ("Elm Brook: stream order: 2", "Oak Brook: length: 30 km")),
        ("Elm Brook has a depth of 3 m.", ("Elm Brook: length: 12 km", "Fir Brook: depth: 3 m")),
        (
            "Elm Brook is a tributary of Ash River.",
            ("Elm Brook: tributary of: Oak Brook", "Fir: tributary of: Ash River"),
        ),
        ("Elm Brook is a tributary of Ash River.", ("Elm Brook: river", "Fir Brook: tributary of: Ash River")),
        ("Anna was dismissed for fraud.", ("Anna: hired in 2019", "Ben: dismissed in 2021 for fraud")),
        ("Anna was dismissed for fraud.", ("Anna (engineer): hired in 2019", "Ben (driver): dismissed for fraud")),
        ("Anna manages the Leeds plant.", ("Anna: manages the York plant", "Ben: manages the Leeds plant")),
    ],
)
def test_lines_are_not_put_together(oracle: Oracle, claim: str, lines: tuple[str, ...]) -> None:
    """All words of the claim are in the lines, and no line says it."""
    assert Label.SUPPORTED not in _labels(oracle, claim, lines)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("Elm Brook is 12 km long.", ("Elm Brook: length: 12 km", "Oak Brook: length: 30 km")),
        (
            "Elm Brook is a tributary of Oak Brook.",
            ("Elm Brook: tributary of: Oak Brook", "Fir: tributary of: Ash River"),
        ),
        ("Ben was dismissed for fraud.", ("Anna: hired in 2019", "Ben: dismissed in 2021 for fraud")),
    ],
)
def test_what_one_line_says_is_supported(oracle: Oracle, claim: str, lines: tuple[str, ...]) -> None:
    """However many other lines are beside it."""
    assert Label.SUPPORTED in _labels(oracle, claim, lines)
