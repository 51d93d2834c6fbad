"""The benchmark: what it measures is real work, and it prints every ratio; no time is ever asserted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from case_worlds import CASES, oracle_of

from imprimatur.errors import InputError
from imprimatur.evals import bench
from imprimatur.knowledge import Knowledge
from imprimatur.oracle import Oracle


def test_written_sentences_are_true() -> None:
    """Sentences made of a graph's own labels are nearly all supported, and are the same each time."""
    oracle = oracle_of("harbour")
    sentences = bench.written(oracle, 12)
    assert sentences == bench.written(oracle, 12)
    assert len(set(sentences)) > 6
    labels = [segment.label for text in sentences for segment in oracle.check(text).segments]
    assert labels.count(labels[0].SUPPORTED) >= len(labels) // 2


@pytest.mark.parametrize("measure", [bench.sentence_row, bench.claim_row])
def test_rows_in_process(measure: Callable[[Oracle, Sequence[str]], bench.Row]) -> None:
    """A row has two times, says what each is a time of, and prints their ratio."""
    oracle = oracle_of("harbour")
    row = measure(oracle, bench.written(oracle, 6))
    assert row.ours > 0
    assert row.baseline > 0
    what, *_, ratio, against, _note = row.cells()
    assert what
    assert against
    assert ratio.endswith(" x")


def test_the_slow_path_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands beside the fast path on the same sentences; without the parser there is no row."""
    oracle = Oracle.from_folder("rivers")
    (row,) = bench.slow_rows(oracle)
    assert row.ours > 0
    assert row.baseline > 0
    monkeypatch.setattr(bench, "parser_of", lambda language: None)
    assert bench.slow_rows(oracle) == ()


def test_durations_are_told_in_fitting_units() -> None:
    """A ratio has three significant digits; times are told in seconds down to nanoseconds."""
    row = bench.Row(what="w", ours=0.0123456, baseline=4.2e-6, against="b")
    assert row.cells() == ["w", "12.3 ms", "4.2 µs", "2.94e+03 x", "b", ""]
    assert bench.Row(what="w", ours=2.5, baseline=4.2e-9, against="b").cells()[1:3] == ["2.5 s", "4.2 ns"]


def test_a_knowledge_base_without_a_graph_is_refused() -> None:
    """Where there is nothing to measure, that is said."""
    whole = oracle_of("harbour")
    bare = Knowledge(config=whole.knowledge.config, lexicon=whole.knowledge.lexicon, content_hash="")
    with pytest.raises(InputError, match="no graph"):
        bench.written(Oracle(bare, whole.policy), 3)


@pytest.mark.slow
def test_the_whole_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints one line for every row, processes started and all."""
    world = CASES / "worlds" / "harbour"
    assert bench.main(["--kb", str(world), "--sentences", "5", "--starts", "1", "--sizes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    table = [line for line in lines if " x " in line]
    assert len(table) in (5, 6, 7, 8)  # one more with the parser, two with the encoders
    assert (lines[-1].startswith("beside models: install")) == (len(table) < 7)
