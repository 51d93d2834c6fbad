"""What OpenTelemetry is told of answers: the tree of spans, events and metrics; no text; nothing that is in the way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="the extra `telemetry` is not installed")

from opentelemetry import trace
from telemetry_fixtures import Told, plain

from imprimatur import Oracle
from imprimatur.observer import UNOBSERVED, Stage
from imprimatur.telemetry import Telemetry
from imprimatur.telemetry.answers import Providers

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."
_STAGES = [f"imprimatur.stage.{stage}" for stage in Stage]
_NAME, _LABEL = "gen_ai.evaluation.name", "gen_ai.evaluation.score.label"


@pytest.fixture
def told() -> Told:
    """Providers that keep what they are told."""
    return Told()


@pytest.fixture
def oracle(brooks: Path, told: Told) -> Oracle:
    """An oracle of whose answers they are told."""
    return Oracle.from_folder(brooks).observed_by(Telemetry(told.providers).answer)


def test_spans_of_a_check(oracle: Oracle, told: Told) -> None:
    """The answer has a span below the caller's; below it each stage has one, with its seconds and runs."""
    tracer = told.traces.get_tracer("application")
    with tracer.start_as_current_span("work") as outer:
        oracle.check(f"{_TRUE} {_FALSE}")
    (check,) = told.spans("imprimatur.check")
    assert check.parent == outer.get_span_context()
    stages = [span for span in told.spans() if span.name in _STAGES]
    assert [span.name for span in stages] == _STAGES
    assert all(span.parent == check.context for span in stages)
    found = plain(check.attributes)
    assert (found["imprimatur.decision"], found["imprimatur.summary"]) == ("abstained", "contradicted")
    assert (found["imprimatur.segments.supported"], found["imprimatur.segments.contradicted"]) == (1, 1)
    runs = [plain(span.attributes)["imprimatur.stage.runs"] for span in stages]
    assert runs[:4] == [1, 2, 2, 2]
    spent = sum(plain(span.attributes)["imprimatur.seconds"] for span in stages)
    assert spent == pytest.approx(found["imprimatur.seconds"])
    for span in stages:
        assert check.start_time is not None
        assert check.end_time is not None
        assert span.start_time is not None
        assert span.end_time is not None
        assert check.start_time <= span.start_time <= span.end_time <= check.end_time
        assert plain(span.attributes)["imprimatur.seconds"] <= (span.end_time - span.start_time) / 1e9


def test_events_of_a_check(oracle: Oracle, told: Told) -> None:
    """There is a result for the answer and for each segment with claims, of the answer's span, by codes and numbers."""
    oracle.check(f"{_TRUE} How long is Oak Brook? {_FALSE}")
    (check,) = told.spans("imprimatur.check")
    assert check.context is not None
    events = told.events()
    assert {event.event_name for event in events} == {"gen_ai.evaluation.result"}
    assert {(event.trace_id, event.span_id) for event in events} == {(check.context.trace_id, check.context.span_id)}
    whole, first, last = (plain(event.attributes) for event in events)
    assert (whole[_NAME], whole[_LABEL], whole["gen_ai.evaluation.score.value"]) == (
        "imprimatur.answer",
        "abstained",
        0.5,
    )
    assert whole["gen_ai.evaluation.explanation"] == "value-mismatch: 1"
    assert (first[_NAME], first[_LABEL], first["gen_ai.evaluation.score.value"]) == (
        "imprimatur.segment",
        "supported",
        1.0,
    )
    assert (last[_LABEL], last["gen_ai.evaluation.score.value"]) == ("contradicted", 0.0)
    assert last["gen_ai.evaluation.explanation"] == "value-mismatch"
    assert (first["imprimatur.segment.index"], last["imprimatur.segment.index"]) == (0, 2)
    assert "error.type" not in whole | first | last


def test_what_could_not_be_checked(oracle: Oracle, told: Told) -> None:
    """What could not be checked has an error type, the reason code, in events and metrics."""
    oracle.check(_TRUE, seconds=-1)
    whole, segment = (plain(event.attributes) for event in told.events())
    assert (whole["error.type"], segment["error.type"]) == ("time-limit", "time-limit")
    assert told.values("imprimatur.unchecked") == {"time-limit": 1}


def test_metrics(oracle: Oracle, told: Told) -> None:
    """Answers count by decision, segments by label, what is withheld by reason; work is measured, also by stage."""
    oracle.check(f"{_TRUE} {_FALSE}")
    oracle.check(_TRUE)
    assert told.values("imprimatur.answers") == {"abstained": 1, "licensed": 1}
    assert told.values("imprimatur.segments") == {"supported": 2, "contradicted": 1}
    assert told.values("imprimatur.withheld") == {"value-mismatch": 1}
    assert told.values("imprimatur.unchecked") == {}
    assert told.values("imprimatur.check.duration") == {"abstained": 1, "licensed": 1}
    assert told.values("imprimatur.stage.duration") == {stage.value: 2 for stage in Stage}


def test_no_text_is_told(brooks: Path) -> None:
    """Neither the answer, nor evidence, nor the question is told, unless content is captured: then the answer is."""
    for capture in (False, True):
        told = Told()
        oracle = Oracle.from_folder(brooks).observed_by(Telemetry(told.providers, capture_content=capture).answer)
        oracle.check(_FALSE, "How long is it, Mr Quibble?", ["Elm Brook passes the mill."])
        everything = "\n".join(span.to_json() for span in told.spans()) + "\n".join(
            str(e.attributes) for e in told.events()
        )
        assert ("14 km" in everything) is capture
        assert "Quibble" not in everything
        assert "mill" not in everything
        assert "ASK" not in everything


async def _cut(text: str) -> AsyncIterator[str]:
    for at in range(0, len(text), 5):
        await asyncio.sleep(0)
        yield text[at : at + 5]


def test_streams_at_the_same_time_do_not_mix(oracle: Oracle, told: Told) -> None:
    """Of many streams at once each has its span below its own caller's, with all its stages, and its own events."""
    tracer = told.traces.get_tracer("application")

    async def one(number: int) -> tuple[int, int]:
        with tracer.start_as_current_span("call") as outer:
            stream = oracle.astream(_cut(" ".join([_TRUE] * (number % 5 + 1))))
            async for _ in stream:
                await asyncio.sleep(0)
        return outer.get_span_context().span_id, number % 5 + 1

    async def all_of_them() -> list[tuple[int, int]]:
        return await asyncio.gather(*(one(number) for number in range(40)))

    callers = asyncio.run(all_of_them())
    checks = {span.parent.span_id: span for span in told.spans("imprimatur.check") if span.parent}
    extracts = {span.parent.span_id: span for span in told.spans("imprimatur.stage.extract") if span.parent}
    assert len(checks) == len(extracts) == 40
    for caller, sentences in callers:
        check = checks[caller]
        assert check.context is not None
        assert plain(check.attributes)["imprimatur.segments.supported"] == sentences
        assert plain(extracts[check.context.span_id].attributes)["imprimatur.stage.runs"] == sentences
        own = [event for event in told.events() if event.span_id == check.context.span_id]
        assert len(own) == sentences + 1


def test_waiting_does_not_count(oracle: Oracle, told: Told) -> None:
    """The seconds of a streamed answer are those of work: the span is longer by the waiting."""

    async def slow() -> AsyncIterator[str]:
        for chunk in ("Elm Brook is 12 km", " long. ", _TRUE):
            await asyncio.sleep(0.2)
            yield chunk

    async def run() -> None:
        async for _ in oracle.astream(slow()):
            pass

    oracle.check(_TRUE)  # what is made when first used is made
    asyncio.run(run())
    check = told.spans("imprimatur.check")[-1]
    assert check.start_time is not None
    assert check.end_time is not None
    lasted = (check.end_time - check.start_time) / 1e9
    assert lasted >= 0.6
    assert plain(check.attributes)["imprimatur.seconds"] <= lasted - 0.4


def test_an_answer_that_is_broken_off(oracle: Oracle, told: Told) -> None:
    """An abandoned stream has its span and events; one that is given up in an asynchronous check has failed."""
    gate = oracle.gate()
    gate.feed(f"{_TRUE} Elm Br")
    gate.abandon()
    assert plain(told.spans("imprimatur.check")[0].attributes)["imprimatur.segments.unchecked"] == 1

    async def given_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(oracle.acheck(" ".join([_TRUE] * 50)), 0)

    asyncio.run(given_up())
    oracle.check(_TRUE)
    kinds = [plain(span.attributes).get("imprimatur.decision") for span in told.spans("imprimatur.check")]
    assert kinds[-1] == "licensed"
    assert set(kinds) <= {"abstained", "failed", "licensed"}


def test_failing(told: Told) -> None:
    """A check that ends in an error has a span with the error's class, and counts as failed."""
    observer = Telemetry(told.providers).answer()
    observer.failed(KeyError("a secret"))
    (check,) = told.spans("imprimatur.check")
    assert plain(check.attributes)["error.type"] == "KeyError"
    assert not check.status.is_ok
    assert told.values("imprimatur.answers") == {"KeyError failed": 1}
    assert "secret" not in check.to_json()


class _Broken:
    """A provider of which nothing works."""

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **named: _Broken() if name.startswith("get_") else self._fail()

    def _fail(self) -> None:
        raise RuntimeError("no")


def test_what_goes_wrong_changes_nothing(brooks: Path, told: Told, caplog: pytest.LogCaptureFixture) -> None:
    """Where telling fails, a warning is logged, and the report is as without it."""
    whole = Oracle.from_folder(brooks)
    broken: Any = _Broken()
    with caplog.at_level(logging.WARNING, "imprimatur.telemetry"):
        logs = Telemetry(Providers(traces=told.providers.traces, logs=broken, metrics=told.providers.metrics))
        assert whole.observed_by(logs.answer).check(_FALSE).to_dict() == whole.check(_FALSE).to_dict()
        spans = Telemetry(Providers(traces=broken, logs=told.providers.logs, metrics=told.providers.metrics))
        assert spans.answer() is UNOBSERVED
    assert [record.getMessage() for record in caplog.records] == ["an answer could not be told about: RuntimeError"] * 2


def test_the_applications_own_telemetry(brooks: Path) -> None:
    """By default the application's providers are told; where it has none, nothing is."""
    assert isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
    oracle = Oracle.from_folder(brooks).observed_by(Telemetry().answer)
    assert oracle.check(_TRUE).decision.kind == "licensed"


def test_events_of_a_models_reply(brooks: Path, told: Told) -> None:
    """Events belong to the span of the model's call, where it is known, and name its reply."""
    telemetry = Telemetry(told.providers)
    tracer = told.traces.get_tracer("application")
    with tracer.start_as_current_span("chat model") as chat:
        pass

    oracle = Oracle.from_folder(brooks).observed_by(
        lambda: telemetry.answer(knowledge_base="brooks", mode="hold", response_id="r1", evaluated=chat)
    )
    oracle.check(_TRUE)
    (check,) = told.spans("imprimatur.check")
    assert [link.context for link in check.links] == [chat.get_span_context()]
    for event in told.events():
        assert event.span_id == chat.get_span_context().span_id
        assert plain(event.attributes)["gen_ai.response.id"] == "r1"
    assert told.values("imprimatur.answers") == {"licensed brooks hold": 1}
