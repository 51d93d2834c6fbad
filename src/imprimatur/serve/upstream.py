"""The model server behind the gateway, asked asynchronously.

Invariants: the address is the operator's, no request changes it; no proxy of the environment, no redirect, no cookie;
the caller's key and headers are not passed on; what the server says of an error is not repeated, but for its status and
how long to wait; a reply ends within its time and has at most 64 MB; closing a stream closes its connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Container, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Protocol

import httpx2

from imprimatur._expressions import expression
from imprimatur.errors import ConfigError, ModelFailed, StoreUnavailable
from imprimatur.serve.events import EventReader
from imprimatur.serve.settings import Upstream
from imprimatur.serve.strict_json import read_json, written

__all__ = [
    "ModelServer",
    "UpstreamClient",
    "UpstreamFailed",
    "UpstreamKeyRefused",
    "UpstreamStatus",
    "UpstreamUnavailable",
    "kind_of",
]

_LONGEST = 64 << 20
_CONNECT_SECONDS = 10
#: What a caller can do something about goes on to it.
_PASSED = (400, 404, 413, 422, 429)
_WAIT = expression(r"[0-9]{1,6}|[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT")


class UpstreamStatus(ModelFailed):
    """The server answered with an error that the caller may mend, or wait for."""

    def __init__(self, status: int, retry_after: str | None = None) -> None:
        hint = "try again later" if status == 429 else "mend the request"
        super().__init__(f"the model server answered with status {status}", hint=hint)
        self.status = status
        # Nothing else that the server writes there reaches a header of the gateway.
        self.retry_after = retry_after if retry_after and _WAIT.fullmatch(retry_after) else None


class UpstreamUnavailable(StoreUnavailable):
    """The server gives no answer; ``kind`` says in a word why."""

    def __init__(self, message: str, *, kind: str = "unavailable", hint: str = "", where: str = "") -> None:
        super().__init__(message, hint=hint, where=where)
        self.kind = kind


class UpstreamFailed(ModelFailed):
    """What the server gives is no answer; ``kind`` says in a word why."""

    def __init__(self, message: str, *, kind: str = "no_reply", hint: str = "", where: str = "") -> None:
        super().__init__(message, hint=hint, where=where)
        self.kind = kind


class UpstreamKeyRefused(ConfigError):
    """The server does not take the gateway's key."""

    kind = "key_refused"


def kind_of(fault: BaseException) -> str | None:
    """A word for a fault of the model server, to count by; None where it is none of its faults."""
    if isinstance(fault, UpstreamStatus):
        return f"status_{fault.status}"
    own = "no_reply" if isinstance(fault, ModelFailed | StoreUnavailable) else None
    kind: str | None = getattr(fault, "kind", own)
    return kind


class ModelServer(Protocol):
    """What can be asked for replies."""

    async def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The JSON object that answers a request."""
        ...

    def stream(self, path: str, body: Mapping[str, Any], *, last: Container[str] = ()) -> AsyncIterator[dict[str, Any]]:
        """The events of a streamed answer."""
        ...


class UpstreamClient:
    """Asks the model server."""

    def __init__(self, upstream: Upstream, *, calls: int) -> None:
        key = upstream.key.reveal() if upstream.key is not None else ""
        self._seconds = upstream.seconds
        self.base = upstream.base_url
        headers = {"User-Agent": "imprimatur", "Accept-Encoding": "identity"}
        self._client = httpx2.AsyncClient(
            headers=headers | ({"Authorization": f"Bearer {key}"} if key else {}),
            timeout=httpx2.Timeout(upstream.seconds, connect=_CONNECT_SECONDS),
            limits=httpx2.Limits(max_connections=calls, max_keepalive_connections=min(calls, 64)),
            # A cookie that the server sets for one caller must not come with the next one's request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            trust_env=False,
            follow_redirects=False,
        )

    async def close(self) -> None:
        """Closes all connections."""
        await self._client.aclose()

    async def get(self, path: str) -> Mapping[str, Any]:
        """The JSON object at a path."""
        return await self._whole("GET", path, None)

    async def post(
        self, path: str, body: Mapping[str, Any], *, headers: Mapping[str, str] | None = None
    ) -> Mapping[str, Any]:
        """The JSON object that answers a request; ``headers`` are the gateway's own.

        Raises:
            UpstreamStatus: an error that the caller may mend.
            ModelFailed: anything else that is no answer.
            StoreUnavailable: the server cannot be reached, or takes too long.
        """
        return await self._whole("POST", path, body, headers)

    async def stream(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        last: Container[str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """The events of a streamed answer, until ``[DONE]`` or one of the ``last`` types; errors are those of ``post``.

        A stream that ends otherwise was cut off: ModelFailed.
        """
        ends = self._ends()
        async with self._reply("POST", path, body, headers, ends=ends) as reply:
            if reply.headers.get("content-type", "").split(";")[0].strip() != "text/event-stream":
                raise ModelFailed("the model server answered a request for a stream with something else")
            reader = EventReader()
            async with aclosing(_parts(reply, ends)) as parts:  # type: ignore[type-var]
                async for part in parts:
                    for data in reader.feed(part):
                        if data.strip() == "[DONE]":
                            return
                        found = _object(data)
                        yield found
                        if isinstance(kind := found.get("type"), str) and kind in last:
                            return
        raise UpstreamFailed("the model server broke off", kind="broken_off")

    async def _whole(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        ends = self._ends()
        async with self._reply(method, path, body, headers, ends=ends) as reply:
            found = b"".join([part async for part in _parts(reply, ends)])
        return _object(found.decode("utf-8", "replace"))

    def _ends(self) -> float:
        """When a reply that is asked for now must have ended."""
        return asyncio.get_running_loop().time() + self._seconds

    @asynccontextmanager
    async def _reply(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
        *,
        ends: float,
    ) -> AsyncIterator[httpx2.Response]:
        content = None if body is None else written(body)
        sent = {**(headers or {}), **({} if content is None else {"Content-Type": "application/json"})}
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout_at(ends):
                    reply = await stack.enter_async_context(
                        self._client.stream(method, self.base + path, content=content, headers=sent)
                    )
                if reply.status_code in _PASSED:
                    raise UpstreamStatus(reply.status_code, reply.headers.get("retry-after"))
                if reply.status_code in (401, 403):
                    raise UpstreamKeyRefused("the model server does not take the gateway's key")
                if reply.status_code != 200:
                    raise UpstreamFailed(
                        f"the model server answered with status {reply.status_code}", kind=f"status_{reply.status_code}"
                    )
                yield reply
        except (TimeoutError, httpx2.TimeoutException) as fault:
            raise UpstreamUnavailable("the model server took too long", kind="timeout") from fault
        except httpx2.ConnectError as fault:
            raise UpstreamUnavailable("the model server cannot be reached", kind="unreachable") from fault
        except (httpx2.HTTPError, httpx2.StreamError) as fault:
            raise UpstreamFailed("the model server broke off", kind="broken_off") from fault


async def _parts(reply: httpx2.Response, ends: float) -> AsyncIterator[bytes]:
    """The bytes of a reply as they come, as they were sent. Raises TimeoutError when its time is up.

    Each is waited for by itself: whoever takes them may be another task than the one that began, and may take its time.
    """
    size = 0
    async with aclosing(reply.aiter_raw()) as parts:
        while True:
            async with asyncio.timeout_at(ends):
                part = await anext(parts, None)
            if part is None:
                return
            size += len(part)
            if size > _LONGEST:
                raise ModelFailed("the model server answered with more than 64 megabytes")
            yield part


def _object(data: str) -> dict[str, Any]:
    try:
        found = read_json(data)
    except ValueError as fault:
        raise ModelFailed("the model server sent what is no JSON") from fault
    if not isinstance(found, dict):
        raise ModelFailed("the model server sent what is no JSON object")
    if found.get("error") or found.get("type") == "error":
        raise UpstreamFailed("the model server reported an error", kind="error_reported")
    return found
