"""The five stages as a protocol, and a mixture of two ways to do them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from imprimatur.retrofit.kinds import Entity, Finding, Stage, Stated, Triple, Turn, Verified

__all__ = ["Mixed", "Stages"]


class Stages(Protocol):
    """One way to do the five stages. What is in step with claims has one element for each of them.

    Each may raise an ``ImprimaturError`` where it cannot be done.
    """

    def extract(self, turn: Turn) -> tuple[Stated, ...]:
        """The atomic claims of the response."""
        ...

    def detect(self, turn: Turn, claims: Sequence[Stated]) -> tuple[tuple[Entity, ...], ...]:
        """The entities that each claim names."""
        ...

    def select(
        self, turn: Turn, claims: Sequence[Stated], entities: Sequence[Sequence[Entity]]
    ) -> tuple[tuple[Triple, ...], ...]:
        """The critical ones of the triples around the entities of each claim."""
        ...

    def verify(self, turn: Turn, claims: Sequence[Stated], triples: Sequence[Sequence[Triple]]) -> tuple[Verified, ...]:
        """What each claim comes to by its triples, with a suggestion."""
        ...

    def retrofit(self, turn: Turn, findings: Sequence[Finding]) -> str:
        """The response with the suggestions carried out."""
        ...


@dataclass(frozen=True, slots=True)
class Mixed:
    """Some stages done in one way, all others in another (a ``Stages``)."""

    first: Stages
    other: Stages
    by_first: frozenset[Stage]

    def extract(self, turn: Turn) -> tuple[Stated, ...]:
        """See ``Stages``."""
        return self._who(Stage.EXTRACTION).extract(turn)

    def detect(self, turn: Turn, claims: Sequence[Stated]) -> tuple[tuple[Entity, ...], ...]:
        """See ``Stages``."""
        return self._who(Stage.DETECTION).detect(turn, claims)

    def select(
        self, turn: Turn, claims: Sequence[Stated], entities: Sequence[Sequence[Entity]]
    ) -> tuple[tuple[Triple, ...], ...]:
        """See ``Stages``."""
        return self._who(Stage.SELECTION).select(turn, claims, entities)

    def verify(self, turn: Turn, claims: Sequence[Stated], triples: Sequence[Sequence[Triple]]) -> tuple[Verified, ...]:
        """See ``Stages``."""
        return self._who(Stage.VERIFICATION).verify(turn, claims, triples)

    def retrofit(self, turn: Turn, findings: Sequence[Finding]) -> str:
        """See ``Stages``."""
        return self._who(Stage.RETROFITTING).retrofit(turn, findings)

    def _who(self, stage: Stage) -> Stages:
        return self.first if stage in self.by_first else self.other
