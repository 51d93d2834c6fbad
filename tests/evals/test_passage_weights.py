"""Making the weights of the passage judge: rows of signs, folds, thresholds by kind of context, and the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_passage_sets import ragtruth

from imprimatur.evals.passage_rows import Text, read
from imprimatur.evals.passage_sets import load
from imprimatur.evals.passage_weights import main
from imprimatur.sources.passages.signs import NAMES
from imprimatur.sources.passages.weighing import KINDS, Weights


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[Text]:
    """The made answers as rows."""
    return read(load("ragtruth", ragtruth(tmp_path_factory.mktemp("made"))))


def test_rows_cover_their_answers(texts: list[Text]) -> None:
    """Every character is in one row, a labelled answer has an unfounded row, and the kinds come from the contexts."""
    assert all(sum(row.length for row in text.rows) == text.length for text in texts)
    assert all(text.unfounded == any(row.unfounded for row in text.rows) for text in texts)
    assert {text.kind for text in texts} <= set(KINDS)
    assert len({text.kind for text in texts}) > 1


def test_what_the_exact_comparison_supports_is_settled(texts: list[Text]) -> None:
    """No weights flag it; what is not settled has all signs."""
    assert any(row.settled is False and row.claim for text in texts for row in text.rows)
    assert all(set(row.signs) == set(NAMES) for text in texts for row in text.rows if row.settled is None)


def test_the_command_writes_weights_that_are_read_and_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figures of folds by source (of folds by family where there are several), and a threshold for each kind."""
    folder = ragtruth(tmp_path)
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    assert main([str(folder), "--out", str(first)]) == main([str(folder), "--out", str(second)]) == 0
    told = capsys.readouterr().out
    assert "folds by source" in told
    assert "folds by family of model" not in told
    assert first.read_bytes() == second.read_bytes()
    weights = Weights.read(first)
    assert set(weights.sooner) == set(KINDS)
    assert min(weights.sooner.values()) >= 0
