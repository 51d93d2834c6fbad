"""Kinds of answers that checkers are known to get wrong, each in many wordings over small graphs of the tests' own."""

from __future__ import annotations

from collections import Counter

import pytest
from case_worlds import Row, labels, oracle_of, rows, said

ROWS = tuple(rows())


def test_every_kind_has_variants() -> None:
    """No file of cases has fewer than eight variants."""
    assert min(Counter(row.name.partition(":")[0] for row in ROWS).values()) >= 8


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_labels(row: Row) -> None:
    """Each segment that says something, and each claim that is named, gets a label that is right for it."""
    report = oracle_of(row.world).check(row.answer)
    got = labels(report)
    if not got:
        assert "-" in row.expected[0] or row.expected == (frozenset("-"),), f"nothing was found to check: {row.answer}"
        return
    assert len(got) == len(row.expected), (row.answer, got)
    for label, allowed in zip(got, row.expected):
        assert label in allowed, (row.answer, got, [sorted(labels) for labels in row.expected])
    for word, label in row.claims:
        assert said(report, word) == {label}, (row.answer, word)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_decision(row: Row) -> None:
    """An answer goes out as it came only when all of it is supported; what is judged by the graph has evidence."""
    report = oracle_of(row.world).check(row.answer)
    if any("supported" not in allowed for allowed in row.expected):
        assert report.decision.kind != "licensed" or not labels(report)
    for segment in report.segments:
        if segment.label == "supported":
            assert segment.claims
        for judged in segment.claims:
            assert row.answer[judged.claim.start : judged.claim.end] == judged.claim.text
            if judged.verdict.label in ("supported", "contradicted"):
                assert judged.verdict.evidence, row.answer
