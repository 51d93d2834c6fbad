"""LiteLLM's generic guardrail route: ``POST /beta/litellm_basic_guardrail_api``.

The proxy sends the texts of a request or a response and does what the answer says. Texts of a request are not judged,
for nobody has answered yet. A text of a response is let pass (``NONE``), replaced by what was decided
(``GUARDRAIL_INTERVENED``), or refused where nothing of it may be shown (``BLOCKED``). The extra object of a request may
stand in ``additional_provider_specific_params``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from imprimatur.answer import Message
from imprimatur.serve.call import call_of, dialogue
from imprimatur.serve.choice import mended
from imprimatur.serve.faults import Refused
from imprimatur.serve.http import attended, holder_of, json_body, json_response, named_base, service_of
from imprimatur.serve.service import Session

__all__ = ["PATH", "guardrail"]

PATH = "/beta/litellm_basic_guardrail_api"
#: Texts of one call at most.
_MOST_TEXTS = 1000


async def guardrail(request: Request) -> Response:
    """What the proxy is to do with some texts."""
    service, holder = service_of(request), holder_of(request)
    async with service.slot():
        body = await json_body(request)
        texts = [] if body.get("texts") is None else body["texts"]
        if not isinstance(texts, list) or len(texts) > _MOST_TEXTS or not all(isinstance(each, str) for each in texts):
            message = f"`texts`: a list of at most {_MOST_TEXTS} texts is needed"
            raise Refused(400, message, code="invalid_request", param="texts")
        if body.get("input_type") not in ("request", "response"):
            raise Refused(
                400, "`input_type`: request or response is needed", code="invalid_request", param="input_type"
            )
        extra = body.get("additional_provider_specific_params")
        session = service.session(holder, call_of(extra if isinstance(extra, dict) else {}), named=named_base(request))
        if body["input_type"] == "request" or not texts:
            return json_response({"action": "NONE"})
        return json_response(await attended(request, _judged(session, texts, body.get("request_data"))))


async def _judged(session: Session, texts: list[str], asked: object) -> Mapping[str, Any]:
    question, turns = _asked(asked)
    released: list[str] = []
    blocked = False
    for text in map(mended, texts):
        gate = await session.gate(question, turns)
        await gate.afeed(text)
        await gate.afinish()
        assert gate.report is not None
        await session.record(gate.report)
        released.append(gate.report.decision.text)
        blocked |= released[-1] == session.policy.abstention_text
    if blocked:
        return {"action": "BLOCKED", "blocked_reason": session.policy.abstention_text}
    if released == texts:
        return {"action": "NONE"}
    return {"action": "GUARDRAIL_INTERVENED", "texts": released}


def _asked(asked: object) -> tuple[str | None, tuple[Message, ...]]:
    """The dialogue that the texts answer, where the proxy passes it on."""
    messages = asked.get("messages") if isinstance(asked, dict) else None
    return dialogue(messages) if isinstance(messages, list) else (None, ())
