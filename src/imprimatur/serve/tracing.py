"""What a gateway tells OpenTelemetry beside its answers: requests and calls to the model server, and their order.

A request has a span below the caller's own (``traceparent``); below it stand the call to the model server and each
answer. Events about an answer belong to the call that it came from. Invariants: of the caller's headers only a single
``traceparent`` is read, and none is passed on; the model server gets one of the gateway's own where the operator says
so; what is told of a model server's reply is bounded and no text of it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Container, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from imprimatur.observer import Observer
from imprimatur.serve.service import Session
from imprimatur.serve.upstream import UpstreamClient, kind_of
from imprimatur.telemetry import names
from imprimatur.telemetry.answers import Instruments, Telemetry
from imprimatur.telemetry.exporting import Exporting
from imprimatur.telemetry.segments import sendable
from imprimatur.telemetry.settings import TelemetrySettings

__all__ = ["RequestSpans", "TracedUpstream", "Tracing"]

_METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")
#: Paths that are asked again and again by what watches a gateway.
_WATCHED = ("/healthz", "/readyz", "/metrics")
_LONGEST = 100
_TRACEPARENT = "traceparent"


class Tracing:
    """The telemetry of a gateway."""

    def __init__(self, settings: TelemetrySettings) -> None:
        self.settings = settings
        self._exporting = Exporting(settings)
        self._telemetry = Telemetry(self._exporting.providers, capture_content=settings.capture_content)

    @property
    def instruments(self) -> Instruments:
        """What is told to."""
        return self._telemetry.instruments

    def observed(self, session: Session) -> Session:
        """The same call, of whose answers is told."""

        def answer() -> Observer:
            return self._telemetry.answer(
                knowledge_base=session.name, mode=session.mode.value, measured=session.measured
            )

        return replace(session, oracle=session.oracle.observed_by(answer))

    def exchanged(self, session: Session, upstream: UpstreamClient) -> tuple[Session, TracedUpstream]:
        """The same call, whose answers are those of the model server that it comes with."""
        traced = TracedUpstream(upstream, self.instruments, self.settings)

        def answer() -> Observer:
            return self._telemetry.answer(
                knowledge_base=session.name,
                mode=session.mode.value,
                response_id=traced.response_id,
                evaluated=traced.span,
                measured=session.measured,
            )

        return replace(session, oracle=session.oracle.observed_by(answer)), traced

    def fault(self, kind: str) -> None:
        """Counts a fault of the model server."""
        self.instruments.count(names.FAULTS, 1, {names.ERROR_TYPE.name: kind})

    def close(self) -> None:
        """Sends what is left."""
        self._exporting.close()


class RequestSpans:
    """The application, each of whose requests has a span, to the end of its reply."""

    def __init__(self, app: ASGIApp, tracing: Tracing) -> None:
        self._app = app
        self._made = tracing.instruments

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http" or scope["path"] in _WATCHED:
            await self._app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        told: dict[str, Any] = {names.METHOD.name: method, names.SCHEME.name: scope.get("scheme", "http")}
        span = self._made.tracer.start_span(method, _parent(scope), kind=trace.SpanKind.SERVER, attributes=told)
        token = contexts.attach(trace.set_span_in_context(span, Context()))
        started = time.perf_counter()

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                told[names.STATUS.name] = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as fault:
            told[names.ERROR_TYPE.name] = type(fault).__name__
            raise
        finally:
            contexts.detach(token)
            self._end(span, scope, told, time.perf_counter() - started)

    def _end(self, span: trace.Span, scope: Scope, told: dict[str, Any], seconds: float) -> None:
        route = getattr(scope.get("route"), "path", None)
        if route is not None:
            told[names.ROUTE.name] = route
            span.update_name(f"{told[names.METHOD.name]} {route}")
        if told.get(names.STATUS.name, 500) >= 500:
            told.setdefault(names.ERROR_TYPE.name, str(told.get(names.STATUS.name, "no_reply")))
            span.set_status(trace.StatusCode.ERROR)
        span.set_attributes(told)
        span.end()
        self._made.took(names.REQUEST_SECONDS, seconds, told)


def _parent(scope: Scope) -> Context:
    """The caller's span. A header that is there more than once does not count."""
    found = [value for name, value in scope["headers"] if name == _TRACEPARENT.encode()]
    if len(found) != 1:
        return Context()
    return TraceContextTextMapPropagator().extract({_TRACEPARENT: found[0].decode("latin-1")}, Context())


class TracedUpstream:
    """The model server, of whose calls is told. It is asked once.

    Attributes:
        span: the span of the call; None before it.
        response_id: the id of the reply, as soon as it is known.
    """

    def __init__(self, upstream: UpstreamClient, made: Instruments, settings: TelemetrySettings) -> None:
        self.span: trace.Span | None = None
        self.response_id = ""
        self._upstream = upstream
        self._made = made
        self._settings = settings
        self._told: dict[str, Any] = {}
        self._finishes: dict[int, str] = {}

    async def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """As ``UpstreamClient.post``."""
        with self._call(body) as headers:
            reply = await self._upstream.post(path, body, headers=headers)
            self._saw(reply)
            return reply

    async def stream(
        self, path: str, body: Mapping[str, Any], *, last: Container[str] = ()
    ) -> AsyncIterator[dict[str, Any]]:
        """As ``UpstreamClient.stream``."""
        with self._call(body) as headers:
            events = self._upstream.stream(path, body, last=last, headers=headers)
            async with aclosing(events):  # type: ignore[type-var]
                async for each in events:
                    self._saw(each)
                    yield each

    @contextmanager
    def _call(self, body: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
        """The time of the call; gives the headers that go with it."""
        provider = names.PROVIDER if self._settings.latest else names.SYSTEM
        base = {names.OPERATION.name: "chat", provider.name: "openai"}
        model = _short(body.get("model"))
        host = urlsplit(self._upstream.base).hostname or ""
        attributes = {**base, names.SERVER_ADDRESS.name: host, names.REQUEST_MODEL.name: model}
        self.span = span = self._made.tracer.start_span(
            f"chat {model}".rstrip(), kind=trace.SpanKind.CLIENT, attributes=attributes
        )
        started = time.perf_counter()
        try:
            yield self._headers(span)
        except Exception as fault:
            base[names.ERROR_TYPE.name] = kind_of(fault) or type(fault).__name__
            span.set_status(trace.StatusCode.ERROR)
            raise
        finally:
            if self._finishes:
                self._told[names.FINISH.name] = [self._finishes[key] for key in sorted(self._finishes)]
            span.set_attributes({**self._told, **base})
            span.end()
            if names.RESPONSE_MODEL.name in self._told:
                base[names.RESPONSE_MODEL.name] = self._told[names.RESPONSE_MODEL.name]
            self._made.took(names.MODEL_SECONDS, time.perf_counter() - started, base)

    def _headers(self, span: trace.Span) -> Mapping[str, str]:
        if not self._settings.propagate:
            return {}
        carrier: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(carrier, trace.set_span_in_context(span))
        return {name: value for name, value in carrier.items() if name == _TRACEPARENT}

    def _saw(self, reply: Mapping[str, Any]) -> None:
        """Keeps what is told of a reply, or of a part of it."""
        inner = reply.get("response")
        whole = inner if isinstance(inner, dict) else reply
        if not self.response_id and (found := _short(whole.get("id"))):
            self.response_id = self._told[names.RESPONSE_ID.name] = found
        if model := _short(whole.get("model")):
            self._told[names.RESPONSE_MODEL.name] = model
        if isinstance(usage := whole.get("usage"), dict):
            self._told.update(_tokens(usage))
        choices = reply.get("choices")
        for number, choice in enumerate(choices if isinstance(choices, list) else ()):
            if isinstance(choice, dict) and (finish := _short(choice.get("finish_reason"))):
                index = choice.get("index")
                if len(self._finishes) < _LONGEST:
                    self._finishes[index if isinstance(index, int) else number] = finish


def _tokens(usage: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The counts of tokens, by either protocol's keys."""
    for name, keys in ((names.INPUT_TOKENS, ("prompt", "input")), (names.OUTPUT_TOKENS, ("completion", "output"))):
        for key in keys:
            count = usage.get(f"{key}_tokens")
            if isinstance(count, int) and 0 <= count < 1 << 53:
                yield name.name, count


def _short(value: object) -> str:
    """A short text that came from outside; nothing where it is none."""
    return sendable(value, _LONGEST) if isinstance(value, str) else ""
