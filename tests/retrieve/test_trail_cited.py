"""Citations of a draft: known, borne out by what they name, and documents by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_retrieval import open_brooks

from imprimatur.oracle import Oracle
from imprimatur.retrieve.cited import check_citations, numbered
from imprimatur.retrieve.retrieval import retrieve
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.verdict import Reason


def _trail(folder: Path) -> tuple[EvidenceTrail, Oracle]:
    trail = retrieve("How long is Elm Brook?", open_brooks(folder))
    assert trail.items[0].text == "Elm Brook: length: 12,000 m"
    return trail, Oracle.from_folder(folder)


@pytest.mark.parametrize(
    ("draft", "problems"),
    [
        ("Elm Brook is 12 km long [1].", []),
        ("Elm Brook is 12 km long [2].", [("2", Reason.NO_EVIDENCE)]),
        ("Elm Brook is 12 km long [1, 99].", [("99", Reason.UNKNOWN_CITATION)]),
        ("Elm Brook is 13 km long [1].", [("1", Reason.NO_EVIDENCE)]),
        ("Elm Brook is 12 km long.", []),
        ("Elm Brook is 12 km long [Source: data.ttl].", []),
        ("Elm Brook is 12 km long [Source: other.ttl].", [("0", Reason.UNKNOWN_CITATION)]),
        ("Elm Brook is 12 km long. [1] Elm Brook flows into Oak Brook. [1]", [("1", Reason.NO_EVIDENCE)]),
    ],
)
def test_citations_are_held_against_what_they_name(
    tmp_path: Path, draft: str, problems: list[tuple[str, Reason]]
) -> None:
    """A citation is good when its item supports the claim; another item, a wrong claim and no item are problems."""
    trail, oracle = _trail(tmp_path)
    text = numbered(draft, trail)
    found = check_citations(text, oracle.check(text), trail)
    assert [(each.cited, each.reason) for each in found] == problems
    assert all(text[each.start : each.end].startswith("[") for each in found)
