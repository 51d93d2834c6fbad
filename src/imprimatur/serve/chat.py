"""``/v1/chat/completions``: the model server's reply, with its text licensed.

A plain reply keeps its form: each choice's text becomes what was decided, with the report in one extra object. A stream
keeps its chunks' ids; the chunk that ends a choice carries its report. Invariants: a reply always ends well formed:
with ``[DONE]``, or before the first byte with an HTTP error; after a fault of the model server nothing that was held
back is shown; the caller's going away ends the call behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from imprimatur.errors import ModelFailed, StoreUnavailable
from imprimatur.report import Report
from imprimatur.serve.call import EXTENSION, dialogue, forwarded
from imprimatur.serve.choice import StreamedChoice, mended, other_content, text_of
from imprimatur.serve.events import DONE, event
from imprimatur.serve.faults import fault_object
from imprimatur.serve.http import refusal_of, stopped
from imprimatur.serve.service import Session
from imprimatur.serve.upstream import ModelServer
from imprimatur.stream import Mode

__all__ = ["PATH", "complete", "farewell", "stream"]

PATH = "/chat/completions"
#: Choices of one reply at most, as many as OpenAI's protocol knows.
_MOST_CHOICES = 128
#: What of a choice is known to hold nothing of its text; the rest goes only with text that is as it was.
_CHOICE = ("index", "message", "finish_reason", "logprobs")


async def complete(session: Session, upstream: ModelServer, body: Mapping[str, Any]) -> dict[str, Any]:
    """The reply to a request that asks for no stream.

    Raises:
        ImprimaturError: the model server failed, or the report cannot be recorded.
    """
    question, turns = dialogue(body.get("messages"))
    reply = dict(await upstream.post(PATH, forwarded(body)))
    others: Counter[str] = Counter()
    reports = []
    made = []
    for number, (choice, message) in enumerate(_choices(reply, "message")):
        others.update(other_content(message))
        gate = await session.gate(question, turns)
        await gate.afeed(mended(message.get("content") or ""))
        await gate.afinish()
        assert gate.report is not None
        made.append(_licensed(choice, gate.report, session.mode))
        reports.append({"index": choice.get("index", number), "report": await session.record(gate.report)})
    session.service.figures.passed_over(others)
    return {**reply, "choices": made, EXTENSION: extension(session, reports, others)}


def _choices(reply: Mapping[str, Any], part: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The choices of a reply or a chunk, each with its message or delta. Raises ModelFailed where they are no such."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or len(choices) > _MOST_CHOICES:
        raise ModelFailed("the model server sent what is no completion")
    found = []
    for choice in choices:
        said = choice.get(part) if isinstance(choice, dict) else None
        if not isinstance(said, dict):
            raise ModelFailed("the model server sent what is no completion")
        if not isinstance(said.get("content"), str | None):  # seldom; most need no copy
            said = {**said, "content": text_of(said["content"])}
            choice = {**choice, part: said}
        found.append((choice, said))
    return found


def extension(session: Session, reports: list[dict[str, Any]], others: Mapping[str, int]) -> dict[str, Any]:
    """The extra object of a reply."""
    return {
        "knowledge_base": session.name,
        "mode": session.mode.value,
        "reports": [each for each in reports if each["report"] is not None],
        "not_examined": dict(others),
    }


def _licensed(choice: Mapping[str, Any], report: Report, mode: Mode) -> dict[str, Any]:
    """A choice with the text that was decided on; what no longer fits that text is left out."""
    message = choice["message"]
    text = report.decision.text
    if mode in (Mode.AUDIT, Mode.SHADOW) or text == (message.get("content") or ""):
        return dict(choice)
    made = {key: value for key, value in choice.items() if key in _CHOICE}
    made["message"] = {key: value for key, value in message.items() if key != "annotations"}
    made["message"]["content"] = text
    if "logprobs" in made:
        made["logprobs"] = None
    if report.decision.kind == "abstained" and choice.get("finish_reason") not in ("tool_calls", "function_call"):
        made["finish_reason"] = "content_filter"
    return made


async def stream(session: Session, upstream: ModelServer, body: Mapping[str, Any]) -> AsyncGenerator[bytes, None]:
    """The events of a reply that is streamed. What goes wrong before the first is raised, later it is an event."""
    question, turns = dialogue(body.get("messages"))
    running = _Streaming(session, question, turns, tools=bool(body.get("tools") or body.get("functions")))
    chunks = upstream.stream(PATH, forwarded(body))
    try:
        async with aclosing(chunks):  # type: ignore[type-var]
            async for chunk in chunks:
                for out in await running.take(chunk):
                    yield event(out)
                if running.over:
                    break
        for out in await running.finish():
            yield event(out)
        yield DONE
    except Exception as fault:
        if running.complete and isinstance(fault, ModelFailed | StoreUnavailable):
            yield DONE
            return
        running.abandon()
        if not running.begun:
            raise
        session.service.count_fault(fault)
        yield event(refusal_of(fault).body)
        yield DONE
    finally:
        running.abandon()


def farewell(events: int) -> bytes:
    """The end of a stream when the gateway stops; ``events``: so many have gone out."""
    return event(stopped().body) + DONE


class _Streaming:
    """The choices of one streamed reply."""

    def __init__(self, session: Session, question: str | None, turns: Any, *, tools: bool) -> None:
        self.begun = False
        self._session = session
        self._asked = question, turns
        self._tools = tools
        self._choices: dict[int, StreamedChoice] = {}
        self._chunk: Mapping[str, Any] = {}
        self._blocked: list[int] = []
        self._told: set[int] = set()  # whose ends have been recorded and go out

    @property
    def over(self) -> bool:
        """Whether nothing that may still come can be shown: every choice was stopped."""
        return bool(self._choices) and len(self._blocked) == len(self._choices) and not self._tools

    @property
    def complete(self) -> bool:
        """Whether every choice has been ended: then a missing end of the stream loses nothing."""
        return bool(self._choices) and self._told == self._choices.keys()

    async def take(self, chunk: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The chunks that go out for one that came."""
        self._chunk = chunk
        out: list[dict[str, Any]] = []
        for choice, _ in _choices(chunk, "delta") if chunk.get("choices") else ():
            out += await self._choice(choice)
        if chunk.get("choices") == []:
            out.append(dict(chunk))
        elif chunk.get("usage") is not None:
            out.append({**self._head(), "choices": [], "usage": chunk["usage"]})
        self.begun = self.begun or bool(out)
        return out

    def _head(self) -> dict[str, Any]:
        """What a chunk that goes out has of the one that came last."""
        return {key: value for key, value in self._chunk.items() if key not in ("choices", "usage")}

    async def finish(self) -> list[dict[str, Any]]:
        """The chunks that end choices which were given no reason for their end."""
        out: list[dict[str, Any]] = []
        for state in self._choices.values():
            out += await self._sent(state, await state.close())
        self.begun = True
        return out

    def abandon(self) -> None:
        """Ends what has not ended: what was held back is never shown, and its report is recorded."""
        for state in self._choices.values():
            if state.report is None:
                self._session.given_up(state.abandon)

    async def _choice(self, choice: Mapping[str, Any]) -> list[dict[str, Any]]:
        index = choice.get("index")
        number = index if isinstance(index, int) else 0
        if number not in self._choices and len(self._choices) == _MOST_CHOICES:
            raise ModelFailed("the model server sent what is no completion")
        if number not in self._choices:
            gate = await self._session.gate(*self._asked)
            self._choices[number] = StreamedChoice(number, gate, tools=self._tools)
        state = self._choices[number]
        if state.ended:
            return []
        return await self._sent(state, await state.take(choice))

    async def _sent(self, state: StreamedChoice, out: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Chunks around choices; the one that ends a choice has its report, which is recorded by then."""
        if not out:
            return []
        head = self._head()
        chunks: list[dict[str, Any]] = [{**head, "choices": [each]} for each in out]
        if state.ended and state.report is not None and chunks:
            shown = await self._session.record(state.report)
            self._told.add(state.index)
            self._session.service.figures.passed_over(state.others)
            reports = [{"index": state.index, "report": shown}]
            chunks[-1][EXTENSION] = extension(self._session, reports, state.others)
            if state.gate.blocked:
                self._blocked.append(state.index)
                if self._session.service.settings.block == "error":
                    said = self._session.policy.abstention_text
                    chunks[-1] = fault_object(said, kind="guardrail_violation", code="content_filter")
        return chunks
