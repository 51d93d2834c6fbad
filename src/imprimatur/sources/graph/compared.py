"""Judges comparisons of two named things by one property (no world needs to be closed for that)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from imprimatur.claim import Claim, Comparison
from imprimatur.language.rounding import Match
from imprimatur.sources.graph.outcomes import Outcome, agreed
from imprimatur.sources.graph.scalars import Scalar, beyond, differs_by, scalar_of
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.values import DateValue
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["comparison_outcome"]

_SILENT = Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))


def comparison_outcome(source: GraphSource, reading: Comparison, claim: Claim, limits: Limits) -> Outcome:
    """Whether the values of two things stand to each other as the claim says."""
    info = source.schema.property(reading.predicates[0].iri)
    if info is None:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,))
    subjects, others = source.ids(reading.subject), source.ids(reading.other)
    if not subjects or not others:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
    subjects = [x for x in subjects if source.bears(x, info)]
    if not subjects:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
    found, names = [], []
    for x in subjects:
        for y in others:
            a, b = (scalar_of(source, thing, info, (claim.past, limits)) for thing in (x, y))
            outcome = _SILENT if a is None or b is None else _pair(reading, a, b, info, limits)
            found.append(outcome)
            names.append(source.graph.label(x if len(subjects) > 1 else y))
    return replace(agreed(found, names, reading.subject.text), rank=(0, -reading.predicates[0].tier))


def _pair(reading: Comparison, a: Scalar, b: Scalar, info: PropertyInfo, limits: Limits) -> Outcome:
    held = _held(reading, a, b, info, limits)
    facts = (a.fact, b.fact)
    if held is Match.YES:
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts)
    if held is Match.UNIT:
        return Outcome(Label.NOT_FOUND, (Reason.UNIT_MISMATCH,), facts, fits=False)
    if held is Match.NO and (info.functional or info.complete):
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), facts)
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts)


def _held(reading: Comparison, a: Scalar, b: Scalar, info: PropertyInfo, limits: Limits) -> Match:
    if reading.times is not None:
        return _ratio(reading, a, b)
    more = beyond(a.value, b.value)
    equal = a.value == b.value and not _coarse(a.value, reading.sign)
    if reading.sign in ("=", ">=", "<="):
        if more is None:
            return Match.YES if equal else Match.AMBIGUOUS
        return Match.YES if reading.sign == (">=" if more else "<=") else Match.NO
    if more is None:
        return Match.NO if equal else Match.AMBIGUOUS
    if more is not (reading.sign == ">"):
        return Match.NO
    larger, smaller = (a, b) if more else (b, a)
    return Match.YES if reading.by is None else differs_by(reading.by, larger, smaller, info, limits)


def _coarse(value: object, sign: str) -> bool:
    """Whether two equal dates may still be one before the other: they name the same year, not the same day."""
    return isinstance(value, DateValue) and sign != "=" and value.first != value.last


def _ratio(reading: Comparison, a: Scalar, b: Scalar) -> Match:
    """ "Twice as long": exactly so; near it, nothing is decided."""
    if isinstance(a.value, DateValue) or isinstance(b.value, DateValue) or b.value <= 0 or reading.times is None:
        return Match.UNIT
    off = abs(a.value / b.value - reading.times)
    return Match.YES if off == 0 else Match.AMBIGUOUS if off * 20 <= reading.times else Match.NO
