"""Readers, documents, names of files and hands that try to write, drop or steer what they must not."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from made_ingest import BrookChecks, brought_up, files_of, write_documents

from imprimatur.errors import ImprimaturError, InputError
from imprimatur.ingest.applying import Request, ingest
from imprimatur.ingest.candidate import Candidate
from imprimatur.ingest.kept import _candidate
from imprimatur.ingest.planning import Sought
from imprimatur.ingest.store import FactStore
from imprimatur.sources.passages.passage import Document

_FILE = Path(__file__).parents[1] / "cases" / "hostile_evidence" / "ingest.jsonl"
_CASES = [json.loads(line) for line in _FILE.read_text(encoding="ascii").splitlines()]
_TEXT = "Elm Brook is 12000 metres long.\n"


@dataclass(frozen=True)
class _Hostile:
    """A reader that proposes what a case says, beside what the document states."""

    case: dict[str, Any]
    identity: str = "hostile:1"

    def candidates(self, document: Document) -> list[Candidate]:
        """One candidate."""
        told = dict(self.case)
        if told["place"] == "ok":
            told["place"] = [document.id, 0, 9, "Elm Brook"]
        return [_candidate(told)]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A store with one fact."""
    base = tmp_path / "kb"
    write_documents(base / "docs", {"a.md": _TEXT})
    brought_up(base, base / "docs")
    return base


def _state(base: Path) -> list[tuple[int, str]]:
    """The number of quads in each file of the graph, and their hash."""
    contents = [(base / "facts" / name).read_bytes() for name in ("derived.nq", "model.nq", "accepted.nq")]
    return [(each.count(b"\n"), sha256(each).hexdigest()) for each in contents]


def test_there_are_many_cases() -> None:
    """None was lost."""
    assert len(_CASES) >= 30


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["what"])
def test_a_hostile_candidate_is_not_let_in(base: Path, case: dict[str, Any]) -> None:
    """It is kept with its reason, and the graph has nothing of it."""
    write_documents(base / "docs", {"a.md": _TEXT + "Nothing else.\n"})
    other = base.with_name("empty")
    write_documents(other / "docs", {"a.md": _TEXT})
    reader = _Hostile(case["candidate"])
    request = Request(
        base=other, sought=Sought(named=(other / "docs",)), open_reader=lambda: reader, open_checks=BrookChecks
    )
    outcome = ingest(request)
    assert [reason.code for row in outcome.new for reason in row.reasons][:1] == [case["code"]]
    assert outcome.counts["quarantined"] == 1
    assert {count for count, _ in _state(other)} == {0}
    before = _state(base)
    ingest(Request(base=base, open_reader=lambda: reader, open_checks=BrookChecks, dry_run=True))
    assert _state(base) == before
    FactStore(other).read()


@pytest.mark.parametrize(
    "name",
    [
        "a b.md",
        "a#char=0,5.md",
        "a> <x:p> <x:o> .md",
        'quote".md',
        "per%20cent.md",
        "größe.md",
        "--help.md",
        "$(touch gone).md",
        "{x}.md",
        "a\\b.md",
    ],
)
def test_names_of_files_stay_names(tmp_path: Path, name: str) -> None:
    """Whatever a file is called, its place is one IRI, and its facts go with it."""
    base = tmp_path / "kb"
    write_documents(base / "docs", {name: _TEXT, "plain.md": _TEXT})
    brought_up(base, base / "docs")
    rows = FactStore(base).read().rows
    assert {row.document for row in rows} == {f"docs/{name}", "docs/plain.md"}
    assert len(rows) == 2
    assert (base / "facts" / "derived.nq").read_bytes().count(b"\n") == 2
    (base / "docs" / name).unlink()
    brought_up(base)
    assert [row.document for row in FactStore(base).read().rows] == ["docs/plain.md"]


@pytest.mark.parametrize("name", ["new\nline.md", "tab\tin.md", "turn\u202emd.md"])
def test_names_that_cannot_be_shown_are_left_out(tmp_path: Path, name: str) -> None:
    """Such a document is told of, not read."""
    base = tmp_path / "kb"
    write_documents(base / "docs", {name: _TEXT})
    outcome = brought_up(base, base / "docs")
    assert len(outcome.problems) == 1
    assert not outcome.new


def test_links_lead_nowhere(tmp_path: Path) -> None:
    """A link in a folder that leads out of it is not followed, nor is one to the store itself."""
    base = tmp_path / "kb"
    secret = write_documents(tmp_path / "elsewhere", {"secret.md": _TEXT})
    write_documents(base / "docs", {"a.md": "Nothing.\n"})
    os.symlink(secret / "secret.md", base / "docs" / "link.md")
    os.symlink(secret, base / "docs" / "folder")
    os.symlink("/dev/zero", base / "docs" / "zero.md")
    outcome = brought_up(base, base / "docs")
    assert not outcome.new
    assert set(outcome.problems) == {"docs/link.md", "docs/zero.md"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deep.json", "[" * 5000),
        ("bomb.html", "<div>" * 200_000),
        ("zero.txt", "a\0b"),
        ("control.txt", "\x01\x02\x03\x04 Oak Brook is 5 metres long."),
        ("half.json", '["\\ud800 Oak Brook is 5 metres long."]'),
    ],
)
def test_documents_that_are_none_harm_nothing(base: Path, name: str, content: str) -> None:
    """They are left out or read as the text that they hold; the graph can be read after."""
    write_documents(base / "docs", {name: content})
    brought_up(base)
    FactStore(base).read()
    assert '"12000"' in (base / "facts" / "derived.nq").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("state.json", "[]"),
        ("state.json", '{"version": 2}'),
        ("state.json", '{"version": 1, "documents": {"a": {"path": "/etc/passwd"}}, "roots": [], "checks": ""}'),
        ("stored.jsonl", '{"state": "accepted"}\n'),
        ("review.jsonl", '{"id": "x", "state": "accepted", "quads": ["<x:s> <x:p> <x:o> <x:g> ."]}\n'),
        ("derived.nq", "<x:s> <x:p> <x:o> <x:g> .\n"),
    ],
)
def test_a_store_that_was_tampered_with_is_an_error(base: Path, name: str, content: str) -> None:
    """Nothing is stored on top of it, and the file at fault is named."""
    (base / "facts" / name).write_text(content, encoding="utf-8")
    state = files_of(base)
    with pytest.raises(ImprimaturError) as caught:
        brought_up(base)
    assert name in str(caught.value)
    assert files_of(base) == state


def test_what_is_kept_of_readings_is_checked_again(base: Path) -> None:
    """A candidate that somebody put among the kept ones is held against everything but its place."""
    (kept,) = (base / "facts" / ".work").glob("*.json")
    told = json.loads(kept.read_bytes())
    told["candidates"][0]["property"] = "http://www.w3.org/2002/07/owl#sameAs"
    kept.write_text(json.dumps(told), encoding="ascii")
    assert brought_up(base, anew=True).counts["quarantined"] == 1
    kept.write_text("{", encoding="ascii")
    assert brought_up(base, anew=True).counts["stored"] == 1


def test_too_many_facts_are_no_facts(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that floods is an error."""
    monkeypatch.setattr("imprimatur.ingest.reading._MOST", 2)
    write_documents(base / "docs", {"b.md": _TEXT * 3})
    before = _state(base)
    with pytest.raises(InputError, match="more than 2 facts"):
        brought_up(base)
    assert _state(base) == before
