"""``sh:rule`` (SHACL Advanced Features, 8) materialised: the triples that rules add to a graph, each with its rule.

Triple rules (``sh:subject``, ``sh:predicate``, ``sh:object`` with ``sh:this``, constants and paths) are run on the
index; SPARQL rules (``sh:construct``) on a store of their own, with ``$this`` bound. Rules run in ``sh:order``; a rule
sees what earlier ones have added, and is run again as long as it adds something (pySHACL's ``iterate_rules``).

Anything else (JavaScript, functions, other node expressions) is refused with the rule's name: a rule that is not run
would silently leave facts out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from imprimatur.errors import KnowledgeBaseError, LimitExceeded
from imprimatur.sources.graph.terms import RDF, RDFS, RdfLiteral, parse_number
from imprimatur.sources.shacl.compile import Compiler
from imprimatur.sources.shacl.facts import SH, Facts, text_of
from imprimatur.sources.shacl.given import term_of
from imprimatur.sources.shacl.path_reading import path_of
from imprimatur.sources.shacl.paths import Path
from imprimatur.sources.shacl.shape import Shape
from imprimatur.sources.shacl.view import Edge, Hierarchy, Term, Terms, View

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.graph.store import Graph

__all__ = ["Derived", "materialise"]

_ROUNDS = 100
_MOST = 5_000_000


@dataclass(frozen=True, slots=True)
class Derived:
    """A triple that a rule adds, in N-Triples terms; ``rule`` is the rule's label, or its shape's name and order."""

    subject: str
    predicate: str
    object: str
    rule: str


@dataclass(frozen=True, slots=True)
class _Rule:
    node: str
    shape: Shape
    name: str
    order: float
    conditions: tuple[Shape, ...]


def materialise(graph: Graph, facts: Facts, *, limit_s: float = 300.0) -> tuple[Derived, ...]:
    """All triples that the rules of some shapes add to a graph.

    Raises:
        KnowledgeBaseError: a rule is malformed, or of a kind that is not run here.
        LimitExceeded: the rules take too long, add too much, or never end.
    """
    if not any(True for _ in facts.subjects(SH + "rule")):
        return ()
    return tuple(_Run(graph, facts, time.monotonic() + limit_s).run())


class _Run:
    def __init__(self, graph: Graph, facts: Facts, deadline: float) -> None:
        self._graph, self._facts, self._deadline = graph, facts, deadline
        self._terms = Terms(graph)
        self._types = Hierarchy(self._terms)
        self._compiler = Compiler(facts, self._terms, self._types)
        self._added: dict[Edge, str] = {}
        self._store: ox.Store | None = None

    def run(self) -> Iterator[Derived]:
        """Runs all rules, in order."""
        for rule in sorted(self._rules(), key=lambda each: (each.order, each.name)):
            for _ in range(_ROUNDS):
                new = [edge for edge in self._once(rule) if edge not in self._added]
                self._added.update(dict.fromkeys(new, rule.name))
                if len(self._added) > _MOST:
                    raise LimitExceeded(f"the rules add more than {_MOST} triples", where=rule.name)
                if not new:
                    break
                self._keep(new)
            else:
                raise LimitExceeded("the rule adds triples without end", where=rule.name)
        for edge, name in self._added.items():
            subject, predicate, object_ = (text_of(self._terms.term(part)) for part in edge)
            yield Derived(subject, predicate, object_, name)

    def _rules(self) -> Iterator[_Rule]:
        facts = self._facts
        for node in dict.fromkeys(facts.subjects(SH + "rule")):
            shape = self._filled(node)
            for number, rule in enumerate(facts.sh(node, "rule")):
                if not isinstance(rule, str) or not shape.active or _is_off(facts, rule):
                    continue
                orders = [each for each in facts.sh(rule, "order") if isinstance(each, RdfLiteral)]
                order = parse_number(orders[0].lexical, orders[0].datatype) if orders else None
                labels = [each for each in facts.values(rule, RDFS + "label") if isinstance(each, RdfLiteral)]
                name = labels[0].lexical if labels else f"{shape.name} rule {number + 1}"
                conditions = tuple(self._filled(each) for each in facts.sh(rule, "condition") if isinstance(each, str))
                yield _Rule(rule, shape, name, float(order or 0), conditions)

    def _filled(self, node: str) -> Shape:
        """The compiled shape of a node with all that it refers to."""
        shape = self._compiler.shape(node)
        queue, seen = [shape], {shape.index}
        for each in queue:
            self._compiler.fill(each)
            inner = [other for other in self._compiler.inner(each) if other.index not in seen]
            seen.update(other.index for other in inner)
            queue += inner
        return shape

    def _view(self) -> View:
        view = View(self._terms, self._types, added=self._added, deadline=self._deadline)
        view.check()
        return view

    def _once(self, rule: _Rule) -> Iterable[Edge]:
        view = self._view()
        foci = [
            node
            for node in rule.shape.focus_nodes(view)
            if all(condition.conforms(view, node) for condition in rule.conditions)
        ]
        kinds = self._facts.values(rule.node, RDF + "type")
        if self._facts.sh(rule.node, "construct") and SH + "TripleRule" not in kinds:
            return list(self._constructed(rule, foci))
        return list(self._triples(rule, foci, view))

    # Triple rules

    def _triples(self, rule: _Rule, foci: Iterable[int], view: View) -> Iterator[Edge]:
        parts = [self._part(rule, name) for name in ("subject", "predicate", "object")]
        for focus in foci:
            view.tick()
            subjects, predicates, objects = (_values(part, focus, view) for part in parts)
            for s in subjects:
                for p in predicates:
                    for o in objects:
                        if not view.has(s, p, o) and not view.terms.is_literal(s):
                            yield s, p, o

    def _part(self, rule: _Rule, name: str) -> Path | int | None:
        """A constant, a path from ``$this``, or None for ``$this`` itself."""
        given = self._facts.sh(rule.node, name)
        if len(given) != 1:
            raise KnowledgeBaseError(f"a triple rule needs one sh:{name}", where=rule.name)
        term = given[0]
        if term == SH + "this":
            return None
        if isinstance(term, RdfLiteral) or not term.startswith("_:"):
            return self._terms.number(term)
        paths = self._facts.sh(term, "path")
        if len(paths) != 1 or len(self._facts.about(term)) != 1:
            raise KnowledgeBaseError(f"the sh:{name} of a rule is no term and no path", where=rule.name)
        try:
            return path_of(self._facts, paths[0], self._terms)
        except ValueError as error:
            raise KnowledgeBaseError(f"malformed path: {error}", where=rule.name) from error

    # SPARQL rules

    def _keep(self, edges: Iterable[Edge]) -> None:
        if self._store is not None:
            self._store.extend(map(self._quad, edges))

    def _quad(self, edge: Edge) -> ox.Quad:
        import pyoxigraph as ox

        line = " ".join(text_of(self._terms.term(part)) for part in edge)
        quads: list[ox.Quad] = list(ox.parse(f"{line} .", format=ox.RdfFormat.N_TRIPLES))
        return quads[0]

    def _constructed(self, rule: _Rule, foci: Iterable[int]) -> Iterator[Edge]:
        import pyoxigraph as ox

        from imprimatur.sources.graph.sparql import build_store

        if self._store is None:
            self._store = build_store(self._graph)
            self._keep(self._added)
        (text,) = self._facts.sh(rule.node, "construct") or (RdfLiteral(""),)
        query = text.lexical if isinstance(text, RdfLiteral) else ""
        view = self._view()
        for focus in foci:
            view.check()
            try:
                found = self._store.query(
                    query,
                    prefixes=self._facts.prefixes,
                    substitutions={ox.Variable("this"): _oxigraph(self._terms.term(focus))},
                )
            except (SyntaxError, ValueError, OSError) as error:
                raise KnowledgeBaseError(f"bad SPARQL in a rule: {str(error)[:200]}", where=rule.name) from error
            if not isinstance(found, ox.QueryTriples):
                raise KnowledgeBaseError("sh:construct holds no CONSTRUCT query", where=rule.name)
            for triple in found:
                edge = tuple(
                    self._terms.number(term_of(part)) for part in (triple.subject, triple.predicate, triple.object)
                )
                if not view.has(edge[0], edge[1], edge[2]):
                    yield edge[0], edge[1], edge[2]


def _is_off(facts: Facts, rule: str) -> bool:
    return any(isinstance(each, RdfLiteral) and each.lexical in ("true", "1") for each in facts.sh(rule, "deactivated"))


def _values(part: Path | int | None, focus: int, view: View) -> Iterable[int]:
    if part is None:
        return (focus,)
    return (part,) if isinstance(part, int) else part.values(view, focus)


def _oxigraph(term: Term) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    import pyoxigraph as ox

    if isinstance(term, RdfLiteral):
        if term.lang:
            return ox.Literal(term.lexical, language=term.lang)
        return ox.Literal(term.lexical, datatype=ox.NamedNode(term.datatype))
    return ox.BlankNode(term[2:]) if term.startswith("_:") else ox.NamedNode(term)
