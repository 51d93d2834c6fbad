"""Questions over several facts: made from the graph, and never answered wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.errors import InputError
from imprimatur.evals import hops
from imprimatur.oracle import Oracle


@pytest.mark.parametrize("kb", ["rivers", "philosophers"])
def test_no_answer_is_wrong_and_most_are_given(kb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a few questions most are answered, and none wrongly."""
    assert hops.run(kb, most=24, seed=3, refused=False, as_json=True) == 0
    shares = json.loads(capsys.readouterr().out)
    assert shares["wrong"]["count"] == 0
    assert shares["right"]["count"] >= 18


def test_one_seed_gives_one_set_over_two_and_three_facts() -> None:
    """The questions of a seed are always the same, differ from each other, and have chains of both lengths."""
    part = Oracle.from_folder("rivers").knowledge.part
    assert part is not None
    first, second = ([q.text for q in hops.questions(part.judging, 12, seed)] for seed in (4, 4))
    assert first == second
    assert len(set(first)) == 12
    assert {len(q.chain) for q in hops.questions(part.judging, 12, 4)} == {4, 6}


def test_a_knowledge_base_without_a_graph_is_a_mistake(tmp_path: Path) -> None:
    """There is nothing to make questions of."""
    (tmp_path / "memory.jsonl").write_text('{"id": "a", "text": "Elm Brook is 12 km long."}\n')
    (tmp_path / "imprimatur.yaml").write_text("version: 1\nmemory: memory.jsonl\n")
    with pytest.raises(InputError, match="no graph"):
        hops.run(str(tmp_path), most=2, seed=1, refused=False, as_json=True)
