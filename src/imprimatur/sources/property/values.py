"""Values on their way to a server of property graphs and back.

Contract of ``written``: what it makes is one literal of openCypher, whatever the value holds, and the server reads that
very value from it; a value for which this does not hold is refused. (FalkorDB takes no parameters apart from the text
of a query: they are written before it. Its client writes integers that FalkorDB cuts at 64 bits, and keys as they are.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import InputError

__all__ = ["Unread", "written", "written_parameters"]

_NAME = expression(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Unread:
    """A value that is there and cannot be had as it is: its kind, such as ``duration``."""

    kind: str


def written(value: Any, depth: int = 0) -> str:
    """A value as a literal of openCypher: text, whole and other numbers, truth, null, lists, and maps with plain keys.

    Raises:
        InputError: it is none of these, or holds what a server would read as something else.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            if not _LEAST <= value <= _MOST:
                raise InputError("a whole number of more than 64 bits cannot be sent to a property graph")
            return str(int(value))
        case float():
            if not math.isfinite(value):
                raise InputError("a number that is not finite cannot be sent to a property graph")
            return repr(float(value))
        case str():
            return _text(value)
    if depth >= _DEEPEST:
        raise InputError(f"lists in lists, deeper than {_DEEPEST}, cannot be sent to a property graph")
    if isinstance(value, list | tuple):
        return "[" + ",".join(written(each, depth + 1) for each in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_name(key)}:{written(each, depth + 1)}" for key, each in value.items()) + "}"
    raise InputError(f"a value of the type {type(value).__name__} cannot be sent to a property graph")


def written_parameters(parameters: Mapping[str, Any] | None) -> str:
    """Parameters as FalkorDB reads them, to be put before a query. Raises InputError as ``written``."""
    if not parameters:
        return ""
    return "CYPHER " + " ".join(f"{_name(name)}={written(value)}" for name, value in parameters.items()) + " "


def _name(key: object) -> str:
    if not isinstance(key, str) or _NAME.fullmatch(key) is None:
        hint = "letters, digits and underscores"
        raise InputError(f"{str(key)[:40]!r} is no name of a parameter or key", hint=hint)
    return f"`{key}`"


def _text(value: str) -> str:
    """Text in double quotes. Only the backslash and the quote end or change it; everything else stands for itself."""
    if "\x00" in value:
        raise InputError("text with the character U+0000 cannot be sent to a property graph")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError("text with half a character (a lone surrogate) cannot be sent to a property graph") from None
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
