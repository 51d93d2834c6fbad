"""The forms of the answers that a model is asked for: JSON Schemas, each with as many items as its text can need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imprimatur.models.asking import Shape
from imprimatur.teqhallu.kinds import Category, Support

__all__ = ["claims", "entries", "initial", "judgement", "mended", "selects", "statements", "stored"]

_MOST = 100
_SQL = {"type": "string", "maxLength": 4000}
_TEXT = {"type": "string", "maxLength": 2000}
_VERDICTS = [each.value for each in Support if each is not Support.UNCHECKED]
_CLAIM_VERDICTS = ["supported", "contradicted", "not found"]


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(items), "maxItems": most}


def _of_length(text: str) -> int:
    """So many claims or rows can a text of its length have."""
    return min(_MOST, 4 + len(text.split()) // 2)


_ALIASES = _list(_object(alias=_TEXT, entity=_TEXT), 20)


def _categories() -> dict[str, Any]:
    return _list(_object(category={"type": "string", "enum": [each.value for each in Category]}, quote=_TEXT), 10)


def initial(*, dialogue: bool) -> Shape:
    """The direct prediction."""
    asked: dict[str, Any] = {"reason": _TEXT, "verdict": {"type": "string", "enum": _VERDICTS}}
    if dialogue:
        asked["categories"] = _categories()
    return Shape(name="prediction", schema=_object(**asked))


def statements() -> Shape:
    """Statements that look at what is there."""
    return Shape(name="statements", schema=_object(statements=_list(_SQL, 20)))


def stored(text: str) -> Shape:
    """Statements that make tables, rows with their quotations, and ids that are one."""
    row = _object(sql=_SQL, quote=_TEXT)
    schema = _object(tables=_list(_SQL, 20), rows=_list(row, _of_length(text)), aliases=_ALIASES)
    return Shape(name="stored", schema=schema)


def entries(text: str) -> Shape:
    """Keys with their values and quotations."""
    return Shape(
        name="entries", schema=_object(entries=_list(_object(key=_TEXT, value=_TEXT, quote=_TEXT), _of_length(text)))
    )


def claims(text: str, *, keys: bool = False) -> Shape:
    """The claims of a response; with ``keys`` each with those that it is to be looked up by."""
    more = {"keys": _list(_TEXT, 10)} if keys else {}
    claim = _object(quote=_TEXT, says=_TEXT, **more)
    return Shape(name="claims", schema=_object(claims=_list(claim, _of_length(text))))


def selects(text: str) -> Shape:
    """The claims of a response, each with the SELECT that looks it up."""
    claim = _object(quote=_TEXT, says=_TEXT, entities=_list(_TEXT, 10), sql=_SQL)
    return Shape(name="selects", schema=_object(claims=_list(claim, _of_length(text)), aliases=_ALIASES))


def mended() -> Shape:
    """Statements in place of others."""
    each = _object(number={"type": "integer"}, sql=_SQL)
    return Shape(name="mended", schema=_object(statements=_list(each, _MOST)))


def judgement(count: int, *, dialogue: bool) -> Shape:
    """The final judgement of so many claims."""
    claim = _object(
        number={"type": "integer"},
        reason=_TEXT,
        rows=_list({"type": "integer"}, 30),
        quote=_TEXT,
        verdict={"type": "string", "enum": _CLAIM_VERDICTS},
    )
    asked: dict[str, Any] = {"claims": _list(claim, count), "reason": _TEXT}
    if dialogue:
        asked["categories"] = _categories()
    asked["verdict"] = {"type": "string", "enum": _VERDICTS}
    return Shape(name="judgement", schema=_object(**asked))
