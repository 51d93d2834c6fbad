"""Small cases of all forms of statement, each with a knowledge base of its own: true, corrupted and undecidable ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from imprimatur import Oracle

_GOLDEN = Path(__file__).parent / "golden" / "micro"
_FILES = (("data_ttl", "data"), ("ontology_ttl", "ontology"), ("shapes_ttl", "shapes"))
_ROWS = [
    json.loads(line) for path in sorted(_GOLDEN.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()
]
_OPENED: dict[str, Oracle] = {}


def _oracle(kb: Mapping[str, Any], folder: Path) -> Oracle:
    """The oracle of a case's knowledge base; cases that share one share the oracle."""
    key = json.dumps(kb, sort_keys=True)
    if key not in _OPENED:
        lines = ["version: 1", "name: micro", "graph:"]
        for field, name in _FILES:
            if kb.get(field):
                (folder / f"{name}.ttl").write_text(kb[field], encoding="utf-8")
                lines.append(f"  {name}: [{name}.ttl]")
        lines.append(f"  complete: {json.dumps(kb.get('complete', []))}")
        (folder / "imprimatur.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        _OPENED[key] = Oracle.from_folder(folder)
    return _OPENED[key]


def _got(report: Mapping[str, Any], answer: str, expected: Mapping[str, Any]) -> str:
    """The label of the segment or claim that a case quotes."""
    start = -1
    for _ in range(expected.get("occurrence", 1)):
        start = answer.find(expected["quote"], start + 1)
    end = start + len(expected["quote"])
    claims = [claim for segment in report["segments"] for claim in segment["claims"]]
    found = report["segments"] if expected["level"] == "segment" else claims
    near = [x for x in found if x["start"] < end and start < x["end"]]
    return min(near, key=lambda x: abs(x["start"] - start) + abs(x["end"] - end))["label"] if near else "none"


@pytest.mark.parametrize("row", _ROWS, ids=[row["id"] for row in _ROWS])
def test_every_quoted_part_gets_its_label(row: dict[str, Any], tmp_path: Path) -> None:
    """Each sentence of a case is judged as the case says, and no false one is ever licensed."""
    report = _oracle(row["kb"], tmp_path).check(row["answer"], question=row.get("question")).to_dict()
    got = {e["quote"]: _got(report, row["answer"], e) for e in row["expect"]}
    wanted = {e["quote"]: [e["label"]] if isinstance(e["label"], str) else e["label"] for e in row["expect"]}
    assert {q: label for q, label in got.items() if label not in wanted[q]} == {}


def test_the_cases_are_many_and_of_all_kinds() -> None:
    """The file has not shrunk: at least 190 cases, in more than ten worlds, with false and undecidable ones."""
    kinds = {row["kind"] for row in _ROWS}
    labels = [e["label"] for row in _ROWS for e in row["expect"]]
    assert len(_ROWS) >= 190
    assert len({row["source"] for row in _ROWS}) > 10
    assert kinds == {"comparative", "superlative", "count", "multi-hop", "temporal", "spans", "dates"}
    assert labels.count("contradicted") > 150 and labels.count("not_found") > 15
