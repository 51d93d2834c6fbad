"""Which facts of a graph break an ontology: counts by reason and relation, with examples.

Contract: the graph is only read. A thing is what its classes and those above them say. Words of the vocabulary
(classes, properties, labels, times of statements) are no facts; what is wrong with a thing's classes is counted once,
at its membership. Facts are counted, not things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from imprimatur._dataclasses import dataclass
from imprimatur.ingest.candidate import Candidate, Refusal, Thing, Value
from imprimatur.ingest.ontology import ANY_THING, Guardrail
from imprimatur.ingest.refusing import CODES
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SH, UNNAMED

__all__ = ["Break", "Held", "against", "as_json"]

_TYPE = RDF + "type"
_VOCABULARIES = (RDF, RDFS, OWL, SH)
#: Said of a thing's classes, whatever fact it has.
_OF_CLASSES = ("unknown-class", "disjoint-classes")
_EXAMPLES = 3
_Signature = tuple[int, frozenset[str], frozenset[str] | None]


@dataclass(slots=True, kw_only=True)
class Break:
    """One reason for which facts of one relation are refused.

    Attributes:
        code: of ``refusing.CODES``. relation: what the relation is called.
        facts: how many facts. examples: the first few of them, in words, each with the reason in full.
    """

    code: str
    relation: str
    facts: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What was found. ``breaks`` come by code, the most frequent relations of each first."""

    facts: int
    broken: int
    breaks: tuple[Break, ...]


def against(
    graph: Graph, schema: Schema, guardrail: Guardrail, *, progress: Callable[[int], None] = lambda done: None
) -> Held:
    """Holds every fact of a graph against an ontology.

    Args:
        progress: told the number of facts that are done, now and then.
    """
    return _Holding(graph, schema, guardrail).run(progress)


class _Holding:
    def __init__(self, graph: Graph, schema: Schema, guardrail: Guardrail) -> None:
        self._graph, self._schema, self._guardrail = graph, schema, guardrail
        times = {graph.iri(each) for each in schema.statements.times.all()}
        self._silent = times | {iri for iri in schema.properties if schema.gives_labels(iri)}
        self._words = {*schema.properties, *schema.classes}
        self._known: dict[_Signature, tuple[Refusal, ...]] = {}
        self._breaks: dict[tuple[str, str], Break] = {}

    def run(self, progress: Callable[[int], None]) -> Held:
        """Counts."""
        facts = broken = 0
        last: tuple[int, int] | None = None
        for subject, predicate, object_ in self._facts():
            facts += 1
            several = (subject, predicate) == last
            last = subject, predicate
            found = self._refusals(subject, predicate, object_, several=several)
            broken += bool(found)
            for refusal in found:
                self._count(refusal, subject, predicate, object_)
            if facts % 1000 == 0:
                progress(facts)
        order = list(CODES)
        breaks = sorted(self._breaks.values(), key=lambda e: (order.index(e.code), -e.facts, e.relation))
        return Held(facts=facts, broken=broken, breaks=tuple(breaks))

    def _facts(self) -> Iterator[tuple[int, int, int]]:
        graph = self._graph
        for subject, predicate, object_ in graph.triples():
            if not graph.is_iri(subject) or not (graph.is_iri(object_) or graph.is_literal(object_)):
                continue
            iri, relation = graph.iri(subject), graph.iri(predicate)
            if iri in self._words or iri.startswith((UNNAMED, *_VOCABULARIES)) or relation in self._silent:
                continue
            if relation != _TYPE and (relation.startswith(_VOCABULARIES) or self._schema.gives_labels(relation)):
                continue
            if relation == _TYPE and graph.iri(object_).startswith(_VOCABULARIES):
                continue
            yield subject, predicate, object_

    def _refusals(self, subject: int, predicate: int, object_: int, *, several: bool) -> tuple[Refusal, ...]:
        relation = self._graph.iri(predicate)
        known = self._guardrail.property_(relation)
        if several or self._graph.is_literal(object_) or relation == _TYPE or (known is not None and known.allowed):
            return self._asked(subject, predicate, object_, several=several)
        # All facts of one relation between things of the same classes are refused alike.
        signature = predicate, self._kinds(subject), self._kinds(object_)
        if signature not in self._known:
            self._known[signature] = self._asked(subject, predicate, object_, several=False)
        return self._known[signature]

    def _asked(self, subject: int, predicate: int, object_: int, *, several: bool) -> tuple[Refusal, ...]:
        relation = self._graph.iri(predicate)
        held = [self._value(each) for each in self._graph.objects(subject, predicate)] if several else ()
        value = self._value(object_) if relation != _TYPE else self._named(object_, ())
        thing = self._named(subject, self._kinds(subject))
        candidate = Candidate(
            subject=thing, property=relation, value=value, place=None, trust="derived", by="the graph"
        )
        found = self._guardrail.refusals(candidate, held)
        return tuple(each for each in found if relation == _TYPE or each.code not in _OF_CLASSES)

    def _kinds(self, number: int) -> frozenset[str]:
        return self._schema.types(number)

    def _named(self, number: int, classes: frozenset[str] | tuple[str, ...]) -> Thing:
        iri = self._graph.iri(number)
        own = tuple(sorted(each for each in classes if each != ANY_THING and not each.startswith(_VOCABULARIES)))
        return Thing(name=self._graph.label(number), classes=own, iri=iri)

    def _value(self, number: int) -> Value:
        return (
            self._graph.literal(number) if self._graph.is_literal(number) else self._named(number, self._kinds(number))
        )

    def _count(self, refusal: Refusal, subject: int, predicate: int, object_: int) -> None:
        iri = self._graph.iri(predicate)
        known, info = self._guardrail.property_(iri), self._schema.property(iri)
        name = "is a" if iri == _TYPE else known.name if known else info.labels[0] if info else iri
        found = self._breaks.setdefault((refusal.code, name), Break(code=refusal.code, relation=name))
        found.facts += 1
        if len(found.examples) < _EXAMPLES:
            words = f"{self._graph.label(subject)} — {name} — {self._graph.label(object_)}"
            found.examples.append((words, refusal.detail))


def as_json(held: Held) -> Mapping[str, object]:
    """JSON-ready."""
    breaks = [
        {
            "code": each.code,
            "relation": each.relation,
            "facts": each.facts,
            "examples": [{"fact": fact, "reason": reason} for fact, reason in each.examples],
        }
        for each in held.breaks
    ]
    return {"facts": held.facts, "broken": held.broken, "breaks": breaks}
