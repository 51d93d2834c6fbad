"""Values of RDF literals as SHACL compares them: SPARQL's order and equality, and XSD's well-formedness.

Contract: what has no order gives None, and the caller must say so (W3C SHACL counts it as a violation; a FILTER counts
it as an error); nothing is ordered by accident. Numbers are exact. A year, a month, a day and a moment compare by the
time they span (a year before a day that lies in it has no order), and a year may be written as an integer, so that a
mixture of ``xsd:gYear``, ``xsd:date`` and integers does not fail silently as it does in plain SPARQL.
"""

from __future__ import annotations

import re
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.terms import INTEGER_TYPES, NUMERIC_TYPES, RDF, XSD, RdfLiteral, parse_number

__all__ = ["Span", "Value", "compare", "equal", "number_of", "value_of", "well_formed"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in days of a proleptic calendar: from ``start`` up to ``end``, which is not in it.

    ``zoned`` tells whether a time zone was written: moments with and without one have no order.
    """

    start: Fraction
    end: Fraction
    zoned: bool


@dataclass(frozen=True, slots=True)
class Value:
    """A literal's value.

    Attributes:
        kind: ``number``, ``string``, ``boolean``, ``time``, ``tagged`` (a text in a language) or ``other``.
        payload: the number (a float for INF and NaN), the text, the truth value, or the span of time.
        literal: as written.
    """

    kind: str
    payload: Fraction | float | str | bool | Span
    literal: RdfLiteral


_ZONE = r"(?P<zone>Z|[+-]\d\d:\d\d)?"
_DATE = r"(?P<year>-?\d{4,9})-(?P<month>\d\d)-(?P<day>\d\d)"
_CLOCK = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d(?:\.\d{1,18})?)"
_FORMS = {
    "gYear": re.compile(rf"(?P<year>-?\d{{4,9}}){_ZONE}"),
    "gYearMonth": re.compile(rf"(?P<year>-?\d{{4,9}})-(?P<month>\d\d){_ZONE}"),
    "date": re.compile(_DATE + _ZONE),
    "dateTime": re.compile(f"{_DATE}T{_CLOCK}{_ZONE}"),
    "time": re.compile(_CLOCK + _ZONE),
}
_FORMS["dateTimeStamp"] = _FORMS["dateTime"]
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FLOATS = {"INF": float("inf"), "+INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _day(year: int, month: int, day: int) -> int:
    """The number of a day in the proleptic Gregorian calendar."""
    before = year - 1
    days = 365 * before + before // 4 - before // 100 + before // 400
    return days + sum(_LENGTHS[: month - 1]) + (month > 2 and _leap(year)) + day


def _span(local: str, text: str) -> Span | None:
    match = _FORMS[local].fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    year, month, day = int(parts.get("year") or 1), int(parts.get("month") or 1), int(parts.get("day") or 1)
    if not 1 <= month <= 12 or not 1 <= day <= _LENGTHS[month - 1] + (month == 2 and _leap(year)):
        return None
    start = Fraction(_day(year, month, day))
    if "day" in parts or local == "time":
        end = start + 1
    else:
        end = Fraction(_day(year, month + 1, 1) if parts.get("month") and month < 12 else _day(year + 1, 1, 1))
    if "hour" in parts:
        clock = _clock(parts)
        if clock is None:
            return None
        start = end = start + clock
    zone = _zone(parts["zone"])
    return Span(start - zone, end - zone, parts["zone"] is not None)


def _clock(parts: dict[str, str]) -> Fraction | None:
    hour, minute, second = int(parts["hour"]), int(parts["minute"]), Fraction(parts["second"])
    if minute > 59 or second >= 60 or hour > 24 or (hour == 24 and (minute or second)):
        return None
    return Fraction(hour, 24) + Fraction(minute, 1440) + second / 86400


def _zone(text: str | None) -> Fraction:
    if text in (None, "Z"):
        return Fraction(0)
    minutes = int(text[1:3]) * 60 + int(text[4:6]) if text else 0
    return Fraction(-minutes if text and text[0] == "-" else minutes, 1440)


def value_of(literal: RdfLiteral) -> Value:
    """The value of a literal; kind ``other`` when its datatype is not compared here or the literal is ill-typed."""
    datatype, text = literal.datatype, literal.lexical
    if literal.lang or datatype == RDF + "langString":
        return Value("tagged", text, literal)
    if datatype == XSD + "string":
        return Value("string", text, literal)
    if datatype in NUMERIC_TYPES:
        number = number_of(literal)
        known = number is not None and _within(number, datatype)
        return Value("number", number, literal) if known and number is not None else Value("other", text, literal)
    if datatype == XSD + "boolean" and text in ("true", "false", "1", "0"):
        return Value("boolean", text in ("true", "1"), literal)
    local = datatype.removeprefix(XSD)
    span = _span(local, text) if local in _FORMS else None
    return Value("other", text, literal) if span is None else Value("time", span, literal)


def number_of(literal: RdfLiteral) -> Fraction | float | None:
    """The number that a literal of a numeric datatype states, exact but for INF and NaN; None when it states none."""
    exact = parse_number(literal.lexical, literal.datatype)
    if exact is None and literal.datatype in (XSD + "double", XSD + "float"):
        return _FLOATS.get(literal.lexical)
    return exact


def compare(left: Value, right: Value) -> int | None:
    """-1, 0 or 1 as the left value is less than, equal to or greater than the right one; None without an order.

    SPARQL 1.1, 17.3 (the operators < and =), with days, months and years besides. NaN has no order.
    """
    if left.kind == right.kind and left.kind in ("number", "string", "boolean"):
        return _order(left.payload, right.payload)
    spans = _comparable_spans(left, right)
    if spans is None:
        return None
    a, b = spans
    if (a.start, a.end) == (b.start, b.end):
        return 0
    if _same_grain(left, right):
        return _order(a.start, b.start)
    if a.end <= b.start:
        return -1
    return 1 if b.end <= a.start else None


def _order(a: object, b: object) -> int | None:
    if a == b:
        return 0
    if a != a or b != b:
        return None
    return -1 if a < b else 1  # type: ignore[operator]


def _same_grain(left: Value, right: Value) -> bool:
    def grain(value: Value) -> str:
        return value.literal.datatype.removesuffix("Stamp")

    return grain(left) == grain(right)


def _comparable_spans(left: Value, right: Value) -> tuple[Span, Span] | None:
    clock = XSD + "time"
    if left.kind == right.kind == "time" and (left.literal.datatype == clock) != (right.literal.datatype == clock):
        return None
    a, b = _spanned(left, right), _spanned(right, left)
    return None if a is None or b is None or a.zoned != b.zoned else (a, b)


def _spanned(value: Value, other: Value) -> Span | None:
    """The time a value spans; an integer beside a date is a year."""
    if isinstance(value.payload, Span):
        return value.payload
    beside = other.kind == "time" and other.literal.datatype != XSD + "time"
    year = value.payload
    if beside and value.literal.datatype in INTEGER_TYPES and isinstance(year, Fraction) and 0 < abs(year) <= 9999:
        span = _span("gYear", f"{'-' if year < 0 else ''}{abs(int(year)):04}")
        return span and Span(span.start, span.end, bool(isinstance(other.payload, Span) and other.payload.zoned))
    return None


def equal(left: Value, right: Value) -> bool | None:
    """Whether two literals are equal by SPARQL's ``=``; None when that cannot be known."""
    if left.literal == right.literal:
        return True
    if left.kind == right.kind == "number":
        return left.payload == right.payload
    if "tagged" in (left.kind, right.kind):
        return False
    if "other" in (left.kind, right.kind):
        return None if left.literal.datatype == right.literal.datatype else False
    if left.kind != right.kind:
        return False
    order = compare(left, right)
    return None if order is None else order == 0


_BOUNDS: dict[str, tuple[int | None, int | None]] = {
    "byte": (-128, 127),
    "short": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "long": (-(2**63), 2**63 - 1),
    "unsignedByte": (0, 255),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
}


def _within(number: Fraction | float, datatype: str) -> bool:
    low, high = _BOUNDS.get(datatype.removeprefix(XSD), (None, None))
    return (low is None or number >= low) and (high is None or number <= high)


#: Only these are checked (W3C SHACL 4.1.2 asks for the datatypes that SPARQL 1.1 supports; days and clocks besides).
_CHECKED_TIMES = ("date", "dateTime", "time")


def well_formed(literal: RdfLiteral) -> bool:
    """Whether the lexical form fits the datatype, as W3C SHACL 4.1.2 asks; other datatypes are taken on trust."""
    local = literal.datatype.removeprefix(XSD)
    if literal.datatype in NUMERIC_TYPES:
        number = number_of(literal)
        return number is not None and _within(number, literal.datatype)
    if literal.datatype == XSD + "boolean":
        return literal.lexical in ("true", "false", "1", "0")
    if literal.datatype in (XSD + name for name in _CHECKED_TIMES):
        return _span(local, literal.lexical) is not None
    return True
