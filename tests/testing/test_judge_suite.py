"""The suite for judges: every kind passes it, and each way to fail is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from made_models import onnx_model

from imprimatur.config import JudgeConfig
from imprimatur.judges.opening import kinds
from imprimatur.protocols import Case, Mark, Opinion
from imprimatur.testing import ScriptedServer, fail, say_json, when
from imprimatur.testing.judges import CASES, faults_of
from imprimatur.verdict import Label

YES = Opinion(label=Label.SUPPORTED, score=0.5)


@pytest.mark.parametrize("kind", ["pairs", "nli", "tokens"])
def test_judges_of_a_folder_pass(tmp_path: Path, kind: str) -> None:
    """Whatever the text, they judge it or say why not."""
    weights = {"50": ((0.0, 0.0), (0.0, 5.0)), "kiln": ((0.5, 0.1), (0.3, 0.2))}
    labels = ["entailment", "contradiction"] if kind == "nli" else ["A", "B"]
    folder = onnx_model(tmp_path / "m", weights, labels=labels, each_token=kind == "tokens", longest=200)
    judge = kinds().get(kind)(JudgeConfig(name="made", kind=kind, path=folder)).judge
    assert faults_of(judge) == []
    assert judge.weigh(CASES[:1], seconds=5)[0].label is not Label.UNCHECKED


def test_a_language_model_passes() -> None:
    """It answers some and fails for others; every fault of the server stays with its case."""
    script = [when("50 plates", fail(400)), when("", say_json({"verdict": "supported", "score": 1, "words": ["kiln"]}))]
    with ScriptedServer(script) as server:
        config = JudgeConfig(name="made", kind="llm", url=server.url, model="tiny")
        assert faults_of(kinds().get("llm")(config).judge) == []


@dataclass
class Fake:
    """A judge that is made of a function."""

    says: Callable[[Sequence[Case]], list[Opinion]]
    name: str = "fake"
    fingerprint: str = "1"

    def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
        """What the function says."""
        return self.says(cases)


def test_every_way_to_fail_is_found() -> None:
    """Missing names, exceptions, wrong numbers of opinions, unsound ones, and opinions that hang on each other."""

    def told(says: Callable[[Sequence[Case]], list[Opinion]], **more: str) -> str:
        return "; ".join(faults_of(Fake(says, **more)))

    assert told(lambda cases: [YES] * len(cases)) == ""
    assert "no fingerprint" in told(lambda cases: [YES] * len(cases), fingerprint="")
    assert "ZeroDivisionError" in told(lambda cases: [YES] * (1 // (len(cases) - len(cases))))
    assert "gave 1 opinions on 9 cases" in told(lambda cases: [YES])
    assert "score is nan" in told(lambda cases: [replace(YES, score=float("nan"))] * len(cases))
    assert "no opinion" in told(lambda cases: [replace(YES, label=Label.AMBIGUOUS)] * len(cases))
    assert "words that are not there" in told(lambda cases: [replace(YES, marks=(Mark(3, 3, "x"),))] * len(cases))
    assert "does not say why" in told(lambda cases: [Opinion(label=Label.UNCHECKED)] * len(cases))
    assert "cases beside it" in told(lambda cases: [replace(YES, score=1 / len(cases))] * len(cases))
