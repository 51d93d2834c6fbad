"""The JSON of OpenAI's Responses interface: whole responses, and the events of streamed ones.

Invariants: the numbers of a stream's events go up one by one; the texts of ``…done`` events are what the deltas make
together; nothing depends on the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from imprimatur.testing.replies import Completion, Delivery
from imprimatur.testing.script import Request
from imprimatur.testing.wire import pieces_of

__all__ = ["response", "response_events"]

_CREATED = 1_700_000_000


def response(said: Completion, request: Request, number: int) -> dict[str, Any]:
    """The whole response with what the assistant says."""
    output = [_item(each, number, n) for n, each in enumerate(_said(said))]
    return {**_head(request, number), "status": "completed", "output": output, **said.extra}


def response_events(
    said: Completion, request: Request, number: int, delivery: Delivery
) -> Iterator[tuple[dict[str, Any], int]]:
    """The events of a streamed response, each with the number of characters of text that were sent with it."""
    sent = 0
    for count, (event, size) in enumerate(_events(said, request, number, delivery)):
        sent += size
        yield {**event, "sequence_number": count}, sent


def _events(
    said: Completion, request: Request, number: int, delivery: Delivery
) -> Iterator[tuple[dict[str, Any], int]]:
    started = {**_head(request, number), "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": started}, 0
    for n, each in enumerate(_said(said)):
        whole = _item(each, number, n)
        opened = {**whole, "status": "in_progress"} | ({"content": []} if "content" in whole else {})
        yield {"type": "response.output_item.added", "output_index": n, "item": opened}, 0
        if "content" in whole:
            yield from _text_events(whole, n, delivery)
        yield {"type": "response.output_item.done", "output_index": n, "item": whole}, 0
    if delivery.error is None:
        yield {"type": "response.completed", "response": response(said, request, number)}, 0
    else:
        yield {"type": "error", "code": "server_error", "message": delivery.error, "param": None}, 0


def _text_events(item: dict[str, Any], number: int, delivery: Delivery) -> Iterator[tuple[dict[str, Any], int]]:
    place = {"item_id": item["id"], "output_index": number, "content_index": 0}
    part = item["content"][0]
    kind, text = ("refusal", part["refusal"]) if part["type"] == "refusal" else ("output_text", part["text"])
    empty = {**part, "refusal" if kind == "refusal" else "text": ""}
    yield {"type": "response.content_part.added", **place, "part": empty}, 0
    more: dict[str, Any] = {} if kind == "refusal" else {"logprobs": []}
    for piece in pieces_of(text, delivery):
        yield {"type": f"response.{kind}.delta", **place, "delta": piece, **more}, len(piece)
    done = {"refusal": text} if kind == "refusal" else {"text": text}
    yield {"type": f"response.{kind}.done", **place, **done, **more}, 0
    yield {"type": "response.content_part.done", **place, "part": part}, 0


def _said(said: Completion) -> list[dict[str, Any]]:
    """What is said, piece by piece: texts, a refusal, calls."""
    parts: list[dict[str, Any]] = []
    if said.refusal is not None:
        parts.append({"type": "refusal", "refusal": said.refusal})
    elif said.text is not None:
        parts += [{"type": "output_text", "text": text, "annotations": [], "logprobs": []} for text in _texts(said)]
    calls = [{"type": "function_call", "name": each.name, "arguments": each.arguments} for each in said.calls]
    return [*parts, *calls]


def _texts(said: Completion) -> tuple[str, ...]:
    return (said.text or "", *said.others)


def _item(part: dict[str, Any], number: int, index: int) -> dict[str, Any]:
    if part["type"] == "function_call":
        return {**part, "id": f"fc-{number}-{index}", "call_id": f"call-{number}-{index}", "status": "completed"}
    made = {"type": "message", "id": f"msg-{number}-{index}", "role": "assistant", "status": "completed"}
    return {**made, "content": [part]}


def _head(request: Request, number: int) -> dict[str, Any]:
    return {
        "id": f"resp-scripted-{number}",
        "object": "response",
        "created_at": _CREATED + number,
        "model": request.model or "scripted",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
    }
