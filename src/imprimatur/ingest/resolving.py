"""Which thing is meant: one of the knowledge base's, a new one, or it cannot be told.

Contract: the outcome depends on the batch, not on its order; the same name and class are the same thing and get the
same IRI; things of disjoint classes are never one; whatever is in doubt is held back, with what it could be. A name
that is short for another, or that several things bear, settles nothing by itself: a fact that few things share, the
qualifier of a name in the sentence, or the long form earlier in the same document must speak for one and for no other.
Vectors only propose. A model only confirms: what rests on its word is of trust ``model``, and where it fails nothing is
merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.ingest.candidate import Candidate, Refusal, Thing
from imprimatur.ingest.deciding import Deciding, Decision
from imprimatur.ingest.gathering import Group, Key, gather, mention_key
from imprimatur.ingest.known_things import KnownThings
from imprimatur.ingest.proposing import Proposes, Verifies
from imprimatur.sources.graph.terms import RDF, TRUST_CLASSES

__all__ = ["AMBIGUOUS", "Decision", "Resolved", "Resolver"]

AMBIGUOUS = "ambiguous-thing"
_MODEL = TRUST_CLASSES[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A candidate whose things have IRIs, or the reasons why it could not be told which are meant.

    Attributes:
        new: those of its things that must be named and given a class: those with an IRI that was made here.
        how: how each thing was found, the subject's first.
    """

    candidate: Candidate
    new: tuple[Thing, ...] = ()
    how: str = ""
    refusals: tuple[Refusal, ...] = ()


class Resolver:
    """Resolves batches against one knowledge base.

    Args:
        known: the things that it has.
        base: what the IRIs of new things begin with, such as ``https://example.org/thing/``.
        proposer: gives things of similar names, None for none. verifier: what confirms that two are one, None for none.
    """

    def __init__(
        self,
        known: KnownThings,
        *,
        base: str,
        proposer: Proposes | None = None,
        verifier: Verifies | None = None,
    ) -> None:
        self._known, self._base = known, base
        self._proposer, self._verifier = proposer, verifier
        self.decisions: tuple[Decision, ...] = ()

    def resolve(self, candidates: Sequence[Candidate]) -> tuple[Resolved, ...]:
        """What became of each candidate, in their order; ``decisions`` then says how each thing was found."""
        groups = gather(candidates, self._known)
        deciding = Deciding(self._known, groups, base=self._base, proposer=self._proposer, verifier=self._verifier)
        found = deciding.decided()
        every = (each for decisions in found.values() for each in decisions.values())
        self.decisions = tuple(sorted(every, key=lambda each: (each.name, each.classes, each.document, each.iri)))
        return tuple(self._resolved(each, groups, found) for each in candidates)

    def _resolved(
        self, candidate: Candidate, groups: Mapping[Key, Group], found: Mapping[Group, Mapping[str, Decision]]
    ) -> Resolved:
        document = candidate.place.document if candidate.place is not None else ""
        things = [candidate.subject]
        if isinstance(candidate.value, Thing) and candidate.property != RDF + "type":
            things.append(candidate.value)
        decisions, names = [], []
        for thing in things:
            if self._is_given(thing):
                decisions.append(Decision(name=thing.name, classes=thing.classes, iri=thing.iri, how="given"))
            else:
                own = found[groups[mention_key(thing, self._known.are_places)]]
                decisions.append(own.get(document) or own[""])
            names.append(thing.name)
        unsettled = [each for each in decisions if not each.iri]
        if unsettled:
            refusals = tuple(Refusal(code=AMBIGUOUS, detail=each.detail) for each in dict.fromkeys(unsettled))
            return Resolved(candidate=candidate, how=_how(decisions), refusals=refusals)
        both = zip(things, decisions, strict=True)
        settled = [replace(thing, iri=each.iri, classes=each.classes or thing.classes) for thing, each in both]
        new = [
            replace(thing, name=each.name)
            for thing, each in zip(settled, decisions, strict=True)
            if each.iri.startswith(self._base) and each.iri not in self._known
        ]
        made = replace(candidate, subject=settled[0], value=settled[1] if len(settled) > 1 else candidate.value)
        if any(each.by_model for each in decisions) and self._verifier is not None:
            made = replace(made, trust=_MODEL, by=f"{made.by}; things by {self._verifier.identity}")
        return Resolved(candidate=made, new=tuple(dict.fromkeys(new)), how=_how(decisions))

    def _is_given(self, thing: Thing) -> bool:
        return bool(thing.iri) and thing.iri in self._known


def _how(decisions: Sequence[Decision]) -> str:
    return ", ".join(each.how for each in decisions)
