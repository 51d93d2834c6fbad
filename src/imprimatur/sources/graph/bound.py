"""The things of a description: found through its conditions, and checked against each of them.

A condition is judged as a claim about one thing at a time, so it knows all that claims know: inference, validity,
exclusion. ``candidates`` gives every thing of which a condition is known to hold, and whether these are all there
are: then the world is closed there, by a complete property or class or a functional property whose value is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from imprimatur.claim import (
    Attribute,
    Claim,
    Comparison,
    Condition,
    Count,
    Description,
    Membership,
    Mention,
    Relation,
    Route,
    Share,
    Statement,
    Superlative,
)
from imprimatur.errors import LimitExceeded
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.outcomes import negated, readings
from imprimatur.verdict import Label

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["Candidates", "Checked", "candidates", "check", "put"]

_MOST = 200
#: Where each thing is looked at once only, and none leads to others that are gone through in turn.
_MOST_PLAINLY = 20_000
_PLAIN = (Relation, Attribute, Membership)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Things that may be meant; ``all``: no other thing can be; ``declared``: the operator says so."""

    ids: tuple[int, ...]
    all: bool
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether all conditions hold of a thing: ``supported``, ``contradicted``, else undecided; with the facts.

    ``loose``: one of them is not what the graph says, but may have been so at another time (``Outcome.firm``).
    """

    entity: int
    label: Label
    facts: tuple[Fact, ...]
    loose: bool = False


# -- putting a thing for "it" -------------------------------------------------------------------------------------
def put(statement: Statement, it: Mention, iri: str) -> Statement:
    """The statement with a thing in the place of what is described."""

    def of(m: Mention) -> Mention:
        return replace(m, candidates=(iri,)) if m.candidates == it.candidates else m

    def conditions(found: Iterable[Condition]) -> tuple[Condition, ...]:
        return tuple(replace(c, readings=tuple(put(r, it, iri) for r in c.readings)) for c in found)

    def description(d: Description) -> Description:
        return replace(d, conditions=conditions(d.conditions))

    match statement:
        case Relation():
            return replace(statement, subject=of(statement.subject), object=of(statement.object))
        case Comparison():
            return replace(statement, subject=of(statement.subject), other=of(statement.other))
        case Superlative() if statement.within is not None:
            return replace(statement, subject=of(statement.subject), within=description(statement.within))
        case Count():
            return replace(statement, subject=of(statement.subject), of=description(statement.of))
        case Route() | Share():
            subject, says = of(statement.subject), conditions(statement.says)
            return replace(statement, subject=subject, of=description(statement.of), says=says)
        case _:
            return replace(statement, subject=of(statement.subject))


# -- checking -----------------------------------------------------------------------------------------------------
def check(
    source: GraphSource, found: tuple[Sequence[Condition], Mention], entity: int, how: tuple[Claim, Limits]
) -> Checked:
    """Whether conditions about ``it`` hold of one thing."""
    conditions, it = found
    claim, limits = how
    facts: list[Fact] = []
    label, loose = Label.SUPPORTED, False
    for condition in conditions:
        each = [put(r, it, source.graph.iri(entity)) for r in condition.readings]
        said = claim if condition.past is None else replace(claim, past=condition.past)
        outcome = readings([source.statement(r, said, limits) for r in each])
        outcome = negated(outcome) if condition.negated else outcome
        if outcome.label is Label.CONTRADICTED and outcome.firm:
            return Checked(entity, Label.CONTRADICTED, outcome.facts)
        if outcome.label is not Label.SUPPORTED:
            label = Label.NOT_FOUND
        loose = loose or outcome.label is Label.CONTRADICTED
        facts += outcome.facts
    return Checked(entity, label, tuple(dict.fromkeys(facts)) if label is Label.SUPPORTED or loose else (), loose)


# -- finding ------------------------------------------------------------------------------------------------------
def candidates(
    source: GraphSource, conditions: Sequence[Condition], it: Mention, *, says: Sequence[Condition] = ()
) -> Candidates:
    """The things that conditions may hold of, by the condition that closes the world, else by the narrowest.

    Args:
        says: what else each of them will be asked about; only where all of it is plain are many gone through.

    Raises:
        LimitExceeded: there are too many.
    """
    plainly = all(isinstance(r, _PLAIN) for c in (*conditions, *says) for r in c.readings)
    most = _MOST_PLAINLY if plainly else _MOST
    asked = (c for c in conditions if not c.negated)
    found = [c for condition in asked if (c := _by(source, condition, it, most)) is not None]
    declared, closed = [c for c in found if c.declared], [c for c in found if c.all]
    best = min(declared or closed or found, key=lambda c: len(c.ids), default=Candidates((), False))
    if len(best.ids) > most:
        raise LimitExceeded("too many things fit a description", hint="name what is meant", where=it.text)
    distinct: dict[int, int] = {}
    for x in best.ids:
        distinct.setdefault(min(source.entailment.same(x)), x)
    return Candidates(tuple(distinct.values()), best.all, best.declared)


def _by(source: GraphSource, condition: Condition, it: Mention, most: int) -> Candidates | None:
    """What the readings of one condition lead to; None when they lead nowhere.

    The world is closed when it is by each of the closest readings that fit.
    """
    fitting = [r for r in condition.readings if not _unfit(source, r, it)]
    each = [(_tier(r), _found(source, r, it, most)) for r in fitting]
    known = [c for _, c in each if c is not None]
    if not known:
        return None
    closest = min(tier for tier, _ in each)
    near = [c for tier, c in each if tier == closest]
    closed, declared = all(c is not None and c.all for c in near), all(c is not None and c.declared for c in near)
    return Candidates(tuple(dict.fromkeys(x for c in known for x in c.ids)), closed, declared)


def _tier(r: Statement) -> int:
    return r.predicates[0].tier if isinstance(r, Relation) else 0


def _unfit(source: GraphSource, r: Statement, it: Mention) -> bool:
    """Whether a relation cannot be meant, for its known end is not of the kind that has it."""
    if not isinstance(r, Relation):
        return False
    info = source.schema.property(r.predicates[0].iri)
    if info is None:
        return True
    if r.subject.candidates == it.candidates:
        ids = source.ids(r.object)
        return bool(ids) and not any(source.of_class(x, info.ranges) for x in ids)
    ids = source.ids(r.subject)
    return bool(ids) and not any(source.bears(x, info) for x in ids)


def _found(source: GraphSource, r: Statement, it: Mention, most: int) -> Candidates | None:
    match r:
        case Relation():
            return _related(source, r, it)
        case Membership() if r.subject.candidates == it.candidates:
            return _members(source, r, most)
        case Superlative() if r.within is not None and r.subject.candidates == it.candidates:
            return candidates(source, r.within.conditions, r.within.it)
        case Route():
            return _through(source, r, it)
        case _:
            return None


def _related(source: GraphSource, r: Relation, it: Mention) -> Candidates | None:
    """Values from a known thing, forwards or backwards."""
    info = source.schema.property(r.predicates[0].iri)
    inverse = r.subject.candidates == it.candidates
    known = source.ids(r.object if inverse else r.subject)
    if info is None or not known or (inverse is False and r.object.candidates != it.candidates):
        return None
    ids: dict[int, None] = {}
    closed = len(known) == 1
    for x in known:
        facts = source.entailment.values(x, info.iri, inverse=inverse)
        single = info.inverse_functional if inverse else info.functional
        untimed = all(f.valid is None for f in facts)
        closed = closed and (info.complete or (single and bool(facts) and untimed))
        closed = closed and source.entailment.complete(x, info.iri, inverse=inverse)
        ids |= dict.fromkeys(f.object for f in facts if not source.graph.is_literal(f.object))
    return Candidates(tuple(ids), closed, closed and info.complete)


def _members(source: GraphSource, r: Membership, most: int) -> Candidates | None:
    infos = [source.schema.class_(c) for c in r.classes]
    if not infos or any(i is None or i.instances > most for i in infos):
        return None
    named = dict.fromkeys(iri for c in r.classes for iri in source.lexicon.instances(c, most=most))
    ids = tuple(n for iri in named if (n := source.graph.id(iri)) is not None)
    closed = all(i is not None and i.complete for i in infos)
    return Candidates(ids, closed, closed)


def _through(source: GraphSource, r: Route, it: Mention) -> Candidates | None:
    """What leads over another described thing: for each of those, what leads from there."""
    conditions = (*r.of.conditions, *r.says)
    middle = candidates(source, [c for c in conditions if not _about(c, it)], r.of.it)
    outer = [c for c in conditions if _about(c, it)]
    ids: dict[int, None] = {}
    closed, declared = middle.all, middle.declared
    for x in middle.ids:
        put_in = [replace(c, readings=tuple(put(s, r.of.it, source.graph.iri(x)) for s in c.readings)) for c in outer]
        found = candidates(source, put_in, it)
        ids |= dict.fromkeys(found.ids)
        closed, declared = closed and found.all, declared and found.declared
    return Candidates(tuple(ids), closed, declared)


def _about(condition: Condition, it: Mention) -> bool:
    return any(put(r, it, "") != r for r in condition.readings)
