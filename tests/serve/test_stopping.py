"""A gateway that stops while calls are under way: each ends well formed in time, and no report is lost."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import serving
from serve_wire import ASK, CHAT, DONE, EVENTS, STREAMED, Handler, RawServer, connected, delta, received, request, until

from imprimatur.ledger import Ledger
from imprimatur.serve.settings import Settings, Upstream
from imprimatur.testing import ScriptedServer, say

pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long. "
_RESPONSE = {"model": "m", "input": "x", "stream": True}
_CREATED = b'data: {"type": "response.created", "response": {"id": "r", "output": []}}\n\n'


def _says_and_waits(wire: socket.socket, asked: bytes) -> None:
    """Begins a reply of the kind that is asked for, and never ends it."""
    if b"/responses" in asked:
        wire.sendall(EVENTS + _CREATED)
    elif b'"stream":true' in asked:
        wire.sendall(EVENTS + delta(_TRUE) + delta("Elm Brook is 14"))
    wire.settimeout(30)
    wire.recv(1)


def _settings(brooks: Path, folder: Path, url: str) -> Settings:
    bases = (("brooks", str(brooks)),)
    return Settings(knowledge_bases=bases, ledger=folder / "ledger.sqlite", upstream=Upstream(base_url=url, seconds=60))


def test_what_does_not_end_in_time(brooks: Path, tmp_path: Path) -> None:
    """A call that has not ended when the time is up is told that the gateway stops, in the form of its reply."""
    handle: Handler = _says_and_waits
    calls: list[tuple[str, Any]] = [(CHAT, STREAMED), ("/v1/responses", _RESPONSE), (CHAT, ASK)]
    with RawServer(handle) as server, ExitStack() as stack:
        with serving(_settings(brooks, tmp_path, server.url), stop_seconds=1) as url:
            wires = [stack.enter_context(connected(url)) for _ in range(len(calls) * 3)]
            for n, wire in enumerate(wires):
                path, body = calls[n % len(calls)]
                wire.sendall(request(path, body))
            assert until(lambda: len(server.seen) == len(wires))
            time.sleep(0.5)
            began = time.monotonic()
        assert time.monotonic() - began < 6
        for n, wire in enumerate(wires):
            found = received(wire)
            assert b'"stopping"' in found
            assert b"14" not in found
            kind = n % len(calls)
            if kind == 0:
                assert found.endswith(DONE + b"\r\n0\r\n\r\n")
                assert found.count(b"data: [DONE]") == 1
                assert _TRUE.encode() in found
            elif kind == 1:
                last = json.loads(found.split(b"data: ")[-1].partition(b"\n")[0])
                assert (last["type"], last["sequence_number"]) == ("error", 1)
            else:
                assert found.startswith(b"HTTP/1.1 503 ")
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert (ledger.verify().count, ledger.verify().faults) == (3, ())


def test_what_ends_in_time(brooks: Path, tmp_path: Path) -> None:
    """A call under way when the gateway stops comes to its proper end."""
    text = _TRUE * 5
    with ScriptedServer(lambda _: say(text).pieces(size=12).slow(0.02)) as server, ExitStack() as stack:
        with serving(_settings(brooks, tmp_path, server.url), stop_seconds=20) as url:
            wires = [stack.enter_context(connected(url)) for _ in range(12)]
            for wire in wires:
                wire.sendall(request(CHAT, STREAMED))
            assert until(lambda: len(server.requests) == len(wires))
        for wire in wires:
            found = received(wire)
            assert b'"finish_reason":"stop"' in found
            assert found.endswith(DONE + b"\r\n0\r\n\r\n")
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert (ledger.verify().count, ledger.verify().faults) == (len(wires), ())


def test_a_reader_that_stalls_does_not_hold_up_the_end(brooks: Path, tmp_path: Path) -> None:
    """A caller that does not read cannot keep the gateway from stopping."""

    def flood(wire: socket.socket, _: bytes) -> None:
        wire.sendall(EVENTS)
        part = delta("").replace(b'"content": ""', b'"reasoning_content": "%s"' % (b"x" * 1000)) * 30
        while True:
            wire.sendall(part)

    with RawServer(flood) as server, ExitStack() as stack:
        with serving(_settings(brooks, tmp_path, server.url), stop_seconds=1) as url:
            wire = stack.enter_context(connected(url))
            wire.sendall(request(CHAT, STREAMED))
            assert until(lambda: len(server.seen) == 1)
            time.sleep(1.5)
            began = time.monotonic()
        assert time.monotonic() - began < 8
