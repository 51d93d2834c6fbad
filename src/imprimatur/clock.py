"""The time of a check: only the time that is spent on it counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Clock"]


class Clock:
    """The time that one check may take, in seconds; while the answer is waited for, it stands still.

    Args:
        seconds: the time for the check itself.
        extra: what its extractor and its trained judges are given beside.
    """

    def __init__(self, seconds: float, *, extra: float = 0, running: bool = True) -> None:
        self.seconds = seconds
        self._extra = extra
        self._spent = 0.0
        self._since = time.monotonic() if running else None

    @property
    def spent(self) -> float:
        """The seconds that were used."""
        return self._spent + (time.monotonic() - self._since if self._since is not None else 0)

    @property
    def left(self) -> float:
        """The seconds that are left; negative when it is over."""
        return self.seconds + self._extra - self.spent

    def end(self) -> None:
        """The time is up."""
        self.seconds = self._extra = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """The time in this block counts."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._spent, self._since = self.spent, None
