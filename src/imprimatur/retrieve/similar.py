"""Facts found by the similarity of what they say to the question."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.retrieve.asked import Asked
from imprimatur.retrieve.candidates import Candidate, Clock
from imprimatur.retrieve.chain import Facts
from imprimatur.retrieve.discover import fact_key
from imprimatur.retrieve.fact_vectors import FactVectors
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.trail import Section
from imprimatur.sources.passages.embedding import Embeds

__all__ = ["SimilarFacts"]


class SimilarFacts:
    """Finds facts by their vectors."""

    def __init__(self, facts: Facts, vectors: FactVectors, embedder: Embeds, limits: RetrievalLimits) -> None:
        self._facts, self._vectors, self._embedder, self._limits = facts, vectors, embedder, limits

    def __call__(self, asked: Asked, clock: Clock) -> Sequence[Candidate]:
        """The most similar facts above the similarity floor, best first."""
        clock.check()
        vector = self._embedder.embed_query(asked.text)
        clock.check()
        found = self._vectors.find(vector, limit=2 * self._limits.items, floor=self._limits.similarity)
        return [
            Candidate(
                key=fact_key(fact),
                section=Section.FACTS,
                score=self._facts.fit((fact,), asked),
                similarity=cosine,
                tell=lambda fact=fact: (self._facts.told(fact), self._facts.evidence((fact,))),  # type: ignore[misc]
                order=(cosine,),
            )
            for fact, cosine in found
        ]
