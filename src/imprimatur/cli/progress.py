"""A progress bar on stderr, where that is a terminal; nothing at all elsewhere, and then nothing is imported for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import rich.progress

__all__ = ["Progress"]

T = TypeVar("T")


class Progress:
    """A bar for one piece of work, a context manager; ``total`` is in the units that ``over`` counts, or None.

    Args:
        unit: what is counted; then the bar also says how many are done, how many a second, and how long is left.
    """

    def __init__(self, title: str, total: int | None, unit: str = "") -> None:
        self._title = title
        self._total = total
        self._unit = unit
        self._done = 0
        self._skipped = 0
        self._start = 0.0
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            counts = (
                (MofNCompleteColumn(), TextColumn("{task.fields[rate]}")) if self._unit else (TaskProgressColumn(),)
            )
            columns = (TextColumn("{task.description}"), BarColumn(), *counts, TimeRemainingColumn())
            # Without a refreshing thread: worker processes may be forked while the bar stands.
            self._bar = Bar(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._title, total=self._total, rate="")
            self._start = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def skip(self, count: int) -> None:
        """Says that so many were there before: they are done, and say nothing of how fast it goes."""
        self._skipped += count
        if count:
            self._advance(count)

    def count(self) -> None:
        """Says that one more is done."""
        self._done += 1
        self._advance(1)

    def _advance(self, count: int) -> None:
        if self._bar is None or self._task is None:
            return
        spent = time.monotonic() - self._start
        rate = f"{self._done / spent:.1f} {self._unit}/s" if spent > 0 and self._done else ""
        kept = f", {self._skipped} kept" if self._skipped else ""
        self._bar.update(self._task, advance=count, rate=rate + kept, refresh=self._done % 10 == 0)

    def step(self, what: str) -> None:
        """Says what is being worked on now."""
        if self._bar is not None and self._task is not None:
            shown = f"{self._title} {what}"[:60].replace("[", "\\[")
            self._bar.update(self._task, advance=1, description=shown, refresh=True)

    def over(self, items: Iterable[T], size: Callable[[T], int]) -> Iterator[T]:
        """The items, each counted as ``size`` units once it is taken."""
        for number, item in enumerate(items):
            yield item
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, advance=size(item), refresh=number % 20 == 0)
