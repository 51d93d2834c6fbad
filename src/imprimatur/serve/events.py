"""Server-sent events, read from bytes however they are cut, and written.

Source: the HTML standard, section 9.2.6 ("Interpreting an event stream"). Only the field ``data`` counts here; comments
and other fields are passed over. Invariant: an event longer than the limit is an error, so that no peer fills memory.
"""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Mapping
from typing import Any

from imprimatur.errors import ModelFailed

__all__ = ["DONE", "EventReader", "event", "strict_json"]

#: What ends a stream of OpenAI's protocol.
DONE = b"data: [DONE]\n\n"
#: Characters of one event at most.
_LONGEST = 4 << 20


def strict_json(data: str | bytes | bytearray) -> Any:
    """The value of a JSON text, of which nothing is lost when it is written again.

    Raises:
        ValueError: it is none, or has a number that JSON cannot write (NaN, infinities, and what is read as one).
        RecursionError: it is too deep.
    """
    return json.loads(data, parse_constant=_finite, parse_float=_finite)


def _finite(said: str) -> float:
    if not math.isfinite(value := float(said)):
        raise ValueError("a number is not finite")
    return value


class EventReader:
    """Gives the data of each event as soon as the empty line behind it has come."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""
        self._data: list[str] = []
        self._size = 0
        self._after_return = False

    def feed(self, data: bytes) -> list[str]:
        """The data of the events that ended with these bytes.

        Raises:
            ModelFailed: an event is longer than 4 MB.
        """
        text = self._decode.decode(data)
        if self._after_return and text.startswith("\n"):
            text = text[1:]
        if text:
            self._after_return = text.endswith("\r")
        lines = (self._line + text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        self._line = lines.pop()
        found = [event for line in lines if (event := self._taken(line)) is not None]
        if self._size + len(self._line) > _LONGEST:
            raise ModelFailed("sent an event of more than 4 megabytes")
        return found

    def _taken(self, line: str) -> str | None:
        """Takes one line; the event that it ends, if it ends one."""
        if not line:
            data, self._data, self._size = self._data, [], 0
            return "\n".join(data) if data else None
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
            self._size += len(value)
        return None


def event(value: Mapping[str, Any]) -> bytes:
    """One event whose data is a JSON object."""
    return b"data: " + json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n\n"
