"""Exchanges kept in a file, and a script that answers from it.

The file has one JSON object a line: ``{path, request, status, content_type, body}``, where ``request`` is the body of
the request and ``body`` the text of the reply. No header of a request is kept, so no key is. A request is answered by
the exchange that has the same path and body; where there are several, in turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.testing.replies import Raw, Reply
from imprimatur.testing.script import Request, Step, When

__all__ = ["Exchange", "recorded", "save"]

_SHAPE = '{"path": "/v1/chat/completions", "request": {…}, "status": 200, "content_type": "…", "body": "…"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request and what was sent for it: everything that was meant to be sent, where the connection was cut."""

    request: Request
    status: int
    content_type: str
    body: bytes


def save(exchanges: Iterable[Exchange], path: Path) -> None:
    """Writes exchanges to a file."""
    rows = (
        {
            "path": each.request.path,
            "request": each.request.body,
            "status": each.status,
            "content_type": each.content_type,
            "body": each.body.decode("utf-8", "replace"),
        }
        for each in exchanges
    )
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def recorded(path: Path) -> tuple[When, ...]:
    """The rules that answer as a file says.

    Raises:
        InputError: the file cannot be read as one of exchanges; its line is named.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as fault:
        raise InputError(f"cannot be read: {fault}", where=str(path)) from fault
    replies: dict[str, list[Step]] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            key, reply = _read(line, f"{path}:{number}")
            replies.setdefault(key, []).append(reply)
    return tuple(When(_same(key), tuple(steps)) for key, steps in replies.items())


def _read(line: str, where: str) -> tuple[str, Reply]:
    try:
        row = json.loads(line)
        content = Raw(body=row["body"].encode(), status=int(row["status"]), content_type=str(row["content_type"]))
        return _key(row["path"], row["request"]), Reply(content=content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise InputError(f"no exchange: {fault}", where=where, hint=f"a line looks like {_SHAPE}") from fault


def _same(key: str) -> Any:
    return lambda request: _key(request.path, request.body) == key


def _key(path: str, body: object) -> str:
    return json.dumps([path, body], sort_keys=True, ensure_ascii=False)
