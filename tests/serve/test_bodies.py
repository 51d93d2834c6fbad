"""Bodies of requests that are too long, too deep, no JSON, or JSON that no two readers take alike."""

from __future__ import annotations

import json
import time
import zlib
from typing import Any

import pytest
from serve_fixtures import Starting
from serve_wire import ASK, CHAT, connected, error, received, request, status, talk

from imprimatur.serve.settings import Limits
from imprimatur.serve.strict_json import MOST_LEVELS, read_json, written
from imprimatur.testing import ScriptedServer, say

pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_CHECK = "/v1/check"
_TRUE = "Elm Brook is 12 km long."


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b'"answer"',
        b'{"answer": NaN}',
        b'{"answer": Infinity}',
        b'{"answer": "a", "x": -Infinity}',
        b'{"answer": "a", "x": 1e999}',
        b'{"answer": "a", "x": ' + b"9" * 10_000 + b"}",
        b'{"answer": "a", "x": ' + b"[" * 101 + b"]" * 101 + b"}",
        b'{"answer": "a", "x": ' + b'{"a":' * 900 + b"1" + b"}" * 901,
        b'{"answer": "a", "x": ' + b"[" * 2_000_000,
        b'{"answer": "\xff"}',
        b'{"answer": "\xed\xa0\x80"}',
        b'{"answer": "a"}{"answer": "b"}',
        b"{'answer': 'a'}",
        b'{"answer": "a",}',
        b'{"answer": "a\nb"}',
        '{"answer": "a"}'.encode("utf-16"),
        '{"answer": "a"}'.encode("utf-32"),
        zlib.compress(b'{"answer": "a"}'),
    ],
)
@pytest.mark.parametrize("path", [_CHECK, "/v1/chat/completions", "/v1/responses"])
def test_what_is_no_json(gateway: Starting, body: bytes, path: str) -> None:
    """What is no JSON, or none that could be passed on as it is, is the caller's mistake."""
    found = talk(gateway(), request(path, body))
    assert status(found) == 400
    assert error(found)["code"] == "invalid_request"


def test_levels() -> None:
    """So many levels may be nested and no more; brackets in texts are no levels."""
    assert read_json("[" * MOST_LEVELS + "]" * MOST_LEVELS)
    with pytest.raises(ValueError, match="deep"):
        read_json("[" * (MOST_LEVELS + 1) + "]" * (MOST_LEVELS + 1))
    assert read_json(json.dumps("[" * 5000)) == "[" * 5000
    assert read_json("[" + "[]," * 5000 + "[]]")
    assert written({"a": "\ud800", "b": "🙂"}) == b'{"a":"\\ud800","b":"\xf0\x9f\x99\x82"}'


def test_a_key_that_is_there_twice(gateway: Starting) -> None:
    """Of a key that is there twice the last counts, here and for the model server alike."""
    body = json.dumps(ASK)[:-1] + ', "model": "other", "imprimatur": {"mode": "audit"}, "imprimatur": {}}'
    with ScriptedServer(say(_TRUE)) as server:
        assert status(talk(gateway(server), request(CHAT, body.encode()))) == 200
        assert server.requests[0].raw.count(b'"model"') == 1
        assert server.requests[0].model == "other"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "*/*"])
def test_what_a_page_may_send_unasked(gateway: Starting, kind: str) -> None:
    """A body that does not call itself JSON is refused: a page of another site may send such without asking first."""
    sent = request(_CHECK, b'{"answer": "a"}').replace(b"application/json", kind.encode())
    assert status(talk(gateway(), sent)) == 415


def test_compressed(gateway: Starting) -> None:
    """A compressed body is refused before anything of it is unpacked."""
    bomb = zlib.compress(b" " * 50_000_000)
    found = talk(gateway(), request(_CHECK, bomb, "Content-Encoding: deflate"))
    assert status(found) == 415


@pytest.mark.parametrize(("length", "expected"), [(b"9" * 24, 400), (b"5000000000", 413), (b"16777216", 413)])
def test_a_length_that_lies(gateway: Starting, length: bytes, expected: int) -> None:
    """A length beyond the limit is refused at once, before anything comes."""
    sent = request(_CHECK, b"").replace(b"Content-Length: 0", b"Content-Length: " + length)
    with connected(gateway()) as wire:
        wire.sendall(sent)
        assert status(received(wire, seconds=5)) == expected


def test_more_than_the_length(gateway: Starting) -> None:
    """What comes behind the length is another request, and none where it is no request."""
    sent = request(_CHECK, b'{"answer": "a"}').replace(b"Content-Length: 15", b"Content-Length: 8")
    assert status(talk(gateway(), sent)) == 400


@pytest.mark.parametrize(
    "body",
    [
        {**ASK, "messages": None},
        {**ASK, "messages": {"role": "user"}},
        {**ASK, "messages": "How long?"},
        {**ASK, "stream": "yes"},
        {**ASK, "stream": 1},
        {**ASK, "stream": []},
        {**ASK, "imprimatur": []},
        {**ASK, "imprimatur": "strict"},
        {**ASK, "imprimatur": {"mode": "audit"}},
        {**ASK, "imprimatur": {"mode": {"hold": 1}}},
        {**ASK, "imprimatur": {"policy": ["strict"]}},
        {**ASK, "imprimatur": {"context": "a"}},
        {**ASK, "imprimatur": {"context": ["a"] * 1001}},
        {**ASK, "imprimatur": {"memory": [{"id": "1"}]}},
        {**ASK, "imprimatur": {"as_of": "9999-99-99"}},
        {**ASK, "imprimatur": {"ledger": "/etc/passwd"}},
    ],
)
def test_what_has_another_form(gateway: Starting, body: Any) -> None:
    """What has another form than is told is refused before the model server hears of it."""
    with ScriptedServer() as server:
        found = talk(gateway(server), request(CHAT, body))
        assert 400 <= status(found) < 500
        assert error(found)["message"]
        assert server.requests == []


@pytest.mark.parametrize(
    "messages",
    [
        [{}] * 1_000_000,
        [1] * 1_000_000,
        [[]] * 500_000,
        [{"role": "user", "content": "x"}] * 100_000,
        [{"role": "user", "content": [{"type": "text", "text": "x"}] * 80_000}],
        [{"role": "user", "content": "x" * 3_900_000}],
        [{"role": {"a": 1}, "content": {"b": 2}}, {"role": "user", "content": None}],
    ],
)
def test_many_messages(gateway: Starting, messages: Any) -> None:
    """However many messages there are: they are passed on or refused, and others are served meanwhile."""
    with ScriptedServer(say(_TRUE)) as server:
        url = gateway(server, limits=Limits(bytes=8 << 20))
        with connected(url) as wire:
            wire.sendall(request(CHAT, {**ASK, "messages": messages}))
            time.sleep(0.05)
            assert status(talk(url, request("/healthz", method="GET"))) == 200
            assert status(received(wire, seconds=30)) in (200, 400)


def test_halves_of_characters(gateway: Starting) -> None:
    """Halves of characters in an answer, a question or a passage break nothing."""
    half = "\ud800 \udc00 " + _TRUE
    url = gateway()
    row = {"answer": half, "question": half, "context": [half], "memory": [{"id": half, "text": half}]}
    assert status(talk(url, request(_CHECK, row))) in (200, 400)
    wrong = {**row, "imprimatur": {half: half}}
    found = talk(url, request(_CHECK, wrong))
    assert status(found) == 400
    assert "unknown key" in error(found)["message"]
    rows = [{**row, "id": half, half: half}, {half: half}, half]
    assert status(talk(url, request("/v1/batch", {"rows": rows}))) == 200


def test_a_batch_beyond_the_limit(gateway: Starting) -> None:
    """A batch of more rows than allowed is refused as a whole."""
    found = talk(gateway(), request("/v1/batch", {"rows": [{"answer": "a"}] * 1001}))
    assert (status(found), error(found)["param"]) == (400, "rows")
