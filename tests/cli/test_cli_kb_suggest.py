"""``imprimatur kb suggest``: the list, its JSON, the file, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from cli_fixtures import Ran
from small_kb import write_kb

Shell = Callable[..., Ran]


def test_the_list_and_the_file(shell: Shell, tmp_path: Path) -> None:
    """A person reads the list; the file is written beside the graph, and a second time nothing is new."""
    folder = write_kb(tmp_path / "kb")
    rows = [{"id": n, "answer": f"{brook} Brook gurgles past Bree."} for n, brook in enumerate(("Elm", "Oak"))]
    corpus = tmp_path / "answers.jsonl"
    corpus.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    out = str(folder / "suggested-labels.ttl")
    ran = shell("kb", "suggest", str(folder), str(corpus), "--out", out)
    assert ran.status == 0
    assert "flows through: also “gurgles past”? (2 of 2 sentences agree, 2 licensed with it)" in ran.out
    assert "1 added to" in ran.out
    assert "0 added to" in shell("kb", "suggest", str(folder), str(corpus), "--out", out).out
    (one,) = json.loads(shell("kb", "suggest", str(folder), str(corpus), "--json").out)
    assert one["label"] == "gurgles past"
    assert "Nothing is suggested." in shell("kb", "suggest", str(folder), str(corpus), "--least", "3").out


def test_errors_say_where(shell: Shell, tmp_path: Path) -> None:
    """A row that cannot be read, and a file that cannot be written."""
    folder = str(write_kb(tmp_path / "kb"))
    corpus = tmp_path / "answers.jsonl"
    corpus.write_text('{"id": 1, "answer": "x"}\n{"id": 2}\n', encoding="utf-8")
    ran = shell("kb", "suggest", folder, str(corpus))
    assert ran.status == 2
    assert "line 2" in ran.err
    corpus.write_text('{"id": 1, "answer": "x"}\n', encoding="utf-8")
    ran = shell("kb", "suggest", folder, str(corpus), "--out", str(tmp_path / "no" / "file.ttl"))
    assert ran.status == 2
    assert "cannot be written" in ran.err
