"""``/v1/responses``: OpenAI's Responses protocol, with the text of a response licensed.

Every ``output_text`` part has a gate and a report of its own; refusals, reasoning, calls and items of other kinds stay
as they are and are counted as not examined. A response of which something was withheld is ``incomplete`` with the
reason ``content_filter``. Invariants: the events of a stream are numbered anew, one by one; the texts of ``done``
events and of the final response are what the deltas made together; annotations and log probabilities go only with the
text that they were made for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from imprimatur.answer import Message
from imprimatur.errors import ImprimaturError, ModelFailed
from imprimatur.report import Report
from imprimatur.serve.call import EXTENSION, dialogue, forwarded
from imprimatur.serve.choice import joined_surrogates, mended
from imprimatur.serve.events import event
from imprimatur.serve.faults import error_of
from imprimatur.serve.service import Session
from imprimatur.serve.upstream import ModelServer
from imprimatur.stream import Gate, Mode

__all__ = ["PATH", "complete", "stream"]

PATH = "/responses"
_LAST = frozenset(("response.completed", "response.incomplete", "response.failed"))
_WATCHING = (Mode.AUDIT, Mode.SHADOW)
Place = tuple[int, int]


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
    parts = _Parts(session)
    for place, text in _texts(found):
        gate = session.gate(*asked)
        await gate.afeed(mended(text))
        await gate.afinish()
        assert gate.report is not None
        await parts.ended(place, gate.report)
    return parts.final(found)


def _texts(response: Mapping[str, Any]) -> list[tuple[Place, str]]:
    """The texts of a response, by the places of their parts. Raises ModelFailed for what is no response."""
    output = response.get("output")
    if not isinstance(output, list) or not all(isinstance(item, dict) for item in output):
        raise ModelFailed("the model server sent what is no response")
    found = []
    for n, item in enumerate(output):
        content = item.get("content") if item.get("type") == "message" else None
        for k, part in enumerate(content if isinstance(content, list) else ()):
            if isinstance(part, dict) and part.get("type") == "output_text":
                if not isinstance(part.get("text"), str):
                    raise ModelFailed("the model server sent what is no response")
                found.append(((n, k), part["text"]))
    return found


class _Parts:
    """The text parts of one response, as they were decided on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._reports: dict[Place, Report] = {}
        self._shown: list[dict[str, Any]] = []
        self._others: Counter[str] = Counter()

    @property
    def withheld(self) -> bool:
        """Whether the abstention text stands in some part."""
        watching = self._session.mode in _WATCHING
        return not watching and any(report.decision.kind == "abstained" for report in self._reports.values())

    async def ended(self, place: Place, report: Report) -> None:
        """Records the report on a part."""
        self._reports[place] = report
        shown = await self._session.record(report)
        if shown is not None:
            self._shown.append({"output_index": place[0], "content_index": place[1], "report": shown})

    def part(self, place: Place, part: Mapping[str, Any]) -> dict[str, Any]:
        """A part as it goes out."""
        report = self._reports.get(place)
        if report is None or part.get("type") != "output_text" or self._session.mode in _WATCHING:
            return dict(part)
        text = report.decision.text
        if text == part.get("text"):
            return dict(part)
        return {**part, "text": text, "annotations": [], "logprobs": []}

    def item(self, number: int, item: Mapping[str, Any]) -> dict[str, Any]:
        """An item as it goes out."""
        content = item.get("content")
        if item.get("type") != "message" or not isinstance(content, list):
            return dict(item)
        made = [self.part((number, k), each) if isinstance(each, dict) else each for k, each in enumerate(content)]
        return {**item, "content": made}

    def final(self, response: Mapping[str, Any]) -> dict[str, Any]:
        """A whole response as it goes out, with the extra object."""
        output = response.get("output")
        items = [self.item(n, each) if isinstance(each, dict) else each for n, each in enumerate(output or ())]
        for each in items:
            if isinstance(each, dict) and each.get("type") != "message":
                self._others[str(each.get("type"))] += 1
        made = {**response, "output": items, EXTENSION: self._extension()}
        if self.withheld and response.get("status") == "completed":
            made |= {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
        return made

    def _extension(self) -> dict[str, Any]:
        session = self._session
        for kind, count in self._others.items():
            session.service.figures.not_examined.labels(kind).inc(count)
        return {
            "knowledge_base": session.name,
            "mode": session.mode.value,
            "reports": self._shown,
            "not_examined": dict(self._others),
        }


async def stream(session: Session, upstream: ModelServer, body: Mapping[str, Any]) -> AsyncIterator[bytes]:
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
    except ImprimaturError as fault:
        running.abandon()
        if not running.begun:
            raise
        session.service.count_fault(fault)
        said = error_of(fault).body["error"]
        yield _written(running.numbered({"type": "error", **{k: said[k] for k in ("message", "code", "param")}}))
    finally:
        running.abandon()


def _written(value: Mapping[str, Any]) -> bytes:
    return b"event: " + str(value["type"]).encode() + b"\n" + event(value)


class _Streaming:
    """One streamed response."""

    def __init__(self, session: Session, asked: tuple[str | None, tuple[Message, ...]], *, tools: bool) -> None:
        self.begun = self.over = False
        self._session = session
        self._asked = asked
        self._tools = tools
        self._parts = _Parts(session)
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
                self._session.note(gate.abandon())

    async def _taken(self, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        kind, number = each.get("type"), each.get("output_index")
        if isinstance(each.get("response"), dict):
            self._response = each["response"]
        if kind in _LAST:
            return [self._final(each)]
        if not isinstance(number, int):
            return [dict(each)]
        if kind == "response.output_item.added" and isinstance(each.get("item"), dict):
            self._items[number] = each["item"]
        if kind == "response.output_item.done" and isinstance(each.get("item"), dict):
            return [{**each, "item": self._parts.item(number, each["item"])}]
        index = each.get("content_index")
        if not isinstance(index, int):
            return [dict(each)]
        return await self._of_part((number, index), each)

    async def _of_part(self, place: Place, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The events of a content part."""
        match each.get("type"):
            case "response.output_text.delta":
                return await self._delta(place, each)
            case "response.output_text.done":
                return await self._done(place, each)
            case "response.content_part.done" if isinstance(each.get("part"), dict):
                return [{**each, "part": self._parts.part(place, each["part"])}]
            case "response.output_text.annotation.added" if self._session.mode not in _WATCHING:
                return []  # it points into text that may come out otherwise; the final part has those that still fit
        return [dict(each)]

    async def _delta(self, place: Place, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        if not isinstance(each.get("delta"), str):
            raise ModelFailed("the model server sent what is no response")
        if place not in self._gates:
            self._gates[place] = self._session.gate(*self._asked)
        gate = self._gates[place]
        text, self._halves[place] = joined_surrogates(self._halves.get(place, "") + each["delta"])
        shown = await gate.afeed(text)
        out = [_delta_of(each, shown)] if shown else []
        if gate.blocked and not self._tools:
            self.over = True
            out += await self._stopped(place, each)
        return out

    async def _done(self, place: Place, each: Mapping[str, Any]) -> list[dict[str, Any]]:
        gate = self._gates.setdefault(place, self._session.gate(*self._asked))
        if gate.report is not None:
            return []
        rest = await gate.afeed("\ufffd") if self._halves.pop(place, "") else ""
        rest += await gate.afinish()
        assert gate.report is not None
        await self._parts.ended(place, gate.report)
        shown = str(each.get("text")) if self._session.mode in _WATCHING else gate.report.decision.text
        done = {**each, "type": "response.output_text.done", "text": shown, "logprobs": []}
        return [*([_delta_of(each, rest)] if rest else []), {k: v for k, v in done.items() if k != "delta"}]

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

    def _final(self, each: Mapping[str, Any]) -> dict[str, Any]:
        made = self._parts.final(self._response)
        kind = each["type"]
        if kind == "response.completed" and made.get("status") == "incomplete":
            kind = "response.incomplete"
        return {**each, "type": kind, "response": made}


def _delta_of(each: Mapping[str, Any], text: str) -> dict[str, Any]:
    at = {key: each[key] for key in ("item_id", "output_index", "content_index") if key in each}
    return {"type": "response.output_text.delta", **at, "delta": text, "logprobs": []}
