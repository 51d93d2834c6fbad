"""However a model server cuts its text into chunks, what is released is what is released of the whole."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from imprimatur.oracle import Oracle
from imprimatur.policy import Policy, load
from imprimatur.serve.choice import StreamedChoice

_SENTENCES = (
    "Elm Brook is 12 km long. ",
    "Elm Brook is 12,000 m long 🙂. ",
    "Elm Brook is **14 km** long. ",
    "It flows through Bree. ",
    "It is 1,234 km long 👩‍👩‍👧‍👦. ",
    "- Oak Brook is 30 km long.\n",
    "- Elm Brook is 14 km long. It flows through Arden.\n",
    "## Elm Brook 🇫🇷\n\n",
    "| Brook | Length |\n|---|---|\n| Elm Brook | 12 km |\n| Oak Brook | 7 km |\n\n",
    "Elm Brook flows through Arden, Corfe and Bree. ",
    "> Oak Brook is 3 km long, e\u0301 \r\n\r\n",
    "```\nElm Brook is 14 km long.\n```\n",
    "Here they are:\n\n",
    "1. Elm Brook flows into Oak Brook.\n2. Elm Brook flows into Fir Brook.\n",
)
_POLICIES = ("strict", "redact", "correct", "annotate")


def _cut(text: str, dice: random.Random) -> list[str]:
    """The text in random pieces; characters beyond U+FFFF may be cut in half, as JSON escapes allow."""
    halves = text.encode("utf-16-le", "surrogatepass")
    units = [halves[n : n + 2].decode("utf-16-le", "surrogatepass") for n in range(0, len(halves), 2)]
    most = dice.choice((1, 2, 4, 9, 40))
    found = []
    while units:
        size = dice.randint(1, most)
        found.append("".join(units[:size]))
        del units[:size]
    return found


async def _released(oracle: Oracle, policy: Policy, pieces: list[str]) -> str:
    state = StreamedChoice(0, oracle.gate(policy=policy))
    out: list[dict[str, Any]] = []
    for piece in pieces:
        out += await state.take({"index": 0, "delta": {"content": piece}, "finish_reason": None})
    out += await state.take({"index": 0, "delta": {}, "finish_reason": "stop"})
    assert out[-1]["finish_reason"] in ("stop", "content_filter")
    assert [each["finish_reason"] for each in out[:-1]] == [None] * (len(out) - 1)
    return "".join(each["delta"].get("content", "") for each in out)


#: How many, and the seed; 5,000 in four parts, which may run beside each other.
_CUTS = [(60, 7), *(pytest.param(1250, seed, marks=pytest.mark.slow) for seed in (8, 9, 10, 11))]


@pytest.mark.parametrize(("times", "seed"), _CUTS)
def test_random_cuts(brooks: Path, times: int, seed: int) -> None:
    """Thousands of random cuts of texts with emoji, tables, numbers and markdown release the same, and leak nothing."""
    dice = random.Random(seed)
    oracle = Oracle.from_folder(brooks)
    policies = [load(name) for name in _POLICIES]
    for _ in range(times // 10):
        text = "".join(dice.choice(_SENTENCES) for _ in range(dice.randint(1, 4)))
        policy = dice.choice(policies)
        whole = oracle.check(text, policy=policy).decision.text
        for _ in range(10):
            pieces = _cut(text, dice)
            assert asyncio.run(_released(oracle, policy, pieces)) == whole, (text, policy.name, pieces)
        if policy.name != "annotate":
            assert "14 km" not in whole.replace("```\nElm Brook is 14 km long.\n```", "")
