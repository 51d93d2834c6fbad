"""What a model says a value is, read as a term of the graph: exactly, or refused.

Contract: ``form_of`` tells in words what a property takes, ``value_of`` reads a text that should be such a value. A
number keeps its value in the property's unit, a date is as exact as it was told, a thing is one that the graph has
under that very name, and no other has. What is "about", a range, or a sentence is refused; nothing is guessed.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction

from imprimatur.ingest.candidate import Refusal, Thing, Value
from imprimatur.language import dates, quantities, rounding, units
from imprimatur.sources.graph.judge import GraphSource
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import INTEGER_TYPES, NUMERIC_TYPES, RDF, XSD, RdfLiteral, local_name
from imprimatur.values import Bound, Quantity, Unit

__all__ = ["form_of", "value_of"]

_LONGEST = 200
_TRUTHS = {"true": "true", "yes": "true", "false": "false", "no": "false"}
_DATES = {XSD + "gYear": "a year", XSD + "date": "a day, as 1850-03-09", XSD + "gYearMonth": "a month, as 1850-03"}
_TEXTS = (XSD + "string", RDF + "langString")
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def form_of(info: PropertyInfo, source: GraphSource) -> str:
    """What a value of a property looks like; "" where none can be asked for."""
    if info.is_object:
        names = [source.graph.label(n) for iri in info.ranges if (n := source.graph.id(iri)) is not None]
        kind = " or ".join(names[:3]) or "thing"
        return f"the name of one {kind}" if info.functional else f"names of {kind}, one or several"
    datatype = info.datatype or ""
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    if datatype in NUMERIC_TYPES:
        if source.lexicon.dated(info):
            return "a year"
        if unit is None:
            return "" if info.unit_iri else "a whole number" if datatype in INTEGER_TYPES else "a number without unit"
        return f"a number with its unit, as {unit.symbol}"
    if datatype in _DATES:
        return _DATES[datatype]
    if datatype == XSD + "boolean":
        return "true or false"
    return "a short text" if datatype in _TEXTS else ""


def value_of(said: str, info: PropertyInfo, source: GraphSource, *, locale: str = "en") -> Value | Refusal:
    """The value that a text is, of a property; why it is none."""
    text = said.strip()
    if not text or len(text) > _LONGEST or any(unicodedata.category(char) in _UNSEEN for char in text):
        return Refusal(code="not-a-value", detail=f"a value has 1 to {_LONGEST} characters, all of which can be seen")
    if info.is_object:
        return _thing(text, info, source)
    datatype = info.datatype or ""
    if datatype in NUMERIC_TYPES and not source.lexicon.dated(info):
        return _number(text, info, locale)
    if datatype in NUMERIC_TYPES or datatype in _DATES:
        return _date(text, datatype, locale, later=source.graph.years == "xsd11")
    if datatype == XSD + "boolean":
        truth = _TRUTHS.get(text.rstrip(".").lower())
        return RdfLiteral(truth, datatype) if truth else _not(text, "true or false")
    if datatype not in _TEXTS:
        return Refusal(code="wrong-datatype", detail=f"no text is read as {local_name(datatype) or 'such a value'}")
    if any(mark in text for mark in "<>{}[]|`\\"):
        return _not(text, "a plain text")
    return RdfLiteral(text)


def _not(text: str, kind: str) -> Refusal:
    return Refusal(code="not-a-value", detail=f"“{text[:80]}” is not {kind}")


def _thing(name: str, info: PropertyInfo, source: GraphSource) -> Value | Refusal:
    """The one thing of that name that the property may lead to."""
    graph = source.graph
    known = [n for iri in source.lexicon.candidates(name) if (n := graph.id(iri)) is not None]
    if not known:
        return Refusal(code="unknown-thing", detail=f"the graph has nothing called “{name[:80]}”")
    fitting = [n for n in known if _of_range(n, info, source)]
    if not fitting:
        return Refusal(code="wrong-target", detail=f"“{name[:80]}” is nothing that {info.labels[0]!r} may lead to")
    if len(fitting) > 1:
        told = ", ".join(sorted(graph.label(n) for n in fitting)[:5])
        return Refusal(code="ambiguous-thing", detail=f"“{name[:80]}” may be each of {len(fitting)}: {told}")
    iri = graph.iri(fitting[0])
    return Thing(name=graph.label(fitting[0]), iri=iri, classes=tuple(sorted(source.schema.types(fitting[0]))))


def _of_range(number: int, info: PropertyInfo, source: GraphSource) -> bool:
    """Whether a thing is known to be of the property's range, where one is declared."""
    implied = info.implied.classes if info.implied is not None else ()
    types = source.schema.types(number)
    declared = [cls for cls in info.ranges if source.schema.class_(cls) is not None]
    return (not declared or not types.isdisjoint(declared)) and all(cls in types for cls in implied)


def _number(text: str, info: PropertyInfo, locale: str) -> Value | Refusal:
    found = quantities.find(text, locale=locale)
    if len(found) != 1 or text[found[0].start : found[0].end].strip(". ") != text.strip(". "):
        return _not(text, "one number")
    stated = found[0].quantity
    if not _exact(stated):
        return Refusal(code="not-exact", detail=f"“{text[:80]}” is a bound, a range, or can be read in two ways")
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    value = _in_unit(stated, unit)
    if isinstance(value, Refusal):
        return value
    datatype = info.datatype or XSD + "decimal"
    written = _decimal(value)
    if written is None or (datatype in INTEGER_TYPES and "." in written):
        return Refusal(code="not-exact", detail=f"“{text[:80]}” is not exactly a number of this property")
    return RdfLiteral(written, datatype)


def _exact(stated: Quantity) -> bool:
    plain = stated.bound is Bound.EXACT and stated.high is None and not stated.ordinal
    return plain and stated.partner is None and not any(each.low != stated.low for each in stated.other)


def _in_unit(stated: Quantity, unit: Unit | None) -> Fraction | Refusal:
    """The number in the property's unit."""
    if unit is None:
        if stated.unit is None:
            return stated.low.value
        return Refusal(code="wrong-unit", detail=f"a number in {stated.unit.symbol}, of a property without unit")
    if stated.unit is None:
        return Refusal(code="no-unit", detail=f"a number without unit, of a property in {unit.symbol}")
    readings = (stated, *stated.other)
    found = [rounding.convert(each.low.value, each.unit, unit) for each in readings if each.unit is not None]
    fitting = {value for value in found if value is not None}
    if len(fitting) != 1:
        return Refusal(code="wrong-unit", detail=f"{stated.unit.symbol} is not {unit.symbol}, nor a multiple of it")
    return fitting.pop()


def _decimal(value: Fraction) -> str | None:
    """The number with all its digits; None where it has no end after the point."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
            places += 1
    if rest != 1 or places > 30:
        return None
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    part = digits[-places:].rstrip("0") if places else ""
    whole = digits[:-places] if places else digits
    return ("-" if value < 0 else "") + whole + (f".{part}" if part else "")


def _date(text: str, datatype: str, locale: str, *, later: bool) -> Value | Refusal:
    """The day, month or year that a text is, exactly as fine as the property keeps it.

    ``later``: years before ours are written as XSD 1.1 does, in which 1 BC is 0000.
    """
    plain = text.strip(". ")
    found = dates.find(plain, locale=locale)
    if len(found) != 1 or plain[found[0].start : found[0].end] != plain:
        return _not(text, "one date")
    value = found[0].value
    wanted = {XSD + "date": "day", XSD + "gYearMonth": "month"}.get(datatype, "year")
    if value.bound is not Bound.EXACT or value.other or value.first is None:
        return Refusal(code="not-exact", detail=f"“{text[:80]}” can be read in two ways, or is a bound")
    if value.precision != wanted:
        return Refusal(code="not-exact", detail=f"“{text[:80]}” is a {value.precision}, and a {wanted} is kept")
    year, month, day = value.first
    return RdfLiteral(_lexical(year + (later and year < 0), month, day, datatype), datatype)


def _lexical(year: int, month: int, day: int, datatype: str) -> str:
    written = f"{'-' if year < 0 else ''}{abs(year):04d}"
    if datatype in INTEGER_TYPES:
        return str(year)
    return {XSD + "date": f"{written}-{month:02d}-{day:02d}", XSD + "gYearMonth": f"{written}-{month:02d}"}.get(
        datatype, written
    )
