"""How long each stage works on one answer, by one clock.

A ``Stopwatch`` gives an observer its blocks. A block inside another interrupts it, so that the seconds of all stages
add up to the time that was worked; what happens between blocks, such as waiting for chunks, does not count.
"""

from __future__ import annotations

import time

from imprimatur.observer import Stage

__all__ = ["Block", "Stopwatch"]


class Block:
    """The work of one stage, in nanoseconds of ``time.perf_counter_ns``.

    Attributes:
        first: when it began first; 0 before that.
        last: when it stopped last.
        spent: how long it worked.
        runs: how often it went to work.
    """

    __slots__ = ("_open", "_since", "first", "last", "runs", "spent")

    def __init__(self, opened: list[Block]) -> None:
        self._open = opened  # the stages that are at work: the last of them works, the others are interrupted
        self._since = self.first = self.last = self.spent = self.runs = 0

    def __enter__(self) -> None:
        now = time.perf_counter_ns()
        if self._open:
            self._open[-1]._pause(now)
        self._open.append(self)
        self._since = now
        self.first = self.first or now
        self.runs += 1

    def __exit__(self, kind: object, fault: object, trace: object, /) -> None:
        now = time.perf_counter_ns()
        self._pause(now)
        self.last = now
        self._open.pop()
        if self._open:
            self._open[-1]._since = now

    @property
    def seconds(self) -> float:
        """How long it worked."""
        return self.spent / 1e9

    def _pause(self, now: int) -> None:
        self.spent += now - self._since


class Stopwatch:
    """The blocks of one answer."""

    def __init__(self) -> None:
        opened: list[Block] = []
        self._blocks = {stage: Block(opened) for stage in Stage}

    def stage(self, stage: Stage, /) -> Block:
        """The block of a stage."""
        return self._blocks[stage]

    @property
    def seconds(self) -> float:
        """How long all stages worked together."""
        return sum(block.spent for block in self._blocks.values()) / 1e9

    def worked(self) -> dict[Stage, Block]:
        """The stages that worked, in order."""
        return {stage: block for stage, block in self._blocks.items() if block.runs}
