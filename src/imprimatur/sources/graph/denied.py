"""What a graph denies outright: owl:NegativePropertyAssertion (W3C OWL 2 Profiles, rules prp-npa1 and prp-npa2).

An assertion about a property denies the same of its sub-properties, and turned round of its inverses. It has no time:
what it denies held at none. Invariant: one that lacks its subject, property or value denies nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from imprimatur.sources.graph.facts import Fact, Step
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import OWL, RDF

__all__ = ["Denials"]

_RULE = "negative-assertion"


class Denials:
    """The negative assertions of a graph, by what they are about."""

    def __init__(self, graph: Graph) -> None:
        self._about: dict[tuple[int, str], list[Fact]] = {}
        kind, type_ = graph.id(OWL + "NegativePropertyAssertion"), graph.id(RDF + "type")
        if kind is None or type_ is None:
            return
        for node in graph.subjects(type_, kind):
            for subject, property_iri, fact in _read(graph, node):
                self._about.setdefault((subject, property_iri), []).append(fact)

    def about(self, subjects: Collection[int], info: PropertyInfo) -> tuple[Fact, ...]:
        """What is denied of one of some things by a property: each with the denied value as its object."""
        if not self._about:
            return ()
        names = (info.iri, *info.supers)
        return tuple(fact for subject in subjects for name in names for fact in self._about.get((subject, name), ()))

    def between(self, subjects: Collection[int], info: PropertyInfo, values: Collection[int]) -> tuple[Fact, ...]:
        """The denials that one of some things has one of some values by a property, from either end."""
        if not self._about:
            return ()
        found = [fact for fact in self.about(subjects, info) if fact.object in values]
        turned = (*info.inverses, *((info.iri,) if info.symmetric else ()))
        ends = [fact for value in values for name in turned for fact in self._about.get((value, name), ())]
        return (*found, *(fact for fact in ends if fact.object in subjects))


def _read(graph: Graph, node: int) -> Iterator[tuple[int, str, Fact]]:
    """(Subject, property, the assertion as a fact of its node) for all that a node denies."""
    parts = {name: graph.id(OWL + name) for name in ("sourceIndividual", "assertionProperty")}
    source, property_ = parts["sourceIndividual"], parts["assertionProperty"]
    if source is None or property_ is None:
        return
    for target in ("targetIndividual", "targetValue"):
        number = graph.id(OWL + target)
        for value in graph.objects(node, number) if number is not None else ():
            for subject in graph.objects(node, source):
                for denied in graph.objects(node, property_):
                    if number is not None and graph.is_iri(denied):
                        steps = (
                            Step(node, source, subject, _RULE),
                            Step(node, property_, denied, _RULE),
                            Step(node, number, value, _RULE),
                        )
                        yield subject, graph.iri(denied), Fact(node, OWL + target, value, steps)
