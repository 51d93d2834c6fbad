"""Judges what several things have together or on average: the sum, mean or median of their values, each one known.

The things are named, or are all those of a description. Then what there is of it must be declared to be all, and of
each thing it must be known whether it is of it: a silent one leaves the figure unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from imprimatur.claim import Aggregate, Claim
from imprimatur.errors import InputError
from imprimatur.language import rounding, units
from imprimatur.sources.graph.bound import Checked, candidates, check
from imprimatur.sources.graph.outcomes import Outcome
from imprimatur.sources.graph.reckoning import Figure, Reckoning
from imprimatur.sources.graph.scalars import Scalar, scalar_of
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.values import Bound
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["aggregate_outcome"]

_SILENT = Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))
_FEWEST = 2  # of one thing nothing is said "together"


def aggregate_outcome(source: GraphSource, reading: Aggregate, claim: Claim, limits: Limits) -> Outcome:
    """Whether the values of all members come to what is stated."""
    info = source.schema.property(reading.predicates[0].iri)
    if info is None:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,))
    how = (claim, limits)
    members = _named(source, reading, info) if reading.within is None else _all(source, reading, info, how)
    if isinstance(members, Outcome):
        return members
    found: list[Scalar] = []
    for member in (c.entity for c in members):
        value = scalar_of(source, member, info, (claim.past, limits))
        if value is None or not isinstance(value.value, Fraction):
            return _SILENT
        found.append(value)
    return _judged(source, reading, info, (members, found, limits))


def _named(source: GraphSource, reading: Aggregate, info: PropertyInfo) -> list[Checked] | Outcome:
    """The things that are named, each once."""
    things: list[int] = []
    for member in reading.members:
        ids = [x for x in source.ids(member) if source.bears(x, info)]
        if not source.ids(member):
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
        if not ids:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
        if len(ids) != 1 or ids[0] in things:
            return _SILENT
        things.append(ids[0])
    return [Checked(x, Label.SUPPORTED, ()) for x in things]


def _all(
    source: GraphSource, reading: Aggregate, info: PropertyInfo, how: tuple[Claim, Limits]
) -> list[Checked] | Outcome:
    """All things of the description, where they are known to be all."""
    within = reading.within
    assert within is not None
    found = candidates(source, within.conditions, within.it)
    told = [check(source, (within.conditions, within.it), x, how) for x in found.ids]
    members = [c for c in told if c.label is Label.SUPPORTED]
    if members and not any(source.bears(c.entity, info) for c in members):
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
    open_ = any(c.label is Label.NOT_FOUND for c in told)
    return members if found.declared and not open_ and len(members) >= _FEWEST else _SILENT


def _figure(reading: Aggregate, values: Sequence[Fraction]) -> tuple[Figure, Fraction]:
    if reading.median:
        ordered, half = sorted(values), len(values) // 2
        middle = ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2
        return Figure.MEDIAN, middle
    total = sum(values, Fraction(0))
    return (Figure.MEAN, total / len(values)) if reading.mean else (Figure.SUM, total)


def _judged(
    source: GraphSource, reading: Aggregate, info: PropertyInfo, known: tuple[list[Checked], list[Scalar], Limits]
) -> Outcome:
    members, found, limits = known
    figure, value = _figure(reading, [s.value for s in found if isinstance(s.value, Fraction)])
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    if figure is Figure.SUM and unit is not None and unit.offset:
        return _SILENT  # degrees have no sum that another scale could give
    match = rounding.matches(reading.value, value, unit, about=limits.about)
    rank = (0, -reading.predicates[0].tier)
    facts = tuple(s.fact for s in found)
    things = tuple(c.entity for c in members)
    base = tuple(f for c in members for f in c.facts)
    reckoning = Reckoning(
        figure=figure, value=value, of=things, counted=things, facts=facts, base=base, property=info.iri
    )
    if match is rounding.Match.YES:
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts, shown=12, rank=rank, reckoning=reckoning)
    if match is rounding.Match.UNIT:
        return Outcome(Label.NOT_FOUND, (Reason.UNIT_MISMATCH,), facts, fits=False)
    if match is rounding.Match.NO and (info.functional or info.complete):
        return Outcome(
            Label.CONTRADICTED,
            (Reason.VALUE_MISMATCH,),
            facts,
            correction=_right(reading, value, info),
            shown=12,
            rank=rank,
            reckoning=reckoning,
        )
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts)


def _right(reading: Aggregate, value: Fraction, info: PropertyInfo) -> str | None:
    """The figure as the answer would write it."""
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    if reading.value.bound not in (Bound.EXACT, Bound.ABOUT):
        return None
    try:
        written = rounding.write(value, reading.value, unit)
    except InputError:
        return None
    symbol = reading.value.unit.symbol if reading.value.unit is not None else ""
    return f"{written} {symbol}".strip()
