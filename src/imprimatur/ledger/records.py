"""What the ledger keeps: canonical JSON, tagged hashes, and the record that carries both.

Invariants: canonical JSON has sorted keys, no white space between tokens, no floats, and UTF-8 with lone surrogates as
escapes; a record's hash is ``sha256:`` over the canonical JSON of its time, its knowledge base, the hash of the record
before it, and the hash of its report, so that changing, removing or swapping any record breaks every later one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from imprimatur.errors import LedgerError
from imprimatur.report_json import dumps

__all__ = ["GENESIS", "Record", "Verification", "canonical", "seal", "timestamp"]

#: Stands for "the record before the first".
GENESIS = "sha256:" + "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One entry: ``body`` is the report in canonical JSON, ``at`` the time of the check in UTC (ISO 8601)."""

    id: int
    at: str
    kb: str
    decision: str
    summary: str
    previous: str
    hash: str
    body: str

    def report(self) -> dict[str, Any]:
        """The report, in the shape of its ``schema_version``."""
        loaded: dict[str, Any] = json.loads(self.body)
        return loaded

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON-ready values, the report unfolded."""
        keys = ("id", "at", "kb", "previous", "hash")
        return {**{key: getattr(self, key) for key in keys}, "report": self.report()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What ``Ledger.verify`` found. ``head`` is the last hash: kept elsewhere, it shows a cut-off end."""

    count: int
    head: str
    faults: tuple[str, ...]


def canonical(value: Mapping[str, Any]) -> str:
    """``value`` as canonical JSON. Raises LedgerError for a float or anything that is not JSON."""
    _refuse_floats(value)
    try:
        return dumps(value, sort_keys=True)
    except (TypeError, ValueError) as fault:
        raise LedgerError(f"a report that is not JSON cannot be recorded: {fault}") from fault


def _refuse_floats(value: object) -> None:
    if isinstance(value, float):
        raise LedgerError(
            "a report with a binary float in it cannot be recorded", hint="write numbers as exact strings"
        )
    if isinstance(value, Mapping):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)


def _digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode('utf-8')).hexdigest()}"


def seal(*, at: str, kb: str, previous: str, body: str) -> str:
    """The hash of a record."""
    return _digest(canonical({"at": at, "kb": kb, "previous": previous, "report": _digest(body)}))


def timestamp(at: datetime) -> str:
    """The time in UTC, to the microsecond. Raises LedgerError for a time without zone."""
    if at.tzinfo is None:
        raise LedgerError("a time without a zone cannot be recorded", hint="pass datetime.now(UTC)")
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
