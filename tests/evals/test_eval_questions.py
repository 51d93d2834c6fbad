"""Questions of a file: which of them are asked, and how their answers are compared."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from imprimatur.errors import InputError
from imprimatur.evals import questions
from imprimatur.evals.outcome import Outcome
from imprimatur.oracle import Oracle

_COLUMNS = "river_name,question_id,question,answer_1,answer_2,answer_3,answer_4,answer_5,correct_answer_index"
_ASKED = (
    ("Ohoopee River", "How long is the Ohoopee River?", ("190 km", "192 km", "195 km", "19 km", "1,920 km"), 1),
    ("Ohoopee River", "Which river does the Ohoopee River flow into?", ("Altamaha River", "A", "B", "C", "D"), 0),
    ("Ohoopee River", "Who first sailed the Ohoopee River?", ("E. Smith", "A", "B", "C", "D"), 0),
    ("Dead Creek", "How long is Dead Creek?", ("1 km", "2 km", "3 km", "4 km", "5 km"), 0),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of four questions, two of them with their fact in the graph."""
    path = tmp_path / "questions.csv"
    with path.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(_COLUMNS.split(","))
        for n, (thing, text, options, right) in enumerate(_ASKED):
            writer.writerow((thing, f"q{n}", text, *options, right))
    return path


def test_only_questions_with_their_fact_in_the_graph_are_asked(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two of the four fit the rule; both are answered, openly and as a choice; the outcome says the same."""
    settings = questions.Settings(most=10, as_json=True, out=tmp_path / "outcome.json")
    assert questions.run(file, "rivers", settings) == 0
    (table, _) = Outcome.from_dict(json.loads((tmp_path / "outcome.json").read_text("utf-8"))).tables
    assert table.title == "open"
    assert [str(cell)[:3] for _, cell in table.rows] == ["2/2", "0/2", "0/2"]
    shares = json.loads(capsys.readouterr().out)
    for how in ("open", "choice"):
        assert {name: share["count"] for name, share in shares[how].items()} == {"right": 2, "wrong": 0, "refused": 0}


@pytest.mark.parametrize(
    ("given", "right", "one"),
    [
        ("192 km", "119 miles", True),
        ("192 km", "193 km", False),
        ("Oswego River (New York)", "The Oswego River", True),
        ("St. Johns River", "St Johns River", True),
        ("Seneca River", "Mohawk River", False),
        ("Lake City", "Lake City, Colorado", True),
    ],
)
def test_answers_are_compared_by_what_they_name(given: str, right: str, one: bool) -> None:
    """Numbers by the number rules, names without article and qualifier."""
    assert questions.same(given, right, Oracle.from_folder("rivers")) is one


@pytest.mark.parametrize(
    ("text", "words"),
    [("a,b\n1,2\n", "columns are missing"), (f"{_COLUMNS}\n" + "x," * 8 + "7\n", "not 0 to 4"), ("\xff", "readable")],
)
def test_a_wrong_file_is_a_mistake(tmp_path: Path, text: str, words: str) -> None:
    """Columns, the index and the encoding are checked, with the line."""
    path = tmp_path / "questions.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=words):
        questions.read(path)
