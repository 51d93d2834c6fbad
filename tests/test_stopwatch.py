"""The stopwatch: a block that interrupts another takes its time from it, and what is between blocks does not count."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from imprimatur.observer import Stage
from imprimatur.stopwatch import Stopwatch


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time that the clock says, in seconds."""
    now = [1]
    monkeypatch.setattr(time, "perf_counter_ns", lambda: now[0] * 10**9)
    return now


def test_interruptions(clock: list[int]) -> None:
    """A stage inside another, and inside one of its own name, interrupts it."""
    watch = Stopwatch()
    with watch.stage(Stage.DECIDE):
        clock[0] += 1
        with watch.stage(Stage.EXTRACT):
            clock[0] += 10
            with watch.stage(Stage.DECIDE):
                clock[0] += 100
        clock[0] += 1000
    clock[0] += 5000
    with watch.stage(Stage.EXTRACT):
        clock[0] += 20
    worked = watch.worked()
    assert {stage: (block.seconds, block.runs) for stage, block in worked.items()} == {
        Stage.EXTRACT: (30, 2),
        Stage.DECIDE: (1101, 2),
    }
    assert watch.seconds == 1131
    assert (worked[Stage.EXTRACT].first, worked[Stage.EXTRACT].last) == (2 * 10**9, 6132 * 10**9)


def test_a_block_that_ends_in_an_error(clock: list[int]) -> None:
    """An error leaves the blocks that it passes, with their time."""
    watch = Stopwatch()
    with suppress(KeyError), watch.stage(Stage.DECIDE), watch.stage(Stage.JUDGE):
        clock[0] += 3
        raise KeyError
    with watch.stage(Stage.SETTLE):
        clock[0] += 1
    assert [block.seconds for block in watch.worked().values()] == [3, 1, 0]
