"""Judges what several named things have together or on average: the sum or mean of their values, each one known."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from imprimatur.claim import Aggregate, Claim
from imprimatur.language import rounding, units
from imprimatur.sources.graph.outcomes import Outcome
from imprimatur.sources.graph.scalars import Scalar, scalar_of
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["aggregate_outcome"]


def aggregate_outcome(source: GraphSource, reading: Aggregate, claim: Claim, limits: Limits) -> Outcome:
    """Whether the values of all members come to what is stated."""
    info = source.schema.property(reading.predicates[0].iri)
    if info is None:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,))
    found: list[Scalar] = []
    things: set[int] = set()
    for member in reading.members:
        ids = [x for x in source.ids(member) if source.bears(x, info)]
        if not source.ids(member):
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
        if not ids:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
        value = scalar_of(source, ids[0], info, (claim.past, limits)) if len(ids) == 1 else None
        if value is None or ids[0] in things or not isinstance(value.value, Fraction):
            return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))
        things.add(ids[0])
        found.append(value)
    total = sum((s.value for s in found if isinstance(s.value, Fraction)), Fraction(0))
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    stated = total / len(found) if reading.mean else total
    match = rounding.matches(reading.value, stated, unit, about=limits.about)
    rank = (0, -reading.predicates[0].tier)
    facts = tuple(s.fact for s in found)
    if match is rounding.Match.YES:
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts, shown=12, rank=rank)
    if match is rounding.Match.UNIT:
        return Outcome(Label.NOT_FOUND, (Reason.UNIT_MISMATCH,), facts, fits=False)
    if match is rounding.Match.NO and (info.functional or info.complete):
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), facts, shown=12, rank=rank)
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts)
