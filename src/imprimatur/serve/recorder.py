"""Records reports from many calls at once, in order, without holding any of them up.

Invariants: one thread writes; a call that is told that its report was recorded can rely on it; none waits for ever, nor
do reports heap up without end, where the file cannot be written; ``close`` writes all that was given before it returns.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from imprimatur.errors import LedgerError
from imprimatur.ledger import Ledger

__all__ = ["Recorder"]

#: Seconds that a call waits for its report to be recorded; the ledger itself waits ten for a lock.
WAIT_SECONDS = 20
#: Reports that wait to be written at most.
_MOST_WAITING = 10_000
_log = logging.getLogger("imprimatur.serve")


class Recorder:
    """The ledger of a gateway; nothing is recorded where it has none."""

    def __init__(self, path: Path | None) -> None:
        self._given = 0  # counted by those who give
        self._done = 0  # counted by the thread that writes
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="ledger") if path is not None else None
        self._ledger = self._pool.submit(Ledger.open, path).result() if self._pool is not None and path else None

    async def record(self, report: Mapping[str, Any], kb: str) -> None:
        """Appends a report. Raises LedgerError when it cannot be written."""
        if (call := self._submitted(report, kb)) is not None:
            try:
                async with asyncio.timeout(WAIT_SECONDS):
                    await asyncio.shield(asyncio.wrap_future(call))
            except TimeoutError as fault:
                call.add_done_callback(_told)
                raise LedgerError("the ledger takes too long") from fault

    def note(self, report: Mapping[str, Any], kb: str) -> None:
        """Appends a report that nobody waits for; a failure is logged."""
        if (call := self._submitted(report, kb)) is not None:
            call.add_done_callback(_told)

    def _submitted(self, report: Mapping[str, Any], kb: str) -> Future[int] | None:
        if self._pool is None or self._ledger is None:
            return None
        if self._given - self._done >= _MOST_WAITING:
            raise LedgerError("too many reports are waiting to be recorded")
        self._given += 1
        return self._pool.submit(self._append, self._ledger, report, kb, datetime.now(UTC))

    def _append(self, ledger: Ledger, report: Mapping[str, Any], kb: str, at: datetime) -> int:
        try:
            return ledger.append(report, kb=kb, at=at)
        finally:
            self._done += 1

    def close(self) -> None:
        """Writes what is left, and closes the file."""
        if self._pool is not None and self._ledger is not None:
            self._pool.submit(self._ledger.close).result()
            self._pool.shutdown(wait=True)


def _told(call: Future[int]) -> None:
    if (fault := call.exception()) is not None:
        _log.error("a report was not recorded: %s", fault)
