"""Keyed violations of random graphs by the compiled engine and by pySHACL, compared."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from fuzzing import random_shapes, random_triple, random_triples
from rdflib import Graph as RdflibGraph
from rdflib import Literal

from imprimatur.sources.graph.shapes_overlay import Base, Triple, memory_copy, term_of, text_of
from imprimatur.sources.graph.shapes_read import ShapeSet, shapes_of
from imprimatur.sources.graph.shapes_run import Result, results_of, validate
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral
from imprimatur.sources.shacl.blame import blame
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.facts import read_facts
from imprimatur.sources.shacl.facts import text_of as term_text
from imprimatur.sources.shacl.quick import Quick
from imprimatur.sources.shacl.shape import Finding
from imprimatur.sources.shacl.view import Edge, Term, Terms

__all__ = ["Case", "Key", "differences", "edges_of"]

#: What two engines must agree on: focus, shape, path, component, value, severity, and what a query says.
Key = tuple[str, str, str, str, str, str, tuple[str, ...]]


class Case:
    """One graph with its shapes, judged by both engines."""

    def __init__(self, folder: Path, triples: Iterable[str], shapes: str) -> None:
        (folder / "data.nt").write_text("".join(f"{triple} .\n" for triple in triples), encoding="utf-8")
        (folder / "shapes.ttl").write_text(shapes, encoding="utf-8")
        self.graph = Graph.load([GraphFile(folder / "data.nt")], cache_dir=folder / "cache")
        self.engine = Engine(self.graph, read_facts([folder / "shapes.ttl"]))
        self.quick = Quick(self.engine)
        self.reference: ShapeSet = shapes_of(self.engine.facts)
        self.copy: RdflibGraph = memory_copy(Base(self.graph), self.reference.prefixes)

    def by_pyshacl(self, *, added: Iterable[str] = (), removed: Iterable[str] = ()) -> frozenset[Key]:
        """pySHACL's keyed violations of the whole graph with and without some triples."""
        more = [triple for triple in map(_terms, added) if triple not in self.copy]
        fewer = [triple for triple in map(_terms, removed) if triple in self.copy]
        for triple in more:
            self.copy.add(triple)
        for triple in fewer:
            self.copy.remove(triple)
        try:
            report, _ = validate(self.copy, self.reference.graph, advanced=False)
        finally:
            for triple in more:
                self.copy.remove(triple)
            for triple in fewer:
                self.copy.add(triple)
        return frozenset(self._key_of_result(each) for each in results_of(report, self.reference))

    def _key_of_result(self, result: Result) -> Key:
        shape = self.reference.name(result.shape)
        said = result.said if result.constraint is not None else ()
        value = text_of(result.value)
        return text_of(result.focus), shape, result.path, result.component, value, result.severity, said

    def key(self, finding: Finding, terms: Terms) -> Key:
        """The key of what the compiled shapes found."""
        value = "" if finding.value is None else term_text(terms.term(finding.value))
        focus, shape = term_text(terms.term(finding.focus)), self.engine.shapes[finding.shape].name
        return focus, shape, finding.path, finding.component, value, finding.severity, finding.said

    def by_engine(self, *, added: Iterable[str] = (), removed: Iterable[str] = ()) -> frozenset[Key]:
        """The compiled shapes' keyed violations of the whole graph with and without some triples."""
        terms = self.engine.scope()
        view = self.engine.view(terms, added=edges_of(added, terms), removed=edges_of(removed, terms))
        found = self.engine.run(view, self.engine.all_foci(view))
        return frozenset(self.key(each, terms) for each in found)

    def by_affected(self, claim: str) -> frozenset[Key]:
        """The compiled shapes' keyed violations with a claim, at the focus nodes that it is said to affect."""
        terms = self.engine.scope()
        edges = edges_of([claim], terms)
        view = self.engine.view(terms, added=edges)
        return frozenset(self.key(each, terms) for each in self.engine.run(view, self.engine.affected(view, edges)))

    def quickly(self, claim: str, seen: Counter[str]) -> Iterator[str]:
        """Where what is told quickly of a claim is not what ``blame`` finds to rest on it."""
        terms = self.engine.scope()
        (edge,) = edges_of([claim], terms)
        stored = max(edge) < terms.first and self.graph.has(*edge)
        quick = self.quick.findings(edge, terms, stored=stored, deadline=float("inf"))
        if quick is None:
            return
        seen["(told quickly)"] += 1
        seen["(told quickly, broken)"] += bool(quick)
        blamed, _ = blame(self.engine, terms, [[edge]], deadline=float("inf"))
        if set(quick) != {each.finding for each in blamed} or len(set(quick)) != len(quick):
            yield f"quickly told of {claim}: {quick}, blamed for {blamed}"


def _terms(triple: str) -> Triple:
    subject, predicate, object_ = map(term_of, _split(triple))
    return subject, predicate, object_


def _split(triple: str) -> list[str]:
    return triple.split(" ", 2)


def _term(text: str) -> Term:
    node = term_of(text)
    written = text_of(node)
    if written.startswith("<"):
        return str(node)
    assert isinstance(node, Literal)
    if node.language:
        return RdfLiteral(str(node), RDF + "langString", node.language)
    return RdfLiteral(str(node), str(node.datatype or XSD + "string"))


def edges_of(triples: Iterable[str], terms: Terms) -> list[Edge]:
    """Triples in N-Triples by identifier."""
    found = []
    for each in triples:
        s, p, o = (terms.number(_term(part)) for part in _split(each))
        found.append((s, p, o))
    return found


def differences(
    folder: Path,
    seed: int,
    *,
    claims: int,
    seen: Counter[str],
    draw: Callable[[random.Random], str] = random_shapes,
) -> Iterator[str]:
    """What the two engines disagree on, for the shapes and claims of a seed; counts components into ``seen``."""
    rng = random.Random(seed)
    triples = random_triples(rng, 30)
    case = Case(folder, triples, draw(rng))
    if case.engine.fallback:
        seen["(shapes graphs with a fallback)"] += 1
        return
    standing = case.by_engine()
    seen["(shapes graphs)"] += 1
    yield from _compared("G", case.by_pyshacl(), standing, seen)
    for _ in range(claims):
        seen["(claims)"] += 1
        if rng.random() < 0.35:
            claim = rng.choice(triples)
            yield from _compared(
                f"G without {claim}", case.by_pyshacl(removed=[claim]), case.by_engine(removed=[claim]), seen
            )
            yield from case.quickly(claim, seen)
            continue
        claim = random_triple(rng)
        full = case.by_engine(added=[claim])
        yield from _compared(f"G with {claim}", case.by_pyshacl(added=[claim]), full, seen)
        yield from case.quickly(claim, seen)
        affected = case.by_affected(claim)
        if not full - standing <= affected <= full:
            yield f"affected by {claim}: {sorted(full - standing - affected)} missed"


def _compared(what: str, reference: frozenset[Key], found: frozenset[Key], seen: Counter[str]) -> Iterator[str]:
    seen.update(key[3] for key in reference)
    if reference != found:
        yield f"{what}: only pySHACL {sorted(reference - found)}, only compiled {sorted(found - reference)}"
