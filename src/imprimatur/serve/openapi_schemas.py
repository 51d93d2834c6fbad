"""The schemas of what the gateway takes and gives, for its OpenAPI document.

Source: JSON Schema draft 2020-12, as OpenAPI 3.1 has it. What the gateway reads or writes itself is told exactly; what
belongs to the model server's own protocol is left open, for it travels on as it is. ``None`` stands for "not said"
wherever a request may leave something out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imprimatur.generate.answered import Outcome
from imprimatur.generate.generated import Ended
from imprimatur.report_json import report_schema
from imprimatur.serve.askers import HOWS
from imprimatur.serve.asking import MOST_OPTIONS
from imprimatur.sources.memory.entries import MAX_TEXT
from imprimatur.stream import Mode

__all__ = ["ref", "schemas"]

_TEXT = {"type": "string"}
_MAYBE_TEXT = {"type": ["string", "null"]}
_FLAG = {"type": "boolean"}
_COUNT = {"type": "integer", "minimum": 0}
_ID = {"type": ["string", "integer"]}
_ANYTHING: dict[str, Any] = {}


def ref(name: str) -> dict[str, Any]:
    """A reference to one of the schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


def schemas() -> dict[str, Any]:
    """All schemas by name, JSON-ready."""
    return {
        "Error": _ERROR,
        "Call": _CALL,
        "Report": _report(),
        "Extension": _EXTENSION,
        **_OF_CHATS,
        **_OF_CHECKS,
        **_OF_QUESTIONS,
        **_OF_GUARDRAILS,
    }


def _object(required: tuple[str, ...] = (), *, open: bool = True, **properties: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        made["required"] = list(required)
    return made if open else {**made, "additionalProperties": False}


def _list(items: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def _maybe(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A list or an object that may also be null."""
    return {**schema, "type": [schema["type"], "null"]}


def _told(schema: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description}


_ERROR = _object(
    ("error",),
    error=_object(("message", "type", "param", "code"), message=_TEXT, type=_TEXT, param=_MAYBE_TEXT, code=_MAYBE_TEXT),
)
#: An id that can be cited; what is not printable in it is refused too, which no pattern can say.
_CITABLE = {"pattern": r"^[^\s\[\]]{1,200}$"}
_SAYING = {"type": "string", "pattern": r"\S", "maxLength": MAX_TEXT}
_ENTRY = _object(("id", "text"), id={**_TEXT, **_CITABLE}, text=_SAYING)
_CALL = {
    "type": ["object", "null"],
    "description": "What a request asks of the gateway; it does not travel on to the model server.",
    "additionalProperties": False,
    "properties": {
        "knowledge_base": _told(_MAYBE_TEXT, "Its name; also by the path or the header."),
        "policy": _told(_MAYBE_TEXT, "A preset that the caller's key allows."),
        "mode": {"enum": [*(mode.value for mode in Mode), None], "description": "Never more than the operator shows."},
        "context": _maybe(_list(_TEXT, maxItems=1000)),
        "memory": _maybe(_list(_ENTRY, maxItems=1000)),
        "as_of": {"type": ["string", "null"], "format": "date", "description": "The day that “is” means."},
    },
}
_EXTENSION = _object(
    ("knowledge_base", "mode", "reports", "not_examined"),
    open=False,
    knowledge_base=_TEXT,
    mode={"enum": [mode.value for mode in Mode]},
    reports=_told(_list(_object(("report",), report=ref("Report"))), "One for each text that the caller may see."),
    not_examined=_told({"type": "object", "additionalProperties": _COUNT}, "Parts that are no text, by their kind."),
)
#: What the gateway reads of the model server's own protocol.
_STREAM = _told({"type": ["boolean", "null"]}, "Whether the reply is a stream of events.")
_OF_CHATS = {
    "ChatRequest": _object(
        ("messages",),
        model=_told(_ANYTHING, "For the model server, as all else that is not told here."),
        messages=_told(_list(_ANYTHING), "Texts of users and assistants are the dialogue that an answer is read in."),
        stream=_STREAM,
        imprimatur=ref("Call"),
    ),
    "ChatReply": _object(
        ("choices", "imprimatur"),
        choices=_list(_object(("message",), message=_object(content=_MAYBE_TEXT), finish_reason=_MAYBE_TEXT)),
        imprimatur=ref("Extension"),
    ),
    "ChatEvent": {
        "description": "The data of one event; the last is `[DONE]`. The chunk that ends a choice has its report.",
        "anyOf": [
            _object(
                ("choices",),
                choices=_list(
                    _object(("index", "delta", "finish_reason"), index=_COUNT, delta=_object(content=_MAYBE_TEXT))
                ),
                imprimatur=ref("Extension"),
            ),
            ref("Error"),
        ],
    },
    "ResponseRequest": _object(
        model=_told(_ANYTHING, "For the model server, as all else that is not told here."),
        input=_told(_ANYTHING, "A text, or a list of items."),
        stream=_STREAM,
        imprimatur=ref("Call"),
    ),
    "ResponseReply": _object(("output", "imprimatur"), output=_list(_object()), imprimatur=ref("Extension")),
    "ResponseEvent": {
        "description": "The data of one event. The last one has the whole response, with its reports.",
        "anyOf": [_object(("type", "sequence_number"), type=_TEXT, sequence_number=_COUNT), ref("Error")],
    },
    "Models": _told(_object(), "As the model server lists them."),
}
_CLAIM = _object(("text",), text=_TEXT, kind={"enum": ["memory", "inference"]}, citations=_maybe(_list(_ID)))
_ROW = {
    "type": "object",
    "description": "A row of `imprimatur batch`, whose `id` may be left out.",
    "oneOf": [{"required": ["answer"]}, {"required": ["claims"]}],
    "properties": {
        "id": _ID,
        "answer": _TEXT,
        "claims": _maybe(_list(_CLAIM)),
        "question": _MAYBE_TEXT,
        "messages": _maybe(_list(_object(("role", "content"), role=_TEXT, content=_TEXT))),
        "context": _maybe(_list(_TEXT)),
        "memory": _maybe(_list(_object(("id", "text"), id={**_ID, **_CITABLE}, text=_SAYING))),
        "imprimatur": ref("Call"),
    },
}
_OF_CHECKS = {
    "Row": _ROW,
    "Batch": _object(
        ("rows",),
        rows=_list(
            {"anyOf": [ref("Row"), {"description": "What is no row gets an error in its place."}]}, maxItems=1000
        ),
        imprimatur=ref("Call"),
    ),
    "BatchReply": _object(
        ("rows",),
        open=False,
        rows=_list(
            {
                "oneOf": [
                    _object(("id", "report"), open=False, id=_ANYTHING, report=ref("Report")),
                    _object(("id", "error"), open=False, id=_ANYTHING, error=_TEXT),
                ]
            }
        ),
    ),
}
_EVIDENCE = dict.fromkeys(("source", "kind", "content", "query", "origin", "trust"), _TEXT)
_NUMBER = {"type": "number"}
_ITEM = _object(
    ("text", "score", "similarity", "fused", "ranks", "evidence"),
    open=False,
    text=_TEXT,
    score=_NUMBER,
    similarity={"type": ["number", "null"]},
    fused=_NUMBER,
    ranks={"type": "object", "additionalProperties": {"type": "integer"}},
    evidence=_list(_object(tuple(_EVIDENCE), open=False, **_EVIDENCE)),
)
_MAYBE_REPORT = {"anyOf": [ref("Report"), {"type": "null"}]}
_MAYBE_CONTEXT = {"anyOf": [ref("Context"), {"type": "null"}]}
_GRAPH_ANSWER = _object(
    ("how", "outcome", "answer", "values", "things", "more", "clarify", "report"),
    open=False,
    how={"const": HOWS[0]},
    outcome={"enum": [each.value for each in Outcome]},
    answer=_TEXT,
    values=_told(_list(_TEXT), "What the question asked for, as the answer says it."),
    things=_told(_list(_TEXT), "The things that these are."),
    more=_told(_COUNT, "How many more are known to fit."),
    clarify=_told(_MAYBE_TEXT, "A question back, where the question can be meant in several ways."),
    report=_MAYBE_REPORT,
    context=_told(_MAYBE_CONTEXT, "Only with `show_context`."),
)
_MODEL_ANSWER_PARTS: dict[str, Any] = {
    "schema_version": {"const": "1.0"},
    "question": _TEXT,
    "how": {"const": HOWS[1]},
    "outcome": {"enum": [each.value for each in Ended]},
    "answer": _TEXT,
    "label": {"enum": ["licensed", "partly licensed", "annotated", "no answer"]},
    "licensed": _FLAG,
    "option": _MAYBE_TEXT,
    "why": _MAYBE_TEXT,
    "draft": _MAYBE_TEXT,
    "citations": _list(
        _object(("start", "end", "cited", "reason"), start=_COUNT, end=_COUNT, cited=_TEXT, reason=_TEXT)
    ),
    "gate": {
        "anyOf": [_object(("enough", "why"), open=False, enough=_FLAG, why=_MAYBE_TEXT), {"type": "null"}],
    },
    "context": _MAYBE_CONTEXT,
    "report": _MAYBE_REPORT,
}
_OF_QUESTIONS = {
    "Question": _object(
        ("question",),
        open=False,
        question={"type": "string", "pattern": r"\S"},
        options=_told(_list(_TEXT, maxItems=MOST_OPTIONS), "Answers to choose from."),
        how={
            "enum": [*HOWS, None],
            "description": "Who answers: the model that the knowledge base names, where it names one, or the graph.",
        },
        queries=_told(_FLAG, "The model may also write queries, which are checked."),
        show_context=_told(_FLAG, "Also show the evidence that retrieval finds."),
        imprimatur={
            **_object(open=False, knowledge_base=_MAYBE_TEXT, policy=_MAYBE_TEXT),
            "type": ["object", "null"],
        },
    ),
    "Context": _object(
        ("schema_version", "question", "understood", "sections", "paths", "failures", "left_out"),
        open=False,
        schema_version={"const": "1.0"},
        question=_TEXT,
        understood=_list(_TEXT),
        sections={"type": "object", "additionalProperties": _list(_ITEM)},
        paths={"type": "object", "additionalProperties": _COUNT},
        failures=_list(_object(("path", "why"), open=False, path=_TEXT, why=_TEXT)),
        left_out=_COUNT,
    ),
    "Answer": {
        "description": "What `imprimatur ask --json` prints.",
        "oneOf": [_GRAPH_ANSWER, _object(tuple(_MODEL_ANSWER_PARTS), open=False, **_MODEL_ANSWER_PARTS)],
    },
}
_OF_GUARDRAILS = {
    "GuardrailRequest": _object(
        ("input_type",),
        texts=_maybe(_list(_TEXT, maxItems=1000)),
        input_type={"enum": ["request", "response"]},
        request_data=_told(_ANYTHING, "The request that the texts answer; its `messages` are the dialogue."),
        additional_provider_specific_params={
            "description": "May have the extra object.",
            "properties": {"imprimatur": ref("Call")},
        },
    ),
    "GuardrailReply": _object(
        ("action",),
        open=False,
        action={"enum": ["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]},
        blocked_reason=_TEXT,
        texts=_list(_TEXT),
    ),
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
