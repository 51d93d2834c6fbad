"""Callers that stall: heads and bodies that do not come, replies that are not read, uploads without an end."""

from __future__ import annotations

import contextlib
import re
import resource
import socket
import time
from contextlib import ExitStack

import pytest
from serve_fixtures import Starting
from serve_wire import (
    ASK,
    CHAT,
    EVENTS,
    STREAMED,
    RawServer,
    connected,
    delta,
    received,
    request,
    says,
    status,
    talk,
    until,
)

from imprimatur.serve.settings import Limits
from imprimatur.testing import ScriptedServer, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long. "
_CHECK = "/v1/check"


@pytest.mark.parametrize("start", [b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"GET"])
def test_a_head_that_does_not_come(gateway: Starting, start: bytes) -> None:
    """A connection on which no whole head comes in time is closed, though a byte comes now and then."""
    url = gateway(limits=Limits(stall_seconds=1))
    with connected(url) as wire:
        began = time.monotonic()
        closed = False
        wire.settimeout(0.2)
        wire.sendall(start)
        while not closed and time.monotonic() < began + 8:
            try:
                wire.sendall(b"a" if start else b"")
                closed = wire.recv(100) == b""
            except TimeoutError:
                continue
            except ConnectionError:
                closed = True
        assert closed
        assert time.monotonic() - began < 6


def test_a_second_head_that_does_not_come(gateway: Starting) -> None:
    """After a reply the next head has its time, too."""
    url = gateway(limits=Limits(stall_seconds=1))
    with connected(url) as wire:
        wire.sendall(request("/healthz", method="GET"))
        assert status(received(wire)) == 200
        wire.sendall(b"GET /healthz HTT")
        assert received(wire, seconds=5) == b""


def test_a_body_that_does_not_come(gateway: Starting) -> None:
    """A body that trickles in is given up, and its place among the calls is free again."""
    url = gateway(limits=Limits(body_seconds=1, calls=1))
    with connected(url) as wire:
        wire.sendall(request(_CHECK, b"")[:-4].replace(b"Length: 0", b"Length: 900") + b"\r\n\r\n{")
        for _ in range(8):
            wire.sendall(b" ")
            time.sleep(0.1)
        assert status(received(wire, seconds=5)) == 408
    assert httpx2.post(f"{url}{_CHECK}", json={"answer": "a"}).status_code == 200


def _send_for(wire: socket.socket, part: bytes, *, seconds: float) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        wire.sendall(part)
        time.sleep(0.001)


def test_an_upload_without_an_end(gateway: Starting) -> None:
    """Whoever goes on sending after the refusal is cut off."""
    url = gateway(limits=Limits(bytes=2000, stall_seconds=1))
    with connected(url) as wire:
        head = request(_CHECK, b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        wire.sendall(head)
        with pytest.raises(ConnectionError):
            _send_for(wire, b"3e8\r\n" + b"x" * 1000 + b"\r\n", seconds=10)


def test_the_oldest_waiting_connection_makes_room(gateway: Starting) -> None:
    """Idle connections do not keep others out: the one that has waited longest is closed for a new one."""
    url = gateway(limits=Limits(connections=5, stall_seconds=60))
    with ExitStack() as stack:
        idle = [stack.enter_context(connected(url)) for _ in range(5)]
        assert status(talk(url, request("/healthz", method="GET"))) == 200
        assert received(idle[0], seconds=5) == b""
        idle[4].sendall(request("/healthz", method="GET"))
        assert status(received(idle[4])) == 200


def test_no_room(gateway: Starting) -> None:
    """Where every connection has a call under way, a further one is told to come again."""
    with ScriptedServer(say(_TRUE).late(2)) as server, ExitStack() as stack:
        url = gateway(server, limits=Limits(connections=2))
        busy = [stack.enter_context(connected(url)) for _ in range(2)]
        for each in busy:
            each.sendall(request(CHAT, ASK))
        assert until(lambda: len(server.requests) == 2)
        assert b"too_many_connections" in talk(url, b"")
        assert [status(received(each)) for each in busy] == [200, 200]


def test_a_reader_that_does_not_read(gateway: Starting) -> None:
    """What a caller does not read is not taken from the model server; in time the caller is let go."""
    sent = 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def flood(wire: socket.socket, _: bytes) -> None:
        nonlocal sent
        wire.sendall(EVENTS)
        chunk = delta("").replace(b'"content": ""', b'"reasoning_content": "%s"' % (b"x" * 1000)) * 30
        for _n in range(2900):  # 100 MB
            wire.sendall(chunk)
            sent += len(chunk)

    with RawServer(flood) as server:
        url = gateway(server, seconds=60, limits=Limits(calls=1, stall_seconds=2))
        with connected(url) as wire:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            wire.sendall(request(CHAT, STREAMED))
            assert until(lambda: sent > 0)
            assert status(talk(url, request(_CHECK, {"answer": "a"}))) == 429
            assert until(lambda: server.ended == 1, seconds=20)
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert after - most < 40 << 10
        assert sent < 30 << 20
        assert until(lambda: status(talk(url, request(_CHECK, {"answer": "a"}))) == 200)


def test_a_large_reply_that_is_not_read(gateway: Starting) -> None:
    """A whole reply that is not read does not keep its connection either."""
    with ScriptedServer(say(_TRUE, padding="x" * (30 << 20))) as server:
        url = gateway(server, limits=Limits(stall_seconds=1))
        with connected(url) as wire:
            wire.sendall(request(CHAT, ASK))
            told = b'imprimatur_requests_total{route="/v1/chat/completions"'
            assert until(lambda: told in httpx2.get(f"{url}/metrics").content)
            time.sleep(2.5)
            size = 0
            with contextlib.suppress(ConnectionError):
                while part := wire.recv(1 << 20):
                    size += len(part)
        assert size < 20 << 20


def test_half_closed(gateway: Starting) -> None:
    """A caller that closes its side has gone: the call to the model server ends with it."""

    def slowly(wire: socket.socket, _: bytes) -> None:
        wire.sendall(EVENTS)
        for _n in range(200):
            wire.sendall(delta(_TRUE))
            time.sleep(0.05)

    with RawServer(slowly) as server:
        url = gateway(server)
        with connected(url) as wire:
            wire.sendall(request(CHAT, STREAMED))
            assert wire.recv(100)
            wire.shutdown(socket.SHUT_WR)
            assert until(lambda: server.ended == 1, seconds=5)


def test_pipelined(gateway: Starting) -> None:
    """Requests that are sent together are answered one after the other, in order."""
    url = gateway()
    with connected(url) as wire:
        wire.sendall(request(_CHECK, {"answer": "a"}) + request("/healthz", method="GET") + b"nonsense\r\n\r\n")
        wire.settimeout(5)
        found = b""
        while part := wire.recv(65536):
            found += part
    assert re.findall(rb"HTTP/1.1 (\d+) ", found) == [b"200", b"200", b"400"]


def test_a_stream_that_never_ends(gateway: Starting) -> None:
    """A reply has its time: a model server that sends comments for ever ends in an error."""

    def chatter(wire: socket.socket, _: bytes) -> None:
        wire.sendall(EVENTS + delta(_TRUE) + delta("Elm"))
        while True:
            wire.sendall(b": still there\n\n")
            time.sleep(0.05)

    with RawServer(chatter) as server:
        url = gateway(server, seconds=1)
        found = talk(url, request(CHAT, STREAMED), seconds=8)
    assert b"took too long" in found
    assert found.rstrip(b"\r\n0").endswith(b"data: [DONE]")


def test_a_kept_connection_is_used_again(gateway: Starting) -> None:
    """None of this disturbs a caller that keeps its connection: calls follow each other on it."""
    with ScriptedServer(lambda _: say(_TRUE)) as server, httpx2.Client() as client:
        url = gateway(server, limits=Limits(stall_seconds=1))
        for _ in range(4):
            assert client.post(f"{url}{CHAT}", json=ASK).status_code == 200
            assert client.post(f"{url}{CHAT}", json=STREAMED).status_code == 200
            time.sleep(0.4)
    with RawServer(says(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as raw:
        assert status(talk(gateway(raw), request(CHAT, ASK))) == 502
