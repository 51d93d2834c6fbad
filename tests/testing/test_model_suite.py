"""The suite for models: every way to ask one passes it, and each way to fail is found."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from imprimatur.config import ModelConfig
from imprimatur.errors import InputError, ModelFailed
from imprimatur.models.asking import Completion, Prompt
from imprimatur.models.opening import open_model
from imprimatur.testing import ScriptedServer, fail, garbled, say, when
from imprimatur.testing.models import PROMPTS, Recorder, Replay, ScriptedModel, faults_of


def test_served_recorded_and_scripted_models_pass(tmp_path: Path) -> None:
    """Whether they answer, fail, or were never asked."""
    script = [when("200", fail(400)), when("long", say("It is.").torn(2)), when("word", garbled()), when("", "Yes.")]
    with ScriptedServer(script) as server:
        config = ModelConfig(base_url=server.url, name="tiny")
        assert faults_of(open_model(config)) == []
        recorder = Recorder(open_model(config), tmp_path / "answers.jsonl")
        assert faults_of(recorder) == []
    assert faults_of(Replay(tmp_path / "answers.jsonl")) == []
    assert faults_of(ScriptedModel(*["Yes."] * 20, *[ModelFailed("no")] * 20)) == []


def test_a_script_that_is_over_says_so() -> None:
    """Rather than making something up."""
    model = ScriptedModel("one")
    assert model.complete(PROMPTS[0]).text == "one"
    with pytest.raises(InputError, match="no further answer"):
        model.complete(PROMPTS[0])


class Fake:
    """A model that does one thing wrong."""

    def __init__(self, answer: Any, identity: str = "fake (1)", pause: float = 0) -> None:
        self.identity = identity
        self.answer = answer
        self.pause = pause

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """The answer, or the exception."""
        if seconds is not None and seconds < 1:
            time.sleep(self.pause)
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: Completion = self.answer
        return answer


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (Fake("text"), "with a str"),
        (Fake(ZeroDivisionError()), "raises ZeroDivisionError"),
        (Fake(Completion(text="x"), identity=" "), "no line of text"),
    ],
)
def test_what_is_wrong_is_found(model: Fake, told: str) -> None:
    """In words."""
    assert any(told in fault for fault in faults_of(model))


def test_a_model_that_does_not_mind_the_time_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take a little longer than it is given, not much."""
    monkeypatch.setattr("imprimatur.testing.models._GRACE", 0.02)
    assert any("end with its time" in fault for fault in faults_of(Fake(Completion(text="x"), pause=0.05)))
