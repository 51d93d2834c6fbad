"""A canary for a key, sent down every path that fails: it is in no error, log, output, report or representation."""

from __future__ import annotations

import json
import logging
import pickle
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from imprimatur.answer import Message
from imprimatur.config import Key, ModelConfig, ModelLimits, file_key, load_folder, named_key
from imprimatur.errors import ConfigError, ImprimaturError
from imprimatur.models.asking import Prompt, Shape
from imprimatur.models.opening import open_model
from imprimatur.models.recorded import Recorder
from imprimatur.models.served import ServedModel
from imprimatur.models.structured import Structured
from imprimatur.testing import ScriptedServer, fail, raw, say
from imprimatur.testing.replies import Reply

CANARY = "sk-canary-7f3a9c51e0"
PROMPT = Prompt(messages=(Message("user", "How long is Elm Brook?"),))
SHAPE = Shape(name="length", schema={"type": "object", "required": ["km"]})

REPLIES: dict[str, Reply] = {
    "refused": fail(401, f"Incorrect API key provided: {CANARY}"),
    "forbidden": fail(403, CANARY),
    "too many": fail(429, CANARY, retry_after=0),
    "retry": fail(503, CANARY, retry_after=CANARY),
    "redirect": raw(CANARY, status=302, location=f"http://127.0.0.1:9/{CANARY}"),
    "header": raw(CANARY, status=400, x_echo=CANARY),
    "no json": raw(f"Bearer {CANARY}"),
    "said": say(f"Your key is {CANARY}."),
    "torn": say(f"Your key is {CANARY}.").torn(1),
    "in bits": say(f"Your key is {CANARY}.").pieces(size=3),
    "escaped": raw(json.dumps({"choices": [{"message": {"content": CANARY}}]}).replace("-", "\\u002d")),
    "torn error": fail(401, CANARY).torn(1),
    "cut": say(f"Your key is {CANARY}, I think.").cut(250),
    "frame": say("one two").breaking(CANARY),
    "late": say(CANARY).late(60),
}


def _complete(model: ServedModel, seconds: float) -> Any:
    return model.complete(PROMPT, seconds=seconds)


def _stream(model: ServedModel, seconds: float) -> Any:
    stream = model.stream(PROMPT, seconds=seconds)
    return [*stream, stream.completion]


def _embed(model: ServedModel, seconds: float) -> Any:
    return model.embed(["one"], seconds=seconds)


def _structured(model: ServedModel, seconds: float) -> Any:
    return Structured(model, repairs=1).ask(PROMPT, SHAPE, seconds=seconds)


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("ask", [_complete, _stream, _embed, _structured])
@pytest.mark.parametrize("name", REPLIES)
def test_no_path_shows_the_key(
    name: str,
    ask: Callable[[ServedModel, float], Any],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Whatever the server does with it; with logging at its most talkative."""
    shown: list[str] = []
    behind: list[BaseException | None] = []
    with caplog.at_level(1), ScriptedServer(REPLIES[name], embed=REPLIES[name]) as server:
        for logger in ("openai", "httpx2", "httpcore2", "httpcore2.http11", "httpcore2.connection"):
            logging.getLogger(logger).setLevel(1)
        key = Key("a test", CANARY)
        config = ModelConfig(base_url=server.url, name="tiny", key=key, limits=ModelLimits(tries=2))
        model = ServedModel(config)
        try:
            shown.append(repr(ask(model, 0.5 if name == "late" else 10)))
        except ImprimaturError as fault:
            shown += [str(fault), repr(fault), fault.hint, fault.where, repr(pickle.loads(pickle.dumps(fault)))]
            shown += traceback.format_exception(fault)
            behind += [fault.__cause__, fault.__context__]
        shown += [repr(model), model.identity, repr(config), repr(key), str(key)]
        assert server.requests[0].key == CANARY
    printed = capfd.readouterr()
    shown += [caplog.text, printed.out, printed.err, *(repr(record.__dict__) for record in caplog.records)]
    assert [text for text in shown if CANARY in text] == []
    assert [each for each in behind if each is not None] == []


def test_recordings_have_no_key(tmp_path: Path) -> None:
    """Neither where the model answered nor where it failed."""
    for number, reply in enumerate([say(f"It is {CANARY}."), fail(401, CANARY)]):
        path = tmp_path / f"{number}.jsonl"
        with ScriptedServer(reply, key=CANARY) as server:
            config = ModelConfig(base_url=server.url, name="tiny", key=Key("a test", CANARY))
            recorder = Recorder(ServedModel(config), path)
            with suppress(ImprimaturError):
                recorder.complete(PROMPT)
        text = path.read_text(encoding="utf-8")
        assert ("Elm Brook" in text, CANARY in text) == (True, False)


@pytest.mark.parametrize(
    ("block", "told"),
    [
        (f"{{api_key: {CANARY}}}", "does not stand in this file"),
        (f"{{key_env: {CANARY}}}", "not the name of an environment variable"),
        ("{key_env: A, key_file: b}", "not both"),
        (f"{{base_url: 'http://me:{CANARY}@host/v1'}}", "user name"),
        (f"{{base_url: 'http://host/v1?key={CANARY}'}}", "not the address"),
    ],
)
def test_a_key_in_the_wrong_place_is_not_repeated(tmp_path: Path, block: str, told: str) -> None:
    """The error says where keys belong."""
    (tmp_path / "imprimatur.yaml").write_text(f"version: 1\nmodel: {block}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=told) as caught:
        load_folder(tmp_path, environ={})
    assert CANARY not in "".join(traceback.format_exception(caught.value)) + caught.value.hint


def test_a_key_is_asked_for_only_when_a_model_is_opened(tmp_path: Path) -> None:
    """A check without a model needs none; opening says which variable or file it is."""
    text = "version: 1\nmodel: {base_url: 'http://127.0.0.1:9/v1', name: tiny, key_env: NOT_SET}\n"
    (tmp_path / "imprimatur.yaml").write_text(text, encoding="utf-8")
    config = load_folder(tmp_path, environ={}).model
    assert config is not None
    with pytest.raises(ConfigError, match="the environment variable NOT_SET: no key is there") as caught:
        open_model(config)
    assert "key_env" in caught.value.hint


def test_keys_in_files(tmp_path: Path) -> None:
    """White space around is left out; what is no key, or not there, is told by the file's name alone."""
    (tmp_path / "good").write_text(f"\n{CANARY}\n")
    assert file_key(tmp_path / "good").reveal() == CANARY
    (tmp_path / "two").write_text(f"{CANARY}\n{CANARY}\n")
    (tmp_path / "other").write_bytes(b"\xff\xfe" + CANARY.encode())
    (tmp_path / "empty").write_text("")
    for name in ("two", "other", "empty", "absent"):
        key = file_key(tmp_path / name)
        with pytest.raises(ConfigError, match="key") as caught:
            key.reveal()
        assert name in caught.value.where
        assert CANARY not in repr(key) + str(caught.value)


def test_keys_in_the_environment() -> None:
    """A line break at the end is no part of it; one inside is a mistake."""
    assert named_key("K", {"K": f"{CANARY}\n"}).reveal() == CANARY
    with pytest.raises(ConfigError, match="no key"):
        named_key("K", {"K": f"{CANARY}\nx"}).reveal()
