"""Reads what a server that speaks OpenAI's protocol answered: strictly, whatever stands in it.

Invariants: what is not a completion, a chunk of one, or vectors raises ``ModelFailed``, and never anything else;
nothing of a bad answer is repeated in the error.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from imprimatur.errors import ModelFailed
from imprimatur.models.asking import Completion, Usage

__all__ = ["Chunk", "chunk", "completion", "error", "parsed", "vectors"]

#: Text, why it ended ("" where it did not), a refusal, and usage, as far as a chunk has them.
Chunk = tuple[str, str, str, Usage | None]
_SHAPES = (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError)


def parsed(body: bytes) -> Any:
    """The JSON of a body."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        pass
    raise _nonsense()


def completion(body: Any) -> Completion:
    """The completion that a JSON value is."""
    try:
        choice = body["choices"][0]
        message = choice["message"]
        text, refusal, finish = message.get("content"), message.get("refusal"), choice.get("finish_reason")
        usage = _usage(body)
    except _SHAPES:
        raise _nonsense() from None
    if not isinstance(text, str | None) or not isinstance(refusal, str | None) or not isinstance(finish, str | None):
        raise _nonsense()
    return Completion(text=_clean(text), finish=finish or "stop", refusal=refusal or "", usage=usage)


def chunk(body: Any) -> Chunk:
    """The parts of a chunk."""
    try:
        choices = body.get("choices") or []
        delta = (choices[0].get("delta") or {}) if choices else {}
        finish = choices[0].get("finish_reason") if choices else None
        text, refusal = delta.get("content"), delta.get("refusal")
        usage = _usage(body)
    except _SHAPES:
        raise _nonsense() from None
    if not isinstance(text, str | None) or not isinstance(refusal, str | None) or not isinstance(finish, str | None):
        raise _nonsense()
    return _clean(text), finish or "", refusal or "", usage


def vectors(body: Any, count: int) -> list[tuple[float, ...]]:
    """So many vectors, in the order of the texts."""
    try:
        rows = sorted(body["data"], key=lambda row: int(row["index"]))
        found = [tuple(float(each) for each in row["embedding"]) for row in rows]
        numbers = [row["index"] for row in rows]
    except (*_SHAPES, OverflowError):
        raise _nonsense("vectors") from None
    sizes = {len(each) for each in found}
    if numbers != list(range(count)) or len(sizes) > 1 or 0 in sizes:
        raise _nonsense("vectors")
    if not all(math.isfinite(each) for vector in found for each in vector):
        raise _nonsense("vectors")
    return found


def error(body: object) -> Mapping[str, Any]:
    """The object that says what is wrong with a request; empty where there is none."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _usage(body: Any) -> Usage | None:
    told = body.get("usage")
    if not isinstance(told, Mapping):
        return None
    counts = [told.get(name) for name in ("prompt_tokens", "completion_tokens")]
    if not all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in counts):
        return None
    return Usage(*counts)  # type: ignore[arg-type]


def _clean(text: str | None) -> str:
    """The text without halves of surrogate pairs, which no output can carry."""
    return (text or "").encode("utf-8", "replace").decode("utf-8")


def _nonsense(kind: str = "completion") -> ModelFailed:
    what = "no vectors" if kind == "vectors" else "no completion"
    return ModelFailed(f"answered with something that is {what}", hint="does the address lead to a model's server?")
