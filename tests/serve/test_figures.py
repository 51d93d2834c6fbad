"""The watch over the share of answers that are withheld: it warns once whenever the share leaves its bounds."""

from __future__ import annotations

import logging
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("prometheus_client", reason="the extra `serve` is not installed")

from imprimatur.observer import Stage
from imprimatur.serve.figures import Figures
from imprimatur.serve.settings import Bounds
from imprimatur.serve.timing import Timing
from imprimatur.stopwatch import Stopwatch

_BOUNDS = Bounds(low=Fraction(1, 10), high=Fraction(6, 10), window=10)


def _judge(figures: Figures, decisions: str) -> None:
    """Counts answers: ``a`` for one that was withheld, ``l`` for one that was licensed."""
    for each in decisions:
        report: dict[str, Any] = {
            "decision": "abstained" if each == "a" else "licensed",
            "accounting": {},
            "segments": [],
        }
        figures.judged(report, kb="a", mode="hold")


@pytest.mark.parametrize(
    ("decisions", "warnings"),
    [
        ("lllllllll", []),  # the window is not full
        ("llllllllll", ["too loose"]),
        ("llllllllllllll", ["too loose"]),  # once, however long it lasts
        ("aaaaaaaaaa", ["regressed"]),
        ("aaaaaallll", []),  # on the bound
        ("allllllllll", ["too loose"]),
        ("llllllllllallllllllll", ["too loose", "too loose"]),  # it came back, and left again
        ("llllllllllaaaaaaaaa", ["too loose", "regressed"]),
    ],
)
def test_the_watch(decisions: str, warnings: list[str], caplog: pytest.LogCaptureFixture) -> None:
    """Below the bounds the gate may be too loose, above them the index may have regressed; within them all is well."""
    with caplog.at_level(logging.WARNING, "imprimatur.serve"):
        figures = Figures(_BOUNDS)
        _judge(figures, decisions)
    found = [record.getMessage() for record in caplog.records]
    assert len(found) == len(warnings)
    assert all(part in message for part, message in zip(warnings, found))
    share = decisions[-10:].count("a") / len(decisions[-10:])
    assert f"imprimatur_abstention_share {share}" in figures.text().decode()


def test_a_watch_without_bounds_is_silent(caplog: pytest.LogCaptureFixture) -> None:
    """Where the operator gives no bounds nothing is warned of."""
    with caplog.at_level(logging.WARNING, "imprimatur.serve"):
        _judge(Figures(Bounds(window=10)), "l" * 10 + "a" * 10)
    assert not caplog.records


def test_the_time_of_an_answer_counts_once() -> None:
    """What was measured of an answer is given on once, also where the check fails."""
    found: list[Stopwatch] = []
    timing = Timing(found.append)
    with timing.stage(Stage.EXTRACT):
        pass
    timing.failed(KeyError())
    timing.failed(KeyError())
    assert [list(watch.worked()) for watch in found] == [[Stage.EXTRACT]]
