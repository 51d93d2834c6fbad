"""Claims in free words about twenty fields: what must not pass does not, and what passed goes on passing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from imprimatur.oracle import Oracle
from imprimatur.tagged import TaggedClaim

_GOLDEN = Path(__file__).parents[2] / "golden" / "fence"


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("field", "passing"),
    [("fields-a", 52), ("fields-b", 52), ("fields-c", 15), ("fields-d", 13)],
)
def test_claims_in_free_words(tmp_path: Path, field: str, passing: int) -> None:
    """Of the wrong claims none passes; of the true ones at least so many do (parts of sentences are kept apart)."""
    entries = [{"id": row["id"], "text": row["text"]} for row in _rows(_GOLDEN / field / "memory.jsonl")]
    (tmp_path / "memory.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\npolicy: strict\nmemory: memory.jsonl\n", encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    passed: dict[str, set[str]] = {"pass": set(), "reject": set()}
    for row in _rows(_GOLDEN / field / "claims.jsonl"):
        claim = TaggedClaim(text=row["text"], kind=row["kind"].lower(), citations=tuple(row["citations"]))
        labels = {segment.label.value for segment in oracle.check_claims([claim]).segments}
        if labels == {"supported"} and not row["borderline"]:
            passed[row["label"]].add(row["id"])
    assert passed["reject"] == set()
    assert len(passed["pass"]) >= passing
