"""What the graph shows for an outcome: the triples it rests on, with their origin and a query that re-finds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imprimatur.evidence import Evidence
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.outcomes import (
    Outcome,
)
from imprimatur.sources.graph.sparql import ask
from imprimatur.sources.graph.terms import Origin
from imprimatur.verdict import Judgement

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource

__all__ = ["judgement"]


def judgement(source: GraphSource, outcome: Outcome) -> Judgement:
    """The judgement that an outcome comes to."""
    return Judgement(
        source=source.name,
        label=outcome.label,
        reasons=outcome.reasons,
        evidence=tuple(_evidence(source, f, outcome.correction) for f in outcome.facts[: outcome.shown])
        or _absence(source, outcome),
        candidates=outcome.candidates,
        clarify=outcome.clarify,
    )


def _evidence(source: GraphSource, fact: Fact, correction: str | None) -> Evidence:
    origins = source.entailment.origins(fact)
    return Evidence(
        source=source.name,
        kind="triple",
        content=source.entailment.describe(fact),
        query=ask(source.graph, fact),
        origin=_where(origins),
        trust=source.entailment.trust(fact),
        correction=correction,
    )


def _absence(source: GraphSource, outcome: Outcome) -> tuple[Evidence, ...]:
    """That a graph which is complete in a property has no value of it."""
    if outcome.absent is None:
        return ()
    subject, iri = outcome.absent
    thing = source.graph.n3(subject)
    return (
        Evidence(
            source=source.name,
            kind="triple",
            content=f"no {thing} <{iri}> …: the knowledge base is complete in this property",
            query=f"ASK {{ FILTER NOT EXISTS {{ {thing} <{iri}> ?value }} }}",
            origin=_where(source.graph.origins),
        ),
    )


def _where(origins: Sequence[Origin]) -> str:
    return ", ".join(dict.fromkeys(map(str, origins)))
