"""A missing graph, a stopped server and tenants, from the command line and over HTTP: errors, and no verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from cli_fixtures import Ran
from property_server import FalkorServer, falkor_server
from serve_fixtures import key_file, serving

from imprimatur.errors import StoreUnavailable
from imprimatur.serve.service import Service
from imprimatur.serve.settings import Settings, read_settings

_SAID = "Ann Marlow works at Acme Pumps."
_GRAPH = "CREATE (:Person {name: 'Ann Marlow'})-[:WORKS_AT]->(:Company {name: '%s'})"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FalkorServer]:
    """A server of its own with the graph ``g``."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "server").mkdir()
    with falkor_server(tmp_path / "server") as running:
        running.write("g", _GRAPH % "Acme Pumps")
        yield running


def folder_of(server: FalkorServer, folder: Path, graph: str, more: str = "") -> str:
    """A knowledge base's folder."""
    folder.mkdir(exist_ok=True)
    entry = f"host: 127.0.0.1, port: {server.port}, graph: '{graph}'{more}"
    (folder / "imprimatur.yaml").write_text(f"version: 1\ngraph:\n  falkordb: {{{entry}}}\n", encoding="utf-8")
    return str(folder)


def posted(url: str, body: object, key: str = "") -> tuple[int, dict[str, object]]:
    """The status and the body of a check over HTTP."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    try:
        with urlopen(Request(f"{url}/v1/check", json.dumps(body).encode(), headers), timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as fault:
        return fault.code, json.loads(fault.read())


def asked(kb: str, rows: Path) -> tuple[tuple[str, ...], ...]:
    """Commands that judge by a knowledge base."""
    rows.write_text(json.dumps({"id": "1", "answer": _SAID}) + "\n", encoding="utf-8")
    return (
        ("check", _SAID, "--kb", kb, "--no-ledger"),
        ("explain", _SAID, "--kb", kb),
        ("ask", "Where does Ann Marlow work?", "--kb", kb),
        ("batch", str(rows), "-", "--kb", kb),
        ("kb", "info", kb),
        ("kb", "suggest", kb, str(rows)),
    )


def test_commands(server: FalkorServer, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Every command ends with 3 where the graph is not there, and where the server has stopped, and prints nothing."""
    there, missing = folder_of(server, tmp_path / "kb", "g"), folder_of(server, tmp_path / "no", "nowhere")
    assert shell("check", _SAID, "--kb", there, "--no-ledger").status == 0
    for command in asked(missing, tmp_path / "rows.jsonl"):
        ran = shell(*command)
        assert (ran.status, ran.out) == (3, ""), command
        assert "no graph of this name" in ran.err
        assert "/nowhere" in ran.err
    assert server.execute("GRAPH.LIST") == ["g"]
    server.stop()
    for command in asked(there, tmp_path / "rows.jsonl"):
        ran = shell(*command)
        assert (ran.status, ran.out) == (3, ""), command
        assert "cannot be reached" in ran.err
        assert "Traceback" not in ran.err


def test_a_gateway(server: FalkorServer, tmp_path: Path) -> None:
    """It does not start on a graph that is not there; when graph or server go away, a check is an error."""
    there, missing = folder_of(server, tmp_path / "kb", "g"), folder_of(server, tmp_path / "no", "nowhere")
    with pytest.raises(StoreUnavailable, match="no graph of this name"):
        Service(Settings(knowledge_bases=(("no", missing),)))
    with serving(Settings(knowledge_bases=(("kb", there),))) as url:
        status, told = posted(url, {"answer": _SAID})
        assert (status, '"decision": "licensed"' in json.dumps(told)) == (200, True)
        server.execute("GRAPH.DELETE", "g")
        status, told = posted(url, {"answer": _SAID})
        assert (status, list(told)) == (502, ["error"])
        assert server.execute("GRAPH.LIST") == []
        server.write("g", _GRAPH % "Bolt Mill")
        status, told = posted(url, {"answer": _SAID})
        assert (status, '"decision": "licensed"' in json.dumps(told)) == (200, False)
        server.stop()
        status, told = posted(url, {"answer": _SAID})
        assert (status, list(told)) == (502, ["error"])


def test_keys_of_tenants(server: FalkorServer, tmp_path: Path) -> None:
    """Over HTTP a tenant's key reaches that tenant's graph alone, and a tenant whose graph is gone gets an error."""
    for tenant, name in (("acme", "Acme Pumps"), ("bolt", "Bolt Mill")):
        server.write(f"kb_{tenant}", _GRAPH % name)
    folder_of(server, tmp_path / "kb", "kb_{tenant}", ", tenants: [acme, bolt]")
    _, keys = key_file(tmp_path, "knowledge_bases: [acme]", "knowledge_bases: [bolt]")
    file = tmp_path / "gateway.yaml"
    file.write_text(
        "version: 1\nkeys: keys.yaml\n"
        "knowledge_bases: {acme: {folder: kb, tenant: acme}, bolt: {folder: kb, tenant: bolt}}\n",
        encoding="utf-8",
    )
    with serving(read_settings(file)) as url:
        for key, licensed in zip(keys, (True, False), strict=True):
            for _ in range(2):
                status, told = posted(url, {"answer": _SAID}, key)
                assert (status, '"decision": "licensed"' in json.dumps(told)) == (200, licensed)
        for named in ("acme", "kb_acme", "{tenant}", "nowhere"):
            status, told = posted(url, {"answer": _SAID, "imprimatur": {"knowledge_base": named}}, keys[1])
            assert (status, list(told)) == (404, ["error"]), named
        assert posted(url, {"answer": _SAID})[0] == 401
        server.execute("GRAPH.DELETE", "kb_acme")
        assert posted(url, {"answer": _SAID}, keys[0])[0] == 502
        assert posted(url, {"answer": _SAID}, keys[1])[0] == 200
