"""Judges how long something lasted, and how old someone became, by two dates of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imprimatur.claim import Claim, Span
from imprimatur.language.elapsed import elapsed
from imprimatur.language.rounding import Match
from imprimatur.sources.graph.outcomes import Outcome, agreed
from imprimatur.sources.graph.scalars import scalar_of
from imprimatur.values import DateValue
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["span_outcome"]


def span_outcome(source: GraphSource, reading: Span, claim: Claim, limits: Limits) -> Outcome:
    """Whether the time between two dates of the subject is what is stated."""
    infos = [source.schema.property(found[0].iri) for found in (reading.predicates, reading.ends)]
    subjects = source.ids(reading.subject)
    if not subjects:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
    if infos[0] is None or infos[1] is None:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,))
    subjects = [x for x in subjects if all(info is not None and source.bears(x, info) for info in infos)]
    if not subjects:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
    each = []
    for x in subjects:
        start, end = (scalar_of(source, x, info, (True, limits)) for info in infos if info is not None)
        if start is None or end is None:
            each.append(Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,)))
            continue
        if not isinstance(start.value, DateValue) or not isinstance(end.value, DateValue):
            each.append(Outcome(Label.NOT_FOUND, (Reason.UNIT_MISMATCH,), fits=False))
            continue
        found = elapsed(reading.value, start.value, end.value, limits.about, age=reading.age)
        certain = all(info is not None and (info.functional or info.complete) for info in infos)
        each.append(_outcome(found, certain=certain, facts=(start.fact, end.fact)))
    return agreed(each, [source.graph.label(x) for x in subjects], reading.subject.text)


def _outcome(found: Match, *, certain: bool, facts: tuple) -> Outcome:  # type: ignore[type-arg]
    if found is Match.YES:
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts)
    if found is Match.NO and certain:
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), facts)
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts)
