"""Lines without a verb: what is a title, and what says something all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.oracle import Oracle
from imprimatur.verdict import Label


@pytest.fixture(scope="module")
def oracles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Oracle, Oracle]:
    """Memory alone, and memory beside a table."""
    made = []
    for name, tables in (("memory", ""), ("both", "tables:\n  - lights.csv\n")):
        folder = tmp_path_factory.mktemp(name)
        (folder / "memory.jsonl").write_text('{"id": "a", "text": "The museum opens at nine."}\n', "utf-8")
        (folder / "lights.csv").write_text("name,height (m)\nSkerry Light,30\n", "utf-8")
        (folder / "imprimatur.yaml").write_text(f"version: 1\nmemory: memory.jsonl\n{tables}", "utf-8")
        made.append(Oracle.from_folder(Path(folder)))
    return made[0], made[1]


@pytest.mark.parametrize(
    "line",
    [
        "Skerry Light, a white tower.",
        "Skerry Light, a white tower",
        "Penicillin: no allergy",
        "Dose: 50 mg",
        "Dose: fifty milligrams",
        "No fever since Monday",
        "Allergic to latex",
        "**Allergic to latex**",
        "# Safe during pregnancy",
        "Closed on Mondays",
        "Not for children",
        "Allergies: none",
        "Take it with alcohol.",
        "If the wound is red, the patient should wait a week.",
        "Dr Haas said that the biopsies showed cancer.",
    ],
)
def test_a_statement_without_a_verb_is_a_claim(oracles: tuple[Oracle, Oracle], line: str) -> None:
    """It is withheld where no text says it, and never passed as a remark."""
    for oracle in oracles:
        assert {segment.label for segment in oracle.check(line).segments} == {Label.NOT_FOUND}


@pytest.mark.parametrize(
    "line", ["Summary", "Opening hours", "## Results", "Consult your doctor.", "Suppose it rains."]
)
def test_a_title_or_remark_claims_nothing(oracles: tuple[Oracle, Oracle], line: str) -> None:
    """It says nothing that could be false."""
    for oracle in oracles:
        assert {segment.label for segment in oracle.check(line).segments} == {Label.NOT_A_CLAIM}


def test_after_a_question_a_line_is_an_answer(oracles: tuple[Oracle, Oracle]) -> None:
    """The same words claim something when they answer."""
    question = "What is the patient allergic to?"
    assert oracles[0].check("Penicillin and latex", question).segments[0].label is not Label.NOT_A_CLAIM
