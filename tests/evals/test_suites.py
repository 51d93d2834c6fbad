"""Prompt suites: how they are read, and what stands in for graphs that are not public."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran

from imprimatur.errors import InputError
from imprimatur.evals.suites import Prompt, read_suite

_PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "licensing-oracle"
_published = pytest.mark.skipif(not _PUBLISHED.is_dir(), reason="the published suites are not there")
_ROWS = [
    {"id": "A1", "answer": "The Tolland Bridge crosses the Esk.", "expected": "ANSWER", "category": "stored"},
    {"id": "A2", "prompt": "Does the Tolland Bridge cross the Esk?", "expected": "ANSWER", "comment": "stored"},
    {"id": "B1", "answer": "The Tolland Bridge crosses the Tay.", "expected": "ABSTAIN"},
    {"id": "B2", "prompt": "Does the Crane Bridge cross the Esk?", "expected": "ABSTAIN"},
    {"id": "B3", "answer": "The Crane Bridge crosses the Tay.", "expected": "ABSTAIN"},
]
_GRAPH = """@prefix : <https://bridges.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:tolland a :Bridge ; rdfs:label "Tolland Bridge" ; :crosses :esk .
:crane a :Bridge ; rdfs:label "Crane Bridge" ; :crosses :tay .
:esk a :River ; rdfs:label "Esk" .
:tay a :River ; rdfs:label "Tay" .
:crosses rdfs:label "crosses" .
"""


def _folder(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with the suite `bridges`, and its knowledge base."""
    kb, suites = tmp_path / "kb", tmp_path / "suites"
    kb.mkdir()
    suites.mkdir()
    (kb / "graph.ttl").write_text(_GRAPH, encoding="utf-8")
    (kb / "imprimatur.yaml").write_text("version: 1\ngraph: {data: [graph.ttl]}\n", encoding="utf-8")
    (suites / "prompt_suite.bridges.json").write_text(json.dumps(_ROWS), encoding="utf-8")
    return suites, kb


def test_a_suite_is_read(tmp_path: Path) -> None:
    """An answer stands alone; a prompt is answered yes."""
    first, second, *_ = read_suite(_folder(tmp_path)[0] / "prompt_suite.bridges.json")
    assert first == Prompt(
        id="A1", answer="The Tolland Bridge crosses the Esk.", question=None, passes=True, category="stored"
    )
    assert (second.question, second.answer, second.text[-5:]) == (
        "Does the Tolland Bridge cross the Esk?",
        "Yes.",
        " Yes.",
    )


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[3]",
        '{"id": 1}',
        '[{"id": "1", "expected": "ANSWER"}]',
        '[{"id": "1", "answer": "x", "expected": "YES"}]',
        '[{"id": "1", "answer": "x", "prompt": "y?", "expected": "ANSWER"}]',
        '[{"id": "1", "answer": 3, "expected": "ANSWER"}]',
    ],
)
def test_what_is_no_suite_is_told(tmp_path: Path, content: str) -> None:
    """With the file and the form that it should have."""
    path = tmp_path / "prompt_suite.x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="no suite of prompts") as caught:
        read_suite(path)
    assert (caught.value.where, bool(caught.value.hint)) == (str(path), True)
    assert not any(word in str(caught.value) for word in ("indices", "subscriptable", "attribute", "codec"))


def test_decisions_beside_expectations(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """With a graph of their own; the one that is stored though it is expected to be withheld is told as such."""
    suites, kb = _folder(tmp_path)
    ran = shell("eval", "suites", str(suites), "--kb", f"bridges={kb}", "--json")
    told: dict[str, Any] = json.loads(ran.out)
    by_id = {row["id"]: row["said"] for row in told["rows"]}
    assert by_id["bridges/A1"] == by_id["bridges/A2"] == by_id["bridges/B3"] == "supported"
    assert "supported" not in (by_id["bridges/B1"], by_id["bridges/B2"])
    assert [(case["id"], case["kind"]) for case in told["cases"]] == [("bridges/B3", "expected to be withheld")]
    assert ran.status == 0


def test_a_suite_without_a_graph_is_left_out_and_told(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Nothing is made up for it; a suite that is not there, and an option that names none, are errors."""
    suites, kb = _folder(tmp_path)
    assert "No graph for the suite bridges (5 prompts)" in shell("eval", "suites", str(suites)).out
    assert "there is no suite 'tunnels'" in shell("eval", "suites", str(suites), "--kb", f"tunnels={kb}").err
    assert shell("eval", "suites", str(suites), "--kb", str(kb)).status == 2
    assert shell("eval", "suites", str(kb)).status == 2


@_published
def test_the_published_suites(shell: Callable[..., Ran]) -> None:
    """All three are read; of what rivers-v3 expects to be withheld nothing passes; battles have no graph."""
    ran = shell("eval", "suites", str(_PUBLISHED), "--json")
    told: dict[str, Any] = json.loads(ran.out)
    table = {(row[0], row[1]): row[3] for row in told["tables"][0]["rows"]}
    assert (table["rivers-v3", "ABSTAIN"]["count"], table["rivers-v3", "ABSTAIN"]["total"]) == (1, 1)
    assert [len(read_suite(_PUBLISHED / f"prompt_suite.{name}.json")) for name in ("philosophers", "battles")] == [
        15,
        30,
    ]
    assert any("battles (30 prompts)" in note for note in told["notes"])
