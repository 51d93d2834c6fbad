"""How a scripted server chooses its reply: rules first, then one step after the other.

A script is one step, which answers everything, or a list of them. A step is a text (the assistant says it), a
``Reply``, or a function of the request that gives either. In a list each step is used once, in order; a rule made by
``when`` stays, comes first where its condition holds, and gives its replies in turn, the last one again and again::

    [when("capital", "Bree"), when(re.compile(r"long\\?"), "12 km"), "anything else, once"]

Invariants: a script is used by one server; choosing is safe in several threads, and takes place in the order in which
requests arrive.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from imprimatur.testing.replies import Reply, say

__all__ = ["Condition", "Request", "Script", "Step", "When", "when"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it arrived; header names are in lower case, ``body`` is empty where it was no JSON object."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes = b""
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str | None:
        """The key that came with it."""
        kind, _, key = self.headers.get("authorization", "").partition(" ")
        return key if kind.lower() == "bearer" else None

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return str(self.body.get("model", ""))

    @property
    def stream(self) -> bool:
        """Whether the reply is to be streamed."""
        return self.body.get("stream") is True

    @property
    def is_response(self) -> bool:
        """Whether it is made by the Responses interface."""
        return self.path.partition("?")[0].rstrip("/").endswith("/responses")

    @property
    def messages(self) -> tuple[Mapping[str, Any], ...]:
        """The messages, as far as they are objects; of a request for a response, its input."""
        found = self.body.get("messages", self.body.get("input"))
        if isinstance(found, str):
            return ({"role": "user", "content": found},)
        return tuple(each for each in found if isinstance(each, dict)) if isinstance(found, list) else ()

    @property
    def prompt(self) -> str:
        """The texts of all messages, one under the other."""
        return "\n".join(text for message in self.messages for text in _texts(message.get("content")))

    def said_by(self, role: str) -> str:
        """The texts of the messages of one role."""
        mine = (message for message in self.messages if message.get("role") == role)
        return "\n".join(text for message in mine for text in _texts(message.get("content")))

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools on offer."""
        found = self.body.get("tools")
        named = (
            [each.get("function", {}) for each in found if isinstance(each, dict)] if isinstance(found, list) else []
        )
        return tuple(str(each.get("name")) for each in named)

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema that the reply is to follow."""
        shape = self.body.get("response_format")
        inner = shape.get("json_schema") if isinstance(shape, dict) else None
        schema = inner.get("schema") if isinstance(inner, dict) else None
        return schema if isinstance(schema, dict) else None


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]


def request_of(method: str, path: str, headers: Mapping[str, str], data: bytes) -> Request:
    """The request that some bytes make."""
    try:
        body = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        body = {}
    lowered = {name.lower(): value for name, value in headers.items()}
    known = body if isinstance(body, dict) else {}
    return Request(method=method, path=path, headers=lowered, raw=data, body=known)


Step = str | Reply | Callable[[Request], str | Reply]
Condition = str | re.Pattern[str] | Callable[[Request], bool]


@dataclass(frozen=True, slots=True)
class When:
    """A rule: its replies are for requests of one kind."""

    holds: Callable[[Request], bool]
    steps: tuple[Step, ...]


def when(condition: Condition, *steps: Step) -> When:
    """A rule.

    Args:
        condition: a text or expression that is in the prompt, or a function of the request.
        steps: what is answered, in turn; the last one stays.
    """
    if not steps:
        raise ValueError("a rule needs something to answer")
    if isinstance(condition, str):
        wanted: str = condition
        return When(lambda request: wanted in request.prompt, steps)
    if isinstance(condition, re.Pattern):
        pattern: re.Pattern[str] = condition
        return When(lambda request: pattern.search(request.prompt) is not None, steps)
    return When(condition, steps)


class Script:
    """Steps and rules, and how far they have been used."""

    def __init__(self, script: Step | Sequence[Step | When]) -> None:
        listed = not isinstance(script, str) and isinstance(script, Sequence)
        given: list[Step | When] = list(script) if listed else [When(_always, (script,))]  # type: ignore[arg-type]
        self._rules = [each for each in given if isinstance(each, When)]
        self._steps = [each for each in given if not isinstance(each, When)]
        self._used = [0] * len(self._rules)
        self._lock = threading.Lock()

    def reply(self, request: Request) -> Reply | None:
        """What is answered; None where the script foresees no such request. A function's error is raised."""
        step = self._next(request)
        found = step(request) if callable(step) else step
        return say(found) if isinstance(found, str) else found

    @property
    def left(self) -> int:
        """How many steps have not been used."""
        return len(self._steps)

    def _next(self, request: Request) -> Step | None:
        with self._lock:
            for number, rule in enumerate(self._rules):
                if rule.holds(request):
                    at = min(self._used[number], len(rule.steps) - 1)
                    self._used[number] += 1
                    return rule.steps[at]
            return self._steps.pop(0) if self._steps else None


def _always(_: Request) -> bool:
    return True
