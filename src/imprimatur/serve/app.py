"""The gateway as an ASGI application: which path goes where.

Every path under ``/v1`` is also there under ``/kb/NAME/v1``, for one knowledge base.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from imprimatur.serve import asking, chat, checks, guardrail, openapi, responses
from imprimatur.serve.call import Call, call_of
from imprimatur.serve.faults import Refused
from imprimatur.serve.http import (
    answered,
    attended,
    holder_of,
    json_body,
    json_response,
    named_base,
    service_of,
    stopped,
)
from imprimatur.serve.service import Service, Session
from imprimatur.serve.settings import Settings
from imprimatur.serve.upstream import ModelServer, UpstreamClient

__all__ = ["make_app"]


Complete = Callable[[Session, ModelServer, Mapping[str, Any]], Coroutine[Any, Any, dict[str, Any]]]
Streaming = Callable[[Session, ModelServer, Mapping[str, Any]], AsyncGenerator[bytes, None]]
#: The end of a stream of which so many events have gone out, when the gateway stops.
Farewell = Callable[[int], bytes]
#: Seconds that a stream which is given up has for its last event.
_FAREWELL_SECONDS = 2


def make_app(settings: Settings) -> Starlette:
    """The application for some settings.

    Raises:
        ImprimaturError: a knowledge base, the keys, the ledger or the key for the model server cannot be opened.
    """
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.service = service
        try:
            await asyncio.to_thread(service.warm)
            yield
        finally:
            await service.close()

    app = Starlette(
        routes=_routes(),
        lifespan=lifespan,
        middleware=_around(service),
        exception_handlers={HTTPException: _nothing_there},
    )
    # Else a path with a slash too many is redirected to whatever host the request names.
    app.router.redirect_slashes = False
    return app


def _around(service: Service) -> list[Middleware]:
    """What stands around all routes."""
    if service.tracing is None:
        return []
    from imprimatur.serve.tracing import RequestSpans

    return [Middleware(RequestSpans, service.tracing)]


def _routes() -> list[Route]:
    made = [
        Route("/healthz", _healthz, methods=["GET"]),
        Route("/readyz", _readyz, methods=["GET"]),
        Route("/metrics", answered("/metrics", _metrics), methods=["GET"]),
        Route("/openapi.json", _openapi, methods=["GET"]),
    ]
    for path, handler, method in (
        ("/v1/chat/completions", _chat, "POST"),
        ("/v1/responses", _respond, "POST"),
        ("/v1/models", _models, "GET"),
        ("/v1/check", checks.check, "POST"),
        ("/v1/batch", checks.batch, "POST"),
        (asking.PATH, asking.ask, "POST"),
        (guardrail.PATH, guardrail.guardrail, "POST"),
    ):
        made += [
            Route(path, answered(path, handler), methods=[method]),
            Route("/kb/{kb}" + path, answered(path, handler), methods=[method]),
        ]
    return made


async def _nothing_there(request: Request, fault: Exception) -> Response:
    """What is told of a path or a method that is not served."""
    assert isinstance(fault, HTTPException)
    found = Refused(fault.status_code, "nothing is served at this path by this method", code="not_found")
    return json_response(found.body, status=found.status, headers=fault.headers)


async def _healthz(request: Request) -> Response:
    """The process is alive."""
    return PlainTextResponse("ok\n")


async def _readyz(request: Request) -> Response:
    """Calls are taken."""
    ready = not service_of(request).stopping
    return PlainTextResponse("ready\n" if ready else "stopping\n", status_code=200 if ready else 503)


async def _metrics(request: Request) -> Response:
    """The figures; they name every knowledge base, and so only a key that may use all of them sees them."""
    if holder_of(request).knowledge_bases is not None:
        raise Refused(403, "this key may not see the figures", code="figures_not_allowed")
    return Response(service_of(request).figures.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


async def _openapi(request: Request) -> Response:
    return json_response(openapi.document(keyed=service_of(request).keys is not None))


async def _models(request: Request) -> Response:
    """The model server's models, for whoever may use the knowledge base that is named."""
    service, holder = service_of(request), holder_of(request)
    async with service.slot():
        service.session(holder, Call(), named=named_base(request))
        return json_response(await attended(request, _upstream(request).get("/models")))


def _upstream(request: Request) -> UpstreamClient:
    found = service_of(request).upstream
    if found is None:
        raise Refused(404, "no model server stands behind this gateway", code="no_upstream")
    return found


async def _chat(request: Request) -> Response:
    return await _completed(request, chat.complete, chat.stream, farewell=chat.farewell)


async def _respond(request: Request) -> Response:
    return await _completed(request, responses.complete, responses.stream, farewell=responses.farewell)


async def _completed(request: Request, complete: Complete, stream: Streaming, *, farewell: Farewell) -> Response:
    """A model's reply through the gate, streamed where the request asks for it."""
    service, holder = service_of(request), holder_of(request)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(service.slot())
        body = await json_body(request)
        session = service.session(holder, call_of(body), named=named_base(request))
        if not isinstance(body.get("stream"), bool | None):
            raise Refused(400, "`stream`: true or false is needed", code="invalid_request", param="stream")
        upstream: ModelServer = _upstream(request)
        if service.tracing is not None:
            session, upstream = service.tracing.exchanged(session, _upstream(request))
        if not body.get("stream"):
            return json_response(await attended(request, complete(session, upstream, body)))
        events = stream(session, upstream, body)
        stack.push_async_callback(events.aclose)
        first = await attended(request, _first(events))
        return _Events(_streamed(first, events), stack.pop_all(), farewell=farewell)


async def _first(events: AsyncIterator[bytes]) -> bytes:
    """The first event; empty where there is none."""
    return await anext(events, b"")


async def _streamed(first: bytes, events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for each in events:
        yield each


class _Events(StreamingResponse):
    """The events of a reply. The call ends with it, however it ends, even before it begins.

    When the gateway stops before the reply has ended, the last event says so.
    """

    def __init__(self, events: AsyncIterator[bytes], kept: AsyncExitStack, *, farewell: Farewell) -> None:
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        super().__init__(events, media_type="text/event-stream; charset=utf-8", headers=headers)
        self._kept = kept
        self._farewell = farewell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events."""
        sent: list[str] = []

        async def noted(message: Message) -> None:
            await send(message)
            sent.append(message["type"] if message.get("more_body", True) else "end")

        async with self._kept:
            try:
                await super().__call__(scope, receive, noted)
            except asyncio.CancelledError:
                await self._part(scope, receive, send, sent)

    async def _part(self, scope: Scope, receive: Receive, send: Send, sent: list[str]) -> None:
        """Ends a reply that is given up: with an event, or with an error where nothing has gone out."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                if not sent:
                    told = stopped()
                    await json_response(told.body, status=told.status, headers=told.headers)(scope, receive, send)
                elif sent[-1] != "end":
                    last = self._farewell(len(sent) - 1)
                    await send({"type": "http.response.body", "body": last, "more_body": False})
