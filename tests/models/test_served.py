"""A model behind an address, against the scripted server: what it is sent, what is read, how it is asked again."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from fractions import Fraction
from typing import Any

import pytest

from imprimatur.answer import Message
from imprimatur.clock import attended
from imprimatur.config import Key, ModelConfig, ModelLimits
from imprimatur.errors import ConfigError, ImprimaturError, LimitExceeded, ModelFailed, ShapeRefused, StoreUnavailable
from imprimatur.models.asking import Prompt, Shape, Usage
from imprimatur.models.served import ServedModel
from imprimatur.testing import ScriptedServer, fail, garbled, raw, refuse, say
from imprimatur.testing.replies import Reply

PROMPT = Prompt(messages=(Message("system", "Be brief."), Message("user", "How long is Elm Brook?")))
SHAPE = Shape(name="length", schema={"type": "object"})


def model(server: ScriptedServer, **more: Any) -> ServedModel:
    """The model that a server stands for."""
    return ServedModel(ModelConfig(base_url=server.url, name="tiny", **more))


def test_what_is_sent_and_read() -> None:
    """Messages, settings and key arrive; text, usage and the reason for the end come back."""
    limits = ModelLimits(answer_tokens=50)
    with ScriptedServer(say("12 km.").using(9, 3), key="k-1") as server:
        asked = model(server, key=Key("a test", "k-1"), temperature=Fraction(1, 2), seed=7, limits=limits)
        said = asked.complete(replace(PROMPT, shape=SHAPE))
    assert (said.text, said.finish, said.usage, said.whole()) == ("12 km.", "stop", Usage(9, 3), "12 km.")
    body = server.requests[0].body
    assert (body["temperature"], body["seed"], body["max_tokens"], body["model"]) == (0.5, 7, 50, "tiny")
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert body["response_format"]["json_schema"] == {"name": "length", "strict": True, "schema": {"type": "object"}}


def test_nothing_of_the_environment_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, addresses, organisations, headers and proxies that the environment has for the client stay there."""
    monkeypatch.setenv("OPENAI_API_KEY", "env-key")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "env-admin")
    monkeypatch.setenv("OPENAI_ORG_ID", "env-org")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "env-project")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/env")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Env: env-header")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    with ScriptedServer("Yes.") as server:
        assert model(server).complete(PROMPT).text == "Yes."
    request = server.requests[0]
    assert request.key is None
    assert "env" not in json.dumps(dict(request.headers))
    assert set(request.headers) <= {
        *("host", "accept", "accept-encoding", "content-type", "content-length", "connection", "user-agent")
    }


@pytest.mark.parametrize("first", [fail(status, retry_after=0) for status in (408, 409, 425, 429, 500, 503)])
def test_what_may_pass_is_tried_again(first: Reply) -> None:
    """Too many requests and overloaded servers are asked again."""
    with ScriptedServer([first, "12 km."]) as server:
        assert model(server).complete(PROMPT).text == "12 km."
    assert len(server.requests) == 2


@pytest.mark.parametrize(("tries", "asked"), [(1, 1), (2, 2), (5, 5)])
def test_no_more_tries_than_are_configured(tries: int, asked: int) -> None:
    """The last failure is the error, with where and how to mend it."""
    told = r"^the model tiny: answered with status 429$"
    with ScriptedServer(fail(429, retry_after=0)) as server, pytest.raises(ModelFailed, match=told) as caught:
        model(server, limits=ModelLimits(tries=tries)).complete(PROMPT)
    assert (len(server.requests), "fewer requests" in caught.value.hint) == (asked, True)


def test_the_pause_is_the_server_s() -> None:
    """``Retry-After`` as seconds or as a date, ``retry-after-ms``, and nonsense, for which the usual pause is made."""
    late = format_datetime(datetime.now(UTC) + timedelta(seconds=400), usegmt=True)
    for reply in (fail(503, retry_after=400), fail(503, retry_after=late)):
        with ScriptedServer([reply]) as server, pytest.raises(LimitExceeded, match="no time to ask again"):
            model(server).complete(PROMPT)
    for told, low, high in (
        ("0.3", 0.3, 2),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0, 0.4),
        ("soon", 0.5, 3),
        ("-1", 0.5, 3),
    ):
        with ScriptedServer([fail(503, retry_after=told), "Yes."]) as server:
            asked = model(server)
            asked._opened()
            before = time.monotonic()
            asked.complete(PROMPT)
            assert low <= time.monotonic() - before < high
    with ScriptedServer([raw("", status=429, retry_after_ms="10"), "Yes."]) as server:
        assert model(server).complete(PROMPT).text == "Yes."


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        (fail(400, "bad"), ModelFailed, "status 400"),
        (fail(401), ModelFailed, "status 401"),
        (fail(404), ModelFailed, "status 404"),
        (raw("", status=302, location="http://127.0.0.1:9/"), ModelFailed, "status 302"),
        (raw("<html>no</html>", content_type="text/html"), ModelFailed, "no completion"),
        (garbled(), ModelFailed, "no completion"),
        (raw("[" * 100_000), ModelFailed, "no completion"),
        (raw('{"choices": [{"message": {"content": [1]}}]}'), ModelFailed, "no completion"),
        (raw('{"choices": [{"message": {"content": "x"}, "finish_reason": 5}]}'), ModelFailed, "no completion"),
        (raw("x" * ((1 << 20) + 1)), ModelFailed, "more than a megabyte"),
    ],
)
def test_what_does_not_pass_is_an_error(reply: Reply, kind: type[ImprimaturError], told: str) -> None:
    """Asked once; the error says what and where, and nothing that the server said."""
    with ScriptedServer(reply) as server, pytest.raises(kind, match=told) as caught:
        model(server).complete(PROMPT)
    assert (len(server.requests), caught.value.where) == (1, "the model tiny")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_server_that_is_not_there() -> None:
    """The error names the system's reason, and how to mend it; it may be tried later."""
    server = ScriptedServer()
    server.close()
    with pytest.raises(StoreUnavailable, match="cannot be reached: ConnectionRefusedError") as caught:
        model(server, limits=ModelLimits(tries=1)).complete(PROMPT)
    assert ("base_url" in caught.value.hint, caught.value.retryable) == (True, True)


def test_time_ends_however_the_server_sends() -> None:
    """Silence, drops and a slow stream: no more than the seconds are spent."""
    slow = say("word " * 200).slow(0.2)
    for reply in (say("x").late(60), slow, slow.torn(1)):
        with ScriptedServer(reply) as server:
            asked = model(server)
            asked._opened()
            before = time.monotonic()
            with pytest.raises(LimitExceeded, match="late"):
                asked.complete(PROMPT, seconds=0.5)
            with pytest.raises(LimitExceeded, match="late"):
                list(asked.stream(PROMPT, seconds=0.5))
            assert time.monotonic() - before < 2.5


def test_a_stream_gives_texts_and_then_the_whole() -> None:
    """Word by word, then text, usage and the end; nothing is asked before the first is taken."""
    with ScriptedServer(say("Elm Brook is 12 km long.").using(4, 6)) as server:
        stream = model(server).stream(PROMPT)
        assert (server.requests, stream.completion) == ([], None)
        assert list(stream) == ["Elm ", "Brook ", "is ", "12 ", "km ", "long."]
    assert stream.completion is not None
    assert (stream.completion.text, stream.completion.usage) == ("Elm Brook is 12 km long.", Usage(4, 6))


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (say("one two three").cut(5), "cannot be reached|before the end"),
        (say("one two three").breaking("sk-secret"), "no completion|status|error"),
        (raw("data: {\n\n", content_type="text/event-stream"), "no completion"),
        (raw('data: {"choices": [{"delta": {"content": 5}}]}\n\n', content_type="text/event-stream"), "no completion"),
        (raw("", content_type="text/event-stream"), "before the end"),
        (raw('{"choices": []}'), "before the end"),
        (fail(400), "status 400"),
    ],
)
def test_a_stream_that_breaks_is_an_error(reply: Reply, told: str) -> None:
    """What was given out stays; the rest is not made up, and no second answer is begun behind it."""
    with ScriptedServer(reply) as server:
        stream = model(server, limits=ModelLimits(tries=1)).stream(PROMPT)
        with pytest.raises((ModelFailed, StoreUnavailable), match=told) as caught:
            list(stream)
    assert (stream.completion, len(server.requests)) == (None, 1)
    assert "sk-secret" not in str(caught.value)


def test_a_stream_is_begun_again_and_may_be_given_up() -> None:
    """A failure before the first text is tried again; closing in the middle ends it."""
    with ScriptedServer([fail(503, retry_after=0), say("one two three")]) as server:
        asked = model(server)
        stream = asked.stream(PROMPT)
        assert next(iter(stream)) == "one "
        stream.close()
        assert stream.completion is None
    assert len(server.requests) == 2


def test_a_refusal_and_a_cut_answer_are_values() -> None:
    """``whole`` raises for them."""
    with ScriptedServer([refuse("I cannot"), say("Elm", finish="length")]) as server:
        asked = model(server)
        refused, cut = asked.complete(PROMPT), asked.complete(PROMPT)
    assert (refused.refusal, cut.finish) == ("I cannot", "length")
    with pytest.raises(ModelFailed, match="refused"):
        refused.whole()
    with pytest.raises(ModelFailed, match="before the end: length") as caught:
        cut.whole()
    assert "answer_tokens" in caught.value.hint


def test_halves_of_surrogates_are_replaced() -> None:
    """What no output can carry does not get in."""
    with ScriptedServer(raw('{"choices": [{"message": {"content": "a\\ud800b"}, "finish_reason": "stop"}]}')) as server:
        assert model(server).complete(PROMPT).text == "a?b"


def test_a_form_that_is_not_known_is_told_apart() -> None:
    """400 to a request with a schema may mean the schema; 401 does not."""
    with ScriptedServer([fail(400), fail(401)]) as server:
        with pytest.raises(ShapeRefused):
            model(server).complete(replace(PROMPT, shape=SHAPE))
        with pytest.raises(ModelFailed) as caught:
            model(server).complete(replace(PROMPT, shape=SHAPE))
    assert type(caught.value) is ModelFailed


def minds(*names: str) -> Any:
    """A server that refuses settings by name, as OpenAI's does."""

    def answer(request: Any) -> Reply:
        for name in names:
            if name in request.body:
                error = {"message": "Unsupported", "param": name, "code": "unsupported_parameter"}
                return raw(json.dumps({"error": error}), status=400)
        return say("Yes.")

    return answer


def test_settings_that_a_server_does_not_know_are_left_out() -> None:
    """Once for each, and remembered; ``max_tokens`` is called by its newer name first."""
    with ScriptedServer(minds("temperature", "seed", "max_tokens")) as server:
        asked = model(server)
        assert asked.complete(PROMPT).text == asked.complete(PROMPT).text == "Yes."
    last = server.requests[-1].body
    assert ("temperature" in last, "seed" in last, last.get("max_completion_tokens")) == (False, False, 1000)
    assert len(server.requests) == 5
    with ScriptedServer(minds("max_tokens", "max_completion_tokens")) as server:
        assert model(server).complete(PROMPT).text == "Yes."
    assert "max_completion_tokens" not in server.requests[-1].body
    with ScriptedServer(minds("stream_options")) as server:
        assert list(model(server).stream(PROMPT)) == ["Yes."]
    with ScriptedServer(minds("messages")) as server, pytest.raises(ModelFailed, match="status 400"):
        model(server).complete(PROMPT)


def test_vectors() -> None:
    """One for each text, in order, over several requests."""
    with ScriptedServer(embed=lambda text: [float(text), 1.0]) as server:
        found = model(server).embed([str(number) for number in range(130)])
    assert found == [(float(number), 1.0) for number in range(130)]
    assert (len(server.requests), server.requests[0].body["encoding_format"]) == (3, "float")
    assert server.requests[0].body["model"] == "tiny"


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        '{"data": []}',
        '{"data": [{"index": 1, "embedding": [1]}]}',
        '{"data": [{"index": 0, "embedding": []}]}',
        '{"data": [{"index": 0, "embedding": ["a"]}]}',
        '{"data": [{"index": 0, "embedding": [NaN]}]}',
        '{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}',
    ],
)
def test_what_is_no_vector(body: str) -> None:
    """Too few, none, other numbers, or text."""
    with ScriptedServer(embed=raw(body)) as server, pytest.raises(ModelFailed, match="no vectors"):
        model(server).embed(["one"])


def test_vectors_of_two_lengths_are_none() -> None:
    """Also over several requests."""
    texts = [str(number) for number in range(65)]
    server = ScriptedServer(embed=lambda text: [1.0] * (1 if int(text) < 64 else 2))
    with server, pytest.raises(ModelFailed, match="different lengths"):
        model(server).embed(texts)


def test_what_is_missing_is_told_when_it_is_opened() -> None:
    """Address and name."""
    with pytest.raises(ConfigError, match="`base_url` is missing"):
        ServedModel(ModelConfig(name="tiny"))
    with pytest.raises(ConfigError, match="`name` is missing"):
        ServedModel(ModelConfig(base_url="http://127.0.0.1:9/v1"))


def test_the_identity_names_what_answers_depend_on() -> None:
    """The name in words; address, temperature and seed in the hash."""
    config = ModelConfig(base_url="http://127.0.0.1:9/v1", name="tiny")
    others = [
        replace(config, base_url="http://127.0.0.1:8/v1"),
        replace(config, seed=1),
        replace(config, temperature=Fraction(1)),
        replace(config, temperature=None),
    ]
    known = {ServedModel(each).identity for each in (config, *others)}
    assert (len(known), all(name.startswith("tiny (") for name in known)) == (5, True)


@pytest.mark.parametrize("reply", [say("12 km.").late(5), fail(429, retry_after=5)], ids=["late", "pausing"])
def test_what_nobody_waits_for_is_given_up(reply: Reply) -> None:
    """A question whose asker goes away ends soon, while its answer or the pause before the next try is waited for."""
    with ScriptedServer([reply, say("12 km.")]) as server:
        asked = model(server)
        begun = time.monotonic()
        with attended(lambda: time.monotonic() > begun + 0.3), pytest.raises(LimitExceeded):
            asked.complete(PROMPT)
        assert time.monotonic() - begun < 4
