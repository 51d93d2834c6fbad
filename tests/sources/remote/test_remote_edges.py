"""The command line and the gateway before a graph behind an address: errors where it cannot be reached, no verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from made_remote import BASE, Brooks

from imprimatur.cli.main import run
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.testing import ScriptedServer, say

TRUE = "Elm Brook is 12 km long."
_JSON = {"Content-Type": "application/json"}


@pytest.mark.usefixtures("short_pauses")
def test_the_command_line_ends_with_3_where_no_server_is(
    remote_world: Brooks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A knowledge base that cannot be reached is an error that names the address, and no verdict."""
    assert run(["check", "--kb", str(remote_world.folder), TRUE]) == 0
    rows, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    rows.write_text("".join(json.dumps({"id": str(n), "answer": TRUE}) + "\n" for n in range(2)), encoding="utf-8")
    capsys.readouterr()
    remote_world.server.down = 503
    assert run(["check", "--kb", str(remote_world.folder), TRUE]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert "the endpoint answers with status 503" in told.err
    assert remote_world.url in told.err
    assert run(["batch", str(rows), str(out), "--kb", str(remote_world.folder)]) == 3
    assert not out.exists()


@pytest.mark.usefixtures("short_pauses")
def test_a_row_of_a_batch_has_the_error(remote_world: Brooks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stops after the first row leaves the others without a verdict."""
    rows, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    rows.write_text("".join(json.dumps({"id": str(n), "answer": TRUE}) + "\n" for n in range(3)), encoding="utf-8")
    check, done = Oracle.check, iter((0, 503, 503))

    def stopping(oracle: Oracle, *given: object, **more: object) -> Report:
        remote_world.server.down = next(done)
        return check(oracle, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Oracle, "check", stopping)
    assert run(["batch", str(rows), str(out), "--kb", str(remote_world.folder)]) == 3
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [sorted(line) for line in lines] == [["id", "report"], ["error", "id"], ["error", "id"]]
    assert "status 503" in lines[1]["error"]


def test_progress_is_told_while_all_is_read(remote_world: Brooks) -> None:
    """Whoever opens a large graph can show how far it is."""
    told: list[str] = []
    remote_world.oracle(progress=told.append)
    assert told == [f"{remote_world.url}: 0 triples"]


def test_shapes_are_held_against_the_graph_behind_an_address(
    remote_world: Brooks, capsys: pytest.CaptureFixture[str]
) -> None:
    """`kb check` finds the same violations there, with either engine."""
    told = []
    for engine in ("compiled", "pyshacl"):
        assert run(["kb", "check", str(remote_world.folder), "--engine", engine]) == 1
        told.append(capsys.readouterr().out)
    assert "Ash Brook" in told[0] or f"{BASE}ash" in told[0]
    assert told[0].count(f"{BASE}ash") == told[1].count(f"{BASE}ash")


def test_a_gateway_tells_an_error_where_the_graph_cannot_be_reached(remote_world: Brooks) -> None:
    """Over HTTP it is the fault of a server behind, and no report."""
    from serve_fixtures import serving

    from imprimatur.serve.settings import Settings

    def posted(url: str) -> tuple[int, dict[str, object]]:
        sent = Request(f"{url}/v1/check", data=json.dumps({"answer": TRUE}).encode(), headers=_JSON)
        try:
            with urlopen(sent, timeout=20) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as fault:
            return fault.code, json.loads(fault.read())

    with serving(Settings(knowledge_bases=(("brooks", str(remote_world.folder)),))) as url:
        assert '"decision": "licensed"' in json.dumps(posted(url)[1])
        remote_world.server.down = 503
        status, told = posted(url)
        assert (status, list(told)) == (502, ["error"])
        remote_world.server.down = 0
        remote_world.delete(":elm :length 12000 .")
        assert '"decision": "licensed"' not in json.dumps(posted(url)[1])


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_is_not_let_through_where_the_graph_stops_in_the_middle(remote_lasting: Brooks, stream: bool) -> None:
    """Through the gateway: what was licensed before may have gone out, then there is an error and nothing else."""
    openai = pytest.importorskip("openai", reason="the extra `models` is not installed")
    from serve_fixtures import serving

    from imprimatur.serve.settings import Settings, Upstream

    whole, late = remote_lasting.server._changed, "Oak Brook is 30 km long."

    def stopping(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        remote_lasting.server.down = 503 if "VALUES ?s" in remote_lasting.server.asked[-1] else 0
        return whole(told)

    with ScriptedServer(say(f"{TRUE} {late} {late}").pieces(size=4)) as model:
        upstream = Upstream(base_url=model.url, seconds=5)
        settings = Settings(knowledge_bases=(("brooks", str(remote_lasting.folder)),), upstream=upstream)
        with serving(settings) as url, openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
            remote_lasting.server._changed = stopping  # type: ignore[method-assign]
            shown: list[str] = []
            with pytest.raises(openai.APIError, match="503"):
                _drawn(client, stream, shown)
            assert "Oak" not in "".join(shown)


def _drawn(client: Any, stream: bool, shown: list[str]) -> None:
    """Asks, and adds what arrives of a stream to what is shown."""
    messages = [{"role": "user", "content": "How long is Elm Brook?"}]
    found = client.chat.completions.create(model="m", messages=messages, stream=stream)
    for chunk in found if stream else ():
        shown += [choice.delta.content or "" for choice in chunk.choices]
