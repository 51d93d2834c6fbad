"""Whatever a model server sends: the reply is well formed, and no false text goes out by a back door."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprimatur.errors import ImprimaturError, ModelFailed
from imprimatur.serve import chat, responses
from imprimatur.serve.call import Call
from imprimatur.serve.keys import Holder
from imprimatur.serve.service import Service, Session
from imprimatur.serve.settings import Settings
from imprimatur.serve.upstream import UpstreamClient

pytest.importorskip("httpx2", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long. "
_FALSE = "Elm Brook is 14 km long."
_SHOWN = "14 km"
_fuzz = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

_texts = st.sampled_from(["", _TRUE, _FALSE, "It", "\ud83d", "🙂", "**", "| 14 km |"])
_odd = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, allow_infinity=False) | st.just("x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
_contents = (
    _texts
    | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": _texts}), max_size=3)
    | st.fixed_dictionaries({"text": _texts})
)


class _Server:
    """A model server that sends these values."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    async def stream(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        for value in self._values:
            yield value
        raise ModelFailed("broke off")

    async def post(self, *_: Any) -> Any:
        return self._values[0]


@pytest.fixture(scope="module")
def session(brooks: Path) -> Session:
    """A call in mode hold, of a key that sees no reports, for a report quotes what was withheld."""

    async def made() -> Session:
        service = Service(Settings(knowledge_bases=(("brooks", str(brooks)),)))
        return service.session(Holder(name="none", evidence="none"), Call(), named=None)

    return asyncio.run(made())


def _streamed(module: Any, session: Session, body: Mapping[str, Any], values: list[Any]) -> str:
    """All that goes out, or the error that comes instead."""

    async def run() -> str:
        found = [part async for part in module.stream(session, cast("UpstreamClient", _Server(values)), body)]
        return b"".join(found).decode("utf-8")

    try:
        return asyncio.run(run())
    except ImprimaturError as fault:
        return f"data: {json.dumps(fault.message)}\n\n"


def _sound(said: str) -> None:
    for line in said.split("\n"):
        name, _, data = line.partition(": ")
        assert name in ("", "data", "event")
        if name == "data" and data != "[DONE]":
            json.loads(data, parse_constant=pytest.fail)
    assert _SHOWN not in said
    assert "internal_error" not in said


_finish = st.sampled_from([None, "stop"]) | _odd
_choices = st.fixed_dictionaries(
    {"delta": st.fixed_dictionaries({}, optional={"content": _contents | _odd, "role": _odd, "tool_calls": _odd})},
    optional={
        "index": st.integers(-1, 2) | _odd,
        "finish_reason": st.none() | st.just("stop") | _odd,
        "logprobs": _odd,
    },
)
_chunks = st.fixed_dictionaries(
    {}, optional={"choices": st.lists(_choices | _odd, max_size=3) | _odd, "id": _odd, "usage": _odd, "x": _odd}
)
_likely = st.fixed_dictionaries({"choices": st.lists(_choices, min_size=1, max_size=2)})


@_fuzz
@given(values=st.lists(_likely | _chunks, max_size=6))
def test_chunks_of_any_form(session: Session, values: list[Any]) -> None:
    """Chunks of whatever form give frames that can be read, and never the false sentence."""
    body = {"messages": [{"role": "user", "content": "x"}]}
    _sound(_streamed(chat, session, body, values))


@_fuzz
@given(
    choices=st.lists(
        st.fixed_dictionaries({"message": st.fixed_dictionaries({"content": _contents | _odd})}) | _odd,
        max_size=3,
    )
    | _odd
)
def test_completions_of_any_form(session: Session, choices: Any) -> None:
    """A whole completion of whatever form is licensed or an error, and never shows the false sentence."""
    upstream = cast("UpstreamClient", _Server([{"choices": choices}]))
    try:
        found = asyncio.run(chat.complete(session, upstream, {"messages": []}))
    except ImprimaturError:
        return
    for choice in found["choices"]:
        assert choice["message"].get("content") is None or isinstance(choice["message"]["content"], str)
        assert _SHOWN not in json.dumps(choice) or choice["message"].get("content") in (
            None,
            "",
            _TRUE,
            "It",
            "🙂",
            "**",
        )


_part = st.fixed_dictionaries({"type": st.just("output_text"), "text": _texts}, optional={"annotations": _odd})
_item = st.fixed_dictionaries(
    {"type": st.sampled_from(["message", "reasoning"])}, optional={"content": st.lists(_part | _odd, max_size=2)}
)
_item = _item.map(lambda item: {**item, "content": []} if item["type"] == "reasoning" else item)
_response = st.fixed_dictionaries({"output": st.lists(_item, max_size=2)}, optional={"status": st.just("completed")})
_place = {"output_index": st.integers(0, 1) | _odd, "content_index": st.integers(0, 1) | _odd}
_events = st.one_of(
    st.fixed_dictionaries({"type": st.just("response.output_text.delta"), "delta": _texts | _odd}, optional=_place),
    st.fixed_dictionaries({"type": st.just("response.output_text.delta"), "delta": _texts, **_place}),
    st.fixed_dictionaries({"type": st.just("response.output_text.done"), **_place}, optional={"text": _texts}),
    st.fixed_dictionaries({"type": st.just("response.content_part.added"), "part": _part | _odd, **_place}),
    st.fixed_dictionaries({"type": st.just("response.content_part.done"), "part": _part | _odd, **_place}),
    st.fixed_dictionaries({"type": st.just("response.output_item.added"), "item": _item | _odd, **_place}),
    st.fixed_dictionaries({"type": st.just("response.output_item.done"), "item": _item | _odd, **_place}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["response.created", "response.in_progress"])}, optional={"response": _response}
    ),
    st.fixed_dictionaries({"type": _odd}, optional={"response": _response | _odd}),
)
_ends = st.fixed_dictionaries(
    {"type": st.sampled_from(["response.completed", "response.incomplete", "response.failed"])},
    optional={"response": _response | _odd},
)


@_fuzz
@given(values=st.lists(_events, max_size=6), last=st.lists(_ends, max_size=1))
def test_events_of_any_form(session: Session, values: list[Any], last: list[Any]) -> None:
    """Events of whatever form and order give events that can be read, and in none of them the false sentence."""
    _sound(_streamed(responses, session, {"input": "x"}, values + last))


@_fuzz
@given(response=_response | st.fixed_dictionaries({}, optional={"output": _odd | st.lists(_odd, max_size=2)}))
def test_responses_of_any_form(session: Session, response: Any) -> None:
    """A whole response of whatever form is licensed or an error, and never shows the false sentence."""
    try:
        found = asyncio.run(responses.complete(session, cast("UpstreamClient", _Server([response])), {"input": "x"}))
    except ImprimaturError:
        return
    for item in found["output"]:
        for part in item.get("content") or () if item.get("type") == "message" else ():
            assert not isinstance(part, dict) or part.get("type") != "output_text" or _SHOWN not in part["text"]
