"""One query to one address over HTTP (SPARQL 1.1 Protocol, section 2.1.2), within a time and a size.

Invariants: no proxy, no redirect (it is an error, wherever it points), no cookie, no key but the one that the settings
give for this address; every single read ends
when the time is over, however slowly the server sends, headers included; a body has at most so many bytes; what comes
with another content type than results of SPARQL as JSON, or in a compression that was not asked for, is no answer.
Nothing that a server sends is repeated in an error.
"""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlencode

from imprimatur.errors import CheckFailed, LimitExceeded, StoreUnavailable
from imprimatur.models.persist import MayPass, asked_pause
from imprimatur.sources.remote.settings import Remote

__all__ = ["Wire"]

_TYPES = ("application/sparql-results+json", "application/json")
_PART = 1 << 16
#: What may be otherwise soon: too many requests, and faults of the server or of what stands before it.
_PASSES = frozenset((408, 425, 429, 500, 502, 503, 504))


class Wire:
    """Sends queries to one endpoint; it may be used by several threads."""

    def __init__(self, remote: Remote) -> None:
        """Raises ConfigError where the address is none."""
        self._remote = remote
        self._address = remote.address()
        self.where = f"{self._address.scheme}://{self._address.netloc.rpartition('@')[2]}"

    def post(self, query: str, *, ends: float) -> bytes:
        """The body of the answer to a query.

        Args:
            query: SPARQL.
            ends: when it must be there, of ``time.monotonic``.

        Raises:
            MayPass: the server could not be reached or answers that it cannot now; wraps StoreUnavailable.
            StoreUnavailable: it refuses, or sends elsewhere.
            CheckFailed: what it sends is no result.
            LimitExceeded: it sends more than is allowed.
        """
        address = self._address
        kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        with self._faults(), closing(kind(address.hostname or "", address.port, timeout=_left(ends))) as connection:
            connection.response_class = _timed(ends)
            sent = {"query": query, **({"default-graph-uri": self._remote.graph} if self._remote.graph else {})}
            connection.request("POST", target, urlencode(sent).encode(), self._headers())
            with closing(connection.getresponse()) as answer:
                self._accept(answer)
                return self._body(answer)

    def _headers(self) -> dict[str, str]:
        return {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": _TYPES[0],
            "Accept-Encoding": "identity",
            "User-Agent": self._remote.agent,
            "Connection": "close",
            **({"Authorization": self._remote.authorization} if self._remote.authorization else {}),
        }

    def _accept(self, answer: HTTPResponse) -> None:
        """Raises where the answer's status or headers say that it is no result."""
        status = answer.status
        if status in _PASSES:
            after = asked_pause({name.lower(): value for name, value in answer.getheaders()})
            raise MayPass(StoreUnavailable(f"the endpoint answers with status {status}", where=self.where), after)
        if 300 <= status < 400:
            hint = "give the address that it sends to, if you trust it"
            raise StoreUnavailable("the endpoint sends elsewhere, which is not followed", where=self.where, hint=hint)
        if status == 206:
            raise StoreUnavailable("the endpoint says that its answer is incomplete", where=self.where)
        if status != 200:
            hint = "is this the address of a SPARQL endpoint?"
            raise StoreUnavailable(f"the endpoint answers with status {status}", where=self.where, hint=hint)
        kind = (answer.getheader("Content-Type") or "").partition(";")[0].strip().lower()
        if kind not in _TYPES:
            raise CheckFailed("the endpoint's answer is no result of SPARQL as JSON", where=self.where)
        if answer.getheader("X-SQL-State"):  # Virtuoso, where it stopped a query and gives what it had found
            raise StoreUnavailable("the endpoint says that its answer is incomplete", where=self.where)
        if (answer.getheader("Content-Encoding") or "identity").strip().lower() != "identity":
            raise CheckFailed("the endpoint's answer is compressed, which was not asked for", where=self.where)

    def _body(self, answer: HTTPResponse) -> bytes:
        most = self._remote.limits.most_bytes
        parts: list[bytes] = []
        size = 0
        while part := answer.read(_PART):
            size += len(part)
            if size > most:
                raise LimitExceeded(f"the endpoint's answer has more than {most} bytes", where=self.where)
            parts.append(part)
        if answer.length:  # http.client says nothing of a body that ends before its length, when it is read in parts
            raise MayPass(StoreUnavailable("the endpoint's answer ends before its end", where=self.where))
        return b"".join(parts)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """What goes wrong on the way, as what may pass."""
        try:
            yield
        except (OSError, HTTPException, ValueError) as fault:
            told = "did not answer in time" if isinstance(fault, TimeoutError) else "cannot be reached"
            message = f"the endpoint {told} ({type(fault).__name__})"
            raise MayPass(StoreUnavailable(message, where=self.where)) from None


def _left(ends: float) -> float:
    """The seconds that are left. Raises TimeoutError when there are none."""
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time is over")
    return left


class _Timed(io.RawIOBase):
    """What comes from a socket, until a time."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, ends: float) -> None:
        super().__init__()
        self._raw, self._sock, self._ends = raw, sock, ends

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """As a socket reads. Raises TimeoutError when the time is over."""
        self._sock.settimeout(_left(self._ends))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        """Closes what is read."""
        self._raw.close()
        super().close()


def _timed(ends: float) -> type[HTTPResponse]:
    """A response each of whose reads ends at a time."""

    class Response(HTTPResponse):
        def __init__(self, sock: socket.socket, *given: Any, **more: Any) -> None:
            super().__init__(sock, *given, **more)
            self.fp.close()
            # Without a buffer of its own, the raw stream says how long each read may take.
            raw = sock.makefile("rb", buffering=0)
            self.fp = io.BufferedReader(_Timed(raw, sock, ends))

    return Response
