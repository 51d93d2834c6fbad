"""What goes out of the gateway: to the one model server, without a way round; and what that one may send back."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting
from serve_wire import ASK, CHAT, DONE, EVENTS, STREAMED, RawServer, delta, error, request, says, status, talk

from imprimatur._config_models import Key
from imprimatur.errors import ModelFailed
from imprimatur.serve.events import EventReader
from imprimatur.serve.settings import Limits
from imprimatur.testing import ScriptedServer, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long."
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"


def _completion(text: str = _TRUE, **more: Any) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"id": "c", "choices": [choice], **more}).encode()


@contextmanager
def _elsewhere() -> Iterator[tuple[str, list[bytes]]]:
    """Another server of this machine, which nobody should ever reach, and what came to it."""
    with RawServer(says(_OK + b"\r\n" + _completion("Taken in."))) as server:
        yield server.url, server.seen


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("body", [ASK, STREAMED])
def test_redirects(gateway: Starting, code: int, body: Any) -> None:
    """A redirect is an error: the other server hears of nothing, neither of the request nor of the gateway's key."""
    with _elsewhere() as (url, seen):
        moved = f"HTTP/1.1 {code} Moved\r\nLocation: {url}/chat/completions\r\nContent-Length: 0\r\n\r\n"
        with RawServer(says(moved.encode())) as server:
            found = talk(gateway(server, key=Key(origin="a test", value="the-gateways")), request(CHAT, body))
            assert status(found) == 502
            assert url.encode() not in found
            assert b"Bearer the-gateways" in server.seen[0]
        assert seen == []


def test_models_are_not_redirected_either(gateway: Starting) -> None:
    """The list of models follows no redirect."""
    with _elsewhere() as (url, seen):
        moved = f"HTTP/1.1 302 Found\r\nLocation: {url}/models\r\nContent-Length: 0\r\n\r\n"
        with RawServer(says(moved.encode())) as server:
            assert status(talk(gateway(server), request("/v1/models", method="GET"))) == 502
        assert seen == []


def test_proxies_of_the_environment(gateway: Starting, monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy that the environment names is used."""
    with _elsewhere() as (url, seen), ScriptedServer(say(_TRUE)) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(name, url.removesuffix("/v1"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        address = gateway(server)
        assert status(talk(address, request(CHAT, ASK))) == 200
        assert seen == []


def test_a_netrc_is_not_read(gateway: Starting, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Names and passwords of the user's are not sent along."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n", encoding="utf-8")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with ScriptedServer(say(_TRUE)) as server:
        talk(gateway(server), request(CHAT, ASK))
        assert "authorization" not in server.requests[0].headers


def test_addresses_in_a_request(gateway: Starting) -> None:
    """No address in a request's body, its extra object, its headers or its path is called by the gateway."""
    with _elsewhere() as (url, seen), ScriptedServer(lambda _: say(_TRUE)) as server:
        address = gateway(server)
        named = dict.fromkeys(("base_url", "upstream", "api_base", "proxy", "url", "endpoint", "webhook"), url)
        picture = {"type": "image_url", "image_url": {"url": f"{url}/picture.png"}}
        messages = [{"role": "user", "content": [{"type": "text", "text": f"See {url}"}, picture]}]
        heads = (f"X-Upstream: {url}", f"X-Base-Url: {url}", f"Referer: {url}", f"Origin: {url}", f"Proxy: {url}")
        for body in ({**ASK, **named}, {**ASK, "messages": messages}, {**ASK, "model": url}):
            assert status(talk(address, request(CHAT, body, *heads))) == 200
        for key in named:
            assert status(talk(address, request(CHAT, {**ASK, "imprimatur": {key: url}}))) == 400
        for path in (f"{url}/chat/completions", f"/v1/{url}", f"/v1/models/{url}", f"/v1/chat/completions@{url[7:]}"):
            assert status(talk(address, request(path, ASK))) in (400, 404)
        context = [f'<img src="{url}/a.png"> [a]({url}/b)', f"file://{url}", "<!ENTITY x SYSTEM 'file:///etc/passwd'>"]
        checked = {"answer": f"See {url}.", "context": context}
        assert status(talk(address, request("/v1/check", checked))) == 200
        assert seen == []
        assert len(server.requests) == 3


def test_cookies_do_not_stay(gateway: Starting) -> None:
    """A cookie that the model server sets for one caller comes with no other's request, and reaches no caller."""
    head = _OK + b"Set-Cookie: session=first; Path=/\r\nX-Secret: internal\r\n\r\n"
    with RawServer(says(head + _completion())) as server:
        url = gateway(server)
        for _ in range(2):
            found = talk(url, request(CHAT, ASK))
            assert b"session" not in found
            assert b"internal" not in found
        assert all(b"cookie" not in each.lower() for each in server.seen)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"7", b"retry-after: 7\r\n"),
        (b"Wed, 21 Oct 2026 07:28:00 GMT", b"retry-after: Wed, 21 Oct 2026 07:28:00 GMT\r\n"),
        (b"7, X-Injected: yes", None),
        (b"\xe2\x82\xac", None),
        (b"7\r\n X-Injected: yes", None),
        (b"-1", None),
    ],
)
def test_how_long_to_wait(gateway: Starting, said: bytes, told: bytes | None) -> None:
    """Of a model server's headers only a proper Retry-After is passed on."""
    refusal = b"HTTP/1.1 429 Slow\r\nContent-Length: 0\r\nX-Other: 1\r\nRetry-After: " + said + b"\r\n\r\n"
    with RawServer(says(refusal)) as server:
        found = talk(gateway(server), request(CHAT, ASK))
    assert status(found) in (429, 502)
    assert (b"retry-after" in found.lower()) == (told is not None)
    assert told is None or told in found
    assert b"injected" not in found.lower()
    assert b"x-other" not in found.lower()


def test_an_error_page_is_not_repeated(gateway: Starting) -> None:
    """What the model server says of its errors is not told to callers."""
    page = b"Traceback: /srv/secret/model.py key=abc123"
    for code in (400, 401, 404, 429, 500):
        head = b"HTTP/1.1 %d Oops\r\nContent-Length: %d\r\n\r\n" % (code, len(page))
        with RawServer(says(head + page)) as server:
            found = talk(gateway(server), request(CHAT, ASK))
        assert b"secret" not in found
        assert error(found)["message"]


def test_a_packed_reply(gateway: Starting) -> None:
    """A reply that is packed, though none was asked for, is never unpacked: a small one cannot become a large one."""
    bomb = gzip.compress(b" " * 200_000_000)
    head = _OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    with RawServer(says(head + bomb)) as server:
        began = time.process_time()
        assert status(talk(gateway(server), request(CHAT, ASK))) == 502
        assert time.process_time() - began < 2
        assert b"accept-encoding: identity" in server.seen[0].lower()


def _endless(head: bytes, part: bytes, most: int = 1 << 30) -> RawServer:
    """A model server that sends the same part until it is cut off, or a gigabyte is sent."""

    def handle(wire: socket.socket, _: bytes) -> None:
        wire.sendall(head)
        for _n in range(most // len(part)):
            wire.sendall(part)

    return RawServer(handle)


@pytest.mark.parametrize(
    ("head", "part", "body"),
    [
        pytest.param(_OK + b"\r\n", b" " * (1 << 20), ASK, id="a reply of a gigabyte"),
        pytest.param(EVENTS + b"data: ", b"x" * (1 << 20), STREAMED, id="a line of a gigabyte"),
        pytest.param(EVENTS, b"data: x\n" * 10_000, STREAMED, id="an event of many lines"),
        pytest.param(EVENTS, b"data:\n" * 10_000, STREAMED, id="an event of many empty lines"),
        pytest.param(EVENTS, b": a comment\n\n" * 10_000, STREAMED, id="comments", marks=pytest.mark.slow),
        pytest.param(
            EVENTS,
            delta("").replace(b'""', b'"' + b"x" * 100_000 + b'"'),
            STREAMED,
            id="a long text",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_reply_without_an_end(gateway: Starting, head: bytes, part: bytes, body: Any) -> None:
    """Whatever a model server sends without an end is cut off, and the caller is told."""
    with _endless(head, part) as server:
        found = talk(gateway(server, seconds=30), request(CHAT, body), seconds=40)
        assert b'"upstream_failed"' in found
        assert len(found) < 10_000


def test_a_line_that_comes_in_bits() -> None:
    """A long line costs its length, into however many bits it is cut."""
    reader = EventReader()
    began = time.process_time()
    reader.feed(b"data: ")
    for _ in range(1 << 20):
        reader.feed(b"x")
    assert len(reader.feed(b"\n\n")[0]) == 1 << 20
    assert time.process_time() - began < 10
    with pytest.raises(ModelFailed):
        reader.feed(b"data: " + b"x" * (5 << 20))


def test_as_many_choices_as_it_likes(gateway: Starting) -> None:
    """A stream of ever more choices is cut off."""
    with RawServer(says(EVENTS + b"".join(delta("Hello", index=n) for n in range(500)) + DONE)) as server:
        assert b'"upstream_failed"' in talk(gateway(server), request(CHAT, STREAMED))
    choices = [{"index": n, "message": {"content": "a"}, "finish_reason": "stop"} for n in range(500)]
    with RawServer(says(_OK + b"\r\n" + json.dumps({"choices": choices}).encode())) as server:
        assert status(talk(gateway(server), request(CHAT, ASK))) == 502


def test_as_many_calls_as_allowed(gateway: Starting) -> None:
    """Lists of models count among the calls at once, so that they cannot use up the way to the model server."""
    with RawServer(lambda wire, _: time.sleep(1)) as server:
        url = gateway(server, limits=Limits(calls=3))
        asked = [threading.Thread(target=talk, args=(url, request("/v1/models", method="GET"))) for _ in range(3)]
        for each in asked:
            each.start()
        while len(server.seen) < 3:
            time.sleep(0.01)
        assert status(talk(url, request("/v1/models", method="GET"))) == 429
        for each in asked:
            each.join()
