"""What a scripted server may answer, and how it is sent.

A ``Reply`` is a content (a completion, a failure, or raw bytes) with a delivery. The functions make the usual ones; the
methods of a reply give the same reply, delivered otherwise::

    say("Hello")                      say("Hello").slow(0.2)          fail(503, "overloaded")
    say_json({"label": "supported"})  say("Hello, world").cut(5)      fail(429, retry_after=2)
    call("look_up", name="Elm")       say("Hello").late(30)           garbled()

Everything here is a value: a reply may be used any number of times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

__all__ = [
    "Call",
    "Completion",
    "Delivery",
    "Failure",
    "Raw",
    "Reply",
    "Usage",
    "call",
    "fail",
    "garbled",
    "raw",
    "refuse",
    "say",
    "say_json",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How many tokens the server says that it has read and written."""

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call; ``arguments`` is sent as it stands, so that it may be broken JSON."""

    name: str
    arguments: str
    id: str = "call_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What the assistant says.

    ``others`` are the texts of further choices; ``logprobs``: each piece of the text comes with one (of words, where it
    is sent whole). ``finish`` is worked out when it is None; ``extra`` are further top-level keys.
    """

    kind: Literal["completion"] = "completion"
    text: str | None = None
    others: tuple[str, ...] = ()
    logprobs: bool = False
    calls: tuple[Call, ...] = ()
    refusal: str | None = None
    finish: str | None = None
    usage: Usage | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An error in OpenAI's shape. ``retry_after`` is in seconds, or the text of the header."""

    kind: Literal["failure"] = "failure"
    status: int
    message: str
    code: str | None = None
    type: str = "server_error"
    retry_after: float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A body that is sent as it stands."""

    kind: Literal["raw"] = "raw"
    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """How a reply is sent.

    Attributes:
        late: seconds before the first byte.
        pause: seconds between two writes.
        cut: the connection is closed after so many characters of a streamed text, or bytes of a whole body.
        pieces: what a streamed text is cut into: such pieces, or pieces of so many characters; by words when 0.
        width: every write has at most so many bytes, so that characters of several bytes are torn; 0 for no limit.
        error: a streamed text ends with an error frame that says this.
        done: whether a stream ends with ``[DONE]``.
    """

    late: float = 0.0
    pause: float = 0.0
    cut: int | None = None
    pieces: tuple[str, ...] | int = 0
    width: int = 0
    error: str | None = None
    done: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A content with its delivery."""

    content: Completion | Failure | Raw
    delivery: Delivery = Delivery()

    def late(self, seconds: float) -> Reply:
        """The same, after so many seconds of silence."""
        return self._sent(late=seconds)

    def slow(self, seconds: float) -> Reply:
        """The same, with so many seconds between two writes; a whole body is then written in small parts."""
        return self._sent(pause=seconds, width=self.delivery.width or 16)

    def cut(self, at: int = 0) -> Reply:
        """The same, with the connection closed after so many characters of a streamed text, or bytes of a body."""
        return self._sent(cut=at)

    def pieces(self, *pieces: str, size: int = 0) -> Reply:
        """The same, streamed in these pieces, or in pieces of ``size`` characters.

        Raises:
            ValueError: the pieces are not the text.
        """
        whole = self.content.text if isinstance(self.content, Completion) else None
        if pieces and "".join(pieces) != whole:
            raise ValueError(f"the pieces {pieces!r} do not make the text {whole!r}")
        return self._sent(pieces=pieces or size)

    def torn(self, width: int = 1) -> Reply:
        """The same, in writes of at most so many bytes."""
        return self._sent(width=width)

    def breaking(self, message: str = "the model stopped") -> Reply:
        """The same, where a stream ends with an error frame in place of an end."""
        return self._sent(error=message)

    def endless(self) -> Reply:
        """The same, where a stream ends without ``[DONE]``."""
        return self._sent(done=False)

    def using(self, prompt: int, completion: int) -> Reply:
        """The same, with these numbers of tokens. Raises ValueError for what is no completion."""
        return self._saying(usage=Usage(prompt=prompt, completion=completion))

    def also(self, *texts: str) -> Reply:
        """The same, with further choices. Raises ValueError for what is no completion."""
        return self._saying(others=texts)

    def with_logprobs(self) -> Reply:
        """The same, with log-probabilities. Raises ValueError for what is no completion."""
        return self._saying(logprobs=True)

    def _saying(self, **changed: Any) -> Reply:
        if not isinstance(self.content, Completion):
            raise ValueError(f"only a completion has {', '.join(changed)}")
        return replace(self, content=replace(self.content, **changed))

    def _sent(self, **changed: Any) -> Reply:
        return replace(self, delivery=replace(self.delivery, **changed))


def say(text: str, *, finish: str | None = None, **extra: Any) -> Reply:
    """The assistant says a text. ``extra`` are further top-level keys of the response."""
    return Reply(content=Completion(text=text, finish=finish, extra=extra))


def say_json(value: Any) -> Reply:
    """The assistant says a value as JSON, as for a structured output."""
    return say(json.dumps(value, ensure_ascii=False))


def call(name: str, /, **arguments: Any) -> Reply:
    """The assistant calls a tool."""
    made = Call(name=name, arguments=json.dumps(arguments, ensure_ascii=False))
    return Reply(content=Completion(calls=(made,)))


def refuse(text: str) -> Reply:
    """The assistant refuses in so many words."""
    return Reply(content=Completion(refusal=text))


def fail(
    status: int,
    message: str = "the script says so",
    *,
    code: str | None = None,
    type: str | None = None,
    retry_after: float | str | None = None,
) -> Reply:
    """An error with an HTTP status."""
    kind = type or {401: "invalid_request_error", 429: "rate_limit_error"}.get(
        status, "server_error" if status >= 500 else "invalid_request_error"
    )
    return Reply(
        content=Failure(status=status, message=message, code=code, type=kind, retry_after=retry_after),
    )


def raw(body: str | bytes, *, status: int = 200, content_type: str = "application/json", **headers: str) -> Reply:
    """A body as it stands. Of header names, underscores are written as hyphens."""
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(content=Raw(body=data, status=status, content_type=content_type, headers=named))


def garbled() -> Reply:
    """A body that calls itself JSON and is none."""
    return raw('{"id": "chatcmpl-1", "choices": [{"message": {"content": "Hel')
