"""What the written form of an outcome must look like, before it is believed: each part of the type that it has to be.

A file may come from anybody. Invariants: nothing of it is run, and what is not as it must be is a ValueError that says
where; a number is finite, and a text is a text, so that whoever shows an outcome need not ask again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["check_shape"]

_Check = Callable[[Any, str], None]


def check_shape(values: dict[str, Any]) -> dict[str, Any]:
    """The values, as they are. Raises ValueError where they are no outcome."""
    _OUTCOME(values, "the outcome")
    return values


def _is_text(value: Any, where: str) -> None:
    if not isinstance(value, str):
        raise ValueError(f"{where} is no text")


def _is_number(value: Any, where: str) -> None:
    whole = isinstance(value, int | float) and not isinstance(value, bool)
    if not whole or abs(value) > 1e300 or not math.isfinite(value):
        raise ValueError(f"{where} is no finite number")


def _is_count(value: Any, where: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{where} is no whole number")


def _is_flag(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{where} is neither true nor false")


def _is_anything(value: Any, where: str) -> None:
    """Settings are what their command says."""


def _or_none(check: _Check) -> _Check:
    def checked(value: Any, where: str) -> None:
        if value is not None:
            check(value, where)

    return checked


def _all(check: _Check) -> _Check:
    def checked(value: Any, where: str) -> None:
        if not isinstance(value, list):
            raise ValueError(f"{where} is no list")
        for number, each in enumerate(value, 1):
            check(each, f"{where}, {number}")

    return checked


def _by_name(check: _Check) -> _Check:
    def checked(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise ValueError(f"{where} is no object")
        for name, each in value.items():
            check(each, f"{where}, {name[:60]!r}")

    return checked


def _parts(known: Mapping[str, _Check], *needed: str) -> _Check:
    def checked(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise ValueError(f"{where} is no object")
        for name in needed:
            if name not in value:
                raise ValueError(f"{where} has no {name!r}")
        # A name that is not known is refused by what is made of the values.
        for name, check in known.items():
            if name in value:
                check(value[name], f"{name} of {where}")

    return checked


def _is_cell(value: Any, where: str) -> None:
    if isinstance(value, dict):
        _FIGURE(value, where)
    elif value is not None and not isinstance(value, str):
        _is_count(value, where)


def _is_point(value: Any, where: str) -> None:
    _all(_is_number)(value, where)
    if len(value) != 2:
        raise ValueError(f"{where} is no pair")


_PUBLISHED = _parts({"value": _is_number, "source": _is_text, "why": _is_text}, "value", "source")
_FIGURE = _parts(
    {
        "value": _or_none(_is_number),
        "low": _or_none(_is_number),
        "high": _or_none(_is_number),
        "count": _or_none(_is_count),
        "total": _or_none(_is_count),
        "unit": _is_text,
        "published": _or_none(_PUBLISHED),
    },
    "value",
)
_TABLE = _parts(
    {"title": _is_text, "head": _all(_is_text), "rows": _all(_all(_is_cell)), "note": _is_text}, "title", "head"
)
_CURVE = _parts(
    {
        **dict.fromkeys(("title", "kind", "across", "up"), _is_text),
        "series": _by_name(_all(_is_point)),
        "names": _all(_is_text),
        "spread": _by_name(_all(_is_point)),
    },
    "title",
    "kind",
)
_MATRIX = _parts(
    {"title": _is_text, "rows": _all(_is_text), "columns": _all(_is_text), "counts": _all(_all(_is_count))}, "title"
)
_CASE = _parts(
    {
        **dict.fromkeys(("id", "kind", "text", "gold", "said"), _is_text),
        "reasons": _all(_is_text),
        "evidence": _all(_is_text),
        "grave": _is_flag,
    },
    "id",
    "kind",
    "text",
)
_ROW = _parts({"id": _is_text, "said": _is_text, "right": _is_flag}, "id")
_OUTCOME = _parts(
    {
        **dict.fromkeys(("schema", "name", "title", "command"), _is_text),
        "tables": _all(_TABLE),
        "curves": _all(_CURVE),
        "matrices": _all(_MATRIX),
        "cases": _all(_CASE),
        "rows": _all(_ROW),
        "settings": _by_name(_is_anything),
        "sources": _by_name(_is_text),
        "versions": _by_name(_is_text),
        "used": _by_name(_is_number),
        "notes": _all(_is_text),
    },
    "name",
    "title",
)
