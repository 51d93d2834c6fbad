"""What a gateway tells a collector: requests, calls to the model server and answers, in order; nothing waits for it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import serving

from imprimatur.serve.settings import Settings, Upstream
from imprimatur.telemetry.settings import TelemetrySettings
from imprimatur.testing import ScriptedServer, fail, garbled, raw, say

pytest.importorskip("opentelemetry.sdk", reason="the extra `telemetry` is not installed")

from telemetry_fixtures import Collector, attributes_of, collecting

from imprimatur.telemetry import exporting

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."
_CALLER = f"00-{'a' * 32}-{'b' * 16}-01"


@contextmanager
def _told(brooks: Path, server: ScriptedServer, collector: Collector, **told: Any) -> Iterator[str]:
    """The address of a gateway that tells a collector, all of it by the end of the block."""
    settings = Settings(
        knowledge_bases=(("brooks", str(brooks)),),
        upstream=Upstream(base_url=server.url, seconds=5),
        telemetry=TelemetrySettings(endpoint=collector.url, **told),
    )
    with serving(settings) as url:
        yield url


def _ask(url: str, headers: Any = (), **more: Any) -> Any:
    body = {"model": "scripted", "messages": [{"role": "user", "content": "How long is Mr Quibble's brook?"}], **more}
    return httpx2.post(f"{url}/v1/chat/completions", json=body, headers=list(headers), timeout=30)


@pytest.mark.parametrize("stream", [False, True])
def test_the_tree_of_a_request(brooks: Path, stream: bool) -> None:
    """Below the caller's span stands the request's, below it the model's call and each answer, then its stages."""
    with (
        collecting() as collector,
        ScriptedServer(say(f"{_TRUE} {_FALSE}").also(_TRUE).using(3, 5)) as server,
        _told(brooks, server, collector, service_name="gate") as url,
    ):
        answered = _ask(url, [("traceparent", _CALLER)], n=2, stream=stream)
        assert answered.status_code == 200
        httpx2.get(f"{url}/healthz")
        assert 'imprimatur_check_seconds_count{knowledge_base="brooks"} 2.0' in httpx2.get(f"{url}/metrics").text
    request, chat = collector.span("POST /v1/chat/completions"), collector.span("chat scripted")
    checks = [span for span in collector.spans if span.name == "imprimatur.check"]
    assert {span.trace_id.hex() for span in collector.spans} == {"a" * 32}
    assert request.parent_span_id.hex() == "b" * 16
    assert [span.parent_span_id for span in (chat, *checks)] == [request.span_id] * 3
    assert len(collector.spans) == 4 + 2 * 5
    for check in checks:
        assert sum(span.parent_span_id == check.span_id for span in collector.spans) == 5
        assert check.links[0].span_id == chat.span_id
        assert check.end_time_unix_nano <= request.end_time_unix_nano
    found = attributes_of(request)
    assert (found["http.route"], found["http.response.status_code"]) == ("/v1/chat/completions", 200)
    asked = attributes_of(chat)
    assert (asked["gen_ai.system"], asked["gen_ai.request.model"], asked["gen_ai.operation.name"]) == (
        "openai",
        "scripted",
        "chat",
    )
    assert stream or asked["gen_ai.usage.output_tokens"] == 5
    assert attributes_of(checks[0])["imprimatur.knowledge_base"] == "brooks"
    assert {attributes_of(check)["imprimatur.decision"] for check in checks} == {"abstained", "licensed"}
    assert len(collector.events) == 2 + 3
    for event in collector.events:
        assert (event.event_name, event.span_id) == ("gen_ai.evaluation.result", chat.span_id)
        assert attributes_of(event)["gen_ai.response.id"] == asked["gen_ai.response.id"]
    assert {"imprimatur.answers", "gen_ai.client.operation.duration", "http.server.request.duration"} <= {
        metric.name for metric in collector.metrics
    }
    assert collector.resources[0]["service.name"] == "gate"
    assert collector.resources[0]["service.instance.id"]


@pytest.mark.parametrize("stream", [False, True])
def test_the_responses_protocol(brooks: Path, stream: bool) -> None:
    """A call by the other protocol is told of in the same way: id and tokens are those of its response."""
    part = {"type": "output_text", "text": _TRUE, "annotations": []}
    message = {"type": "message", "id": "m1", "role": "assistant", "content": [part]}
    usage = {"input_tokens": 3, "output_tokens": 5}
    response = {"id": "resp1", "model": "m", "status": "completed", "output": [message], "usage": usage}
    at = {"output_index": 0, "content_index": 0, "item_id": "m1"}
    events = (
        {"type": "response.created", "response": {"id": "resp1", "output": []}},
        {"type": "response.output_text.delta", "delta": _TRUE, **at},
        {"type": "response.output_text.done", "text": _TRUE, **at},
        {"type": "response.completed", "response": response},
    )
    whole = raw(json.dumps(response).encode())
    streamed = raw("".join(f"data: {json.dumps(e)}\n\n" for e in events).encode(), content_type="text/event-stream")
    with (
        collecting() as collector,
        ScriptedServer(streamed if stream else whole) as server,
        _told(brooks, server, collector) as url,
    ):
        asked = {"model": "scripted", "input": "x", "stream": stream}
        assert _TRUE in httpx2.post(f"{url}/v1/responses", json=asked, timeout=30).text
    chat = attributes_of(collector.span("chat scripted"))
    assert (chat["gen_ai.usage.input_tokens"], chat["gen_ai.usage.output_tokens"]) == (3, 5)
    assert [attributes_of(event)["gen_ai.response.id"] for event in collector.events] == ["resp1"] * 2
    assert collector.span("imprimatur.check").parent_span_id == collector.span("POST /v1/responses").span_id


def test_nothing_private_is_told(brooks: Path) -> None:
    """Neither texts, nor questions, nor keys, nor headers of callers reach the collector."""
    with (
        collecting() as collector,
        ScriptedServer(say(f"{_TRUE} {_FALSE}")) as server,
        _told(brooks, server, collector) as url,
    ):
        _ask(url, [("authorization", "Bearer hush-hush"), ("x-secret", "hush-hush")])
        httpx2.post(f"{url}/v1/check?key=hush-hush", json={"answer": _FALSE, "context": ["The mill is old."]})
    told = b"".join(collector.bodies)
    assert b"abstained" in told
    for private in (b"km", b"Quibble", b"hush-hush", b"mill", b"ASK"):
        assert private not in told


def test_requests_at_the_same_time_do_not_mix(brooks: Path) -> None:
    """Each of many streams at once is told of in its own trace, with all that belongs to it."""
    with (
        collecting() as collector,
        ScriptedServer(lambda request: say(_TRUE).pieces(size=2).slow(0.005)) as server,
        _told(brooks, server, collector) as url,
    ):
        asyncio.run(_streams(url, 10))
    traces = {span.trace_id.hex() for span in collector.spans}
    assert traces == {f"{number + 1:032x}" for number in range(10)}
    for each in traces:
        own = [span for span in collector.spans if span.trace_id.hex() == each]
        chat = next(span for span in own if span.name == "chat scripted")
        assert len(own) == 3 + 5
        events = [event for event in collector.events if event.trace_id.hex() == each]
        assert [event.span_id for event in events] == [chat.span_id] * 2


async def _streams(url: str, count: int) -> None:
    async with httpx2.AsyncClient(timeout=60, trust_env=False) as client:

        async def one(number: int) -> None:
            body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "x"}]}
            headers = {"traceparent": f"00-{number + 1:032x}-{'b' * 16}-01"}
            answered = await client.post(f"{url}/v1/chat/completions", json=body, headers=headers)
            assert answered.text.rstrip().endswith("[DONE]")

        await asyncio.gather(*(one(number) for number in range(count)))


@pytest.mark.parametrize("propagate", [False, True])
def test_what_travels_on(brooks: Path, propagate: bool) -> None:
    """The model server gets a `traceparent` only where the operator says so: the gateway's own, and nothing else."""
    with (
        collecting() as collector,
        ScriptedServer(say(_TRUE)) as server,
        _told(brooks, server, collector, propagate=propagate, latest=True) as url,
    ):
        _ask(url, [("traceparent", _CALLER), ("tracestate", "a=b"), ("baggage", "c=d")])
        sent = {name.lower(): value for name, value in server.requests[0].headers.items()}
    chat = collector.span("chat scripted")
    expected = f"00-{'a' * 32}-{chat.span_id.hex()}-01" if propagate else None
    assert sent.get("traceparent") == expected
    assert not {"tracestate", "baggage"} & sent.keys()
    assert attributes_of(chat)["gen_ai.provider.name"] == "openai"


def test_a_wrong_parent_does_not_count(brooks: Path) -> None:
    """A `traceparent` that is there twice, or is none, is passed over: the request begins a trace of its own."""
    with (
        collecting() as collector,
        ScriptedServer([say(_TRUE), say(_TRUE)]) as server,
        _told(brooks, server, collector) as url,
    ):
        _ask(url, [("traceparent", _CALLER), ("traceparent", _CALLER)])
        _ask(url, [("traceparent", "00-zz-\xff-01".encode("latin-1"))])
        assert httpx2.request("BREW", f"{url}/pot").status_code == 404
    requests = [span for span in collector.spans if not span.parent_span_id]
    assert sorted(span.name for span in requests) == ["POST /v1/chat/completions"] * 2 + ["_OTHER"]
    assert "a" * 32 not in {span.trace_id.hex() for span in requests}


def test_a_caller_that_goes_away(brooks: Path) -> None:
    """What a caller no longer waits for is told of to its end: request, call and answer, with what was not examined."""
    with (
        collecting() as collector,
        ScriptedServer(say(" ".join([_TRUE] * 400)).slow(0.01)) as server,
        _told(brooks, server, collector) as url,
    ):
        body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "x"}]}
        with httpx2.stream("POST", f"{url}/v1/chat/completions", json=body, timeout=20) as reply:
            next(reply.iter_bytes())
    check, chat = collector.span("imprimatur.check"), collector.span("chat scripted")
    assert check.parent_span_id == chat.parent_span_id == collector.span("POST /v1/chat/completions").span_id
    found = attributes_of(check)
    assert found.get("imprimatur.segments.supported", 0) < 400
    assert "error.type" not in attributes_of(chat)
    assert collector.events[0].span_id == chat.span_id


@pytest.mark.slow
def test_several_processes(brooks: Path) -> None:
    """Each process of a gateway tells for itself, by the environment alone, and all that it has when it ends."""
    program = [sys.executable, "-m", "imprimatur", "serve", "--kb", str(brooks), "--port", "0", "--workers", "2"]
    with collecting() as collector:
        env = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        with subprocess.Popen(program, stderr=subprocess.PIPE, text=True, env=env) as process:
            assert process.stderr is not None
            try:
                found = re.search(r"http://[\w.:]+", process.stderr.readline())
                assert found
                with ThreadPoolExecutor(8) as pool:
                    statuses = list(pool.map(lambda _: _check(found.group()), range(40)))
            finally:
                process.terminate()
                process.wait(60)
    assert statuses == [200] * 40
    assert len([span for span in collector.spans if span.name == "imprimatur.check"]) == 40
    instances = {resource["service.instance.id"] for resource in collector.resources}
    assert 1 <= len(instances) <= 2


def _check(url: str) -> int:
    status: int = httpx2.post(f"{url}/v1/check", json={"answer": _TRUE}, timeout=60).status_code
    return status


def test_half_a_character_loses_nothing(brooks: Path) -> None:
    """A name of a model, or a text, with half a character in it does not keep a batch from being sent."""
    with (
        collecting() as collector,
        ScriptedServer(say(_TRUE)) as server,
        _told(brooks, server, collector, capture_content=True) as url,
    ):
        half = {"model": "m\ud800", "messages": [{"role": "user", "content": "x"}]}
        for path, body in (("chat/completions", half), ("check", {"answer": "Elm Brook is 12 \ud800."})):
            head = {"content-type": "application/json"}
            httpx2.post(f"{url}/v1/{path}", content=json.dumps(body).encode(), headers=head, timeout=30)
    assert collector.span("chat m?")
    assert any("12 ?." in str(attributes_of(event)) for event in collector.events)


@pytest.mark.parametrize("silent", [False, True])
def test_a_collector_that_is_not_there(brooks: Path, silent: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A collector that cannot be reached, or never answers, delays no reply, and the end by its few seconds only."""
    assert exporting._CLOSING <= 5
    monkeypatch.setattr(exporting, "_CLOSING", 0.5)
    with socket.socket() as listener, ScriptedServer(lambda request: say(_TRUE)) as server:
        listener.bind(("127.0.0.1", 0))
        if silent:
            listener.listen(64)
        collector = Collector(f"http://127.0.0.1:{listener.getsockname()[1]}")
        with _told(brooks, server, collector) as url:
            _ask(url)
            started = time.monotonic()
            for _ in range(20):
                assert _ask(url).json()["choices"][0]["message"]["content"] == _TRUE
            assert time.monotonic() - started < 10
            stopping = time.monotonic()
        assert time.monotonic() - stopping < 8


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (fail(500), "status_500"),
        (fail(429), "status_429"),
        (fail(401), "key_refused"),
        (garbled(), "no_reply"),
        (say(_TRUE).cut(), "broken_off"),
        (raw(b"[]"), "no_reply"),
    ],
)
def test_faults_by_kind(brooks: Path, reply: Any, kind: str) -> None:
    """Each fault of the model server counts once, by its kind, streamed or not, here and at the collector."""
    with (
        collecting() as collector,
        ScriptedServer([reply, reply]) as server,
        _told(brooks, server, collector) as url,
    ):
        _ask(url)
        _ask(url, stream=True)
        figures = httpx2.get(f"{url}/metrics").text
    counted = [line for line in figures.splitlines() if line.startswith("imprimatur_upstream_faults_total{")]
    assert sum(float(line.rsplit(" ", 1)[1]) for line in counted) == 2
    assert f'imprimatur_upstream_faults_total{{kind="{kind}"}}' in "".join(counted)
    (metric,) = [metric for metric in collector.metrics if metric.name == "imprimatur.upstream.faults"]
    assert sum(point.as_int for point in metric.sum.data_points) == 2
    chats = [attributes_of(span) for span in collector.spans if span.name == "chat scripted"]
    assert [chat["error.type"] for chat in chats if "error.type" in chat]
