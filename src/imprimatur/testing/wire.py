"""The JSON of OpenAI's interface: completions, their chunks, embeddings, models and errors.

Invariants: all chunks of one reply have the same ``id``, ``created`` and ``model``; the first delta has the role; a
chunk with usage has no choices and comes last; nothing depends on the clock.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from imprimatur.testing.replies import Call, Completion, Delivery, Failure, Usage
from imprimatur.testing.script import Request

__all__ = ["Embed", "chunks", "completion", "embeddings", "error", "hashed", "models", "pieces_of"]

Embed = Callable[[str], Sequence[float]]

_CREATED = 1_700_000_000
_WORDS = re.compile(r"\S+\s*|\s+")
_DIMENSIONS = 16


def completion(said: Completion, request: Request, number: int) -> dict[str, Any]:
    """The whole response with what the assistant says."""
    choices = []
    for index, text in enumerate((said.text, *said.others)):
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": said.refusal}
        if said.calls:
            message["tool_calls"] = [_call(each) for each in said.calls]
        logprobs = _logprobs(_WORDS.findall(text or "")) if said.logprobs else None
        choices.append({"index": index, "message": message, "logprobs": logprobs, "finish_reason": _finish(said)})
    usage = _usage(said, request)
    return {**_head("chat.completion", request, number), "choices": choices, "usage": usage, **said.extra}


def chunks(said: Completion, request: Request, number: int, delivery: Delivery) -> Iterator[tuple[dict[str, Any], int]]:
    """The chunks of a streamed response, each with the number of characters of text that were sent with it."""
    head = _head("chat.completion.chunk", request, number)
    wants_usage = _wants_usage(request)
    empty: dict[str, Any] = {"usage": None} if wants_usage else {}

    def chunk(delta: dict[str, Any], finish: str | None = None, *, index: int = 0) -> dict[str, Any]:
        piece = delta.get("content")
        logprobs = _logprobs([piece]) if said.logprobs and piece else None
        choice = {"index": index, "delta": delta, "logprobs": logprobs, "finish_reason": finish}
        return {**head, "choices": [choice], **empty}

    everyone = range(1 + len(said.others))
    for index in everyone:
        yield chunk({"role": "assistant", "content": None if said.calls else ""}, index=index), 0
    sent = 0
    for piece in pieces_of(said.text or "", delivery):
        sent += len(piece)
        yield chunk({"content": piece}), sent
    for index, text in enumerate(said.others, 1):
        for piece in _WORDS.findall(text):
            yield chunk({"content": piece}, index=index), sent
    if said.refusal is not None:
        yield chunk({"refusal": said.refusal}), sent
    for delta in _call_deltas(said.calls):
        yield chunk({"tool_calls": [delta]}), sent
    if delivery.error is None:
        for index in everyone:
            yield {**chunk({}, _finish(said), index=index), **said.extra}, sent
        if wants_usage:
            yield {**head, "choices": [], "usage": _usage(said, request)}, sent


def error(failure: Failure) -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": failure.message, "type": failure.type, "param": None, "code": failure.code}}


def models(names: Sequence[str]) -> dict[str, Any]:
    """The list of models."""
    return {"object": "list", "data": [model(name) for name in names]}


def model(name: str) -> dict[str, Any]:
    """One model."""
    return {"id": name, "object": "model", "created": _CREATED, "owned_by": "script"}


def embeddings(request: Request, embed: Embed | None) -> dict[str, Any]:
    """The vectors of the input's texts, as numbers or base64, as it was asked for."""
    given = request.body.get("input")
    texts = [given] if isinstance(given, str) else list(given) if isinstance(given, list) else []
    size = request.body.get("dimensions")
    dimensions = size if isinstance(size, int) and not isinstance(size, bool) and size > 0 else _DIMENSIONS
    packed = request.body.get("encoding_format") == "base64"
    data = []
    for number, text in enumerate(texts):
        vector = list(embed(str(text)) if embed else hashed(str(text), dimensions))
        data.append({"object": "embedding", "index": number, "embedding": _packed(vector) if packed else vector})
    count = sum(len(_WORDS.findall(str(text))) for text in texts)
    usage = {"prompt_tokens": count, "total_tokens": count}
    return {"object": "list", "data": data, "model": request.model, "usage": usage}


def hashed(text: str, dimensions: int = _DIMENSIONS) -> list[float]:
    """A vector of length one that depends on nothing but the text; it says nothing about what the text means."""
    values: list[float] = []
    while len(values) < dimensions:
        digest = hashlib.sha256(f"{len(values)}\n{text}".encode("utf-8", "surrogatepass")).digest()
        values += [each / 2**31 for each in struct.unpack("<8i", digest)]
    length = math.sqrt(sum(each * each for each in values[:dimensions]))
    return [each / length for each in values[:dimensions]]


def _head(kind: str, request: Request, number: int) -> dict[str, Any]:
    name = request.model or "scripted"
    return {"id": f"chatcmpl-scripted-{number}", "object": kind, "created": _CREATED + number, "model": name}


def _finish(said: Completion) -> str:
    return said.finish or ("tool_calls" if said.calls else "stop")


def _usage(said: Completion, request: Request) -> dict[str, int]:
    """The numbers that the script gives, else those of words."""
    spoken = f"{said.text or ''} {said.refusal or ''} {' '.join(each.arguments for each in said.calls)}"
    used = said.usage or Usage(prompt=len(request.prompt.split()), completion=len(spoken.split()))
    total = used.prompt + used.completion
    return {"prompt_tokens": used.prompt, "completion_tokens": used.completion, "total_tokens": total}


def _wants_usage(request: Request) -> bool:
    options = request.body.get("stream_options")
    return isinstance(options, Mapping) and options.get("include_usage") is True


def pieces_of(text: str, delivery: Delivery) -> Iterator[str]:
    """What a text is streamed in, with a boundary where the connection is to be closed."""
    return _parted(_pieces(text, delivery.pieces), delivery.cut)


def _pieces(text: str, wanted: tuple[str, ...] | int) -> Sequence[str]:
    if isinstance(wanted, tuple):
        return wanted
    if wanted > 0:
        return [text[at : at + wanted] for at in range(0, len(text), wanted)]
    return _WORDS.findall(text)


def _parted(pieces: Sequence[str], at: int | None) -> Iterator[str]:
    """The pieces, with a boundary after so many characters."""
    passed = 0
    for piece in pieces:
        if at is not None and passed < at < passed + len(piece):
            yield piece[: at - passed]
            yield piece[at - passed :]
        else:
            yield piece
        passed += len(piece)


def _logprobs(pieces: Sequence[str]) -> dict[str, Any]:
    """What servers say of how sure the model was: here the same for every piece."""
    content = [
        {"token": piece, "bytes": list(piece.encode("utf-8", "surrogatepass")), "logprob": -0.25, "top_logprobs": []}
        for piece in pieces
    ]
    return {"content": content, "refusal": None}


def _call(made: Call) -> dict[str, Any]:
    return {"id": made.id, "type": "function", "function": {"name": made.name, "arguments": made.arguments}}


def _call_deltas(calls: Sequence[Call]) -> Iterator[dict[str, Any]]:
    """A call's name first, then its arguments in two parts, as servers send them."""
    for number, made in enumerate(calls):
        named = {"name": made.name, "arguments": ""}
        yield {"index": number, "id": made.id, "type": "function", "function": named}
        half = len(made.arguments) // 2
        for part in (made.arguments[:half], made.arguments[half:]):
            yield {"index": number, "function": {"arguments": part}}


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii")
