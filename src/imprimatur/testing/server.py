"""The scripted server: a thread that listens on this machine and answers by its script.

Paths: ``POST /v1/chat/completions`` and ``/v1/responses`` (plain and streamed), ``POST /v1/embeddings``, ``GET
/v1/models`` and ``/v1/models/NAME``; anything else is 404. Invariants: it is reachable from this machine only; closing
it ends every wait, so that no test hangs on a slow reply; what went wrong in a script's function is told when it is
closed.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self, assert_never
from urllib.parse import unquote

from imprimatur.testing import wire, wire_responses
from imprimatur.testing.recording import Exchange, save
from imprimatur.testing.replies import Completion, Failure, Raw, Reply, fail
from imprimatur.testing.script import Request, Script, Step, When, request_of

__all__ = ["ScriptedServer"]

_LONGEST = 64 << 20
_JSON = "application/json"
_EVENTS = "text/event-stream; charset=utf-8"


class ScriptedServer:
    """A model server for tests; it runs from the moment it is made until ``close``, or while in a ``with`` block.

    Attributes:
        requests: every request that arrived, in order.
        exchanges: those that were answered, with what was sent, in the order in which they were done.
        unforeseen: what the script had no reply to, in words, and what its functions raised.
    """

    def __init__(
        self,
        script: Step | Sequence[Step | When] = (),
        *,
        key: str | None = None,
        models: Sequence[str] = ("scripted",),
        embed: wire.Embed | Reply | None = None,
    ) -> None:
        """Starts listening.

        Args:
            script: what is answered; see ``imprimatur.testing.script``.
            key: the key that every request must bring; None to take any, and none.
            models: the names under ``/v1/models``.
            embed: gives the vector of a text, or is the reply to every request for vectors; by default a vector of
                16 numbers, or as many as are asked for, that depends on the text alone.
        """
        self.script = Script(script)
        self.key = key
        self.models = tuple(models)
        self.embed = embed
        self.requests: list[Request] = []
        self.exchanges: list[Exchange] = []
        self.unforeseen: list[str] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = _Listener(("127.0.0.1", 0), _Handler)
        self._http.scripted = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """What a client takes as its base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def prompts(self) -> list[str]:
        """The prompts of all requests."""
        return [request.prompt for request in self.requests]

    def save(self, path: Path) -> None:
        """Writes the exchanges to a file, from which ``recorded`` makes a script."""
        save(self.exchanges, path)

    def close(self) -> None:
        """Stops listening, and ends every reply that is still being sent."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def finish(self) -> None:
        """Closes, and raises AssertionError where a request was not foreseen or a step was not used."""
        self.close()
        self._complain()
        if self.script.left:
            raise AssertionError(f"{self.script.left} steps of the script were not used")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if kind is None:
            self._complain()

    def _complain(self) -> None:
        if self.unforeseen:
            raise AssertionError("; ".join(self.unforeseen))

    def arrived(self, request: Request) -> int:
        """Keeps a request, and gives its number, from 1."""
        with self._lock:
            self.requests.append(request)
            return len(self.requests)

    def answer(self, request: Request) -> Reply | dict[str, Any]:
        """What is sent for a request: a reply, or a body with status 200."""
        if self.key is not None and request.key != self.key:
            return fail(401, "Incorrect API key provided", code="invalid_api_key")
        path = request.path.partition("?")[0].rstrip("/")
        match request.method, path:
            case "POST", "/v1/chat/completions" | "/v1/responses":
                return self._scripted(request)
            case "POST", "/v1/embeddings":
                return self.embed if isinstance(self.embed, Reply) else wire.embeddings(request, self.embed)
            case "GET", "/v1/models":
                return wire.models(self.models)
            case "GET", named if named.startswith("/v1/models/"):
                name = unquote(named.removeprefix("/v1/models/"))
                known = name in self.models
                return wire.model(name) if known else fail(404, f"no model {name!r}", code="model_not_found")
        return fail(404, f"nothing is at {request.method} {path}")

    def _scripted(self, request: Request) -> Reply:
        if not request.messages:
            return fail(400, "`messages` or `input` is missing", code="missing_required_parameter")
        try:
            found = self.script.reply(request)
        except Exception as fault:  # a mistake in the test must be told there, not die with a thread
            self.unforeseen.append(f"a function of the script raised {fault!r}")
            return fail(500, "a function of the script failed")
        if found is None:
            self.unforeseen.append(f"the script has no reply to: {request.prompt[-300:]!r}")
            return fail(500, "the script has no reply to this")
        return found


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # as many clients may call at once; with the usual five, further ones are turned away
    scripted: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no event."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body that follows its head is not held back until the head is acknowledged
    server: _Listener

    def do_POST(self) -> None:
        """Answers."""
        self._respond()

    def do_GET(self) -> None:
        """Answers."""
        self._respond()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: a test's output is its own."""

    def _respond(self) -> None:
        scripted = self.server.scripted
        size = self.headers.get("Content-Length", "0")
        data = self.rfile.read(min(int(size) if size.isdigit() else 0, _LONGEST))
        request = request_of(self.command, self.path, dict(self.headers.items()), data)
        number = scripted.arrived(request)
        found = scripted.answer(request)
        reply = found if isinstance(found, Reply) else None
        if reply is not None and reply.delivery.late and scripted.closing.wait(reply.delivery.late):
            self._hang_up()
            return
        if reply is None:
            self._whole(request, 200, _JSON, json.dumps(found).encode(), Reply(content=Raw(body=b"")))
            return
        match reply.content:
            case Completion() as said if request.stream:
                self._streamed(request, said, reply, number)
            case Completion() as said:
                made = wire_responses.response if request.is_response else wire.completion
                body = json.dumps(made(said, request, number), ensure_ascii=False).encode()
                self._whole(request, 200, _JSON, body, reply)
            case Failure() as failure:
                body = json.dumps(wire.error(failure), ensure_ascii=False).encode()
                self._whole(request, failure.status, _JSON, body, reply)
            case Raw() as given:
                self._whole(request, given.status, given.content_type, given.body, reply)
            case _ as never:
                assert_never(never)

    def _whole(self, request: Request, status: int, content_type: str, body: bytes, reply: Reply) -> None:
        self._keep(request, status, content_type, body)
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in _headers(reply):
            self.send_header(name, value)
        self.end_headers()
        at = reply.delivery.cut
        self._write(body if at is None else body[:at], reply)
        if at is not None:
            self._hang_up()

    def _streamed(self, request: Request, said: Completion, reply: Reply, number: int) -> None:
        frames = list(_frames(said, request, number, reply))
        self._keep(request, 200, _EVENTS, b"".join(frame for frame, _ in frames))
        self.send_response(200)
        self.send_header("Content-Type", _EVENTS)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        at = reply.delivery.cut
        for frame, sent in frames:
            if not self._write(frame, reply, chunked=True):
                return
            if at is not None and sent >= at:
                self._hang_up()
                return
        self._write(b"", reply, chunked=True)

    def _write(self, data: bytes, reply: Reply, *, chunked: bool = False) -> bool:
        """Writes bytes in the steps of a delivery; whether the server is still open."""
        width = reply.delivery.width or max(1, len(data))
        parts = [data[at : at + width] for at in range(0, len(data), width)] or [b""]
        for part in parts:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part) if chunked else part)
            self.wfile.flush()
            if reply.delivery.pause and self.server.scripted.closing.wait(reply.delivery.pause):
                self._hang_up()
                return False
        return True

    def _keep(self, request: Request, status: int, content_type: str, body: bytes) -> None:
        kept = Exchange(request=request, status=status, content_type=content_type, body=body)
        self.server.scripted.exchanges.append(kept)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _frames(said: Completion, request: Request, number: int, reply: Reply) -> Iterator[tuple[bytes, int]]:
    """The frames of an event stream, each with the number of characters of text sent so far."""
    sent = 0
    if request.is_response:
        for event, sent in wire_responses.response_events(said, request, number, reply.delivery):
            yield b"event: %b\n" % event["type"].encode() + _frame(event), sent
        return
    for chunk, sent in wire.chunks(said, request, number, reply.delivery):
        yield _frame(chunk), sent
    if reply.delivery.error is not None:
        yield _frame(wire.error(Failure(status=500, message=reply.delivery.error))), sent
    elif reply.delivery.done:
        yield b"data: [DONE]\n\n", sent


def _frame(value: dict[str, Any]) -> bytes:
    return b"data: %b\n\n" % json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _headers(reply: Reply) -> Iterator[tuple[str, str]]:
    if isinstance(reply.content, Raw):
        yield from reply.content.headers.items()
    if isinstance(reply.content, Failure) and reply.content.retry_after is not None:
        yield "Retry-After", str(reply.content.retry_after)
