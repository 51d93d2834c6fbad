"""What users of comparable tools reported of texts as evidence: each case asked of memory entries and of passages."""

from __future__ import annotations

import pytest
from case_worlds import CASES

from imprimatur.answer import MemoryEntry
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

_ROWS = [
    tuple(line.split("\t"))
    for line in (CASES.parent / "cases-text.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
_SAID = (Label.NOT_A_CLAIM,)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """An oracle over a folder without any source."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "imprimatur.yaml").write_text("version: 1\nname: bare\n", encoding="utf-8")
    return Oracle.from_folder(folder)


def _entries(texts: str) -> list[MemoryEntry]:
    return [MemoryEntry(id=f"e{n}", text=text) for n, text in enumerate(texts.split(" || "))]


def _labels(report: Report) -> set[str]:
    """The labels of what the answer says; of several the worst kind decides, so that all must be allowed."""
    return {part.label.value for part in report.segments if part.label not in _SAID}


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: f"{row[0]}: {row[2]}"[:70])
def test_memory(bare: Oracle, row: tuple[str, str, str, str]) -> None:
    """A claim that cites the entries has an allowed label."""
    _, texts, claim, allowed = row
    entries = _entries(texts)
    marks = "".join(f"[mem:{entry.id}]" for entry in entries)
    labels = _labels(bare.check(f"{claim.rstrip('.')} {marks}.", memory=entries))
    assert labels <= set(allowed.split("|")) or (Label.SUPPORTED not in labels and "not_found" in allowed)


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: f"{row[0]}: {row[2]}"[:70])
def test_passages(bare: Oracle, row: tuple[str, str, str, str]) -> None:
    """A claim that stands beside the passages has an allowed label."""
    _, texts, claim, allowed = row
    labels = _labels(bare.check(claim, None, texts.split(" || ")))
    assert labels <= set(allowed.split("|"))


def test_rows_are_all_there() -> None:
    """The file has not shrunk."""
    assert len(_ROWS) >= 48
