"""JSON of strangers, read strictly, and written so that it can always be sent.

Invariants: what is read can be written again: no NaN, no infinity (nor a number that becomes one), no nesting deeper
than ``MOST_LEVELS``; what is written is UTF-8, in which half of a character is an escape.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from imprimatur.report_json import dumps

__all__ = ["MOST_LEVELS", "read_json", "written"]

#: Levels of lists and objects in each other at most.
MOST_LEVELS = 100


def read_json(data: str) -> Any:
    """The value that some JSON holds. Raises ValueError for what is none, or none that can be written again."""
    try:
        found = _READER.decode(data)
    except RecursionError as fault:
        raise ValueError("too deep") from fault
    if data.count("[") + data.count("{") > MOST_LEVELS and _deep(found):
        raise ValueError("too deep")
    return found


def written(value: Any) -> bytes:
    """A value as compact JSON. Raises ValueError for NaN and infinities."""
    try:
        return _WRITER.encode(value).encode()
    except UnicodeEncodeError:  # half a character
        return dumps(value).encode()


def _deep(value: Any) -> bool:
    """Whether lists and objects are nested deeper than allowed; without recursion, level by level."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MOST_LEVELS):
        children: list[Any] = []
        for each in level:
            children += each.values() if isinstance(each, dict) else each
        level = [each for each in children if isinstance(each, dict | list)]
        if not level:
            return False
    return True


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    found = float(digits)
    if math.isinf(found):
        raise ValueError("a number is too large")
    return found


# Made once: a stream reads and writes one for every chunk.
_READER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
