"""The gateway as an ASGI application: which path goes where.

Every path under ``/v1`` is also there under ``/kb/NAME/v1``, for one knowledge base.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from imprimatur.serve import chat, checks, guardrail, openapi, responses
from imprimatur.serve.call import call_of
from imprimatur.serve.faults import Refused
from imprimatur.serve.http import answered, attended, holder_of, json_body, named_base, service_of
from imprimatur.serve.service import Service, Session
from imprimatur.serve.settings import Settings
from imprimatur.serve.upstream import ModelServer, UpstreamClient

__all__ = ["make_app"]


Complete = Callable[[Session, ModelServer, Mapping[str, Any]], Coroutine[Any, Any, dict[str, Any]]]
Streaming = Callable[[Session, ModelServer, Mapping[str, Any]], AsyncIterator[bytes]]


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

    return Starlette(routes=_routes(), lifespan=lifespan, middleware=_around(service))


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
        Route("/metrics", _metrics, methods=["GET"]),
        Route("/openapi.json", _openapi, methods=["GET"]),
    ]
    for path, handler, method in (
        ("/v1/chat/completions", _chat, "POST"),
        ("/v1/responses", _respond, "POST"),
        ("/v1/models", _models, "GET"),
        ("/v1/check", checks.check, "POST"),
        ("/v1/batch", checks.batch, "POST"),
        (guardrail.PATH, guardrail.guardrail, "POST"),
    ):
        made += [
            Route(path, answered(path, handler), methods=[method]),
            Route("/kb/{kb}" + path, answered(path, handler), methods=[method]),
        ]
    return made


async def _healthz(request: Request) -> Response:
    """The process is alive."""
    return PlainTextResponse("ok\n")


async def _readyz(request: Request) -> Response:
    """Calls are taken."""
    ready = not service_of(request).stopping
    return PlainTextResponse("ready\n" if ready else "stopping\n", status_code=200 if ready else 503)


async def _metrics(request: Request) -> Response:
    return Response(service_of(request).figures.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


async def _openapi(request: Request) -> Response:
    return JSONResponse(openapi.document())


async def _models(request: Request) -> Response:
    holder_of(request)
    return JSONResponse(dict(await _upstream(request).get("/models")))


def _upstream(request: Request) -> UpstreamClient:
    found = service_of(request).upstream
    if found is None:
        raise Refused(404, "no model server stands behind this gateway", code="no_upstream")
    return found


async def _chat(request: Request) -> Response:
    return await _completed(request, chat.complete, chat.stream)


async def _respond(request: Request) -> Response:
    return await _completed(request, responses.complete, responses.stream)


async def _completed(request: Request, complete: Complete, stream: Streaming) -> Response:
    """A model's reply through the gate, streamed where the request asks for it."""
    service, holder = service_of(request), holder_of(request)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(service.slot())
        body = await json_body(request)
        session = service.session(holder, call_of(body), named=named_base(request))
        upstream: ModelServer = _upstream(request)
        if service.tracing is not None:
            session, upstream = service.tracing.exchanged(session, _upstream(request))
        if not body.get("stream"):
            return JSONResponse(await attended(request, complete(session, upstream, body)))
        events = stream(session, upstream, body)
        first = await attended(request, _first(events))
        kept = stack.pop_all()
        return StreamingResponse(
            _streamed(first, events, kept),
            media_type="text/event-stream; charset=utf-8",
            headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
        )


async def _first(events: AsyncIterator[bytes]) -> bytes:
    """The first event; empty where there is none. When this is given up, so are the others."""
    try:
        return await anext(events, b"")
    except asyncio.CancelledError:
        await events.aclose()  # type: ignore[attr-defined]
        raise


async def _streamed(first: bytes, events: AsyncIterator[bytes], kept: AsyncExitStack) -> AsyncIterator[bytes]:
    """The events of a stream; the call ends with it, however it ends."""
    async with kept:
        try:
            yield first
            async for each in events:
                yield each
        finally:
            await events.aclose()  # type: ignore[attr-defined]
