"""Processes that are killed before any change that they make, for what has to go on or be made anew after it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from imprimatur.errors import ImprimaturError

__all__ = ["bytes_of", "forked", "killed_before", "needs_fork"]

_CHANGES = frozenset(("os.rename", "os.remove", "os.rmdir", "os.mkdir"))

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def forked(work: Callable[[], object]) -> int:
    """The status of a process of its own that works: 0, 1 for an error with a message, -9 where it was killed."""
    child = os.fork()
    if child == 0:
        status = 70
        try:
            work()
            status = 0
        except ImprimaturError:
            status = 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_before(change: int, target: Path) -> Callable[[str, tuple[object, ...]], None]:
    """A hook that kills the process before its nth change to anything below the target."""
    seen = 0

    def hook(event: str, given: tuple[object, ...]) -> None:
        nonlocal seen
        if event == "open":
            changes = isinstance(given[1], str) and any(sign in given[1] for sign in "wax+")
        else:
            changes = event in _CHANGES
        if changes and str(given[0]).startswith(str(target)):
            seen += 1
            if seen == change:
                os.kill(os.getpid(), signal.SIGKILL)

    return hook
