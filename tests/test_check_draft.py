"""A draft of which more is known than its claims: what speaks against a segment lowers it, wherever it may be shown."""

from __future__ import annotations

import pytest
from small_kb import write_kb

from imprimatur.frame import Objecting
from imprimatur.oracle import Oracle
from imprimatur.policy import load
from imprimatur.report import JudgedSegment
from imprimatur.verdict import Label, Reason

TRUE, OTHER, FALSE = "Elm Brook is 12 km long.", "Elm Brook flows into Oak Brook.", "Elm Brook is 13 km long."


@pytest.fixture(scope="module")
def brooks(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A small graph about brooks and towns."""
    return Oracle.from_folder(write_kb(tmp_path_factory.mktemp("kb")))


def _against(word: str) -> tuple[list[str], Objecting]:
    seen: list[str] = []

    def objects(text: str, segment: JudgedSegment) -> tuple[Reason, ...]:
        said = text[segment.start : segment.end]
        seen.append(said.strip())
        return (Reason.UNKNOWN_CITATION,) if word in said else ()

    return seen, objects


def test_an_objection_lowers_what_is_supported(brooks: Oracle) -> None:
    """To not_found, with its reason; the rest is as it would be, and the first to fail ends a strict answer."""
    _, objects = _against("Oak")
    report = brooks.check_draft(f"{TRUE} {OTHER}", objects=objects)
    assert [segment.label for segment in report.segments] == [Label.SUPPORTED, Label.NOT_FOUND]
    assert Reason.UNKNOWN_CITATION in report.segments[1].reasons
    assert report.decision.text.startswith(f"{TRUE} I can't confirm")


def test_no_objection_raises_or_softens(brooks: Oracle) -> None:
    """What is contradicted stays so, with both reasons; without an objection the report is that of a check."""
    _, objects = _against("13")
    (segment,) = brooks.check_draft(FALSE, objects=objects).segments
    assert segment.label is Label.CONTRADICTED
    assert segment.reasons[-1] is Reason.UNKNOWN_CITATION
    _, silent = _against("nothing like this")
    for text in (TRUE, FALSE, f"{TRUE} {FALSE}", "", "12 km"):
        asked = "How long is Elm Brook?"
        assert brooks.check_draft(text, asked, objects=silent) == brooks.check(text, asked)


def test_changed_text_is_objected_to_as_well(brooks: Oracle) -> None:
    """What is left after a redaction, and what was corrected, is put to it again."""
    for name, left in (("redact", TRUE), ("correct", f"{TRUE} Elm Brook is 12 km long.")):
        seen, objects = _against("Oak")
        report = brooks.check_draft(f"{TRUE} {FALSE} {OTHER}", objects=objects, policy=load(name))
        assert report.decision.text.strip() == left
        assert seen.count(TRUE) >= 2
