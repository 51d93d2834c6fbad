"""What routes do with HTTP: reading bodies within bounds, knowing the caller, telling errors.

Invariants: a body longer, later or deeper than the limits allow is refused before it is kept; a header that says who
calls, or what for, counts only when it is there once; a path counts as it is written; where no keys are asked for, only
a program on this machine is served, and no page that a browser shows there; no traceback and no word of an unexpected
error goes out, and no word of a caller's into the log.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from imprimatur._expressions import expression
from imprimatur.errors import ImprimaturError, InputError, PolicyError
from imprimatur.serve.faults import Refused, error_of
from imprimatur.serve.keys import Holder
from imprimatur.serve.service import Service
from imprimatur.serve.settings import LONGEST_HEAD
from imprimatur.serve.strict_json import read_json, written
from imprimatur.serve.upstream import UpstreamStatus

__all__ = [
    "Gone",
    "Handler",
    "answered",
    "attended",
    "holder_of",
    "json_body",
    "json_response",
    "named_base",
    "refusal_of",
    "service_of",
    "stopped",
]

_log = logging.getLogger("imprimatur.serve")
T = TypeVar("T")
#: An escape of a character that needs none, or may not be there: names are letters (perhaps beyond ASCII), digits, ._-
_ESCAPE = expression("%(?![89A-Fa-f])")
_EACH = 32  # what a header costs beside its bytes
_HOST = expression(r"(\[[^\]]*\]|[^:]*)(?::[0-9]*)?")
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
    """Who calls, by its key. Raises Refused (400, 401, 403)."""
    if service_of(request).keys is None:
        _local(request)
    said = _once(request, "authorization")
    kind, _, key = (said or "").partition(" ")
    return service_of(request).holder(key.strip() if kind.lower() == "bearer" else None)


def _local(request: Request) -> None:
    """Refuses what a browser sends for a page of another name: that this machine is called so proves nothing.

    A page's own name can be made to stand for this machine (DNS rebinding); the name that it asked for tells.
    """
    said = _once(request, "host")
    found = _HOST.fullmatch("localhost" if said is None else said)  # HTTP/1.0 has none, but no browser speaks it
    host = found[1].strip("[]").lower() if found else ""
    if host != "localhost" and not _loopback(host):
        message = "without keys only this machine is served, by the names localhost and 127.0.0.1"
        raise Refused(403, message, code="host_not_allowed")


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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
    kind = (_once(request, "content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json":
        # What a page of another site may send without asking first is never of this type.
        raise Refused(415, "`Content-Type: application/json` is needed", code="unsupported_media_type")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise Refused(415, "a request may not be compressed", code="unsupported_media_type")
    limits = service_of(request).settings.limits
    body = bytearray()
    if int(request.headers.get("content-length", "0")) > limits.bytes:  # h11 lets only digits through
        raise _too_large(limits.bytes)
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for part in request.stream():
                body += part
                if len(body) > limits.bytes:
                    raise _too_large(limits.bytes)
    except TimeoutError as fault:
        raise Refused(408, "the request came too slowly", code="request_timeout") from fault
    except ClientDisconnect as fault:
        raise Refused(400, "the request broke off", code="invalid_request") from fault
    try:
        found = read_json(body.decode("utf-8-sig"))
    except ValueError as fault:
        raise Refused(400, "the request is no JSON", code="invalid_request") from fault
    if not isinstance(found, dict):
        raise Refused(400, "the request is no JSON object", code="invalid_request")
    return found


def _too_large(most: int) -> Refused:
    return Refused(413, f"the request has more than {most} bytes", code="request_too_large")


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
        _plain_head(request)
        return await handler(request)
    except Gone:
        found = Refused(499, "the caller went away", code="client_closed_request")  # nobody reads it, but it is counted
    except asyncio.CancelledError:
        found = stopped()
    except Refused as refused:
        found = refused
    except Exception as fault:
        service_of(request).count_fault(fault)
        found = refusal_of(fault)
    return json_response(found.body, status=found.status, headers=found.headers)


def _plain_head(request: Request) -> None:
    """Refuses a head that is too long, or that a server in front could read otherwise."""
    scope, close = request.scope, {"Connection": "close"}
    if sum(len(name) + len(value) + _EACH for name, value in scope["headers"]) > LONGEST_HEAD:
        raise Refused(431, f"the headers have more than {LONGEST_HEAD} bytes", code="head_too_large", headers=close)
    if "content-length" in request.headers and "transfer-encoding" in request.headers:
        raise Refused(400, "two lengths of the request are told", code="invalid_request", headers=close)
    if _ESCAPE.search(scope["raw_path"].decode("latin-1")):
        raise Refused(400, "the path has an escape that may not be there", code="invalid_request")


def stopped() -> Refused:
    """What a caller is told whose call is given up because the gateway stops."""
    return Refused(503, "the gateway is stopping", code="stopping", headers={"Retry-After": "5"})


def refusal_of(fault: Exception) -> Refused:
    """How a fault is told to the caller; the log has it where the operator can mend it."""
    if isinstance(fault, Refused):
        return fault
    if isinstance(fault, UpstreamStatus):
        headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
        return Refused(fault.status, str(fault), code="upstream_refused", headers=headers)
    if isinstance(fault, InputError | PolicyError):
        return error_of(fault)  # the caller's mistake, perhaps in the caller's words
    if isinstance(fault, ImprimaturError):
        _log.warning("%s: %s", type(fault).__name__, ascii(str(fault))[1:-1])
        return error_of(fault)
    _log.error("a request failed: %s", type(fault).__name__)
    return Refused(500, "the request failed", code="internal_error")


def json_response(value: Mapping[str, Any], *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response; halves of characters are written as escapes."""
    return Response(written(value), status_code=status, headers=headers, media_type="application/json")
