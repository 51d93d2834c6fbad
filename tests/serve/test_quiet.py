"""What the gateway does not say: to its log, to browsers of other sites, and in its figures."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting
from serve_wire import ASK, CHAT, STREAMED, request, status, talk

from imprimatur.serve.figures import KINDS
from imprimatur.serve.keys import new_key
from imprimatur.testing import ScriptedServer, fail, garbled, raw, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_SECRET = "Elm Brook hides a treasure of 14 km."
_LINE = "a\r\nERROR imprimatur.serve: forged\x1b[31m"


def _all_calls(url: str, key: str) -> None:
    """Calls of all kinds, right and wrong, full of what must not be told."""
    head = {"authorization": f"Bearer {key}", "user-agent": _SECRET, "x-imprimatur-kb": "brooks"}
    wrong: list[Any] = [
        {"answer": _SECRET},
        {"answer": _SECRET, "imprimatur": {_LINE: 1}},
        {"answer": _SECRET, "imprimatur": {"policy": _LINE}},
        {"answer": _SECRET, "imprimatur": {"knowledge_base": _LINE}},
        {"answer": _SECRET, "imprimatur": {"as_of": _LINE}},
        {"answer": {_LINE: _SECRET}},
        {"claims": [{"text": _SECRET, "kind": _LINE}]},
        {"answer": _SECRET, "memory": [{"id": _LINE, _LINE: _SECRET}]},
    ]
    for body in wrong:
        httpx2.post(f"{url}/v1/check", json=body, headers=head)
        httpx2.post(f"{url}/v1/batch", json={"rows": [body]}, headers=head)
    for body in ({**ASK, "model": _LINE}, STREAMED):
        for _ in range(5):
            httpx2.post(f"{url}{CHAT}", json=body, headers=head)
    for path in (f"/kb/{_SECRET}/v1/check", "/v1/check?answer=treasure", "/treasure"):
        httpx2.post(f"{url}{path}", json={"answer": "a"}, headers=head)
    httpx2.post(f"{url}/v1/check", json={"answer": "a"}, headers={"authorization": "Bearer treasure"})
    talk(url, b"GET /treasure\x00\r\nERROR forged\r\n\r\n")


def test_the_log(gateway: Starting, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log has no key, no answer, no question and no line of a caller's or a model server's making."""
    key, digest = new_key()
    file = tmp_path / "keys.yaml"
    file.write_text(f"version: 1\nkeys:\n  - {{name: a, sha256: {digest}}}\n", encoding="utf-8")
    replies = [say(_SECRET), fail(500, _LINE), garbled(), raw(_SECRET), raw(json.dumps({"error": _SECRET}))]
    caplog.set_level(logging.DEBUG, logger="imprimatur")
    caplog.set_level(logging.INFO, logger="uvicorn")
    with ScriptedServer(replies * 2) as server:
        _all_calls(gateway(server, keys=file, ledger=tmp_path / "ledger.sqlite"), key)
    said = [each for each in caplog.records if each.name.split(".")[0] in ("imprimatur", "uvicorn")]
    assert any(each.name == "imprimatur.serve" for each in said)
    for each in said:
        line = each.getMessage()
        assert "\n" not in line
        assert "\x1b" not in line
        for word in (key, digest, "treasure", "forged"):
            assert word not in line + str(each.exc_text or "")
        assert each.exc_info is None


def test_other_sites(gateway: Starting) -> None:
    """A browser is allowed nothing for pages of other sites: neither beforehand nor in a reply."""
    with ScriptedServer(lambda _: say("Hello")) as server:
        url = gateway(server)
        for path, method in ((CHAT, "POST"), ("/v1/check", "POST"), ("/v1/models", "GET"), ("/metrics", "GET")):
            asks = ("Origin: https://evil.example", f"Access-Control-Request-Method: {method}")
            before = talk(url, request(path, None, *asks, method="OPTIONS"))
            assert status(before) == 405
            body = None if method == "GET" else {**ASK, "answer": "a"}
            reply = talk(url, request(path, body, "Origin: https://evil.example", method=method))
            for found in (before, reply):
                assert b"access-control-" not in found.lower()


def test_figures_stay_few(gateway: Starting) -> None:
    """No name of a request's or a model server's making becomes a label: the figures do not grow with them."""
    message = {"role": "assistant", "content": "Hello"}

    def strange(asked: Any) -> Any:
        odd = {**message, f"strange_{len(server.requests)}": "x", "reasoning_content": "y"}
        return raw(json.dumps({"choices": [{"index": 0, "message": odd, "finish_reason": "stop"}]}))

    with ScriptedServer(strange) as server:
        url = gateway(server)
        for n in range(12):
            ask = {**ASK, "model": f"strange_model_{n}", "user": f"strange_user_{n}"}
            assert httpx2.post(f"{url}{CHAT}", json=ask).status_code == 200
            httpx2.post(f"{url}/kb/strange_{n}/v1/check", json={"answer": "a"})
            httpx2.post(f"{url}/strange_{n}", json={"answer": "a"})
            httpx2.request(f"STRANGE{n}", f"{url}/v1/check")
        told = httpx2.get(f"{url}/metrics").text
    assert "strange" not in told.lower()
    assert 'imprimatur_not_examined_total{kind="other"} 12.0' in told
    assert 'imprimatur_not_examined_total{kind="reasoning_content"} 12.0' in told
    assert "other" in KINDS


@pytest.mark.parametrize("path", ["/", "/v1", "/docs", "/kb", "/v1/check", "/.env", "/v1/embeddings", "/debug"])
def test_what_is_not_there(gateway: Starting, path: str) -> None:
    """What is not served is told as an error object, which says nothing of what stands behind."""
    found = talk(gateway(), request(path, method="GET"))
    assert status(found) in (404, 405)
    assert b'"not_found"' in found
    assert b"server:" not in found.lower()
    assert b"uvicorn" not in found.lower()
