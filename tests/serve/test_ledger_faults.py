"""A ledger that cannot be written while the gateway serves: no reply ends as if it had been recorded."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting
from serve_wire import ASK, CHAT, STREAMED, request, status, talk

from imprimatur.errors import LedgerError
from imprimatur.ledger import Ledger
from imprimatur.serve import recorder
from imprimatur.testing import ScriptedServer, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long."
_RESPONSE = {"model": "m", "input": "x"}
_GUARDRAIL = "/beta/litellm_basic_guardrail_api"


def _replies(url: str) -> list[bytes]:
    """What is answered on every route that records."""
    return [
        talk(url, request(CHAT, ASK), seconds=30),
        talk(url, request("/v1/responses", _RESPONSE), seconds=30),
        talk(url, request("/v1/check", {"answer": _TRUE}), seconds=30),
        talk(url, request("/v1/batch", {"rows": [{"id": 1, "answer": _TRUE}]}), seconds=30),
        talk(url, request(_GUARDRAIL, {"texts": [_TRUE], "input_type": "response"}), seconds=30),
        talk(url, request(CHAT, STREAMED), seconds=30),
        talk(url, request("/v1/responses", {**_RESPONSE, "stream": True}), seconds=30),
    ]


def _all_refused(url: str) -> None:
    *whole, chat, response = _replies(url)
    for each in whole:
        assert status(each) == 500
        assert b'"check_failed"' in each
        assert b"ledger" not in each
    for each in (chat, response):
        assert status(each) == 500 or b'"check_failed"' in each
        assert b'"finish_reason":"stop"' not in each
        assert b"response.completed" not in each


def _full(*_: Any, **__: Any) -> int:
    raise LedgerError("the ledger cannot be used: database or disk is full")


def test_a_full_disk(gateway: Starting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a report cannot be written the reply ends in an error, streamed or not; afterwards all is well again."""
    with ScriptedServer(lambda _: say(_TRUE)) as server:
        url = gateway(server, ledger=tmp_path / "ledger.sqlite")
        with monkeypatch.context() as patched:
            patched.setattr(Ledger, "append", _full)
            _all_refused(url)
        assert [status(each) for each in _replies(url)] == [200] * 7
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert (ledger.verify().count, ledger.verify().faults) == (7, ())


def test_a_locked_ledger(gateway: Starting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that another process has locked is waited for, but not for ever; many calls wait no longer than one."""
    monkeypatch.setattr(recorder, "WAIT_SECONDS", 1)
    file = tmp_path / "ledger.sqlite"
    with ScriptedServer(lambda _: say(_TRUE)) as server:
        url = gateway(server, ledger=file)
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with httpx2.Client(timeout=30) as client:
            assert client.post(f"{url}/v1/check", json={"answer": _TRUE}).status_code == 500
        assert time.monotonic() - began < 8
        found = talk(url, request(CHAT, STREAMED), seconds=20)
        assert b'"check_failed"' in found
        other.execute("ROLLBACK")
        other.close()
        assert status(talk(url, request("/v1/check", {"answer": _TRUE}), seconds=30)) == 200
    with Ledger.open(file) as ledger:
        assert ledger.verify().faults == ()


def test_a_broken_ledger(gateway: Starting, tmp_path: Path) -> None:
    """A ledger that is overwritten while it is in use licenses nothing."""
    file = tmp_path / "ledger.sqlite"
    with ScriptedServer(lambda _: say(_TRUE)) as server:
        url = gateway(server, ledger=file)
        assert status(talk(url, request(CHAT, ASK))) == 200
        for part in tmp_path.glob("ledger.sqlite*"):
            part.write_bytes(b"not a ledger" * 4000)
        replies = _replies(url)
    for each in replies:
        assert status(each) == 500 or b'"check_failed"' in each


def test_too_many_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that wait to be written are not heaped up without end."""
    monkeypatch.setattr(recorder, "_MOST_WAITING", 2)
    monkeypatch.setattr(Ledger, "append", lambda *_, **__: time.sleep(0.5))
    made = recorder.Recorder(tmp_path / "ledger.sqlite")
    values = json.loads("{}")
    for _ in range(2):
        made.note(values, "brooks")
    with pytest.raises(LedgerError, match="waiting"):
        made.note(values, "brooks")
    made.close()
