"""``imprimatur model check``, and how the options, the environment and the knowledge base name a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.cli.model_options import ModelOptions
from imprimatur.config import Key, ModelConfig
from imprimatur.errors import InputError
from imprimatur.testing import ScriptedServer, fail, say, say_json

Shell = Callable[..., Ran]
BASE = ModelConfig(base_url="http://base/v1", name="base", key=Key("the base's", "base-key"))


def test_a_model_that_answers(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its identity, how long it took, and the form of JSON that it takes; nothing of what it says."""
    monkeypatch.setenv("A_KEY", "sk-test-0123456789")
    with ScriptedServer([say("certainly"), fail(400), say_json({"ready": True})], key="sk-test-0123456789") as server:
        options = ("--base-url", server.url, "--model", "tiny", "--key-env", "A_KEY")
        ran = shell("model", "check", *options, "--json")
    found = json.loads(ran.out)
    assert (ran.status, found["json"], found["tokens"]) == (0, "yes, asked for as object", 6)
    assert found["model"].startswith("tiny (")
    assert "certainly" not in ran.out + ran.err
    assert "sk-test" not in ran.out + ran.err


def test_models_that_cannot_be_asked(shell: Shell, tmp_path: Path) -> None:
    """Exit status 2 for a mistake, 3 for a failure, each with where and how to mend it."""
    assert "no model is configured" in shell("model", "check").err
    ran = shell("model", "check", "--weights", str(tmp_path / "absent.gguf"))
    assert (ran.status, "cannot be read" in ran.err) == (2, True)
    with ScriptedServer(fail(401)) as server:
        (tmp_path / "imprimatur.yaml").write_text(f"version: 1\nmodel: {{base_url: '{server.url}', name: tiny}}\n")
        ran = shell("model", "check", "--kb", str(tmp_path))
    assert (ran.status, "status 401" in ran.err, "key_env" in ran.err) == (3, True, True)
    with ScriptedServer([say("x"), *[say("no JSON")] * 3]) as server:
        ran = shell("model", "check", "--base-url", server.url, "--model", "tiny")
    assert (ran.status, "json     no: answered 3 times" in ran.out) == (0, True)


def test_the_command_line_goes_before_the_environment() -> None:
    """And that before the knowledge base."""
    environ = {"IMPRIMATUR_MODEL_URL": "http://env/v1", "IMPRIMATUR_MODEL_NAME": "env"}
    assert ModelOptions().config(BASE, {}) == BASE
    found = ModelOptions().config(BASE, environ)
    assert (found.base_url, found.name) == ("http://env/v1", "env")
    found = ModelOptions(name="line", temperature="0.7", seed=3).config(BASE, environ)
    assert (found.base_url, found.name, found.temperature, found.seed) == ("http://env/v1", "line", Fraction(7, 10), 3)
    found = ModelOptions(weights=Path("a.gguf")).config(BASE, environ)
    assert (found.base_url, found.path, found.key) == (None, Path("a.gguf"), None)


def test_a_key_goes_to_the_address_that_it_was_named_with() -> None:
    """Another address gets none, or its own."""
    environ = {"IMPRIMATUR_MODEL_URL": "http://env/v1/", "K": "env-key"}
    assert ModelOptions().config(BASE, environ).key is None
    found = ModelOptions().config(BASE, {**environ, "IMPRIMATUR_MODEL_KEY_ENV": "K"})
    assert (found.base_url, found.key and found.key.reveal()) == ("http://env/v1", "env-key")
    assert (
        ModelOptions(base_url="http://line/v1").config(BASE, {"IMPRIMATUR_MODEL_KEY_ENV": "K", **environ}).key is None
    )
    found = ModelOptions(key_env="K").config(BASE, {"K": "other"})
    assert (found.base_url, found.key and found.key.reveal()) == ("http://base/v1", "other")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (ModelOptions(base_url="localhost"), "not the address"),
        (ModelOptions(base_url="http://a/v1", weights=Path("b")), "not both"),
        (ModelOptions(key_env="A", key_file=Path("b")), "not both"),
        (ModelOptions(key_env="sk-0123-secret"), "does not"),
        (ModelOptions(temperature="hot"), "from 0 to 2"),
        (ModelOptions(temperature="NaN"), "from 0 to 2"),
        (ModelOptions(temperature="3"), "from 0 to 2"),
    ],
)
def test_wrong_options(options: ModelOptions, told: str) -> None:
    """Each says what is wrong; a key in the wrong place is not repeated."""
    with pytest.raises(InputError, match=told) as caught:
        options.config(None, {})
    assert "secret" not in str(caught.value)
