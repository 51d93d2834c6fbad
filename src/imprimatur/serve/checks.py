"""``/v1/check`` and ``/v1/batch``: reports on answers, without a model server.

The body of a check is a row of ``imprimatur batch`` (the ``id`` may be left out) with the extra object of a request
beside it; a batch is ``{"rows": [row, …]}``, answered by ``{"rows": [{id, report} or {id, error}, …]}`` in order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from imprimatur.cli.rows import Row, row_of
from imprimatur.errors import InputError
from imprimatur.report import Report
from imprimatur.serve.call import EXTENSION, call_of
from imprimatur.serve.faults import Refused
from imprimatur.serve.http import attended, holder_of, json_body, json_response, named_base, service_of
from imprimatur.serve.keys import Holder
from imprimatur.serve.service import Session

__all__ = ["batch", "check"]

#: Rows of one batch at most.
_MOST_ROWS = 1000


async def check(request: Request) -> Response:
    """The report on one answer."""
    service, holder = service_of(request), holder_of(request)
    async with service.slot():
        body = await json_body(request)
        _may_see(holder)
        session = service.session(holder, call_of(body), named=named_base(request))
        report = await attended(request, _judged(session, body))
        assert report is not None
        return json_response(report)


async def batch(request: Request) -> Response:
    """The reports on many answers; a row that cannot be read gets an error, and the others go on."""
    service, holder = service_of(request), holder_of(request)
    async with service.slot():
        body = await json_body(request)
        _may_see(holder)
        session = service.session(holder, call_of(body), named=named_base(request))
        rows = body.get("rows")
        if not isinstance(rows, list) or len(rows) > _MOST_ROWS:
            raise Refused(
                400, f"`rows`: a list of at most {_MOST_ROWS} is needed", code="invalid_request", param="rows"
            )
        return json_response({"rows": await attended(request, _rows(session, rows))})


def _may_see(holder: Holder) -> None:
    """Refuses (403) whoever may see no report at all."""
    if holder.evidence == "none":
        raise Refused(403, "this key may not see reports", code="reports_not_allowed")


async def _rows(session: Session, rows: list[Any]) -> list[dict[str, Any]]:
    return [await _row(session, row) for row in rows]


async def _row(session: Session, row: Any) -> dict[str, Any]:
    number = row.get("id") if isinstance(row, dict) else None
    try:
        return {"id": number, "report": await _judged(session, row)}
    except InputError as fault:
        return {"id": number, "error": str(fault)}


async def _judged(session: Session, values: Any) -> Mapping[str, Any] | None:
    """The report on a row, recorded, as the caller may see it."""
    given = {"id": "", **values} if isinstance(values, dict) else values
    row = row_of({key: value for key, value in given.items() if key != EXTENSION} if isinstance(given, dict) else given)
    return await session.record(await asyncio.to_thread(_report, session, row))


def _report(session: Session, row: Row) -> Report:
    call = session.call
    options: dict[str, Any] = {
        "messages": row.messages,
        "memory": (*row.memory, *call.memory),
        "as_of": call.as_of,
        "policy": session.policy,
        "seconds": session.service.settings.limits.seconds,
    }
    context = (*row.context, *call.context)
    if row.answer is None:
        return session.oracle.check_claims(row.claims, row.question, context, **options)
    return session.oracle.check(row.answer, row.question, context, **options)
