"""``eval ingest``: sentences made facts end to end, against gold triples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.cli.main import run as imprimatur
from imprimatur.errors import InputError
from imprimatur.evals.gold_names import same_key
from imprimatur.evals.ingesting import Settings, run

_ONTOLOGY = {
    "title": "Bridges",
    "id": "ont_1_bridge",
    "concepts": [{"qid": name, "label": name} for name in ("Bridge", "River", "Person")],
    "relations": [
        {"pid": "riverCrossed", "label": "riverCrossed", "domain": "Bridge", "range": "River"},
        {"pid": "length", "label": "length", "domain": "Bridge", "range": "number"},
        {"pid": "spouse", "label": "spouse", "domain": "Person", "range": "Person"},
    ],
}
_ROWS = [
    {
        "id": "1",
        "sent": "The Elm Bridge crosses the Kama and is 12 metres long.",
        "triples": [
            {"sub": "Elm_Bridge", "rel": "riverCrossed", "obj": "Kama_(river)"},
            {"sub": "Elm_Bridge", "rel": "length", "obj": "12.0"},
        ],
    },
    {
        "id": "2",
        "sent": "Bo Lind married Mia Holm. The Oak Bridge crosses the Ob.",
        "triples": [{"sub": "Mia_Holm", "rel": "spouse", "obj": "Bo_Lind"}],
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark of two sentences."""
    for name in ("ontologies", "ground_truth"):
        (tmp_path / name).mkdir()
    (tmp_path / "ontologies" / "1_bridge_ontology.json").write_text(json.dumps(_ONTOLOGY), encoding="utf-8")
    lines = "".join(json.dumps(row) + "\n" for row in _ROWS)
    (tmp_path / "ground_truth" / "ont_1_bridge_ground_truth.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_precision_and_recall(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stored facts are held against the gold triples of their sentence, with and without the guardrail."""
    assert imprimatur(["eval", "ingest", str(folder), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [each["guardrail"] for each in records] == [False, True]
    for each in records:
        assert each["precision"]["count"] == 3
        assert each["precision"]["total"] == 4
        assert each["recall"]["count"] == each["recall"]["total"] == 3
        assert [row["fact"] for row in each["stored_not_gold"]] == [["oak bridge", "riverCrossed", "ob"]]
        assert each["relations"]["length"] == {"right": 1, "stored": 1, "gold": 1}


def test_what_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a line for each way, and what differs is listed with its sentence."""
    assert imprimatur(["eval", "ingest", str(folder), "--show", "5"]) == 0
    shown = capsys.readouterr().out
    assert "3 of 4, 0.7500" in shown
    assert "oak bridge | riverCrossed | ob" in shown


def test_a_folder_that_is_no_benchmark(folder: Path, tmp_path: Path) -> None:
    """What is not there is told, with what is."""
    with pytest.raises(InputError, match="no benchmark"):
        run(tmp_path / "ontologies", Settings())
    with pytest.raises(InputError, match="no ontology is called"):
        run(folder, Settings(ontologies=("2_river",)))
    (folder / "ground_truth" / "ont_1_bridge_ground_truth.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match="no ground truth"):
        run(folder, Settings())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Abilene,_Texas", "Abilene", True),
        ("São_José_dos_Pinhais", "Sao Jose dos Pinhais", True),
        ("Ardmore_Airport_(New_Zealand)", "the Ardmore Airport", True),
        ("United_States", "U.S.", True),
        ("1121.0", "1121", True),
        ("Ab_Klink", "Ab A. Klink", True),
        ("Elm_Bridge", "Oak Bridge", False),
        ("Bo_Lind", "Lind", False),
        ("1121", "1122", False),
    ],
)
def test_names_of_gold_triples(one: str, other: str, same: bool) -> None:
    """Marks, articles, initials, brackets and the place behind a comma are no difference; words are."""
    assert (same_key(one) == same_key(other)) is same
