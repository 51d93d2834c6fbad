"""Bringing a store of facts up to date with its documents."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest
from made_ingest import BrookReader, brought_up, files_of, write_documents

from imprimatur.errors import CheckFailed, InputError
from imprimatur.ingest.store import FactStore
from imprimatur.sources.passages.reading import read_document

_TEXTS = {
    "a.md": "# Brooks\n\nThe valley is wide. Elm Brook is 12000 metres long. Fir Brook flows into Oak Brook.\n",
    "b.md": "Fir Brook flows into Oak Brook. Ash Brook is 700 metres long.\n",
    "c.txt": "Ambi Brook is 5 metres long. Oak Brook is 99999999 metres long.\n",
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder with three documents."""
    write_documents(tmp_path / "kb" / "docs", _TEXTS)
    return tmp_path / "kb"


def _quads(base: Path, name: str = "derived.nq") -> list[str]:
    return (base / "facts" / name).read_text(encoding="utf-8").splitlines()


def test_what_documents_state_is_stored_with_its_places(base: Path) -> None:
    """Facts, names and classes of new things are quads, each in the graph of its sentence."""
    outcome = brought_up(base, base / "docs")
    assert outcome.plan.added == ("docs/a.md", "docs/b.md", "docs/c.txt")
    assert outcome.counts == {"stored": 4, "waiting": 0, "accepted": 0, "quarantined": 2, "rejected": 0}
    lines = _quads(base)
    assert lines == sorted(set(lines))
    elm = "<https://example.org/brooks/elm> <https://example.org/brooks/length>"
    assert [line for line in lines if line.startswith(elm)] == [
        f'{elm} "12000"^^<http://www.w3.org/2001/XMLSchema#integer> <doc:docs/a.md#char=28,59> .'
    ]
    assert sum("rdf-schema#label" in line for line in lines) == 3


def test_every_stored_fact_opens_its_sentence(base: Path) -> None:
    """The place of each row is where its quote stands in the extracted text, and its quads name that place."""
    brought_up(base, base / "docs")
    rows = FactStore(base).read().rows
    assert len(rows) == 6
    for row in rows:
        document = read_document((base / row.document).read_bytes(), id_=row.document)
        assert document.text[row.start : row.end] == row.quote
        assert document.content_hash == row.document_hash
        assert row.place is not None
        assert all(f"<{row.place.iri}> ." in quad for quad in row.quads)


def test_what_is_not_let_in_is_kept_with_its_reasons(base: Path) -> None:
    """A refused, an ambiguous and a conflicting fact wait in the review file, and are in no graph."""
    brought_up(base, base / "docs")
    rows = [row for row in FactStore(base).read().rows if row.state == "quarantined"]
    assert sorted(reason.code for row in rows for reason in row.reasons) == ["ambiguous-thing", "too-long"]
    assert not any("99999999" in line or "ambi" in line for line in _quads(base))


def test_the_same_documents_change_nothing(base: Path) -> None:
    """A second run writes no file."""
    brought_up(base, base / "docs")
    before = {path: path.stat().st_mtime_ns for path in (base / "facts").iterdir() if path.is_file()}
    content = files_of(base)
    outcome = brought_up(base)
    assert not outcome.written
    assert not outcome.plan.to_do
    assert not outcome.new
    assert not outcome.gone
    assert files_of(base) == content
    assert {path: path.stat().st_mtime_ns for path in before if path.name != ".lock"} == {
        path: stamp for path, stamp in before.items() if path.name != ".lock"
    }


def test_a_deleted_document_takes_exactly_its_facts(base: Path) -> None:
    """What another document states too stays, under that document's place."""
    brought_up(base, base / "docs")
    before = set(_quads(base))
    (base / "docs" / "a.md").unlink()
    outcome = brought_up(base)
    assert outcome.plan.deleted == ("docs/a.md",)
    assert set(_quads(base)) == {line for line in before if "docs/a.md" not in line}
    assert any("brooks/mouth> <https://example.org/brooks/oak>" in line for line in _quads(base))


def test_a_changed_document_replaces_its_own_facts(base: Path) -> None:
    """The others' facts are untouched, and so is what of it moved only in the text, but for its place."""
    brought_up(base, base / "docs")
    others = {line for line in _quads(base) if "docs/a.md" not in line}
    (base / "docs" / "a.md").write_text("Well. Elm Brook is 13000 metres long.\n", encoding="utf-8")
    outcome = brought_up(base)
    assert outcome.plan.changed == ("docs/a.md",)
    own = [line for line in _quads(base) if "docs/a.md" in line]
    assert len(own) == 1
    assert '"13000"' in own[0]
    assert {line for line in _quads(base) if "docs/a.md" not in line} == others


def test_the_order_of_coming_does_not_matter(base: Path, tmp_path: Path) -> None:
    """Documents that came one by one, in any order, leave the same bytes as all at once."""
    brought_up(base, base / "docs")
    whole = files_of(base)
    for number, order in enumerate(itertools.permutations(_TEXTS)):
        other = tmp_path / f"kb-{number}"
        for name in order:
            write_documents(other / "docs", {name: _TEXTS[name]})
            brought_up(other, other / "docs")
        assert files_of(other) == whole


def test_processes_leave_the_same_as_one(base: Path, tmp_path: Path) -> None:
    """How many processes read makes no difference."""
    shutil.copytree(base, tmp_path / "other")
    brought_up(base, base / "docs")
    brought_up(tmp_path / "other", tmp_path / "other" / "docs", workers=3)
    assert files_of(tmp_path / "other") == files_of(base)


def test_a_conflict_ends_with_the_document_that_made_it(base: Path) -> None:
    """Both values of a conflict are quarantined; when one document has gone, the other's comes in if it is asked."""
    write_documents(base / "docs", {"d.md": "Ash Brook is 701 metres long.\n"})
    outcome = brought_up(base, base / "docs")
    assert sum(reason.code == "several-values" for row in outcome.new for reason in row.reasons) == 2
    (base / "docs" / "d.md").unlink()
    assert not brought_up(base).new
    assert len(brought_up(base, anew=True).new) == 1
    assert any('"700"' in line for line in _quads(base))


def test_a_failing_reader_changes_nothing(base: Path) -> None:
    """The store stays as it was, and what was read before the failure is not read again."""
    brought_up(base, base / "docs" / "a.md")
    before = files_of(base)
    with pytest.raises(CheckFailed):
        brought_up(base, base / "docs", reader=BrookReader(fails_on="Ambi"))
    assert files_of(base) == before
    assert len(list((base / "facts" / ".work").glob("*.json"))) == 2


def test_a_dry_run_writes_nothing(base: Path) -> None:
    """It says what would be stored, and leaves no trace, not even a folder."""
    outcome = brought_up(base, base / "docs", dry_run=True)
    assert len(outcome.new) == 6
    assert not outcome.written
    assert not (base / "facts").exists()


def test_naming_one_document_leaves_the_others(base: Path) -> None:
    """Only what is named is looked at; what else is stored stays, even if its file has changed or gone."""
    brought_up(base, base / "docs")
    (base / "docs" / "b.md").unlink()
    (base / "docs" / "a.md").write_text("Elm Brook is 1 metres long.\n", encoding="utf-8")
    outcome = brought_up(base, base / "docs" / "a.md")
    assert outcome.plan.changed == ("docs/a.md",)
    assert not outcome.plan.deleted
    assert any("docs/b.md" in line for line in _quads(base))


def test_a_folder_that_is_gone_must_be_named(base: Path) -> None:
    """It may be a disk that is not mounted; when it is named, its facts go."""
    brought_up(base, base / "docs")
    shutil.rmtree(base / "docs")
    with pytest.raises(InputError, match="no such file or folder"):
        brought_up(base)
    outcome = brought_up(base, base / "docs")
    assert len(outcome.plan.deleted) == 3
    assert _quads(base) == []


def test_documents_outside_of_the_folder_have_their_own_names(base: Path, tmp_path: Path) -> None:
    """They are found again by the way to them, and are never mixed up with others of the same name."""
    outside = write_documents(tmp_path / "elsewhere", {"a.md": "Elm Brook is 3 metres long.\n"})
    brought_up(base, outside)
    assert [row.document for row in FactStore(base).read().rows] == ["elsewhere/a.md"]
    (outside / "a.md").write_text("Elm Brook is 4 metres long.\n", encoding="utf-8")
    assert brought_up(base).plan.changed == ("elsewhere/a.md",)


def test_the_stores_own_files_are_no_documents(base: Path) -> None:
    """A knowledge base's folder can be named whole."""
    brought_up(base, base)
    outcome = brought_up(base, base)
    assert set(outcome.plan.unchanged) == {"docs/a.md", "docs/b.md", "docs/c.txt"}
    assert not outcome.written


def test_an_unreadable_document_is_told(base: Path) -> None:
    """One that was found is left out and told of; one that was named is an error."""
    (base / "docs" / "bad.txt").write_bytes(b"\xff\xfe\x00\xd8" * 40)
    outcome = brought_up(base, base / "docs")
    assert list(outcome.problems) == ["docs/bad.txt"]
    with pytest.raises(InputError):
        brought_up(base, base / "docs" / "bad.txt")
    assert not brought_up(base).written
