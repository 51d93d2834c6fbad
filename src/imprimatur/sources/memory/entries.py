"""Memory entries as a person writes them, and their revisions.

An entry is ``{id, text, metadata?, valid_from?, valid_to?, trust?}``. A revision is an entry as it was from a moment
on, or the entry's end. Everything from outside is checked here: what is wrong is said with the place and how to mend
it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from imprimatur.config import TRUST_CLASSES
from imprimatur.errors import InputError

__all__ = ["MAX_TEXT", "Entry", "Revision", "entry_of", "entry_to_dict", "moment_of"]

#: Longer entries are documents: they belong among the passages.
MAX_TEXT = 20_000
_MAX_ID = 200
_KEYS = frozenset({"id", "text", "metadata", "valid_from", "valid_to", "trust"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One memory entry.

    Attributes:
        id: what a citation names: 1 to 200 printable characters without blanks and square brackets.
        text: the fact, 1 to 20,000 characters.
        metadata: what else is kept with it, JSON-ready; it is no evidence.
        valid_from, valid_to: the first and the last day on which it holds; None when open.
        trust: ``curated``, ``derived`` or ``model``.
    """

    id: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    valid_from: date | None = None
    valid_to: date | None = None
    trust: str = TRUST_CLASSES[0]

    def holds_on(self, day: date) -> bool:
        """Whether it holds on a day."""
        return (self.valid_from is None or self.valid_from <= day) and (self.valid_to is None or day <= self.valid_to)


@dataclass(frozen=True, slots=True)
class Revision:
    """An entry as it was written at a moment (UTC); None for its deletion. ``id`` is the entry's."""

    id: str
    at: datetime | None
    entry: Entry | None


def entry_of(values: object, *, where: str) -> Entry:
    """The entry that JSON values describe.

    Raises:
        InputError: a key is missing, unknown or of the wrong type, or a value is not allowed.
    """
    if not isinstance(values, Mapping):
        raise InputError("an entry must be a JSON object", where=where, hint='write {"id": "…", "text": "…"}')
    unknown = sorted(str(key) for key in values if key not in _KEYS)
    if unknown:
        raise InputError(
            f"unknown key {unknown[0][:60]!r}", where=where, hint=f"an entry has {', '.join(sorted(_KEYS))}"
        )
    first, last = (_day(values, key, where) for key in ("valid_from", "valid_to"))
    if first is not None and last is not None and first > last:
        raise InputError("valid_from is after valid_to", where=where)
    return Entry(
        id=_id(values.get("id"), where),
        text=_text(values.get("text"), where),
        metadata=_metadata(values.get("metadata"), where),
        valid_from=first,
        valid_to=last,
        trust=_trust(values.get("trust", TRUST_CLASSES[0]), where),
    )


def entry_to_dict(entry: Entry) -> dict[str, Any]:
    """The entry as JSON-ready values; what is not set is left out."""
    found: dict[str, Any] = {"id": entry.id, "text": entry.text}
    if entry.metadata:
        found["metadata"] = dict(entry.metadata)
    for key, day in (("valid_from", entry.valid_from), ("valid_to", entry.valid_to)):
        if day is not None:
            found[key] = day.isoformat()
    if entry.trust != TRUST_CLASSES[0]:
        found["trust"] = entry.trust
    return found


def moment_of(value: object, *, where: str) -> datetime:
    """A time with its zone, in UTC. Raises InputError."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise InputError("`at` is no time with a zone", where=where, hint="write 2026-01-31T12:00:00+00:00")
    return found.astimezone(UTC)


def _id(value: object, where: str) -> str:
    found = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(found, str) or not found:
        raise InputError("an entry needs an `id`", where=where)
    if len(found) > _MAX_ID or not found.isprintable() or any(c.isspace() or c in "[]" for c in found):
        hint = f"use up to {_MAX_ID} printable characters without blanks and square brackets"
        raise InputError(f"the id {found[:60]!r} cannot be cited", where=where, hint=hint)
    return found


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError("an entry needs a `text`", where=where)
    if len(value) > MAX_TEXT:
        raise InputError(
            f"the text has {len(value):,} characters", where=where, hint=f"at most {MAX_TEXT:,}: split it into facts"
        )
    return value


def _metadata(value: object, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError("`metadata` must be a JSON object", where=where)
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as fault:
        raise InputError(f"`metadata` cannot be kept: {str(fault)[:100]}", where=where) from fault
    return dict(value)


def _day(values: Mapping[str, Any], key: str, where: str) -> date | None:
    value = values.get(key)
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise InputError(f"`{key}` is no day", where=where, hint="write 2026-01-31") from None


def _trust(value: object, where: str) -> str:
    if value not in TRUST_CLASSES:
        raise InputError(
            f"unknown trust class {str(value)[:60]!r}", where=where, hint=f"use one of {', '.join(TRUST_CLASSES)}"
        )
    return str(value)
