"""The operators and functions of SPARQL expressions (SPARQL 1.1, 17.4 and 17.5), each over its operands.

Left out is what gives another outcome each time: NOW, RAND, UUID, STRUUID and BNODE.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from urllib.parse import quote

from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral
from imprimatur.sources.shacl.literals import value_of
from imprimatur.sources.shacl.patterns import SafePattern
from imprimatur.sources.shacl.query_values import (
    NoValue,
    Operand,
    Scope,
    calculated,
    equals,
    in_order,
    is_in,
    is_true,
    literal,
    number_in,
    rounded,
    said,
)

__all__ = ["FUNCTIONS"]

# Text


def _text(operand: Operand) -> str:
    if isinstance(operand, RdfLiteral) and (operand.lang or operand.datatype == XSD + "string"):
        return operand.lexical
    raise NoValue(f"{said(operand)} is no text")


def _alike(text: str, like: Operand) -> RdfLiteral:
    return RdfLiteral(text, like.datatype, like.lang) if isinstance(like, RdfLiteral) else RdfLiteral(text)


def _str(operand: Operand) -> RdfLiteral:
    if isinstance(operand, RdfLiteral):
        return RdfLiteral(operand.lexical)
    if isinstance(operand, bool):
        return RdfLiteral(str(operand).lower())
    if isinstance(operand, str):
        if operand.startswith("_:"):
            raise NoValue
        return RdfLiteral(operand)
    if isinstance(operand, Fraction) and operand.denominator == 1:
        return RdfLiteral(str(operand.numerator))
    raise NoValue(f"{operand} has no one way to be written")


_NONE = RdfLiteral("")


@lru_cache(maxsize=256)
def _expression(pattern: str, flags: str) -> SafePattern:
    try:
        return SafePattern.of(pattern, flags)
    except re.error as error:
        raise NoValue(f"{pattern[:80]!r} is no regular expression: {error}") from error


def _regex(scope: Scope, text: Operand, pattern: Operand, flags: Operand = _NONE) -> bool:
    return _expression(_text(pattern), _text(flags)).found_in(_text(text), scope.tick)


def _replace(_: Scope, text: Operand, pattern: Operand, by: Operand, flags: Operand = _NONE) -> RdfLiteral:
    try:
        return _alike(_expression(_text(pattern), _text(flags)).replaced_in(_text(text), _text(by)), text)
    except (re.error, IndexError) as error:
        raise NoValue(f"{_text(by)[:80]!r} cannot replace anything: {error}") from error


def _lang_matches(_: Scope, tag: Operand, wanted: Operand) -> bool:
    have, want = _text(tag).lower(), _text(wanted).lower()
    return bool(have) if want == "*" else have == want or have.startswith(want + "-")


def _lang(_: Scope, operand: Operand) -> RdfLiteral:
    if isinstance(operand, RdfLiteral):
        return RdfLiteral(operand.lang)
    raise NoValue


def _datatype(_: Scope, operand: Operand) -> str:
    value = literal(operand)
    if value is None:
        raise NoValue
    return value.literal.datatype


def _against(text: Operand, other: Operand) -> tuple[str, str]:
    """Two texts that may be compared: the second one has no language, or that of the first (SPARQL 1.1, 17.4.3.1.2)."""
    found = _text(text), _text(other)
    if isinstance(other, RdfLiteral) and isinstance(text, RdfLiteral) and other.lang not in ("", text.lang):
        raise NoValue(f"{said(text)} and {said(other)} are in two languages")
    return found


def _beside(text: Operand, mark: Operand, *, before: bool) -> RdfLiteral:
    whole, part = _against(text, mark)
    place = whole.find(part)
    if place < 0:
        return RdfLiteral("")
    return _alike(whole[:place] if before else whole[place + len(part) :], text)


def _part(_: Scope, text: Operand, start: Operand, length: Operand | None = None) -> RdfLiteral:
    """SUBSTR: characters are counted from 1."""
    whole, first = _text(text), _whole(start)
    last = len(whole) if length is None else first + _whole(length) - 1
    return _alike(whole[max(first - 1, 0) : max(last, 0)], text)


def _whole(operand: Operand) -> int:
    number = number_in(operand)
    if not isinstance(number, Fraction) or number.denominator != 1:
        raise NoValue(f"{said(operand)} is no whole number")
    return int(number)


def _joined(_: Scope, *parts: Operand) -> RdfLiteral:
    text = "".join(map(_text, parts))
    tags = {part.lang for part in parts if isinstance(part, RdfLiteral)}
    tag = tags.pop() if len(tags) == 1 else ""
    return RdfLiteral(text, RDF + "langString", tag) if tag else RdfLiteral(text)


# Terms and digests


def _as_iri(_: Scope, operand: Operand) -> str:
    if isinstance(operand, str) and not operand.startswith("_:"):
        return operand
    text = _text(operand)
    if not re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|^`\\]*$", text):
        raise NoValue(f"{text[:80]!r} is no IRI")
    return text


def _typed(_: Scope, text: Operand, datatype: Operand) -> RdfLiteral:
    if not isinstance(datatype, str) or (isinstance(text, RdfLiteral) and text.lang):
        raise NoValue(f"{said(text)} cannot be given the datatype {said(datatype)}")
    return RdfLiteral(_text(text), datatype)


def _tagged(_: Scope, text: Operand, tag: Operand) -> RdfLiteral:
    if isinstance(text, RdfLiteral) and text.lang:
        raise NoValue(f"{said(text)} has a language already")
    return RdfLiteral(_text(text), RDF + "langString", _text(tag).lower())


def _digest(name: str) -> Callable[..., RdfLiteral]:
    def digest(_: Scope, text: Operand) -> RdfLiteral:
        return RdfLiteral(hashlib.new(name, _text(text).encode(), usedforsecurity=False).hexdigest())

    return digest


# Days and clocks (SPARQL 1.1, 17.4.5)

_MOMENT = re.compile(
    r"(?P<YEAR>-?\d{4,})-(?P<MONTH>\d\d)-(?P<DAY>\d\d)"
    r"(?:T(?P<HOURS>\d\d):(?P<MINUTES>\d\d):(?P<SECONDS>\d\d(?:\.\d+)?))?(?P<TZ>Z|[+-]\d\d:\d\d)?"
)


def _of_moment(name: str) -> Callable[..., Operand]:
    """A part of a moment; days have no clock."""

    def part(_: Scope, operand: Operand) -> Operand:
        value = literal(operand)
        kinds = (XSD + "dateTime", XSD + "date") if name in ("YEAR", "MONTH", "DAY") else (XSD + "dateTime",)
        if value is None or value.kind != "time" or value.literal.datatype not in kinds:
            raise NoValue(f"{said(operand)} has no {name}")
        match = _MOMENT.match(value.literal.lexical)
        assert match is not None  # its lexical form was read
        found = match.group(name)
        return RdfLiteral(found or "") if name == "TZ" else Fraction(found)

    return part


# Casts (SPARQL 1.1, 17.5)


def _cast(operand: Operand, local: str) -> Operand:
    text = _str(operand).lexical if not isinstance(operand, float) else str(operand)
    if local == "string":
        return RdfLiteral(text)
    value = literal(operand)
    if local == "integer" and value is not None and isinstance(value.payload, Fraction | bool):
        return Fraction(int(value.payload))
    if local == "boolean" and value is not None and value.kind == "number":
        return bool(value.payload)
    if value is not None and value.kind == "boolean" and local != "boolean":
        return Fraction(int(bool(value.payload)))
    found = value_of(RdfLiteral(text.strip(), XSD + local))
    if found.kind == "other" or isinstance(operand, str):
        raise NoValue(f"{said(operand)} cannot be read as xsd:{local}")
    return found.literal


def _casting(local: str) -> Callable[..., Operand]:
    return lambda _, a: _cast(a, local)


def _kind_is(kind: str) -> Callable[..., bool]:
    def test(_: Scope, operand: Operand) -> bool:
        is_text = isinstance(operand, str)
        match kind:
            case "iri":
                return isinstance(operand, str) and not operand.startswith("_:")
            case "blank":
                return isinstance(operand, str) and operand.startswith("_:")
            case "literal":
                return not is_text
        value = literal(operand)
        return value is not None and value.kind == "number"

    return test


#: Operators and functions by name; each takes the scope and its operands.
FUNCTIONS: dict[str, Callable[..., Operand]] = {
    "!": lambda _, a: not is_true(a),
    "=": lambda _, a, b: equals(a, b),
    "!=": lambda _, a, b: not equals(a, b),
    "<": lambda _, a, b: in_order(a, b, (-1,)),
    "<=": lambda _, a, b: in_order(a, b, (-1, 0)),
    ">": lambda _, a, b: in_order(a, b, (1,)),
    ">=": lambda _, a, b: in_order(a, b, (0, 1)),
    "IN": lambda _, a, *members: is_in(a, *members),
    "+": lambda _, a, b: calculated("+", a, b),
    "-": lambda _, a, b: calculated("-", a, b),
    "*": lambda _, a, b: calculated("*", a, b),
    "/": lambda _, a, b: calculated("/", a, b),
    "NEGATE": lambda _, a: -number_in(a),
    "ABS": lambda _, a: rounded(a, "ABS"),
    "CEIL": lambda _, a: rounded(a, "CEIL"),
    "FLOOR": lambda _, a: rounded(a, "FLOOR"),
    "ROUND": lambda _, a: rounded(a, "ROUND"),
    "STR": lambda _, a: _str(a),
    "STRLEN": lambda _, a: Fraction(len(_text(a))),
    "CONTAINS": lambda _, a, b: str.__contains__(*_against(a, b)),
    "STRSTARTS": lambda _, a, b: str.startswith(*_against(a, b)),
    "STRENDS": lambda _, a, b: str.endswith(*_against(a, b)),
    "STRBEFORE": lambda _, a, b: _beside(a, b, before=True),
    "STRAFTER": lambda _, a, b: _beside(a, b, before=False),
    "SUBSTR": _part,
    "CONCAT": _joined,
    "ENCODE_FOR_URI": lambda _, a: RdfLiteral(quote(_text(a), safe="")),
    "IRI": _as_iri,
    "URI": _as_iri,
    "STRDT": _typed,
    "STRLANG": _tagged,
    **{name: _digest(name.lower()) for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")},
    **{name: _of_moment(name) for name in ("YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TZ")},
    "LCASE": lambda _, a: _alike(_text(a).lower(), a),
    "UCASE": lambda _, a: _alike(_text(a).upper(), a),
    "REGEX": _regex,
    "REPLACE": _replace,
    "LANG": _lang,
    "LANGMATCHES": _lang_matches,
    "DATATYPE": _datatype,
    "SAMETERM": lambda _, a, b: a == b,
    "ISIRI": _kind_is("iri"),
    "ISURI": _kind_is("iri"),
    "ISBLANK": _kind_is("blank"),
    "ISLITERAL": _kind_is("literal"),
    "ISNUMERIC": _kind_is("number"),
    **{
        XSD + local: _casting(local)
        for local in ("integer", "decimal", "double", "float", "string", "boolean", "dateTime", "date")
    },
}
