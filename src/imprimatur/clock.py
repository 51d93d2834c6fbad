"""The time of a check, of which only what is spent on it counts; and whether anybody still waits for what is done.

Who works for somebody that may go away (a caller of the gateway) does so within ``attended``; what takes long (asking a
model, answering from a graph) looks at ``given_up`` now and then, and ends as if its time were over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["Clock", "attended", "given_up", "is_attended"]

_gone: ContextVar[Callable[[], bool] | None] = ContextVar("gone", default=None)


@contextmanager
def attended(gone: Callable[[], bool]) -> Iterator[None]:
    """What this thread does in the block is done for somebody; ``gone`` says whether they went away."""
    token = _gone.set(gone)
    try:
        yield
    finally:
        _gone.reset(token)


def is_attended() -> bool:
    """Whether what is done here is done for somebody who may go away."""
    return _gone.get() is not None


def given_up() -> bool:
    """Whether those for whom this is done have gone away."""
    gone = _gone.get()
    return gone is not None and gone()


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
