"""``/v1/ask``: a question, answered from a knowledge base; the reply is what ``imprimatur ask --json`` prints.

    {"question": "How long is the Rhine?", "options": ["…"], "how": "graph" | "oracle", "queries": false,
     "show_context": false, "imprimatur": {"knowledge_base": "rivers", "policy": "redact"}}

Invariants: a request names no model; a key that may not see evidence gets none of what was retrieved, drafted or
proposed, only what was released and what became of it; a report is recorded before its answer goes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from imprimatur.serve.askers import HOWS, Question
from imprimatur.serve.call import EXTENSION, call_of
from imprimatur.serve.faults import Refused
from imprimatur.serve.http import attended, holder_of, json_body, json_response, named_base, service_of
from imprimatur.stream import Mode

__all__ = ["MOST_OPTIONS", "PATH", "ask"]

PATH = "/v1/ask"
MOST_OPTIONS = 50
_KEYS = ("question", "options", "how", "queries", "show_context", EXTENSION)
_CALL_KEYS = ("knowledge_base", "policy")


async def ask(request: Request) -> Response:
    """The answer to a question."""
    service, holder = service_of(request), holder_of(request)
    async with service.slot():
        body = await json_body(request)
        question = _question(body)
        session = service.session(holder, _call(body), named=named_base(request))
        # Nothing of an answer is shown before its end, whatever is shown of the streams of a model server.
        session = replace(session, mode=Mode.BUFFER)
        if question.show_context and holder.evidence != "full":
            raise Refused(403, "this key may not see evidence", code="evidence_not_allowed", param="show_context")
        found = await attended(request, service.askers.found(session, question))
        service.figures.asked(found.values, kb=session.name)
        report = None if found.report is None else await session.record(found.report)
        return json_response(_shown({**found.values, "report": report}, holder.evidence))


def _shown(values: dict[str, Any], evidence: str) -> dict[str, Any]:
    """An outcome as a key may see it: without what was retrieved, drafted or proposed, where it may see no evidence.

    A draft is written, and a sentence proposed, from the evidence; so the words of their claims are evidence too.
    """
    if evidence == "full":
        return values
    made = {key: value for key, value in values.items() if key != "context"}
    for key, left in (("draft", None), ("clarify", None), ("things", []), ("citations", [])):
        if key in made:
            made[key] = left
    if "context" in values:
        made["context"] = None
    if made.get("gate"):
        made["gate"] = {**made["gate"], "why": None}
    if made["outcome"] == "refused":
        made["why"] = None
    if made["report"] is not None:
        made["report"] = _wordless(made["report"])
    return made


def _wordless(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without the words of claims, and without edits, which hold what stood there before."""
    segments = [
        {**segment, "claims": [{**claim, "text": ""} for claim in segment["claims"]]} for segment in report["segments"]
    ]
    return {**report, "segments": segments, "edits": []}


def _question(body: Mapping[str, Any]) -> Question:
    """What a request asks. Raises Refused (400) for whatever is wrong with it."""
    for key in body:
        if key not in _KEYS:
            raise _wrong(f"unknown; known are {', '.join(_KEYS)}", str(key)[:40])
    text = body.get("question")
    if not isinstance(text, str) or not text.strip():
        raise _wrong("a question is needed", "question")
    options = body.get("options", [])
    if not isinstance(options, list) or len(options) > MOST_OPTIONS or not all(isinstance(o, str) for o in options):
        raise _wrong(f"a list of at most {MOST_OPTIONS} texts is needed", "options")
    how = body.get("how")
    if how is not None and how not in HOWS:
        raise _wrong(f"one of {', '.join(HOWS)} is needed", "how")
    return Question(
        text=text,
        options=tuple(options),
        how=how,
        queries=_flag(body, "queries"),
        show_context=_flag(body, "show_context"),
    )


def _call(body: Mapping[str, Any]) -> Any:
    """The extra object; only what a question can be asked with."""
    call = call_of(body)
    for key in body.get(EXTENSION) or ():
        if key not in _CALL_KEYS:
            raise _wrong("answers rest on the knowledge base alone, as it is today", f"{EXTENSION}.{key}")
    return call


def _flag(body: Mapping[str, Any], key: str) -> bool:
    value = body.get(key, False)
    if not isinstance(value, bool):
        raise _wrong("true or false is needed", key)
    return value


def _wrong(message: str, param: str) -> Refused:
    return Refused(400, f"`{param}`: {message}", code="invalid_request", param=param)
