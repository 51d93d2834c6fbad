"""Rows of a batch: one JSON object a line, read strictly enough that nothing is judged that was not meant.

A row is ``{id, answer, question?, messages?, context?: [passage], memory?: [{id, text}]}``, or has, in place of
``answer``, ``claims: [{text, kind: memory | inference, citations: [id]}]``. Other keys (a gold label) are left alone.
Invariants: a row that cannot be read raises InputError that names the key; nothing else is raised for any bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from imprimatur.answer import MemoryEntry, Message
from imprimatur.cli.session import OracleLike
from imprimatur.errors import InputError
from imprimatur.report import Report
from imprimatur.tagged import TaggedClaim

__all__ = ["Row", "parse_row", "row_id", "row_of"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One call: an answer, or tagged claims, with what came with it."""

    id: str | int
    answer: str | None
    claims: tuple[TaggedClaim, ...]
    question: str | None
    messages: tuple[Message, ...]
    context: tuple[str, ...]
    memory: tuple[MemoryEntry, ...]

    def judge(self, oracle: OracleLike) -> Report:
        """The oracle's report on it."""
        if self.answer is None:
            return oracle.check_claims(
                self.claims, self.question, self.context, messages=self.messages, memory=self.memory
            )
        return oracle.check(self.answer, self.question, self.context, messages=self.messages, memory=self.memory)


def row_id(line: bytes) -> Any:
    """The row's id as far as one can be made out, else None: for the error line of a row that cannot be read."""
    try:
        value = json.loads(line).get("id")
    except (ValueError, RecursionError, AttributeError):
        return None
    return value if isinstance(value, str | int) else None


def parse_row(line: bytes) -> Row:
    """The row that a line holds.

    Raises:
        InputError: not JSON, not an object, or a key that is missing or of the wrong type.
    """
    try:
        values = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not a line of JSON: {str(fault)[:200]}") from fault
    return row_of(values)


def row_of(values: object) -> Row:
    """The row that a JSON value is.

    Raises:
        InputError: not an object, or a key that is missing or of the wrong type.
    """
    if not isinstance(values, dict):
        raise InputError("not a JSON object", hint='a row looks like {"id": "1", "answer": "…"}')
    if ("answer" in values) == ("claims" in values):
        raise InputError("give either `answer` or `claims`")
    return Row(
        id=_id(values, "id"),
        answer=_text(values, "answer") if "answer" in values else None,
        claims=_each(values, "claims", _claim),
        question=_optional(values, "question"),
        messages=_each(values, "messages", lambda item: Message(_text(item, "role"), _text(item, "content"))),
        context=_each(values, "context", _passage),
        memory=_each(values, "memory", lambda item: MemoryEntry(str(_id(item, "id")), _text(item, "text"))),
    )


def _object(item: Any) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise InputError("expected a JSON object")
    return item


def _text(values: Any, key: str) -> str:
    value = _object(values).get(key)
    if not isinstance(value, str):
        raise InputError(f"`{key}` must be a text")
    return value


def _optional(values: dict[str, Any], key: str) -> str | None:
    return None if values.get(key) is None else _text(values, key)


def _id(values: Any, key: str) -> str | int:
    value = _object(values).get(key)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise InputError(f"`{key}` must be a text or a whole number")
    return value


def _each(values: dict[str, Any], key: str, read: Callable[[Any], T]) -> tuple[T, ...]:
    items = values.get(key)
    if items is None:
        return ()
    if not isinstance(items, list):
        raise InputError(f"`{key}` must be a list")
    made = []
    for index, item in enumerate(items):
        try:
            made.append(read(item))
        except InputError as fault:
            raise InputError(f"`{key}[{index}]`: {fault.message}") from fault
    return tuple(made)


def _passage(item: Any) -> str:
    if not isinstance(item, str):
        raise InputError("a passage must be a text")
    return item


def _claim(item: Any) -> TaggedClaim:
    kind = _object(item).get("kind", "memory")
    if kind not in ("memory", "inference"):
        raise InputError("`kind` must be memory or inference")
    citations = _each(item, "citations", lambda entry: str(_id({"id": entry}, "id")))
    return TaggedClaim(text=_text(item, "text"), kind=kind, citations=citations)
