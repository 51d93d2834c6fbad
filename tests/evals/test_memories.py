"""Conversations in the form of LoCoMo: what is read, which claims are made, and that only a founded one passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from imprimatur.errors import InputError
from imprimatur.evals.memories import KINDS, cited, run
from imprimatur.evals.memories_set import load

_ROWS: list[dict[str, Any]] = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Mira",
            "speaker_b": "Tobias",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Mira", "dia_id": "D1:1", "text": "Mira moved to Novary in May 2021."},
                {"speaker": "Tobias", "dia_id": "D1:2", "text": "Nice!", "blip_caption": "a photo of a harbour"},
            ],
            "session_2": [{"speaker": "Tobias", "dia_id": "D2:1", "text": "Tobias plays the cello."}],
        },
        "observation": {
            "session_1_observation": {"Mira": [["Mira moved to Novary in May 2021.", "D1:1"]], "Tobias": []},
            "session_2_observation": {"Tobias": [["Tobias plays the cello.", ["D2:1"]], ["Lost.", "D9:9"]]},
        },
        "qa": [
            {"question": "When did Mira move?", "answer": 2021, "evidence": ["D1:1"], "category": 2},
            {"question": "Who plays?", "answer": "Tobias", "evidence": ["D2:1; D1:2"], "category": 1},
            {"question": "Why did Tobias move?", "adversarial_answer": "work", "evidence": ["D8:1"], "category": 5},
        ],
    }
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with one small conversation."""
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps(_ROWS), encoding="utf-8")
    return path


def test_turns_observations_and_questions_are_read(file: Path) -> None:
    """Evidence may be a text, a list, or several ids in one text; an adversarial question has no answer."""
    (found,) = load(file.parent)
    assert [turn.id for turn in found.turns] == ["D1:1", "D1:2", "D2:1"]
    assert found.turns[1].caption == "a photo of a harbour"
    assert found.speakers == ("Mira", "Tobias")
    assert [(each.answer, each.evidence) for each in found.questions] == [
        *(("2021", ("D1:1",)), ("Tobias", ("D2:1", "D1:2")), ("", ("D8:1",))),
    ]
    assert found.astray() == ("D9:9", "D8:1")


def test_each_observation_is_a_claim_in_four_ways(file: Path) -> None:
    """The speaker is exchanged, turns of another session are cited, and one that does not exist."""
    claims = list(cited(load(file)[0]))
    assert [claim.kind for claim in claims] == [*KINDS, *KINDS]
    assert claims[1].text == "Tobias moved to Novary in May 2021."
    assert claims[2].citations == ("D2:1",)
    assert claims[3].citations == ("D1:1-none",)


def test_only_the_founded_claims_pass(file: Path) -> None:
    """What is said as it was said passes; nothing else does."""
    outcome = run(file, policy=None, most=None)
    assert outcome.status == 0
    rows = {row[0]: row for row in outcome.tables[0].rows}
    assert [rows[kind][2].count for kind in KINDS] == [2, 0, 0, 0]  # type: ignore[union-attr]
    assert outcome.tables[1].rows[0] == ("multi-hop", 1, 1, 1)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"conversation": []}, "no `conversation`"),
        ({"conversation": {"session_1": []}}, "no session"),
        ({"conversation": {"session_1": [{"speaker": "A", "text": "b"}]}}, "dia_id"),
        ({"observation": {"session_1_observation": {"Mira": ["text"]}}}, "pairs"),
        ({"qa": [{"question": "?", "category": 9}]}, "category"),
    ],
)
def test_what_is_not_so_is_refused(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    """The error names the conversation."""
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{**_ROWS[0], **change}]), encoding="utf-8")
    with pytest.raises(InputError, match=what) as raised:
        load(path)
    assert "conversation 1" in str(raised.value.where)
