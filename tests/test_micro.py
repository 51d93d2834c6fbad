"""Answers about many made-up domains get the labels that the semantics demand; see ``micro_cases`` for the files."""

from __future__ import annotations

from collections import Counter

import pytest
from micro_cases import Case, cases, found, report_on

CASES = tuple(cases())
#: The fewest cases that a kind has.
FEWEST = 7


def _marked(case: Case) -> object:
    marks = [pytest.mark.xfail(reason=case.xfail, strict=True)] if case.xfail else []
    return pytest.param(case, id=case.name, marks=marks)


def test_each_kind_has_cases() -> None:
    """No kind has fewer cases than it must, and no two cases share a name."""
    assert min(Counter(case.kind for case in CASES).values()) >= FEWEST
    assert max(Counter(case.name for case in CASES).values()) == 1


@pytest.mark.parametrize("case", [_marked(case) for case in CASES])
def test_labels(case: Case) -> None:
    """Each part that is named gets a label that is right for it, with the reason where one is demanded."""
    report = report_on(case)
    for part in case.expected:
        label, reasons = found(report, part)
        assert label in part.labels, (case.answer[part.start : part.end], label, sorted(part.labels))
        assert part.reason is None or part.reason in reasons, (case.answer[part.start : part.end], reasons)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_false_is_licensed(case: Case) -> None:
    """What must be withheld is withheld, also in cases whose labels are not yet right, and spans hold their text."""
    report = report_on(case)
    for part in case.expected:
        if part.withheld:
            assert found(report, part)[0] != "supported", case.answer[part.start : part.end]
    if any(part.withheld for part in case.expected):
        assert report.decision.kind != "licensed"
    for segment in report.segments:
        for judged in segment.claims:
            assert case.answer[judged.claim.start : judged.claim.end] == judged.claim.text
