"""``sh:rule`` (SHACL Advanced Features, 8): the rules of some shapes, and the triples that they add to a graph.

Triple rules (``sh:subject``, ``sh:predicate``, ``sh:object`` with ``sh:this``, constants and paths) are run on the
index; SPARQL rules (``sh:construct``) on a store of their own, with ``$this`` bound. Rules run in ``sh:order``; a rule
sees what earlier ones have added, and is run again as long as it adds something (pySHACL's ``iterate_rules``).

Anything else (JavaScript, functions, other node expressions) is refused with the rule's name: a rule that is not run
would silently leave facts out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from imprimatur.errors import KnowledgeBaseError, LimitExceeded
from imprimatur.sources.graph.terms import RDF, RDFS, RdfLiteral, parse_number
from imprimatur.sources.shacl.compile import Compiler
from imprimatur.sources.shacl.facts import SH, Facts
from imprimatur.sources.shacl.grown import Grown
from imprimatur.sources.shacl.path_reading import path_of
from imprimatur.sources.shacl.paths import Path, inverse, walk
from imprimatur.sources.shacl.routes import not_too_many, routes_of, starts
from imprimatur.sources.shacl.rule_queries import RuleQuery, Store
from imprimatur.sources.shacl.shape import ANY, Route, Shape
from imprimatur.sources.shacl.view import Edge, Hierarchy, Term, Terms, View

if TYPE_CHECKING:
    from imprimatur.sources.graph.store import Graph

__all__ = ["Derived", "Rules", "materialise"]

_ROUNDS = 100
_MOST = 5_000_000
_MOST_CONSEQUENCES = 1_000


@dataclass(frozen=True, slots=True)
class Derived:
    """A triple that a rule adds; ``rule`` is the rule's label, or its shape's name and number."""

    subject: Term
    predicate: Term
    object: Term
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """A rule of a shape.

    Attributes:
        parts: subject, predicate and object of a triple rule: a constant, a path from ``$this``, or None for ``$this``.
        query: that of a SPARQL rule. targets: queries for further focus nodes (``sh:target``).
        routes: by which triples, and from which focus nodes, something new may follow.
    """

    shape: Shape
    name: str
    order: float
    conditions: tuple[Shape, ...]
    parts: tuple[Path | int | None, ...] = ()
    query: RuleQuery | None = None
    targets: tuple[RuleQuery, ...] = ()
    routes: tuple[Route, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether it asks queries, so that what a triple changes is found by running it everywhere."""
        return self.query is not None or bool(self.targets)

    def everywhere(self, view: View, store: Store) -> list[int]:
        """All nodes at which the rule is to be run."""
        nodes = self.shape.focus_nodes(view) | {node: None for each in self.targets for node in each.nodes(store, view)}
        return [node for node in nodes if all(each.conforms(view, node) for each in self.conditions)]

    def foci(self, view: View, nodes: Iterable[int]) -> list[int]:
        """Of some nodes those at which a rule that asks no queries is to be run."""
        return [
            node
            for node in dict.fromkeys(nodes)
            if self.shape.covers(view, node) and all(each.conforms(view, node) for each in self.conditions)
        ]

    def conclusions(self, view: View, foci: Iterable[int], store: Store) -> dict[Edge, None]:
        """What the rule says at some focus nodes, whether it stands already or not."""
        found: dict[Edge, None] = {}
        for focus in foci:
            view.tick()
            if self.query is not None:
                found.update(dict.fromkeys(self.query.run(store, focus, view)))
                continue
            subjects, predicates, objects = (_values(part, focus, view) for part in self.parts)
            for s in subjects:
                for p in predicates:
                    found.update(((s, p, o), None) for o in objects if not view.terms.is_literal(s))
        return found

    def reads(self, edge: Edge) -> bool:
        """Whether it may read a triple with this predicate."""
        return any(route.predicate in (edge[1], ANY) for route in self.routes)

    def touched(self, view: View, edges: Iterable[Edge]) -> Iterator[int]:
        """Nodes at which some triples (all of them in the view) may change what the rule says."""
        for edge in edges:
            for route in self.routes:
                if route.predicate not in (edge[1], ANY):
                    continue
                if route.everywhere:
                    yield from self.shape.focus_nodes(view)
                    continue
                first = starts(view, route, edge[2] if route.inverted else edge[0])
                yield from walk(route.back, view, first, widest=not_too_many)


def materialise(graph: Graph, facts: Facts, *, limit_s: float = 300.0) -> tuple[Derived, ...]:
    """All triples that the rules of some shapes add to a graph.

    Raises:
        KnowledgeBaseError: a rule is malformed, or of a kind that is not run here.
        LimitExceeded: the rules take too long, add too much, or never end.
    """
    if not facts.has_rules():
        return ()
    terms = Terms(graph)
    types = Hierarchy(terms)
    rules = Rules(graph, facts, terms, types)
    view = Grown(terms, types, deadline=time.monotonic() + limit_s)
    by_rule = rules.run(view)
    return tuple(
        Derived(terms.term(subject), terms.term(predicate), terms.term(object_), name)
        for (subject, predicate, object_), name in by_rule.items()
    )


class Rules:
    """The rules of some shapes, read once.

    Raises:
        KnowledgeBaseError: a rule is malformed, or of a kind that is not run here.
    """

    def __init__(self, graph: Graph, facts: Facts, terms: Terms, types: Hierarchy) -> None:
        self._facts, self._terms, self._types = facts, terms, types
        self._store = Store(graph)
        self._compiler = Compiler(facts, terms, types)
        self._rules = sorted(self._read(), key=lambda each: (each.order, each.name))

    def run(self, view: Grown) -> dict[Edge, str]:
        """Runs all rules in order on a view, which grows, and names the rule of each triple added."""
        added: dict[Edge, str] = {}
        store = self._store.copy()
        for rule in self._rules:
            for _ in range(_ROUNDS):
                view.check()
                said = rule.conclusions(view, rule.everywhere(view, store), store)
                new = [edge for edge in said if not view.has(*edge)]
                added.update(dict.fromkeys(new, rule.name))
                if len(added) > _MOST:
                    raise LimitExceeded(f"the rules add more than {_MOST} triples", where=rule.name)
                view.add(new)
                store.add(new, view.terms)
                # A rule that makes nodes of its own makes them anew each time: once is what the W3C note asks.
                if not new or any(self._is_new_node(part) for edge in new for part in edge):
                    break
            else:
                raise LimitExceeded("the rule adds triples without end", where=rule.name)
        return added

    def concern(self, edge: Edge) -> bool:
        """Whether a rule may read a triple with this predicate."""
        return any(rule.reads(edge) for rule in self._rules)

    def consequences(
        self, edges: Iterable[Edge], terms: Terms, *, given: Sequence[Edge] = (), deadline: float
    ) -> tuple[Edge, ...]:
        """Some triples, and all that follows by rules from them and the graph but not from the graph without them.

        Args:
            edges: the triples, stored or not.
            terms: the table of their terms; it gets those of what follows.
            given: triples that stand besides the graph.
            deadline: when to stop, as ``time.monotonic``.

        Raises:
            LimitExceeded: too much follows, or no time is left.
        """
        found = dict.fromkeys(edges)
        last: Iterable[Edge] = tuple(found)
        while last:
            full = View(terms, self._types, added=(*given, *found), deadline=deadline)
            less = View(terms, self._types, added=given, removed=found, deadline=deadline)
            new: dict[Edge, None] = {}
            for rule in self._rules:
                if any(rule.reads(edge) for edge in last):
                    new |= self._difference(rule, last, full=full, less=less, given=given, changed=found)
            last = [edge for edge in new if edge not in found]
            found.update(dict.fromkeys(last))
            if len(found) > _MOST_CONSEQUENCES:
                raise LimitExceeded(f"more than {_MOST_CONSEQUENCES} triples follow from the claim by rules")
        return tuple(found)

    def _difference(
        self,
        rule: _Rule,
        last: Iterable[Edge],
        *,
        full: View,
        less: View,
        given: Sequence[Edge],
        changed: Iterable[Edge],
    ) -> dict[Edge, None]:
        """What a rule says in one view and not in the other, because of the last triples."""
        if not rule.asks:
            nodes = tuple(rule.touched(full, last))
            said = rule.conclusions(full, rule.foci(full, nodes), self._store)
            before = rule.conclusions(less, rule.foci(less, nodes), self._store) if said else {}
        else:
            with self._store.changed(full, added=(*given, *changed)) as store:
                said = rule.conclusions(full, rule.everywhere(full, store), store)
            with self._store.changed(less, added=given, removed=changed) as store:
                before = rule.conclusions(less, rule.everywhere(less, store), store)
        return {edge: None for edge in said if edge not in before}

    def _is_new_node(self, number: int) -> bool:
        term = self._terms.term(number) if number >= self._terms.first else ""
        return isinstance(term, str) and term.startswith("_:")

    # Reading

    def _read(self) -> Iterator[_Rule]:
        facts = self._facts
        for node in dict.fromkeys(facts.subjects(SH + "rule")):
            shape = self._filled(node)
            for number, rule in enumerate(facts.sh(node, "rule")):
                if isinstance(rule, str) and shape.active and not _is_off(facts, rule):
                    yield self._rule(shape, rule, number)

    def _rule(self, shape: Shape, rule: str, number: int) -> _Rule:
        facts = self._facts
        orders = [each for each in facts.sh(rule, "order") if isinstance(each, RdfLiteral)]
        order = parse_number(orders[0].lexical, orders[0].datatype) if orders else None
        labels = [each for each in facts.values(rule, RDFS + "label") if isinstance(each, RdfLiteral)]
        name = labels[0].lexical if labels else f"{shape.name} rule {number + 1}"
        conditions = tuple(self._filled(each) for each in facts.sh(rule, "condition") if isinstance(each, str))
        parts: tuple[Path | int | None, ...] = ()
        query = None
        if facts.sh(rule, "construct") and SH + "TripleRule" not in facts.values(rule, RDF + "type"):
            query = RuleQuery(facts.sh(rule, "construct")[0], facts.prefixes, where=name)
        else:
            parts = tuple(self._part(rule, each, where=name) for each in ("subject", "predicate", "object"))
        targets = tuple(self._targets(shape))
        queries = (*targets, *((query,) if query else ()))
        routes = tuple(self._routes(shape, conditions, parts, queries))
        return _Rule(
            shape=shape, name=name, order=float(order or 0), conditions=conditions, parts=parts, query=query,
            targets=targets, routes=routes,
        )  # fmt: skip

    def _routes(
        self,
        shape: Shape,
        conditions: Iterable[Shape],
        parts: Iterable[Path | int | None],
        queries: Iterable[RuleQuery],
    ) -> Iterator[Route]:
        """By which triples something new may follow: those that targets, conditions, paths and the query read."""
        bare = Shape(index=shape.index, node=shape.node, naming=str, labelling=str, targets=shape.targets)
        for each in (bare, *conditions):
            routes = routes_of(each, self._compiler.shapes, self._types)
            yield from (Route(ANY),) if routes is None else routes
        for part in parts:
            if part is not None and not isinstance(part, int):
                for step, before, _ in part.edges():
                    yield Route(step.predicate, step.inverted, inverse(before) if before else None)
        for query in queries:
            reads = query.reads()
            yield from (Route(ANY),) if reads is None else (Route(self._terms.number(iri)) for iri in reads)

    def _targets(self, shape: Shape) -> Iterator[RuleQuery]:
        facts = self._facts
        for target in facts.sh(shape.node, "target"):
            texts = facts.sh(target, "select")
            if len(texts) != 1:
                raise KnowledgeBaseError("the sh:target of a rule's shape has no sh:select", where=shape.name)
            yield RuleQuery(texts[0], facts.prefixes, where=shape.name)

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

    def _part(self, rule: str, name: str, *, where: str) -> Path | int | None:
        """A constant, a path from ``$this``, or None for ``$this`` itself."""
        given = self._facts.sh(rule, name)
        if len(given) != 1:
            raise KnowledgeBaseError(f"a triple rule needs one sh:{name}", where=where)
        term = given[0]
        if term == SH + "this":
            return None
        if isinstance(term, RdfLiteral) or not term.startswith("_:"):
            return self._terms.number(term)
        paths = self._facts.sh(term, "path")
        if len(paths) != 1 or len(self._facts.about(term)) != 1:
            raise KnowledgeBaseError(f"the sh:{name} of a rule is no term and no path", where=where)
        try:
            return path_of(self._facts, paths[0], self._terms)
        except ValueError as error:
            raise KnowledgeBaseError(f"malformed path: {error}", where=where) from error


def _is_off(facts: Facts, rule: str) -> bool:
    return any(isinstance(each, RdfLiteral) and each.lexical in ("true", "1") for each in facts.sh(rule, "deactivated"))


def _values(part: Path | int | None, focus: int, view: View) -> Iterable[int]:
    if part is None:
        return (focus,)
    return (part,) if isinstance(part, int) else tuple(part.values(view, focus))
