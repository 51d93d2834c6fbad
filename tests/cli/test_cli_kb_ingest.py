"""``imprimatur kb ingest``, ``kb facts`` and ``kb review``: from documents to answers with their sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.config import load_folder

Shell = Callable[..., Ran]

_GUARD = """version: 1
classes:
  River: {labels: [river]}
  Sea: {labels: [sea]}
relations:
  mouth: {labels: [mouth, flows into], patterns: [[River, Sea], [River, River]], functional: true}
attributes:
  length: {labels: [length], of: [River], type: decimal, unit: km, functional: true}
"""
_HANDBOOK = """# Rivers

The Tavra is a river. The Tavra is 3,531 km long. The Tavra flows into the Ostrel Sea.
The Ostrel Sea is a sea.
"""
_LENGTH = "The Tavra is 3,531 km long."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with an ontology and a document."""
    monkeypatch.chdir(tmp_path)
    Path("guard.yaml").write_text(_GUARD, encoding="utf-8")
    Path("docs").mkdir()
    Path("docs/handbook.md").write_text(_HANDBOOK, encoding="utf-8")
    return tmp_path


@pytest.fixture
def kb(shell: Shell, files: Path) -> str:
    """A knowledge base of the document."""
    ran = shell("kb", "ingest", "kb", "docs", "--ontology", "guard.yaml")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Made kb with imprimatur.yaml, ontology.ttl, guard.yaml, facts/",
        "Documents: 1 added",
        "Facts: 4 stored (4 new, 0 gone)",
        "Next: imprimatur kb facts kb",
    ]
    return "kb"


def _only(ran: Ran) -> list[dict[str, object]]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_from_documents_to_answers(shell: Shell, kb: str) -> None:
    """What a document states is licensed, what it does not is not, and the evidence is the sentence."""
    ran = shell("check", _LENGTH, "--kb", kb)
    assert ran.status == 0
    assert f"docs/handbook.md, characters 30-57: “{_LENGTH}”" in ran.out
    assert shell("check", "The Tavra flows into the Ostrel Sea.", "--kb", kb).status == 0
    assert shell("check", "The Tavra is 3,532 km long.", "--kb", kb).status == 1
    assert shell("check", "The Ostrel Sea flows into the Tavra.", "--kb", kb).status == 1


def test_nothing_changes_twice(shell: Shell, kb: str) -> None:
    """The second run says so."""
    assert shell("kb", "ingest", kb).out.splitlines()[:3] == [
        "Documents: 1 unchanged",
        "Facts: 4 stored (0 new, 0 gone)",
        "Nothing has changed.",
    ]


def test_the_evidence_says_when_its_document_has_changed(shell: Shell, kb: str) -> None:
    """The sentence is still shown, and what became of the document."""
    path = Path("docs/handbook.md")
    path.write_text("Other words.\n", encoding="utf-8")
    assert f"“{_LENGTH}” (the document has changed since)" in shell("check", _LENGTH, "--kb", kb).out
    path.unlink()
    assert f"“{_LENGTH}” (the document is gone)" in shell("check", _LENGTH, "--kb", kb).out


def test_a_dry_run_shows_what_would_come(shell: Shell, files: Path) -> None:
    """And makes nothing."""
    ran = shell("kb", "ingest", "kb", "docs", "--ontology", "guard.yaml", "--dry-run")
    assert "  + Tavra — length — 3531\n" in ran.out
    assert not Path("kb").exists()


def test_facts_are_listed_with_their_sentences(shell: Shell, kb: str) -> None:
    """All of them, those of one document, or those of one state; as lines or as JSON."""
    out = shell("kb", "facts", kb).out
    assert f"Tavra — length — 3531  [stored]\n    docs/handbook.md, characters 30-57: “{_LENGTH}”\n" in out
    rows = _only(shell("kb", "facts", kb, "--json"))
    text = Path("docs/handbook.md").read_text(encoding="utf-8").replace("# ", "", 1)
    assert len(rows) == 4
    assert all(str(row["quote"]) in text for row in rows)
    for named in ("docs/handbook.md", "docs"):
        assert _only(shell("kb", "facts", kb, "--of", named, "--json")) == rows
    assert shell("kb", "facts", kb, "--quarantined").out == "There are none.\n"
    ran = shell("kb", "facts", kb, "--of", "docs/other.md")
    assert ran.status == 2
    assert "no such document is in the store" in ran.err


def test_what_conflicts_is_shown_and_reviewed(shell: Shell, kb: str) -> None:
    """Two documents disagree: both facts wait with their reasons; one is accepted and counts, the other is rejected."""
    Path("docs/other.md").write_text("The Tavra is 3,600 km long.\n", encoding="utf-8")
    assert "2 quarantined" in shell("kb", "ingest", kb).out
    assert shell("check", _LENGTH, "--kb", kb).status == 1
    assert "several-values" in shell("kb", "review", kb).out
    rows = {str(row["value"]): str(row["id"]) for row in _only(shell("kb", "facts", kb, "--quarantined", "--json"))}
    right, wrong = (next(id_ for value, id_ in rows.items() if told in value) for told in ("3531", "3600"))
    assert shell("kb", "review", kb, "--accept", right).status == 2
    ran = shell("kb", "review", kb, "--accept", right[:8], "--reject", wrong, "--by", "Ada")
    assert ran.out == "accepted: Tavra — length — 3531\nrejected: Tavra — length — 3600\n"
    out = shell("check", _LENGTH, "--kb", kb).out
    assert f"“{_LENGTH}”, accepted by Ada on " in out
    assert "Nothing has changed." in shell("kb", "ingest", kb).out
    assert [row["decided_by"] for row in _only(shell("kb", "facts", kb, "--accepted", "--json"))] == ["Ada"]


def test_a_knowledge_base_that_is_there_is_added_to(shell: Shell, files: Path) -> None:
    """The lines that it lacks are told, or added where that is asked; comments stay."""
    Path("kb").mkdir()
    Path("kb/data.ttl").write_text(
        "@prefix : <https://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':tavra a :River ; rdfs:label "Tavra" . :River rdfs:label "river" .\n',
        encoding="utf-8",
    )
    text = "version: 1\n# mine\ngraph:\n  data: [data.ttl]  # people wrote it\npolicy: strict\n"
    Path("kb/imprimatur.yaml").write_text(text, encoding="utf-8")
    Path("guard.yaml").write_text(_GUARD.replace("River: {", "River: {iri: 'https://example.org/River', "))
    ran = shell("kb", "ingest", "kb", "docs", "--ontology", "guard.yaml")
    assert "  data: [facts/derived.nq, facts/accepted.nq, facts/model.nq]\n" in ran.out
    assert Path("kb/imprimatur.yaml").read_text(encoding="utf-8") == text
    ran = shell("kb", "ingest", "kb", "docs", "--ontology", "guard.yaml", "--write")
    assert "Add --write" not in ran.out
    made = Path("kb/imprimatur.yaml").read_text(encoding="utf-8")
    assert "# mine\n" in made
    assert "[data.ttl, facts/derived.nq, facts/accepted.nq, facts/model.nq]  # people wrote it\n" in made
    assert len(load_folder("kb").graph.data) == 4
    row = next(row for row in _only(shell("kb", "facts", "kb", "--json")) if "3531" in str(row["value"]))
    assert row["subject"] == "https://example.org/tavra"


def test_as_json(shell: Shell, files: Path) -> None:
    """The same for programs."""
    made = json.loads(shell("kb", "ingest", "kb", "docs", "--ontology", "guard.yaml", "--json").out)
    assert made["documents"]["added"] == ["docs/handbook.md"]
    assert made["facts"]["stored"] == 4
    assert made["made"][0] == "imprimatur.yaml"


@pytest.mark.parametrize(
    ("arguments", "status", "what"),
    [
        (("kb", "docs"), 2, "a new knowledge base needs an ontology"),
        (("kb", "none.md", "--ontology", "guard.yaml"), 2, "no such file or folder"),
        (("kb", "--ontology", "guard.yaml"), 2, "there are no documents"),
        (("guard.yaml", "docs", "--ontology", "guard.yaml"), 2, "a file, not a folder"),
        (("kb", "docs", "--ontology", "none.yaml"), 2, "none.yaml"),
        (("kb", "docs", "--ontology", "guard.yaml", "--reader", "oracle"), 2, "oracle"),
        (("kb", "docs", "--ontology", "docs/handbook.md"), 2, "no form of ontology"),
    ],
)
def test_mistakes_are_told(shell: Shell, files: Path, arguments: tuple[str, ...], status: int, what: str) -> None:
    """In words, with a hint, and without a folder that is half made."""
    ran = shell("kb", "ingest", *arguments)
    assert ran.status == status
    assert what in ran.err
    assert "hint: " in ran.err
    assert not Path("kb/imprimatur.yaml").exists()


def test_looking_at_nothing_is_told(shell: Shell, files: Path) -> None:
    """A knowledge base without facts from documents has none to show or review."""
    Path("kb").mkdir()
    for command in ("facts", "review"):
        ran = shell("kb", command, "kb")
        assert ran.status == 2
        assert "has no facts from documents" in ran.err
