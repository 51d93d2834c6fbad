"""The other routes: checks, batches, LiteLLM's guardrail, figures; keys, limits and what may not be asked."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator
from serve_fixtures import Starting, key_file
from small_kb import write_kb

from imprimatur.errors import ConfigError
from imprimatur.evals.withheld import rates_of
from imprimatur.ledger import Ledger
from imprimatur.observer import Stage
from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.report_json import report_schema
from imprimatur.serve.keys import Keys
from imprimatur.serve.settings import Limits, Settings, read_settings
from imprimatur.stream import Mode
from imprimatur.testing import ScriptedServer, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."
_JSON = {"Content-Type": "application/json"}


def _post(url: str, body: Any, **headers: str) -> Any:
    return httpx2.post(url, json=body, headers=headers, timeout=30)


def test_check(gateway: Starting) -> None:
    """A check gives the report of the library, in its schema; tagged claims and evidence of the call count."""
    url = gateway()
    report = _post(f"{url}/v1/check", {"answer": f"{_TRUE} {_FALSE}"}).json()
    Draft202012Validator(report_schema()).validate(report)
    assert (report["decision"], report["text"]) == ("abstained", f"{_TRUE} {ABSTENTION_TEXT}")
    claims = [{"text": "The fee is 5 euros.", "citations": ["1"]}]
    tagged = _post(f"{url}/v1/check", {"claims": claims, "memory": [{"id": "1", "text": "The fee is 5 euros."}]}).json()
    assert tagged["summary"] == "fully_supported"
    extra = {"context": ["The fee is 5 euros."]}
    beside = _post(f"{url}/v1/check", {"answer": "The fee is 5 euros.", "imprimatur": extra}).json()
    assert beside["summary"] == "fully_supported"


def test_batch(gateway: Starting) -> None:
    """A batch answers in order; a row that cannot be read gets an error of its own."""
    rows = [{"id": "a", "answer": _TRUE}, {"id": "b"}, 7, {"id": "c", "answer": _FALSE}]
    found = _post(f"{gateway()}/v1/batch", {"rows": rows}).json()["rows"]
    assert [each["id"] for each in found] == ["a", "b", None, "c"]
    assert [each["report"]["decision"] if "report" in each else "error" for each in found] == [
        "licensed",
        "error",
        "error",
        "abstained",
    ]


@pytest.mark.parametrize(
    ("texts", "kind", "answer"),
    [
        ([_TRUE], "response", {"action": "NONE"}),
        ([_FALSE], "response", {"action": "BLOCKED", "blocked_reason": ABSTENTION_TEXT}),
        (
            [f"{_TRUE} {_FALSE}"],
            "response",
            {"action": "GUARDRAIL_INTERVENED", "texts": [f"{_TRUE} {ABSTENTION_TEXT}"]},
        ),
        ([_FALSE], "request", {"action": "NONE"}),
        ([], "response", {"action": "NONE"}),
    ],
)
def test_litellm_guardrail(gateway: Starting, texts: list[str], kind: str, answer: dict[str, Any]) -> None:
    """LiteLLM is told to let a text pass, to replace it, or to refuse it."""
    body = {
        "texts": texts,
        "input_type": kind,
        "request_data": {"messages": [{"role": "user", "content": "How long?"}]},
    }
    assert _post(f"{gateway()}/beta/litellm_basic_guardrail_api", body).json() == answer


def test_health_and_figures(gateway: Starting) -> None:
    """Health, readiness and figures are there; the figures count labels, decisions and reasons."""
    url = gateway()
    _post(f"{url}/v1/check", {"answer": f"{_TRUE} {_FALSE}"})
    assert httpx2.get(f"{url}/healthz").text == "ok\n"
    assert httpx2.get(f"{url}/readyz").status_code == 200
    told = httpx2.get(f"{url}/metrics").text
    assert 'imprimatur_segments_total{knowledge_base="brooks",label="contradicted"} 1.0' in told
    assert 'imprimatur_decisions_total{decision="abstained",knowledge_base="brooks",mode="hold"} 1.0' in told
    assert 'imprimatur_withheld_reasons_total{knowledge_base="brooks",reason="value-mismatch"} 1.0' in told
    assert 'imprimatur_check_seconds_count{knowledge_base="brooks"} 1.0' in told
    for stage in Stage:
        assert f'imprimatur_stage_seconds_count{{knowledge_base="brooks",stage="{stage}"}} 1.0' in told


def test_figures_of_what_would_be_withheld(gateway: Starting, tmp_path: Path) -> None:
    """In shadow everything is shown, and figures and ledger say what would have been withheld, and why."""
    place = tmp_path / "ledger.sqlite"
    with ScriptedServer(lambda _: say(_FALSE)) as server:
        url = gateway(server, mode=Mode.SHADOW, ledger=place)
        ask = {"model": "scripted", "messages": [{"role": "user", "content": "x"}]}
        for _ in range(2):
            shown = _post(f"{url}/v1/chat/completions", ask).json()["choices"][0]["message"]["content"]
            assert shown == _FALSE
        told = httpx2.get(f"{url}/metrics").text
    of = 'knowledge_base="brooks",mode="shadow"'
    assert f'imprimatur_would_withhold_total{{{of},reason="value-mismatch"}} 2.0' in told
    assert f'imprimatur_decisions_total{{decision="abstained",{of}}} 2.0' in told
    with Ledger.open(place) as ledger:
        rates = rates_of(ledger.each(), {1: True})["brooks"]
    assert (rates.withheld.count, rates.over_blocked.count) == (2, 1)


def test_policies_keep_what_the_knowledge_base_asks_for(gateway: Starting, tmp_path: Path) -> None:
    """A policy that a request names does not lift the shapes that the knowledge base requires."""
    kb = write_kb(tmp_path / "kb", extra="require_shapes: true\n")
    file, (key,) = key_file(tmp_path, "policies: [redact]")
    url = gateway(keys=file, knowledge_bases=(("brooks", str(kb)),))
    for extra in ({}, {"policy": "redact"}):
        body = {"answer": _TRUE, "imprimatur": extra}
        report = _post(f"{url}/v1/check", body, authorization=f"Bearer {key}").json()
        assert report["segments"][0]["label"] == "unchecked", extra


# Keys


def test_keys(gateway: Starting, brooks: Path, tmp_path: Path) -> None:
    """Without a valid key nothing is served; a key reaches only its knowledge bases, policies and evidence."""
    file, keys = key_file(
        tmp_path,
        "knowledge_bases: [brooks]",
        "knowledge_bases: [other], policies: [redact]",
        "evidence: labels",
        "evidence: none",
    )
    bases = (("brooks", str(brooks)), ("other", str(brooks)))
    url = gateway(keys=file, knowledge_bases=bases)
    ask = {"answer": f"{_TRUE} {_FALSE}"}
    assert _post(f"{url}/v1/check", ask).status_code == 401
    assert _post(f"{url}/v1/check", ask, authorization="Bearer wrong").status_code == 401
    heads = [{"authorization": f"Bearer {key}"} for key in keys]
    assert _post(f"{url}/v1/check", ask, **heads[0]).json()["decision"] == "abstained"
    assert _post(f"{url}/kb/other/v1/check", ask, **heads[0]).status_code == 404
    assert (
        _post(f"{url}/kb/nowhere/v1/check", ask, **heads[0]).json()
        == _post(f"{url}/kb/other/v1/check", ask, **heads[0]).json()
    )
    redact = {**ask, "imprimatur": {"policy": "redact"}}
    assert _post(f"{url}/v1/check", redact, **heads[0]).status_code == 403
    assert _post(f"{url}/v1/check", redact, **heads[1]).json()["decision"] == "redacted"
    bare = _post(f"{url}/v1/check", ask, **heads[2]).text
    assert '"label":"contradicted"' in bare
    assert "ASK" not in bare
    assert _post(f"{url}/v1/check", ask, **heads[3]).status_code == 403


def test_keys_of_a_file(tmp_path: Path) -> None:
    """Keys are kept as hashes only; a file that says something else is refused with its place."""
    file, keys = key_file(tmp_path, "evidence: full")
    found = Keys.from_file(file).holder(keys[0])
    assert found is not None
    assert found.name == "k0"
    assert keys[0] not in file.read_text(encoding="utf-8")
    assert Keys.from_file(file).holder("") is None
    for wrong in ("sha256: 12", "name: 'a b'", "evidence: some", "extra: 1"):
        digest = hashlib.sha256(b"x").hexdigest()
        entry = {"name": "a", "sha256": digest} | dict([wrong.split(": ", 1)])
        file.write_text(f"version: 1\nkeys:\n  - {json.dumps(entry)}\n", encoding="utf-8")
        with pytest.raises(ConfigError, match=r"keys\.yaml"):
            Keys.from_file(file)


def test_no_open_door() -> None:
    """A gateway that other machines can reach needs keys."""
    with pytest.raises(ConfigError, match="keys"):
        Settings(knowledge_bases=(("a", "rivers"),), host="0.0.0.0")
    assert Settings(knowledge_bases=(("a", "rivers"),), host="::1").keys is None


def test_settings_file(tmp_path: Path) -> None:
    """A settings file says all of it; an unknown key, an address with a name in it and a key are refused."""
    file = tmp_path / "gateway.yaml"
    text = "version: 1\nknowledge_bases: {rivers: rivers}\nupstream: {base_url: 'http://localhost:1/v1', seconds: 9}\n"
    file.write_text(text + "mode: buffer\nlimits: {calls: 7}\nabstention: {low: '1 %'}\n", encoding="utf-8")
    found = read_settings(file, {})
    assert (found.mode.value, found.limits.calls, found.knowledge_bases) == ("buffer", 7, (("rivers", "rivers"),))
    assert found.upstream is not None
    assert found.upstream.seconds == 9
    for wrong in (
        "mod: hold",
        "mode: open",
        "upstream: {base_url: 'http://me@there/v1'}",
        "upstream: {api_key: x, base_url: 'http://a/v1'}",
    ):
        file.write_text(f"version: 1\nknowledge_bases: {{rivers: rivers}}\n{wrong}\n", encoding="utf-8")
        with pytest.raises(ConfigError, match=r"gateway\.yaml"):
            read_settings(file, {})


# What may not be asked


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (b"{", "no JSON"),
        (b"[]", "no JSON object"),
        (b"[" * 100_000, "no JSON"),
        (b'{"answer": 1}', "must be a text"),
        (b'{"answer": "a", "imprimatur": {"upstream": "http://evil"}}', "unknown key"),
        (b'{"answer": "a", "imprimatur": {"mode": "audit"}}', "shows in mode"),
        (b'{"answer": "a", "imprimatur": {"as_of": "soon"}}', "a day such as"),
        (b'{"answer": "a", "imprimatur": {"memory": [{"id": 1}]}}', "a list of"),
        (b"\xff\xfe", "no JSON"),
    ],
)
def test_wrong_requests(gateway: Starting, body: bytes, part: str) -> None:
    """A wrong request is told what is wrong, as an error object, with a status of its own making."""
    response = httpx2.post(f"{gateway()}/v1/check", content=body, headers=_JSON)
    assert 400 <= response.status_code < 500
    assert part in response.json()["error"]["message"]


def test_too_large(gateway: Starting) -> None:
    """A request beyond the limit is refused, with or without a length that tells."""
    url = gateway(limits=Limits(bytes=2000))
    assert httpx2.post(f"{url}/v1/check", content=b"x" * 3000, headers=_JSON).status_code == 413
    assert httpx2.post(f"{url}/v1/check", content=iter([b"x" * 1000] * 3), headers=_JSON).status_code == 413


def test_too_slow(gateway: Starting) -> None:
    """A request that does not come to its end is given up."""
    url = urlsplit(gateway(limits=Limits(body_seconds=1)))
    with socket.create_connection((url.hostname, url.port), timeout=20) as wire:
        head = b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        wire.sendall(head + b"Content-Length: 9\r\n\r\n{")
        assert b" 408 " in wire.recv(4096)


def test_too_many(gateway: Starting) -> None:
    """More calls at once than the limit are told to come again."""
    with ScriptedServer(say(_TRUE).late(1.5)) as server:
        url = gateway(server, limits=Limits(calls=1))
        ask = {"model": "scripted", "messages": [{"role": "user", "content": "x"}]}
        first = threading.Thread(target=_post, args=(f"{url}/v1/chat/completions", ask))
        first.start()
        while not server.requests:
            pass
        second = _post(f"{url}/v1/check", {"answer": _TRUE})
        first.join()
    assert (second.status_code, second.headers["retry-after"]) == (429, "1")


def test_headers_are_not_smuggled(gateway: Starting) -> None:
    """A header that says who calls or what for counts only once, and path and header must agree."""
    url = gateway()
    twice = [("x-imprimatur-kb", "brooks"), ("x-imprimatur-kb", "other"), ("content-type", "application/json")]
    assert httpx2.post(f"{url}/v1/check", content=b'{"answer": "a"}', headers=twice).status_code == 400
    assert _post(f"{url}/kb/brooks/v1/check", {"answer": "a"}, **{"x-imprimatur-kb": "other"}).status_code == 400
    keys = [("authorization", "Bearer a"), ("authorization", "Bearer b")]
    assert httpx2.post(f"{url}/v1/check", content=b'{"answer": "a"}', headers=keys).status_code == 400


def test_the_callers_key_stays_here(gateway: Starting) -> None:
    """Neither the caller's key nor its other headers, nor the extra object, reach the model server."""
    with ScriptedServer(say(_TRUE)) as server:
        ask = {"model": "scripted", "messages": [{"role": "user", "content": "x"}], "imprimatur": {"context": ["c"]}}
        url = gateway(server)
        assert _post(f"{url}/v1/chat/completions", ask, authorization="Bearer secret", cookie="a=b").status_code == 200
        sent = server.requests[0]
    assert "authorization" not in {name.lower() for name in sent.headers}
    assert "cookie" not in {name.lower() for name in sent.headers}
    assert "imprimatur" not in sent.body


def test_recorded(gateway: Starting, tmp_path: Path) -> None:
    """Every answer is in the ledger by the time its reply has ended, whatever its caller may see."""
    with ScriptedServer(say(_TRUE).also(_FALSE)) as server:
        url = gateway(server, ledger=tmp_path / "ledger.sqlite")
        ask = {"model": "scripted", "n": 2, "messages": [{"role": "user", "content": "x"}]}
        _post(f"{url}/v1/chat/completions", ask)
        _post(f"{url}/v1/chat/completions", {**ask, "stream": True})
        with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
            assert sorted(record.decision for record in ledger.list()) == [
                "abstained",
                "abstained",
                "licensed",
                "licensed",
            ]
            assert ledger.verify().faults == ()


def test_models(gateway: Starting) -> None:
    """The model server's list of models is passed on; without a server there is none."""
    with ScriptedServer(models=("one", "two")) as server:
        assert [each["id"] for each in httpx2.get(f"{gateway(server)}/v1/models").json()["data"]] == ["one", "two"]
    assert httpx2.get(f"{gateway()}/v1/models").json()["error"]["code"] == "no_upstream"
