"""Structured data (JSON) written out as fields with their paths, and as rows.

Numbers and texts stand as they were written ("4.50" stays so). A null, an empty text, list or object says nothing and
is not written: it is silence, not "no". A text of several sentences is written as sentences under its path. The things
of a list are numbered from 1; a thing that has only plain values is one row. A key that is given twice is written
twice, so that a contradiction in the data stays visible.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from imprimatur.errors import InputError
from imprimatur.segment import segment
from imprimatur.sources.passages.extraction import Extraction
from imprimatur.sources.passages.limits import Limits

__all__ = ["looks_structured", "read_structured"]

_ROW = 600


class _Things(list[tuple[str, Any]]):
    """A JSON object as pairs."""


class _Exact(str):
    """A number or truth value, as written."""


def looks_structured(text: str) -> bool:
    """Whether a text is a JSON object or list rather than prose."""
    stripped = text.strip()
    if not stripped or stripped[0] + stripped[-1] not in ("{}", "[]"):
        return False
    try:
        loaded = json.loads(stripped)
    except (ValueError, RecursionError):
        return False
    # "[1]" is a citation and "[]" nothing at all.
    return bool(loaded) and (isinstance(loaded, dict) or any(isinstance(each, dict | list) for each in loaded))


def read_structured(text: str, into: Extraction, limits: Limits) -> None:
    """Writes structured data down.

    Raises:
        InputError: it is no JSON, is nested too deep, or is too long when it is written out.
    """
    try:
        loaded = json.loads(text, object_pairs_hook=_Things, parse_int=_Exact, parse_float=_Exact)
    except RecursionError as fault:
        raise _too_deep(limits) from fault
    except ValueError as fault:
        raise InputError(f"not valid JSON: {str(fault)[:120]}", hint="is it text rather than JSON?") from fault
    _write(loaded, (), into, limits)


def _too_deep(limits: Limits) -> InputError:
    return InputError(f"nested more than {limits.max_depth} levels deep", hint="is this the right file?")


def _write(value: Any, path: tuple[str, ...], into: Extraction, limits: Limits) -> None:
    if len(path) > limits.max_depth:
        raise _too_deep(limits)
    into.headings = path[:-1]
    if isinstance(value, _Things):
        for key, inner in value:
            _write(inner, (*path, _named(key)), into, limits)
    elif isinstance(value, list):
        _write_list(value, path, into, limits)
    else:
        _write_scalars(path, [value], into)


def _write_list(values: list[Any], path: tuple[str, ...], into: Extraction, limits: Limits) -> None:
    if all(not isinstance(each, list) for each in values):
        _write_scalars(path, values, into)
        return
    for number, each in enumerate(values, 1):
        own = (*path, str(number))
        if isinstance(each, _Things) and _flat(each):
            into.headings = path
            into.row([((*own, _named(key)), ", ".join(_scalars(inner))) for key, inner in each])
        else:
            _write(each, own, into, limits)


def _write_scalars(path: tuple[str, ...], values: Iterable[Any], into: Extraction) -> None:
    given = _scalars(list(values))
    into.headings = path[:-1]
    if path and all(_short(each) for each in given):
        into.values(path, given)
        return
    into.headings = path
    for each in given:
        into.paragraph(each, gap="\n")


def _short(text: str) -> bool:
    return len(text) <= _ROW and "\n" not in text.strip() and len(segment(text)) <= 1


def _flat(thing: _Things) -> bool:
    """Whether a thing has only plain values and is short enough for a row."""
    values = [value for _, value in thing]
    plain = all(not isinstance(value, list) or all(not isinstance(each, list) for each in value) for value in values)
    plain = plain and not any(isinstance(value, _Things) and value for value in values)
    return plain and all(_short(each) for value in values for each in _scalars(value)) and len(str(values)) <= _ROW


def _scalars(value: Any) -> list[str]:
    """The plain values as words; what says nothing is left out."""
    values = value if isinstance(value, list) and not isinstance(value, _Things) else [value]
    return [_word(each) for each in values if each is not None and not isinstance(each, list) and str(each).strip()]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _named(key: str) -> str:
    return " ".join(key.split())[:200]
