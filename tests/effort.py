"""Bounded work: growth that noise cannot fake, and a guard against hanging."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

__all__ = ["ends", "grows_linearly"]

#: For tests of input that must not hang: what is not linear takes hours on it, not this many seconds on a busy machine.
ends = pytest.mark.timeout(600)


def grows_linearly(run: Callable[[int], object], size: int) -> bool:
    """Whether four times the input takes about four times the CPU time, not sixteen; there are five tries."""
    return any(_seconds(run, 4 * size) < 12 * _seconds(run, size) + 0.2 for _ in range(5))


def _seconds(run: Callable[[int], object], size: int) -> float:
    begun = time.process_time()
    run(size)
    return time.process_time() - begun
