"""What candidates are held against: a knowledge base's ontology, things and shapes (implements ``Checks``)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from imprimatur import __version__
from imprimatur.ingest.candidate import Candidate, Refusal
from imprimatur.ingest.ground import Ground
from imprimatur.ingest.holding import Settled
from imprimatur.ingest.known_things import KnownThings
from imprimatur.ingest.measures import in_own_unit
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.resolving import Resolver
from imprimatur.ingest.validating import validate
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.shapes import Shapes
from imprimatur.sources.graph.terms import RDF

__all__ = ["NEW_THINGS", "GroundChecks"]

#: What the IRIs of new things begin with.
NEW_THINGS = "urn:imprimatur:thing:"
#: Seconds for the shapes, all in all; what is not examined by then is quarantined.
_LIMIT_S = 600.0


class GroundChecks:
    """The checks of one knowledge base. Without an ontology every property and class of its graph is allowed."""

    def __init__(self, ground: Ground) -> None:
        guardrail = ground.guardrail or Guardrail.of((), (), closed=False)
        self._ground, self._guardrail = ground, guardrail
        self._schema = Schema.of(ground.graph)
        depends = [__version__, guardrail.content_hash, ground.graph.content_hash]
        depends += [sha256(path.read_bytes()).hexdigest() for path in ground.shapes]
        self.identity = f"ground:{sha256(chr(0).join(depends).encode()).hexdigest()[:16]}"

    def classes(self, iri: str) -> tuple[str, ...]:
        """The classes that the graph asserts of a thing."""
        graph = self._ground.graph
        thing, kind = graph.id(iri), graph.id(RDF + "type")
        if thing is None or kind is None:
            return ()
        return tuple(graph.iri(each) for each in graph.objects(thing, kind) if graph.is_iri(each))

    def refusals(self, candidate: Candidate) -> tuple[Refusal, ...]:
        """What the ontology says against one candidate."""
        return self._guardrail.refusals(candidate)

    def settle(self, candidates: Sequence[Candidate]) -> Sequence[Settled]:
        """Which things are meant; measured values are put into the units of their attributes."""
        known = KnownThings(self._ground.graph, self._schema, self._guardrail)
        found = Resolver(known, base=NEW_THINGS).resolve(candidates)
        return [
            Settled(candidate=in_own_unit(self._guardrail, r.candidate), new=r.new, how=r.how, refusals=r.refusals)
            for r in found
        ]

    def broken(self, candidates: Sequence[Candidate]) -> Sequence[tuple[Refusal, ...]]:
        """What the shapes and axioms say against all of them together, beside what people have accepted."""
        graph = self._ground.with_accepted()
        shapes = Shapes.load(graph, self._ground.shapes) if self._ground.shapes else None
        known = KnownThings(graph, Schema.of(graph), self._guardrail)
        return validate(known, shapes, candidates, limit_s=_LIMIT_S).refusals

    def words(self, property_: str) -> str:
        """What the ontology calls a property."""
        known = self._guardrail.property_(property_)
        return known.name if known is not None else ""
