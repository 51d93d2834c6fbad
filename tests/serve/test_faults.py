"""Random faults of the model server: every call ends well formed, none is licensed by a fault, all are recorded."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting

from imprimatur.ledger import Ledger
from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.testing import Reply, ScriptedServer, fail, garbled, raw, say
from imprimatur.testing.script import Request

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."
_EVENTS = "text/event-stream"
_AT_ONCE = 24


def _reply(request: Request) -> Reply:
    """A reply for the number that a request asks for: a proper one, or one of many faults."""
    dice = random.Random(request.prompt)
    text = " ".join(dice.choice((_TRUE, _TRUE, _FALSE, "It flows through Bree.")) for _ in range(dice.randint(1, 3)))
    proper = say(text).pieces(size=dice.randint(1, 9))
    return dice.choice(
        (
            proper,
            proper,
            proper.also(_TRUE),
            proper.cut(dice.randint(0, len(text))),
            proper.breaking(),
            proper.endless(),
            proper.torn(dice.randint(1, 7)),
            fail(dice.choice((400, 401, 403, 404, 408, 418, 429, 500, 502, 503))),
            garbled(),
            say(""),
            raw(b"", status=200),
            raw(b"[]"),
            raw(b"{}"),
            raw(b'{"choices": 7}'),
            raw(b'{"choices": [7, {"message": 3}, {}]}'),
            raw(b"data: {\n\n", content_type=_EVENTS),
            raw(b'data: {"choices": [{"delta": 5}, {"delta": {"content": 7}}]}\n\n', content_type=_EVENTS),
            raw(b"data: [DONE]\n\n", content_type=_EVENTS),
            raw(b"\xff\xfe\x00", content_type=_EVENTS),
            raw(b"<html>gone</html>", content_type="text/html", status=dice.choice((200, 302, 504))),
        )
    )


def _sound(response: Any, *, stream: bool) -> tuple[str, int]:
    """The text that a reply shows, and its number of choices; fails where it is not well formed."""
    if response.status_code != 200:
        error = response.json()["error"]
        assert {"message", "type", "param", "code"} == error.keys()
        assert error["message"]
        return "", 0
    if not stream:
        found = response.json()
        assert "imprimatur" in found
        shown = [choice["message"]["content"] for choice in found["choices"]]
        return "\n".join(shown), len(shown)
    frames = [line.removeprefix("data: ") for line in response.text.split("\n") if line]
    assert frames.pop() == "[DONE]"
    values = [json.loads(frame) for frame in frames]
    texts: dict[int, str] = {}
    ended: set[int] = set()
    for value in values:
        for choice in value.get("choices", ()):
            assert choice["index"] not in ended
            texts[choice["index"]] = texts.get(choice["index"], "") + choice["delta"].get("content", "")
            if choice["finish_reason"]:
                ended.add(choice["index"])
    failed = bool(values) and "error" in values[-1]
    assert failed or ended == texts.keys()
    return "\n".join(texts.values()), len(texts)


async def _calls(url: str, numbers: range) -> list[tuple[str, int, int]]:
    limits = httpx2.Limits(max_connections=_AT_ONCE)
    turn = asyncio.Semaphore(_AT_ONCE)  # the client's pool looks at every call that waits whenever one has ended
    async with httpx2.AsyncClient(timeout=httpx2.Timeout(60, pool=None), limits=limits, trust_env=False) as client:

        async def one(number: int) -> tuple[str, int, int]:
            stream = number % 2 == 0
            ask = {"model": "m", "stream": stream, "messages": [{"role": "user", "content": str(number)}]}
            async with turn:
                response = await client.post(f"{url}/v1/chat/completions", json=ask)
            return (*_sound(response, stream=stream), response.status_code)

        return await asyncio.gather(*(one(number) for number in numbers))


#: 300 at once, and in four parts, which may run beside each other, 10,000.
_NUMBERS = [
    range(300),
    *(pytest.param(range(first, first + 2500), marks=pytest.mark.slow) for first in (300, 2800, 5300, 7800)),
]


@pytest.mark.parametrize("numbers", _NUMBERS, ids=str)
def test_random_faults(gateway: Starting, tmp_path: Path, numbers: range) -> None:
    """Whatever the server does: replies are well formed, nothing false or cut off is shown, reports are recorded."""
    with ScriptedServer(_reply) as server:
        url = gateway(server, ledger=tmp_path / "ledger.sqlite")
        found = asyncio.run(_calls(url, numbers))
    assert {status for _, _, status in found} >= {200, 400, 429, 502}
    for shown, _, _ in found:
        for text in shown.split("\n"):
            left = text.removesuffix(ABSTENTION_TEXT).strip()
            for sentence in left.replace(".", ".\n").split("\n"):
                assert sentence.strip() in ("", _TRUE, "It flows through Bree."), text
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert ledger.verify().faults == ()
        assert ledger.verify().count == sum(choices for _, choices, _ in found)
