"""How callers' connections are served: uvicorn, with the limits that it lacks.

A peer that stalls is given up: one whose request does not come (slow headers), one that goes on sending after its
reply, and one that does not read. Where there are as many connections as may be, the one that has waited longest for a
request makes room; where none waits, the new one is refused. Invariants: what waits for a peer ends; what is held for a
reader is what one event needs, for nothing more is taken from the model server before it is gone; a head has 16 KB at
most; only h11 reads requests, whatever else is installed: what is one request is settled by one strict reader.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from imprimatur.serve.faults import fault_object
from imprimatur.serve.settings import LONGEST_HEAD, Limits

__all__ = ["server_config"]

#: Bytes that a reader takes in a second at least; else it stalls.
_LEAST_RATE = 1 << 10
#: Seconds that a caller may not read while the gateway stops.
_STOPPING_PATIENCE = 1
#: A caller that is idle between two requests is let go after so many seconds.
_KEEP_ALIVE_SECONDS = 5


def server_config(app: Any, limits: Limits, *, stop_seconds: int = 30, **more: Any) -> uvicorn.Config:
    """How uvicorn is to serve the gateway.

    Args:
        app: the ASGI application, or (``factory=True``) what makes it.
        stop_seconds: for the calls under way when it stops.
        more: further settings of uvicorn.
    """
    return uvicorn.Config(
        app,
        http=partial(_Connection, limits=limits),  # type: ignore[arg-type]
        ws="none",
        h11_max_incomplete_event_size=LONGEST_HEAD,  # of what comes in parts; the rest is looked at when it is there
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=stop_seconds,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        **{"log_level": "warning", **more},
    )


class _Connection(H11Protocol):
    """One connection of a caller."""

    def __init__(self, *given: Any, limits: Limits, **named: Any) -> None:
        super().__init__(*given, **named)
        self._limits = limits
        self._asking: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._patience = limits.stall_seconds
        self._left = 0  # bytes that the peer had not read when the timer was set
        self.since = 0.0  # when waiting for a request began

    @property
    def waits(self) -> bool:
        """Whether it waits for a request."""
        return self.conn.their_state is h11.IDLE and (self.cycle is None or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Lets a connection in, where there is room or room can be made."""
        super().connection_made(transport)
        # Nothing is kept here for a reader: whatever the kernel does not take holds back the next event.
        transport.set_write_buffer_limits(high=0)
        if len(self.connections) > self._limits.connections and not self._make_room():
            transport.write(_FULL)
            transport.close()
            return
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends all waiting."""
        self._stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Takes what came; a head that is not complete has its time."""
        super().handle_events()
        if self.conn.their_state is h11.IDLE:
            self._await_request()
        elif self.cycle is None or not self.cycle.response_complete:
            self._stop_waiting()  # a body has the time that its reader gives it

    def on_response_complete(self) -> None:
        """After a reply: a request that goes on nevertheless must come to its end soon."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self._await_request()

    def shutdown(self) -> None:
        """The gateway stops: a reader that stalls does not hold that up."""
        super().shutdown()
        self._patience = min(self._patience, _STOPPING_PATIENCE)
        if self._reading is not None:
            self._reading.cancel()
            self._watch_reader()

    def pause_writing(self) -> None:
        """The peer does not read: it is watched whether that changes."""
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        """The peer has read everything."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _make_room(self) -> bool:
        waiting = [each for each in self.connections if isinstance(each, _Connection) and each is not self]
        waiting = [each for each in waiting if each.waits and not each.transport.is_closing()]
        if not waiting:
            return False
        min(waiting, key=lambda each: each.since).transport.abort()
        return True

    def _await_request(self) -> None:
        if self._asking is None:
            self.since = self.loop.time()
            self._asking = self.loop.call_later(self._limits.stall_seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _watch_reader(self) -> None:
        self._left = self.transport.get_write_buffer_size()
        self._reading = self.loop.call_later(self._patience, self._check_reader)

    def _check_reader(self) -> None:
        read = self._left - self.transport.get_write_buffer_size()
        if read < _LEAST_RATE * self._patience:
            self.transport.abort()
        else:
            self._watch_reader()


def _refusal(message: str, code: str) -> bytes:
    body = json.dumps(fault_object(message, kind="server_error", code=code)).encode()
    head = f"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Retry-After: 1\r\nConnection: close\r\n\r\n" + body


_FULL = _refusal("too many connections", "too_many_connections")
