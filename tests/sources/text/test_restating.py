"""Claims that restate facts of mixed domains, rightly or not: no wrong one passes, and so many true ones do."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.claim import Prose
from imprimatur.evals.fence import FenceClaim, read_facts
from imprimatur.sources.text.comparing import compare
from imprimatur.sources.text.comparison import Text, TextLimits
from imprimatur.verdict import Label

_FILES = Path(__file__).parents[2] / "golden" / "fence"


def _passing(name: str) -> list[FenceClaim]:
    """The claims of a file that are supported by their fact."""
    limits = TextLimits()
    return [
        claim
        for fact in read_facts(_FILES / name)
        for claim in fact.claims
        if compare(Prose(words=claim.text), [Text(fact.id, fact.text)], limits).label is Label.SUPPORTED
    ]


@pytest.mark.parametrize(
    ("name", "true"), [("memory-dev.txt", 19), ("memory-b.txt", 22), ("memory-c.txt", 13)], ids=lambda each: str(each)
)
def test_claims(name: str, true: int) -> None:
    """No wrong claim passes, and no fewer true ones than did."""
    passing = _passing(name)
    assert [claim.text for claim in passing if not claim.good] == []
    assert len(passing) >= true


def test_claims_are_all_there() -> None:
    """The files have not shrunk."""
    files = ("memory-dev.txt", "memory-b.txt", "memory-c.txt")
    assert sum(len(fact.claims) for name in files for fact in read_facts(_FILES / name)) >= 210
