"""``/v1/responses``: OpenAI's Responses protocol, with the text of a response licensed.

Every ``output_text`` part has a gate and a report of its own; refusals, reasoning, calls and items of other kinds stay
as they are and are counted as not examined. Invariants: no text goes out but what its gate released, in whichever event
it came; the events of a stream are numbered anew, one by one; the texts of ``done`` events and of the final response
are what the deltas made together.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from imprimatur._expressions import expression
from imprimatur.answer import Message
from imprimatur.errors import ModelFailed
from imprimatur.serve.call import dialogue, forwarded
from imprimatur.serve.choice import joined_surrogates, mended
from imprimatur.serve.events import event
from imprimatur.serve.faults import Refused
from imprimatur.serve.http import refusal_of, stopped
from imprimatur.serve.response_parts import NO_RESPONSE, WATCHING, Parts, Place, items_of, texts_of
from imprimatur.serve.service import Session
from imprimatur.serve.upstream import ModelServer
from imprimatur.stream import Gate

__all__ = ["PATH", "complete", "farewell", "stream"]

PATH = "/responses"
_LAST = frozenset(("response.completed", "response.incomplete", "response.failed"))
#: Text parts of one response at most.
_MOST_PARTS = 128
_KIND = expression("[A-Za-z0-9_.]{1,100}")
_OF_PARTS = frozenset(
    (
        "response.content_part.added",
        "response.content_part.done",
        "response.output_text.annotation.added",
        "response.output_text.delta",
        "response.output_text.done",
    )
)


def _asked(body: Mapping[str, Any]) -> tuple[str | None, tuple[Message, ...]]:
    given = body.get("input")
    return (given, ()) if isinstance(given, str) else dialogue(given if isinstance(given, list) else [])


async def complete(session: Session, upstream: ModelServer, body: Mapping[str, Any]) -> dict[str, Any]:
    """The reply to a request that asks for no stream.

    Raises:
        ImprimaturError: the model server failed, or the report cannot be recorded.
    """
    asked = _asked(body)
    found = await upstream.post(PATH, forwarded(body))
    parts = Parts(session)
    texts = [((n, k), text) for n, item in enumerate(items_of(found)) for k, text in texts_of(item)]
    for place, text in texts:
        if not isinstance(text, str) or len(texts) > _MOST_PARTS:
            raise ModelFailed(NO_RESPONSE)
        gate = await session.gate(*asked)
        await gate.afeed(mended(text))
        await gate.afinish()
        assert gate.report is not None
        await parts.ended(place, gate.report)
    return parts.final(found)


async def stream(session: Session, upstream: ModelServer, body: Mapping[str, Any]) -> AsyncGenerator[bytes, None]:
    """The events of a reply that is streamed. What goes wrong before the first is raised, later it is an event."""
    running = _Streaming(session, _asked(body), tools=bool(body.get("tools")))
    events = upstream.stream(PATH, forwarded(body), last=_LAST)
    try:
        async with aclosing(events):  # type: ignore[type-var]
            async for each in events:
                for out in await running.take(each):
                    yield _written(out)
                if running.over:
                    break
    except Exception as fault:
        running.abandon()
        if not running.begun:
            raise
        session.service.count_fault(fault)
        yield _written(running.numbered(_error(refusal_of(fault))))
    finally:
        running.abandon()


def farewell(events: int) -> bytes:
    """The end of a stream when the gateway stops; ``events``: so many have gone out."""
    return _written({**_error(stopped()), "sequence_number": events})


def _error(refused: Refused) -> dict[str, Any]:
    said = refused.body["error"]
    return {"type": "error", **{key: said[key] for key in ("message", "code", "param")}}


def _written(value: Mapping[str, Any]) -> bytes:
    return b"event: " + str(value["type"]).encode() + b"\n" + event(value)


class _Streaming:
    """One streamed response."""

    def __init__(self, session: Session, asked: tuple[str | None, tuple[Message, ...]], *, tools: bool) -> None:
        self.begun = self.over = False
        self._session = session
        self._asked = asked
        self._tools = tools
        self._parts = Parts(session)
        self._gates: dict[Place, Gate] = {}
        self._halves: dict[Place, str] = {}
        self._items: dict[int, dict[str, Any]] = {}
        self._response: dict[str, Any] = {}
        self._count = 0

    def numbered(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """An event with its number."""
        self._count += 1
        return {**value, "sequence_number": self._count - 1}

    async def take(self, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The events that go out for one that came."""
        out = [self.numbered(value) for value in await self._taken(each)]
        self.begun = self.begun or bool(out)
        return out

    def abandon(self) -> None:
        """Ends what has not ended: what was held back is never shown, and its report is recorded."""
        for gate in self._gates.values():
            if gate.report is None:
                self._session.given_up(gate.abandon)

    async def _taken(self, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        kind = each.get("type")
        if not isinstance(kind, str) or not _KIND.fullmatch(kind):
            raise ModelFailed(NO_RESPONSE)  # it becomes a line of its own
        if isinstance(each.get("response"), dict):
            self._response = each["response"]
        if kind in _LAST:
            return await self._final(each)
        if kind in _OF_PARTS:
            return await self._of_part(_place(each), each)
        if kind in ("response.output_item.added", "response.output_item.done"):
            number, item = each.get("output_index"), each.get("item")
            if type(number) is not int or not isinstance(item, dict):
                raise ModelFailed(NO_RESPONSE)
            return await self._of_item(number, item, each)
        if isinstance(each.get("response"), dict) and self._session.mode not in WATCHING:
            return [{**each, "response": {**each["response"], "output": []}}]
        return [dict(each)]

    async def _of_item(self, number: int, item: dict[str, Any], each: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The events of an item that begins or has ended."""
        if each["type"] == "response.output_item.done":
            out = await self._settled({(number, k): text for k, text in texts_of(item)}, each)
            return [*out, {**each, "item": self._parts.item(number, item)}]
        self._items[number] = item
        if item.get("type") == "message" and self._session.mode not in WATCHING:
            item = {**item, "content": []}
        return [{**each, "item": item}]

    async def _of_part(self, place: Place, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The events of a content part."""
        part = each.get("part")
        match each["type"]:
            case "response.output_text.delta":
                return await self._delta(place, each)
            case "response.output_text.done":
                return await self._done(place, each)
            case "response.content_part.done" if isinstance(part, dict):
                out = await self._settled({place: part.get("text")} if part.get("type") == "output_text" else {}, each)
                return [*out, {**each, "part": self._parts.part(place, part)}]
            case "response.content_part.added" if isinstance(part, dict):
                return [{**each, "part": self._parts.part(place, part)}]
            case "response.output_text.annotation.added":
                # It points into text that may come out otherwise; the final part has those that still fit.
                return [dict(each)] if self._session.mode in WATCHING else []
        raise ModelFailed(NO_RESPONSE)

    async def _settled(self, texts: Mapping[Place, Any], each: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Ends the parts that have not been, and gives the deltas that are due; one that no delta told is examined."""
        out: list[dict[str, Any]] = []
        told = tuple(self._gates)
        for place, text in texts.items():
            at = {"output_index": place[0], "content_index": place[1], "text": text}
            due = [value for value in await self._done(place, {**each, **at}) if "delta" in value and place in told]
            out += [{key: value for key, value in one.items() if key != "text"} for one in due]
        return out

    async def _delta(self, place: Place, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        if not isinstance(each.get("delta"), str) or (place not in self._gates and len(self._gates) == _MOST_PARTS):
            raise ModelFailed(NO_RESPONSE)
        if place not in self._gates:
            self._gates[place] = await self._session.gate(*self._asked)
        gate = self._gates[place]
        if gate.report is not None:
            return []
        text, self._halves[place] = joined_surrogates(self._halves.get(place, "") + each["delta"])
        shown = await gate.afeed(text)
        out = [_delta_of(each, shown)] if shown else []
        if gate.blocked and not self._tools:
            self.over = True
            out += await self._stopped(place, each)
        return out

    async def _done(self, place: Place, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        rest = "" if place in self._gates else await self._whole(place, each.get("text"))
        gate = self._gates[place]
        if gate.report is not None:
            return []
        rest += await gate.afeed("\ufffd") if self._halves.pop(place, "") else ""
        rest += await gate.afinish()
        assert gate.report is not None
        await self._parts.ended(place, gate.report)
        shown = str(each.get("text")) if self._session.mode in WATCHING else gate.report.decision.text
        done = {**each, "type": "response.output_text.done", "text": shown, "logprobs": []}
        return [*([_delta_of(each, rest)] if rest else []), {k: v for k, v in done.items() if k != "delta"}]

    async def _whole(self, place: Place, text: object) -> str:
        """What may be shown of the text of a part of which no delta came."""
        if not isinstance(text, str) or len(self._gates) == _MOST_PARTS:
            raise ModelFailed(NO_RESPONSE)
        self._gates[place] = await self._session.gate(*self._asked)
        return await self._gates[place].afeed(mended(text))

    async def _stopped(self, place: Place, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The events that end a response whose text was stopped."""
        out = await self._done(place, each)
        at = {key: each[key] for key in ("item_id", "output_index", "content_index") if key in each}
        part = {"type": "output_text", "text": out[-1]["text"], "annotations": [], "logprobs": []}
        item = {**self._items.get(place[0], {}), "status": "incomplete", "content": [part]}
        out.append({"type": "response.content_part.done", **at, "part": part})
        out.append({"type": "response.output_item.done", "output_index": place[0], "item": item})
        ended = {**self._response, "output": [item], "status": "completed"}
        return [*out, {"type": "response.incomplete", "response": self._parts.final(ended)}]

    async def _final(self, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for number, item in enumerate(items_of(self._response)):
            out += await self._settled({(number, k): text for k, text in texts_of(item)}, {})
        made = self._parts.final(self._response)
        kind = each["type"]
        if kind == "response.completed" and made.get("status") == "incomplete":
            kind = "response.incomplete"
        return [*out, {**each, "type": kind, "response": made}]


def _place(each: Mapping[str, Any]) -> Place:
    """The place of the part that an event is of. Raises ModelFailed where it has none."""
    number, index = each.get("output_index"), each.get("content_index")
    if type(number) is not int or type(index) is not int:
        raise ModelFailed(NO_RESPONSE)
    return number, index


def _delta_of(each: Mapping[str, Any], text: str) -> dict[str, Any]:
    at = {key: each[key] for key in ("item_id", "output_index", "content_index") if key in each}
    return {"type": "response.output_text.delta", **at, "delta": text, "logprobs": []}
