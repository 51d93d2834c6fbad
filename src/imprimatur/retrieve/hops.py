"""Chains of facts: from the things that a question names over one to three relations, the likeliest first.

At each hop only the ``width`` best chains are followed further. A chain loses by each relation that the question does
not ask for, and by each hub that it passes: what everything is related to connects nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate, Clock
from imprimatur.retrieve.chain import Chain, Facts
from imprimatur.retrieve.discover import Discovery, ordered
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.sources.graph.entail import Fact

__all__ = ["Hops"]

#: Things with more facts than this are hubs.
_HUB = 30
_UNASKED = 0.4


class Hops:
    """Follows relations in one graph."""

    def __init__(self, facts: Facts, discovery: Discovery, limits: RetrievalLimits) -> None:
        self._facts, self._discovery, self._limits = facts, discovery, limits
        self.graph = facts.graph
        self._type = facts.graph.id("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

    def __call__(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """Chains of two facts or more, best first."""
        found = self._chains(self._discovery.anchors(asked), self._limits.hops, asked, clock)
        chains = (chain for chain in found if len(chain) > 1)
        return ordered(chains, self._facts, asked, most=2 * self._limits.items)

    def around(self, things: Sequence[int], asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """Facts of some things, and chains of two from them, best first."""
        found = self._chains(things, min(2, self._limits.hops), asked, clock)
        return ordered(found, self._facts, asked, most=2 * self._limits.items)

    def _chains(self, things: Sequence[int], hops: int, asked: Asked, clock: Clock) -> list[Chain]:
        """The chains of up to so many facts from some things; the likeliest are followed further."""
        front: list[tuple[float, Chain, int]] = [(1.0, (), thing) for thing in things]
        found: list[Chain] = []
        for _ in range(hops):
            grown = [each for state in front for each in self._grown(state, asked, clock)]
            grown.sort(key=lambda state: (-state[0], state[2]))
            front = grown[: self._limits.width]
            found += [chain for _, chain, _ in grown]
        return found

    def _grown(self, state: tuple[float, Chain, int], asked: Asked, clock: Clock) -> list[tuple[float, Chain, int]]:
        """The chain with each fact of the thing that it has reached; never back to where it has been."""
        clock.check()
        weight, chain, thing = state
        if self._facts.graph.is_literal(thing):
            return []
        last = chain[-1] if chain else None
        been = {fact.subject for fact in chain} | {thing}
        weight *= self._damping(thing) if chain else 1.0
        return [
            (weight * (1.0 if self._facts.asks_for(fact, asked) else _UNASKED), (*chain, fact), fact.object)
            for fact in self._discovery.facts_of(thing, asked)
            if fact.object not in been and fact.steps[0].p != self._type and not _returns(fact, last)
        ]

    def _damping(self, thing: int) -> float:
        """1 for a thing with few facts, less the more it has."""
        graph = self._facts.graph
        degree = graph.degree(thing)
        return 1.0 if degree <= _HUB else 1 / (1 + log10(degree / _HUB))


def _returns(fact: Fact, last: Fact | None) -> bool:
    """Whether a fact goes back by the relation that led here: to what else is so related, which nobody asks for."""
    return last is not None and fact.property == last.property and fact.inverse != last.inverse
