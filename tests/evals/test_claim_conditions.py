"""Claims judged in several conditions: the oracle, the fence, a model's word and TeQHallu, on the same rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from made_teqhallu import brooks_model, script
from small_kb import write_kb

from imprimatur.errors import InputError
from imprimatur.evals.claim_rows import read_claims, three
from imprimatur.evals.outcome import Outcome
from imprimatur.models.prompts import template
from imprimatur.testing import Request, ScriptedServer, say_json, when
from imprimatur.verdict import Label

ROWS: list[dict[str, Any]] = [
    {"id": "true", "text": "Elm Brook is 12 km long.", "label": "supported"},
    {"id": "false", "text": "Elm Brook is 13 km long.", "label": "contradicted"},
    {"id": "negative", "text": "Elm Brook is -4 km long.", "label": ["contradicted", "not_found"], "violates": True},
    {"id": "open", "text": "Elm Brook is beautiful.", "label": "not_found"},
]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph about brooks and towns."""
    return write_kb(tmp_path_factory.mktemp("kb"))


def _rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _direct(request: Request) -> bool:
    return template("direct").text in request.said_by("system")


def _table(told: dict[str, Any], title: str) -> dict[str, dict[str, Any]]:
    (table,) = [table for table in told["tables"] if table["title"].startswith(title)]
    return {row[0]: dict(zip(table["head"], row, strict=True)) for row in table["rows"]}


def test_without_a_model_the_oracle_and_the_fence_are_compared(
    kb: Path, tmp_path: Path, shell: Callable[..., Ran]
) -> None:
    """The oracle judges all four rightly; the fence supports the true one; both count what violates a constraint."""
    rows = _rows(tmp_path / "rows.jsonl", ROWS)
    ran = shell("eval", "conditions", "claims", str(rows), "--kb", str(kb), "--json", "--out", str(tmp_path / "o.json"))
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    found = _table(told, "4 claims")
    assert set(found) == {"oracle", "fence"}
    assert (found["oracle"]["right"]["count"], found["fence"]["supported right"]["count"]) == (4, 1)
    assert found["fence"]["false supported"]["count"] == 0
    measured = _table(told, "The Licensing Oracle's measures")
    assert (measured["oracle"]["CVRR (eq. 3)"]["count"], measured["oracle"]["CVRR (eq. 3)"]["total"]) == (1, 1)
    assert Outcome.from_dict(json.loads((tmp_path / "o.json").read_text(encoding="utf-8"))).to_dict() == told
    printed = shell("eval", "conditions", "claims", str(rows), "--kb", str(kb))
    assert "oracle and fence" in printed.out


def test_a_model_s_own_word_licenses_nothing(kb: Path, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """A liar that supports everything is counted, each case told, and the exit status is 0; then it is replayed."""
    pytest.importorskip("openai", reason="the extra `models` is not installed")
    rows, kept = _rows(tmp_path / "rows.jsonl", ROWS), tmp_path / "kept.jsonl"
    asked = ("eval", "conditions", "claims", str(rows), "--kb", str(kb), "--how", "direct", "--how", "oracle")
    said = say_json({"reason": "I am sure", "verdict": "supported"})
    with ScriptedServer([when(_direct, said)]) as server:
        ran = shell(*asked, "--base-url", server.url, "--model", "m", "--recorded", str(kept), "--json")
        assert len(server.requests) == 4
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    found = _table(told, "4 claims")
    assert (found["direct"]["false supported"]["count"], found["oracle"]["false supported"]["count"]) == (3, 0)
    assert {case["kind"] for case in told["cases"]} == {"supported, and is not so"}
    assert told["cases"][0]["reasons"] == ["I am sure"]
    again = json.loads(shell(*asked, "--recorded", str(kept), "--json").out)
    assert again["tables"] == told["tables"]
    assert "Of the model's answers 4 came from the recording" in " ".join(again["notes"])
    more = _rows(tmp_path / "more.jsonl", [*ROWS, {"id": "new", "text": "Oak Brook is long.", "label": "not_found"}])
    missing = shell(*asked[:3], str(more), *asked[4:], "--recorded", str(kept))
    assert (missing.status, "Oak Brook is long." in missing.err) == (2, True)


def test_teqhallu_and_direct_are_asked_about_the_same_rows(kb: Path, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Each ablation judges by the row's own reference; what fails is unchecked, and never right."""
    pytest.importorskip("sqlglot", reason="the extra `tables` is not installed")
    pytest.importorskip("openai", reason="the extra `models` is not installed")
    reference = ["Elm Brook is 12 km long and flows into Oak Brook. Oak Brook is 30 km long."]
    rows = _rows(tmp_path / "rows.jsonl", [{**ROWS[0], "reference": reference}])
    hows = [word for name in ("teqhallu", "teqhallu-direct", "teqhallu-claims", "direct") for word in ("--how", name)]
    with ScriptedServer([*script(brooks_model()), when(_direct, "no JSON")]) as server:
        named = ("--base-url", server.url, "--model", "m")
        ran = shell("eval", "conditions", "claims", str(rows), "--kb", str(kb), *hows, *named, "--json")
    found = _table(json.loads(ran.out), "1 claims")
    assert {how: row["right"]["count"] for how, row in found.items() if how != "direct"}["teqhallu-direct"] == 1
    assert found["teqhallu"]["right"]["count"] == 1
    assert (found["direct"]["right"]["count"], found["direct"]["unchecked"]) == (0, 1)


def test_a_false_licence_is_grave(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """What the graph supports and the labels call wrong makes the exit status 1, and the case is told first."""
    kb = write_kb(tmp_path / "kb")
    rows = _rows(tmp_path / "rows.jsonl", [{"id": "x", "text": "Elm Brook is 12 km long.", "label": "contradicted"}])
    ran = shell("eval", "conditions", "claims", str(rows), "--kb", str(kb), "--how", "oracle")
    assert ran.status == 1
    assert ran.out.startswith("FALSE LICENCE  oracle: x")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "1", "text": "x", "label": "supported", "reference": 3}, "`reference`"),
        ({"id": "1", "text": "x", "label": "supported", "reference": [3]}, "`reference`"),
        ({"id": "1", "text": "x", "label": "supported", "violates": "yes"}, "`violates`"),
        ({"id": "1", "text": "x", "label": "true"}, "not a verdict label"),
    ],
)
def test_bad_rows_are_told(tmp_path: Path, row: dict[str, Any], told: str) -> None:
    """With file and line, blank lines counted."""
    path = tmp_path / "rows.jsonl"
    path.write_text("\n" + json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=told) as raised:
        read_claims(path)
    assert raised.value.where == f"{path}:2"


def test_labels_come_down_to_three() -> None:
    """Whatever is neither supported nor contradicted is not found."""
    assert {three(label) for label in Label} == {Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND}
    assert three(Label.CONFLICTING) is Label.NOT_FOUND


def test_mistakes_of_the_command_are_told(kb: Path, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """No file, a condition over questions, no model."""
    rows = str(_rows(tmp_path / "rows.jsonl", ROWS))
    for words, told in (
        (("claims", rows, rows), "takes one file"),
        (("made", "--recorded", "bundled"), "no recording of 'made' is bundled"),
        (("claims", rows, "--how", "rag"), "no condition 'rag' over claims"),
        (("claims", rows, "--how", "direct"), "no model is configured"),
        ((), "no set of questions"),
    ):
        ran = shell("eval", "conditions", *words, "--kb", str(kb))
        assert (ran.status, told in ran.err) == (2, True), ran.err
