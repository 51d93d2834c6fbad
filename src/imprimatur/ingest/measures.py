"""Numbers with a unit on their way into a graph: converted exactly into the unit of their attribute, or refused.

A candidate carries a measured value as a literal whose datatype is the IRI of its unit (QUDT, or
``language.units.WRITTEN`` and a symbol). In a graph such a number stands as a decimal in the attribute's own unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from imprimatur.ingest.candidate import Candidate, Refusal
from imprimatur.ingest.ontology import Guardrail, Property
from imprimatur.language import units
from imprimatur.sources.graph.terms import XSD, RdfLiteral, parse_number, spoken_name
from imprimatur.values import Unit

__all__ = ["in_own_unit", "unit_of", "unit_refusal"]

_MOST_DECIMALS = 30


def unit_of(datatype: str) -> Unit | None:
    """The unit that a datatype stands for; None for an ordinary datatype."""
    return units.by_iri(datatype)


def _written(number: Fraction) -> str | None:
    """The number as an xsd:decimal; None where no decimal of 30 places is exact."""
    scaled = number * 10**_MOST_DECIMALS
    if scaled.denominator != 1:
        return None
    digits = f"{abs(scaled.numerator):0{_MOST_DECIMALS + 1}d}"
    whole, rest = digits[:-_MOST_DECIMALS], digits[-_MOST_DECIMALS:].rstrip("0")
    return ("-" if number < 0 else "") + whole + (f".{rest}" if rest else "")


def _converted(known: Property, value: RdfLiteral) -> str | None:
    unit, own = unit_of(value.datatype), units.by_iri(known.unit) if known.unit else None
    number = parse_number(value.lexical, XSD + "decimal")
    if unit is None or own is None or number is None or unit.dimension != own.dimension:
        return None
    return _written((number * unit.factor + unit.offset - own.offset) / own.factor)


def unit_refusal(known: Property, value: RdfLiteral) -> Iterator[Refusal]:
    """Why a measured value cannot be a value of the attribute; nothing where it can."""
    if _converted(known, value) is not None:
        return
    unit, own = unit_of(value.datatype), units.by_iri(known.unit) if known.unit else None
    met = f"“{value.lexical[:40]}” in {unit.symbol if unit else spoken_name(value.datatype)}"
    if parse_number(value.lexical, XSD + "decimal") is None:
        yield Refusal(code="wrong-datatype", detail=f"{known.name!r} takes numbers, and {met} is none")
    elif own is None:
        why = f"is stored in {spoken_name(known.unit)}, which is not a known unit" if known.unit else "has no unit"
        yield Refusal(code="wrong-unit", detail=f"{known.name!r} {why}; found was {met}")
    else:
        exact = unit is not None and unit.dimension == own.dimension
        why = ", which no decimal number gives exactly" if exact else ", which is not converted into it"
        yield Refusal(code="wrong-unit", detail=f"{known.name!r} is stored in {own.symbol}; found was {met}{why}")


def in_own_unit(guardrail: Guardrail, candidate: Candidate) -> Candidate:
    """The candidate with a measured value in the unit of its attribute; as it is where there is nothing to convert."""
    value, known = candidate.value, guardrail.property_(candidate.property)
    if known is None or not isinstance(value, RdfLiteral) or unit_of(value.datatype) is None:
        return candidate
    lexical = _converted(known, value)
    return candidate if lexical is None else replace(candidate, value=RdfLiteral(lexical, XSD + "decimal"))
