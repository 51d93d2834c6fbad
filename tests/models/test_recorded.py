"""Answers are kept, and given again without the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from imprimatur.answer import Message
from imprimatur.errors import InputError, LimitExceeded, ModelFailed
from imprimatur.models.asking import Completion, Prompt, Shape, Usage, fingerprint
from imprimatur.models.recorded import Recorder, Replay
from imprimatur.testing.models import ScriptedModel as Told

PROMPT = Prompt(messages=(Message("user", "How long is Elm Brook? “12 km”\u2028"),))
OTHER = replace(PROMPT, tokens=5)
WHOLE = Completion(text="It is\u2028 12 km.", finish="length", refusal="", usage=Usage(3, 4))


def test_what_is_recorded_is_replayed(tmp_path: Path) -> None:
    """Text, end, usage and failures; equal prompts in order, the last one again and again."""
    path = tmp_path / "answers.jsonl"
    recorder = Recorder(Told(WHOLE, "two", LimitExceeded("was late")), path)
    recorder.complete(PROMPT)
    recorder.complete(PROMPT)
    with pytest.raises(LimitExceeded):
        recorder.complete(OTHER)
    replay = Replay(path)
    assert replay.identity == "scripted (0)"
    assert [replay.complete(PROMPT) for _ in range(3)] == [WHOLE, Completion(text="two"), Completion(text="two")]
    with pytest.raises(LimitExceeded, match="was late"):
        replay.complete(OTHER)
    stream = replay.stream(PROMPT)
    assert (list(stream), stream.completion) == (["two"], Completion(text="two"))


def test_another_prompt_was_not_recorded(tmp_path: Path) -> None:
    """Every part of a prompt counts, and the model does."""
    path = tmp_path / "answers.jsonl"
    Recorder(Told("one"), path).complete(PROMPT)
    with pytest.raises(InputError, match="no answer to 'How long"):
        Replay(path).complete(OTHER)
    shaped = replace(PROMPT, shape=Shape(name="a"))
    other = replace(shaped, shape=Shape(name="a", schema={"type": "object"}))
    keys = {fingerprint(name, prompt) for name in "ab" for prompt in (PROMPT, OTHER, shaped, other)}
    assert len(keys) == 8


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "0 models"),
        ("{", "no recorded answer"),
        ('{"key": "a", "model": "m"}', "no recorded answer"),
        ('{"key": "a", "model": "m", "answer": {"text": "x"}}', "no recorded answer"),
        ('{"key": "a", "model": "m", "answer": {"text": "x", "finish": "stop", "usage": [1]}}', "no recorded answer"),
        ("[" * 50_000, "no recorded answer"),
    ],
)
def test_a_file_that_is_none(tmp_path: Path, text: str, told: str) -> None:
    """The line is named."""
    path = tmp_path / "answers.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        Replay(path)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    """Absent, or not to be written; answers of two models do not mix."""
    with pytest.raises(InputError, match="cannot be read"):
        Replay(tmp_path / "absent.jsonl")
    with pytest.raises(InputError, match="cannot be written"):
        Recorder(Told("one"), tmp_path / "no" / "folder.jsonl").complete(PROMPT)
    path = tmp_path / "answers.jsonl"
    for name in ("a (1)", "b (2)"):
        told = Told("one", identity=name)
        Recorder(told, path).complete(PROMPT)
    with pytest.raises(InputError, match="2 models"):
        Replay(path)


def test_an_error_of_a_later_kind_is_a_failure(tmp_path: Path) -> None:
    """A name that this release does not know is still an error."""
    path = tmp_path / "answers.jsonl"
    Recorder(Told(ModelFailed("status 500")), path)
    key = fingerprint("m", PROMPT)
    path.write_text(f'{{"key": "{key}", "model": "m", "answer": {{"error": "Later", "message": "x"}}}}\n')
    with pytest.raises(ModelFailed, match="x"):
        Replay(path).complete(PROMPT)
