"""Asks again what may pass: within a time, with pauses that grow or that the server asks for."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

from imprimatur.clock import given_up
from imprimatur.errors import ImprimaturError, LimitExceeded

__all__ = ["MayPass", "asked_pause", "persist"]

_PAUSE = 0.5
_LOOK_SECONDS = 0.2
_Got = TypeVar("_Got")


class MayPass(Exception):
    """A failure that may pass: the error where no try is left, and the pause that the server asks for, in seconds."""

    def __init__(self, fault: ImprimaturError, after: float | None = None) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.after = after


def persist(ask: Callable[[], _Got], *, tries: int, ends: float) -> _Got:
    """What ``ask`` gives, asked at most so many times.

    Raises:
        ImprimaturError: what the last try failed with. LimitExceeded: there was no time to ask again.
    """
    for tried in range(1, tries + 1):
        try:
            return ask()
        except MayPass as passing:
            fault, after = passing.fault, passing.after
        if tried == tries:
            # Outside of the handler, so that nothing of the client's own error hangs on to it.
            raise fault
        pause = _PAUSE * 2 ** (tried - 1) if after is None else after
        if time.monotonic() + pause >= ends:
            message = f"{fault.message}, and there was no time to ask again"
            raise LimitExceeded(message, where=fault.where, hint="ask later, or raise `limits.seconds`")
        _pause(pause)
    raise AssertionError("a model is asked at least once")


def _pause(seconds: float) -> None:
    """Waits. Raises LimitExceeded when nobody waits for what comes after it any more (``clock.attended``)."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if given_up():
            raise LimitExceeded("nobody waits for the answer any more")
        time.sleep(min(left, _LOOK_SECONDS))


def asked_pause(headers: Mapping[str, str]) -> float | None:
    """The seconds that ``Retry-After`` asks for (a number, or a date), or ``retry-after-ms``; None without them."""
    try:
        told = headers.get("retry-after-ms")
        value = float(told) / 1000 if told else _seconds(headers.get("retry-after") or "")
    except (ValueError, TypeError, OverflowError):
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _seconds(told: str) -> float:
    try:
        return float(told)
    except ValueError:
        date = email.utils.parsedate_to_datetime(told)
        return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
