"""Figures of rows from elsewhere: how rows are read, and that each figure is the one of its own function."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprimatur.errors import InputError
from imprimatur.evals.figure_rows import Flag, read_figure_rows
from imprimatur.evals.paired import mcnemar

_FLAGS: list[dict[str, Any]] = [
    {"id": n, "condition": name, "gold": n % 2 == 0, "score": round((0.9 if n % 2 == 0 else 0.2) + bend * (n % 3), 2)}
    for name, bend in (("steady", 0.0), ("bent", -0.3))
    for n in range(30)
]


def _written(folder: Path, rows: Sequence[Any]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def _table(told: Mapping[str, Any], title: str) -> dict[str, list[Any]]:
    (table,) = [table for table in told["tables"] if table["title"].startswith(title)]
    return {row[0]: row for row in table["rows"]}


def test_two_conditions_that_flag(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """The steady one is always right; the bent one misses what falls below a half, and the test says how surely."""
    told = json.loads(shell("eval", "figures", str(_written(tmp_path, _FLAGS)), "--json").out)
    measures = _table(told, "Measures")
    assert measures["F1"][2]["value"] == measures["AUROC"][2]["value"] == 1.0
    missed = sum(row["condition"] == "bent" and row["gold"] and row["score"] < 0.5 for row in _FLAGS)
    assert missed == 5
    assert measures["recall"][1]["value"] == pytest.approx(10 / 15)
    compared = _table(told, "Conditions")["bent"]
    assert compared[1:6] == ["steady", 30, 0, 0, 5]
    assert compared[6]["value"] == pytest.approx(-5 / 30)
    assert float(compared[7]) == float(compared[8]) == pytest.approx(mcnemar(0, 5), rel=0.05)
    assert [curve["title"] for curve in told["curves"]] == ["Reliability", "Risk by coverage"]
    assert len(told["rows"]) == 60


def test_conditions_that_answer(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """The paper's measures as shares; over-abstention beside them; how sure the answers are."""
    rows = [
        {"id": "a", "entailed": True, "answered": True, "correct": True, "licensed": True, "sure": 0.9},
        {"id": "b", "entailed": True, "answered": False},
        {"id": "c", "entailed": False, "violates": True, "answered": False},
        {"id": "d", "entailed": False, "answered": True, "sure": 0.4},
    ]
    told = json.loads(shell("eval", "figures", str(_written(tmp_path, rows)), "--json").out)
    measures = {
        name: (row[1]["count"], row[1]["total"]) for name, row in _table(told, "Measures").items() if name != "rows"
    }
    assert measures["abstention precision (eq. 2)"] == (1, 2)
    assert measures["FAR-NE (eq. 4)"] == (1, 2)
    assert measures["over-abstention"] == (1, 2)
    assert _table(told, "Sureness")["all"][3]["value"] == pytest.approx((0.01 + 0.16) / 2)
    assert not [table for table in told["tables"] if table["title"].startswith("Conditions")]


def test_repeated_runs(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Three runs of two conditions: the spread of each, and the permutation test on the mean of each question."""
    rows = [
        {"id": n, "condition": name, "run": run, "gold": True, "flagged": (n + run * turn) % 4 != 0}
        for name, turn in (("steady", 0), ("turning", 1))
        for run in range(1, 4)
        for n in range(10)
    ]
    told = json.loads(shell("eval", "figures", str(_written(tmp_path, rows)), "--json").out)
    spread = _table(told, "Repeated")
    assert (spread["steady"][1:3], spread["steady"][4]["value"], spread["steady"][6]["value"]) == ([3, 10], 0.0, 0.0)
    assert spread["steady"][3]["low"] == spread["steady"][3]["high"] == pytest.approx(0.7)
    assert spread["turning"][6]["value"] > 0
    assert 0 < float(_table(told, "Conditions")["steady"][7]) <= 1
    assert _table(told, "Measures")["recall"][1]["low"] < 0.7 < _table(told, "Measures")["recall"][1]["high"]


def test_groups_stand_or_fall_together(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Ten copies of each row in one group give the interval of the row, and no smaller p."""
    once = [{**row, "group": str(row["id"])} for row in _FLAGS]
    often = [{**row, "id": f"{row['id']}-{copy}"} for row in once for copy in range(10)]
    told = [json.loads(shell("eval", "figures", str(_written(tmp_path, rows)), "--json").out) for rows in (once, often)]
    one, other = (_table(each, "Measures")["accuracy"][1] for each in told)
    assert (one["low"], one["high"]) == pytest.approx((other["low"], other["high"]))
    assert len({_table(each, "Conditions")["bent"][7] for each in told}) == 1


def test_the_order_of_rows_changes_nothing(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """The same tables from the rows turned round."""
    first, second = (
        json.loads(shell("eval", "figures", str(_written(tmp_path, rows)), "--interval", "bca", "--json").out)
        for rows in (_FLAGS, _FLAGS[::-1])
    )
    assert first["tables"] == second["tables"]


_GOOD = {"id": 1, "gold": True, "score": 0.5}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "has no rows"),
        (["{"], "is no row"),
        (["[]"], "is no row"),
        ([{"gold": True, "score": 1}], "`id`"),
        ([{"id": 1, "gold": True}], "flagged"),
        ([{"id": 1, "gold": "yes", "score": 1}], "`gold`"),
        ([{"id": 1, "gold": True, "score": True}], "`score`"),
        (['{"id": 1, "gold": true, "score": NaN}'], "`score`"),
        ([_GOOD, _GOOD], "stands in"),
        ([_GOOD, {"id": 2, "entailed": True, "answered": False}], "both shapes"),
        ([{"id": 2, "entailed": True, "answered": False, "correct": True}], "abstention"),
        ([{"id": 2, "entailed": True, "answered": True, "sure": 2}], "`sure`"),
        ([{**_GOOD, "condition": "a"}, {**_GOOD, "id": 2, "condition": "b"}], "share no id"),
    ],
)
def test_rows_that_are_none(tmp_path: Path, shell: Callable[..., Ran], rows: list[Any], said: str) -> None:
    """Told with what is wrong, status 2, and no traceback."""
    ran = shell("eval", "figures", str(_written(tmp_path, rows)))
    assert ran.status == 2
    assert said in ran.err
    assert "hint" in ran.err


def test_a_row_without_a_flag_goes_by_the_threshold(tmp_path: Path) -> None:
    """At the threshold it is flagged; a flag that is given stands, whatever the score."""
    rows = [{"id": 1, "gold": True, "score": 0.5}, {"id": 2, "gold": True, "score": 0.9, "flagged": False}]
    flags, answers = read_figure_rows([_written(tmp_path, rows)], threshold=0.5)
    assert answers == ()
    assert [row.flagged for row in flags if isinstance(row, Flag)] == [True, False]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=40), max_size=4))
def test_any_bytes_are_rows_or_an_error(tmp_path: Path, lines: list[bytes]) -> None:
    """Nothing else is raised."""
    path = tmp_path / "any"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(InputError):
        read_figure_rows([path], threshold=0.5)
