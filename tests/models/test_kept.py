"""Answers that are kept by content: given again without the model, and only those that came to their end."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.answer import Message
from imprimatur.errors import InputError, ModelFailed
from imprimatur.models.asking import Completion, Prompt, Shape, Usage
from imprimatur.models.kept import Kept
from imprimatur.testing.models import ScriptedModel, faults_of

_ONE, _TWO = (Prompt(messages=(Message("user", text),)) for text in ("one", "two"))


def test_a_prompt_is_asked_once(tmp_path: Path) -> None:
    """In one run and from one to the next, with its usage; another prompt, or form of answer, is asked."""
    file = tmp_path / "kept.jsonl"
    model = ScriptedModel(Completion(text="1", usage=Usage(5, 6)), "2", "3")
    kept = Kept(model, file)
    assert [kept.complete(each).text for each in (_ONE, _TWO, _ONE)] == ["1", "2", "1"]
    assert (len(model.prompts), kept.answered) == (2, 1)
    again = Kept(model, file)
    assert again.complete(_ONE).usage == Usage(5, 6)
    shaped = Prompt(messages=_ONE.messages, shape=Shape(name="x"))
    assert again.complete(shaped).text == "3"
    assert Kept(ScriptedModel(), file).complete(shaped).text == "3"


def test_failures_are_asked_again(tmp_path: Path) -> None:
    """Errors, refusals and answers that were cut off are not kept."""
    file = tmp_path / "kept.jsonl"
    kept = Kept(ScriptedModel(ModelFailed("gone"), Completion(text="c", finish="length"), "whole"), file)
    with pytest.raises(ModelFailed):
        kept.complete(_ONE)
    assert [kept.complete(_ONE).text for _ in range(3)] == ["c", "whole", "whole"]


def test_another_model_s_answers_are_refused(tmp_path: Path) -> None:
    """A file is of one model; what is no such file is told, too."""
    file = tmp_path / "kept.jsonl"
    Kept(ScriptedModel("1"), file).complete(_ONE)
    with pytest.raises(InputError, match="has answers of scripted"):
        Kept(ScriptedModel(identity="other (1)"), file)
    file.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(InputError, match="no recorded answer"):
        Kept(ScriptedModel(), file)


def test_it_keeps_what_models_promise(tmp_path: Path) -> None:
    """The suite for models passes on a kept one."""
    assert faults_of(Kept(ScriptedModel(*["a"] * 40), tmp_path / "kept.jsonl")) == []
