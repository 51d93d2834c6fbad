"""Requests that two servers might read in two ways, and names that pretend to be others."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from serve_fixtures import Starting
from serve_wire import ASK, CHAT, connected, error, received, request, status, talk

from imprimatur.serve.keys import new_key
from imprimatur.testing import ScriptedServer, say

pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_CHECK = "/v1/check"
_ANSWER = {"answer": "a"}
_HEAD = b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
_BODY = b'{"answer": "a"}'


@pytest.mark.parametrize(
    "sent",
    [
        _HEAD + b"Content-Length: 15\r\nContent-Length: 0\r\n\r\n" + _BODY,
        _HEAD + b"Content-Length: 15, 0\r\n\r\n" + _BODY,
        _HEAD + b"Content-Length: +15\r\n\r\n" + _BODY,
        _HEAD + b"Content-Length: -1\r\n\r\n" + _BODY,
        _HEAD + b"Content-Length: 0x0f\r\n\r\n" + _BODY,
        _HEAD + b"Content-Length : 15\r\n\r\n" + _BODY,
        _HEAD + b"Transfer-Encoding: gzip\r\n\r\n" + _BODY,
        _HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        _HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        _HEAD + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
        _HEAD + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        _HEAD + b"Transfer-Encoding: chunked\r\n\r\n0x5\r\n{}\r\n0\r\n\r\n",
        _HEAD + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\n",
        _HEAD + b"X-A: b\rX-Imprimatur-KB: other\r\nContent-Length: 15\r\n\r\n" + _BODY,
        _HEAD + b"X-A: b\x00c\r\nContent-Length: 15\r\n\r\n" + _BODY,
        _HEAD + b"X A: b\r\nContent-Length: 15\r\n\r\n" + _BODY,
        b"POST /v1/check HTTP/1.1\r\nContent-Length: 15\r\n\r\n" + _BODY,
        b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nHost: other\r\nContent-Length: 15\r\n\r\n" + _BODY,
        b"POST  /v1/check HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /v1/check\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /healthz\xc3\xbc HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /healthz\r\n HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_what_is_no_clear_request(gateway: Starting, sent: bytes) -> None:
    """What can be read in two ways is not read at all: it is refused and the connection closed."""
    with connected(gateway()) as wire:
        wire.sendall(sent)
        assert status(received(wire)) == 400
        assert b"HTTP/1.1 200" not in received(wire)


@pytest.mark.parametrize("header", [b"X-A: " + b"b" * 40_000 + b"\r\n", b"X-A: b\r\n" * 3000, b"A" * 400_000])
def test_a_long_head(gateway: Starting, header: bytes) -> None:
    """A head beyond 16 KB is refused, in one header or in many, and the connection is closed."""
    with connected(gateway()) as wire:
        with contextlib.suppress(ConnectionError):
            wire.sendall(_HEAD + header + b"Content-Length: 15\r\n\r\n" + _BODY)
        assert status(received(wire)) in (0, 400, 431)
        assert received(wire, seconds=3) == b""


def test_a_length_beside_chunks(gateway: Starting) -> None:
    """Where a length and chunks are told, the request is refused, and what follows it begins no second one."""
    hidden = request("/healthz", method="GET")
    sent = _HEAD + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
    sent += b"f\r\n" + _BODY + b"\r\n0\r\n\r\n"
    with connected(gateway()) as wire:
        wire.sendall(sent + hidden)
        assert status(received(wire)) == 400
        assert received(wire, seconds=3) == b""


def test_a_folded_header(gateway: Starting) -> None:
    """A header that goes on in the next line is one header; nothing in it becomes another."""
    sent = _HEAD + b"X-A: b\r\n X-Imprimatur-KB: other\r\nContent-Length: 15\r\n\r\n" + _BODY
    assert status(talk(gateway(), sent)) in (200, 400)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/kb/../v1/check", 404),
        ("/kb/brooks/../../v1/check", 404),
        ("/kb/./v1/check", 404),
        ("/kb//v1/check", 404),
        ("//v1/check", 404),
        ("/v1//check", 404),
        ("/v1/check/", 404),
        ("/kb/%2e%2e/v1/check", 400),
        ("/kb/brooks%2Fv1%2Fcheck", 400),
        ("/kb/brooks%2F/v1/check", 404),
        ("/kb/br%6Foks/v1/check", 400),
        ("/kb/brooks%00/v1/check", 400),
        ("/kb/brooks%0d%0aX-A:b/v1/check", 400),
        ("/kb/brooks%5c/v1/check", 400),
        ("/kb/brooks;a=b/v1/check", 404),
        ("/kb/brooks%/v1/check", 400),
        ("/kb/brooks%C3%BC/v1/check", 404),
        ("/kb/brooks%ff%fe/v1/check", 404),
        ("/V1/CHECK", 404),
        ("/v1/check?kb=other", 200),
        ("/v1/models/../check", 404),
        ("http://127.0.0.1/v1/check", 404),
        ("http://other.example/v1/check", 404),
        ("*", 404),
        ("/kb/" + "a" * 9000 + "/v1/check", 404),
    ],
)
def test_paths(gateway: Starting, path: str, expected: int) -> None:
    """A path counts as it is written: nothing in it is resolved, decoded twice, or redirected."""
    found = talk(gateway(), request(path, _ANSWER))
    assert status(found) == expected
    assert b"location:" not in found.lower()
    if expected != 200:
        assert error(found)["message"]


@pytest.mark.parametrize("name", ["../brooks", "brooks/..", "brooks\x00", "BROOKS", " brooks", "%62rooks", "", "ﬁ"])
def test_names_of_knowledge_bases(gateway: Starting, name: str) -> None:
    """A knowledge base is known by its exact name alone."""
    found = talk(gateway(), request(_CHECK, {**_ANSWER, "imprimatur": {"knowledge_base": name}}))
    assert status(found) == (200 if name == "" else 404)  # an empty name names none


@pytest.mark.parametrize(
    "header",
    [
        "X-Forwarded-For: 10.0.0.1",
        "X-Forwarded-Host: other",
        "X-Forwarded-Prefix: /kb/other",
        "X-Original-URL: /metrics",
        "X-Rewrite-URL: /metrics",
        "X-HTTP-Method-Override: GET",
        "Forwarded: for=10.0.0.1;host=other",
        "X_Imprimatur_KB: other",
        "Upgrade: websocket\r\nConnection: Upgrade",
        "Expect: 100-continue",
        "Connection: X-Imprimatur-KB",
        "Trailer: Authorization",
        "TE: trailers",
    ],
)
def test_headers_that_claim_something(gateway: Starting, header: str) -> None:
    """Headers that elsewhere change the path, the host, the method or the caller change nothing here."""
    with connected(gateway()) as wire:
        wire.sendall(request(_CHECK, _ANSWER, header))
        found = received(wire)
    assert status(found) == 200
    assert b'"schema_version"' in found


def test_a_trailer_is_no_header(gateway: Starting, tmp_path: Path) -> None:
    """What comes behind the chunks of a body says nothing of who calls."""
    key, digest = new_key()
    file = tmp_path / "keys.yaml"
    file.write_text(f"version: 1\nkeys:\n  - {{name: a, sha256: {digest}}}\n", encoding="utf-8")
    sent = _HEAD + b"Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\nf\r\n" + _BODY
    sent += b"\r\n0\r\nAuthorization: Bearer " + key.encode() + b"\r\n\r\n"
    assert status(talk(gateway(keys=file), sent)) == 401


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", 200),
        ("LOCALHOST:8317", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8317", 200),
        ("127.9.9.9", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("evil.example:127.0.0.1", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost@evil.example", 403),
        ("10.0.0.1", 403),
        ("[::2]", 403),
        ("2130706433", 403),
        ("", 403),
    ],
)
def test_a_page_of_another_name(gateway: Starting, host: str, expected: int) -> None:
    """Without keys only this machine's own names are served: a web page cannot have its name point here."""
    assert status(talk(gateway(), request(_CHECK, _ANSWER, host=host))) == expected


def test_with_keys_any_name_will_do(gateway: Starting, tmp_path: Path) -> None:
    """Where keys are asked for, the name that the gateway is called by does not matter."""
    key, digest = new_key()
    file = tmp_path / "keys.yaml"
    file.write_text(f"version: 1\nkeys:\n  - {{name: a, sha256: {digest}}}\n", encoding="utf-8")
    sent = request(_CHECK, _ANSWER, f"Authorization: Bearer {key}", host="gate.example")
    assert status(talk(gateway(keys=file), sent)) == 200


def test_nothing_of_a_head_travels_on(gateway: Starting) -> None:
    """What a request's head says reaches the model server in no form."""
    with ScriptedServer(say("Hello")) as server:
        url = gateway(server)
        extra = ("X-Api-Key: mine", "Cookie: a=b", "OpenAI-Organization: c", "X-Forwarded-For: 1.2.3.4", "Host-X: d")
        assert status(talk(url, request(f"{CHAT}?api-version=1&key=mine", ASK, *extra))) == 200
        sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    kept = {"host", "accept", "accept-encoding", "connection", "user-agent", "content-type", "content-length"}
    assert {name.lower() for name in sent.headers} == kept
