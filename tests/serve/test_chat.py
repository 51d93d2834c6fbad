"""Chat completions through the gateway, by the stock client: licensed text unchanged, false text never seen."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting

from imprimatur.ledger import Ledger
from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.testing import ScriptedServer, call, fail, garbled, refuse, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")
openai = pytest.importorskip("openai", reason="the extra `models` is not installed")

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."


def _ask(url: str, **more: Any) -> Any:
    """The reply, or the chunks of a streamed one."""
    messages: Any = [{"role": "user", "content": "How long is Elm Brook?"}]
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        found = client.chat.completions.create(model="scripted", messages=messages, **more)
        return list(found) if more.get("stream") else found


def _drawn(stream: Any) -> tuple[str, list[Any]]:
    chunks = list(stream)
    text = "".join(c.delta.content or "" for chunk in chunks for c in chunk.choices)
    return text, chunks


def test_licensed_text_is_unchanged(gateway: Starting) -> None:
    """What is licensed arrives as the server said it, plain and streamed, with its report beside it."""
    text = f"{_TRUE} It flows through Bree. 🙂\n\n- Oak Brook is **30 km** long.\n"
    with ScriptedServer(say(text).pieces(size=3)) as server:
        url = gateway(server)
        reply = _ask(url)
        assert (reply.choices[0].message.content, reply.choices[0].finish_reason) == (text, "stop")
        report = reply.model_extra["imprimatur"]["reports"][0]["report"]
        assert (report["decision"], report["summary"]) == ("licensed", "fully_supported")
        shown, chunks = _drawn(_ask(url, stream=True))
        assert shown == text
        assert chunks[-1].choices[0].finish_reason == "stop"
        assert chunks[-1].model_extra["imprimatur"]["reports"][0]["report"]["decision"] == "licensed"
        assert len({chunk.id for chunk in chunks}) == 1


def test_a_false_sentence_never_arrives(gateway: Starting) -> None:
    """A false sentence and what follows it are replaced; the reply says that it was filtered."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE} {_TRUE}").pieces(size=4)) as server:
        url = gateway(server)
        reply = _ask(url)
        assert reply.choices[0].message.content == f"{_TRUE} {ABSTENTION_TEXT}"
        assert reply.choices[0].finish_reason == "content_filter"
        shown, chunks = _drawn(_ask(url, stream=True))
        assert shown == f"{_TRUE} {ABSTENTION_TEXT}"
        assert chunks[-1].choices[0].finish_reason == "content_filter"


def test_error_frame(gateway: Starting) -> None:
    """Where the operator wants it, a stream that is stopped ends in an error frame."""
    with ScriptedServer(say(_FALSE)) as server:
        url = gateway(server, block="error")
        with pytest.raises(openai.APIError, match="confirm this") as caught:
            list(_ask(url, stream=True))
    assert (caught.value.body["type"], caught.value.body["code"]) == ("guardrail_violation", "content_filter")


def test_several_choices(gateway: Starting) -> None:
    """Each of several choices has a gate and a report of its own."""
    with ScriptedServer(say(_TRUE).also(_FALSE)) as server:
        url = gateway(server)
        reply = _ask(url, n=2)
        assert [choice.message.content for choice in reply.choices] == [_TRUE, ABSTENTION_TEXT]
        assert [each["index"] for each in reply.model_extra["imprimatur"]["reports"]] == [0, 1]
        texts = ["", ""]
        for chunk in _ask(url, n=2, stream=True):
            for choice in chunk.choices:
                texts[choice.index] += choice.delta.content or ""
        assert texts == [_TRUE, ABSTENTION_TEXT]


def test_what_is_no_text_is_untouched(gateway: Starting) -> None:
    """Tool calls and refusals travel as they are, and are counted as not examined."""
    with ScriptedServer(
        [call("measure", brook="Elm Brook"), refuse("I cannot say."), call("measure", brook="Oak")]
    ) as server:
        url = gateway(server)
        tools: Any = [{"type": "function", "function": {"name": "measure", "parameters": {"type": "object"}}}]
        reply = _ask(url, tools=tools)
        assert reply.choices[0].message.tool_calls[0].function.name == "measure"
        assert reply.choices[0].finish_reason == "tool_calls"
        assert reply.model_extra["imprimatur"]["not_examined"] == {"tool_calls": 1}
        assert _ask(url).choices[0].message.refusal == "I cannot say."
        chunks = list(_ask(url, tools=tools, stream=True))
        said = "".join(
            piece.function.arguments or ""
            for chunk in chunks
            for choice in chunk.choices
            for piece in choice.delta.tool_calls or ()
        )
        assert said == '{"brook": "Oak"}'


def test_usage_and_logprobs(gateway: Starting) -> None:
    """The usage chunk is passed on; log probabilities go only with text that is as it was."""
    with ScriptedServer([say(text).with_logprobs().using(3, 5) for text in (_TRUE, _FALSE, _TRUE, _FALSE)]) as server:
        url = gateway(server)
        _, chunks = _drawn(_ask(url, stream=True, stream_options={"include_usage": True}, logprobs=True))
        usages = [chunk.usage.total_tokens for chunk in chunks if chunk.usage]
        assert usages == [8]
        tokens = [
            entry.token
            for chunk in chunks
            for choice in chunk.choices
            if choice.logprobs
            for entry in choice.logprobs.content or ()
        ]
        assert "".join(tokens) == _TRUE
        _, chunks = _drawn(_ask(url, stream=True, logprobs=True))
        assert not any(choice.logprobs and choice.logprobs.content for chunk in chunks for choice in chunk.choices)
        assert _ask(url, logprobs=True).choices[0].logprobs.content
        assert _ask(url, logprobs=True).choices[0].logprobs is None


@pytest.mark.parametrize(
    ("reply", "status"),
    [(fail(500), 502), (fail(429), 429), (fail(401), 400), (garbled(), 502), (say(_TRUE).cut(), 502)],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_failing_server_licenses_nothing(gateway: Starting, reply: Any, status: int, stream: bool) -> None:
    """A fault of the model server is an error for the caller, before the first byte with an HTTP status."""
    with ScriptedServer(reply) as server:
        url = gateway(server)
        with pytest.raises(openai.APIError) as caught:
            list(_ask(url, stream=stream))
    if isinstance(caught.value, openai.APIStatusError):
        assert caught.value.status_code == status


@pytest.mark.parametrize("stream", [False, True])
def test_a_caller_that_goes_away(gateway: Starting, tmp_path: Path, stream: bool) -> None:
    """When the caller goes away, the call to the model server ends, and what had come is recorded."""
    said = " ".join([_TRUE] * 400)
    with ScriptedServer(say(said).slow(0.01)) as server:
        url = gateway(server, ledger=tmp_path / "ledger.sqlite")
        body = {"model": "m", "stream": stream, "messages": [{"role": "user", "content": "x"}]}
        with (
            contextlib.suppress(httpx2.ReadTimeout),
            httpx2.stream("POST", f"{url}/v1/chat/completions", json=body, timeout=1) as reply,
        ):
            next(reply.iter_bytes())
        assert _until(lambda: "imprimatur_requests_total" in httpx2.get(f"{url}/metrics").text)
        with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
            assert _until(lambda: len(ledger.list()) == (1 if stream else 0))
            assert not stream or ledger.list()[0].report()["text"] != said
    assert server.unforeseen == []


def _until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    """Whether something comes true in time."""
    ends = time.monotonic() + seconds
    while not condition() and time.monotonic() < ends:
        time.sleep(0.05)
    return condition()
