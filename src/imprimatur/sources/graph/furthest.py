"""Which of the things that complete a sentence the graph means: the one that it states, or the one that comes last.

Contract: ``stated`` gives the things of which the graph states the very relation that is asked for, ``furthest`` the
one to which a transitive relation leads last. Both only choose among things that fit already; neither proves anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.claim import Claim, Mention, Relation
from imprimatur.sources.graph.judge import GraphSource

__all__ = ["Way", "furthest", "stated", "ways"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A relation of one known thing: from it to what is asked for, or with ``inverse`` the other way."""

    thing: int
    property: str
    inverse: bool = False


def ways(source: GraphSource, claims: Sequence[Claim], it: Mention) -> tuple[Way, ...]:
    """The relations that a sentence about one known thing may ask for, those in the properties' own words first."""
    if len(claims) != 1:
        return ()
    found: dict[Way, int] = {}
    for r in claims[0].readings:
        if not isinstance(r, Relation):
            return ()
        inverse = r.subject.candidates == it.candidates
        known = source.ids(r.object if inverse else r.subject)
        if len(known) != 1:
            return ()
        found.setdefault(Way(thing=known[0], property=r.predicates[0].iri, inverse=inverse), r.predicates[0].tier)
    return tuple(sorted(found, key=lambda way: found[way]))


def stated(source: GraphSource, along: Sequence[Way], iris: Sequence[str]) -> tuple[str, ...]:
    """The things that the first of the relations with a stated fact leads to."""
    for way in along:
        found = tuple(iri for iri in iris if _states(source, way, iri))
        if found:
            return found
    return ()


def furthest(source: GraphSource, along: Sequence[Way], iris: Sequence[str]) -> str:
    """The thing to which a transitive relation leads last; empty when that is not known.

    The graph must state that it leads there, and every other thing must come before: it leads there itself, or is what
    a functional property of the kind ("flows into") leads to at once.
    """
    for way in along:
        info = source.schema.property(way.property)
        if info is None or not info.transitive or way.inverse:
            return ""
        last = [iri for iri in iris if _states(source, way, iri) and _after_all(source, way, iri, iris)]
        if len(last) == 1:
            return last[0]
    return ""


def _states(source: GraphSource, way: Way, iri: str) -> bool:
    value, predicate = source.graph.id(iri), source.graph.id(way.property)
    if value is None or predicate is None:
        return False
    s, o = (value, way.thing) if way.inverse else (way.thing, value)
    return source.graph.has(s, predicate, o)


def _after_all(source: GraphSource, way: Way, iri: str, iris: Sequence[str]) -> bool:
    value = source.graph.id(iri)
    at_once = _at_once(source, way)
    others = {source.graph.id(other) for other in iris} - {value, None}
    return value is not None and all(
        other is not None
        and source.entailment.entails(value, way.property, other) is None
        and ((other in at_once and value not in at_once) or source.entailment.entails(other, way.property, value))
        for other in others
    )


def _at_once(source: GraphSource, way: Way) -> frozenset[int]:
    """What the functional properties of the kind lead to: nothing of the kind comes before it."""
    info = source.schema.property(way.property)
    special = [source.schema.property(sub) for sub in info.subs] if info is not None else []
    single = [sub.iri for sub in special if sub is not None and sub.functional]
    return frozenset(f.object for sub in single for f in source.entailment.values(way.thing, sub))
