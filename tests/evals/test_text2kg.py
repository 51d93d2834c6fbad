"""Text2KGBench: sentences read against a graph of their own triples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.errors import InputError
from imprimatur.evals.metrics import Share
from imprimatur.evals.text2kg import main, measure, read_rows, write_folder
from imprimatur.oracle import Oracle

_ROWS = [
    {
        "id": "1",
        "sent": "Ardel Bridge crosses the River Tarn and was designed by Edith Vane.",
        "triples": [
            {"sub": "Ardel_Bridge", "rel": "crosses", "obj": "River_Tarn"},
            {"sub": "Ardel_Bridge", "rel": "designedBy", "obj": "Edith_Vane"},
        ],
    },
    {
        "id": "2",
        "sent": "Ardel Bridge crosses the River Tarn. It is purple.",
        "triples": [{"sub": "Ardel_Bridge", "rel": "openingDate", "obj": '"1931-05-14"'}],
    },
    {
        "id": "3",
        "sent": "Nothing is known of the bridge.",
        "triples": [{"sub": "Ardel_Bridge", "rel": "length", "obj": "412.5 (metres)"}],
    },
]


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    """A ground-truth file of three sentences."""
    path = tmp_path / "truth.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in _ROWS), encoding="utf-8")
    return path


def test_the_graph_of_a_file(truth: Path, tmp_path: Path) -> None:
    """All triples stand in the graph: names become labelled things, dates and measures literals with units."""
    folder = tmp_path / "kb"
    folder.mkdir()
    write_folder(truth, folder)
    oracle = Oracle.from_folder(folder)
    for sentence in (
        "Ardel Bridge crosses the River Tarn.",
        "The opening date of Ardel Bridge is 14 May 1931.",
        "Ardel Bridge is 412.5 metres long.",
    ):
        assert [segment.label.value for segment in oracle.check(sentence).segments] == ["supported"], sentence


def test_precision_and_recall(truth: Path, tmp_path: Path) -> None:
    """A claim of another sentence's triple counts against precision, a triple that is not said against recall."""
    folder = tmp_path / "kb"
    folder.mkdir()
    write_folder(truth, folder)
    outcome = measure(read_rows(truth), Oracle.from_folder(folder))
    assert outcome.precision() == Share(2, 3)
    assert outcome.recall() == Share(2, 4)
    assert outcome.segments["supported"] == 2


def test_the_table_and_the_claims(truth: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table is printed and the judged claims are written for reading."""
    claims = tmp_path / "claims.tsv"
    assert main([str(truth), "--claims", str(claims)]) == 0
    assert "2 of 3" in capsys.readouterr().out
    lines = [line.split("\t") for line in claims.read_text(encoding="utf-8").splitlines()]
    assert [line[:2] for line in lines] == [["supported", "gold"], ["supported", "gold"], ["supported", "other"]]
    assert lines[0][2] == "Ardel_Bridge rel_crosses River_Tarn"


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    """What is no ground truth is refused."""
    path = tmp_path / "truth.jsonl"
    path.write_text('{"id": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no ground truth"):
        read_rows(path)
