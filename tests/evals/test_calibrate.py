"""Choosing the passage judge's threshold from labels: the bound, the file, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.errors import InputError
from imprimatur.evals.calibrate import Labelled, choose
from imprimatur.evals.scores import clopper_pearson
from imprimatur.oracle import Oracle
from imprimatur.sources.passages.weighing import Weights


@pytest.mark.parametrize(
    ("count", "total", "confidence", "bound"),
    [(0, 29, 0.95, 1 - 0.05 ** (1 / 29)), (1, 10, 0.95, 0.3942), (5, 50, 0.975, 0.2181), (3, 3, 0.95, 1.0)],
)
def test_the_bound_is_that_of_clopper_and_pearson(count: int, total: int, confidence: float, bound: float) -> None:
    """Against the closed form for no hit, and printed tables."""
    assert clopper_pearson(count, total, confidence) == pytest.approx(bound, abs=1e-4)


def test_the_highest_threshold_within_the_bound_is_chosen() -> None:
    """Of 100 unfounded texts at -3.0 to -2.01, three may be missed for a bound of 0.1 at 95 %; a fourth may not."""
    rows = [Labelled(-3.0 + step / 100, True) for step in range(100)] + [Labelled(-9.0, False), Labelled(-1.0, False)]
    chosen = choose(rows, risk=0.1, confidence=0.95)
    allowed = max(k for k in range(100) if clopper_pearson(k, 100, 0.95) <= 0.1)
    assert chosen.missed.count == allowed
    assert chosen.bound <= 0.1 < clopper_pearson(allowed + 1, 100, 0.95)
    assert (chosen.founded_flagged.count, chosen.founded_flagged.total) == (1, 2)


def test_too_few_labels_are_refused_with_the_number_needed() -> None:
    """Five texts cannot bound a risk of 0.1 at 95 %: 29 can."""
    with pytest.raises(InputError, match="too few") as caught:
        choose([Labelled(0.0, True)] * 5, risk=0.1, confidence=0.95)
    assert "29" in caught.value.hint
    assert choose([Labelled(0.0, True)] * 29, risk=0.1, confidence=0.95).missed.count == 0


def test_the_written_file_is_named_by_a_knowledge_base(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """What is calibrated is what judges: another content hash, and the threshold of the file."""
    rows = [
        {"id": n, "text": f"Mira paints {n} boats.", "context": ["The Orla is long."], "label": "not_found"}
        for n in range(30)
    ]
    rows.append({"id": "good", "text": "The Orla is long.", "context": ["The Orla is long."], "label": "supported"})
    (tmp_path / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    out = tmp_path / "weights.json"
    ran = shell("eval", "calibrate", str(tmp_path / "rows.jsonl"), "--out", str(out))
    assert ran.status == 0, ran.err
    assert "unfounded texts missed: 0 of 30" in ran.out
    assert Weights.read(out).each == Weights.shipped().each
    (tmp_path / "imprimatur.yaml").write_text("version: 1\nweights: weights.json\n", encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    assert oracle.knowledge.text.weights == Weights.read(out)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{", "not a line of JSON"),
        ("[]", "needs a `text`"),
        ('{"text": "a", "context": "b", "label": "supported"}', "needs a `text`"),
        ('{"text": "a", "context": [], "label": "approved"}', "not a verdict label"),
        ("", "holds no row"),
    ],
)
def test_wrong_rows_are_usage_errors(tmp_path: Path, shell: Callable[..., Ran], row: str, told: str) -> None:
    """Exit status 2, with the line."""
    path = tmp_path / "rows.jsonl"
    path.write_text(row, encoding="utf-8")
    ran = shell("eval", "calibrate", str(path), "--out", str(tmp_path / "out.json"))
    assert ran.status == 2
    assert told in ran.err
