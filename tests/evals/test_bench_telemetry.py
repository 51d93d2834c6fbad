"""The measurement of what observing costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("opentelemetry.sdk", reason="the extra `telemetry` is not installed")

from imprimatur.evals.bench_telemetry import command


def test_what_observing_costs(brooks: Path, tmp_path: Path) -> None:
    """It prints the time of a check, of idle blocks, and what telemetry adds."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text((json.dumps({"text": "Elm Brook is 12 km long."}) + "\n") * 12, encoding="utf-8")
    ran = CliRunner().invoke(
        command, ["--rows", str(rows), "--kb", str(brooks), "--rounds", "2"], catch_exceptions=False
    )
    first, idle, told = ran.output.splitlines()
    assert first.startswith("a check of 12 sentences: ")
    assert idle.startswith("without telemetry: 40 idle blocks of ")
    assert told.startswith("with telemetry: ")
