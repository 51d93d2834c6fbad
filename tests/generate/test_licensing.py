"""Drafts from memory and passages: citations by number reach the entries that they name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_asking import Fixed
from small_kb import write_kb

from imprimatur.generate import Ended, How, ask
from imprimatur.generate.licensing import check, unchecked
from imprimatur.oracle import Oracle
from imprimatur.retrieve import Retrieval
from imprimatur.retrieve.trail import Section
from imprimatur.verdict import Label, Reason

ENTRIES = [
    {"id": "mill-1", "text": "The mill at Arden was built in 1904."},
    {"id": "mill-2", "text": "The mill at Bree burned down in 1950."},
]
MILL = "When was the mill at Arden built?"


@pytest.fixture(scope="module")
def mills(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A graph about brooks, and a memory about mills."""
    folder = write_kb(tmp_path_factory.mktemp("kb"), extra="memory: memory.jsonl")
    (folder / "memory.jsonl").write_text("\n".join(map(json.dumps, ENTRIES)), encoding="utf-8")
    return Oracle.from_folder(folder)


def _number(oracle: Oracle, section: Section, words: str) -> int:
    items = Retrieval(oracle.knowledge)(MILL).items
    return next(n for n, item in enumerate(items, 1) if item.section is section and words in item.text)


def test_the_number_of_an_entry_cites_it(mills: Oracle) -> None:
    """What the entry says is licensed; what another entry says is not, nor what none says."""
    trail = Retrieval(mills.knowledge)(MILL)
    at = _number(mills, Section.ENTRIES, "1904")
    found = check(f"The mill at Arden was built in 1904 [{at}].", MILL, mills, trail)
    assert "[mem:mill-1]" in found.draft
    assert {segment.label for segment in found.report.segments} == {Label.SUPPORTED}
    for draft in (f"The mill at Arden was built in 1905 [{at}].", "The mill at Arden was built in 1904 [99]."):
        report = check(draft, MILL, mills, trail).report
        assert report.decision.kind == "abstained"
        assert Label.SUPPORTED not in {segment.label for segment in report.segments}
    unknown = check("The mill at Arden was built in 1904 [99].", MILL, mills, trail)
    assert [each.reason for each in unknown.citations] == [Reason.UNKNOWN_CITATION]


def test_an_answer_from_memory(mills: Oracle) -> None:
    """By the oracle it is licensed; with passages alone it is shown the same entry, and is not checked."""
    model = Fixed(f"The mill at Arden was built in 1904 [{_number(mills, Section.ENTRIES, '1904')}].")
    found = ask(MILL, mills, model=model)
    assert (found.outcome, found.licensed) == (Ended.ANSWERED, True)
    shown = ask(MILL, mills, model=model, how=How.RAG)
    assert (shown.outcome, shown.licensed, shown.label) == (Ended.ANSWERED, False, "not checked")
    assert "was built in 1904" in model.prompts[-1].messages[-1].content
    assert shown.trail is not None
    assert {item.section for item in shown.trail.items} == {Section.ENTRIES}


def test_what_was_not_checked_is_shown_as_it_is(mills: Oracle) -> None:
    """Every segment unchecked, with the reason in a warning; a text without words has none."""
    report = unchecked("Elm Brook is 12 km long. It is blue.", mills, "nobody looked")
    assert [segment.label for segment in report.segments] == [Label.UNCHECKED] * 2
    assert (report.decision.kind, report.decision.text) == ("annotated", report.answer)
    assert (report.summary, report.warnings) == ("unsupported", ("not checked: nobody looked",))
    assert unchecked("", mills, "x").summary == "no_claims"


def test_an_answer_from_passages(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Passages of documents are shown to the model and license what they say; the oracle withholds what they do not."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "kiln.md").write_text("# Kiln\n\nThe blue kiln holds 40 plates.\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\nname: shelf\npassages: [notes]\n", encoding="utf-8")
    assert shell("passages", "build", "--kb", str(tmp_path)).status == 0
    oracle, asked = Oracle.from_folder(tmp_path), "How many plates does the blue kiln hold?"
    true = Fixed("The blue kiln holds 40 plates [1].")
    found = ask(asked, oracle, model=true)
    assert (found.licensed, found.citations, found.text) == (True, (), "The blue kiln holds 40 plates [1].")
    assert ask(asked, oracle, model=Fixed("The blue kiln holds 50 plates [1].")).outcome is Ended.WITHHELD
    shown = ask(asked, oracle, model=Fixed("The blue kiln holds 50 plates."), how=How.RAG)
    assert (shown.outcome, shown.licensed) == (Ended.ANSWERED, False)
    assert ask("How long is the Nile?", oracle, model=true, how=How.RAG).outcome is Ended.REFUSED
