"""Indexes: built at once or bit by bit the same, swapped whole, read while they are written."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_documents import WORDS, check_offsets, made_model, origin, snapshot

from imprimatur.errors import InputError, KnowledgeBaseError, StoreUnavailable
from imprimatur.sources.passages import build as building
from imprimatur.sources.passages.build import Plan, build
from imprimatur.sources.passages.embedding import Embedder
from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.fusion import Joined
from imprimatur.sources.passages.given import Given
from imprimatur.sources.passages.index import Index
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Document
from imprimatur.sources.passages.reading import read_document
from imprimatur.sources.passages.retriever import Query

_TEXTS = {
    "a.txt": "The river flows north. It ends in a sea.",
    "b.md": "# Mountain\n\nThe mountain is high.\n\n| long | sea |\n|--|--|\n| 5 | 6 |\n",
    "c.json": '{"kiln": {"holds": "40 plates"}, "fired": [1, 2]}',
}


def _built(path: Path, texts: dict[str, str], embedder: Embedder | None = None, *, keep: bool = False) -> None:
    wanted = [origin(id_, text) for id_, text in texts.items()]
    build(IndexFolder(path), Plan(wanted=wanted, keep=keep, embedder=embedder))


def _asked(*words: str) -> Query:
    return Query(text=" ".join(words), words=words)


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """A small model."""
    return Embedder.open(made_model(tmp_path_factory.mktemp("model")))


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    """Documents, passages, sentences and texts are those that were read."""
    _built(tmp_path, _TEXTS)
    index = Index.open(tmp_path)
    documents = [read_document(text.encode(), id_=id_) for id_, text in sorted(_TEXTS.items())]
    assert list(index) == [passage for each in documents for passage in each.passages]
    for document in documents:
        assert index.text_of(document.id) == document.text
        check_offsets(document)
        assert all(index.passage(each.id) == each for each in document.passages)
    assert index.passage("a.txt#9") is None
    assert index.text_of("none") is None


_STEPS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.one_of(st.none(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))),
    min_size=1,
    max_size=6,
)


@given(_STEPS)
@settings(max_examples=12)
def test_step_by_step_equals_at_once(
    tmp_path_factory: pytest.TempPathFactory, embedder: Embedder, steps: object
) -> None:
    """Adding, changing and removing one by one gives the rows, terms, vectors and results of building anew."""
    assert isinstance(steps, list)
    one, other = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("other")
    held: dict[str, str] = {}
    for id_, words in steps:
        if words is None:
            if id_ in held:
                build(IndexFolder(one), Plan(keep=True, remove=frozenset([id_])))
                del held[id_]
        else:
            held[id_] = " ".join(words) + "."
            _built(one, {id_: held[id_]}, embedder, keep=True)
    _built(other, held, embedder)
    if IndexFolder(one).exists:
        assert snapshot(one) == snapshot(other)
        query = _asked("river", "kiln", "sea")
        found = [Index.open(path, embedder=embedder).find(query) for path in (one, other)]
        assert found[0] == found[1]
    shutil.rmtree(one)
    shutil.rmtree(other)


def test_only_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: Embedder) -> None:
    """The outcome names what was done; what is the same is neither read, cut nor embedded again."""
    _built(tmp_path, _TEXTS, embedder)
    read: list[str] = []

    def counted(raw: bytes, *, id_: str, form: None, limits: Limits) -> Document:
        read.append(id_)
        return read_document(raw, id_=id_, form=form, limits=limits)

    monkeypatch.setattr(building, "read_document", counted)
    texts = {"a.txt": _TEXTS["a.txt"], "b.md": "# Sea\n\nThe sea is long.", "d.txt": "Zebra."}
    outcome = build(
        IndexFolder(tmp_path), Plan(wanted=[origin(id_, text) for id_, text in texts.items()], embedder=embedder)
    )
    assert (outcome.added, outcome.changed, outcome.removed) == (["d.txt"], ["b.md"], ["c.json"])
    assert (outcome.kept, read) == (["a.txt"], ["b.md", "d.txt"])
    before = IndexFolder(tmp_path).current()
    again = build(
        IndexFolder(tmp_path), Plan(wanted=[origin(id_, text) for id_, text in texts.items()], embedder=embedder)
    )
    assert not again.built
    assert IndexFolder(tmp_path).current() == before


def test_other_limits_or_another_model_build_anew(tmp_path: Path, embedder: Embedder) -> None:
    """What was cut with other limits is cut again; vectors of two models are never mixed."""
    _built(tmp_path / "index", _TEXTS, embedder)
    wanted = [origin(id_, text) for id_, text in _TEXTS.items()]
    outcome = build(IndexFolder(tmp_path / "index"), Plan(wanted=wanted, limits=Limits(passage=20), embedder=embedder))
    assert outcome.changed == sorted(_TEXTS)
    other = Embedder.open(made_model(tmp_path / "model", seed=1))
    assert Index.open(tmp_path / "index", embedder=other).ways == "full text only"
    with pytest.raises(InputError, match="has embeddings"):
        _built(tmp_path / "index", {"e.txt": "Sea."}, keep=True)
    _built(tmp_path / "index", _TEXTS, other)
    _built(tmp_path / "anew", _TEXTS, other)
    assert snapshot(tmp_path / "index") == snapshot(tmp_path / "anew")


@pytest.mark.parametrize("broken", ["write_full_text", "_write_manifest", "read_document"])
def test_a_fault_leaves_the_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Whatever fails while a version is made, the one before is still there, whole, and nothing else."""
    _built(tmp_path, _TEXTS)
    before = snapshot(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(building, broken, fail)
        with pytest.raises(StoreUnavailable, match="no space"):
            _built(tmp_path, {"a.txt": "Other."})
    assert snapshot(tmp_path) == before
    assert len(list(tmp_path.glob("version-*"))) == 1
    _built(tmp_path, {"a.txt": "Other."})
    assert list(Index.open(tmp_path).documents) == ["a.txt"]


def _dies(path: str) -> None:
    """A writer that is killed between the new version and the pointer."""
    IndexFolder._point = lambda *_: os._exit(9)  # type: ignore[method-assign]
    _built(Path(path), {"a.txt": "Other."})


def test_a_killed_writer_leaves_the_old_version(tmp_path: Path) -> None:
    """A process that dies before the pointer is moved changes nothing; the next writer clears what it left."""
    _built(tmp_path, _TEXTS)
    before = snapshot(tmp_path)
    process = multiprocessing.get_context("spawn").Process(target=_dies, args=(str(tmp_path),))
    process.start()
    process.join(60)
    assert process.exitcode == 9
    assert len(list(tmp_path.glob("version-*"))) == 2
    assert snapshot(tmp_path) == before
    _built(tmp_path, {**_TEXTS, "d.txt": "Zebra."})
    assert "d.txt" in Index.open(tmp_path).documents
    assert len(list(tmp_path.glob("version-*"))) == 2


def _adds(path: str, name: str) -> None:
    for number in range(4):
        _built(Path(path), {f"{name}{number}.txt": f"The {name} number {number}."}, keep=True)


def test_two_writers_wait_for_each_other(tmp_path: Path) -> None:
    """Processes that add at the same time lose nothing, and a reader always finds a whole index."""
    _built(tmp_path, _TEXTS)
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_adds, args=(str(tmp_path), name)) for name in ("river", "kiln")]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        index = Index.open(tmp_path)
        assert index.find(_asked("mountain"))[0].sentence.document == "b.md"
        index.close()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert len(Index.open(tmp_path).documents) == len(_TEXTS) + 8


def test_a_reader_keeps_its_version(tmp_path: Path) -> None:
    """An index that is open gives what it gave, though newer versions have replaced it and its files are gone."""
    _built(tmp_path, _TEXTS)
    index = Index.open(tmp_path)
    before = index.find(_asked("river", "mountain"))
    for number in range(3):
        _built(tmp_path, {"z.txt": f"Zebra {number}."})
    assert index.find(_asked("river", "mountain")) == before
    assert index.text_of("a.txt") == _TEXTS["a.txt"]
    assert list(Index.open(tmp_path).documents) == ["z.txt"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("passages.json", b"{"),
        ("passages.json", b'{"format": 1, "current": "../elsewhere"}'),
        ("passages.json", b'{"format": 99, "current": "version-a"}'),
        ("*/manifest.json", b"[]"),
        ("*/rows.sqlite", b"not a database"),
        ("*/rows.sqlite", None),
        ("*/fulltext/meta.json", None),
    ],
)
def test_a_damaged_index_is_said_and_built_anew(tmp_path: Path, file: str, content: bytes | None) -> None:
    """Opening says that it is damaged, never "nothing found"; building mends it."""
    _built(tmp_path, _TEXTS)
    whole = snapshot(tmp_path)
    (path,) = tmp_path.glob(file)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises((KnowledgeBaseError, StoreUnavailable)) as found:
        Index.open(tmp_path)
    assert found.value.hint
    with pytest.raises(KnowledgeBaseError, match="would be lost"):
        _built(tmp_path, {"z.txt": "Zebra."}, keep=True)
    _built(tmp_path, _TEXTS)
    assert snapshot(tmp_path) == whole


def test_no_index_is_said(tmp_path: Path) -> None:
    """A folder without one, and an id that is not in it."""
    with pytest.raises(KnowledgeBaseError, match="no index"):
        Index.open(tmp_path)
    with pytest.raises(InputError, match="no document 'x'"):
        build(IndexFolder(tmp_path), Plan(keep=True, remove=frozenset(["x"])))
    assert not IndexFolder(tmp_path).exists


def test_similar_passages_are_found_without_shared_words(tmp_path: Path, embedder: Embedder) -> None:
    """Vectors find what words do not, only above the floor, and both kinds of score are kept."""
    _built(tmp_path, {"a.txt": "River sea north.", "b.txt": "Kiln plates fired."}, embedder)
    index = Index.open(tmp_path, embedder=embedder)
    assert "embeddings" in index.ways
    (found,) = index.find(Query(text="sea north river", words=()))
    assert (found.sentence.document, found.full_text, found.overlap) == ("a.txt", None, 0.0)
    assert found.similarity is not None
    assert found.similarity > 0.8
    assert index.find(Query(text="zebra", words=())) == ()
    assert Index.open(tmp_path).find(Query(text="sea north river", words=())) == ()


def test_given_passages_are_found_as_those_of_an_index(tmp_path: Path) -> None:
    """In memory and in an index, the same words find the same sentences in the same order."""
    texts = {f"context:{number}": text for number, text in enumerate(_TEXTS.values(), 1)}
    given = Given([read_document(text.encode(), id_=id_) for id_, text in texts.items()])
    _built(tmp_path, texts)
    index = Index.open(tmp_path)
    for words in (("river", "sea"), ("mountain", "high"), ("long", "plates"), ("zebra",)):
        assert [each.sentence for each in given.find(_asked(*words))] == [
            each.sentence for each in index.find(_asked(*words))
        ]


def test_names_and_numbers_count_more(tmp_path: Path) -> None:
    """A sentence with the name comes before one with an ordinary word; a number is found however it is written."""
    given = Given.of(["Zebra was high.", "Marie Curie was here.", "It holds 2,330 plates."])
    (first, *_) = given.find(Query(text="", words=("high",), names=("Marie Curie",)))
    assert "Curie" in first.sentence.text
    assert "2,330" in given.find(Query(text="", numbers=("2330",)))[0].sentence.text


def test_several_as_one(tmp_path: Path) -> None:
    """Joined retrievers find in all of them; ids are looked up in each."""
    _built(tmp_path, {"a.txt": "The river is long."})
    joined = Joined([Given.of(["The river is short."]), Index.open(tmp_path)])
    assert {each.sentence.document for each in joined.find(_asked("river"))} == {"a.txt", "context:1"}
    assert joined.passage("a.txt#1") is not None
    assert joined.passage("none") is None
    assert len(joined) == 2


def test_the_manifest_tells_problems(tmp_path: Path) -> None:
    """What was found and could not be read stays known until it can be read or is gone."""
    wanted = [origin("a.txt", "River."), origin("b.txt", b"\0", named=False)]
    build(IndexFolder(tmp_path), Plan(wanted=wanted))
    assert Index.open(tmp_path).manifest.problems == {"b.txt": "a binary file, not a text"}
    build(IndexFolder(tmp_path), Plan(wanted=wanted[:1]))
    assert Index.open(tmp_path).manifest.problems == {}
    (manifest,) = [json.loads(path.read_bytes()) for path in [IndexFolder(tmp_path).current() / "manifest.json"]]  # type: ignore[operator]
    assert manifest["documents"] == 1
