"""What a caller is told when something is wrong: OpenAI's error objects, and the status that goes with each.

Invariant: an error says what is wrong and how to mend it, never what a server behind the gateway said, nor anything
of a knowledge base that the caller may not use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imprimatur.errors import ImprimaturError, ModelFailed, StoreUnavailable, UsageError

__all__ = ["Refused", "error_of", "fault_object"]


class Refused(Exception):
    """A request that is not served, with the HTTP status and the error object for it.

    Attributes:
        status: the HTTP status.
        body: the error object.
        headers: what goes with them (``Retry-After``).
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str,
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = fault_object(message, kind=_kind(status), code=code, param=param)
        self.headers = {**({"WWW-Authenticate": "Bearer"} if status == 401 else {}), **(headers or {})}


def fault_object(message: str, *, kind: str, code: str, param: str | None = None) -> dict[str, Any]:
    """An error in the form of OpenAI's protocol."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def error_of(fault: ImprimaturError) -> Refused:
    """How an error of the library is told: the caller's mistake, the server's behind, or the gateway's own."""
    said = f"{fault.message}; {fault.hint}" if fault.hint else fault.message
    if isinstance(fault, ModelFailed | StoreUnavailable):
        return Refused(502, said, code="upstream_failed")
    if isinstance(fault, UsageError):
        return Refused(400, said, code="invalid_request")
    return Refused(500, "the check failed", code="check_failed")


def _kind(status: int) -> str:
    if status == 401:
        return "authentication_error"
    if status == 403:
        return "permission_error"
    if status == 429:
        return "rate_limit_error"
    return "invalid_request_error" if status < 500 else "server_error"
