"""Values that a text states, as literals of an ontology's properties: exact, or refused.

Contract: ``literal_of`` gives a literal that says no more and no less than the text: a number in the property's unit
where that is a finite decimal, a date as exact as it was told, a text as written. What is "about", "over" or a range
has no such literal.
"""

from __future__ import annotations

from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.extract.words import forms
from imprimatur.ingest.candidate import Refusal
from imprimatur.ingest.ontology_words import stated_unit
from imprimatur.language.rounding import convert
from imprimatur.sources.graph.own_words import TIME_NOUNS
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import DATE_TYPES, INTEGER_TYPES, NUMERIC_TYPES, XSD, RdfLiteral
from imprimatur.values import Bound, DateValue, Quantity, TextValue, Value

__all__ = ["day_text", "decimal_text", "literal_of"]

_LONGEST_TEXT = 400
#: Whole numbers without a unit that may be years.
_YEARS = range(1000, 2200)
_WORD = expression(r"[A-Z]?[a-z]+")


def literal_of(value: Value, info: PropertyInfo, *, bare: bool = False) -> RdfLiteral | Refusal:
    """The literal of a stated value.

    Args:
        bare: whether a number keeps its digits and loses its unit where the property has none.
    """
    match value:
        case Quantity():
            return _number(value, info, bare)
        case DateValue():
            return _date(value, info)
        case TextValue():
            if not value.text.strip() or len(value.text) > _LONGEST_TEXT:
                return Refusal(code="no-value", detail="a text that is empty or too long for a value")
            return RdfLiteral(value.text)


def _number(value: Quantity, info: PropertyInfo, bare: bool) -> RdfLiteral | Refusal:
    if value.bound is not Bound.EXACT or value.high is not None or value.ordinal:
        return Refusal(code="not-exact", detail="a bound, a range or a rank, and no number by itself")
    unit = stated_unit(info)
    number: Fraction | None = value.low.value
    if unit is None and value.unit is not None and not bare and value.unit.symbol:
        return Refusal(code="unknown-unit", detail=f"nothing says in which unit {info.labels[0]!r} is kept")
    if unit is not None:
        if value.unit is None:
            return Refusal(code="no-unit", detail=f"a number without unit, of a property in {unit.symbol}")
        number = convert(value.low.value, value.unit, unit)
    elif value.unit is None and info.datatype not in NUMERIC_TYPES and number in _YEARS:
        if info.datatype == XSD + "gYear":
            return RdfLiteral(str(number), XSD + "gYear")
        detail = f"it may be a year, and nothing says that {info.labels[0]!r} has numbers"
        return Refusal(code="wrong-datatype", detail=detail)
    if number is None:
        return Refusal(code="other-unit", detail=f"{value.unit.symbol if value.unit else 'a count'} is no such unit")
    text = decimal_text(number)
    if text is None:
        return Refusal(code="not-exact", detail="the number in the property's unit is no finite decimal")
    return _typed(text, info)


def _typed(text: str, info: PropertyInfo) -> RdfLiteral | Refusal:
    datatype = info.datatype if info.datatype in NUMERIC_TYPES else XSD + "decimal"
    if datatype in INTEGER_TYPES and "." in text:
        return Refusal(code="wrong-datatype", detail=f"{text} is no whole number")
    return RdfLiteral(text, datatype)


def decimal_text(number: Fraction) -> str | None:
    """The digits of a number; None where it has no end after the point."""
    rest, places = number.denominator, 0
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
            places += 1
    if rest != 1 or places > 60:
        return None
    scaled = number * 10**places
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:].rstrip("0")) if places else (digits, "")
    return ("-" if number < 0 else "") + whole + ("." + part if part else "")


def _date(value: DateValue, info: PropertyInfo) -> RdfLiteral | Refusal:
    if value.bound is not Bound.EXACT or value.other or value.first is None:
        return Refusal(code="not-exact", detail="a bound or a date that can be read in two ways")
    if not _of_time(info):
        return Refusal(code="wrong-datatype", detail=f"a date, and nothing says that {info.labels[0]!r} has dates")
    year, month, day = value.first
    lexical = f"{'-' if year < 0 else ''}{abs(year):04d}"
    numeric = info.datatype in NUMERIC_TYPES
    if value.precision == "year":
        return RdfLiteral(lexical, info.datatype if numeric and info.datatype else XSD + "gYear")
    if numeric:
        return Refusal(code="wrong-datatype", detail="a day or month, of a property with numbers")
    if value.precision == "month":
        return RdfLiteral(f"{lexical}-{month:02d}", XSD + "gYearMonth")
    if value.precision == "day":
        return RdfLiteral(f"{lexical}-{month:02d}-{day:02d}", XSD + "date")
    return Refusal(code="not-exact", detail=f"a {value.precision}, which no datatype says")


def _of_time(info: PropertyInfo) -> bool:
    """Whether a property has dates or years: its datatype says so, or else its words ("date of birth")."""
    if info.datatype in DATE_TYPES or info.datatype in NUMERIC_TYPES:
        return True
    labels = [[word.lower() for word in _WORD.findall(label)] for label in info.labels]
    told = any(word in TIME_NOUNS for words in labels for word in words)
    return told or any(len(words) == 1 and "pp" in forms(words[0]).verb_forms for words in labels)


def day_text(value: DateValue | None, *, last: bool = False) -> str:
    """The first (or last) day or year of a stated time; "" where it is open, or not told exactly."""
    if value is None or value.bound is not Bound.EXACT or value.other:
        return ""
    day = value.last if last else value.first
    if day is None:
        return ""
    year = f"{'-' if day[0] < 0 else ''}{abs(day[0]):04d}"
    return year if value.precision == "year" else f"{year}-{day[1]:02d}-{day[2]:02d}"
