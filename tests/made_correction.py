"""Parts for the tests of correction: a corrector of which is known what it says, and a graph of two hops."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from imprimatur.corrector import Correction
from imprimatur.errors import ImprimaturError
from imprimatur.oracle import Oracle
from imprimatur.protocols import Flawed
from imprimatur.sources.graph.around import Around

__all__ = ["CORRECTING", "HOPS", "Proposing", "stages_said", "with_corrector", "write_hops"]

#: The policy under which a corrector is asked about everything that it can be asked about.
CORRECTING = "{version: 1, extends: correct, labels: {not_found: correct, ambiguous: correct, conflicting: correct}}"

HOPS = """@prefix : <https://example.org/hops/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Person a owl:Class ; rdfs:label "person" .
:City a owl:Class ; rdfs:label "city" .
:Region a owl:Class ; rdfs:label "region" .
:death a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "place of death" ; skos:altLabel "died in" ;
    rdfs:domain :Person ; rdfs:range :City .
:capital a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "capital of" ;
    skos:altLabel "is the capital of" ; rdfs:domain :City ; rdfs:range :Region .
:mayor a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "mayor" ; rdfs:domain :City ; rdfs:range :Person .
:born a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "year of birth" ; skos:altLabel "was born in" ;
    rdfs:domain :Person ; rdfs:range xsd:gYear .
:alex a :Person ; rdfs:label "Alex Orlov" ; :death :avelo ; :born "1902"^^xsd:gYear .
:rita a :Person ; rdfs:label "Rita Conti" ; :born "1950"^^xsd:gYear .
:ivan a :Person ; rdfs:label "Ivan Petrov" ; :born "1961"^^xsd:gYear .
:avelo a :City ; rdfs:label "Avelo" ; :capital :marca ; :mayor :rita .
:borsk a :City ; rdfs:label "Borsk" ; :capital :dolny ; :mayor :ivan .
:marca a :Region ; rdfs:label "Marca" .
:dolny a :Region ; rdfs:label "Dolny" .
"""


class Proposing:
    """Says one thing after the other, then nothing; errors are raised, functions called (a ``Corrector``)."""

    identity = "proposing (0)"

    def __init__(self, *said: str | ImprimaturError | Callable[[Flawed], str]) -> None:
        self._said: Sequence[str | ImprimaturError | Callable[[Flawed], str]] = said
        self.seen: list[Flawed] = []

    def propose(self, flawed: Flawed, *, seconds: float) -> str:
        """What comes next."""
        self.seen.append(flawed)
        said = self._said[len(self.seen) - 1] if len(self.seen) <= len(self._said) else ""
        if isinstance(said, ImprimaturError):
            raise said
        return said(flawed) if callable(said) else said


def with_corrector(oracle: Oracle, corrector: Proposing, *, rounds: int = 2, seconds: float = 30.0) -> Oracle:
    """The oracle with that corrector."""
    part = oracle.knowledge.part
    assert part is not None
    facts = Around(part.graph, part.schema, most=8)
    correction = Correction(corrector=corrector, rounds=rounds, seconds=seconds, facts=facts)
    return Oracle(replace(oracle.knowledge, correction=correction), oracle.policy)


def write_hops(folder: Path, *, policy: str = "correct", extra: str = "") -> Path:
    """Writes the graph in which one city leads to the next fact, as a knowledge base."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hops.ttl").write_text(HOPS, encoding="utf-8")
    lines = ["version: 1", "name: hops", f"policy: {policy}", "graph: {data: [hops.ttl]}", extra]
    (folder / "imprimatur.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def stages_said(
    claims: Sequence[tuple[str, str, Sequence[str]]],
    critical: Sequence[int],
    verified: Sequence[tuple[str, str]],
    response: str,
) -> list[str]:
    """What a model says in the five stages of one round.

    Args:
        claims: (quote, claim, entities) of each.
        critical: the numbers of the critical triples.
        verified: (verdict, suggestion) of each claim.
    """
    numbered = [{"claim": number, "entities": list(each[2])} for number, each in enumerate(claims, 1)]
    told = [
        {"claim": number, "reason": "So it is.", "verdict": verdict, "suggestion": suggestion}
        for number, (verdict, suggestion) in enumerate(verified, 1)
    ]
    said = [
        {"claims": [{"quote": quote, "says": says} for quote, says, _ in claims]},
        {"found": numbered},
        {"critical": list(critical)},
        {"verified": told},
        {"response": response},
    ]
    return [json.dumps(each) for each in said]
