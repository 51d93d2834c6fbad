"""The benchmark of passages, and the measure of what is found: real work, every line printed, no time asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_documents import made_model

from imprimatur.errors import InputError
from imprimatur.evals import bench_passages, retrieval


def test_the_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One line for every row, each with a ratio; with a model, embedding too."""
    assert bench_passages.main(["--documents", "3", "--model", str(made_model(tmp_path))]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if " x " in line]
    assert len(lines) == 7
    assert "embedding a query" in lines[-1]


def test_the_corpus_is_the_same_every_time() -> None:
    """Made documents and queries come from a fixed seed."""
    one, other = bench_passages.Corpus(2), bench_passages.Corpus(2)
    assert one.origins == other.origins
    assert one.queries == other.queries


def test_what_is_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A sentence that shares words is found first; one that shares none is not; both ways are printed."""
    rows = [
        {
            "claim": "The kiln holds plates.",
            "evidence": ["A river.", "The kiln holds forty plates."],
            "supporting_sentences": [[1]],
        },
        {
            "claim": "A zebra.",
            "evidence": ["Mountains are high here.", "The sea."],
            "supporting_sentences": [[0, 1], []],
        },
        {"claim": "Nothing.", "evidence": ["The north."], "supporting_sentences": []},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert retrieval.main([str(file), "--model", str(made_model(tmp_path / "model"))]) == 0
    out = capsys.readouterr().out
    assert "searched by full text only, 2 claims" in out
    assert "5      0.500        0.500" in out
    assert "similarity to passages" in out


def test_wrong_rows_are_said(tmp_path: Path) -> None:
    """With file and line."""
    file = tmp_path / "rows.jsonl"
    file.write_text('{"claim": "x"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        retrieval.read_rows(file)
