"""Which claims count where structured evidence and text speak of the same words: the table, row by row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from imprimatur.answer import Kind, Segment
from imprimatur.claim import Claim, Prose
from imprimatur.evidence import Evidence
from imprimatur.extract.extracted import Extracted, Word
from imprimatur.report import JudgedClaim
from imprimatur.verdict import Finding, Label, Reason, Verdict
from imprimatur.vouched import telling, vouched

_EXTRACTED = Extracted(Segment(0, 10, Kind.SENTENCE, (0, 10)), words=(Word(0, 4, True), Word(5, 10, True)))


def _judged(label: Label, *, prose: bool, end: int = 10, reason: Reason = Reason.ENTAILED) -> JudgedClaim:
    words = Prose(words="x" * end) if prose else None
    claim = Claim(start=0, end=end, text="x" * end, covers=((0, end),), prose=words)
    return JudgedClaim(claim=claim, verdict=Verdict(label=label, reasons=(reason,)))


@pytest.mark.parametrize(
    ("structured", "prose", "expected"),
    [
        (Label.NOT_FOUND, Label.SUPPORTED, ["supported"]),
        (Label.SUPPORTED, Label.NOT_FOUND, ["supported"]),
        (Label.SUPPORTED, Label.CONTRADICTED, ["supported", "conflicting"]),
        (Label.CONTRADICTED, Label.SUPPORTED, ["conflicting", "supported"]),
        (Label.UNCHECKED, Label.SUPPORTED, ["unchecked", "supported"]),
        (Label.SUPPORTED, Label.UNCHECKED, ["supported", "unchecked"]),
        (Label.AMBIGUOUS, Label.SUPPORTED, ["ambiguous", "supported"]),
        (Label.NOT_FOUND, Label.NOT_FOUND, ["not_found", "not_found"]),
        (Label.SUPPORTED, Label.SUPPORTED, ["supported", "supported"]),
    ],
)
def test_table(structured: Label, prose: Label, expected: list[str]) -> None:
    """One of the two is enough; a contradiction, an ambiguity and a failed check stay."""
    pair = [_judged(structured, prose=False)], [_judged(prose, prose=True)]
    assert [judged.verdict.label for judged in vouched(_EXTRACTED, *pair, soft=True)] == expected


def test_part_of_the_words_is_not_enough() -> None:
    """A supported claim that covers some words only does not stand for the others."""
    pair = [_judged(Label.SUPPORTED, prose=False, end=4)], [_judged(Label.NOT_FOUND, prose=True)]
    assert len(vouched(_EXTRACTED, *pair, soft=True)) == 2


def test_a_made_up_citation_stays() -> None:
    """A citation of nothing is never made good by other evidence."""
    made_up = _judged(Label.NOT_FOUND, prose=True, reason=Reason.UNKNOWN_CITATION)
    found = vouched(_EXTRACTED, [_judged(Label.SUPPORTED, prose=False)], [made_up], soft=True)
    assert [judged.verdict.label for judged in found] == ["supported", "not_found"]


def test_a_shallow_reading_of_tables_yields_to_a_whole_one() -> None:
    """What only a table that was read over contradicts is dropped where the same words are supported; not elsewhere."""
    row = Evidence(source="tables", kind="row", content="x", query="SELECT 1", origin="t.csv, line 2")
    refuted = _judged(Label.CONTRADICTED, prose=True)
    shallow = replace(refuted, verdict=replace(refuted.verdict, evidence=(row,)))
    both = replace(refuted, verdict=replace(refuted.verdict, evidence=(row, replace(row, source="memory"))))
    for prose, structured, expected in (
        (shallow, Label.SUPPORTED, ["supported"]),
        (both, Label.SUPPORTED, ["supported", "conflicting"]),
        (shallow, Label.NOT_FOUND, ["not_found", "contradicted"]),
        (shallow, Label.CONTRADICTED, ["contradicted", "contradicted"]),
    ):
        found = vouched(_EXTRACTED, [_judged(structured, prose=False)], [prose], soft=True)
        assert [judged.verdict.label for judged in found] == expected


@pytest.mark.parametrize(
    ("structured", "label", "found", "kept"),
    [
        (Label.NOT_FOUND, Label.NOT_FOUND, (), False),
        (Label.NOT_FOUND, Label.NOT_FOUND, (2, 4), True),
        (Label.SUPPORTED, Label.NOT_FOUND, (2, 4), False),
        (Label.CONTRADICTED, Label.NOT_FOUND, (2, 4), False),
        (Label.SUPPORTED, Label.NOT_FOUND, (6, 9), True),
        (Label.SUPPORTED, Label.CONTRADICTED, (2, 4), True),
        (Label.NOT_FOUND, Label.UNCHECKED, (), True),
    ],
)
def test_what_only_refutes(structured: Label, label: Label, found: tuple[int, ...], kept: bool) -> None:
    """Finding nothing counts for nothing, what is missing only outside of what was read; a refutation stays."""
    findings = (Finding(Reason.NO_EVIDENCE, found[0], found[1]),) if found else ()
    judged = _judged(label, prose=True)
    judged = replace(judged, verdict=replace(judged.verdict, findings=findings))
    assert bool(telling([_judged(structured, prose=False, end=5)], [judged])) is kept
