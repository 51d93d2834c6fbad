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
import resource
import statistics
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

__all__ = ["main"]

#: True of the bundled rivers, so that everything is licensed and every byte has to arrive.
_SENTENCES = (
    "The Ohoopee River is 192 km long. ",
    "It is a tributary of the Altamaha River. ",
    "Abadi Creek is located in California. ",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One stream as the client saw it: seconds to the first sentence and to the end, and its text."""

    first: float
    whole: float
    text: str


def _tokens(count: int) -> list[str]:
    """At least so many tokens of true text: words with their spaces, whole sentences."""
    found: list[str] = []
    while len(found) < count:
        found += [f"{word} " for sentence in _SENTENCES for word in sentence.split()]
    return found


def _serve(app: Any, ready: Connection) -> None:
    """Serves an application on a free port, which is sent to the other side."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", backlog=4096))

    async def run() -> None:
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        ready.send(server.servers[0].sockets[0].getsockname()[1])
        await task

    asyncio.run(run())


def _model(ready: Connection, tokens: int, pause: float) -> None:
    """A model server: every call streams the same tokens."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Route

    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "paced"}

    def frame(delta: Mapping[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return b"data: " + json.dumps({**head, "choices": [choice]}).encode() + b"\n\n"

    frames = [frame({"role": "assistant", "content": ""}), *(frame({"content": token}) for token in _tokens(tokens))]
    frames += [frame({}, "stop"), b"data: [DONE]\n\n"]

    async def stream() -> AsyncIterator[bytes]:
        for each in frames:
            yield each
            await asyncio.sleep(pause)

    async def answer(request: Request) -> Response:
        await request.body()
        return StreamingResponse(stream(), media_type="text/event-stream")

    _serve(Starlette(routes=[Route("/v1/chat/completions", answer, methods=["POST"])]), ready)


def _gateway(ready: Connection, upstream: str, kb: str, checked: bool) -> None:
    """The gateway, or the same with a pass in place of the gate."""
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
    settings = Settings(
        knowledge_bases=((kb, kb),), upstream=Upstream(base_url=upstream), limits=Limits(calls=4096, seconds=60)
    )
    _serve(make_app(settings), ready)


class _Process:
    """A server in a process of its own, from entering to leaving."""

    def __init__(self, work: Any, *given: Any) -> None:
        self._here, there = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=work, args=(there, *given), daemon=True)

    def __enter__(self) -> str:
        self._process.start()
        if not self._here.poll(120):
            raise RuntimeError("a server did not start")
        return f"http://127.0.0.1:{self._here.recv()}/v1"

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid or 0


async def _draw(url: str, streams: int) -> list[Drawn]:
    import httpx2

    body = {"model": "paced", "stream": True, "messages": [{"role": "user", "content": "Tell me of rivers."}]}
    limits = httpx2.Limits(max_connections=streams)
    async with httpx2.AsyncClient(timeout=300, limits=limits, trust_env=False) as client:

        async def one() -> Drawn:
            began = time.perf_counter()
            first, text = 0.0, ""
            async with client.stream("POST", f"{url}/chat/completions", json=body) as reply:
                async for line in reply.aiter_lines():
                    if not line.startswith("data: {"):
                        continue
                    for choice in json.loads(line[6:])["choices"]:
                        text += choice["delta"].get("content") or ""
                    if not first and _SENTENCES[0].strip() in text:
                        first = time.perf_counter() - began
            return Drawn(first=first, whole=time.perf_counter() - began, text=text)

        return await asyncio.gather(*(one() for _ in range(streams)))


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _memory(pid: int) -> float:
    """The resident memory of a process, in MB; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        return 0.0


def measure(*, streams: int, tokens: int, pause: float, kb: str) -> dict[str, list[Drawn]]:
    """What the client saw, through the gate and past it; every stream must have the whole text."""
    whole = "".join(_tokens(tokens))
    found: dict[str, list[Drawn]] = {}
    with _Process(_model, tokens, pause) as model:
        for name in ("plain", "checked"):
            process = _Process(_gateway, model, kb, name == "checked")
            with process as url:
                asyncio.run(_draw(url, 2))
                before = _memory(process.pid)
                found[name] = asyncio.run(_draw(url, streams))
                print(f"{name}: memory {before:.0f} MB before, {_memory(process.pid):.0f} MB after")
            lost = [drawn for drawn in found[name] if drawn.text.strip() != whole.strip()]
            print(f"{name}: {streams} streams of {tokens} tokens, {len(lost)} lost, cut or mixed")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.bench_gateway", description=__doc__)
    parser.add_argument("--streams", type=int, default=200, help="streams at once")
    parser.add_argument("--tokens", type=int, default=300, help="tokens of a stream")
    parser.add_argument("--pause", type=float, default=0.02, help="seconds between two tokens of the model server")
    parser.add_argument("--kb", default="rivers", help="the knowledge base")
    given = parser.parse_args(arguments)
    found = measure(streams=given.streams, tokens=given.tokens, pause=given.pause, kb=given.kb)
    plain, checked = found["plain"], found["checked"]
    first = statistics.median(d.first for d in checked) / statistics.median(d.first for d in plain)
    rate = max(d.whole for d in plain) / max(d.whole for d in checked)
    added = [a.whole - b.whole for a, b in zip(sorted(checked, key=_whole), sorted(plain, key=_whole))]
    print(f"first licensed sentence: {first:.2f} times the same proxy without checking (goal: at most 1.1)")
    print(f"throughput: {rate:.2f} of it (goal: at least 0.8)")
    print(f"added to a whole stream: p50 {_percentile(added, 0.5):.3f} s, p99 {_percentile(added, 0.99):.3f} s")
    return 0


def _whole(drawn: Drawn) -> float:
    return drawn.whole


if __name__ == "__main__":
    raise SystemExit(main())
