"""The stock clients, of Python and of npm, through the gateway: the same calls, and the same is seen by both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting
from stock_clients import Ask, Client, Seen, npm_client, python_client

from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.serve.keys import new_key
from imprimatur.testing import ScriptedServer, call, fail, garbled, refuse, say

pytest.importorskip("openai", reason="the extra `models` is not installed")

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."
_LICENSED = f"{_TRUE} It flows through Bree. 🙂👩‍👩‍👧‍👦\r\n\r\n- Oak Brook is **30 km** long.\n"
_CHAT: dict[str, Any] = {"model": "scripted", "messages": [{"role": "user", "content": "How long is Elm Brook?"}]}
_RESPONSE: dict[str, Any] = {"model": "scripted", "input": "How long is Elm Brook?"}


@pytest.fixture(scope="session")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """The npm client, installed once."""
    with npm_client(tmp_path_factory.mktemp("npm")) as client:
        yield client


@pytest.fixture(params=["python", pytest.param("npm", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest) -> Client:
    """Each of the stock clients."""
    chosen: Client = python_client if request.param == "python" else request.getfixturevalue("npm")
    return chosen


def _chat(url: str, **more: Any) -> Ask:
    return Ask(url=f"{url}/v1", body={**_CHAT, **more})


def _respond(url: str, **more: Any) -> Ask:
    return Ask(url=f"{url}/v1", api="responses", body={**_RESPONSE, **more})


def _decisions(item: dict[str, Any]) -> list[str]:
    return [each["report"]["decision"] for each in item["imprimatur"]["reports"]]


def _outside_reports(items: list[dict[str, Any]]) -> str:
    """All that a client saw, but for the reports, which quote the whole answer."""
    return json.dumps([{key: value for key, value in each.items() if key != "imprimatur"} for each in items])


def _said(response: dict[str, Any]) -> str:
    return "".join(part["text"] for item in response["output"] for part in item["content"])


# Chat completions


def test_chat_licensed(gateway: Starting, client: Client) -> None:
    """Licensed text is, byte for byte, what the server said, plain and streamed, and its report is in reach."""
    with ScriptedServer(say(_LICENSED).pieces(size=3)) as server:
        url = gateway(server)
        (reply,) = client(_chat(url)).sound()
        seen = client(_chat(url, stream=True))
    assert reply["choices"][0]["message"]["content"].encode() == _LICENSED.encode()
    assert (reply["choices"][0]["finish_reason"], _decisions(reply)) == ("stop", ["licensed"])
    chunks = seen.sound()
    assert seen.text().encode() == _LICENSED.encode()
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    assert (chunks[-1]["choices"][0]["finish_reason"], _decisions(chunks[-1])) == ("stop", ["licensed"])
    assert {(chunk["id"], chunk["object"]) for chunk in chunks} == {(chunks[0]["id"], "chat.completion.chunk")}


def test_chat_false(gateway: Starting, client: Client) -> None:
    """A false sentence is in nothing that the client sees; a stream that is stopped ends as filtered."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE} {_TRUE}").pieces(size=4)) as server:
        url = gateway(server)
        (reply,) = client(_chat(url)).sound()
        seen = client(_chat(url, stream=True))
    choice = reply["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == (f"{_TRUE} {ABSTENTION_TEXT}", "content_filter")
    assert seen.text() == f"{_TRUE} {ABSTENTION_TEXT}"
    assert "14 km" not in _outside_reports([reply, *seen.sound()])
    last = seen.sound()[-1]
    assert (last["choices"][0]["finish_reason"], _decisions(last)) == ("content_filter", ["abstained"])


def test_chat_stopped_with_an_error(gateway: Starting, client: Client) -> None:
    """Where the operator wants it, a stream that is stopped raises an error after the licensed part."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE} {_TRUE}").pieces(size=4)) as server:
        seen = client(_chat(gateway(server, block="error"), stream=True))
    assert seen.text().startswith(_TRUE)
    assert seen.error is not None
    assert (seen.error["kind"], seen.error["code"], seen.error["type"]) == (
        "APIError",
        "content_filter",
        "guardrail_violation",
    )


@pytest.mark.parametrize(("policy", "shown"), [("redact", _TRUE), ("correct", f"{_TRUE} {_TRUE}")])
def test_chat_policies(gateway: Starting, client: Client, policy: str, shown: str) -> None:
    """What failed is left out or put right, in a reply and in a stream."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE}").pieces(size=4)) as server:
        url = gateway(server, policy=policy)
        (reply,) = client(_chat(url)).sound()
        seen = client(_chat(url, stream=True))
    seen.sound()
    assert seen.text() == reply["choices"][0]["message"]["content"]
    assert seen.text().strip() == shown


def test_chat_choices(gateway: Starting, client: Client) -> None:
    """Of several choices each is judged by itself."""
    with ScriptedServer(say(_TRUE).also(_FALSE).pieces(size=5)) as server:
        url = gateway(server)
        (reply,) = client(_chat(url, n=2)).sound()
        seen = client(_chat(url, n=2, stream=True))
    assert [each["message"]["content"] for each in reply["choices"]] == [_TRUE, ABSTENTION_TEXT]
    assert _decisions(reply) == ["licensed", "abstained"]
    assert [seen.text(0), seen.text(1)] == [_TRUE, ABSTENTION_TEXT]
    ends = {choice["index"]: choice["finish_reason"] for chunk in seen.sound() for choice in chunk["choices"]}
    assert ends == {0: "stop", 1: "content_filter"}


def test_chat_tools_and_refusals(gateway: Starting, client: Client) -> None:
    """Tool calls and refusals arrive as they were sent, and are counted as not examined."""
    tools = [{"type": "function", "function": {"name": "measure", "parameters": {"type": "object"}}}]
    script = [call("measure", brook="Elm"), call("measure", brook="Oak"), refuse("I cannot say.")]
    with ScriptedServer(script) as server:
        url = gateway(server)
        (reply,) = client(_chat(url, tools=tools)).sound()
        chunks = client(_chat(url, tools=tools, stream=True)).sound()
        (refused,) = client(_chat(url)).sound()
    assert reply["choices"][0]["message"]["tool_calls"][0]["function"] == {
        "name": "measure",
        "arguments": '{"brook": "Elm"}',
    }
    assert reply["imprimatur"]["not_examined"] == {"tool_calls": 1}
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    pieces = [piece["function"].get("arguments") or "" for each in deltas for piece in each.get("tool_calls") or ()]
    assert "".join(pieces) == '{"brook": "Oak"}'
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert refused["choices"][0]["message"]["refusal"] == "I cannot say."


def test_chat_usage(gateway: Starting, client: Client) -> None:
    """Usage is passed on, in a stream as a chunk of its own after the report."""
    with ScriptedServer(say(_TRUE).using(3, 5)) as server:
        url = gateway(server)
        (reply,) = client(_chat(url)).sound()
        chunks = client(_chat(url, stream=True, stream_options={"include_usage": True})).sound()
    assert reply["usage"]["total_tokens"] == 8
    assert (chunks[-1]["choices"], chunks[-1]["usage"]["total_tokens"]) == ([], 8)
    assert _decisions(chunks[-2]) == ["licensed"]


def test_chat_logprobs(gateway: Starting, client: Client) -> None:
    """Log probabilities go only with text that is as it was."""
    with ScriptedServer([say(text).with_logprobs() for text in (_TRUE, _FALSE)]) as server:
        url = gateway(server)
        kept, dropped = (client(_chat(url, logprobs=True)).sound()[0]["choices"][0] for _ in range(2))
    assert "".join(entry["token"] for entry in kept["logprobs"]["content"]) == _TRUE
    assert dropped["logprobs"] is None


def test_chat_streaming_helper(gateway: Starting, client: Client) -> None:
    """The client's own helper puts a licensed stream together to what is said without one."""
    with ScriptedServer(say(_LICENSED).pieces(size=3)) as server:
        ask = _chat(gateway(server))
        (whole,) = client(Ask(url=ask.url, body=ask.body, helper=True)).sound()
    choice = whole["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == (_LICENSED, "stop")


def test_chat_streaming_helper_when_filtered(gateway: Starting, client: Client) -> None:
    """Of a stream that is stopped, the npm helper gives what was shown; Python's raises its error for filtered text."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE}").pieces(size=3)) as server:
        ask = _chat(gateway(server))
        seen = client(Ask(url=ask.url, body=ask.body, helper=True))
    if client is python_client:
        assert seen.error is not None
        assert seen.error["kind"] == "ContentFilterFinishReasonError"
    else:
        assert seen.sound()[0]["choices"][0]["message"]["content"] == f"{_TRUE} {ABSTENTION_TEXT}"


# Responses


def test_response_licensed(gateway: Starting, client: Client) -> None:
    """A licensed response arrives byte for byte, plain and streamed, with its report in the final response."""
    with ScriptedServer(say(_LICENSED).pieces(size=3)) as server:
        url = gateway(server)
        (reply,) = client(_respond(url)).sound()
        seen = client(_respond(url, stream=True))
    assert (_said(reply).encode(), reply["status"]) == (_LICENSED.encode(), "completed")
    assert _decisions(reply) == ["licensed"]
    events = seen.sound()
    assert seen.text().encode() == _LICENSED.encode()
    assert [each["sequence_number"] for each in events] == list(range(len(events)))
    assert events[-1]["type"] == "response.completed"
    assert _said(events[-1]["response"]) == _LICENSED
    assert _decisions(events[-1]["response"]) == ["licensed"]


def test_response_false(gateway: Starting, client: Client) -> None:
    """A false sentence is in no text that a client sees; the response is incomplete, for it was filtered."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE} {_TRUE}").pieces(size=4)) as server:
        url = gateway(server)
        (reply,) = client(_respond(url)).sound()
        seen = client(_respond(url, stream=True))
    assert (_said(reply), reply["status"]) == (f"{_TRUE} {ABSTENTION_TEXT}", "incomplete")
    assert reply["incomplete_details"]["reason"] == "content_filter"
    assert "14 km" not in _outside_reports([reply, *seen.sound()[:-1], seen.sound()[-1]["response"]])
    last = seen.sound()[-1]
    assert seen.text() == _said(last["response"]) == f"{_TRUE} {ABSTENTION_TEXT}"
    assert last["type"] == "response.incomplete"
    assert _decisions(last["response"]) == ["abstained"]


def test_response_calls(gateway: Starting, client: Client) -> None:
    """Calls of functions arrive as they were sent."""
    tools = [{"type": "function", "name": "measure", "parameters": {"type": "object"}}]
    with ScriptedServer([call("measure", brook="Elm"), call("measure", brook="Oak")]) as server:
        url = gateway(server)
        (reply,) = client(_respond(url, tools=tools)).sound()
        events = client(_respond(url, tools=tools, stream=True)).sound()
    assert (reply["output"][0]["name"], reply["output"][0]["arguments"]) == ("measure", '{"brook": "Elm"}')
    assert reply["imprimatur"]["not_examined"] == {"function_call": 1}
    assert events[-1]["response"]["output"][0]["arguments"] == '{"brook": "Oak"}'


def test_response_streaming_helper(gateway: Starting, client: Client) -> None:
    """The client's own helper follows the events of a licensed response to its end."""
    with ScriptedServer(say(_LICENSED).pieces(size=3)) as server:
        ask = _respond(gateway(server))
        (whole,) = client(Ask(url=ask.url, api="responses", body=ask.body, helper=True)).sound()
    assert (_said(whole), whole["status"]) == (_LICENSED, "completed")


def test_response_streaming_helper_when_filtered(gateway: Starting, client: Client) -> None:
    """Of a response that is stopped, the npm helper gives what was shown; Python's knows completed ones only."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE}").pieces(size=3)) as server:
        ask = _respond(gateway(server))
        seen = client(Ask(url=ask.url, api="responses", body=ask.body, helper=True))
    if client is python_client:
        assert seen.error is not None
        assert "response.completed" in seen.error["message"]
    else:
        assert _said(seen.sound()[0]) == f"{_TRUE} {ABSTENTION_TEXT}"


# Errors and what a request may say


def _failed(seen: Seen) -> tuple[str, int | None, str | None]:
    assert seen.error is not None
    return seen.error["kind"], seen.error["status"], seen.error["code"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("reply", "failed"),
    [
        (fail(500), ("InternalServerError", 502, "upstream_failed")),
        (fail(429), ("RateLimitError", 429, "upstream_refused")),
        (fail(404), ("NotFoundError", 404, "upstream_refused")),
        (garbled(), ("InternalServerError", 502, "upstream_failed")),
    ],
)
def test_faults_of_the_server(
    gateway: Starting, client: Client, reply: Any, failed: tuple[str, int, str], stream: bool
) -> None:
    """A fault of the model server raises the client's error for it, for chats and responses."""
    with ScriptedServer(reply) as server:
        url = gateway(server)
        assert _failed(client(_chat(url, stream=stream))) == failed
        assert _failed(client(_respond(url, stream=stream))) == failed


def test_a_stream_that_breaks_off(gateway: Starting, client: Client) -> None:
    """When the server breaks off, the client raises an error, and has seen nothing that was held back."""
    with ScriptedServer(say(f"{_TRUE} Elm Brook is 12 km long.").pieces(size=4).cut(40)) as server:
        url = gateway(server)
        chat, response = client(_chat(url, stream=True)), client(_respond(url, stream=True))
    assert chat.text().strip() == response.text().strip() == _TRUE
    assert _failed(chat) == ("APIError", None, "upstream_failed")
    # Of the Responses protocol an error is an event; whether a client raises it as well is its own affair.
    assert response.error is not None or response.items[-1]["type"] == "error"


def test_keys_and_what_they_may(gateway: Starting, client: Client, brooks: Path, tmp_path: Path) -> None:
    """What a key may not use, a wrong key and a wrong request each raise the client's error for it."""
    key, digest = new_key()
    file = tmp_path / "keys.yaml"
    file.write_text(
        f"version: 1\nkeys:\n  - {{name: a, sha256: {digest}, knowledge_bases: [brooks], policies: [redact]}}\n",
        encoding="utf-8",
    )
    bases = (("brooks", str(brooks)), ("other", str(brooks)))
    with ScriptedServer(say(f"{_TRUE} {_FALSE}")) as server:
        url = gateway(server, keys=file, knowledge_bases=bases)

        def asked(path: str = "/v1", given: str = key, headers: Any = None, **more: Any) -> Seen:
            return client(Ask(url=url + path, key=given, headers=headers or {}, body={**_CHAT, **more}))

        assert _failed(asked(given="wrong")) == ("AuthenticationError", 401, "invalid_api_key")
        missing = ("NotFoundError", 404, "knowledge_base_not_found")
        assert _failed(asked("/kb/other/v1")) == _failed(asked(headers={"X-Imprimatur-KB": "other"})) == missing
        assert _failed(asked(imprimatur={"policy": "correct"})) == ("PermissionDeniedError", 403, "policy_not_allowed")
        assert _failed(asked(imprimatur={"mod": "hold"})) == ("BadRequestError", 400, "invalid_request")
        (reply,) = asked("/kb/brooks/v1", imprimatur={"policy": "redact", "mode": "buffer"}).sound()
    assert reply["choices"][0]["message"]["content"].strip() == _TRUE
    assert (reply["imprimatur"]["knowledge_base"], reply["imprimatur"]["mode"]) == ("brooks", "buffer")


def test_models(gateway: Starting, client: Client) -> None:
    """The models of the server are listed."""
    with ScriptedServer(models=("one", "two")) as server:
        seen = client(Ask(url=f"{gateway(server)}/v1", api="models"))
    assert [each["id"] for each in seen.sound()] == ["one", "two"]
