"""The models beside which reading is measured: what is missing is said; where nothing is, both run."""

from __future__ import annotations

import importlib.util

import pytest

from imprimatur.evals import bench_models
from imprimatur.evals.bench import Row, model_rows

_SENTENCES = ["Elm Brook is 12 km long.", "Oak Brook flows through Bree."]
_ROW = Row(what="a sentence", ours=0.001, baseline=1.0, against="nothing")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the packages there are no rows, and the reader is told what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "gliner" else object())
    assert bench_models.missing() == "install gliner: pip install 'imprimatur[encoders]'"
    assert model_rows(_ROW, _SENTENCES) == ()


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("gliner") is None, reason="the extra `encoders` is not installed")
def test_both_models_run() -> None:
    """They have the published sizes, and reading a sentence takes them some time."""
    rows = model_rows(_ROW, _SENTENCES)
    assert [row.against.split(" ")[0] for row in rows] == ["GLiNER", "a"]
    assert all(row.baseline > 0 for row in rows)
