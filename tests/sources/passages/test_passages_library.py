"""The passages of a knowledge base: named in its settings, kept in the cache, up to date when it is opened."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from made_documents import made_model

from imprimatur.config import KnowledgeBaseConfig, load_folder
from imprimatur.errors import ConfigError, KnowledgeBaseError
from imprimatur.sources.passages import fulltext, library
from imprimatur.sources.passages.build import Outcome, Plan, build
from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.library import Library, build_index, index_folder, open_passages
from imprimatur.sources.passages.listing import origins_of
from imprimatur.sources.passages.retriever import Query


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A knowledge base of three documents."""
    made = tmp_path / "kb"
    (made / "pages").mkdir(parents=True)
    (made / "handbook.md").write_text("# Kiln\n\nThe kiln holds 40 plates.\n", encoding="utf-8")
    (made / "pages" / "a.html").write_text("<p>The river flows north.", encoding="utf-8")
    (made / "pages" / "b.txt").write_text("The mountain is high.", encoding="utf-8")
    _name(made, "[handbook.md, pages/]")
    return made


def _name(folder: Path, passages: str, more: str = "") -> None:
    (folder / "imprimatur.yaml").write_text(f"version: 1\npassages: {passages}\n{more}", encoding="utf-8")


def _opened(folder: Path) -> Library:
    found = open_passages(load_folder(folder), cache_dir=folder.parent / "cache")
    assert found is not None
    return found


def _documents(found: Library, *words: str) -> set[str]:
    return {each.sentence.document for each in found.retriever.find(Query(text="", words=words))}


def test_what_is_named_is_found(folder: Path) -> None:
    """Files and folders, with their counts; the same files give the same hash."""
    found = _opened(folder)
    assert (found.documents, found.passages, found.ways, found.warnings) == (3, 3, "full text only", ())
    assert found.info()["documents"] == 3
    assert _documents(found, "kiln", "river", "mountain") == {"handbook.md", "pages/a.html", "pages/b.txt"}
    assert _opened(folder).content_hash == found.content_hash
    (folder / "pages" / "b.txt").write_text("The mountain is low.", encoding="utf-8")
    changed = _opened(folder)
    assert changed.content_hash != found.content_hash
    assert _documents(changed, "low") == {"pages/b.txt"}
    assert _documents(found, "low") == set()


def test_no_passages_are_none(folder: Path) -> None:
    """A knowledge base that names none has none."""
    (folder / "imprimatur.yaml").write_text("version: 1\n", encoding="utf-8")
    config = load_folder(folder)
    assert open_passages(config) is None
    with pytest.raises(KnowledgeBaseError, match="names no documents"):
        build_index(config)


def test_a_warm_start_reads_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has not been touched since is not even opened; a touch alone builds nothing new."""
    long_ago = time.time() - 100
    monkeypatch.setattr(library, "_SETTLED_NS", 0)
    first = _opened(folder)

    def fail(*_: object) -> Outcome:
        raise AssertionError("built again")

    with monkeypatch.context() as patched:
        patched.setattr(library, "build", fail)
        assert _opened(folder).content_hash == first.content_hash
    version = IndexFolder(index_folder(load_folder(folder), folder.parent / "cache")).current()
    os.utime(folder / "handbook.md", (long_ago, long_ago))
    assert _opened(folder).content_hash == first.content_hash
    assert IndexFolder(index_folder(load_folder(folder), folder.parent / "cache")).current() == version


def test_a_named_document_must_be_readable(folder: Path) -> None:
    """One that is named and cannot be read is an error; one found in a folder is a warning."""
    (folder / "pages" / "broken.pdf").write_bytes(b"%PDF-1.4 rubbish")
    (folder / "pages" / "empty.txt").write_bytes(b"")
    found = _opened(folder)
    assert (found.documents, len(found.warnings)) == (3, 2)
    assert "pages/broken.pdf was not read: the PDF is damaged" in found.warnings[0]
    _name(folder, "[pages/broken.pdf]")
    with pytest.raises(KnowledgeBaseError, match="damaged"):
        _opened(folder)


def test_without_a_cache_passages_are_searched_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that cannot be written, or a missing library, costs time and no answer, and is said."""
    (folder.parent / "cache").write_text("a file, not a folder", encoding="utf-8")
    found = _opened(folder)
    assert "in memory" in found.warnings[0]
    assert _documents(found, "kiln", "river", "mountain") == {"handbook.md", "pages/a.html", "pages/b.txt"}
    (folder.parent / "cache").unlink()
    monkeypatch.setattr(fulltext, "available", lambda: False)
    assert "tantivy is not installed" in _opened(folder).warnings[0]


def test_an_index_of_its_own_can_be_named(folder: Path) -> None:
    """A folder that is an index is searched beside the documents."""
    note = folder.parent / "note.txt"
    note.write_text("The zebra is striped.", encoding="utf-8")
    build(IndexFolder(folder / "notes"), Plan(wanted=origins_of([note])))
    _name(folder, "[handbook.md, notes]")
    found = _opened(folder)
    assert (found.documents, found.passages) == (2, 2)
    assert _documents(found, "zebra", "kiln") == {"note.txt", "handbook.md"}


def test_embeddings_are_asked_for_by_name(folder: Path, tmp_path: Path) -> None:
    """With a model passages are embedded; where there is none at the place, that is an error."""
    made_model(tmp_path / "model")
    _name(folder, "[handbook.md]", f"embed: {tmp_path / 'model'}\n")
    assert _opened(folder).ways == "full text and embeddings (model)"
    _name(folder, "[handbook.md]", "embed: minilm\n")
    with pytest.raises(ConfigError, match=r"no model\.onnx"):
        _opened(folder)


def test_settings(folder: Path, tmp_path: Path) -> None:
    """Patterns name files; what matches nothing, or leads out of the folder, is a mistake."""
    _name(folder, "['*.md', 'pages/*.txt', handbook.md]")
    names = [path.name for path in load_folder(folder).passages]
    assert names == ["handbook.md", "b.txt"]
    config: KnowledgeBaseConfig = load_folder(folder, environ={"XDG_DATA_HOME": "/data"})
    assert config.embed is None
    _name(folder, "[handbook.md]", "embed: minilm\n")
    config = load_folder(folder, environ={"XDG_DATA_HOME": "/data"})
    assert config.embed is not None
    assert config.embed.folder == Path("/data/imprimatur/all-MiniLM-L6-v2")
    (tmp_path / "secret.txt").write_text("Outside.", encoding="utf-8")
    (folder / "pages" / "out.txt").symlink_to(tmp_path / "secret.txt")
    for passages, said in (
        ("['*.pdf']", "matches no file"),
        ("['../*.txt']", "lies outside"),
        ("['/etc/*']", "lies outside"),
        ("['pages/*.txt']", "leads out"),
        ("[none.txt]", "does not exist"),
    ):
        _name(folder, passages)
        with pytest.raises(KnowledgeBaseError, match=said):
            load_folder(folder)
    _name(folder, "[handbook.md]", "limits: {max_bytes: 5}\n")
    assert load_folder(folder).limits == (("max_bytes", 5),)
    with pytest.raises(KnowledgeBaseError, match="larger than 5 bytes"):
        _opened(folder)
    _name(folder, "[handbook.md]", "limits: {max_byte: 5}\n")
    with pytest.raises(ConfigError, match="max_byte"):
        load_folder(folder)
    _name(folder, "[pages/out.txt]")
    assert [path.name for path in load_folder(folder).passages] == ["out.txt"]
