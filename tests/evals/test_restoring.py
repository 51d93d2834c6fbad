"""Wrong values put into true sentences, and what `correct` makes of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.evals.claims import read_rows
from imprimatur.evals.corrupting import corrupted, others_of
from imprimatur.evals.restoring import attempt
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

Shell = Callable[..., Ran]

_EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "rivers-claims.jsonl"


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    """The bundled rivers under `correct`."""
    return Oracle.from_folder("rivers", policy="correct")


def test_a_corruption_stays_within_its_value(oracle: Oracle) -> None:
    """A changed sentence differs from the true one in one span only, and the same seed gives the same change."""
    rows = [row for row in read_rows(_EXAMPLES) if row.gold == (Label.SUPPORTED,)][:60]
    reports = [oracle.check(row.text) for row in rows]
    others = others_of(reports)
    assert oracle.knowledge.part is not None
    schema = oracle.knowledge.part.schema
    made = [corrupted(row, report, schema, others, seed=3) for row, report in zip(rows, reports, strict=True)]
    again = [corrupted(row, report, schema, others, seed=3) for row, report in zip(rows, reports, strict=True)]
    found = [each for each in made if each is not None]
    assert len(found) > 20
    assert [each and each.text for each in made] == [each and each.text for each in again]
    for each in found:
        true = each.true.answer
        assert each.text != true
        assert each.text[: each.start] == true[: each.start]
        assert true.endswith(each.text[each.end :])


def test_attempts_are_judged_by_their_triples(oracle: Oracle) -> None:
    """A sentence is restored when it rests on what the true one rested on."""
    rows = [row for row in read_rows(_EXAMPLES) if row.gold == (Label.SUPPORTED,)][:40]
    reports = [oracle.check(row.text) for row in rows]
    assert oracle.knowledge.part is not None
    schema, others = oracle.knowledge.part.schema, others_of(reports)
    made = [corrupted(row, report, schema, others, seed=1) for row, report in zip(rows, reports, strict=True)]
    attempts = [attempt(each, oracle) for each in made if each is not None]
    assert {a.fate for a in attempts} <= {"restored", "open", "licensed"}
    assert not any(a.unstable or a.outside for a in attempts)


def test_the_command(shell: Shell) -> None:
    """The shipped example rows come back whole: nothing false goes out, nothing else changes."""
    ran = shell("eval", "restoring", str(_EXAMPLES), "--kb", "rivers", "--most", "60", "--json")
    told = json.loads(ran.out)
    assert ran.status == 0
    assert told["restored"]["total"] > 40
    assert told["restored"]["share"] >= 0.97
    assert (told["wrong"], told["unstable"], told["outside"]) == ([], 0, 0)


_ROWS = (
    {"id": 1, "text": "The Zumbro River drains 1,842 square miles.", "wrong": [[24, 29]]},
    {
        "id": 2,
        "text": "The Zumbro River drains 1,428 square miles.",
        "twin": {"text": "The Zumbro River drains 1,842 square miles."},
    },
    {
        "id": 3,
        "answer": "The Zumbro River drains 1,842 square miles.",
        "segments": [{"claims": [{"start": 24, "end": 29, "gold": "contradicted"}]}],
    },
)


def test_repairs(shell: Shell, tmp_path: Path) -> None:
    """All three shapes of rows are read, and a repair at the wrong span is sound."""
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, _ROWS)))
    ran = shell("eval", "repairs", str(file), "--kb", "rivers", "--json")
    told = json.loads(ran.out)
    assert ran.status == 0
    assert told["repaired"]["count"] == told["contradicted"] == 3
    assert told["outside"] == []


def test_a_change_elsewhere_is_found(shell: Shell, tmp_path: Path) -> None:
    """Where the wrong span is said to be elsewhere, the edit counts as outside, and the status says so."""
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"id": 1, "text": "The Zumbro River drains 1,842 square miles.", "wrong": [[0, 3]]}))
    ran = shell("eval", "repairs", str(file), "--kb", "rivers")
    assert ran.status == 1
    assert "OUTSIDE  1: '1,842' -> '1,428'" in ran.out


@pytest.mark.parametrize(
    "row", ['{"id": 1, "text": "x", "wrong": [[0, 9]]}', '{"id": 1}', "[]", "{", '{"id": 1, "text": "x", "wrong": []}']
)
def test_rows_that_are_not_as_they_should_be(shell: Shell, tmp_path: Path, row: str) -> None:
    """A row of no known shape is named with its line."""
    file = tmp_path / "rows.jsonl"
    file.write_text(row)
    ran = shell("eval", "repairs", str(file), "--kb", "rivers")
    assert ran.status == 2
    assert "rows.jsonl" in ran.err
