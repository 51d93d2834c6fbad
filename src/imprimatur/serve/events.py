"""Server-sent events, read from bytes however they are cut, and written.

Source: the HTML standard, section 9.2.6 ("Interpreting an event stream"). Only the field ``data`` counts here; comments
and other fields are passed over. Invariant: an event longer than the limit is an error, so that no peer fills memory.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import Any

from imprimatur.errors import ModelFailed
from imprimatur.serve.strict_json import written

__all__ = ["DONE", "EventReader", "event"]

#: What ends a stream of OpenAI's protocol.
DONE = b"data: [DONE]\n\n"
#: Characters of one event at most.
_LONGEST = 4 << 20


class EventReader:
    """Gives the data of each event as soon as the empty line behind it has come."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []  # parts of a line that has not ended
        self._length = 0  # of these
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
        first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._line.append(first)
        self._length += len(first)
        found = []
        if others:
            lines = ["".join(self._line), *others]
            rest = lines.pop()
            self._line, self._length = [rest], len(rest)
            found = [event for line in lines if (event := self._taken(line)) is not None]
        if self._size + self._length > _LONGEST:
            raise ModelFailed("the model server sent an event of more than 4 megabytes")
        return found

    def _taken(self, line: str) -> str | None:
        """Takes one line; the event that it ends, if it ends one."""
        if not line:
            data, self._data, self._size = self._data, [], 0
            return "\n".join(data) if data else None
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
            self._size += len(value) + 1  # an empty line is kept as well
        return None


def event(value: Mapping[str, Any]) -> bytes:
    """One event whose data is a JSON object."""
    return b"data: " + written(value) + b"\n\n"
