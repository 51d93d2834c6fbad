"""Raw sockets on both sides of a gateway: a caller and a model server that say what no library would."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

ASK = {"model": "m", "messages": [{"role": "user", "content": "How long is Elm Brook?"}]}
STREAMED = {**ASK, "stream": True}
CHAT = "/v1/chat/completions"
#: What an event stream begins with; it ends with its connection.
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
DONE = b"data: [DONE]\n\n"
#: Answers one request; gets the connection and the request as it came.
Handler = Callable[[socket.socket, bytes], None]


def delta(text: str, *, finish: str | None = None, index: int = 0) -> bytes:
    """The event of a chunk that says a text."""
    choice = {"index": index, "delta": {"content": text}, "finish_reason": finish}
    value = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def request(path: str, body: Any = None, *headers: str, host: str = "127.0.0.1", method: str = "POST") -> bytes:
    """A request as it goes over the wire; ``headers`` come beside those that it needs."""
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode() + data


@contextlib.contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    """A connection to a gateway."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as wire:
        yield wire


def talk(url: str, data: bytes, *, seconds: float = 10) -> bytes:
    """What a gateway answers to some bytes, until it closes the connection or a reply is whole."""
    with connected(url) as wire:
        wire.sendall(data)
        return received(wire, seconds=seconds)


def received(wire: socket.socket, *, seconds: float = 10) -> bytes:
    """What comes until the peer closes, or one reply is whole."""
    wire.settimeout(seconds)
    found = b""
    with contextlib.suppress(TimeoutError, ConnectionError):
        while part := wire.recv(65536):
            found += part
            if found.startswith(b"HTTP/1.1 100 "):
                found = found.partition(b"\r\n\r\n")[2]
            if _whole(found):
                break
    return found


def _whole(found: bytes) -> bool:
    head, _, body = found.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(body) >= int(line.partition(b":")[2])
    return b"transfer-encoding: chunked" in head.lower() and found.endswith(b"\r\n0\r\n\r\n")


def status(reply: bytes) -> int:
    """The status of a reply; 0 where there is none."""
    return int(reply.split(b" ", 2)[1]) if reply.startswith(b"HTTP/1.") else 0


def error(reply: bytes) -> dict[str, Any]:
    """The error object of a reply."""
    found: dict[str, Any] = json.loads(reply.partition(b"\r\n\r\n")[2])["error"]
    return found


class RawServer:
    """A model server whose every byte is told by a function.

    Attributes:
        seen: the requests that came, heads and bodies.
        ended: how many connections have come to their end.
    """

    def __init__(self, handle: Handler) -> None:
        self.seen: list[bytes] = []
        self.ended = 0
        self._handle = handle
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """What stands in the settings of a gateway."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def __enter__(self) -> RawServer:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                wire, _ = self._listener.accept()
                self._open.append(wire)
                threading.Thread(target=self._serve, args=(wire,), daemon=True).start()

    def _serve(self, wire: socket.socket) -> None:
        with wire, contextlib.suppress(OSError):
            found = b""
            while not _asked(found):
                part = wire.recv(65536)
                if not part:
                    return
                found += part
            self.seen.append(found)
            self._handle(wire, found)
        self.ended += 1


def _asked(found: bytes) -> bool:
    head, end, body = found.partition(b"\r\n\r\n")
    length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
    return bool(end) and len(body) >= int(length.partition(b":")[2])


def says(data: bytes) -> Handler:
    """A handler that sends some bytes and closes."""

    def handle(wire: socket.socket, _: bytes) -> None:
        wire.sendall(data)

    return handle


def until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    """Whether something comes true in time; it is not asked again then."""
    ends = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < ends:
        time.sleep(0.02)
    return found
