"""Answers that are checked while they arrive: the same text and report as whole ones, whatever the chunks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_kb import SHAPES, write_kb

from imprimatur import oracle as oracle_module
from imprimatur.errors import UsageError
from imprimatur.oracle import Oracle
from imprimatur.policy import ABSTENTION_TEXT, load
from imprimatur.stream import Gate

#: For a check that is compared with another: late in its time it reads without the parser, which loads slowly on a busy
#: machine, and says so.
_AMPLE = 600
_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small knowledge base with its shapes."""
    return write_kb(tmp_path_factory.mktemp("brooks"), shapes=SHAPES)


@pytest.fixture(scope="module")
def oracle(folder: Path) -> Oracle:
    """Its oracle under the strict policy."""
    return Oracle.from_folder(folder)


_SENTENCES = (
    f"{_TRUE} ",
    f"{_FALSE} ",
    "It flows through Bree. ",
    "- Oak Brook is 30 km long.\n",
    "- Elm Brook is **14 km** long.\n",
    "# Elm Brook\n\n",
    "| Brook | Length |\n|---|---|\n| Elm Brook | 12 km |\n| Oak Brook | 7 km |\n\n",
    "Is it long? ",
    "Elm Brook flows through Arden, Corfe and Bree. ",
    "🇫🇷❤️ e\u0301 \r\n",
    "**Elm Brook** flows into Oak Brook. ",
    "These are they:\n\n",
    "```\nElm Brook is 14 km long.\n```\n",
)
_answers = st.lists(st.sampled_from(_SENTENCES), max_size=7).map("".join)


def _chunks(text: str, sizes: list[int]) -> list[str]:
    found, at, n = [], 0, 0
    while at < len(text):
        found.append(text[at : at + sizes[n % len(sizes)]])
        at += sizes[n % len(sizes)]
        n += 1
    return found


@settings(max_examples=120, deadline=None)
@given(
    _answers,
    st.sampled_from(["strict", "redact", "correct", "annotate"]),
    st.lists(st.integers(1, 12), min_size=1, max_size=5),
    st.sampled_from(["hold", "buffer"]),
)
def test_any_chunks_give_the_same(oracle: Oracle, answer: str, policy: str, sizes: list[int], mode: str) -> None:
    """What comes out of any cutting is, put together, what a check of the whole releases; so is the report."""
    whole = oracle.check(answer, policy=load(policy), seconds=_AMPLE)
    gate = oracle.gate(policy=load(policy), mode=mode, seconds=_AMPLE)
    shown = [gate.feed(chunk) for chunk in _chunks(answer, sizes)]
    assert mode == "hold" or not any(shown)
    assert "".join([*shown, gate.finish()]) == whole.decision.text
    assert gate.report is not None
    assert gate.report.to_dict() == whole.to_dict()


def test_as_soon_as_it_is_settled(oracle: Oracle) -> None:
    """A licensed sentence is shown with the first word of the next; a failing one never, and what follows neither."""
    gate = oracle.gate()
    assert gate.feed(f"{_TRUE} ") == ""
    assert gate.feed("Elm") == f"{_TRUE} "
    assert gate.feed(" Brook is 14 km long.") == ""
    assert not gate.blocked
    assert gate.feed(" Oak") == ABSTENTION_TEXT
    assert gate.blocked
    assert gate.feed(f" Brook is 30 km long. {_TRUE}") == gate.finish() == ""


def test_a_heading_waits(oracle: Oracle) -> None:
    """A heading is shown only when something below it is."""
    redact = load("redact")
    gate = oracle.gate(policy=redact)
    assert [gate.feed(f"# Elm Brook\n\n{_FALSE}\n\n"), gate.feed(f"{_FALSE}\n\n"), gate.feed(f"{_TRUE}\n\n")] == [
        ""
    ] * 3
    assert gate.feed("Oak Brook is 30 km long.") == ""
    assert gate.finish() == f"# Elm Brook\n\n{_TRUE}\n\nOak Brook is 30 km long."


@pytest.mark.parametrize("mode", ["audit", "shadow"])
def test_watching_changes_nothing(oracle: Oracle, mode: str) -> None:
    """In audit and shadow everything is shown at once, and the report says what would be done."""
    gate = oracle.gate(mode=mode)
    chunks = [_TRUE, " ", _FALSE]
    assert [gate.feed(chunk) for chunk in chunks] == chunks
    assert gate.finish() == ""
    assert gate.report is not None
    assert (gate.report.decision.kind, gate.report.summary) == ("abstained", "contradicted")


def test_streams(oracle: Oracle) -> None:
    """Streams are drawn like any other iterator, synchronously and not; a blocked one draws no further chunk."""
    drawn: list[str] = []

    def chunks() -> list[str]:
        return [f"{_TRUE} ", _FALSE, " It", " is", " lovely", " there."]

    def noted() -> object:
        for chunk in chunks():
            drawn.append(chunk)
            yield chunk

    stream = oracle.stream(noted())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not ended"):
        assert stream.report
    assert "".join(stream) == f"{_TRUE} {ABSTENTION_TEXT}"
    assert drawn == chunks()[:3]
    assert stream.report.summary == "contradicted"

    async def gathered() -> tuple[str, str]:
        async def arriving() -> AsyncIterator[str]:
            for chunk in chunks():
                yield chunk

        later = oracle.astream(arriving(), policy=load("redact"))
        return "".join([piece async for piece in later]), later.report.summary

    assert asyncio.run(gathered()) == (
        oracle.check("".join(chunks()), policy=load("redact")).decision.text,
        "contradicted",
    )


def test_finished(oracle: Oracle) -> None:
    """A finished answer takes nothing more, and ends only once."""
    gate = oracle.gate()
    gate.feed(_TRUE)
    assert (gate.finish(), gate.finish()) == (_TRUE, "")
    with pytest.raises(UsageError, match="finished"):
        gate.feed("x")


def test_size_limit(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands behind the size limit is not examined, in a stream as in a whole text."""
    monkeypatch.setattr(oracle_module, "MOST_CHARACTERS", 60)
    answer = f"{_TRUE} {_TRUE} {_TRUE} {_TRUE}"
    gate = oracle.gate(policy=load("redact"), seconds=_AMPLE)
    shown = [gate.feed(chunk) for chunk in _chunks(answer, [7])]
    assert "".join([*shown, gate.finish()]) == f"{_TRUE} {_TRUE} "
    assert gate.report is not None
    assert gate.report.to_dict() == oracle.check(answer, policy=load("redact"), seconds=_AMPLE).to_dict()


def test_waiting_is_no_checking(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the time of checking counts; when it is up nothing more is licensed."""
    now = [0.0]
    monkeypatch.setattr("imprimatur.clock.time.monotonic", lambda: now[0])
    gate = oracle.gate(seconds=5)
    gate.feed(f"{_TRUE} ")
    now[0] += 3600
    assert gate.feed("Oak") == f"{_TRUE} "
    late = oracle.gate(seconds=0)
    late.feed(_TRUE)
    assert late.finish() == ABSTENTION_TEXT


_CANCELLED = f"{_TRUE} It flows through Bree. {_FALSE} Oak Brook is 30 km long. {_TRUE}"


@pytest.mark.parametrize("policy", ["strict", "redact", "correct"])
def test_cancelled_at_any_moment(oracle: Oracle, monkeypatch: pytest.MonkeyPatch, policy: str) -> None:
    """However far a look-up was when it was cancelled: the report is whole, and says what had been shown."""
    monkeypatch.setattr("imprimatur.drive._immediate", lambda batch: False)

    async def run(last: int) -> tuple[bool, str, Gate]:
        asked = 0

        async def answered(work: Callable[..., Any], *given: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked > last:
                raise asyncio.CancelledError
            return work(*given)

        monkeypatch.setattr(asyncio, "to_thread", answered)
        gate, shown = oracle.gate(policy=load(policy)), ""
        try:
            for chunk in _chunks(_CANCELLED, [9]):
                shown += await gate.afeed(chunk)
            return True, shown + await gate.afinish(), gate
        except asyncio.CancelledError:
            return False, shown, gate

    for last in range(100):
        done, shown, gate = asyncio.run(run(last))
        report = gate.abandon() if not done else gate.report
        assert report is not None
        assert _CANCELLED.startswith(report.answer)
        assert report.decision.text.startswith(shown)
        assert sum(report.accounting.values()) == len(report.segments)
        assert [segment.end for segment in report.segments[:-1]] == [segment.start for segment in report.segments[1:]]
        assert report.segments[-1].end == len(report.answer)
        assert "14 km" not in report.decision.text
        if done:
            assert last > 3
            return
    raise AssertionError("the answer never came to its end")


def test_a_long_chunk(oracle: Oracle) -> None:
    """A long chunk gives the same, and others get their turn while it is checked."""
    text = f"{_TRUE} It flows through Bree. Oak Brook is 30 km long.\n\n" * 60
    turns = 0

    async def waiting() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def run() -> str:
        gate = oracle.gate()
        other = asyncio.create_task(waiting())
        shown = await gate.afeed(text) + await gate.afinish()
        other.cancel()
        return shown

    assert asyncio.run(run()) == oracle.check(text).decision.text == text
    assert turns > 3
