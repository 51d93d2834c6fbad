"""Claims and whole graphs judged by the compiled shapes, with pySHACL for the shapes that cannot be compiled.

Contract: as ``sources.graph.shapes.Shapes``, whose engine this is. What pySHACL judges is judged by it alone, shape by
shape; the answers of both are put together. The graph is never changed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.sources.graph.shapes import ShapeFocus, ShapeWay, Triple, Violation
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.facts import Facts, read_facts, text_of
from imprimatur.sources.shacl.given import term_of
from imprimatur.sources.shacl.quick import Quick
from imprimatur.sources.shacl.shape import Finding, Shape
from imprimatur.sources.shacl.view import Edge, Terms, View
from imprimatur.sources.shacl.words import is_conflict, sentence

if TYPE_CHECKING:
    from imprimatur.sources.graph.shapes_apart import Apart
    from imprimatur.sources.graph.shapes_blame import Judge
    from imprimatur.sources.shacl.report import GraphCheck
    from imprimatur.sources.shacl.rules import Rules

__all__ = ["Judging"]

_REMEMBERED = 65_536
_Numbered = tuple[tuple[int, Violation], ...]


class Judging:
    """The compiled shapes of some files over one graph.

    Raises:
        KnowledgeBaseError: a file cannot be read, or a shape is malformed.
    """

    __slots__ = ("_graph", "_quick", "_rest", "_rules", "_standing", "_texts", "engine")

    def __init__(self, graph: Graph, files: Sequence[Path]) -> None:
        self._graph = graph
        facts = read_facts(files)
        self.engine = Engine(graph, facts)
        self._quick = Quick(self.engine)
        self._rules = _rules(graph, facts, self.engine) if facts.has_rules() else None
        self._rest: Apart | None = None
        #: What rests on triples that the graph holds: it never changes.
        self._standing: dict[Edge, _Numbered] = {}
        self._texts: dict[str, int] = {}

    def rest(self) -> Apart:
        """pySHACL's judge of the shapes that are not compiled, in a process of its own."""
        if self._rest is None:
            from imprimatur.sources.graph.shapes_apart import Apart

            self._rest = Apart(partial(_judge, self._graph, self.engine), [root.name for root in self.engine.fallback])
        return self._rest

    def ways(self) -> tuple[ShapeWay, ...]:
        """How each shape with targets runs."""
        return tuple(
            ShapeWay(shape=root.name, label=root.label, way=root.way, reason=root.why) for root in self.engine.roots
        )

    def unanalysed(self) -> tuple[str, ...]:
        """The names of shapes that a claim is checked against at all their targets."""
        found = [root.name for root in self.engine.everywhere]
        if self.engine.fallback:
            found += self.rest().opaque()
        return tuple(sorted(found))

    def names(self) -> tuple[ShapeFocus, ...]:
        """The shapes with targets, each with its focus nodes counted."""
        view = self.engine.view(self.engine.scope())
        return tuple(self._focus(root, view) for root in self.engine.roots)

    def unfocused(self) -> tuple[str, ...]:
        """The names of the shapes with targets that have no focus node."""
        view = self.engine.view(self.engine.scope())
        return tuple(root.name for root in self.engine.roots if not root.has_focus(view))

    def _focus(self, root: Shape, view: View) -> ShapeFocus:
        return ShapeFocus(
            shape=root.name,
            label=root.label,
            targets=tuple((each.kind, text_of(view.terms.term(each.term))) for each in root.targets),
            focus_nodes=len(root.focus_nodes(view)),
        )

    def joint(self, claims: Sequence[Sequence[Triple]], *, limit_s: float) -> _Numbered:
        """The violations that rest on a claim, each with the claim's number; see ``Shapes.joint``."""
        deadline = time.monotonic() + limit_s
        if len(claims) == 1 and len(claims[0]) == 1 and limit_s > 0:
            single, terms = self._edge(claims[0][0])
            known = self._standing.get(single)
            if known is not None:
                return known
            ruled = self._rules is not None and self._rules.concern(single)
            result = None if ruled else self._quickly(single, terms, deadline)
            if result is not None:
                return result
        else:
            ruled = self._rules is not None
        return self._thoroughly(claims, self.engine.scope(), ruled=ruled, deadline=deadline)

    def groups(self, claims: Sequence[Sequence[Triple]], *, limit_s: float) -> tuple[tuple[int, ...], ...]:
        """The numbers of the claims that shapes see, in groups that no shape sees together; see ``Shapes.groups``."""
        from imprimatur.sources.shacl.grouping import groups

        if self._rules is not None:
            return (tuple(range(len(claims))),) if claims else ()
        terms = self.engine.scope()
        edges = [[_edge(triple, terms) for triple in claim] for claim in claims]
        return groups(self.engine, terms, edges, deadline=time.monotonic() + limit_s)

    def _thoroughly(
        self, claims: Sequence[Sequence[Triple]], terms: Terms, *, ruled: bool, deadline: float
    ) -> _Numbered:
        edges = [[_edge(triple, terms) for triple in claim] for claim in claims]
        single = edges[0][0] if len(edges) == 1 and len(edges[0]) == 1 else None
        if self._rules is not None and ruled:
            edges = _closed(self._rules, edges, terms, deadline=deadline)
            claims = [[_texts(edge, terms) for edge in claim] for claim in edges]
        from imprimatur.sources.shacl.blame import blame  # most claims are judged without it

        blamed, view = blame(self.engine, terms, edges, deadline=deadline)
        found = [(each.claim, self._violation(each.finding, view)) for each in blamed]
        if self.engine.fallback:
            found += self._by_rest(claims, deadline - time.monotonic())
        result = tuple(sorted(found, key=lambda each: (each[0], each[1].message)))
        if single is not None and self._stored(single):
            self._keep(single, result)
        return result

    def _keep(self, edge: Edge, found: _Numbered) -> None:
        if len(self._standing) >= _REMEMBERED:
            self._standing.clear()
        self._standing[edge] = found

    def _quickly(self, edge: Edge, terms: Terms, deadline: float) -> _Numbered | None:
        """What rests on one triple where that is quickly told."""
        stored = self._stored(edge)
        found = self._quick.findings(edge, terms, stored=stored, deadline=deadline)
        if not found:
            return None if found is None else ()
        view = self.engine.view(terms, added=(edge,), deadline=deadline)
        result = tuple((0, self._violation(each, view)) for each in found)
        if stored:
            self._keep(edge, result)
        return result

    def _stored(self, edge: Edge) -> bool:
        return max(edge) < self.engine.terms.first and self._graph.has(*edge)

    def _edge(self, triple: Triple) -> tuple[Edge, Terms]:
        """The triple by identifiers, and their table; what the graph does not know gets a table of its own."""
        terms, scope = self.engine.terms, None
        numbers = []
        for part in triple:
            known = part if type(part) is int else self._texts.get(part) if type(part) is str else None
            if known is None:
                term = term_of(part)
                known = (scope or terms).find(term)
                if known is None:
                    scope = scope or self.engine.scope()
                    known = scope.fresh(term)
                elif known < terms.first and type(part) is str:
                    if len(self._texts) >= _REMEMBERED:
                        self._texts.clear()
                    self._texts[part] = known
            numbers.append(known)
        return (numbers[0], numbers[1], numbers[2]), scope or terms

    def _violation(self, finding: Finding, view: View) -> Violation:
        terms = view.terms
        return Violation(
            focus=text_of(terms.term(finding.focus)),
            shape=self.engine.shapes[finding.shape].name,
            path=finding.path,
            component=finding.component,
            value="" if finding.value is None else text_of(terms.term(finding.value)),
            message=sentence(finding, self.engine, view),
            severity=finding.severity,
            conflict=is_conflict(finding, self.engine, view),
        )

    def _by_rest(self, claims: Sequence[Sequence[Triple]], seconds: float) -> list[tuple[int, Violation]]:
        def text(part: object) -> str:
            return self._graph.n3(part) if type(part) is int else text_of(term_of(part))

        return self.rest().blame([[(text(s), text(p), text(o)) for s, p, o in claim] for claim in claims], seconds)

    def check_graph(self) -> GraphCheck:
        """The whole graph against its shapes; see ``Shapes.check_graph``."""
        view = self.engine.view(self.engine.scope())
        found = [self._violation(each, view) for each in self.engine.run(view, self.engine.all_foci(view))]
        if self.engine.fallback:
            found += self.rest().check()
        violations = tuple(sorted(dict.fromkeys(found), key=lambda each: (each.shape, each.message, each.value)))
        from imprimatur.sources.shacl.report import GraphCheck, turtle_report

        return GraphCheck(
            conforms=not violations,
            report=turtle_report(violations, self.engine),
            violations=violations,
            shapes=self.names(),
            undecided=(*view.doubts, *self.engine.circles(view)),
        )


def _judge(graph: Graph, engine: Engine) -> Judge:
    """pySHACL's judge of the shapes that are not compiled."""
    from imprimatur.sources.graph.shapes_blame import Judge
    from imprimatur.sources.graph.shapes_overlay import Base, node_of
    from imprimatur.sources.graph.shapes_read import ADVANCED, shapes_of

    shapes = shapes_of(engine.facts)
    roots = tuple(node_of(root.node) for root in engine.fallback)
    # What rules add is in the graph already (``sources.graph.derived``).
    advanced = shapes.advanced and any((None, each, None) in shapes.graph for each in ADVANCED[1:])
    barred = {node_of(root.node): root.barred for root in engine.fallback if root.barred}
    return Judge(Base(graph), replace(shapes, roots=roots, advanced=advanced), barred)


def _rules(graph: Graph, facts: Facts, engine: Engine) -> Rules:
    from imprimatur.sources.shacl.rules import Rules  # only shapes with rules need what runs them

    return Rules(graph, facts, engine.terms, engine.types)


def _closed(rules: Rules, claims: Sequence[Sequence[Edge]], terms: Terms, *, deadline: float) -> list[list[Edge]]:
    """Each claim with what follows by rules from it, the claims before it and the graph."""
    found: list[list[Edge]] = []
    for claim in claims:
        given = [edge for each in found for edge in each]
        found.append(list(rules.consequences(claim, terms, given=given, deadline=deadline)))
    return found


def _texts(edge: Edge, terms: Terms) -> Triple:
    subject, predicate, object_ = (text_of(terms.term(part)) for part in edge)
    return subject, predicate, object_


def _edge(triple: Triple, terms: Terms) -> Edge:
    subject, predicate, object_ = (part if type(part) is int else terms.number(term_of(part)) for part in triple)
    return subject, predicate, object_
