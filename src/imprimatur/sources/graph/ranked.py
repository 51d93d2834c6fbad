"""Judges superlatives and ranks by the values of all things that are ranked.

To be supported the world must be closed: the things are all known, each value too, and no tie touches the place. So
many better ones that the place is taken contradict in any world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from imprimatur.claim import Claim, Superlative
from imprimatur.sources.graph.bound import candidates, check
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.outcomes import Outcome, agreed
from imprimatur.sources.graph.scalars import Scalar, beyond, scalar_of
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["superlative_outcome"]

_SILENT = Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))


@dataclass(frozen=True, slots=True)
class _Field:
    """What something is ranked among: the sure members, the doubtful ones, and whether no other thing is one."""

    sure: tuple[int, ...]
    doubtful: tuple[int, ...]
    closed: bool
    facts: tuple[Fact, ...] = ()


def superlative_outcome(source: GraphSource, reading: Superlative, claim: Claim, limits: Limits) -> Outcome:
    """Whether the subject has the rank that the claim gives it."""
    info = source.schema.property(reading.predicates[0].iri)
    if info is None:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,))
    subjects = source.ids(reading.subject)
    if not subjects:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
    subjects = [x for x in subjects if source.bears(x, info)]
    if not subjects:
        return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
    each = [_ranked(source, x, reading, info, (claim, limits)) for x in subjects]
    found = agreed(each, [source.graph.label(x) for x in subjects], reading.subject.text)
    return replace(found, rank=(0, -reading.predicates[0].tier))


def _ranked(
    source: GraphSource, subject: int, reading: Superlative, info: PropertyInfo, how: tuple[Claim, Limits]
) -> Outcome:
    claim, limits = how
    mine = scalar_of(source, subject, info, (claim.past, limits))
    field = _field(source, subject, reading, info, how)
    if isinstance(field, Outcome):
        return field
    if mine is None:
        return _SILENT
    same = set(source.entailment.same(subject))
    better, level, worse, open_ = [], [], [], 0
    for other in (x for x in (*field.sure, *field.doubtful) if x not in same):
        theirs = scalar_of(source, other, info, (claim.past, limits))
        more = beyond(theirs.value, mine.value) if theirs is not None else None
        if theirs is not None and more is (not reading.largest):
            worse.append(theirs)
        elif theirs is None or other in field.doubtful:
            open_ += 1
        elif more is None:
            level.append(theirs)
        else:
            better.append(theirs)
    closed = field.closed and not open_ and bool(better or level or worse)  # nothing is the longest of one
    facts = tuple(dict.fromkeys((mine.fact, *(s.fact for s in (*better, *level, *worse)), *field.facts)))
    return _placed(reading, (better, level), closed, facts, certain=info.functional or info.complete)


def _placed(
    reading: Superlative,
    above: tuple[Sequence[Scalar], Sequence[Scalar]],
    closed: bool,
    facts: tuple[Fact, ...],
    *,
    certain: bool,
) -> Outcome:
    better, level = above
    if len(better) >= reading.rank and certain:
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), facts, shown=12)
    if not closed:
        return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts, shown=12)
    if reading.among:
        if len(better) + len(level) < reading.rank:
            return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts, shown=12)
    elif len(better) == reading.rank - 1 and not level:
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), facts, shown=12)
    elif len(better) + len(level) < reading.rank - 1 and certain:
        return Outcome(Label.CONTRADICTED, (Reason.VALUE_MISMATCH,), facts, shown=12)
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), facts, shown=12)


def _field(
    source: GraphSource, subject: int, reading: Superlative, info: PropertyInfo, how: tuple[Claim, Limits]
) -> _Field | Outcome:
    """What the subject is ranked among; an outcome when it is not known to be one of them."""
    if reading.within is None:
        return _own_kind(source, subject, info)
    within = (reading.within.conditions, reading.within.it)
    own = check(source, within, subject, how)
    if own.label is not Label.SUPPORTED:
        reason = Reason.VALUE_MISMATCH if own.label is Label.CONTRADICTED else Reason.NO_EVIDENCE
        return Outcome(own.label, (reason,), own.facts)
    found = candidates(source, *within)
    checked = [check(source, within, x, how) for x in found.ids]
    sure = tuple(c.entity for c in checked if c.label is Label.SUPPORTED)
    doubtful = tuple(c.entity for c in checked if c.label is Label.NOT_FOUND)
    return _Field(sure, doubtful, found.declared, own.facts)


def _own_kind(source: GraphSource, subject: int, info: PropertyInfo) -> _Field:
    """All of the subject's own classes, and what else has the property: that may be of the kind that is meant."""
    own = [source.schema.class_(source.graph.iri(c)) for c in source.schema.type_ids(subject)]
    members = {
        n
        for c in own
        if c is not None
        for iri in source.lexicon.instances(c.iri)
        if (n := source.graph.id(iri)) is not None
    }
    number = source.graph.id(info.iri)
    bearing = {s for s, _ in source.graph.pairs(number)} if number is not None else set()
    closed = bool(own) and all(c is not None and c.complete and c.instances <= len(members) for c in own)
    return _Field(tuple(sorted(members)), tuple(sorted(bearing - members)), closed)
