"""A sentence about the Volga, cut at every place: within its number, its characters, its marks and its bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from case_worlds import CASES, oracle_of
from hypothesis import given, settings
from hypothesis import strategies as st
from serve_fixtures import serving

from imprimatur.oracle import Oracle
from imprimatur.policy import ABSTENTION_TEXT, load
from imprimatur.serve.events import EventReader
from imprimatur.serve.settings import Settings, Upstream
from imprimatur.testing import ScriptedServer, say

pytest.importorskip("httpx2", reason="the extra `serve` is not installed")
openai = pytest.importorskip("openai", reason="the extra `models` is not installed")

VOLGA = "The Volga is 3,531 km long 🙂."
VOLGA_WRONG = "The Volga is 3,541 km long 🙂."


def _cuts(text: str) -> Iterator[tuple[str, str]]:
    for at in range(len(text) + 1):
        yield text[:at], text[at:]


def _rivers() -> Oracle:
    return oracle_of("rivers")


@pytest.mark.parametrize("said", [VOLGA, VOLGA.replace("3,531 km", "**3,531 km**"), VOLGA.replace("🙂", "👩‍👩‍👧‍👦")])
@pytest.mark.parametrize("policy", ["strict", "redact", "correct"])
def test_the_volga_in_two(said: str, policy: str) -> None:
    """Cut into two at any place, a true sentence comes out as it is and a false one not at all."""
    wrong = said.replace("3,531", "3,541")
    whole = {text: _rivers().check(text, policy=load(policy)).decision.text for text in (said, wrong)}
    assert whole[said] == said
    for text, expected in whole.items():
        for one, other in _cuts(text):
            gate = _rivers().gate(policy=load(policy))
            shown = [gate.feed(one), gate.feed(other), gate.finish()]
            assert "".join(shown) == expected
            assert "3,541" not in "".join(shown)
            assert text == said or "3,5" not in shown[0]


_sizes = st.lists(st.integers(1, 6), min_size=1, max_size=12)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([VOLGA, VOLGA_WRONG, VOLGA.replace("3,531 km", "**3,531 km**")]), min_size=1, max_size=3),
    st.sampled_from(["strict", "redact", "correct"]),
    _sizes,
)
def test_the_volga_in_any_bytes(sentences: list[str], policy: str, sizes: list[int]) -> None:
    """Cut anywhere in its bytes, within a character too, what comes out is what comes out of the whole."""
    text = " ".join(sentences)
    expected = _rivers().check(text, policy=load(policy)).decision.text
    reader, gate = EventReader(), _rivers().gate(policy=load(policy))
    wire = b"".join(b"data: %b\n\n" % json.dumps({"t": char}, ensure_ascii=False).encode() for char in text)
    wire = wire.replace("🙂".encode(), b"\\ud83d\\ude42") if len(sizes) % 2 else wire
    shown, at, n = "", 0, 0
    while at < len(wire):
        for data in reader.feed(wire[at : at + sizes[n % len(sizes)]]):
            shown += gate.feed(json.loads(data)["t"])
        at, n = at + sizes[n % len(sizes)], n + 1
    assert shown + gate.finish() == expected
    assert "3,541" not in expected


def test_the_volga_through_the_gateway() -> None:
    """Through the gateway, cut or torn at every place, within characters too, the text comes out the same."""
    dice = random.Random(11)
    said = f"{VOLGA} The Volga is **3,531 km** long."
    parts: list[Any] = [say(said).torn(width) for width in range(1, 12)]
    parts += [say(said).pieces(one, other) for one, other in _cuts(said) if one and other]
    parts += [say(said.replace("3,531 km**", "3,541 km**")).torn(dice.randint(1, 9)) for _ in range(10)]
    upstream_of: Any = iter(parts)
    with ScriptedServer(lambda _: next(upstream_of)) as server:
        upstream = Upstream(base_url=server.url, seconds=10)
        bases = (("rivers", str(CASES / "worlds" / "rivers")),)
        with (
            serving(Settings(knowledge_bases=bases, upstream=upstream)) as url,
            openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client,
        ):
            asked: Any = [{"role": "user", "content": "x"}]
            for n in range(len(parts)):
                stream = client.chat.completions.create(model="m", stream=True, messages=asked)
                shown = "".join(choice.delta.content or "" for chunk in stream for choice in chunk.choices)
                assert shown == (said if n < len(parts) - 10 else f"{VOLGA} {ABSTENTION_TEXT}")
