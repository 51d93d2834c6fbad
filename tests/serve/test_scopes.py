"""What a key opens and what not: routes, knowledge bases, policies, modes, and what of the evidence it shows."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting
from serve_wire import ASK, CHAT, STREAMED, request, status, talk

from imprimatur.policy import PRESETS
from imprimatur.serve.keys import Keys, new_key
from imprimatur.testing import ScriptedServer, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_FALSE = "Elm Brook is 14 km long."
_RESPONSE = {"model": "m", "input": "How long is Elm Brook?"}
_GUARDRAIL = "/beta/litellm_basic_guardrail_api"
#: Every route that a key is needed for, with a request that it would answer.
_CALLS: tuple[tuple[str, Any], ...] = (
    (CHAT, ASK),
    (CHAT, STREAMED),
    ("/v1/responses", _RESPONSE),
    ("/v1/responses", {**_RESPONSE, "stream": True}),
    ("/v1/check", {"answer": _FALSE}),
    ("/v1/batch", {"rows": [{"id": 1, "answer": _FALSE}]}),
    (_GUARDRAIL, {"texts": [_FALSE], "input_type": "response"}),
)


def _file(folder: Path, *entries: str) -> tuple[Path, list[str]]:
    """A file of keys with these entries, and the keys."""
    made = [new_key() for _ in entries]
    lines = [f"  - {{name: k{n}, sha256: {made[n][1]}{entry}}}" for n, entry in enumerate(entries)]
    file = folder / "keys.yaml"
    file.write_text("version: 1\nkeys:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file, [key for key, _ in made]


def _post(url: str, body: Any, key: str, **headers: str) -> Any:
    return httpx2.post(url, json=body, headers={"authorization": f"Bearer {key}", **headers}, timeout=30, verify=False)


@pytest.mark.parametrize(
    "header",
    [
        None,
        lambda key: "Authorization: ",
        lambda key: "Authorization: Bearer",
        lambda key: "Authorization: Bearer ",
        lambda key: f"Authorization: {key}",
        lambda key: f"Authorization: Basic {key}",
        lambda key: f"Authorization: Token {key}",
        lambda key: f"Authorization: Bearer {key}x",
        lambda key: f"Authorization: Bearer {key[:-1]}",
        lambda key: f"Authorization: Bearer {key.upper()}",
        lambda key: f"Authorization: Bearer {key} {key}",
        lambda key: f"Authorization: Bearer {key},",
        lambda key: f"Authorization: Bearer Bearer {key}",
        lambda key: f'Authorization: Bearer "{key}"',
        lambda key: "Authorization: Bearer " + "x" * 15_000,
        lambda key: f"Authorization: Bearer x\r\nAuthorization: Bearer {key}",
        lambda key: f"Authorization: Bearer {key}\r\nAuthorization: Bearer {key}",
        lambda key: f"X-Api-Key: {key}",
        lambda key: f"Cookie: Authorization=Bearer {key}",
        lambda key: f"Proxy-Authorization: Bearer {key}",
        lambda key: "Authorization: Bearer \xfc\xff",
    ],
)
def test_what_is_no_key(gateway: Starting, tmp_path: Path, header: Callable[[str], str] | None) -> None:
    """Only a whole key in the one header for it, once, opens anything."""
    file, (key,) = _file(tmp_path, "")
    url = gateway(keys=file)
    lines = () if header is None else (header(key),)
    found = talk(url, request("/v1/check", {"answer": "a"}, *lines))
    assert status(found) in (400, 401)
    assert status(found) == 400 or b"www-authenticate: Bearer" in found
    assert key.encode() not in found
    assert status(talk(url, request("/v1/check", {"answer": "a"}, f"Authorization: bearer {key}"))) == 200


def test_every_route_needs_a_key(gateway: Starting, tmp_path: Path) -> None:
    """Without a key no call is served on any route, under no knowledge base, and the model server hears of none."""
    file, _ = _file(tmp_path, "")
    with ScriptedServer() as server:
        url = gateway(server, keys=file)
        for path, body in _CALLS:
            assert httpx2.post(f"{url}{path}", json=body).status_code == 401
            assert httpx2.post(f"{url}/kb/brooks{path}", json=body).status_code == 401
        for path in ("/v1/models", "/kb/brooks/v1/models", "/metrics"):
            assert httpx2.get(f"{url}{path}").status_code == 401
        assert server.requests == []
    for path in ("/healthz", "/readyz", "/openapi.json"):
        assert httpx2.get(f"{url}{path}").status_code == 200


def test_a_key_is_looked_for_before_a_body(gateway: Starting, tmp_path: Path) -> None:
    """Whoever has no key is refused before anything of the body is taken."""
    file, _ = _file(tmp_path, "")
    sent = request("/v1/check", b"").replace(b"Content-Length: 0", b"Content-Length: 1000")
    assert status(talk(gateway(keys=file), sent, seconds=5)) == 401


def test_every_hash_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is compared with every hash, in constant time, whether it is the first, the last or none."""
    file, keys = _file(tmp_path, "", "", "")
    loaded = Keys.from_file(file)
    compared: list[bytes] = []
    proper = hmac.compare_digest

    def noted(one: bytes, other: bytes) -> bool:
        compared.append(other)
        return proper(one, other)

    monkeypatch.setattr(hmac, "compare_digest", noted)
    for key in (keys[0], keys[2], "none", None):
        compared.clear()
        found = loaded.holder(key)
        assert (found is not None) == (key in keys)
        assert len(compared) == 3


def test_another_knowledge_base(gateway: Starting, brooks: Path, tmp_path: Path) -> None:
    """However it is named, a knowledge base that a key may not use answers as one that does not exist."""
    file, (key,) = _file(tmp_path, ", knowledge_bases: [brooks]")
    bases = (("secret", str(brooks)), ("brooks", str(brooks)))
    with ScriptedServer() as server:
        url = gateway(server, keys=file, knowledge_bases=bases)
        for path, body in _CALLS:
            told = []
            for name in ("secret", "nowhere"):
                extra: dict[str, Any] = {"imprimatur": {"knowledge_base": name}}
                if path == _GUARDRAIL:
                    extra = {"additional_provider_specific_params": extra}
                told += [
                    _post(f"{url}/kb/{name}{path}", body, key),
                    _post(f"{url}{path}", body, key, **{"x-imprimatur-kb": name}),
                    _post(f"{url}{path}", {**body, **extra}, key),
                ]
            assert {each.status_code for each in told} == {404}
            assert len({each.content for each in told}) == 1
            assert len({tuple(sorted(each.headers)) for each in told}) == 1
        assert server.requests == []
        assert _post(f"{url}/v1/check", {"answer": "a"}, key).status_code == 200  # its own, though another is first


def test_policies_and_modes(gateway: Starting, tmp_path: Path) -> None:
    """A key asks for no policy but those that its entry lists, and for no mode that shows more."""
    file, keys = _file(tmp_path, "", ", policies: [annotate]")
    url = gateway(keys=file)
    for key, allowed in zip(keys, (("strict",), ("strict", "annotate"))):
        for policy in (*PRESETS, "../policy.yaml", "/etc/passwd", "{}"):
            body = {"answer": _FALSE, "imprimatur": {"policy": policy}}
            assert _post(f"{url}/v1/check", body, key).status_code == (200 if policy in allowed else 403)
        for mode in ("audit", "shadow"):
            body = {"answer": _FALSE, "imprimatur": {"mode": mode}}
            assert _post(f"{url}/v1/check", body, key).status_code == 403


def _heard(url: str, key: str, policy: str) -> str:
    """All that a key hears of a false answer, on every route."""
    extra = {"policy": policy, "context": ["The hidden ledger says that Oak Brook is 30 km long."]}
    heard = ""
    for path, body in _CALLS:
        beside: dict[str, Any] = {"imprimatur": extra}
        if path == _GUARDRAIL:
            beside = {"additional_provider_specific_params": {"imprimatur": extra}}
        response = _post(f"{url}{path}", {**body, **beside}, key)
        heard += f"{response.headers} {response.text}\n"
    return heard


@pytest.mark.parametrize("policy", ["strict", "redact", "annotate"])
def test_what_a_key_may_not_see(gateway: Starting, tmp_path: Path, policy: str) -> None:
    """What the sources say reaches no reply of a key that may not see it: no value, query, name or passage."""
    entries = [f", evidence: {kind}, policies: [{', '.join(PRESETS)}]" for kind in ("full", "labels", "none")]
    file, (full, labels, none) = _file(tmp_path, *entries)
    with ScriptedServer(lambda _: say(f"{_FALSE} Oak Brook is 31 km long.")) as server:
        url = gateway(server, keys=file)
        told = ("12000", "example.org", "ASK", "SELECT", "hidden ledger", "data.ttl")
        assert [word for word in told if word in _heard(url, full, policy)]
        heard = _heard(url, labels, policy)
        assert '"contradicted"' in heard
        assert [word for word in told if word in heard] == []
        heard = _heard(url, none, policy)
        assert '"reports": []' in heard or '"reports":[]' in heard
        assert [word for word in (*told, "contradicted", "value-mismatch") if word in heard] == []


def test_a_corrected_text(gateway: Starting, tmp_path: Path) -> None:
    """A policy that corrects tells the right value in the text, and nothing of where it is from."""
    file, (key,) = _file(tmp_path, ", evidence: none, policies: [correct]")
    with ScriptedServer(lambda _: say(_FALSE)) as server:
        url = gateway(server, keys=file)
        reply = _post(f"{url}{CHAT}", {**ASK, "imprimatur": {"policy": "correct"}}, key).json()
        assert reply["choices"][0]["message"]["content"] == "Elm Brook is 12 km long."
        assert reply["imprimatur"]["reports"] == []
        assert _post(f"{url}{CHAT}", {**ASK, "imprimatur": {"policy": "annotate"}}, key).status_code == 403


def test_figures(gateway: Starting, brooks: Path, tmp_path: Path) -> None:
    """The figures name every knowledge base, and so are for keys that may use all of them; they name no key."""
    file, (one, every) = _file(tmp_path, ", knowledge_bases: [brooks]", "")
    url = gateway(keys=file, knowledge_bases=(("brooks", str(brooks)), ("secret", str(brooks))))
    _post(f"{url}/kb/secret/v1/check", {"answer": _FALSE}, every)
    refused = httpx2.get(f"{url}/metrics", headers={"authorization": f"Bearer {one}"})
    assert (refused.status_code, "secret" in refused.text) == (403, False)
    told = httpx2.get(f"{url}/metrics", headers={"authorization": f"Bearer {every}"}).text
    assert 'knowledge_base="secret"' in told
    assert every not in told
    assert "k1" not in told


def test_errors_tell_nothing(gateway: Starting, brooks: Path, tmp_path: Path) -> None:
    """What a caller is told of errors names no file, no folder, no other key and no address behind the gateway."""
    file, (key,) = _file(tmp_path, ", knowledge_bases: [brooks]")
    with ScriptedServer() as server:
        address = server.url
    url = gateway(server, keys=file)
    told = [_post(f"{url}{path}", body, key).text for path, body in _CALLS]
    told += [_post(f"{url}/v1/check", body, key).text for body in ({}, {"answer": 1}, {"claims": [1]}, {"answer": "a"})]
    said = json.dumps(told)
    for word in (str(brooks), str(tmp_path), address, address.split(":")[2].removesuffix("/v1"), key, "Traceback"):
        assert word not in said
