"""What a request asks of the gateway besides the model: the knowledge base, the policy, the mode, further evidence.

It stands in one extra object of the request's body, which does not travel on:

    {"model": …, "messages": […], "imprimatur": {"knowledge_base": "rivers", "policy": "redact", "mode": "hold",
     "context": ["a passage"], "memory": [{"id": "1", "text": "an entry"}], "as_of": "2026-01-31"}}

The knowledge base may also be named by the path (``/kb/rivers/v1/…``) or the header ``X-Imprimatur-KB``. Invariants: a
caller chooses only among what its key allows; unknown keys are errors; nothing in it widens a policy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from imprimatur.answer import MemoryEntry, Message
from imprimatur.serve.faults import Refused
from imprimatur.sources.memory.entries import entry_of
from imprimatur.stream import Mode

__all__ = ["EXTENSION", "Call", "call_of", "dialogue", "forwarded"]

#: The name of the extra object in requests and replies.
EXTENSION = "imprimatur"
_KEYS = ("knowledge_base", "policy", "mode", "context", "memory", "as_of")
_MOST_ITEMS = 1000
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a request asks of the gateway."""

    knowledge_base: str | None = None
    policy: str | None = None
    mode: Mode | None = None
    context: tuple[str, ...] = ()
    memory: tuple[MemoryEntry, ...] = ()
    as_of: date | None = None


def call_of(body: Mapping[str, Any]) -> Call:
    """The extra object of a request. Raises Refused (400), or InputError, for whatever is wrong with it."""
    given = body.get(EXTENSION)
    if given is None:
        return Call()
    if not isinstance(given, dict):
        raise _wrong("is no object", EXTENSION)
    for key in given:
        if key not in _KEYS:
            raise _wrong(f"has the unknown key {str(key)[:40]!r}; known are {', '.join(_KEYS)}", EXTENSION)
    mode = _text(given, "mode")
    if mode is not None and mode not in [each.value for each in Mode]:
        raise _wrong(f"is not one of {', '.join(Mode)}", f"{EXTENSION}.mode")
    return Call(
        knowledge_base=_text(given, "knowledge_base"),
        policy=_text(given, "policy"),
        mode=None if mode is None else Mode(mode),
        context=tuple(_texts(given, "context")),
        memory=tuple(_entries(given)),
        as_of=_day(given),
    )


def forwarded(body: Mapping[str, Any]) -> dict[str, Any]:
    """What of a request travels on to the model server: all but the extra object."""
    return {key: value for key, value in body.items() if key != EXTENSION}


def dialogue(messages: object) -> tuple[str | None, tuple[Message, ...]]:
    """The question (what a user said last) and the turns before it, as far as they are text.

    Raises:
        Refused: there is no list of messages.
    """
    if not isinstance(messages, list):
        raise _wrong("a list is needed", "messages")
    turns = [
        Message(str(each.get("role")), text)
        for each in messages
        if isinstance(each, dict) and each.get("role") in ("user", "assistant") and (text := _said(each.get("content")))
    ]
    last = next((n for n in range(len(turns) - 1, -1, -1) if turns[n].role == "user"), None)
    return (None, tuple(turns)) if last is None else (turns[last].content, tuple(turns[:last]))


def _said(content: object) -> str:
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n".join(part for part in parts if isinstance(part, str))


def _text(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise _wrong("a text is needed", f"{EXTENSION}.{key}")
    return value


def _texts(given: Mapping[str, Any], key: str) -> list[str]:
    value = [] if given.get(key) is None else given[key]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value) or len(value) > _MOST_ITEMS:
        raise _wrong(f"a list of at most {_MOST_ITEMS} texts is needed", f"{EXTENSION}.{key}")
    return value


def _entries(given: Mapping[str, Any]) -> list[MemoryEntry]:
    value = [] if given.get("memory") is None else given["memory"]
    sound = isinstance(value, list) and len(value) <= _MOST_ITEMS
    if not sound or not all(_is_entry(each) for each in value):
        raise _wrong(f'a list of at most {_MOST_ITEMS} {{"id": …, "text": …}} is needed', f"{EXTENSION}.memory")
    # Before the model server is asked: what memory would refuse is no matter of its answer.
    made = [entry_of({"id": each["id"], "text": each["text"]}, where=f"{EXTENSION}.memory") for each in value]
    if len({each.id for each in made}) < len(made):
        raise _wrong("an id is given twice", f"{EXTENSION}.memory")
    return [MemoryEntry(each.id, each.text) for each in made]


def _is_entry(each: object) -> bool:
    return isinstance(each, dict) and isinstance(each.get("id"), str) and isinstance(each.get("text"), str)


def _day(given: Mapping[str, Any]) -> date | None:
    value = _text(given, "as_of")
    if value is None:
        return None
    try:
        # The form first: other ways to write a day (2026-W05) are none of JSON's.
        return date.fromisoformat(value if _DAY.fullmatch(value) else "")
    except ValueError as fault:
        raise _wrong("a day such as 2026-01-31 is needed", f"{EXTENSION}.as_of") from fault


def _wrong(message: str, param: str) -> Refused:
    return Refused(400, f"`{param}`: {message}", code="invalid_request", param=param)
