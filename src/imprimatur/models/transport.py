"""Carries the requests of the ``openai`` client: to one address, within a time and a size, with the key kept apart.

Invariants: no proxy of the environment and no redirect; of the headers that the client makes only those that a
model's server needs are sent, so that nothing of the environment (another server's key, an organisation, further
headers) travels along; the key is put in at the last moment, and what a server repeats of it is masked before
anything else sees it; every single read and write ends when the time is over, however slowly the server goes on to
send, and a read when nobody waits for it any more (``clock.attended``); a body is at most so many bytes long.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore2
import httpx2

from imprimatur.clock import given_up, is_attended
from imprimatur.errors import ModelFailed
from imprimatur.models.mask import SHORTEST, Mask, masked

__all__ = ["Transport", "client", "within"]

_SENT = (b"host", b"content-type", b"content-length", b"accept", b"connection", b"transfer-encoding")
_AGENT = (b"User-Agent", b"imprimatur")
#: How often a read looks whether anybody still waits for it.
_LOOK_SECONDS = 0.2
#: When the call under way must be over (of ``time.monotonic``), and how many bytes its answer may have.
_bounds: ContextVar[tuple[float, int]] = ContextVar("bounds")


@contextmanager
def within(ends: float, most: int) -> Iterator[None]:
    """What is sent and read in the block ends at a time; an answer that begins in it has at most so many bytes."""
    token = _bounds.set((ends, most))
    try:
        yield
    finally:
        _bounds.reset(token)


class Transport(httpx2.BaseTransport):
    """The transport of one client, for one address."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=ssl.create_default_context(), network_backend=_Backend(self._key), keepalive_expiry=30
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response. Raises ``httpx2.TimeoutException`` when the time is over, else ``httpx2.TransportError``."""
        url = request.url
        sent = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=self._headers(request),
            content=request.stream,
        )
        with _translated():
            got = self._pool.handle_request(sent)
        most = _bounds.get()[1]
        return httpx2.Response(got.status, headers=got.headers, stream=_Body(got, most, self._key))

    def close(self) -> None:
        """Closes all connections."""
        self._pool.close()

    def _headers(self, request: httpx2.Request) -> list[tuple[bytes, bytes]]:
        said = [(name, value) for name, value in request.headers.raw if name.lower() in _SENT]
        key = [(b"Authorization", b"Bearer " + self._key)] if self._key else []
        return [*said, _AGENT, (b"Accept-Encoding", b"identity"), *key]


class _Body(httpx2.SyncByteStream):
    """The body of a response, of at most so many bytes."""

    def __init__(self, response: httpcore2.Response, most: int, key: bytes) -> None:
        self._response = response
        self._most = most
        self._mask = Mask(key)

    def __iter__(self) -> Iterator[bytes]:
        passed = 0
        with _translated():
            for part in self._response.iter_stream():
                passed += len(part)
                if passed > self._most:
                    raise ModelFailed("answered with more than " + _size(self._most))
                yield self._mask.feed(part)
        yield self._mask.rest()

    def close(self) -> None:
        self._response.close()


class _Backend(httpcore2.NetworkBackend):
    """Opens connections whose every step minds the time."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(self, host: str, port: int, *given: Any, **more: Any) -> httpcore2.NetworkStream:
        options = more.get("socket_options") or ()
        stream = self._plain.connect_tcp(host, port, timeout=_left(), socket_options=options)
        return _Wire(stream, self._key)

    def sleep(self, seconds: float) -> None:
        self._plain.sleep(min(seconds, _left()))


class _Wire(httpcore2.NetworkStream):
    """A connection that minds the time, and masks the key in what it reads."""

    def __init__(self, stream: httpcore2.NetworkStream, key: bytes) -> None:
        self._stream = stream
        self._key = key
        self._tail = b""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._masked(self._read(max_bytes, time.monotonic() + _left(timeout)))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Wire(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)), self._key)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _read(self, max_bytes: int, ends: float) -> bytes:
        """What comes until then. Whoever waits for it may go away meanwhile: then it is given up."""
        while True:
            left = max(0.0, ends - time.monotonic())
            try:
                return self._stream.read(max_bytes, min(left, _LOOK_SECONDS) if is_attended() else left)
            except httpcore2.ReadTimeout:
                if given_up() or time.monotonic() >= ends:
                    raise

    def _masked(self, data: bytes) -> bytes:
        """The bytes with as many stars in the key's place. One that comes in two parts ends the call.

        Nothing can be held back here, where the end of an answer is not known; bodies are masked once more.
        """
        if len(self._key) < SHORTEST:
            return data
        clean = masked(data, self._key)
        if self._key in self._tail + clean:
            raise ModelFailed("sent the key back", hint="is this the server that the key is for?")
        self._tail = (self._tail + clean)[-(len(self._key) - 1) :]
        return clean


def _left(most: float | None = None) -> float:
    """The seconds that are left. Raises ``httpcore2.ReadTimeout`` when there are none."""
    left = _bounds.get()[0] - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time is over")
    return left if most is None else min(left, most)


@contextmanager
def _translated() -> Iterator[None]:
    """What the connection raises, as the client knows it."""
    try:
        yield
    except httpcore2.TimeoutException as fault:
        raise httpx2.ReadTimeout(type(fault).__name__) from fault
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ConnectionNotAvailable) as fault:
        raise httpx2.ReadError(type(fault).__name__) from fault


def _size(count: int) -> str:
    return "a megabyte" if count == 1 << 20 else f"{count >> 20} megabytes"


def client(url: str, key: str) -> Any:
    """An ``openai`` client for one address, that tries nothing twice and takes nothing from the environment."""
    import openai

    return openai.OpenAI(
        base_url=url,
        # The real one never reaches the client: the transport puts it in.
        api_key="kept-apart",
        organization="",
        project="",
        max_retries=0,
        timeout=None,
        http_client=httpx2.Client(transport=Transport(key), trust_env=False, follow_redirects=False, timeout=None),
    )
