"""What routes do with HTTP: reading bodies within bounds, knowing the caller, telling errors.

Invariants: a body longer, later or deeper than the limits allow is refused before it is kept; a header that says who
calls, or what for, counts only when it is there once; no traceback and no word of an unexpected error goes out.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from imprimatur.errors import ImprimaturError
from imprimatur.serve.faults import Refused, error_of
from imprimatur.serve.keys import Holder
from imprimatur.serve.service import Service
from imprimatur.serve.upstream import UpstreamStatus

__all__ = ["Gone", "Handler", "answered", "attended", "holder_of", "json_body", "named_base", "service_of"]

_log = logging.getLogger("imprimatur.serve")
T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]


def service_of(request: Request) -> Service:
    """The gateway's state."""
    found: Service = request.app.state.service
    return found


def _once(request: Request, name: str) -> str | None:
    """A header that may be there once."""
    values = request.headers.getlist(name)
    if len(values) > 1:
        raise Refused(400, f"the header {name} is there more than once", code="invalid_request")
    return values[0] if values else None


def holder_of(request: Request) -> Holder:
    """Who calls, by its key. Raises Refused (401)."""
    said = _once(request, "authorization")
    kind, _, key = (said or "").partition(" ")
    return service_of(request).holder(key.strip() if kind.lower() == "bearer" else None)


def named_base(request: Request) -> str | None:
    """The knowledge base that the path or the header names. Raises Refused (400) where they do not agree."""
    by_path, by_header = request.path_params.get("kb"), _once(request, "x-imprimatur-kb")
    if by_path and by_header and by_path != by_header:
        raise Refused(400, "two knowledge bases are named", code="invalid_request")
    return by_path or by_header


async def json_body(request: Request) -> dict[str, Any]:
    """The JSON object that a request brings.

    Raises:
        Refused: it is too long, comes too slowly, or is no JSON object.
    """
    limits = service_of(request).settings.limits
    body = bytearray()
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for part in request.stream():
                body += part
                if len(body) > limits.bytes:
                    raise Refused(413, f"the request has more than {limits.bytes} bytes", code="request_too_large")
    except TimeoutError as fault:
        raise Refused(408, "the request came too slowly", code="request_timeout") from fault
    except ClientDisconnect as fault:
        raise Refused(400, "the request broke off", code="invalid_request") from fault
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as fault:
        raise Refused(400, "the request is no JSON", code="invalid_request") from fault
    if not isinstance(found, dict):
        raise Refused(400, "the request is no JSON object", code="invalid_request")
    return found


async def attended(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What some work comes to, which ends when the caller goes away; the request's body has been read.

    Raises:
        Gone: the caller went away.
    """
    working = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Gone
        return working.result()
    finally:
        for task in (working, watching):
            task.cancel()
        await asyncio.gather(working, watching, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Gone(Exception):
    """The caller went away before its reply."""


def answered(route: str, handler: Handler) -> Handler:
    """The handler of a route, whose errors are told as error objects, and whose calls are counted."""

    async def counted(request: Request) -> Response:
        figures = service_of(request).figures
        started = time.perf_counter()
        response = await _told(handler, request)
        figures.requests.labels(route, str(response.status_code)).inc()
        figures.seconds.labels(route).observe(time.perf_counter() - started)
        return response

    return counted


async def _told(handler: Handler, request: Request) -> Response:
    try:
        return await handler(request)
    except Gone:
        found = Refused(499, "the caller went away", code="client_closed_request")  # nobody reads it, but it is counted
    except Refused as refused:
        found = refused
    except UpstreamStatus as fault:
        service_of(request).count_fault(fault)
        headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
        found = Refused(fault.status, str(fault), code="upstream_refused", headers=headers)
    except ImprimaturError as fault:
        service_of(request).count_fault(fault)
        _log.warning("%s: %s", type(fault).__name__, fault)
        found = error_of(fault)
    except Exception as fault:
        _log.error("a request failed: %s", type(fault).__name__)
        found = Refused(500, "the request failed", code="internal_error")
    return JSONResponse(found.body, status_code=found.status, headers=found.headers)
