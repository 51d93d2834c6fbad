"""The benchmark over sizes: every task measures something, and the tables hold all of it; no time is ever asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.evals import bench_sizes, generate

SIZE = 2_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> generate.MadeFolder:
    """A small made graph."""
    return generate.write_folder(tmp_path_factory.mktemp("made"), SIZE)


def test_tasks_in_process(made: generate.MadeFolder) -> None:
    """Loading says what was loaded; look-ups and checks of all kinds are timed and none fails."""
    cache = made.data.parent / "cache"
    loaded = bench_sizes.TASKS["load"](made, cache)
    assert loaded["triples"] > SIZE
    assert loaded["load"] > 0
    assert bench_sizes.TASKS["oxigraph"](made, cache)["load"] > 0
    looked = bench_sizes.TASKS["look"](made, cache)
    for name in ("set", "has", "objects", "subjects", "entails"):
        assert 0 < looked[f"{name} p50"] <= looked[f"{name} p99"]
        assert looked[f"{name} failed"] == 0


def test_the_command_gives_figures_as_json(made: generate.MadeFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """One task prints one object."""
    assert bench_sizes.main(["load", str(made.data.parent), str(SIZE)]) == 0
    assert json.loads(capsys.readouterr().out)["triples"] > SIZE


def test_tables_show_growth_and_ratios() -> None:
    """Growth is against the smallest size, ratios against pyoxigraph, a set and the paper's way."""
    small = {
        "oxigraph load": 2.0, "oxigraph resident": 100.0, "cold load": 4.0, "cold peak": 150.0, "warm load": 0.004,
        "warm resident": 20.0, "warm vocabulary": 0.05, "set p50": 1e-7, "set p99": 2e-7, "set calls": 9.0,
        "set failed": 0.0, "check core p50": 5e-6, "check core p99": 9e-6, "check core calls": 9.0,
        "check core failed": 1.0,
    }  # fmt: skip
    large = {**{name: value for name, value in small.items() if not name.startswith("set")}, "check core p50": 6e-6}
    text = bench_sizes.tables({10: small, 100: large}, {"core": 5.0, "rivers": 9.0, "sampled": 9.0})
    assert "4 ms" in text
    assert "0.002 x" in text
    assert "1.2 x" in text
    assert "60 x" in text
    assert "1,000,000 x" in text
    assert "1 of 9" in text


@pytest.mark.slow
def test_the_whole_report(tmp_path: Path) -> None:
    """All tasks run in processes of their own, and three tables come out."""
    text = bench_sizes.report([SIZE], folder=tmp_path)
    assert text.count("\n\n") == 2
    assert "shapes in sparql" in text
