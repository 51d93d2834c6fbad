"""An answer that is checked while it arrives, by the same five stages as a whole one.

``Gate`` is given chunks and gives back what may be shown by then. For every way of cutting a text into chunks, what
comes out is, put together, the text of the decision that ``Oracle.check`` makes of it, and so is the report. The modes:

    hold     a segment is shown when it is settled that it goes out (the default)
    buffer   nothing is shown before the end
    audit    everything is shown as it comes; the report says what it was
    shadow   as audit; the report says what would have been done, and nobody need look at it

Invariants: in ``hold`` and ``buffer`` no character of a withheld claim is ever shown; what was shown is never taken
back. The core does no input or output; its look-ups are driven here, or in a worker thread (``afeed``, ``afinish``),
which may be cancelled at any moment: ``abandon`` then makes the report on what there was.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from imprimatur.answer import Kind, Segment
from imprimatur.clock import Clock
from imprimatur.drive import adrive, drive
from imprimatur.errors import UsageError
from imprimatur.frame import Examining
from imprimatur.observer import Stage
from imprimatur.release import Release
from imprimatur.report import Report
from imprimatur.segment import Segmenter

if TYPE_CHECKING:
    from imprimatur.confirming import Confirming
    from imprimatur.corrector import Asked as Proposing
    from imprimatur.frame import Batch
    from imprimatur.hearing import Hearing

    #: What a flow waits for.
    Asked = Batch | Confirming | Hearing | Proposing

__all__ = ["AsyncStream", "Gate", "Mode", "Stream"]

T = TypeVar("T")
#: Characters that are checked in one go where others may be waiting.
_PIECE = 1000


class Mode(StrEnum):
    """What is shown of an answer while it arrives."""

    HOLD = "hold"
    BUFFER = "buffer"
    AUDIT = "audit"
    SHADOW = "shadow"


class Gate:
    """What an answer goes through while it arrives. Made by ``Oracle.gate``.

    Args:
        release: what is settled segment by segment.
        report: makes the report when all is there.
        clock: the time for it.
    """

    def __init__(
        self, release: Release, report: Callable[[Release], Examining[Report]], clock: Clock, *, mode: Mode
    ) -> None:
        self.mode = mode
        self.report: Report | None = None
        self._release = release
        self._report = report
        self._clock = clock
        self._segmenter = Segmenter()
        self._chunks: list[str] = []
        self._length = 0  # of all that came
        self._cut = 0  # the end of the last segment
        self._shown = 0
        self._flow: Examining[Any] | None = None  # what is under way, and stays so where it was cancelled
        self._asked: Asked | None = None  # what it waits for

    @property
    def blocked(self) -> bool:
        """Whether the abstention text has been shown: nothing that still comes can be."""
        return self._release.stopped and self.mode is Mode.HOLD and not self._release.whole

    def feed(self, chunk: str) -> str:
        """Takes what has come of the answer and returns what may be shown now; empty where nothing may.

        Raises:
            UsageError: the answer was finished before.
            KnowledgeBaseError: the shapes are malformed.
        """
        if parts := self._arrived(chunk):
            with self._clock.running():
                drive(self._observed(self._take(parts)))
        return self._now(chunk)

    async def afeed(self, chunk: str) -> str:
        """The same as ``feed``; look-ups run in worker threads, and during a long chunk others get their turn."""
        if len(chunk) > _PIECE:
            return await self._in_pieces(chunk)
        if parts := self._arrived(chunk):
            with self._clock.running():
                await adrive(self._under_way(self._observed(self._take(parts))))
        return self._now(chunk)

    async def _in_pieces(self, chunk: str) -> str:
        import asyncio  # only an asynchronous caller pays for it

        shown = ""
        for at in range(0, len(chunk), _PIECE):
            shown += await self.afeed(chunk[at : at + _PIECE])
            await asyncio.sleep(0)
        return shown

    def finish(self) -> str:
        """Ends the answer and returns the rest of what may be shown; ``report`` has the report then."""
        with self._clock.running():
            return drive(self._observed(self._finish()))

    async def afinish(self) -> str:
        """The same as ``finish``; look-ups run in worker threads."""
        with self._clock.running():
            return await adrive(self._under_way(self._observed(self._finish())))

    def abandon(self) -> Report:
        """Ends an answer of which the rest will never come: what is not final yet was not examined, nor is it shown."""
        with self._clock.running():
            if self._flow is not None:
                # What was cancelled is half done: it is ended without asking any source, as where the time is up.
                self._clock.end()
                drive(self._under_way(self._flow, asked=self._asked))
            drive(self._observed(self._finish(cut_off=True)))
        assert self.report is not None
        return self.report

    def _under_way(self, flow: Examining[T], *, asked: Asked | None = None) -> Examining[T]:
        """The same flow; it and what it waits for are remembered until it is done. ``asked``: what it waits for now."""
        self._flow = flow
        try:
            self._asked = next(flow) if asked is None else asked
            while True:
                self._asked = flow.send((yield self._asked))
        except StopIteration as done:
            self._flow = None
            found: T = done.value
            return found

    def _arrived(self, chunk: str) -> tuple[Segment, ...]:
        """The segments that are final now; most chunks end none."""
        if self.report is not None:
            raise UsageError("This answer is finished: nothing can be added.", hint="Open a new gate for each answer.")
        seen = max(self._release.frame.most - self._length, 0)
        self._chunks.append(chunk)
        self._length += len(chunk)
        with self._release.frame.observer.stage(Stage.SEGMENT):
            return self._segmenter.feed(chunk[:seen]) if seen else ()

    def _now(self, chunk: str) -> str:
        """What is shown when a chunk has been taken."""
        if self.mode in (Mode.AUDIT, Mode.SHADOW):
            return chunk
        return self._news(self._release.released) if self.mode is Mode.HOLD else ""

    def _finish(self, *, cut_off: bool = False) -> Examining[str]:
        if self.report is not None:
            return ""
        if self._length <= self._release.frame.most and not cut_off:
            with self._release.frame.observer.stage(Stage.SEGMENT):
                parts = self._segmenter.finish()
            yield from self._take(parts)
        elif self._cut < self._length:
            rest = Segment(self._cut, self._length, Kind.SENTENCE, (self._cut, self._length))
            yield from self._release.take(self._text(), (rest,), seen=0)
        self.report = yield from self._report(self._release)
        return "" if self.mode in (Mode.AUDIT, Mode.SHADOW) else self._news(self.report.decision.text)

    def _observed(self, flow: Examining[T]) -> Examining[T]:
        """The same flow, of whose errors the observer is told."""
        try:
            return (yield from flow)
        except Exception as fault:
            self._release.frame.observer.failed(fault)
            raise

    def _take(self, parts: tuple[Segment, ...]) -> Examining[None]:
        if parts:
            self._cut = parts[-1].end
            yield from self._release.take(self._text(), parts)

    def _text(self) -> str:
        self._chunks = ["".join(self._chunks)]
        return self._chunks[0]

    def _news(self, text: str) -> str:
        news = text[self._shown :]
        self._shown = len(text)
        return news


class Stream(Iterator[str]):
    """What may be shown of an answer while its chunks are drawn; afterwards ``report`` has the report."""

    def __init__(self, gate: Gate, chunks: Iterable[str]) -> None:
        self._gate = gate
        self._shown = self._run(iter(chunks))

    @property
    def report(self) -> Report:
        """The report. Raises UsageError before the stream has ended."""
        return _report_of(self._gate)

    def __next__(self) -> str:
        return next(self._shown)

    def _run(self, chunks: Iterator[str]) -> Iterator[str]:
        for chunk in chunks:
            if shown := self._gate.feed(chunk):
                yield shown
            if self._gate.blocked:
                break
        if shown := self._gate.finish():
            yield shown


class AsyncStream(AsyncIterator[str]):
    """The same over chunks that come asynchronously."""

    def __init__(self, gate: Gate, chunks: AsyncIterable[str]) -> None:
        self._gate = gate
        self._shown = self._run(chunks)

    @property
    def report(self) -> Report:
        """The report. Raises UsageError before the stream has ended."""
        return _report_of(self._gate)

    async def __anext__(self) -> str:
        return await anext(self._shown)

    async def _run(self, chunks: AsyncIterable[str]) -> AsyncIterator[str]:
        async for chunk in chunks:
            if shown := await self._gate.afeed(chunk):
                yield shown
            if self._gate.blocked:
                break
        if shown := await self._gate.afinish():
            yield shown


def _report_of(gate: Gate) -> Report:
    if gate.report is None:
        raise UsageError("The answer has not ended: there is no report yet.", hint="Draw the stream to its end.")
    return gate.report
