"""``imprimatur memory``: what people see, JSON, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran

Shell = Callable[..., Ran]


@pytest.mark.parametrize("name", ["memory.jsonl", "memory.db"])
def test_from_the_first_entry_to_its_end(shell: Shell, tmp_path: Path, name: str) -> None:
    """Add, update, list, show, search and delete one file's entries."""
    file = ("--file", str(tmp_path / name))
    assert (
        shell("memory", "add", "k1", "The kiln holds 40 plates.", *file).out == "added k1: The kiln holds 40 plates.\n"
    )
    more = ("--from", "2025-01-01", "--to", "2025-12-31", "--metadata", '{"page": 3}', "--trust", "derived")
    assert shell("memory", "add", "k2", "It was fired at 900 °C.", *file, *more).status == 0
    assert shell("memory", "update", "k1", "--text", "The kiln holds 42 plates.", *file).status == 0
    listed = json.loads(shell("memory", "list", *file, "--json").out)
    assert [each["text"] for each in listed] == ["The kiln holds 42 plates.", "It was fired at 900 °C."]
    assert listed[1]["metadata"] == {"page": 3}
    assert "k2" not in shell("memory", "list", *file, "--on", "2026-06-01").out
    assert "k1" in shell("memory", "search", "How many plates?", *file).out
    assert "Nothing is found." in shell("memory", "search", "zebra", *file).out
    assert shell("memory", "delete", "k1", *file).out == "deleted k1\n"
    assert shell("memory", "show", "k1", *file).status == 2
    history = shell("memory", "show", "k1", "--history", *file).out.splitlines()
    assert [line.split("  ")[-1] for line in history] == [
        "The kiln holds 40 plates.",
        "The kiln holds 42 plates.",
        "(deleted)",
    ]
    assert json.loads(shell("memory", "show", "k2", *file, "--json").out)["trust"] == "derived"


def test_the_memory_of_a_knowledge_base(shell: Shell, tmp_path: Path) -> None:
    """Named in its settings; without one, that is said."""
    (tmp_path / "imprimatur.yaml").write_text("version: 1\nmemory: notes.jsonl\n", encoding="utf-8")
    (tmp_path / "notes.jsonl").write_text('{"id": "a", "text": "One."}\n', encoding="utf-8")
    assert "One." in shell("memory", "list", "--kb", str(tmp_path)).out
    assert shell("memory", "add", "b", "Two.", "--kb", str(tmp_path)).status == 0
    assert "Two." in (tmp_path / "notes.jsonl").read_text(encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\n", encoding="utf-8")
    ran = shell("memory", "list", "--kb", str(tmp_path))
    assert (ran.status, "has no memory" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("list",), "no such file"),
        (("update", "a"), "nothing to change"),
        (("add", "a b", "x"), "cannot be cited"),
        (("add", "a", "x", "--metadata", "{"), "no JSON"),
        (("add", "a", "x", "--from", "soon"), "no day"),
        (("add", "a", " "), "needs a `text`"),
    ],
)
def test_errors(shell: Shell, tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    """Each says what is wrong."""
    ran = shell("memory", *args, "--file", str(tmp_path / "none.jsonl"))
    assert ran.status == 2
    assert said in ran.err
