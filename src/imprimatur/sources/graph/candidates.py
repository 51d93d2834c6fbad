"""The triples that a claim would add to the graph, and those that a found fact rests on, in N-Triples terms.

A claim proposes a triple for each reading and each thing its names may stand for; none where it states no single value
(a bound, a range, "about", another unit's kind) or names something that the graph does not know. Values are converted
to the unit and the datatype in which the graph stores the property.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.claim import Attribute, Claim, Membership, Mention, Relation
from imprimatur.evidence import Evidence
from imprimatur.language import rounding, units
from imprimatur.sources.graph.judge import GraphSource
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import INTEGER_TYPES, NUMERIC_TYPES, OWL, RDF, RDFS, XSD, RdfLiteral, iri_text
from imprimatur.sources.graph.terms import literal_text as written
from imprimatur.values import Bound, DateValue, Quantity, TextValue, Value

__all__ = ["Triple", "proposed", "rested_on", "triples_in"]

Triple = tuple[str, str, str]

#: A claim whose names leave more choice than this proposes nothing: not all could be tried.
_MOST = 8
_TERM = r'(<[^<>\s]*>|_:[^\s.;]+|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^<>\s]*>)?)'
_TRIPLE = expression(rf"{_TERM} (<[^<>\s]*>) {_TERM} \.")
_VOCABULARIES = tuple(f"<{space}" for space in (OWL, RDFS))
_DIGITS = 12


def rested_on(evidence: Evidence) -> tuple[Triple, ...]:
    """The triple that a piece of evidence states, then those it was derived from, without axioms of the vocabulary."""
    stated = evidence.content if evidence.kind == "triple" else evidence.terms
    return tuple(triple for triple in triples_in(stated) if not triple[1].startswith(_VOCABULARIES))


def triples_in(text: str) -> tuple[Triple, ...]:
    """The triples that stand in a text in N-Triples form, each once, axioms too."""
    return tuple(dict.fromkeys((m.group(1), m.group(2), m.group(3)) for m in _TRIPLE.finditer(text)))


def proposed(claim: Claim, source: GraphSource) -> tuple[Triple, ...]:
    """The triples that the claim may mean; empty when there is none, or too many."""
    found: dict[Triple, None] = {}
    for reading in claim.readings:
        if isinstance(reading, Relation | Attribute | Membership):
            made = list(_of(reading, source))
            if not made:
                return ()
            found.update(dict.fromkeys(made))
        else:
            return ()
        if len(found) > _MOST:
            return ()
    return tuple(found)


def _of(reading: Relation | Attribute | Membership, source: GraphSource) -> Iterator[Triple]:
    subjects = _terms(reading.subject)
    if isinstance(reading, Membership):
        for subject in subjects:
            for cls in reading.classes:
                yield subject, iri_text(RDF + "type"), iri_text(cls)
        return
    if reading.when is not None:
        return
    for predicate in reading.predicates:
        info = source.schema.property(predicate.iri)
        objects = _terms(reading.object) if isinstance(reading, Relation) else _literals(reading.value, info, source)
        for subject in subjects:
            for value in objects:
                ends = (value, subject) if predicate.inverse else (subject, value)
                yield ends[0], iri_text(predicate.iri), ends[1]


def _terms(mention: Mention) -> tuple[str, ...]:
    named = mention.candidates[: _MOST + 1]
    return tuple(iri if iri.startswith("_:") else iri_text(iri) for iri in named)


def _literals(value: Value, info: PropertyInfo | None, source: GraphSource) -> tuple[str, ...]:
    if info is None:
        return ()
    match value:
        case Quantity():
            made = _number(value, info)
        case DateValue():
            made = _date(value, info, source.graph.years)
        case TextValue():
            datatype = info.datatype or XSD + "string"
            made = RdfLiteral(value.text, datatype) if datatype == XSD + "string" else None
    return (written(made),) if made is not None else ()


def _number(stated: Quantity, info: PropertyInfo) -> RdfLiteral | None:
    if stated.bound is not Bound.EXACT or stated.high is not None or stated.ordinal or stated.other:
        return None
    datatype = info.datatype or XSD + "decimal"
    if datatype not in NUMERIC_TYPES:
        return None
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    value = rounding.convert(stated.low.value, stated.unit, unit) if stated.unit is not None else stated.low.value
    if value is None:
        return None
    lexical = _whole(value) if datatype in INTEGER_TYPES else _decimal(value)
    return RdfLiteral(lexical, datatype) if lexical is not None else None


def _whole(value: Fraction) -> str | None:
    """The nearest integer; None where rounding would make nothing of something."""
    rounded = round(value)
    return str(rounded) if rounded or not value else None


def _decimal(value: Fraction) -> str | None:
    """The value with at most ``_DIGITS`` decimals; None where rounding would make nothing of something."""
    scaled = round(value * 10**_DIGITS)
    if not scaled and value:
        return None
    digits = str(abs(scaled)).rjust(_DIGITS + 1, "0")
    fraction = digits[-_DIGITS:].rstrip("0") or "0"
    return f"{'-' if scaled < 0 else ''}{digits[:-_DIGITS]}.{fraction}"


def _date(stated: DateValue, info: PropertyInfo, years: str) -> RdfLiteral | None:
    if stated.bound is not Bound.EXACT or stated.other or stated.first is None or stated.last is None:
        return None
    year, month, day = stated.first
    # XSD 1.1 has a year 0000, which is 1 BC; XSD 1.0, as used in practice, has none.
    number = year + 1 if year < 0 and years == "xsd11" else year
    text = f"{'-' if number < 0 else ''}{abs(number):04d}"
    datatype = info.datatype or ""
    if stated.precision == "day" and datatype == XSD + "date":
        return RdfLiteral(f"{text}-{month:02d}-{day:02d}", datatype)
    if stated.precision != "year" or stated.last[0] != year:
        return None
    if datatype == XSD + "gYear":
        return RdfLiteral(text, datatype)
    return RdfLiteral(str(number), datatype) if datatype in INTEGER_TYPES else None
