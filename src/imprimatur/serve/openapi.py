"""The OpenAPI document of the gateway (``GET /openapi.json``), version 3.1.

Source: the OpenAPI specification 3.1.1. What belongs to the model server's own protocol is left open, for it travels on
as it is; what the gateway reads itself is told exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imprimatur import __version__
from imprimatur.report_json import report_schema
from imprimatur.stream import Mode

__all__ = ["document"]

_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "param", "code"],
            "properties": {
                "message": {"type": "string"},
                "type": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "code": {"type": ["string", "null"]},
            },
        }
    },
}
_ENTRY = {
    "type": "object",
    "required": ["id", "text"],
    "properties": {"id": {"type": "string"}, "text": {"type": "string"}},
}
_CALL = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "knowledge_base": {"type": "string"},
        "policy": {"type": "string"},
        "mode": {"enum": [mode.value for mode in Mode]},
        "context": {"type": "array", "items": {"type": "string"}, "maxItems": 1000},
        "memory": {"type": "array", "items": _ENTRY, "maxItems": 1000},
        "as_of": {"type": "string", "format": "date"},
    },
}
_TURN = {
    "type": "object",
    "required": ["role", "content"],
    "properties": {"role": {"type": "string"}, "content": {"type": "string"}},
}
_CLAIM = {
    "type": "object",
    "required": ["text"],
    "properties": {
        "text": {"type": "string"},
        "kind": {"enum": ["memory", "inference"]},
        "citations": {"type": "array", "items": {"type": ["string", "integer"]}},
    },
}
_ROW = {
    "type": "object",
    "oneOf": [{"required": ["answer"]}, {"required": ["claims"]}],
    "properties": {
        "id": {"type": ["string", "integer"]},
        "answer": {"type": "string"},
        "claims": {"type": "array", "items": _CLAIM},
        "question": {"type": ["string", "null"]},
        "messages": {"type": "array", "items": _TURN},
        "context": {"type": "array", "items": {"type": "string"}},
        "memory": {
            "type": "array",
            "items": {**_ENTRY, "properties": {"id": {"type": ["string", "integer"]}, "text": {"type": "string"}}},
        },
        "imprimatur": {"$ref": "#/components/schemas/Call"},
    },
}
_CHAT = {
    "type": "object",
    "required": ["model", "messages"],
    "properties": {
        "model": {"type": "string"},
        "messages": {"type": "array", "items": {"type": "object"}},
        "stream": {"type": "boolean"},
        "imprimatur": {"$ref": "#/components/schemas/Call"},
    },
}
_RESPONSE = {
    "type": "object",
    "required": ["model", "input"],
    "properties": {
        "model": {"type": "string"},
        "input": {"type": ["string", "array"], "items": {"type": "object"}},
        "stream": {"type": "boolean"},
        "imprimatur": {"$ref": "#/components/schemas/Call"},
    },
}
_GUARDRAIL = {
    "type": "object",
    "required": ["texts", "input_type"],
    "properties": {
        "texts": {"type": "array", "maxItems": 1000, "items": {"type": "string"}},
        "input_type": {"enum": ["request", "response"]},
        "request_data": {"type": "object"},
        "additional_provider_specific_params": {"type": "object"},
    },
}
_ACTION = {
    "type": "object",
    "required": ["action"],
    "properties": {
        "action": {"enum": ["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]},
        "blocked_reason": {"type": "string"},
        "texts": {"type": "array", "items": {"type": "string"}},
    },
}
#: Statuses of refusals that any call may meet.
_REFUSALS = {
    "400": "The request is wrong.",
    "401": "A valid key is needed.",
    "403": "The key does not allow this.",
    "404": "There is no such knowledge base, or no model server.",
    "408": "The request came too slowly.",
    "413": "The request is too long.",
    "415": "The request is no JSON by its `Content-Type`, or is compressed.",
    "429": "Too many calls at once.",
    "431": "The headers are too long.",
    "502": "The model server failed.",
    "503": "The gateway is stopping.",
}


def document() -> dict[str, Any]:
    """The document, JSON-ready."""
    paths: dict[str, Any] = {
        "/healthz": {"get": _plain("Whether the process is alive")},
        "/readyz": {"get": _plain("Whether calls are taken")},
        "/metrics": {"get": _keyed(_plain("Figures in Prometheus's text format"))},
        "/openapi.json": {"get": _call("This document", None, {"type": "object"})},
    }
    for path, method, told in (
        (
            "/v1/chat/completions",
            "post",
            _call("A chat completion whose text is licensed", _CHAT, {"type": "object"}, stream=True),
        ),
        (
            "/v1/responses",
            "post",
            _call("A response whose text is licensed", _RESPONSE, {"type": "object"}, stream=True),
        ),
        ("/v1/models", "get", _call("The models of the model server", None, {"type": "object"})),
        ("/v1/check", "post", _call("The report on an answer", _ROW, {"$ref": "#/components/schemas/Report"})),
        ("/v1/batch", "post", _call("The reports on many answers", _batch(), {"type": "object"})),
        ("/beta/litellm_basic_guardrail_api", "post", _call("LiteLLM's generic guardrail", _GUARDRAIL, _ACTION)),
    ):
        paths[path] = {method: told}
        paths["/kb/{kb}" + path] = {method: told, "parameters": [_NAMED]}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Imprimatur", "version": __version__, "summary": "Answers that are licensed claim by claim"},
        "paths": paths,
        "components": {
            "schemas": {"Error": _ERROR, "Call": _CALL, "Report": _report()},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}, {}],
    }


_NAMED = {"name": "kb", "in": "path", "required": True, "schema": {"type": "string"}}


def _batch() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["rows"],
        "properties": {
            "rows": {"type": "array", "maxItems": 1000, "items": _ROW},
            "imprimatur": {"$ref": "#/components/schemas/Call"},
        },
    }


def _report() -> dict[str, Any]:
    """The report's schema, its own definitions under its place in the document."""
    found: dict[str, Any] = _moved(report_schema(), "#/components/schemas/Report")
    return {key: value for key, value in found.items() if key not in ("$schema", "$id")}


def _moved(value: Any, place: str) -> Any:
    """A schema whose references start at a place."""
    if isinstance(value, Mapping):
        moved = {key: _moved(each, place) for key, each in value.items()}
        reference = moved.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/"):
            moved["$ref"] = place + reference[1:]
        return moved
    return [_moved(each, place) for each in value] if isinstance(value, list) else value


def _plain(summary: str) -> dict[str, Any]:
    told = {"description": summary, "content": {"text/plain": {"schema": {"type": "string"}}}}
    return {"summary": summary, "security": [], "responses": {"200": told}}


def _keyed(plain: Mapping[str, Any]) -> dict[str, Any]:
    """A plain text that a key is needed for."""
    responses = {**plain["responses"], **_refused()}
    return {"summary": plain["summary"], "responses": responses}


def _refused() -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {status: {"description": said, "content": content} for status, said in _REFUSALS.items()}


def _call(
    summary: str, body: Mapping[str, Any] | None, reply: Mapping[str, Any], *, stream: bool = False
) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": reply}}
    if stream:
        content["text/event-stream"] = {"schema": {"type": "string"}}
    made: dict[str, Any] = {
        "summary": summary,
        "responses": {
            "200": {"description": summary, "content": content},
            **_refused(),
        },
    }
    if body is not None:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return made
