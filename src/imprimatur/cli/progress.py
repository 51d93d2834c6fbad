"""A progress bar on stderr, where that is a terminal; nothing at all elsewhere, and then nothing is imported for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import rich.progress

__all__ = ["Progress"]

T = TypeVar("T")


class Progress:
    """A bar for one piece of work, a context manager; ``total`` is in the units that ``over`` counts, or None."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title = title
        self._total = total
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress as Bar

            # Without a refreshing thread: worker processes may be forked while the bar stands.
            self._bar = Bar(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._title, total=self._total)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def expect(self, total: int) -> None:
        """Says how much work there is, where that is known only after the start."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, total=total)

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
