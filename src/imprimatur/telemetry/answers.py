"""The observer of an answer that tells OpenTelemetry: one span, a span for each stage, events, metrics.

While an answer is checked only the clock is read; spans of stages, events and metrics are made at its end: there are no
more of them for more chunks. Invariants: no text of an answer or of evidence is told unless content is captured;
whatever goes wrong in here is logged and changes nothing of the answer; what belongs to one answer is kept by its own
observer, so that answers at the same time do not mix.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from opentelemetry import _logs, metrics, trace
from opentelemetry.context import Context

from imprimatur import __version__
from imprimatur._dataclasses import dataclass
from imprimatur.observer import UNOBSERVED, Observer, Stage, Working
from imprimatur.report import JudgedSegment, Report
from imprimatur.stopwatch import Stopwatch
from imprimatur.telemetry import names
from imprimatur.telemetry.segments import answer_event, segment_events
from imprimatur.verdict import Label

__all__ = ["Instruments", "Providers", "Telemetry"]

_log = logging.getLogger("imprimatur.telemetry")
_SCOPE = "imprimatur"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """Where spans, events and metrics go; None for those that the application has set for all its libraries."""

    traces: trace.TracerProvider | None = None
    logs: _logs.LoggerProvider | None = None
    metrics: metrics.MeterProvider | None = None


class Instruments:
    """What is told to: a tracer, a logger of events, and the metrics of the table."""

    def __init__(self, providers: Providers) -> None:
        self.tracer = trace.get_tracer(_SCOPE, __version__, tracer_provider=providers.traces)
        self.logger = _logs.get_logger(_SCOPE, __version__, logger_provider=providers.logs)
        self._meter = metrics.get_meter(_SCOPE, __version__, meter_provider=providers.metrics)
        self._made: dict[str, Any] = {}
        for each in names.TABLE:
            if each.kind == "counter":
                self._made[each.name] = self._meter.create_counter(each.name, each.unit, each.meaning)
            elif each.kind == "histogram":
                self._made[each.name] = self._meter.create_histogram(
                    each.name, each.unit, each.meaning, explicit_bucket_boundaries_advisory=_SECONDS
                )

    def count(self, name: names.Name, amount: int, attributes: Mapping[str, Any]) -> None:
        """Adds to a counter."""
        self._made[name.name].add(amount, attributes)

    def took(self, name: names.Name, seconds: float, attributes: Mapping[str, Any]) -> None:
        """Records a duration."""
        self._made[name.name].record(seconds, attributes)


class Telemetry:
    """Tells OpenTelemetry about answers.

    Args:
        providers: where it goes; by default where the application's own telemetry goes.
        capture_content: whether texts of answers and details of evidence may be told.
    """

    def __init__(self, providers: Providers | None = None, *, capture_content: bool = False) -> None:
        self.instruments = Instruments(providers or Providers())
        self.capture_content = capture_content

    def answer(
        self,
        *,
        knowledge_base: str = "",
        mode: str = "",
        response_id: str = "",
        evaluated: trace.Span | None = None,
        measured: Callable[[Stopwatch], None] | None = None,
    ) -> Observer:
        """The observer of one answer, whose span is below the caller's own.

        Args:
            knowledge_base: what the knowledge base is called.
            mode: what is shown of a stream.
            response_id: the id of the model's reply.
            evaluated: the span of the model's call; events belong to it. By default they belong to the answer's span.
            measured: is given what was measured of the stages, when the answer has ended.
        """
        place = {names.KNOWLEDGE_BASE.name: knowledge_base, names.MODE.name: mode}
        try:
            return Answer(
                self.instruments,
                {key: value for key, value in place.items() if value},
                response_id=response_id,
                evaluated=evaluated,
                measured=measured,
                capture_content=self.capture_content,
            )
        except Exception as fault:
            _untold(fault)
            return UNOBSERVED


def _harmless(method: Callable[..., None]) -> Callable[..., None]:
    """The method, which logs what goes wrong in it instead of raising it."""

    @wraps(method)
    def called(*given: Any) -> None:
        try:
            method(*given)
        except Exception as fault:
            _untold(fault)

    return called


def _untold(fault: Exception) -> None:
    _log.warning("an answer could not be told about: %s", type(fault).__name__)


class Answer:
    """The observer of one answer."""

    def __init__(
        self,
        instruments: Instruments,
        place: Mapping[str, str],
        *,
        response_id: str,
        evaluated: trace.Span | None,
        measured: Callable[[Stopwatch], None] | None,
        capture_content: bool,
    ) -> None:
        self._instruments = instruments
        self._place = dict(place)
        self._response = {names.RESPONSE_ID.name: response_id} if response_id else {}
        self._evaluated = evaluated
        self._capture = capture_content
        self._measured = measured
        self._watch = Stopwatch()
        self._over = False
        self._wall, self._clock = time.time_ns(), time.perf_counter_ns()
        links = [trace.Link(evaluated.get_span_context())] if evaluated is not None else None
        self._span = instruments.tracer.start_span(
            names.CHECK.name, attributes={**self._place, **self._response}, links=links, start_time=self._wall
        )

    def stage(self, stage: Stage, /) -> Working:
        """A block in which the stage works."""
        return self._watch.stage(stage)

    @_harmless
    def ended(self, report: Report, /) -> None:
        """Tells what became of the answer."""
        if self._closed():
            return
        told = {names.DECISION.name: report.decision.kind}
        if self._span.is_recording():
            labels = {_star(names.SEGMENTS, label): count for label, count in report.accounting.items()}
            self._span.set_attributes(
                {**told, **labels, names.SUMMARY.name: report.summary, names.SECONDS.name: self._watch.seconds}
                | {names.POLICY.name: report.versions.policy}
            )
            self._stages()
        self._span.end(self._now())
        self._events(answer_event(report), *segment_events(report, capture_content=self._capture))
        self._count(told)
        self._segments(report)

    @_harmless
    def failed(self, fault: BaseException, /) -> None:
        """Tells that there is no report."""
        if self._closed():
            return
        told = {names.DECISION.name: "failed", names.ERROR_TYPE.name: type(fault).__name__}
        self._span.set_attributes({**told, names.SECONDS.name: self._watch.seconds})
        self._span.set_status(trace.StatusCode.ERROR)
        self._stages()
        self._span.end(self._now())
        self._events({names.EVALUATION.name: "imprimatur.answer", names.ERROR_TYPE.name: type(fault).__name__})
        self._count(told)

    def _closed(self) -> bool:
        """Whether this was told before; from now on it was."""
        was, self._over = self._over, True
        if not was and self._measured is not None:
            self._measured(self._watch)
        return was

    def _now(self) -> int:
        return self._at(time.perf_counter_ns())

    def _at(self, clock: int) -> int:
        """The time of day for a time of the clock that stages are measured by."""
        return self._wall + clock - self._clock

    def _stages(self) -> None:
        """A span for each stage that worked."""
        below = trace.set_span_in_context(self._span)
        for stage, block in self._watch.worked().items():
            span = self._instruments.tracer.start_span(
                _star(names.STAGE, stage),
                below,
                attributes={names.SECONDS.name: block.seconds, names.RUNS.name: block.runs},
                start_time=self._at(block.first),
            )
            span.end(self._at(block.last))

    def _events(self, *events: Mapping[str, Any]) -> None:
        if not self._instruments.logger.enabled(event_name=names.RESULT.name):
            return
        context: Context = trace.set_span_in_context(self._evaluated or self._span)
        for each in events:
            attributes = {**each, **self._response, **self._place}
            self._instruments.logger.emit(
                event_name=names.RESULT.name, attributes=attributes, context=context, timestamp=self._now()
            )

    def _count(self, told: Mapping[str, str]) -> None:
        made = self._instruments
        made.count(names.ANSWERS, 1, {**self._place, **told})
        made.took(names.CHECK_SECONDS, self._watch.seconds, {**self._place, **told})
        for stage, block in self._watch.worked().items():
            made.took(names.STAGE_SECONDS, block.seconds, {**self._place, names.STAGE_NAME.name: stage.value})

    def _segments(self, report: Report) -> None:
        made = self._instruments
        for label, count in report.accounting.items():
            made.count(names.LABELS, count, {**self._place, names.LABEL.name: label})
        withheld = [each for each in report.segments if each.label not in (Label.SUPPORTED, Label.NOT_A_CLAIM)]
        unchecked = [each for each in withheld if each.label is Label.UNCHECKED]
        for metric, segments in ((names.WITHHELD, withheld), (names.UNCHECKED, unchecked)):
            for reason, count in _reasons(segments).items():
                made.count(metric, count, {**self._place, names.REASON.name: reason})


def _reasons(segments: list[JudgedSegment]) -> Counter[str]:
    return Counter(reason.value for segment in segments for reason in segment.reasons)


def _star(name: names.Name, part: str) -> str:
    """A name of the table whose last part is one of several."""
    return name.name.replace("*", part)
