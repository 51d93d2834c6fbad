"""Dates as RDF literals hold them, normalised so that years, months, days and moments compare (DESIGN section 3).

Invariants: a literal that is no date of its datatype gives None, never an error; no year 0 comes out.
"""

from __future__ import annotations

import re
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.errors import ConfigError
from imprimatur.language import calendar
from imprimatur.language._date_readers import moment
from imprimatur.values import DateValue

__all__ = ["stored"]

_XSD = "http://www.w3.org/2001/XMLSchema#"
_ZONE = r"(?P<zone>Z|[+-]\d\d:\d\d)?"
_YEAR = r"(?P<y>-?\d{4,9})"
_SHAPES = {
    "gYear": expression(_YEAR + _ZONE),
    "gYearMonth": expression(rf"{_YEAR}-(?P<m>\d\d){_ZONE}"),
    "date": expression(rf"{_YEAR}-(?P<m>\d\d)-(?P<d>\d\d){_ZONE}"),
    "dateTime": expression(rf"{_YEAR}-(?P<m>\d\d)-(?P<d>\d\d)T(?P<clock>\d\d:\d\d:\d\d(?:\.\d{{1,18}})?){_ZONE}"),
    "integer": expression(r"(?P<y>[+-]?\d{1,5})"),
}
_SHAPES["dateTimeStamp"] = _SHAPES["dateTime"]
_INTEGERS = frozenset(
    {
        "int",
        "long",
        "short",
        "integer",
        "nonNegativeInteger",
        "positiveInteger",
        "negativeInteger",
        "nonPositiveInteger",
    }
    | {"unsignedInt", "unsignedLong", "unsignedShort"}
)
#: Whole dates are often given the type of a year (DBpedia, FactBench); what is written is then taken at its word.
_FINER = {"gYear": ("date", "gYearMonth"), "gYearMonth": ("date", "gYear"), "date": ("gYear", "gYearMonth")}
_IN_STRINGS = ("dateTime", "date", "gYearMonth", "integer")


def stored(lexical: str, datatype_iri: str, *, years: str = "xsd10") -> DateValue | None:
    """The date that a literal states, or None when it states none.

    A year with a minus is that year BC: ``-0384`` is 384 BC under ``years="xsd10"`` (XSD 1.0, DBpedia) and 385 BC
    under ``"xsd11"`` (XSD 1.1, where ``0000`` is 1 BC; under "xsd10" year 0 is no date). A ``dateTime`` is brought to
    UTC; one without a zone is taken as UTC; where the zone puts it on another day than the one written, that day is
    kept as another reading, so that neither day is silently right. The zone of a day, month or year is disregarded:
    the calendar date counts as written. Integers and strings are read as years (strings also as ISO dates): pass those
    types only for properties that hold dates. A date, month or year under the type of another is read as written.

    Raises ConfigError when ``years`` is neither "xsd10" nor "xsd11".
    """
    if years not in ("xsd10", "xsd11"):
        raise ConfigError(f'no such year convention: "{years}"', hint='write "xsd10" or "xsd11"')
    local = datatype_iri.removeprefix(_XSD)
    text = lexical.strip()
    kinds = (
        _IN_STRINGS if local == "string" else ("integer",) if local in _INTEGERS else (local, *_FINER.get(local, ()))
    )
    for kind in kinds:
        match = _SHAPES[kind].fullmatch(text) if kind in _SHAPES else None
        if match is not None:
            return _value(match, xsd11=years == "xsd11")
    return None


def _value(match: re.Match[str], *, xsd11: bool) -> DateValue | None:
    parts = match.groupdict()
    number = int(parts["y"])
    year = calendar.historical(number) if xsd11 else number
    try:
        if "clock" in parts:
            return _moment((year, int(parts["m"]), int(parts["d"])), parts["clock"], parts["zone"] or "")
        if "d" in parts:
            return calendar.day(year, int(parts["m"]), int(parts["d"]))
        return calendar.month(year, int(parts["m"])) if "m" in parts else calendar.year(year)
    except ValueError:  # well-formed, but no such date: "2024-02-30", year 0 under XSD 1.0
        return None


def _moment(written: calendar.Day, clock: str, zone: str) -> DateValue:
    at = moment(written, clock, zone)
    if at.first == written or clock.startswith("24:"):
        return at
    local = calendar.day(*written)
    return calendar.Instant(
        first=at.first, last=at.last, precision="time", seconds=Fraction(at.seconds), other=(local,)
    )
