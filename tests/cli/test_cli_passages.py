"""``imprimatur passages``: what people see, JSON, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_documents import made_model

Shell = Callable[..., Ran]


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """A knowledge base with a folder of documents."""
    made = tmp_path / "kb"
    (made / "docs").mkdir(parents=True)
    (made / "imprimatur.yaml").write_text("version: 1\npassages: [docs]\n", encoding="utf-8")
    (made / "docs" / "a.md").write_text("# Kiln\n\nThe kiln holds 40 plates.\n", encoding="utf-8")
    (made / "docs" / "b.txt").write_bytes(b"\0")
    return made


def test_the_documents_of_a_knowledge_base(shell: Shell, kb: Path) -> None:
    """Build, list, search, show and status; what could not be read is said on stderr."""
    named = ("--kb", str(kb))
    ran = shell("passages", "build", *named)
    assert (ran.status, ran.out) == (0, "1 added, 0 changed, 0 removed, 0 unchanged\n")
    assert "not read: docs/b.txt: a binary file" in ran.err
    (kb / "docs" / "a.md").write_text("# Kiln\n\nThe kiln holds 42 plates.\n", encoding="utf-8")
    assert json.loads(shell("passages", "build", *named, "--json").out)["changed"] == ["docs/a.md"]
    assert "docs/a.md  markdown  1" in shell("passages", "list", *named).out
    ran = shell("passages", "search", "How many plates?", *named)
    assert "docs/a.md#1 [6:31]" in ran.out
    assert "42 plates" in ran.out
    assert "full text only" in ran.err
    found = json.loads(shell("passages", "search", "plates", *named, "--json").out)["sentences"]
    assert found[0]["headings"] == ["Kiln"]
    assert "Nothing is found." in shell("passages", "search", "zebra", *named).out
    shown = json.loads(shell("passages", "show", "docs/a.md", *named, "--json").out)["text"]
    assert shown[found[0]["start"] : found[0]["end"]] == found[0]["text"]
    assert shell("passages", "show", "docs/a.md#1", *named).out == "Kiln\n\nThe kiln holds 42 plates.\n"
    status = shell("passages", "status", *named)
    assert status.out.startswith("1 documents, 1 passages\nfull text; no embeddings")
    assert json.loads(shell("passages", "status", *named, "--json").out)["problems"] == {
        "docs/b.txt": "a binary file, not a text"
    }


def test_an_index_of_its_own(shell: Shell, tmp_path: Path) -> None:
    """Add files, folders and one with a name of its own; remove; with embeddings too."""
    index = ("--index", str(tmp_path / "index"))
    model = ("--embed", str(made_model(tmp_path / "model")))
    for name, text in (("one.txt", "The river flows north."), ("two.txt", "The mountain is high.")):
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    assert shell("passages", "add", str(tmp_path / "docs"), *index, *model).status == 0
    assert shell("passages", "add", str(tmp_path / "docs" / "one.txt"), "--id", "river", *index, *model).status == 0
    listed = json.loads(shell("passages", "list", *index, "--json").out)
    assert [each["id"] for each in listed] == ["docs/one.txt", "docs/two.txt", "river"]
    assert "embeddings of model" in shell("passages", "status", *index).out
    ran = shell("passages", "search", "river flows north", *index, *model, "--json")
    assert json.loads(ran.out)["searched by"] == "full text and embeddings (model)"
    assert any(each["similarity"] is not None for each in json.loads(ran.out)["sentences"])
    ran = shell("passages", "add", str(tmp_path / "docs"), *index)
    assert (ran.status, "has embeddings of model" in ran.err) == (2, True)
    assert shell("passages", "remove", "river", "docs/one.txt", *index).out.startswith("0 added, 0 changed, 2 removed")
    assert shell("passages", "remove", "river", *index).status == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("list", "--index", "none"), "no index of passages yet"),
        (("list", "--index", "none", "--kb", "rivers"), "exclude each other"),
        (("add", "x.txt", "--kb", "rivers"), "one by one"),
        (("add", "none.txt", "--index", "index"), "no such file"),
        (("remove", "x", "--index", "index"), "no document 'x'"),
        (("build", "--kb", "rivers"), "names no documents"),
        (("add", "none.txt", "--id", "a", "--index", "index"), "--id names one file"),
        (("model", "."), "no weights are found"),
    ],
)
def test_errors(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], said: str
) -> None:
    """Each says what is wrong."""
    monkeypatch.chdir(tmp_path)
    ran = shell("passages", *args)
    assert ran.status == 2
    assert said in ran.err
