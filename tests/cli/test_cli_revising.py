"""Commands that revise drafts: `ask --how kgr`, `eval conditions` and `eval retrofit`, over a scripted server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_correction import stages_said, write_hops

from imprimatur.testing import Reply, Request, ScriptedServer, say, say_json

Shell = Callable[..., Any]
QUESTION = "Where did Alex Orlov die?"
WRONG, RIGHT = "Alex Orlov died in Borsk.", "Alex Orlov died in Avelo."


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A graph in which one city leads to the next fact."""
    return str(write_hops(tmp_path_factory.mktemp("kb"), policy="redact"))


def _obliging(request: Request) -> Reply:
    """A model that does every stage as it should for the one draft that it writes."""
    said = stages_said([(WRONG, WRONG, ["Alex Orlov"])], [1], [("wrong", "Change “Borsk” to “Avelo”.")], RIGHT)
    values = {key: value for each in said for key, value in json.loads(each).items()}
    values |= {"quote": "Avelo", "critique": "…", "verdict": "right"}
    asked = (request.schema or {}).get("properties")
    if not asked:
        return say(f"Answer: {WRONG}" if "think step by step" in request.prompt else WRONG)
    return say_json({key: values[key] for key in asked})


def test_asking_by_kgr(shell: Shell, kb: str) -> None:
    """What is retrofitted and licensed is the answer; as it is written, it is not checked."""
    with ScriptedServer(_obliging) as server:
        named = ("--kb", kb, "--base-url", server.url, "--model", "m", "--no-ledger")
        ran = shell("ask", QUESTION, *named, "--how", "kgr")
        assert (ran.status, ran.out.splitlines()[0]) == (0, RIGHT)
        written = shell("ask", QUESTION, *named, "--how", "kgr-written")
        assert (written.status, written.out.splitlines()[0]) == (3, RIGHT)
        assert "not checked" in written.out


def test_all_ways_are_compared_and_replayed(shell: Shell, kb: str, tmp_path: Path) -> None:
    """The five ways of the paper, and KGR with the stages; recorded once, replayed without a server."""
    recording = tmp_path / "answers.jsonl"
    hows = [word for how in ("plain", "cot", "critic", "qkr", "kgr-written", "kgr") for word in ("--how", how)]
    asked = ("eval", "conditions", "made", "--kb", kb, "--most", "3", *hows, "--short", "--json")
    with ScriptedServer(_obliging) as server:
        named = ("--base-url", server.url, "--model", "m")
        first = shell(*asked, *named, "--record", str(recording))
        assert len(server.requests) > 20
    again = shell(*asked, "--base-url", server.url, "--model", "m", "--replay", str(recording))
    assert (first.status, again.status) == (0, 0), first.err + again.err
    told, replayed = json.loads(first.out), json.loads(again.out)
    assert list(told) == ["plain", "cot", "critic", "qkr", "kgr-written", "kgr"]
    for how, each in told.items():
        assert replayed[how]["answers"] == each["answers"]
        assert each["calls"] > 0
    assert told["kgr"]["calls"] > told["plain"]["calls"]


ROWS = (
    {"id": "1", "text": "Alex Orlov died in Avelo.", "label": "supported"},
    {"id": "2", "text": "Rita Conti was born in 1950.", "label": "supported"},
    {"id": "3", "text": "Ivan Petrov was born in 1961.", "label": "supported"},
    {"id": "4", "text": "Ivan Petrov was born in 1962.", "label": "contradicted"},
)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three true sentences and one that is not."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return str(path)


def test_which_stage_lost_an_error(shell: Shell, kb: str, rows: str) -> None:
    """The graph mends every draft; a model that lists no claims loses all of them in the first stage."""
    ran = shell("eval", "retrofit", rows, "--kb", kb, "--json")
    told = json.loads(ran.out)
    assert (ran.status, told["drafts"], told["mended"]["share"]) == (0, 2, 1.0)
    assert all(share["share"] == 1.0 for share in told["passed"].values())

    def silent(request: Request) -> Reply:
        said = {"claims": [], "response": "It is so."}
        return say_json({key: said[key] for key in (request.schema or {}).get("properties", {})})

    with ScriptedServer(silent) as server:
        named = ("--base-url", server.url, "--model", "m", "--form", "stages", "--rounds", "1")
        lost = json.loads(shell("eval", "retrofit", rows, "--kb", kb, *named, "--json").out)
        shown = shell("eval", "retrofit", rows, "--kb", kb, *named)
    assert (lost["mended"]["share"], lost["lost"]["extraction"]["share"]) == (0.0, 1.0)
    assert "extraction    0 of 2" in shown.out
    assert "tokens" in shown.out


def test_stages_by_the_graph_cost_nothing(shell: Shell, kb: str, rows: str) -> None:
    """With all of them by the graph but one, the model is asked for that one alone."""
    by_graph = [
        word for stage in ("extraction", "detection", "selection", "verification") for word in ("--by-graph", stage)
    ]

    def wrong(request: Request) -> Reply:
        return say_json({"response": "It is so."})

    with ScriptedServer(wrong) as server:
        named = ("--base-url", server.url, "--model", "m", "--form", "stages", "--rounds", "1")
        told = json.loads(shell("eval", "retrofit", rows, "--kb", kb, *named, *by_graph, "--json").out)
        assert len(server.requests) == 2
    assert told["lost"]["retrofitting"]["share"] == 1.0


def test_mistakes_in_the_call(shell: Shell, kb: str, rows: str, tmp_path: Path) -> None:
    """No model for the stages, an absent file, a recording both ways."""
    assert shell("eval", "retrofit", rows, "--kb", kb, "--form", "single").status == 2
    assert shell("eval", "retrofit", str(tmp_path / "none.jsonl"), "--kb", kb).status == 2
    both = ("--record", str(tmp_path / "a"), "--replay", str(tmp_path / "b"), "--form", "stages")
    assert shell("eval", "retrofit", rows, "--kb", kb, *both).status == 2


def test_short_answers_are_scored_in_all_ways(shell: Shell, tmp_path: Path) -> None:
    """The paper's comparison in one command: exact match and F1 with intervals, tokens, recorded and replayed."""
    path, recording = tmp_path / "rows.jsonl", tmp_path / "answers.jsonl"
    row = {"input": "Alex Orlov [SEP] place of death", "topic_entity": {"Q1": "Alex Orlov"}, "answer": "Avelo"}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    ways = ("plain", "cot", "critic", "qkr", "kgr-written", "kgr")
    asked = ("eval", "kgqa", "relations", str(path), *(word for how in ways for word in ("--how", how)), "--short")
    with ScriptedServer(_obliging) as server:
        named = ("--base-url", server.url, "--model", "m", "--price", "1/2", "--json")
        first = shell(*asked, *named, "--record", str(recording))
    again = shell(*asked, *named, "--replay", str(recording))
    told, replayed = json.loads(first.out)["ways"], json.loads(again.out)["ways"]
    assert list(told) == list(ways)
    for how in ways:
        assert told[how]["answers"] == replayed[how]["answers"]
        assert {"exact match", "f1", "tokens", "cost", "cost each"} <= set(told[how])
    assert told["plain"]["exact match"]["count"] == 0
    assert told["kgr-written"]["exact match"]["count"] == 1
    assert told["kgr-written"]["answers"][0]["answer"] == "Avelo"
