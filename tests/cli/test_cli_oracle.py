"""The commands with the real oracle: check, batch and explain over a small knowledge base."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from small_kb import SHAPES, write_kb

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The small knowledge base."""
    return str(write_kb(tmp_path_factory.mktemp("brooks"), shapes=SHAPES))


@pytest.mark.parametrize(("answer", "status", "decision"), [(_TRUE, 0, "licensed"), (_FALSE, 1, "abstained")])
def test_check(shell: Callable[..., Ran], kb: str, answer: str, status: int, decision: str) -> None:
    """``check`` judges, and its exit status says how."""
    ran = shell("check", answer, "--kb", kb, "--no-ledger", "--json")
    assert ran.status == status
    assert json.loads(ran.out)["decision"] == decision


def test_explain(shell: Callable[..., Ran], kb: str) -> None:
    """``explain`` says why and what would be needed."""
    ran = shell("explain", _FALSE, "--kb", kb)
    assert ran.status == 1
    assert "right would be: 12 km" in ran.out


def test_trace(shell: Callable[..., Ran], kb: str) -> None:
    """``explain --trace`` shows mentions, readings and what is left, for people and as JSON."""
    text = "Elm Brook is 12 km long. It gurgles past Arden and Zork in about 1850."
    ran = shell("explain", text, "--kb", kb, "--trace")
    assert ran.status == 1
    brook = "<https://example.org/brooks/elm>"
    for part in (
        "entity:   “Elm Brook” = https://example.org/brooks/elm",
        "quantity: “12 km” = 12 km",
        f"read as:  attribute: subject “Elm Brook” {brook}, predicates <https://example.org/brooks/length>, value 12",
        "name:     “Zork” = unknown to the knowledge base",
        "date:     “about 1850” = around 1850",
        "read as:  nothing that the knowledge base could judge",
    ):
        assert part in ran.out, ran.out
    first, second = json.loads(shell("explain", text, "--kb", kb, "--trace", "--json").out)
    assert first["claims"][0]["readings"][0]["kind"] == "attribute"
    assert second["claims"][0]["readings"] == []
    for mention in (*first["mentions"], *second["mentions"]):
        assert text[mention["start"] : mention["end"]] == mention["text"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_batch(shell: Callable[..., Ran], kb: str, tmp_path: Path, jobs: str) -> None:
    """``batch`` gives for every row the report that ``check`` gives, with one process and with two."""
    rows = [{"id": 1, "answer": _TRUE}, {"id": 2, "claims": [{"text": _FALSE}, {"text": _TRUE}]}]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    ran = shell("batch", str(source), str(target), "--kb", kb, "--no-ledger", "--jobs", jobs)
    assert ran.status == 0
    first, second = (json.loads(line) for line in target.read_text(encoding="utf-8").splitlines())
    assert first["report"]["summary"] == "fully_supported"
    assert [segment["label"] for segment in second["report"]["segments"]] == ["contradicted", "supported"]
