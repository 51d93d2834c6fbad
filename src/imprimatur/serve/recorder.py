"""Records reports from many calls at once, in order, without holding any of them up.

Invariants: one thread writes; a call that is told that its report was recorded can rely on it; ``close`` writes all
that was given before it returns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from imprimatur.ledger import Ledger

__all__ = ["Recorder"]


class Recorder:
    """The ledger of a gateway; nothing is recorded where it has none."""

    def __init__(self, path: Path | None) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="ledger") if path is not None else None
        self._ledger = self._pool.submit(Ledger.open, path).result() if self._pool is not None and path else None

    async def record(self, report: Mapping[str, Any], kb: str) -> None:
        """Appends a report. Raises LedgerError when it cannot be written."""
        if self._pool is not None and self._ledger is not None:
            at = datetime.now(UTC)
            call = self._pool.submit(self._ledger.append, report, kb=kb, at=at)
            await asyncio.shield(asyncio.wrap_future(call))

    def close(self) -> None:
        """Writes what is left, and closes the file."""
        if self._pool is not None and self._ledger is not None:
            self._pool.submit(self._ledger.close).result()
            self._pool.shutdown(wait=True)
