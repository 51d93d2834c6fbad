"""``python -m imprimatur.evals.bench_gateway``: what the gate costs a stream, beside the same proxy without it.

A model server of this module streams answers at a fixed pace, in a process of its own; the gateway runs in another,
once with the gate and once with a pass in its place, and a client draws many streams at once. Printed are ratios of two
things measured in one run: the time to the first licensed sentence, the throughput, and the latency that is added.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import re
import resource
import socket
import statistics
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from imprimatur.serve.settings import usual_workers

__all__ = ["main"]

#: True of the bundled rivers, so that everything is licensed and every byte has to arrive.
_SENTENCES = (
    "The Ohoopee River is 192 km long.",
    "It is a tributary of the Altamaha River.",
    "Abadi Creek is located in California.",
    "From source to mouth, the Yellow River (Pensacola Bay) measures 190 km.",
    "The Clarion River feeds the Allegheny River.",
    "The watershed of Taques Creek has an area of 12.8 km².",
    "Pine Run (Neshannock Creek tributary) drains to Neshannock Creek.",
    "The length of the West Branch Warner River is 10.5 km.",
    "The Double Spring Branch is classified as a 1st order tributary.",
    "Coxsackie Creek is 9.8 miles long, and the Negukthlik River is located in Alaska.",
    "The Heart River (North Dakota) is 180 miles long.",
)
#: About as tokenizers for language models cut English: a word with the space before it, longer ones in several pieces.
_TOKEN = re.compile(r" ?[A-Za-z]{1,6}| ?[0-9]{1,3}|.", re.DOTALL)
_ASKED = "Tell me of rivers, number "


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One stream as the client saw it: its number, seconds to the first sentence and to the end, and its text."""

    number: int
    first: float
    whole: float
    text: str


def _tokens(number: int, count: int) -> list[str]:
    """The tokens of a stream: true sentences up to so many tokens, each number from another one on."""
    found: list[str] = []
    at = number
    while len(found) < count:
        # "It" is the river before it, wherever the text begins.
        sentence = _SENTENCES[at % len(_SENTENCES)] if found or at % len(_SENTENCES) != 1 else _SENTENCES[0]
        found += _TOKEN.findall(f" {sentence}" if found else sentence)
        at += 1
    return found


def _serve(make: Callable[[], Any], ready: Connection, workers: int) -> None:
    """Serves an application on a free port, which is sent to the other side."""
    from imprimatur.serve.workers import host

    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
        ready.send(listener.getsockname()[1])
        host(make, listener, workers=workers)


def _model(ready: Connection, tokens: int, pause: float) -> None:
    """Serves a model that streams the text that a call's number stands for."""
    _serve(partial(_paced, tokens, pause), ready, 1)


def _paced(tokens: int, pause: float) -> Any:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Route

    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "paced"}

    def frame(delta: Mapping[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return b"data: " + json.dumps({**head, "choices": [choice]}).encode() + b"\n\n"

    async def stream(number: int) -> AsyncIterator[bytes]:
        yield frame({"role": "assistant", "content": ""})
        for token in _tokens(number, tokens):
            yield frame({"content": token})
            await asyncio.sleep(pause)
        yield frame({}, "stop") + b"data: [DONE]\n\n"

    async def answer(request: Request) -> Response:
        asked = (await request.json())["messages"][-1]["content"]
        return StreamingResponse(stream(int(asked.removeprefix(_ASKED))), media_type="text/event-stream")

    async def ready(request: Request) -> Response:
        return Response()

    return Starlette(routes=[Route("/v1/chat/completions", answer, methods=["POST"]), Route("/readyz", ready)])


def _gateway(ready: Connection, upstream: str, kb: str, checked: bool, workers: int) -> None:
    """Serves the gateway, or the same with a pass in place of the gate."""
    _serve(partial(_proxy, f"{upstream}/v1", kb, checked), ready, workers)


def _proxy(upstream: str, kb: str, checked: bool) -> Any:
    from imprimatur.serve import chat
    from imprimatur.serve.app import make_app
    from imprimatur.serve.events import DONE, event
    from imprimatur.serve.settings import Limits, Settings, Upstream

    if not checked:

        async def passing(session: Any, server: Any, body: Mapping[str, Any]) -> AsyncIterator[bytes]:
            async for chunk in server.stream(chat.PATH, body):
                yield event(chunk)
            yield DONE

        chat.stream = passing  # type: ignore[assignment]
    limits = Limits(calls=4096, seconds=60)
    return make_app(Settings(knowledge_bases=((kb, kb),), upstream=Upstream(base_url=upstream), limits=limits))


class _Process:
    """A server in processes of its own, from entering to leaving."""

    def __init__(self, work: Any, *given: Any) -> None:
        self._here, there = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=work, args=(there, *given))

    def __enter__(self) -> str:
        self._process.start()
        if not self._here.poll(120):
            raise RuntimeError("a server did not start")
        return f"http://127.0.0.1:{self._here.recv()}"

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join()

    @property
    def pid(self) -> int:
        """The first process's number."""
        return self._process.pid or 0


async def _draw(url: str, streams: int, pause: float) -> list[Drawn]:
    """What so many streams at once are to a client that opens one after the other, within one token's pause."""
    import httpx2

    limits = httpx2.Limits(max_connections=streams)
    async with httpx2.AsyncClient(timeout=300, limits=limits, trust_env=False) as client:
        await client.get(f"{url}/readyz")

        async def one(number: int) -> Drawn:
            await asyncio.sleep(pause * number / streams)
            began = time.perf_counter()
            first, text = 0.0, ""
            sentence = _SENTENCES[0 if number % len(_SENTENCES) == 1 else number % len(_SENTENCES)]
            asked = [{"role": "user", "content": f"{_ASKED}{number}"}]
            body = {"model": "paced", "stream": True, "messages": asked}
            async with client.stream("POST", f"{url}/v1/chat/completions", json=body) as reply:
                async for line in reply.aiter_lines():
                    if not line.startswith("data: {"):
                        continue
                    for choice in json.loads(line[6:])["choices"]:
                        text += choice["delta"].get("content") or ""
                    if not first and text.startswith(sentence):
                        first = time.perf_counter() - began
            return Drawn(number=number, first=first, whole=time.perf_counter() - began, text=text)

        return await asyncio.gather(*(one(number) for number in range(streams)))


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _memory(pid: int) -> float:
    """The resident memory of a process and those that it started, in MB; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 1e6 + sum(_memory(int(child)) for child in children)


def measure(*, streams: int, tokens: int, pause: float, kb: str, workers: int) -> dict[str, list[Drawn]]:
    """What the client saw, through the gate and past it; every stream must have its own whole text."""
    found: dict[str, list[Drawn]] = {}
    with _Process(_model, tokens, pause) as model:
        for name in ("plain", "checked"):
            process = _Process(_gateway, model, kb, name == "checked", workers)
            with process as url:
                asyncio.run(_draw(url, max(streams // 4, 2), pause))  # what a process meets first, it meets here
                before = _memory(process.pid)
                found[name] = asyncio.run(_draw(url, streams, pause))
                print(f"{name}: memory {before:.0f} MB before, {_memory(process.pid):.0f} MB after")
            lost = [drawn for drawn in found[name] if drawn.text != "".join(_tokens(drawn.number, tokens))]
            print(f"{name}: {streams} streams of {tokens} tokens, {len(lost)} lost, cut or mixed")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.bench_gateway", description=__doc__)
    parser.add_argument("--streams", type=int, default=200, help="streams at once")
    parser.add_argument("--tokens", type=int, default=300, help="tokens of a stream")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between two tokens of the model server")
    parser.add_argument("--kb", default="rivers", help="the knowledge base")
    parser.add_argument("--workers", type=int, default=usual_workers(), help="processes of the gateway")
    given = parser.parse_args(arguments)
    found = measure(streams=given.streams, tokens=given.tokens, pause=given.pause, kb=given.kb, workers=given.workers)
    plain, checked = found["plain"], found["checked"]
    first = statistics.median(d.first for d in checked) / statistics.median(d.first for d in plain)
    rate = max(d.whole for d in plain) / max(d.whole for d in checked)
    print(f"first licensed sentence: {first:.2f} times the same proxy without checking (goal: at most 1.1)")
    print(f"throughput: {rate:.2f} of it (goal: at least 0.8)")
    for name, of in (("first sentence", _first), ("whole stream", _whole)):
        added = [of(a) - of(b) for a, b in zip(checked, plain)]
        print(f"added to the {name}: p50 {_percentile(added, 0.5):.3f} s, p99 {_percentile(added, 0.99):.3f} s")
    return 0


def _first(drawn: Drawn) -> float:
    return drawn.first


def _whole(drawn: Drawn) -> float:
    return drawn.whole


if __name__ == "__main__":
    raise SystemExit(main())
