"""TabFact: the loader, the figures, and what must not get worse on the set itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran

from imprimatur.errors import InputError
from imprimatur.evals.tabfact import Answered, figures, rendered
from imprimatur.evals.tabfact_set import half_of, load
from imprimatur.sources.tables.prose.cells import CellIndex

_PUBLISHED = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "tabfact-small"
_TABLE = {
    "table_id": "t1",
    "caption": "lights",
    "columns": ["name", "height", "height", ""],
    "rows": [["skerry light", "30", "1", "red"], ["holm light", "41.5", "-", "green"]],
}
_ROWS = [
    ("skerry light have a height of 30", "entailed", "simple"),
    ("skerry light have a height of 31", "refuted", "simple"),
    ("holm light have the highest height", "entailed", "complex"),
    ("the king be in the castle", "refuted", "complex"),
    ("[UNK] light have a height of 30", "entailed", "simple"),
]


def _write(folder: Path, *, table: dict[str, Any] | None = None, row: dict[str, Any] | None = None) -> Path:
    rows = [
        {"id": f"s{at}", "table_id": "t1", "statement": text, "label": label, "channel": channel}
        for at, (text, label, channel) in enumerate(_ROWS)
    ]
    rows[0] |= row or {}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tables.jsonl").write_text(json.dumps({**_TABLE, **(table or {})}) + "\n", encoding="utf-8")
    (folder / "statements.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return folder


def test_the_set_is_read_with_names_that_differ(tmp_path: Path) -> None:
    """Columns of one name are told apart, one without a name gets one; statements with an unknown word are counted."""
    found = load(_write(tmp_path))
    assert [column.name for column in found.tables["t1"].columns] == ["name", "height", "height 2", "column 4"]
    assert found.tables["t1"].rows[1].cells == ("holm light", "41.5", None, "green")
    assert (len(found.statements), found.left_out) == (4, 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"row": {"label": "true"}}, "'true' is neither of entailed, refuted"),
        ({"row": {"channel": 1}}, "`channel` must be a text"),
        ({"row": {"table_id": "t2"}}, "the table 't2' is not in tables.jsonl"),
        ({"row": {"id": "s1"}}, "the id 's1' comes twice"),
        ({"table": {"rows": [["a"]]}}, "a row has not 4 cells"),
        ({"table": {"rows": "a"}}, "`rows` must be a list"),
        ({"table": {"columns": []}}, "`columns` must hold"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    """What is not as described is an error with its place."""
    with pytest.raises(InputError, match=message) as raised:
        load(_write(tmp_path, **changes))
    assert ".jsonl:" in str(raised.value)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """The error says what the folder should hold."""
    with pytest.raises(InputError, match="no such folder"):
        load(tmp_path / "nowhere")


def test_the_figures_count_each_statement_once(tmp_path: Path) -> None:
    """Coverage, accuracy and the table of outcomes agree; what was not read is not answered."""
    found = load(_write(tmp_path))
    index = CellIndex(found.tables["t1"])
    rows = [Answered.of(each, index) for each in found.statements]
    told = figures(rows)
    part = told["levels"]["all answered"]["all"]
    assert part["table"] == {
        "entailed": {"holds": 2, "refuted": 0, "not answered": 0},
        "refuted": {"holds": 0, "refuted": 1, "not answered": 1},
    }
    assert (part["coverage"]["count"], part["coverage"]["total"]) == (3, 4)
    assert part["accuracy"]["share"] == 1
    assert told["refuting"]["false ones refuted"]["count"] == 1
    assert told["refuting"]["true ones refuted"]["count"] == 0
    assert told["levels"]["no word left over"]["simple"]["coverage"]["count"] == 2
    assert "all answered" in rendered(rows, left_out=1)


def test_the_command_prints_figures_for_people_and_programs(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """`imprimatur eval tabfact` prints a table, or JSON; a half has the statements of its tables alone."""
    folder = str(_write(tmp_path))
    shown = shell("eval", "tabfact", folder, "--wrong")
    assert shown.status == 0, shown.err
    assert "1 of the set have an unknown word" in shown.out
    half = ("first", "second")[half_of("t1")]
    told = json.loads(shell("eval", "tabfact", folder, "--json", "--half", half).out)
    assert (told["half"], told["statements"]) == (half, 4)


@pytest.mark.skipif(not _PUBLISHED.exists(), reason="TabFact is not here")
def test_the_goal_is_reached() -> None:
    """In each half of the tables 40 % of the statements are answered strictly, and four in five of these rightly."""
    found = load(_PUBLISHED)
    indexes = {name: CellIndex(table) for name, table in found.tables.items()}
    for half in (0, 1):
        rows = [Answered.of(each, indexes[each.table]) for each in found.statements if half_of(each.table) == half]
        strict = figures(rows)["levels"]["strict: one at most"]["all"]
        assert strict["coverage"]["share"] >= 0.40
        assert strict["accuracy"]["share"] >= 0.80
        assert figures(rows)["refuting"]["true ones refuted"]["share"] <= 0.02
