"""The OpenAPI document of the gateway (``GET /openapi.json``), version 3.1.

Source: the OpenAPI specification 3.1.1. Every route is there, with every status that it answers with; the data of
streamed events, for which that version has no words, is told by ``x-event-schema``. Invariant: the document does not
tell which knowledge bases there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from imprimatur import __version__
from imprimatur.serve import asking, guardrail
from imprimatur.serve.openapi_schemas import ref, schemas

__all__ = ["document"]

#: What a refusal says, by its status.
_REFUSALS = {
    "400": "The request is wrong.",
    "401": "A valid key is needed.",
    "403": "The key, or this gateway, does not allow this.",
    "404": "There is no such knowledge base, no model server, or what that server says is not there.",
    "408": "The request came too slowly.",
    "413": "The request is too long.",
    "415": "The request is no JSON by its `Content-Type`, or is compressed.",
    "422": "The model server does not take the request.",
    "429": "Too many calls at once, or the model server has too many.",
    "431": "The headers are too long.",
    "500": "The gateway failed: what should have been checked or recorded was not, and nothing is licensed.",
    "502": "The model server failed.",
    "503": "The gateway is stopping.",
}
_CODES = {
    "400": ("invalid_request_error", "invalid_request"),
    "401": ("authentication_error", "invalid_api_key"),
    "403": ("permission_error", "policy_not_allowed"),
    "404": ("invalid_request_error", "knowledge_base_not_found"),
    "408": ("invalid_request_error", "request_timeout"),
    "413": ("invalid_request_error", "request_too_large"),
    "415": ("invalid_request_error", "unsupported_media_type"),
    "422": ("invalid_request_error", "upstream_refused"),
    "429": ("rate_limit_error", "too_many_calls"),
    "431": ("invalid_request_error", "head_too_large"),
    "500": ("server_error", "check_failed"),
    "502": ("server_error", "upstream_failed"),
    "503": ("server_error", "stopping"),
}
#: With these comes how many seconds to wait, where that is known.
_LATER = ("429", "503")
_OF_ALL = ("400", "401", "403", "404", "429", "431", "500", "503")
_OF_BODIES = (*_OF_ALL, "408", "413", "415")
_JSON = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Operation:
    """One route that takes a call, there by itself and under ``/kb/NAME``.

    Attributes:
        events: the schema of the events of its reply, where that may be a stream.
        refusals: the statuses with which it may refuse.
    """

    path: str
    name: str
    summary: str
    reply: str
    body: str | None = None
    events: str | None = None
    refusals: tuple[str, ...] = _OF_BODIES
    examples: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self, *, named: bool) -> dict[str, Any]:
        """The operation, JSON-ready; ``named``: under the name of a knowledge base."""
        content: dict[str, Any] = {_JSON: {"schema": ref(self.reply)}}
        if self.events is not None:
            content["text/event-stream"] = {"x-event-schema": ref(self.events)}
        made: dict[str, Any] = {
            "operationId": self.name + ("Of" if named else ""),
            "summary": self.summary,
            "parameters": [{"$ref": f"#/components/parameters/{'kb' if named else 'X-Imprimatur-KB'}"}],
            "responses": {
                "200": {"description": self.summary, "content": content},
                **{status: _referred(status) for status in sorted(self.refusals)},
            },
        }
        if self.body is not None:
            taken = {"schema": ref(self.body), "examples": {key: {"value": v} for key, v in self.examples.items()}}
            made["requestBody"] = {"required": True, "content": {_JSON: taken}}
        return made


_ASKED = "How long is the Ohoopee River?"
_SAID = "The Ohoopee River is 192 km long."
_CHAT = {"model": "any", "messages": [{"role": "user", "content": _ASKED}]}
_RESPONSE = {"model": "any", "input": _ASKED}
_OPERATIONS = (
    _Operation(
        path="/v1/chat/completions",
        name="completeChat",
        summary="A chat completion whose text is licensed",
        reply="ChatReply",
        body="ChatRequest",
        events="ChatEvent",
        refusals=(*_OF_BODIES, "422", "502"),
        examples={"whole": _CHAT, "streamed": {**_CHAT, "stream": True}},
    ),
    _Operation(
        path="/v1/responses",
        name="respond",
        summary="A response whose text is licensed",
        reply="ResponseReply",
        body="ResponseRequest",
        events="ResponseEvent",
        refusals=(*_OF_BODIES, "422", "502"),
        examples={"whole": _RESPONSE, "streamed": {**_RESPONSE, "stream": True}},
    ),
    _Operation(
        path="/v1/models",
        name="listModels",
        summary="The models of the model server",
        reply="Models",
        refusals=(*_OF_ALL, "413", "422", "502"),
    ),
    _Operation(
        path="/v1/check",
        name="check",
        summary="The report on an answer",
        reply="Report",
        body="Row",
        examples={
            "answer": {"answer": _SAID, "question": _ASKED},
            "claims": {
                "claims": [{"text": "The fee is 5 euros.", "citations": ["1"]}],
                "memory": [{"id": "1", "text": "The fee is 5 euros."}],
            },
        },
    ),
    _Operation(
        path="/v1/batch",
        name="checkMany",
        summary="The reports on many answers, in order",
        reply="BatchReply",
        body="Batch",
        examples={"two": {"rows": [{"id": "1", "answer": _SAID}, {"id": "2", "answer": "Hello."}]}},
    ),
    _Operation(
        path=asking.PATH,
        name="ask",
        summary="The answer to a question, as far as it is licensed",
        reply="Answer",
        body="Question",
        refusals=(*_OF_BODIES, "502"),
        examples={"open": {"question": _ASKED}, "choice": {"question": _ASKED, "options": ["182 km", "192 km"]}},
    ),
    _Operation(
        path=guardrail.PATH,
        name="guard",
        summary="LiteLLM's generic guardrail",
        reply="GuardrailReply",
        body="GuardrailRequest",
        examples={
            "response": {"texts": [_SAID], "input_type": "response", "request_data": _CHAT},
            "request": {"texts": [_ASKED], "input_type": "request"},
        },
    ),
)


def document(*, keyed: bool) -> dict[str, Any]:
    """The document, JSON-ready; ``keyed``: whether this gateway asks for keys."""
    paths: dict[str, Any] = {
        "/healthz": {"get": _plain("isAlive", "Whether the process is alive")},
        "/readyz": {"get": _plain("isReady", "Whether calls are taken", "503")},
        "/metrics": {"get": _figures()},
        "/openapi.json": {
            "get": {
                "operationId": "describe",
                "summary": "This document",
                "security": [],
                "responses": {"200": {"description": "It", "content": {_JSON: {"schema": {"type": "object"}}}}},
            }
        },
    }
    for each in _OPERATIONS:
        method = "get" if each.body is None else "post"
        paths[each.path] = {method: each.to_dict(named=False)}
        paths["/kb/{kb}" + each.path] = {method: each.to_dict(named=True)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Imprimatur",
            "version": __version__,
            "summary": "Answers that are licensed claim by claim",
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "parameters": _PARAMETERS,
            "responses": {status: _refusal(status, said) for status, said in _REFUSALS.items()},
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A key of the gateway; none is asked for where it serves its own machine only.",
                }
            },
        },
        "security": [{"key": []}] if keyed else [],
    }


_PARAMETERS = {
    "kb": {
        "name": "kb",
        "in": "path",
        "required": True,
        "description": "The name of a knowledge base.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]+$"},
    },
    "X-Imprimatur-KB": {
        "name": "X-Imprimatur-KB",
        "in": "header",
        "description": "The name of a knowledge base, where no other way names one; the first of the key's by default.",
        "schema": {"type": "string"},
    },
}


def _refusal(status: str, said: str) -> dict[str, Any]:
    kind, code = _CODES[status]
    example = {"error": {"message": said, "type": kind, "param": None, "code": code}}
    made: dict[str, Any] = {
        "description": said,
        "content": {_JSON: {"schema": ref("Error"), "example": example}},
    }
    if status in _LATER:
        told = "When to come again, in seconds or as a date."
        made["headers"] = {"Retry-After": {"description": told, "schema": {"type": "string"}}}
    return made


def _figures() -> dict[str, Any]:
    made = _plain("figures", "Figures in Prometheus's text format, for whoever may use every knowledge base")
    del made["security"]
    made["responses"] |= {status: _referred(status) for status in ("400", "401", "403", "431", "500")}
    return made


def _referred(status: str) -> dict[str, Any]:
    return {"$ref": f"#/components/responses/{status}"}


def _plain(name: str, summary: str, *statuses: str) -> dict[str, Any]:
    told = {"description": summary, "content": {"text/plain": {"schema": {"type": "string"}}}}
    responses = dict.fromkeys(("200", *statuses), told)
    return {"operationId": name, "summary": summary, "security": [], "responses": responses}
