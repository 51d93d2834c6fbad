"""Sentences changed in one small point: none that is false is licensed, and most true ones are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.errors import InputError
from imprimatur.evals.changes import WAYS, Settings, judged, read_changes, run
from imprimatur.verdict import Label

_SET = Path(__file__).parents[2] / "examples" / "changed-claims.jsonl"
#: What is let through although the text does not say it: what "which" means, a ratio of two shares, the case of another
#: clause.
_THROUGH = {
    "The patient tolerated colchicine well.",
    "It costs twice as much.",
    "The alarm sounds when the door is closed.",
}


def test_no_changed_sentence_passes() -> None:
    """Of 872 changed claims of the part that rules were made on none passes but three; of the true ones most do."""
    texts, claims = read_changes(_SET, "dev")
    found = list(judged(texts, claims))
    assert len([each for each in found if not each.claim.good]) == 872
    assert {each.claim.text for each in found if not each.claim.good and each.let_through()} <= _THROUGH
    for way, least in zip(range(len(WAYS)), (0.77, 0.74), strict=True):
        true = [each.labels[way] is Label.SUPPORTED for each in found if each.claim.good]
        assert sum(true) / len(true) >= least


@pytest.mark.slow
def test_the_kept_part() -> None:
    """Of the part that no rule was made on, at most one changed claim in ten passes."""
    texts, claims = read_changes(_SET, "kept")
    found = [each for each in judged(texts, claims) if not each.claim.good]
    assert len(found) == 324
    assert sum(each.let_through() for each in found) <= 32


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "no JSON"),
        ("[]", "no `text`"),
        ('{"text": " "}', "no `text`"),
        ('{"text": "A.", "true": "B."}', "no list"),
        ('{"text": "A.", "false": [{"kind": "x"}]}', "no claim"),
        ("", "no rows"),
    ],
)
def test_bad_rows(tmp_path: Path, line: str, what: str) -> None:
    """Each says what is wrong, and where."""
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=what):
        read_changes(path)


def test_a_missing_file(tmp_path: Path) -> None:
    """It is an error that names the file."""
    with pytest.raises(InputError, match="cannot be read"):
        read_changes(tmp_path / "none.jsonl")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints what passes by kind and way, and fails when a false claim does."""
    row = {"id": "a", "text": "The pool is closed on Mondays.", "true": ["The pool is closed on Mondays."]}
    path = tmp_path / "rows.jsonl"
    path.write_text(
        json.dumps({**row, "false": [{"kind": "time", "claim": "The pool is closed on Tuesdays."}]}), "utf-8"
    )
    assert run(path, Settings(show=True)) == 0
    said = capsys.readouterr().out
    assert "false licensed, either: 0 of 1" in said
    assert "true licensed, passage: 1 of 1" in said
    path.write_text(json.dumps({**row, "false": ["The pool is closed on Mondays."]}), "utf-8")
    assert run(path, Settings(as_json=True)) == 1
    assert json.loads(capsys.readouterr().out)["licensed"][0]["claim"] == "The pool is closed on Mondays."
