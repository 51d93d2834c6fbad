"""A small server that speaks Bolt 5.0, on this machine only: what it answers is a function's to say.

It has the framing, the messages and the values of the protocol that the driver needs, and keeps what it was asked.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

__all__ = ["BoltServer", "Failed", "Reply", "Struct", "bolt_server"]

_HELLO, _GOODBYE, _RESET, _RUN, _BEGIN, _COMMIT, _ROLLBACK, _PULL, _DISCARD = 1, 2, 15, 16, 17, 18, 19, 63, 47
_SUCCESS, _RECORD, _IGNORED, _FAILURE = 0x70, 0x71, 0x7E, 0x7F


@dataclass(frozen=True)
class Struct:
    """A structure of PackStream: nodes (0x4E), relationships (0x52), days (0x44) and the like."""

    tag: int
    fields: tuple[Any, ...]


@dataclass(frozen=True)
class Reply:
    """Columns and rows, and what the summary says: its ``type``, and counters."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    type: str | None = "r"
    stats: dict[str, Any] = field(default_factory=dict)


class Failed(Exception):
    """A failure that the server tells: its code and message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass
class BoltServer:
    """A running server. ``asked``: queries with parameters; ``begun``: what transactions were begun with."""

    url: str
    answer: Callable[[str, dict[str, Any]], Reply]
    agent: str
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    begun: list[dict[str, Any]] = field(default_factory=list)
    committed: int = 0


@contextmanager
def bolt_server(answer: Callable[[str, dict[str, Any]], Reply], *, agent: str = "Neo4j/5.26.0") -> Iterator[BoltServer]:
    """A server that is gone at the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = BoltServer(f"bolt://127.0.0.1:{listening.getsockname()[1]}", answer, agent)
        open_: list[socket.socket] = []
        thread = threading.Thread(target=_accept, args=(listening, made, open_), daemon=True)
        thread.start()
        try:
            yield made
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            for each in open_:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def _accept(listening: socket.socket, server: BoltServer, open_: list[socket.socket]) -> None:
    while True:
        try:
            found, _ = listening.accept()
        except OSError:
            return
        open_.append(found)
        threading.Thread(target=_serve, args=(found, server), daemon=True).start()


def _serve(sock: socket.socket, server: BoltServer) -> None:
    try:
        with sock, sock.makefile("rb") as stream:
            stream.read(20)
            sock.sendall(bytes((0, 0, 0, 5)))
            _talk(sock, stream, server)
    except (OSError, EOFError, ValueError):
        return


def _talk(sock: socket.socket, stream: Any, server: BoltServer) -> None:
    waiting: list[Sequence[Any]] = []
    reply: Reply | None = None
    failed = False

    def send(tag: int, *fields: Any) -> None:
        content = _pack(Struct(tag, fields))
        parts = [content[at : at + 60000] for at in range(0, len(content), 60000)]
        sock.sendall(b"".join(struct.pack(">H", len(part)) + part for part in parts) + b"\0\0")

    while True:
        message = _message(stream)
        if message.tag == _GOODBYE:
            return
        if message.tag == _RESET:
            failed, reply, waiting = False, None, []
            send(_SUCCESS, {})
        elif failed:
            send(_IGNORED)
        elif message.tag == _HELLO:
            send(_SUCCESS, {"server": server.agent, "connection_id": "bolt-1", "hints": {}})
        elif message.tag == _RUN:
            query, parameters, _ = message.fields
            server.asked.append((query, parameters))
            try:
                reply = server.answer(query, parameters)
            except Failed as fault:
                failed = True
                send(_FAILURE, {"code": fault.code, "message": fault.message})
                continue
            waiting = list(reply.rows)
            send(_SUCCESS, {"fields": list(reply.columns), "t_first": 0, "qid": 0})
        elif message.tag in (_PULL, _DISCARD):
            count = message.fields[0].get("n", -1)
            now, waiting = (waiting, []) if count < 0 else (waiting[:count], waiting[count:])
            for row in now if message.tag == _PULL else ():
                send(_RECORD, list(row))
            told = {"type": reply.type} if reply is not None and reply.type is not None else {}
            stats = {"stats": reply.stats} if reply is not None and reply.stats else {}
            send(_SUCCESS, {"has_more": True} if waiting else {"t_last": 0, "db": "neo4j", **told, **stats})
        else:
            if message.tag == _BEGIN:
                server.begun.append(message.fields[0])
            server.committed += message.tag == _COMMIT
            send(_SUCCESS, {})


def _message(stream: Any) -> Struct:
    content = b""
    while True:
        head = stream.read(2)
        if len(head) < 2:
            raise EOFError
        size = struct.unpack(">H", head)[0]
        if size == 0:
            if content:
                break
            continue
        content += stream.read(size)
    found, _ = _unpack(content, 0)
    assert isinstance(found, Struct)
    return found


def _pack(value: Any) -> bytes:
    match value:
        case None:
            return b"\xc0"
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int():
            return struct.pack(">b", value) if -16 <= value < 128 else b"\xcb" + struct.pack(">q", value)
        case float():
            return b"\xc1" + struct.pack(">d", value)
        case str():
            content = value.encode()
            return b"\xd2" + struct.pack(">I", len(content)) + content
        case list() | tuple():
            return b"\xd6" + struct.pack(">I", len(value)) + b"".join(map(_pack, value))
        case dict():
            pairs = b"".join(_pack(key) + _pack(each) for key, each in value.items())
            return b"\xda" + struct.pack(">I", len(value)) + pairs
        case Struct():
            return bytes((0xB0 + len(value.fields), value.tag)) + b"".join(map(_pack, value.fields))
    raise TypeError(type(value))


_SIZES = {0xD0: ">B", 0xD1: ">H", 0xD2: ">I", 0xD4: ">B", 0xD5: ">H", 0xD6: ">I", 0xD8: ">B", 0xD9: ">H", 0xDA: ">I"}
_NUMBERS = {0xC1: ">d", 0xC8: ">b", 0xC9: ">h", 0xCA: ">i", 0xCB: ">q"}


def _unpack(data: bytes, at: int) -> tuple[Any, int]:
    mark = data[at]
    at += 1
    if mark < 0x80 or mark >= 0xF0:
        return (mark if mark < 0x80 else mark - 256), at
    if mark in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[mark], at
    if mark in _NUMBERS:
        form = _NUMBERS[mark]
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    high = mark & 0xF0
    if high in (0x80, 0x90, 0xA0, 0xB0):
        size = mark & 0x0F
    else:
        form = _SIZES[mark]
        size = struct.unpack_from(form, data, at)[0]
        at += struct.calcsize(form)
        high = {0xD0: 0x80, 0xD4: 0x90, 0xD8: 0xA0}[mark & 0xFC]
    if high == 0x80:
        return data[at : at + size].decode(), at + size
    if high == 0xB0:
        tag, at = data[at], at + 1
    items = []
    for _ in range(size * (2 if high == 0xA0 else 1)):
        item, at = _unpack(data, at)
        items.append(item)
    if high == 0xA0:
        return dict(zip(items[::2], items[1::2])), at
    return (Struct(tag, tuple(items)) if high == 0xB0 else items), at
