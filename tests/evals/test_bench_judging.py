"""The measurement of speed against passages: what is timed, and that a table is printed."""

from __future__ import annotations

import pytest

from imprimatur.evals.bench_judging import Timed, cases, main


def test_each_sentence_comes_with_five_passages() -> None:
    """No more than asked for, and the passages are those of the facts around it."""
    some = list(cases(7))
    assert len(some) == 7
    assert all(len(case.passages) == 5 for case in some)
    assert len({case.sentence for case in some}) == 7


def test_times_are_summed_up() -> None:
    """Rate, median and p99 of known times."""
    found = Timed((0.01,) * 99 + (0.11,))
    assert found.rate == pytest.approx(100 / 1.1)
    assert found.median == 0.01
    assert 0.01 < found.p99 <= 0.11


def test_a_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Both ways of judging, with their figures."""
    assert main(["--sentences", "3"]) == 0
    told = capsys.readouterr().out
    assert "whole check" in told
    assert "judging alone" in told
