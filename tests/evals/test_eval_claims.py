"""Measuring verdicts against labelled claims: reading rows, counting, intervals, exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import FakeOracle, Ran
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import InputError
from imprimatur.evals.claims import read_rows, rendered
from imprimatur.evals.metrics import Judged, Measures, Share, wilson
from imprimatur.verdict import Label

Shell = Callable[..., Ran]

_JUDGED = st.builds(
    Judged,
    id=st.integers(0, 9),
    text=st.text(max_size=5),
    gold=st.lists(st.sampled_from(list(Label)), min_size=1, max_size=3).map(tuple),
    verdict=st.sampled_from(list(Label)),
)


def _rows(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@settings(max_examples=100)
@given(st.lists(_JUDGED, max_size=30).map(tuple))
def test_counts_equal_score(rows: tuple[Judged, ...]) -> None:
    """Every row stands in one cell, and each score is the sum of the cells that it names."""
    measures = Measures(rows)
    told = measures.to_dict()
    cells = [(gold.split("|"), verdict, n) for gold, of in told["table"].items() for verdict, n in of.items()]
    assert sum(n for _, _, n in cells) == told["rows"] == len(rows)
    assert told["right"]["count"] == sum(n for gold, verdict, n in cells if verdict in gold)
    assert told["abstained"]["count"] == sum(n for _, verdict, n in cells if verdict == "not_a_claim")
    licensed = sum(n for gold, verdict, n in cells if verdict == "supported" and "supported" not in gold)
    assert len(told["false_licences"]) == told["false_licence_share"]["count"] == licensed
    refuted = sum(n for gold, verdict, n in cells if verdict == "contradicted" and gold == ["supported"])
    assert len(told["true_called_false"]) == refuted
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert rendered(measures)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662), (0, 0, 0.0, 1.0)],
)
def test_wilson(count: int, total: int, low: float, high: float) -> None:
    """The interval equals published values (the fourth row: Newcombe 1998) and is the widest for no trials."""
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)


def test_a_share_of_nothing_is_no_number() -> None:
    """No rows give neither 0 nor 1 nor NaN."""
    assert str(Share(0, 0)) == "none"
    assert Share(0, 0).to_dict()["share"] is None


def test_measured_rows(tmp_path: Path, oracle: FakeOracle, shell: Shell) -> None:
    """The table, the intervals and both kinds of grave mistake are printed, and a false licence gives exit status 1."""
    path = _rows(
        tmp_path,
        {"id": "a", "text": "supported one", "label": "supported", "option_text": "left alone"},
        {"id": "b", "answer": "supported two", "label": ["contradicted", "not_found"], "question": "What?"},
        {"id": 3, "text": "contradicted \x1b[31mthree", "label": "supported"},
        {"id": "d", "text": "hello", "label": "not_a_claim"},
    )
    ran = shell("eval", "claims", str(path), "--kb", "rivers")
    assert ran.status == 1
    assert "FALSE LICENCE  b  (gold: contradicted|not_found)  supported two" in ran.out
    assert "TRUE CALLED FALSE  3  contradicted \\x1b[31mthree" in ran.out
    assert "abstained (not_a_claim): 1 of 4, 0.2500 [0.0456, 0.6994]" in ran.out
    assert "all judged right: 2 of 4, 0.5000 [0.1500, 0.8500]" in ran.out
    assert [call["question"] for call in oracle.calls] == [None, "What?", None, None]
    heads = next(line.split() for line in ran.out.splitlines() if line.startswith("gold"))
    assert heads == ["gold", "\\", "verdict", "contradicted", "supported", "not_a_claim", "rows"]


def test_as_json_without_a_false_licence(tmp_path: Path, oracle: FakeOracle, shell: Shell) -> None:
    """With --json the measures are one JSON object; no false licence gives exit status 0."""
    path = _rows(tmp_path, {"id": 1, "text": "not_found x", "label": "contradicted"})
    ran = shell("eval", "claims", str(path), "--kb", "rivers", "--json")
    assert ran.status == 0
    told = json.loads(ran.out)
    assert told["table"] == {"contradicted": {"not_found": 1}}
    assert told["false_licences"] == []
    assert oracle.calls


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "holds no row"),
        ("\n \n", "holds no row"),
        ("{", "not a line of JSON"),
        ("[" * 100_000, "not a line of JSON"),
        ("7", "not a JSON object"),
        ('{"id": 1, "label": "supported"}', "either `text` or `answer`"),
        ('{"id": 1, "text": "x", "answer": "x", "label": "supported"}', "either `text` or `answer`"),
        ('{"id": 1, "text": 5, "label": "supported"}', "`text` must be a text"),
        ('{"id": true, "text": "x", "label": "supported"}', "`id` must be"),
        ('{"text": "x", "label": "supported"}', "`id` must be"),
        ('{"id": 1, "text": "x"}', "`label` must be"),
        ('{"id": 1, "text": "x", "label": []}', "`label` must be"),
        ('{"id": 1, "text": "x", "label": ["supported", 3]}', "'3' is not a verdict label"),
        ('{"id": 1, "text": "x", "label": "supports"}', "'supports' is not a verdict label"),
        ('{"id": 1, "text": "x", "label": "supported", "question": 4}', "`question` must be a text"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, line: str, message: str) -> None:
    """A file without rows, or a row that is not as it must be, is refused with its place and a hint."""
    path = tmp_path / "rows.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=message) as raised:
        read_rows(path)
    assert raised.value.hint
    assert str(path) in raised.value.where


def test_nothing_is_judged_when_a_row_is_bad(tmp_path: Path, oracle: FakeOracle, shell: Shell) -> None:
    """A mistake in the last row ends the run with exit status 2 before the first is judged."""
    path = _rows(tmp_path, {"id": 1, "text": "supported", "label": "supported"}, {"id": 2, "text": "x", "label": "?"})
    ran = shell("eval", "claims", str(path), "--kb", "rivers")
    assert ran.status == 2
    assert "rows.jsonl:2" in ran.err
    assert oracle.calls == []


def test_an_absent_file(tmp_path: Path, oracle: FakeOracle, shell: Shell) -> None:
    """A file that is not there is the caller's mistake."""
    assert shell("eval", "claims", str(tmp_path / "none.jsonl"), "--kb", "rivers").status == 2
    assert oracle.calls == []
