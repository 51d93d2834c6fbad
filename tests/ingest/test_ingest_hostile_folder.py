"""Folders that are not what they seem: links in a store, folders that cannot be read, disks that are full."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_ingest import BASE, brought_up, files_of, write_documents

from imprimatur.errors import ImprimaturError, InputError, StoreUnavailable
from imprimatur.ingest.kept import Work
from imprimatur.ingest.reviewing import review
from imprimatur.ingest.store import FactStore
from imprimatur.sources.graph.places import where
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.sources.graph.switched import NEXT
from imprimatur.sources.graph.terms import Origin

Shell = Callable[..., Ran]

_TEXT = "Elm Brook is 12000 metres long.\n"
_GUARD = Path(__file__).parents[1] / "cases" / "ingested" / "guard.yaml"
_LIGHT = "Ness Light is a lighthouse. The height of Ness Light is 24 metres.\n"
_CHILD = """
    import resource, sys
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
    from imprimatur.cli.main import run
    sys.exit(run(sys.argv[2:]))
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A store with one fact."""
    base = tmp_path / "kb"
    write_documents(base / "docs", {"a.md": _TEXT})
    brought_up(base, base / "docs")
    return base


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder that belongs to somebody else."""
    return write_documents(tmp_path / "mine", {"derived.nq": "of mine\n", "letter.txt": "of mine\n", "a.json": "{}"})


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_a_lock_that_is_a_link_is_not_written_through(base: Path, mine: Path) -> None:
    """A knowledge base that came from elsewhere cannot have a file of its user emptied."""
    before = _contents(mine)
    (base / "facts" / ".lock").unlink()
    (base / "facts" / ".lock").symlink_to(mine / "letter.txt")
    write_documents(base / "docs", {"b.md": "Oak Brook is 7 metres long.\n"})
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        brought_up(base)
    assert _contents(mine) == before


def test_kept_readings_that_are_a_link_are_left_alone(base: Path, mine: Path) -> None:
    """Nothing is removed from where such a link leads, and nothing is written there."""
    before = _contents(mine)
    work = base / "facts" / ".work"
    for path in work.iterdir():
        path.unlink()
    work.rmdir()
    work.symlink_to(mine)
    write_documents(base / "docs", {"b.md": "Oak Brook is 7 metres long.\n"})
    with pytest.raises(StoreUnavailable, match="a link"):
        brought_up(base)
    Work(base / "facts").keep_only([])
    assert _contents(mine) == before


def test_other_files_among_kept_readings_stay(base: Path) -> None:
    """Only what was kept by an ingest is removed."""
    (base / "facts" / ".work" / "letter.txt").write_text("of mine\n", encoding="utf-8")
    (base / "docs" / "a.md").write_text("Elm Brook is 7 metres long.\n", encoding="utf-8")
    brought_up(base)
    names = sorted(path.name for path in (base / "facts" / ".work").iterdir())
    assert len(names) == 2
    assert "letter.txt" in names


def test_a_begun_change_that_is_a_link_is_not_finished(base: Path, mine: Path) -> None:
    """Neither by who reads nor by who writes: the files at its end would be moved away."""
    before, state = _contents(mine), files_of(base)
    (base / "facts" / NEXT).symlink_to(mine)
    with pytest.raises(StoreUnavailable):
        FactStore(base).read()
    with pytest.raises(StoreUnavailable):
        brought_up(base)
    assert _contents(mine) == before
    assert files_of(base) == state


def test_a_folder_that_cannot_be_looked_into_is_no_empty_one(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its documents are not taken for deleted."""
    write_documents(base / "docs" / "inner", {"b.md": "Oak Brook is 7 metres long.\n"})
    brought_up(base)
    before, scandir = files_of(base), os.scandir

    def refused(path: str) -> object:
        if str(path).endswith("inner"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(InputError, match="Permission denied"):
        brought_up(base)
    assert files_of(base) == before


@pytest.mark.parametrize(
    "row",
    [
        "[]",
        "{",
        "7",
        '{"document": 7, "quote": 7, "quads": 7}',
        '{"document": "a", "quote": "b", "quads": []}',
        "[" * 9999,
    ],
)
def test_rows_that_are_none_tell_no_place(base: Path, tmp_path: Path, row: str) -> None:
    """Evidence then names the file; nothing breaks."""
    (base / "facts" / "stored.jsonl").write_text(f"{row}\n", encoding="utf-8")
    (base / "facts" / "state.json").write_text(row, encoding="utf-8")
    graph = Graph.load([GraphFile(base / "facts" / "derived.nq", "data", "derived")], cache_dir=tmp_path / "cache")
    told = where(graph.places, [Origin("derived.nq", "derived", "doc:docs/a.md#char=0,31")])
    assert told == "derived.nq (doc:docs/a.md#char=0,31)"


@pytest.mark.parametrize("size", [0, 400, 800, 1600])
def test_a_disk_that_takes_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Wherever it is full, the error says so; no knowledge base is half made, and the next ingest makes it."""
    monkeypatch.chdir(tmp_path)
    write_documents(Path("docs"), {f"{n}.txt": _LIGHT.replace("Ness", f"Ness{'abcdef'[n]}") for n in range(6)})
    arguments = ["kb", "ingest", "kb", "docs", "--ontology", str(_GUARD)]
    code = textwrap.dedent(_CHILD)
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code]
    ran = subprocess.run([*command, str(size), *arguments], env=environ, capture_output=True, text=True, check=False)
    assert ran.returncode == 3, ran.stderr
    assert "File too large" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not Path("kb/imprimatur.yaml").exists()
    ran = subprocess.run([*command, str(1 << 30), *arguments], env=environ, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "12 stored" in ran.stdout


def test_a_review_says_what_became_of_the_document(base: Path) -> None:
    """Who decides on a sentence is told that its document is another one now, and who else states the same."""
    write_documents(base / "docs", {"b.md": "Well. Elm Brook is 12000 metres long.\n"})
    brought_up(base)
    first, second = FactStore(base).read().rows
    assert review(base, reject=[first.id], by="Ada").others == (second,)
    (base / "docs" / "a.md").write_text("Elm Brook is long.\n", encoding="utf-8")
    done = review(base, accept=[first.id], by="Ada")
    assert done.stale == ("docs/a.md",)
    assert done.others == ()
    (base / "docs" / "a.md").unlink()
    assert review(base, reject=[first.id], by="Ada").stale == ("docs/a.md",)
    assert review(base, reject=[second.id], by="Ada").stale == ()
    assert BASE.encode() not in (base / "facts" / "derived.nq").read_bytes()


def test_an_ontology_does_not_take_the_place_of_another(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of its name in the folder stays, and that is told before anything is read."""
    monkeypatch.chdir(tmp_path)
    write_documents(Path("kb"), {"guard.yaml": "version: 1\nclasses: {Cat: {}}\n"})
    write_documents(Path("docs"), {"a.txt": _LIGHT})
    ran = shell("kb", "ingest", "kb", "docs", "--ontology", str(_GUARD))
    assert ran.status == 2
    assert "another file of this name is there" in ran.err
    assert not Path("kb/facts").exists()


def test_the_files_of_a_knowledge_base_are_no_documents(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its own folder is named, the copy of the ontology is not read the next time."""
    monkeypatch.chdir(tmp_path)
    write_documents(Path("kb"), {"a.txt": _LIGHT})
    guard = '{"entities": [{"label": "Lighthouse"}], "relations": []}'
    write_documents(Path("other"), {"guard.json": guard})
    assert shell("kb", "ingest", "kb", "kb", "--ontology", "other/guard.json").status == 0
    assert shell("kb", "ingest", "kb").out.splitlines()[0] == "Documents: 1 unchanged"
    assert shell("kb", "ingest", "kb", "kb").out.splitlines()[0] == "Documents: 1 unchanged"


def test_a_file_that_changes_while_it_is_read(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was hashed is what is read, or nothing is stored."""
    from imprimatur.ingest import reading

    before, read = files_of(base), reading.read_documents
    write_documents(base / "docs", {"b.md": "Oak Brook is 7 metres long.\n"})

    def changed(*arguments: object) -> object:
        write_documents(base / "docs", {"b.md": "Oak Brook is 8 metres long.\n"})
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("imprimatur.ingest.applying.read_documents", changed)
    with pytest.raises(ImprimaturError, match="has changed since"):
        brought_up(base)
    assert files_of(base) == before
