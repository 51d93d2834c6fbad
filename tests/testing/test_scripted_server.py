"""The scripted model server: what it answers on the wire, how its script chooses, and how it fails on purpose."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from imprimatur.errors import InputError
from imprimatur.testing import (
    ScriptedServer,
    Step,
    When,
    call,
    fail,
    garbled,
    raw,
    recorded,
    refuse,
    say,
    say_json,
    when,
)
from imprimatur.testing.plugin import scripted_server

__all__ = ["scripted_server"]

Asked = tuple[int, dict[str, str], bytes]


def ask(server: ScriptedServer, prompt: str = "Hello", **more: Any) -> Asked:
    """Status, headers and body of one chat request."""
    body = {"model": "tiny", "messages": [{"role": "user", "content": prompt}], **more}
    return send(server, "POST", "/chat/completions", body)


def send(server: ScriptedServer, method: str, path: str, body: Any = None, key: str = "k") -> Asked:
    """Status, headers and body of one request."""
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, parts.path + path, data, {"Authorization": f"Bearer {key}"})
        found = connection.getresponse()
        return found.status, {name.lower(): value for name, value in found.getheaders()}, found.read()
    finally:
        connection.close()


def text(asked: Asked) -> str:
    """What the assistant said in a whole response."""
    return str(json.loads(asked[2])["choices"][0]["message"]["content"])


def frames(body: bytes) -> list[Any]:
    """The frames of an event stream, the last one as text when it is no JSON."""
    found = [line.removeprefix("data: ") for line in body.decode().split("\n\n") if line]
    return [json.loads(each) if each.startswith("{") else each for each in found]


def test_a_text_is_a_completion() -> None:
    """Everything that a client reads is there: id, object, model, role, finish reason, usage."""
    with ScriptedServer("Elm Brook is 12 km long.") as server:
        status, headers, body = ask(server, "How long is it?", temperature=0)
    found = json.loads(body)
    assert (status, headers["content-type"]) == (200, "application/json")
    assert (found["object"], found["model"], found["id"]) == ("chat.completion", "tiny", "chatcmpl-scripted-1")
    choice = found["choices"][0]
    assert choice["message"] == {"role": "assistant", "content": "Elm Brook is 12 km long.", "refusal": None}
    assert choice["finish_reason"] == "stop"
    assert found["usage"] == {"prompt_tokens": 4, "completion_tokens": 6, "total_tokens": 10}
    request = server.requests[0]
    assert (request.prompt, request.model, request.key) == ("How long is it?", "tiny", "k")
    assert request.body["temperature"] == 0


def test_a_list_is_used_in_order_and_then_complains() -> None:
    """The request that is one too many gets status 500, and leaving the block fails."""

    def one_too_many() -> None:
        with ScriptedServer(["one", say("two")]) as server:
            assert [text(ask(server)), text(ask(server))] == ["one", "two"]
            assert ask(server, "what now")[0] == 500

    with pytest.raises(AssertionError, match="no reply to: 'what now'"):
        one_too_many()


def test_what_is_not_used_is_told_by_finish() -> None:
    """``finish`` also minds steps that are left; an error in the block is not covered up."""
    server = ScriptedServer(["one", "two"])
    ask(server)
    with pytest.raises(AssertionError, match="1 steps"):
        server.finish()

    def failing_otherwise() -> None:
        with ScriptedServer([]) as other:
            ask(other)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing_otherwise()


def test_rules_come_first_and_their_last_reply_stays() -> None:
    """By text, by expression and by function; the others get the steps."""
    script: list[Step | When] = [
        when("capital", "Bree", "Arden"),
        when(re.compile(r"long\?$"), "12 km"),
        when(lambda request: request.model == "other", "I am another"),
        "once",
    ]
    with ScriptedServer(script) as server:
        told = [text(ask(server, prompt)) for prompt in ("the capital", "how long?", "?", "capital", "capital")]
        assert text(ask(server, "x", model="other")) == "I am another"
    assert told == ["Bree", "12 km", "once", "Arden", "Arden"]


def test_a_function_answers_by_the_request() -> None:
    """It gives a text or a reply; what it raises is told when the server is closed."""

    def step(request: Any) -> Any:
        return fail(400, "no") if "bad" in request.prompt else request.prompt.upper()

    with ScriptedServer(step) as server:
        assert text(ask(server, "good")) == "GOOD"
        assert ask(server, "bad")[0] == 400
    broken = ScriptedServer(lambda request: 1 / 0)  # type: ignore[arg-type]
    assert ask(broken)[0] == 500
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        broken.finish()


def test_a_stream_has_the_form_that_clients_expect() -> None:
    """One id, the role first, the text in pieces, the finish reason, usage without choices, and the end."""
    with ScriptedServer(say("Elm Brook, 🙂.").using(7, 3)) as server:
        status, headers, body = ask(server, stream=True, stream_options={"include_usage": True})
    assert (status, headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    *found, end = frames(body)
    assert end == "[DONE]"
    assert len({(each["id"], each["created"], each["model"], each["object"]) for each in found}) == 1
    first, *middle, last, usage = found
    assert first["choices"][0]["delta"]["role"] == "assistant"
    assert [each["choices"][0]["delta"]["content"] for each in middle] == ["Elm ", "Brook, ", "🙂."]
    assert last["choices"][0]["finish_reason"] == "stop"
    assert (usage["choices"], usage["usage"]["total_tokens"]) == ([], 10)
    assert all(each["usage"] is None for each in found[:-1])


def test_further_choices_and_log_probabilities() -> None:
    """Each choice has its index, its text and its end; the pieces of a log-probability make the text."""
    with ScriptedServer(say("Elm Brook").also("Oak 🙂", "Ash").with_logprobs()) as server:
        whole = json.loads(ask(server)[2])["choices"]
        streamed = [frame["choices"][0] for frame in frames(ask(server, stream=True)[2])[:-1]]
    assert [choice["message"]["content"] for choice in whole] == ["Elm Brook", "Oak 🙂", "Ash"]
    for index, text in enumerate(("Elm Brook", "Oak 🙂", "Ash")):
        tokens = whole[index]["logprobs"]["content"]
        assert "".join(token["token"] for token in tokens) == text
        assert bytes(byte for token in tokens for byte in token["bytes"]).decode() == text
        mine = [choice for choice in streamed if choice["index"] == index]
        assert "".join(choice["delta"].get("content") or "" for choice in mine) == text
        assert "".join(t["token"] for c in mine if c["logprobs"] for t in c["logprobs"]["content"]) == text
        assert [choice["finish_reason"] for choice in mine if choice["finish_reason"]] == ["stop"]
    with pytest.raises(ValueError, match="only a completion"):
        fail(500).also("x")


@pytest.mark.parametrize(
    ("reply", "pieces"),
    [
        (say("abcdef").pieces(size=4), ["abcd", "ef"]),
        (say("a b").pieces("a", " b"), ["a", " b"]),
        (say("abc").torn(1), ["abc"]),
    ],
)
def test_a_stream_is_cut_as_the_script_says(reply: Any, pieces: list[str]) -> None:
    """Into pieces of one size, into given ones, and on the wire into single bytes."""
    with ScriptedServer(reply) as server:
        body = ask(server, stream=True)[2]
    deltas = [each["choices"][0]["delta"] for each in frames(body)[1:-2]]
    assert [delta["content"] for delta in deltas] == pieces


def test_pieces_must_make_the_text() -> None:
    """A script that would say something else than its reply is a mistake in the test."""
    with pytest.raises(ValueError, match="do not make"):
        say("abc").pieces("a", "c")


def test_tool_calls_plain_and_streamed() -> None:
    """The same call both ways; its arguments come in parts when streamed."""
    with ScriptedServer(call("look_up", name="Elm Brook")) as server:
        whole = json.loads(ask(server, tools=[{"type": "function", "function": {"name": "look_up"}}])[2])
        streamed = frames(ask(server, stream=True)[2])[:-1]
    message = whole["choices"][0]["message"]
    assert whole["choices"][0]["finish_reason"] == "tool_calls"
    assert message["tool_calls"][0]["function"] == {"name": "look_up", "arguments": '{"name": "Elm Brook"}'}
    deltas = [each["choices"][0]["delta"].get("tool_calls", [{}])[0].get("function", {}) for each in streamed]
    assert "".join(each.get("arguments", "") for each in deltas) == '{"name": "Elm Brook"}'
    assert streamed[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert server.requests[0].tools == ("look_up",)


def test_structured_output_and_refusal() -> None:
    """The schema that was asked for can be looked at; a refusal has its own field."""
    schema = {"type": "object"}
    shape = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": schema}}
    with ScriptedServer([say_json({"label": "supported"}), refuse("I cannot")]) as server:
        assert json.loads(text(ask(server, response_format=shape))) == {"label": "supported"}
        message = json.loads(ask(server)[2])["choices"][0]["message"]
    assert server.requests[0].schema == schema
    assert (message["content"], message["refusal"]) == (None, "I cannot")


def test_errors_have_a_status_a_body_and_a_waiting_time() -> None:
    """OpenAI's error object, with Retry-After where the script has it."""
    with ScriptedServer(
        [fail(429, "slow down", retry_after=2), fail(503), fail(400, "no", code="bad_value")]
    ) as server:
        status, headers, body = ask(server)
        assert (status, headers["retry-after"]) == (429, "2")
        assert json.loads(body)["error"] == {
            "message": "slow down",
            "type": "rate_limit_error",
            "param": None,
            "code": None,
        }
        assert ask(server)[0] == 503
        assert json.loads(ask(server)[2])["error"]["code"] == "bad_value"


def test_connections_are_cut_where_the_script_says() -> None:
    """A whole body ends early; a stream ends after so many characters and has no end mark."""
    with ScriptedServer([say("Hello, world").cut(20), say("Hello, world").cut(3), say("Hello").endless()]) as server:
        with pytest.raises(http.client.IncompleteRead) as caught:
            ask(server)
        assert len(caught.value.partial) == 20
        with pytest.raises(http.client.IncompleteRead) as caught:
            ask(server, stream=True)
        assert "".join(f["choices"][0]["delta"]["content"] for f in frames(caught.value.partial)) == "Hel"
        assert "[DONE]" not in frames(ask(server, stream=True)[2])


def test_a_stream_that_breaks_says_why() -> None:
    """An error frame after the text, and no end mark: nothing may follow an error."""
    with ScriptedServer(say("Hello").breaking("out of memory")) as server:
        found = frames(ask(server, stream=True)[2])
    assert found[-1]["error"]["message"] == "out of memory"
    assert found[-2]["choices"][0]["delta"]["content"] == "Hello"


def test_bodies_may_be_no_json() -> None:
    """A garbled body is sent with status 200, a raw one as it stands."""
    with ScriptedServer([garbled(), raw("<html>", status=502, content_type="text/html", x_from="proxy")]) as server:
        status, _, body = ask(server)
        assert status == 200
        with pytest.raises(ValueError):
            json.loads(body)
        status, headers, body = ask(server)
        assert (status, headers["content-type"], headers["x-from"], body) == (502, "text/html", "proxy", b"<html>")


def test_late_and_slow_replies_take_their_time_and_no_longer_than_the_server() -> None:
    """A late reply is silent first; closing the server ends the wait for it."""
    with ScriptedServer([say("x").late(0.15), say("Hello").slow(0.01)]) as server:
        before = time.monotonic()
        assert text(ask(server)) == "x"
        assert time.monotonic() - before >= 0.15
        assert text(ask(server)) == "Hello"
    hanging = ScriptedServer(say("never").late(600))
    parts = urlsplit(hanging.url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=10) as connection:
        body = b'{"messages": [{"role": "user", "content": "x"}]}'
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
        while not hanging.requests:
            time.sleep(0.005)
        hanging.close()
        assert connection.recv(100) == b""


def test_vectors_depend_on_the_text_alone() -> None:
    """Of length one, as numbers or base64, in the number that is asked for; or by a function."""
    with ScriptedServer() as server:
        found = json.loads(send(server, "POST", "/embeddings", {"model": "e", "input": ["a", "b", "a"]})[2])
        first, second, third = (each["embedding"] for each in found["data"])
        assert first == third != second
        assert sum(each * each for each in first) == pytest.approx(1)
        asked = {"model": "e", "input": "a", "dimensions": 3, "encoding_format": "base64"}
        packed = json.loads(send(server, "POST", "/embeddings", asked)[2])
        assert len(packed["data"][0]["embedding"]) == 16  # three floats of four bytes
    with ScriptedServer(embed=lambda text: [float(len(text))]) as server:
        found = json.loads(send(server, "POST", "/embeddings", {"input": "abc"})[2])
    assert found["data"][0]["embedding"] == [3.0]
    with ScriptedServer(embed=fail(500)) as server:
        assert send(server, "POST", "/embeddings", {"input": "abc"})[0] == 500


def test_models_and_unknown_paths() -> None:
    """The names that the test gives; anything else is not found."""
    with ScriptedServer(models=["tiny", "a/b"]) as server:
        assert [each["id"] for each in json.loads(send(server, "GET", "/models")[2])["data"]] == ["tiny", "a/b"]
        assert json.loads(send(server, "GET", "/models/a%2Fb")[2])["id"] == "a/b"
        assert send(server, "GET", "/models/other")[0] == 404
        assert send(server, "GET", "/chat/completions")[0] == 404
        assert send(server, "POST", "/chat/completions", {"model": "x"})[0] == 400


def test_a_key_is_asked_for_where_the_test_says_so() -> None:
    """Another key, or none, is refused."""
    with ScriptedServer("x", key="secret") as server:
        assert send(server, "GET", "/models", key="wrong")[0] == 401
        assert send(server, "GET", "/models", key="secret")[0] == 200


def test_recorded_exchanges_answer_again(tmp_path: Path) -> None:
    """The same request gets the same bytes, in turn, streamed or not; the file holds no key."""
    path = tmp_path / "exchanges.jsonl"
    with ScriptedServer(["one", "two", fail(429)], key="secret-key") as server:
        body = {"messages": [{"role": "user", "content": "x"}]}
        before = [send(server, "POST", "/chat/completions", body, "secret-key")]
        before.append(send(server, "POST", "/chat/completions", {**body, "stream": True}, "secret-key"))
        before.append(send(server, "POST", "/chat/completions", body, "secret-key"))
        server.save(path)
    assert "secret-key" not in path.read_text(encoding="utf-8")
    with ScriptedServer(recorded(path)) as server:
        after = [send(server, "POST", "/chat/completions", body)]
        after.append(send(server, "POST", "/chat/completions", {**body, "stream": True}))
        after.append(send(server, "POST", "/chat/completions", body))
    assert [(each[0], each[2]) for each in after] == [(each[0], each[2]) for each in before]
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match="no exchange"):
        recorded(path)


def test_the_fixture_makes_servers(scripted_server: Callable[..., ScriptedServer]) -> None:
    """Several, each with its own script; they are closed when the test is over."""
    first, second = scripted_server("one"), scripted_server(["two"], key="k")
    assert (text(ask(first)), text(ask(second))) == ("one", "two")


def test_only_this_machine_can_reach_it() -> None:
    """It listens on the loopback address."""
    with ScriptedServer("x") as server:
        assert server.url.startswith("http://127.0.0.1:")


def test_a_stock_client_works() -> None:
    """The openai client reads completions, streams, tools, vectors and errors, where it is installed."""
    openai = pytest.importorskip("openai", reason="the openai client is not installed")
    script = [
        say("Hello, world"),
        say("Hello, world").using(3, 2),
        call("look_up", name="Elm"),
        fail(429, retry_after=0),
    ]
    with ScriptedServer([*script, fail(400, "no")], key="k") as server:
        client = openai.OpenAI(base_url=server.url, api_key="k", max_retries=0)
        asked: Any = {"model": "tiny", "messages": [{"role": "user", "content": "Hi"}]}
        assert client.chat.completions.create(**asked).choices[0].message.content == "Hello, world"
        chunks = list(client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1]) == "Hello, world"
        assert chunks[-1].usage.total_tokens == 5
        assert client.chat.completions.create(**asked).choices[0].message.tool_calls[0].function.name == "look_up"
        with pytest.raises(openai.RateLimitError):
            client.chat.completions.create(**asked)
        with pytest.raises(openai.BadRequestError, match="no"):
            client.chat.completions.create(**asked)
        assert len(client.embeddings.create(model="e", input="a").data[0].embedding) == 16
        assert [each.id for each in client.models.list()] == ["scripted"]
        client.close()
