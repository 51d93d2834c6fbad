"""One question to a model server that speaks OpenAI's chat interface, over the standard library alone.

Invariants: it goes to the address that is configured and nowhere else (no proxy of the environment, no redirect); the
key is in one header and in no message, whatever the server answers, for nothing that the server says of an error is
repeated; an answer is at most 1 MB; what takes longer than it may is given up; 408, 409, 429 and 5xx are tried again
while there is time, after the pause that the server asks for.
"""

from __future__ import annotations

import http.client
import json
import math
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from imprimatur.errors import CheckFailed, LimitExceeded, StoreUnavailable

__all__ = ["Server"]

_MOST = 1 << 20
_AGAIN = (408, 409, 429, *range(500, 600))
_PAUSE = 0.5
_PATH = "/chat/completions"
_FINISHES = ("length", "content_filter", "tool_calls", "function_call")


@dataclass(frozen=True, slots=True)
class _Got:
    status: int
    after: float | None
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A model server. ``url`` is what clients call the base URL; ``tries`` is how often one question is put."""

    url: str
    key: str | None = field(default=None, repr=False)
    tries: int = 3

    def ask(self, question: Mapping[str, Any], *, seconds: float) -> Mapping[str, Any]:
        """The message that the model answers with.

        Raises:
            LimitExceeded: the time is over. StoreUnavailable: the server cannot be reached.
            CheckFailed: it answers with an error, or with something that is no completion.
        """
        ends = time.monotonic() + seconds
        data = json.dumps(question).encode()
        for left in range(self.tries - 1, -1, -1):
            try:
                got = self._post(data, ends)
            except (OSError, http.client.HTTPException) as fault:
                if isinstance(fault, TimeoutError) or time.monotonic() >= ends:
                    raise LimitExceeded("was late") from None
                if not left:
                    raise StoreUnavailable(f"cannot be reached: {type(fault).__name__}") from None
                got = _Got(503, None, b"")
            if got.status == 200:
                return _message(got.body)
            if got.status not in _AGAIN or not left:
                raise CheckFailed(f"answered with status {got.status}")
            _wait(got, ends, self.tries - left)
        raise AssertionError("a server is asked at least once")

    def _post(self, data: bytes, ends: float) -> _Got:
        parts = urlsplit(self.url)
        host, limit = parts.hostname or "", _left(ends)
        connection = (
            http.client.HTTPSConnection(host, parts.port, timeout=limit, context=ssl.create_default_context())
            if parts.scheme == "https"
            else http.client.HTTPConnection(host, parts.port, timeout=limit)
        )
        watch = None
        try:
            connection.connect()
            watch = threading.Timer(_left(ends), _end, (connection.sock,))
            watch.daemon = True
            watch.start()
            connection.request("POST", parts.path + _PATH, data, self._headers())
            return _read(connection.getresponse(), ends)
        finally:
            if watch is not None:
                watch.cancel()
            connection.close()

    def _headers(self) -> dict[str, str]:
        said = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "imprimatur"}
        return {**said, "Authorization": f"Bearer {self.key}"} if self.key else said


def _left(ends: float) -> float:
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _end(sock: socket.socket) -> None:
    """Ends a connection whose time is over, however slowly the server goes on to send."""
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _read(found: http.client.HTTPResponse, ends: float) -> _Got:
    """The response. Raises TimeoutError where it did not come to its end in time."""
    body = found.read(_MOST + 1)
    if len(body) > _MOST:
        raise CheckFailed("answered with more than a megabyte")
    _left(ends)
    if found.length:
        raise http.client.IncompleteRead(b"")
    return _Got(found.status, _after(found.getheader("Retry-After")), body)


def _after(told: str | None) -> float | None:
    """The seconds of a Retry-After header; a date in it is not read."""
    try:
        value = float(told) if told else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _wait(got: _Got, ends: float, tried: int) -> None:
    """Waits before the next try. Raises LimitExceeded when there is no time for that."""
    pause = _PAUSE * 2 ** (tried - 1) if got.after is None else got.after
    if time.monotonic() + pause >= ends:
        raise LimitExceeded(f"answered with status {got.status}, and there was no time to ask again")
    time.sleep(pause)


def _message(body: bytes) -> Mapping[str, Any]:
    """The message of a completion that came to its end."""
    try:
        choice = json.loads(body)["choices"][0]
        message, finish = choice["message"], choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise CheckFailed("answered with something that is no completion") from None
    if not isinstance(message, dict):
        raise CheckFailed("answered with something that is no completion")
    if finish not in ("stop", None):
        why = finish if finish in _FINISHES else "it does not say why"
        raise CheckFailed(f"stopped before the end: {why}")
    return message
