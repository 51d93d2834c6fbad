"""Callers that go away: the call behind ends, their place is free again, and what they were shown is recorded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import select
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting
from serve_wire import (
    ASK,
    CHAT,
    DONE,
    EVENTS,
    STREAMED,
    Handler,
    RawServer,
    connected,
    delta,
    received,
    request,
    status,
    talk,
    until,
)

from imprimatur.ledger import Ledger
from imprimatur.serve.app import make_app
from imprimatur.serve.settings import Limits, Settings, Upstream
from imprimatur.testing import ScriptedServer, say

pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long. "
_CREATED = b'data: {"type": "response.created", "response": {"id": "r", "output": []}}\n\n'
_PART = {"type": "response.output_text.delta", "item_id": "i", "output_index": 0, "content_index": 0}
_SAID = b"data: " + json.dumps({**_PART, "delta": _TRUE + "It"}).encode() + b"\n\n"
_RESPONSE = {"model": "m", "input": "x"}


def _then_waits(*parts: bytes) -> Handler:
    """A handler that sends some bytes and then waits until the gateway hangs up."""

    def handle(wire: socket.socket, _: bytes) -> None:
        for part in parts:
            wire.sendall(part)
        wire.settimeout(20)
        assert wire.recv(1) == b""

    return handle


@pytest.mark.parametrize(
    ("path", "body", "parts", "reports"),
    [
        pytest.param(CHAT, ASK, [], 0, id="whole, before anything comes"),
        pytest.param(CHAT, ASK, [b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{"], 0, id="whole, half of it there"),
        pytest.param(CHAT, STREAMED, [], 0, id="before anything comes"),
        pytest.param(CHAT, STREAMED, [EVENTS], 0, id="before the first event"),
        pytest.param(CHAT, STREAMED, [EVENTS, delta("Elm Brook is")], 1, id="while all is held back"),
        pytest.param(CHAT, STREAMED, [EVENTS, delta(_TRUE), delta("It")], 1, id="after the first sentence"),
        pytest.param(
            CHAT,
            {**STREAMED, "n": 3},
            [EVENTS, delta(_TRUE, index=0, finish="stop"), delta("It", index=1), delta(_TRUE + "It", index=2)],
            3,
            id="one of three choices ended",
        ),
        pytest.param("/v1/responses", {**_RESPONSE, "stream": True}, [EVENTS, _CREATED, _SAID], 1, id="a response"),
        pytest.param("/v1/responses", _RESPONSE, [], 0, id="a whole response"),
        pytest.param("/v1/models", None, [], 0, id="the list of models"),
    ],
)
def test_at_every_stage(
    gateway: Starting, tmp_path: Path, path: str, body: Any, parts: list[bytes], reports: int
) -> None:
    """Wherever a call stands when its caller goes away: the call behind ends, nothing is left of it but its reports."""
    with RawServer(_then_waits(*parts)) as server:
        url = gateway(server, ledger=tmp_path / "ledger.sqlite", limits=Limits(calls=1), seconds=30)
        with connected(url) as wire:
            wire.sendall(request(path, body, method="POST" if body else "GET"))
            assert until(lambda: len(server.seen) == 1)
            time.sleep(0.3)
            assert server.ended == 0
        assert until(lambda: server.ended == 1, seconds=5)
        assert until(lambda: status(talk(url, request("/v1/check", {"answer": "a"}))) == 200, seconds=5)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert until(lambda: ledger.verify().count == reports + 1)
        assert ledger.verify().faults == ()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/batch", {"rows": [{"id": n, "answer": _TRUE * 150} for n in range(400)]}),
        ("/beta/litellm_basic_guardrail_api", {"texts": [_TRUE * 150] * 400, "input_type": "response"}),
    ],
)
def test_during_a_batch(gateway: Starting, path: str, body: Any) -> None:
    """A batch whose caller goes away ends with the row that is being checked."""
    url = gateway(limits=Limits(calls=1))
    with connected(url) as wire:
        wire.sendall(request(path, body))
        assert until(lambda: status(talk(url, request("/v1/check", {"answer": "a"}))) == 429)
    assert until(lambda: status(talk(url, request("/v1/check", {"answer": "a"}))) == 200, seconds=8)


def test_while_recording(gateway: Starting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that is being written when its caller goes away is written."""
    proper = Ledger.append

    def slowly(*given: Any, **named: Any) -> int:
        time.sleep(1)
        return proper(*given, **named)

    with ScriptedServer(say(_TRUE)) as server:
        url = gateway(server, ledger=tmp_path / "ledger.sqlite", limits=Limits(calls=1))
        monkeypatch.setattr(Ledger, "append", slowly)
        with connected(url) as wire:
            wire.sendall(request(CHAT, STREAMED))
            assert until(lambda: len(server.exchanges) == 1)
            time.sleep(0.3)
        monkeypatch.undo()
        assert until(lambda: status(talk(url, request("/v1/check", {"answer": "a"}))) == 200, seconds=5)
        with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
            assert until(lambda: ledger.verify().count == 2)


def test_between_the_first_event_and_the_reply(brooks: Path) -> None:
    """A caller that is gone before its reply begins leaves no place taken and no call open."""
    with RawServer(_then_waits(EVENTS, delta(_TRUE), delta("It"))) as server:
        upstream = Upstream(base_url=server.url, seconds=30)
        app = make_app(Settings(knowledge_bases=(("brooks", str(brooks)),), upstream=upstream, limits=Limits(calls=1)))

        async def call() -> list[str]:
            data = json.dumps(STREAMED).encode()
            come = [{"type": "http.request", "body": data, "more_body": False}]
            sent: list[str] = []
            gone = asyncio.Event()

            async def receive() -> Any:
                if come:
                    return come.pop()
                await gone.wait()
                return {"type": "http.disconnect"}

            async def send(message: Any) -> None:
                gone.set()  # it goes away as soon as the head is being sent, before a single event
                await asyncio.sleep(0.2)
                sent.append(message["type"])

            heads = [(b"host", b"localhost"), (b"content-type", b"application/json")]
            scope: dict[str, Any] = {"type": "http", "http_version": "1.1", "asgi": {"spec_version": "2.3"}}
            scope |= {"method": "POST", "path": CHAT, "raw_path": CHAT.encode(), "query_string": b"", "root_path": ""}
            scope |= {"headers": heads}
            async with app.router.lifespan_context(app):
                await app(scope, receive, send)
                async with app.state.service.slot():
                    return sent

        with contextlib.suppress(asyncio.CancelledError):
            assert asyncio.run(call()) == []
        assert until(lambda: server.ended == 1, seconds=5)


def test_others_are_not_disturbed(gateway: Starting) -> None:
    """While many callers go away in the middle, others get all of theirs, byte for byte."""
    text = _TRUE * 12
    with ScriptedServer(lambda _: say(text).pieces(size=5)) as server:
        url = gateway(server)
        for _ in range(10):
            with connected(url) as wire:
                wire.sendall(request(CHAT, STREAMED))
                assert wire.recv(200)
            found = talk(url, request(CHAT, STREAMED), seconds=20)
            events = [json.loads(line[6:]) for line in found.split(b"\n") if line.startswith(b"data: {")]
            shown = [choice["delta"].get("content", "") for each in events for choice in each["choices"]]
            assert "".join(shown) == text
            assert DONE.strip() in found


def test_a_long_answer_keeps_nobody_waiting(gateway: Starting) -> None:
    """While a long answer is checked others get their turn."""
    with ScriptedServer(lambda _: say(_TRUE * 3000)) as server:
        url = gateway(server, limits=Limits(seconds=60))
        with connected(url) as wire:
            wire.sendall(request(CHAT, ASK))
            assert until(lambda: len(server.exchanges) == 1)
            served = 0
            while not select.select([wire], [], [], 0)[0]:
                assert status(talk(url, request("/healthz", method="GET"), seconds=60)) == 200
                served += 1
            assert status(received(wire, seconds=60)) == 200
        assert served > 5
