"""What is asked of a model, and what it answers: values without input or output, and one protocol for each way to ask.

Invariants: a prompt says everything that an answer depends on beside the model itself, so that equal prompts may be
answered by a recording; a completion has no secret in it.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from imprimatur.answer import Message
from imprimatur.errors import ModelFailed

__all__ = ["Completion", "Embedding", "Model", "Prompt", "Shape", "Stream", "Streaming", "Usage", "fingerprint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The form that an answer is to have: JSON by a schema, or any JSON object where ``schema`` is None."""

    name: str
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is sent. ``tokens`` is the longest answer, where it is not the configured one."""

    messages: tuple[Message, ...]
    shape: Shape | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """How many tokens were read and written."""

    prompt: int
    completion: int

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model answered. ``finish`` is ``stop`` where it came to its end by itself, or the server does not say."""

    text: str
    finish: str = "stop"
    refusal: str = ""
    usage: Usage | None = None

    def whole(self) -> str:
        """The text of an answer that came to its end.

        Raises:
            ModelFailed: it is a refusal, or was cut off.
        """
        if self.refusal:
            raise ModelFailed("refused to answer")
        if self.finish != "stop":
            why = self.finish if self.finish in _FINISHES else "it does not say why"
            raise ModelFailed(f"stopped before the end: {why}", hint=_HINTS.get(self.finish, ""))
        return self.text


_FINISHES = ("length", "content_filter", "tool_calls", "function_call")
_HINTS = {"length": "raise `limits.answer_tokens`, or the model's window"}


class Stream:
    """An answer on its way: an iterable of texts, once; ``completion`` is there when it has come to its end.

    Iterating raises what ``complete`` raises; what came before stays as it is. ``close`` gives up the rest.
    """

    def __init__(self, parts: Generator[str, None, Completion]) -> None:
        self.completion: Completion | None = None
        self._parts = parts

    def __iter__(self) -> Iterator[str]:
        self.completion = yield from self._parts

    def close(self) -> None:
        """Ends the answer, and what it holds."""
        self._parts.close()


class Model(Protocol):
    """Something that answers prompts. ``identity`` names it in reports, with a hash of all that it depends on."""

    @property
    def identity(self) -> str:
        """Its name, and a hash in brackets."""
        ...

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """The answer, after at most so many seconds (the configured ones, where they are fewer or none are given).

        Raises:
            LimitExceeded: the time or budget is over. StoreUnavailable: the model cannot be reached.
            ModelFailed: it answered with an error or with what is no answer.
        """
        ...


class Streaming(Protocol):
    """A model that answers bit by bit."""

    def stream(self, prompt: Prompt, *, seconds: float | None = None) -> Stream:
        """The answer on its way; nothing is asked before the first bit is taken."""
        ...


class Embedding(Protocol):
    """A model that gives vectors."""

    def embed(self, texts: Sequence[str], *, seconds: float | None = None) -> list[tuple[float, ...]]:
        """One vector for each text, in order, all of one length. Raises what ``complete`` raises."""
        ...


def fingerprint(identity: str, prompt: Prompt) -> str:
    """A hash of a model's identity and a prompt: the key of a recording. Neither has a secret in it."""
    said = {
        "model": identity,
        "messages": [[message.role, message.content] for message in prompt.messages],
        "shape": None if prompt.shape is None else [prompt.shape.name, prompt.shape.schema],
        "tokens": prompt.tokens,
    }
    return sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
