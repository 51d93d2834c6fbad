"""Measuring extractors: the same rows through each, triples and false licences counted, answers kept and replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from small_kb import write_kb

from imprimatur.errors import InputError
from imprimatur.evals.extractors import Settings, run
from imprimatur.testing import ScriptedServer, fail, say_json, when

Shell = Callable[..., Ran]

_LABELLED = [
    {"id": 1, "text": "Elm Brook is 12 km long.", "label": "supported"},
    {"id": 2, "text": "Elm Brook flows through Bree.", "label": "supported"},
    {"id": 3, "text": "Elm Brook is 13 km long.", "label": "contradicted"},
]
_GOLD = [
    {
        "id": "1",
        "sent": "Ardel Bridge crosses the River Tarn.",
        "triples": [{"sub": "Ardel_Bridge", "rel": "crosses", "obj": "River_Tarn"}],
    },
    {
        "id": "2",
        "sent": "Ardel Bridge crosses the River Tarn. It is purple.",
        "triples": [{"sub": "Ardel_Bridge", "rel": "designedBy", "obj": "Edith_Vane"}],
    },
]


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A file of rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def claims(*pairs: tuple[str, str]) -> Any:
    """The answer of a model with some quotations and sentences."""
    return say_json({"claims": [{"quote": quote, "says": says} for quote, says in pairs]})


SCRIPT = [
    when("12 km", claims(("Elm Brook is 12 km long", "Elm Brook is 12 km long."))),
    when("Bree", claims(("Elm Brook flows", "Elm Brook flows through Arden."))),
    when("13 km", fail(400)),
]


def test_labelled_rows_by_two_extractors(shell: Shell, tmp_path: Path) -> None:
    """The reader licenses both truths; the model confirms one of them, and what it fails on was no truth."""
    kb, rows = write_kb(tmp_path / "kb"), written(tmp_path / "rows.jsonl", _LABELLED)
    kept = tmp_path / "kept.jsonl"
    with ScriptedServer(SCRIPT) as server:
        options = ("--extractor", "reader", "--extractor", "llm", "--base-url", server.url, "--model", "tiny")
        ran = shell("eval", "extractors", str(rows), "--kb", str(kb), *options, "--record", str(kept), "--json")
    assert ran.status == 0
    reader, llm = json.loads(ran.out)
    assert (reader["licensed"], reader["true"], reader["false"], reader["proposals"]) == (2, 2, 0, 0)
    assert (llm["licensed"], llm["false"], llm["proposals"], llm["failed"]) == (1, 0, 2, 0)
    assert reader["seconds"] > 0
    again = shell("eval", "extractors", str(rows), "--kb", str(kb), "--extractor", "llm", "--replay", str(kept))
    assert again.status == 0
    assert "1 of 2" in again.out


def test_ground_truth_by_the_reader(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A triple of its own sentence is right, another one is not; the graph is made of the file's own triples."""
    truth = written(tmp_path / "truth.jsonl", _GOLD)
    assert run([truth], Settings(), as_json=True) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["rows"], found["right"], found["wrong"], found["found"], found["gold"]) == (2, 1, 1, 1, 2)
    assert run([truth], Settings(most=1), as_json=False) == 0
    table = capsys.readouterr().out
    assert ("truth" in table, "1 of 1" in table) == (True, True)


def test_a_false_licence_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that is licensed although its label says otherwise."""
    rows = written(tmp_path / "rows.jsonl", [{**_LABELLED[0], "label": "contradicted"}])
    assert run([rows], Settings(kb=str(write_kb(tmp_path / "kb"))), as_json=True) == 1
    assert json.loads(capsys.readouterr().out)[0]["false"] == 1


def test_labelled_rows_need_a_knowledge_base(tmp_path: Path) -> None:
    """There is no graph to make of them."""
    with pytest.raises(InputError, match="need a knowledge base"):
        run([written(tmp_path / "rows.jsonl", _LABELLED)], Settings(), as_json=False)
