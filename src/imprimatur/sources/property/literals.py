"""Values of a property graph as literals of RDF, exactly, or not at all.

Whole numbers stay what they are; numbers with a point become the shortest decimal that the server's number is; days are
days. A text that is a whole ISO day, and nothing else, is that day unless a datatype is asked for. Contract: a value
that is not of the datatype that is asked for gives ``Unread``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from imprimatur._expressions import expression
from imprimatur.sources.graph.terms import INTEGER_TYPES, XSD, RdfLiteral
from imprimatur.sources.property.values import Unread

__all__ = ["LONGEST", "literal", "literals", "time_literal"]

#: Longer texts are left out: nobody states one, and names are looked up in all of them.
LONGEST = 2000
_DAY = expression(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])", re.ASCII)
_SHAPES = {
    "decimal": expression(r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})", re.ASCII),
    "double": expression(r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?", re.ASCII),
    "integer": expression(r"[+-]?[0-9]{1,400}", re.ASCII),
    "boolean": expression(r"true|false|1|0"),
    "gYear": expression(r"-?[0-9]{4,9}(?:Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII),
    "gYearMonth": expression(r"-?[0-9]{4,9}-[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII),
    "date": expression(r"-?[0-9]{4,9}-[0-9]{2}-[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII),
    "dateTime": expression(
        r"-?[0-9]{4,9}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,12})?"
        r"(?:Z|[+-][0-9]{2}:[0-9]{2})?",
        re.ASCII,
    ),
}
_SHAPES["float"], _SHAPES["dateTimeStamp"] = _SHAPES["double"], _SHAPES["dateTime"]
_TIMES = ("dateTime", "date", "gYearMonth", "gYear")


def literals(value: Any, datatype: str = "", language: str = "") -> Iterator[RdfLiteral | Unread]:
    """The literals of a value: one, or one for each member of a list."""
    if isinstance(value, list):
        for each in value:
            yield Unread("list in a list") if isinstance(each, list) else literal(each, datatype, language)
    elif value is not None:
        yield literal(value, datatype, language)


def literal(value: Any, datatype: str = "", language: str = "") -> RdfLiteral | Unread:
    """The literal of a value that is no list.

    Args:
        value: as a ``Connection`` gives it.
        datatype: the IRI of a datatype; empty for the one that fits.
        language: the tag of a text; none where a datatype is asked for.
    """
    if isinstance(value, str):
        return _text(value, datatype, language)
    plain, own = _plain(value)
    if plain is None:
        return Unread(own)
    return RdfLiteral(plain, XSD + own) if not datatype else _typed(plain, datatype)


def time_literal(value: Any) -> RdfLiteral | Unread:
    """The time that a qualifier gives: a day, month, year or moment; a text that is none stays a text."""
    if isinstance(value, bool):
        return Unread("truth value")
    if isinstance(value, int):
        return RdfLiteral(f"{value:04d}", XSD + "gYear") if 0 < value <= 9999 else Unread("number")
    if isinstance(value, str):
        if len(value) > LONGEST:
            return Unread("long text")
        kind = next((kind for kind in _TIMES if _SHAPES[kind].fullmatch(value)), "string")
        return RdfLiteral(value, XSD + kind)
    found = literal(value)
    return found if isinstance(found, Unread) or not found.datatype.endswith("decimal") else Unread("number")


def _text(value: str, datatype: str, language: str) -> RdfLiteral | Unread:
    if len(value) > LONGEST:
        return Unread("long text")
    if datatype:
        return _typed(value, datatype)
    if language:
        return RdfLiteral(value, lang=language)
    return RdfLiteral(value, XSD + "date") if _is_day(value) else RdfLiteral(value)


def _is_day(value: str) -> bool:
    if not _DAY.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _plain(value: Any) -> tuple[str | None, str]:
    """The lexical form and the datatype's name; None and a kind where there is none."""
    match value:
        case bool():
            return ("true" if value else "false"), "boolean"
        case int():
            return str(value), "integer"
        case float():
            return (decimal_text(value), "decimal") if math.isfinite(value) else (None, "number that is not finite")
        case datetime():
            return value.isoformat(), "dateTime"
        case date():
            return value.isoformat(), "date"
        case Unread():
            return None, value.kind
        case tuple():
            return None, "vector"
        case dict():
            return None, "point" if "latitude" in value or "x" in value else "map"
    return None, type(value).__name__


def decimal_text(value: float) -> str:
    """The shortest decimal that gives the number again, without an exponent and without a point that is not needed."""
    return format(Decimal(repr(value)), "f").removesuffix(".0")


def _typed(written: str, datatype: str) -> RdfLiteral | Unread:
    name = datatype.removeprefix(XSD) if datatype.startswith(XSD) else ""
    if datatype in INTEGER_TYPES:
        name = "integer"
    if name == "gYear" and _SHAPES["date"].fullmatch(written):
        written = written[:4] if not written.startswith("-") else written
    elif name == "date" and _SHAPES["dateTime"].fullmatch(written):
        written = written.partition("T")[0]
    shape = _SHAPES.get(name)
    if shape is not None and not shape.fullmatch(written):
        return Unread(f"value that is no {name}")
    return RdfLiteral(written, datatype)
