"""Choosing a trained judge's threshold from labels: the bound, the file that the entry names, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from cli_fixtures import Ran
from made_models import onnx_model

from imprimatur.config import load_folder
from imprimatur.evals.scores import clopper_pearson
from imprimatur.oracle import Oracle
from imprimatur.testing import ScriptedServer, fail

Shell = Callable[..., Ran]
ZERO = (0.0, 0.0)


def kb(folder: Path, threshold: str = "0.5") -> Path:
    """A knowledge base with a judge that takes "red" and "50" for ever less borne out."""
    weights = {"red": (ZERO, (0.0, -1.0)), "50": (ZERO, (0.0, -3.0))}
    model = onnx_model(folder / "model", weights)
    text = f"version: 1\njudges:\n  - {{kind: pairs, name: made, path: '{model}', threshold: {threshold}}}\n"
    (folder / "imprimatur.yaml").write_text(text, encoding="utf-8")
    return folder


def rows(folder: Path, *counted: tuple[int, str, str]) -> Path:
    """A file with so many rows of a text with a label."""
    made: list[dict[str, Any]] = [
        {"id": str(number), "text": text, "context": ["The kiln holds 40 plates."], "label": label}
        for count, text, label in counted
        for number in range(count)
    ]
    path = folder / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in made), encoding="utf-8")
    return path


def test_the_threshold_keeps_the_bound_and_is_used(tmp_path: Path, shell: Shell) -> None:
    """Three of a hundred unfounded texts may pass for 0.1 at 95 %; the file that is written sets the judge."""
    folder = kb(tmp_path)
    allowed = max(k for k in range(100) if clopper_pearson(k, 100, 0.95) <= 0.1)
    counted = [(allowed, "The kiln.", "not_found"), (100 - allowed, "The kiln holds 50 red plates.", "not_found")]
    path = rows(tmp_path, *counted, (7, "The red kiln.", "supported"))
    out = tmp_path / "made.json"
    ran = shell("eval", "calibrate", str(path), "--kb", str(folder), "--judge", "made", "--out", str(out))
    assert ran.status == 0, ran.err
    assert f"unfounded texts missed: {allowed} of 100" in ran.out
    assert "founded texts flagged: 0 of 7" in ran.out
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["threshold"] == 0.1193  # a text with "50" and "red" has 0.1192, and must be flagged
    assert found["calibrated"]["bound"] <= 0.1
    kb(folder, "made.json")
    entry = load_folder(folder).judges[0]
    assert (entry.threshold, entry.calibrated) == (Fraction("0.1193"), found["judge"]["fingerprint"])
    assert Oracle.from_folder(folder).knowledge.panel is not None


def test_a_threshold_of_another_model_is_refused(tmp_path: Path, shell: Shell) -> None:
    """The file names the judge that it was made for; a changed model needs a new one."""
    folder = kb(tmp_path)
    path = rows(tmp_path, (40, "The 50.", "not_found"), (1, "The kiln.", "supported"))
    out = tmp_path / "made.json"
    assert shell("eval", "calibrate", str(path), "--kb", str(folder), "--judge", "made", "--out", str(out)).status == 0
    kb(folder, "made.json")
    assert shell("check", "x", "--kb", str(folder)).status in (0, 1)
    onnx_model(folder / "model", {"50": (ZERO, (0.0, -9.0))})
    ran = shell("check", "x", "--kb", str(folder))
    assert (ran.status, "calibrated for another model" in ran.err) == (2, True)
    out.write_text('{"threshold": 2, "judge": {"fingerprint": ""}}', encoding="utf-8")
    assert "does not lie between" in shell("check", "x", "--kb", str(folder)).err
    out.write_text("{}", encoding="utf-8")
    assert "no file of a calibration" in shell("check", "x", "--kb", str(folder)).err


def test_what_cannot_be_bounded_is_refused(tmp_path: Path, shell: Shell) -> None:
    """Too few labels, unfounded texts with the full score, an unknown judge, one option without the other."""
    folder = kb(tmp_path)

    def told(path: Path, *more: str) -> str:
        ran = shell("eval", "calibrate", str(path), "--out", str(tmp_path / "out.json"), *more)
        assert ran.status == 2
        return ran.err

    both = ("--kb", str(folder), "--judge", "made")
    assert "too few" in told(rows(tmp_path, (5, "The 50.", "not_found")), *both)
    enough = rows(tmp_path, (50, "The 50.", "not_found"))
    assert "did you mean 'made'" in told(enough, "--kb", str(folder), "--judge", "mad")
    assert "go together" in told(enough, "--judge", "made")
    assert "go together" in told(enough, "--kb", str(folder))
    assert "between 0 and 1" in told(enough, *both, "--risk", "0")
    onnx_model(folder / "model", {}, bias=(0.0, 60.0))
    assert "no threshold is high enough" in told(enough, *both)


def test_a_judge_that_fails_sets_no_threshold(tmp_path: Path, shell: Shell) -> None:
    """Exit status 3, with the line; nothing is written."""
    with ScriptedServer(fail(400)) as server:
        text = f"version: 1\njudges:\n  - {{kind: llm, url: '{server.url}', model: tiny}}\n"
        (tmp_path / "imprimatur.yaml").write_text(text, encoding="utf-8")
        path, out = rows(tmp_path, (40, "The 50.", "not_found")), tmp_path / "out.json"
        ran = shell("eval", "calibrate", str(path), "--kb", str(tmp_path), "--judge", "tiny", "--out", str(out))
    assert (ran.status, out.exists()) == (3, False)
    assert "rows.jsonl:1" in ran.err
    assert "status 400" in ran.err
