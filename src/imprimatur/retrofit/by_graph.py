"""The five stages without a model: what the reader reads, the graph knows, the judge says, and a stored value mends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from imprimatur.claim import mentions_of
from imprimatur.decision import applied
from imprimatur.language.tokens import tokenise
from imprimatur.oracle import Oracle
from imprimatur.report import JudgedClaim
from imprimatur.retrieve.asked import Asked, read_question
from imprimatur.retrieve.discover import Discovery, ordered
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.retrieval import facts_of
from imprimatur.retrofit.kinds import Entity, Finding, Stated, Triple, Turn, Verified
from imprimatur.verdict import Label

if TYPE_CHECKING:
    from imprimatur.retrieve.chain import Chain

__all__ = ["ByGraph"]


class ByGraph:
    """One knowledge base's graph as the one who does the stages (a ``Stages``).

    Args:
        critical: how many triples are kept for a claim.
        around: how many triples around its entities are looked at.
    """

    def __init__(self, oracle: Oracle, *, critical: int = 8, around: int = 500) -> None:
        self._oracle = oracle
        self._critical = critical
        self._around = around
        self._facts = facts_of(oracle.knowledge)
        self._discovery = Discovery(self._facts, RetrievalLimits()) if self._facts is not None else None

    def extract(self, turn: Turn) -> tuple[Stated, ...]:
        """What the reader reads; a segment in which it reads nothing that is checked is one claim."""
        made: dict[tuple[int, int], Stated] = {}
        for judged in _claims(turn):
            claim = judged.claim
            made.setdefault((claim.start, claim.end), Stated(" ".join(claim.text.split()), claim.start, claim.end))
        for segment in turn.report.segments:
            words = " ".join(turn.response[segment.start : segment.end].split())
            if not segment.claims and segment.label is not Label.NOT_A_CLAIM and words:
                made[segment.start, segment.end] = Stated(words, segment.start, segment.end)
        return tuple(made[place] for place in sorted(made))

    def detect(self, turn: Turn, claims: Sequence[Stated]) -> tuple[tuple[Entity, ...], ...]:
        """The names in each claim that the lexicon knows, and what its pronouns stand for."""
        return tuple(tuple(self._entities(turn, claim)) for claim in claims)

    def select(
        self, turn: Turn, claims: Sequence[Stated], entities: Sequence[Sequence[Entity]]
    ) -> tuple[tuple[Triple, ...], ...]:
        """The triples that fit the words of each claim best."""
        return tuple(self.ranked(claim.says, found)[: self._critical] for claim, found in zip(claims, entities))

    def ranked(self, says: str, entities: Sequence[Entity]) -> tuple[Triple, ...]:
        """The triples around some entities, those first that fit a claim's words."""
        if self._facts is None or self._discovery is None:
            return ()
        asked = self._asked(says, entities)
        things = [number for each in entities for iri in each.iris if (number := self._facts.graph.id(iri)) is not None]
        chains: list[Chain] = [(fact,) for thing in things for fact in self._discovery.facts_of(thing, asked)]
        found = ordered(chains, self._facts, asked, most=self._around)
        told = (each.tell() for each in found)
        return tuple(Triple(text, evidence[0].content if evidence else "") for text, evidence in told)

    def verify(self, turn: Turn, claims: Sequence[Stated], triples: Sequence[Sequence[Triple]]) -> tuple[Verified, ...]:
        """What the judge says of each claim, with the value that would be right."""
        return tuple(self._verified(turn, claim) for claim in claims)

    def retrofit(self, turn: Turn, findings: Sequence[Finding]) -> str:
        """The response with its wrong values put right, as far as one stored value is the right one."""
        text = turn.response
        failed = [each for each in turn.report.segments if each.label not in (Label.SUPPORTED, Label.NOT_A_CLAIM)]
        edits = [edit for segment in failed for edit in self._oracle.edits(text, segment)]
        return applied(text, edits)

    def link(self, name: str) -> Entity:
        """A name with the things that bear it."""
        return Entity(name, self._oracle.knowledge.lexicon.candidates(name))

    def _entities(self, turn: Turn, claim: Stated) -> Iterator[Entity]:
        known: dict[str, Entity] = {}
        tokens = tokenise(claim.says)
        for found in self._oracle.knowledge.lexicon.find(tokens):
            if found.candidates:
                name = claim.says[tokens[found.first].start : tokens[found.stop - 1].end]
                known[name.casefold()] = Entity(name, found.candidates)
        for judged in _claims(turn):
            if (judged.claim.start, judged.claim.end) == (claim.start, claim.end):
                readings = judged.claim.readings
                for mention in (mention for reading in readings for mention in mentions_of(reading)):
                    if mention.candidates and not any(e.iris == mention.candidates for e in known.values()):
                        name = self._label(mention.candidates[0]) or mention.text
                        known.setdefault(name.casefold(), Entity(name, mention.candidates))
        yield from known.values()

    def _label(self, iri: str) -> str:
        number = self._facts.graph.id(iri) if self._facts is not None else None
        return self._facts.graph.label(number) if self._facts is not None and number is not None else ""

    def _asked(self, says: str, entities: Sequence[Entity]) -> Asked:
        weights = self._facts.words.weights if self._facts is not None else {}
        asked = read_question(says, self._oracle.knowledge.lexicon, weights)
        return replace(asked, names=tuple((each.name, each.iris) for each in entities if each.iris))

    def _verified(self, turn: Turn, claim: Stated) -> Verified:
        found = [each for each in _claims(turn) if (each.claim.start, each.claim.end) == (claim.start, claim.end)]
        if not found:
            return Verified(Label.NOT_FOUND)
        verdict = found[0].verdict
        right = (evidence.correction for evidence in verdict.evidence if evidence.correction is not None)
        return Verified(verdict.label, "; ".join(dict.fromkeys(right)))


def _claims(turn: Turn) -> Iterator[JudgedClaim]:
    return (each for segment in turn.report.segments for each in segment.claims if not each.claim.naming)
