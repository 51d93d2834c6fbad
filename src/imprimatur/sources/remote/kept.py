"""Answers of endpoints, kept in a folder by address and query.

Each is a file: a line of JSON with the address, the query and the hash of the body, and behind it the body. Invariants:
a file is put in place whole or not at all; one that is damaged, or that answers something else, is as if it were not
there. Nothing is ever thrown out: whoever wants fresh answers names another folder, or empties this one.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from imprimatur.errors import ConfigError

__all__ = ["Kept"]


class Kept:
    """A folder of answers; several processes may share it."""

    def __init__(self, folder: Path, url: str) -> None:
        """Makes the folder. Raises ConfigError where it cannot be."""
        self._folder, self._url = folder, url
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise ConfigError(f"the folder for answers cannot be made: {fault.strerror}", where=str(folder)) from fault

    def get(self, query: str) -> bytes | None:
        """The kept answer to a query."""
        try:
            head, found, body = self._place(query).read_bytes().partition(b"\n")
            told = json.loads(head) if found else None
        except (OSError, ValueError, RecursionError):
            return None
        return body if told == self._head(query, body) else None

    def put(self, query: str, body: bytes) -> None:
        """Keeps an answer. Raises ConfigError where the folder cannot be written."""
        place = self._place(query)
        beside = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
        try:
            beside.write_bytes(json.dumps(self._head(query, body)).encode() + b"\n" + body)
            os.replace(beside, place)
        except OSError as fault:
            with suppress(OSError):
                beside.unlink()
            raise ConfigError(f"an answer cannot be kept: {fault.strerror}", where=str(self._folder)) from fault

    def _head(self, query: str, body: bytes) -> dict[str, str]:
        return {"url": self._url, "query": query, "sha256": sha256(body).hexdigest()}

    def _place(self, query: str) -> Path:
        return self._folder / sha256(f"{self._url}\0{query}".encode()).hexdigest()
