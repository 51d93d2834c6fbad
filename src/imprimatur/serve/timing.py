"""The observer of a gateway's answer for its own figures: how long the stages worked, whatever else is told."""

from __future__ import annotations

from collections.abc import Callable

from imprimatur.observer import Stage, Working
from imprimatur.report import Report
from imprimatur.stopwatch import Stopwatch

__all__ = ["Timing"]


class Timing:
    """Measures one answer, and gives the measurements on when it has ended."""

    def __init__(self, measured: Callable[[Stopwatch], None]) -> None:
        self._measured = measured
        self._watch = Stopwatch()
        self._over = False

    def stage(self, stage: Stage, /) -> Working:
        """A block whose time is measured."""
        return self._watch.stage(stage)

    def ended(self, report: Report, /) -> None:
        """Gives the measurements on."""
        self._end()

    def failed(self, fault: BaseException, /) -> None:
        """Gives the measurements on."""
        self._end()

    def _end(self) -> None:
        if not self._over:
            self._over = True
            self._measured(self._watch)
