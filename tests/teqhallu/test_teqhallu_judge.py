"""TeQHallu as a trained judge: it lowers, and never raises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlglot", reason="the extra `tables` is not installed")
pytest.importorskip("openai", reason="the extra `models` is not installed")

from made_teqhallu import brooks_model, claim, script, verdict

from imprimatur import Oracle
from imprimatur.config import JudgeConfig
from imprimatur.errors import ConfigError
from imprimatur.judges.opening import kinds
from imprimatur.protocols import Case, Opinion
from imprimatur.testing import Request, ScriptedServer, say, say_json
from imprimatur.testing.judges import faults_of
from imprimatur.verdict import Label, Reason

_TEXT = "Elm Brook is 12 km long and flows into Oak Brook."


def _weigh(answers: Any, *claims: str, seconds: float = 30) -> list[Opinion]:
    with ScriptedServer(script(answers)) as server:
        entry = JudgeConfig(name="t", kind="teqhallu", base_url=server.url, model="m")
        judge = kinds().get("teqhallu")(entry).judge
        return list(judge.weigh([Case(claim=each, texts=(_TEXT,)) for each in claims], seconds=seconds))


def _model(said: str = "supported", whole: str = "fully supported") -> dict[str, Any]:
    def selected(request: Request) -> Any:
        response = json.loads(request.said_by("user").split("\n")[0])["response"]
        return say_json({"claims": [claim(response, "SELECT entity_id, length_km FROM brooks")], "aliases": []})

    judge = {"claims": [verdict(1, said, rows=[1])], "reason": "", "verdict": whole}
    return brooks_model(select=selected, judge=judge)


@pytest.mark.parametrize(
    ("said", "whole", "label"),
    [
        ("supported", "fully supported", Label.SUPPORTED),
        ("supported", "partially supported", Label.NOT_FOUND),
        ("not found", "unsupported", Label.NOT_FOUND),
        ("contradicted", "contradicted", Label.CONTRADICTED),
    ],
)
def test_opinions(said: str, whole: str, label: Label) -> None:
    """Agreement only where everything is."""
    (found,) = _weigh(_model(said, whole), "Elm Brook is 12 km long.")
    assert found.label is label


def test_a_failure_is_unchecked() -> None:
    """Prose, or no time; the others count."""
    answers = _model() | {"initial": [say("Fine!")] * 3 + [say_json(brooks_model()["initial"])]}
    assert _weigh(answers, "Elm Brook is 12 km long.")[0].label is Label.UNCHECKED
    (late,) = _weigh({}, "Elm Brook is 12 km long.", seconds=0)
    assert (late.label, late.detail) == (Label.UNCHECKED, "the time for this sample is over")


@pytest.mark.slow
def test_it_passes_the_suite_of_judges() -> None:
    """Sound opinions for strange cases, alone and in a batch."""
    with ScriptedServer(script(_model())) as server:
        entry = JudgeConfig(name="t", kind="teqhallu", base_url=server.url, model="m")
        assert faults_of(kinds().get("teqhallu")(entry).judge) == []


@pytest.mark.parametrize(("said", "label"), [("supported", Label.SUPPORTED), ("not found", Label.NOT_FOUND)])
def test_an_answer_is_lowered(tmp_path: Path, said: str, label: Label) -> None:
    """What the passages bear out stays or is lowered; what they do not bear out is not even asked about."""
    (tmp_path / "brooks.txt").write_text(_TEXT, encoding="utf-8")
    with ScriptedServer(script(_model(said, "fully supported"))) as server:
        entry = f"{{kind: teqhallu, name: t, base_url: '{server.url}', model: m, seconds: 60}}"
        config = f"version: 1\npassages: [brooks.txt]\njudges:\n  - {entry}\n"
        (tmp_path / "imprimatur.yaml").write_text(config, encoding="utf-8")
        report = Oracle.from_folder(str(tmp_path)).check("Elm Brook is 12 km long. Elm Brook is 15 km long.")
        asked = server.prompts
    first, second = (segment.claims[0].verdict for segment in report.segments)
    assert first.label is label
    assert (Reason.JUDGE_DISAGREES in first.reasons) == (label is not Label.SUPPORTED)
    assert second.label is not Label.SUPPORTED
    assert asked
    assert not any("15 km" in prompt for prompt in asked)


def test_what_an_entry_lacks() -> None:
    """A server and a model's name."""
    with pytest.raises(ConfigError, match="missing"):
        kinds().get("teqhallu")(JudgeConfig(name="t", kind="teqhallu", base_url="http://127.0.0.1:9/v1"))
