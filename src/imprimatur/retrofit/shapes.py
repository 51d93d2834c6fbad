"""The forms of the answers that a model is asked for: JSON Schemas, each with as many items as its text can need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imprimatur.models.asking import Shape

__all__ = ["VERDICTS", "claims", "critical", "entities", "revision", "verified", "whole"]

VERDICTS = ("right", "wrong", "unknown")
_MOST = 100
_TEXT = {"type": "string", "maxLength": 2000}
_LONG = {"type": "string", "maxLength": 40_000}
_NUMBER = {"type": "integer", "minimum": 1}


def _object(**properties: Any) -> dict[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _list(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(items), "maxItems": most}


def _of_length(text: str) -> int:
    return min(_MOST, 4 + len(text.split()) // 2)


def claims(text: str, *, named: bool = False) -> Shape:
    """The claims of a response; with ``named`` each with the entities that it names."""
    more = {"entities": _list(_TEXT, 20)} if named else {}
    claim = _object(quote=_TEXT, says=_TEXT, **more)
    return Shape(name="claims", schema=_object(claims=_list(claim, _of_length(text))))


def entities(count: int) -> Shape:
    """The entities of so many claims."""
    each = _object(claim=_NUMBER, entities=_list(_TEXT, 20))
    return Shape(name="entities", schema=_object(found=_list(each, count)))


def critical(count: int) -> Shape:
    """Which of so many triples are critical."""
    return Shape(name="critical", schema=_object(critical=_list(_NUMBER, count)))


def _verdicts(count: int) -> dict[str, Any]:
    verdict = {"type": "string", "enum": list(VERDICTS)}
    return _list(_object(claim=_NUMBER, reason=_TEXT, verdict=verdict, suggestion=_TEXT), count)


def verified(count: int) -> Shape:
    """What so many claims come to."""
    return Shape(name="verified", schema=_object(verified=_verdicts(count)))


def revision() -> Shape:
    """The response written anew."""
    return Shape(name="revision", schema=_object(response=_LONG))


def whole(claims_count: int, triples: int) -> Shape:
    """The last three stages in one."""
    asked = _object(critical=_list(_NUMBER, triples), verified=_verdicts(claims_count), response=_LONG)
    return Shape(name="retrofitting", schema=asked)
