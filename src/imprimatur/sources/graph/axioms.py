"""What RDFS and OWL axioms of a graph say, as edges between identifiers, each with the triples that say it.

Read: rdfs:subPropertyOf, rdfs:subClassOf, owl:equivalentProperty/-Class, owl:inverseOf (also as an anonymous property
expression), owl:SymmetricProperty, owl:TransitiveProperty, owl:propertyChainAxiom, owl:intersectionOf, owl:unionOf,
owl:disjointUnionOf, owl:complementOf, owl:disjointWith, owl:AllDisjointClasses, owl:propertyDisjointWith and
owl:AllDisjointProperties (OWL 2 RL/RDF rules, W3C OWL 2 Profiles, section 4.3). Cycles are harmless: nothing here
follows an edge twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field
from itertools import combinations

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SCHEMA

__all__ = ["Axioms", "Chain", "Edge", "Triple", "closure", "read_axioms", "read_list"]

Triple = tuple[int, int, int]
_MAX_LIST = 10_000


@dataclass(frozen=True, slots=True)
class Edge:
    """``other`` implies the thing that the edge hangs on (``flip``: with subject and object swapped)."""

    other: int
    flip: bool
    triples: tuple[Triple, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Chain:
    """A property chain: (property, swapped) links in order, and the triples that declare it."""

    links: tuple[tuple[int, bool], ...]
    triples: tuple[Triple, ...]


@dataclass(slots=True, kw_only=True)
class Axioms:
    """The axioms of a graph. ``narrower`` edges imply what they hang on; ``broader`` edges are implied by it."""

    narrower_properties: dict[int, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    broader_properties: dict[int, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    inverses: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    symmetric: dict[int, Triple] = field(default_factory=dict)
    transitive: dict[int, Triple] = field(default_factory=dict)
    chains: dict[int, list[Chain]] = field(default_factory=lambda: defaultdict(list))
    broader_classes: dict[int, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    narrower_classes: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    disjoint_classes: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    disjoint_properties: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    def imply_property(self, narrow: tuple[int, bool], broad: tuple[int, bool], *, edge: tuple[Triple, str]) -> None:
        """Records that every pair of ``narrow`` is one of ``broad``; each may be swapped."""
        flip = narrow[1] != broad[1]
        if narrow[0] == broad[0] and not flip:
            return
        self.narrower_properties[broad[0]].append(Edge(narrow[0], flip, (edge[0],), edge[1]))
        if not flip:
            self.broader_properties[narrow[0]].append(Edge(broad[0], flip, (edge[0],), edge[1]))

    def imply_class(self, narrow: int, broad: int, *, triples: tuple[Triple, ...], rule: str) -> None:
        """Records that every member of ``narrow`` is one of ``broad``."""
        if narrow != broad:
            self.broader_classes[narrow].append(Edge(broad, False, triples, rule))
            self.narrower_classes[broad].add(narrow)


def closure(start: int, edges: dict[int, list[Edge]]) -> tuple[int, ...]:
    """All that is reachable from ``start`` by unswapped edges, without ``start`` itself, nearest first."""
    seen = {start: None}
    for item in (queue := [start]):
        for edge in edges.get(item, ()):
            if not edge.flip and edge.other not in seen:
                seen[edge.other] = None
                queue.append(edge.other)
    return tuple(list(seen)[1:])


def read_list(graph: Graph, head: int) -> tuple[int, ...]:
    """The members of an RDF list; it stops at a cycle, at a missing link and after 10,000 members."""
    first, rest = graph.id(RDF + "first"), graph.id(RDF + "rest")
    members: list[int] = []
    seen: set[int] = set()
    while first is not None and rest is not None and head not in seen and len(members) < _MAX_LIST:
        seen.add(head)
        values = graph.objects(head, first)
        if not values:
            break
        members.append(values[0])
        following = graph.objects(head, rest)
        if not following:
            break
        head = following[0]
    return tuple(members)


class _Reader:
    """Reads one graph's axioms."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.axioms = Axioms()
        self._inverse_ids = [
            number
            for iri in (OWL + "inverseOf", *(scheme + "inverseOf" for scheme in SCHEMA))
            if (number := graph.id(iri)) is not None
        ]

    def read(self) -> Axioms:
        self._properties()
        self._characteristics()
        self._chains()
        self._classes()
        self._boolean_classes()
        self._disjointness()
        return self.axioms

    def triples(self, iri: str) -> Iterator[Triple]:
        """All triples of a predicate given by IRI, without literals as objects."""
        predicate = self.graph.id(iri)
        if predicate is not None:
            for s, o in self.graph.pairs(predicate):
                if not self.graph.is_literal(o):
                    yield s, predicate, o

    def _expression(self, number: int) -> tuple[int, bool]:
        """A property, or the one that an anonymous ``[ owl:inverseOf p ]`` swaps."""
        if not self.graph.is_iri(number):
            for inverse in self._inverse_ids:
                for target in self.graph.objects(number, inverse):
                    return target, True
        return number, False

    def _properties(self) -> None:
        imply = self.axioms.imply_property
        for s, p, o in self.triples(RDFS + "subPropertyOf"):
            imply(self._expression(s), self._expression(o), edge=((s, p, o), "subPropertyOf"))
        for s, p, o in self.triples(OWL + "equivalentProperty"):
            left, right = self._expression(s), self._expression(o)
            imply(left, right, edge=((s, p, o), "equivalentProperty"))
            imply(right, left, edge=((s, p, o), "equivalentProperty"))
        for predicate in self._inverse_ids:
            for s, o in self.graph.pairs(predicate):
                if self.graph.is_iri(s) and self.graph.is_iri(o):
                    imply((s, True), (o, False), edge=((s, predicate, o), "inverseOf"))
                    imply((o, True), (s, False), edge=((s, predicate, o), "inverseOf"))
                    self.axioms.inverses[s].add(o)
                    self.axioms.inverses[o].add(s)

    def _characteristics(self) -> None:
        kind = self.graph.id(RDF + "type")
        if kind is None:
            return
        for name, found in (
            ("SymmetricProperty", self.axioms.symmetric),
            ("TransitiveProperty", self.axioms.transitive),
        ):
            class_id = self.graph.id(OWL + name)
            for number in self.graph.subjects(kind, class_id) if class_id is not None else ():
                found[number] = (number, kind, class_id or 0)
        for number, triple in self.axioms.symmetric.items():
            self.axioms.imply_property((number, True), (number, False), edge=(triple, "SymmetricProperty"))

    def _chains(self) -> None:
        for s, p, o in self.triples(OWL + "propertyChainAxiom"):
            links = tuple(self._expression(member) for member in read_list(self.graph, o))
            if links:
                self.axioms.chains[s].append(Chain(links, ((s, p, o),)))

    def _classes(self) -> None:
        for s, p, o in self.triples(RDFS + "subClassOf"):
            self.axioms.imply_class(s, o, triples=((s, p, o),), rule="subClassOf")
        for s, p, o in self.triples(OWL + "equivalentClass"):
            self.axioms.imply_class(s, o, triples=((s, p, o),), rule="equivalentClass")
            self.axioms.imply_class(o, s, triples=((s, p, o),), rule="equivalentClass")

    def _boolean_classes(self) -> None:
        imply = self.axioms.imply_class
        for s, p, o in self.triples(OWL + "intersectionOf"):
            for member in read_list(self.graph, o):
                imply(s, member, triples=((s, p, o),), rule="intersectionOf")
        for name in ("unionOf", "disjointUnionOf"):
            for s, p, o in self.triples(OWL + name):
                members = read_list(self.graph, o)
                for member in members:
                    imply(member, s, triples=((s, p, o),), rule=name)
                if name == "disjointUnionOf":
                    _pairwise(self.axioms.disjoint_classes, members)
        for s, _, o in self.triples(OWL + "complementOf"):
            _pairwise(self.axioms.disjoint_classes, (s, o))

    def _disjointness(self) -> None:
        pairs = (
            ("disjointWith", "AllDisjointClasses", self.axioms.disjoint_classes),
            ("propertyDisjointWith", "AllDisjointProperties", self.axioms.disjoint_properties),
        )
        kind, members = self.graph.id(RDF + "type"), self.graph.id(OWL + "members")
        for name, group, found in pairs:
            for s, _, o in self.triples(OWL + name):
                _pairwise(found, (s, o))
            class_id = self.graph.id(OWL + group)
            if kind is None or members is None or class_id is None:
                continue
            for node in self.graph.subjects(kind, class_id):
                for head in self.graph.objects(node, members):
                    _pairwise(found, read_list(self.graph, head))


def _pairwise(found: dict[int, set[int]], members: tuple[int, ...]) -> None:
    for left, right in combinations(dict.fromkeys(members), 2):
        found[left].add(right)
        found[right].add(left)


def read_axioms(graph: Graph) -> Axioms:
    """The axioms of a graph."""
    return _Reader(graph).read()
