"""Which focus nodes can added triples change? An over-approximation, per shape with targets.

Follows W3C SHACL's constraint components: a triple matters where a path may cross it, where it gives a type or a
superclass, where a pair constraint or a query reads it, and where it makes a target. Shapes that hold something else
(custom components, SHACL Advanced Features, queries that are not analysed), recursive ones and those nested very deeply
are *unbounded*: all their targets count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rdflib import Graph as RdflibGraph
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SH
from rdflib.term import Literal, Node

from imprimatur.sources.graph.shapes_overlay import Triple
from imprimatur.sources.graph.shapes_paths import forward, inverse, starts
from imprimatur.sources.graph.shapes_read import ShapeSet
from imprimatur.sources.graph.shapes_sparql import Pattern, Unbounded, foci_of_query, patterns

__all__ = ["Reach", "classes_of", "focus_nodes", "is_target", "opaque", "read_targets"]

#: Shapes nested more deeply are not analysed.
_DEEPEST = 60
_PAIRS = (SH.equals, SH.disjoint, SH.lessThan, SH.lessThanOrEquals)
_NESTED = (SH.property, SH.node, SH["not"], SH.qualifiedValueShape)
_NESTED_LISTS = (SH["and"], SH["or"], SH.xone)
#: Decided by the value nodes alone, which the path gives; and what is no constraint.
_SILENT_NAMES = """
    path datatype nodeKind minCount maxCount minExclusive minInclusive maxExclusive maxInclusive minLength maxLength
    pattern flags languageIn uniqueLang hasValue in ignoredProperties qualifiedMinCount qualifiedMaxCount targetClass
    targetNode targetSubjectsOf targetObjectsOf message severity name description order group defaultValue deactivated
"""
_SILENT = frozenset(SH[name] for name in _SILENT_NAMES.split())


@dataclass(slots=True)
class Reach:
    """The focus nodes that ``triples`` (all of them in ``graph``) may change."""

    shapes: ShapeSet
    triples: frozenset[Triple]
    graph: RdflibGraph
    _retyped: set[Node] | None = None
    _memo: dict[Node, set[Node]] = field(default_factory=dict)
    _under_way: set[Node] = field(default_factory=set)

    def of(self, shape: Node) -> set[Node]:
        """The targets of a shape that may be affected, its new targets among them."""
        kinds = [kind for kind, _ in self.shapes.targets(shape)]
        if self.shapes.advanced or "target" in kinds:
            return set(focus_nodes(self.shapes, shape, self.graph))
        try:
            found = self._inside(shape) | self._made_targets(shape)
        except Unbounded:
            self._under_way.clear()
            return set(focus_nodes(self.shapes, shape, self.graph))
        return {node for node in found if is_target(self.shapes, shape, node, graph=self.graph)}

    def _made_targets(self, shape: Node) -> set[Node]:
        found: set[Node] = set()
        for kind, term in self.shapes.targets(shape):
            match kind:
                case "class":
                    found |= self.retyped()
                case "subjectsOf":
                    found |= {s for s, p, _ in self.triples if p == term}
                case "objectsOf":
                    found |= {o for _, p, o in self.triples if p == term}
        return found

    def retyped(self) -> set[Node]:
        """Nodes whose classes the triples may change: those typed, and all instances below a new superclass."""
        if self._retyped is None:
            graph = self.graph
            self._retyped = {s for s, p, _ in self.triples if p == RDF.type}
            for lower in {s for s, p, _ in self.triples if p == RDFS.subClassOf}:
                for each in graph.transitive_subjects(RDFS.subClassOf, lower):
                    self._retyped |= set(graph.subjects(RDF.type, each))
        return self._retyped

    def _inside(self, shape: Node) -> set[Node]:
        """The nodes for which conforming to the shape may depend on the triples."""
        if shape in self._memo:
            return self._memo[shape]
        if shape in self._under_way or len(self._under_way) > _DEEPEST:
            raise Unbounded
        if len(list(self.shapes.graph.objects(shape, SH.path))) > 1:
            raise Unbounded
        self._under_way.add(shape)
        at_focus: set[Node] = set()
        at_values: set[Node] = set()
        for parameter, value in self.shapes.graph.predicate_objects(shape):
            focus, values = self._constraint(parameter, value)
            at_focus |= focus
            at_values |= values
        path = self.shapes.path(shape)
        if path is None:
            found = at_focus | at_values
        else:
            found = at_focus | starts(path, self.triples, self.graph)
            if at_values:
                found |= forward(inverse(path), at_values, self.graph)
        self._under_way.discard(shape)
        self._memo[shape] = found
        return found

    def _constraint(self, parameter: Node, value: Node) -> tuple[set[Node], set[Node]]:
        """What one constraint adds: affected focus nodes, and affected value nodes."""
        subjects = {s for s, _, _ in self.triples}
        if parameter in _NESTED:
            return set(), self._inside(value)
        if parameter in _NESTED_LISTS:
            return set(), set().union(*(self._inside(each) for each in Collection(self.shapes.graph, value)))
        if parameter == SH["class"]:
            return set(), self.retyped()
        if parameter in _PAIRS:
            return {s for s, p, _ in self.triples if p == value}, set()
        if parameter == SH.closed:
            return set(), subjects
        if parameter == SH.sparql:
            return self._query(value), set()
        if parameter == SH.qualifiedValueShapesDisjoint and not (isinstance(value, Literal) and value.value is True):
            return set(), set()
        if parameter not in _SILENT and _is_constraint(self.shapes, parameter):
            raise Unbounded
        return set(), set()

    def _query(self, constraint: Node) -> set[Node]:
        found: set[Node] = set()
        for text in self.shapes.graph.objects(constraint, SH.select):
            found |= foci_of_query(_patterns(self.shapes, str(text)), self.triples, self.graph)
        return found


def _patterns(shapes: ShapeSet, text: str) -> tuple[Pattern, ...]:
    return patterns(shapes.query(text.replace("$PATH", "?PATH")))


def _is_constraint(shapes: ShapeSet, parameter: Node) -> bool:
    """Whether an unknown property of a shape may constrain: all of SHACL's own, and parameters of custom components."""
    if str(parameter).startswith(str(SH)):
        return True
    return any(True for _ in shapes.graph.triples((None, SH.path, parameter))) and any(
        (None, SH.parameter, owner) in shapes.graph for owner in shapes.graph.subjects(SH.path, parameter)
    )


def opaque(shapes: ShapeSet) -> tuple[Node, ...]:
    """The shapes that are not analysed, so that each claim is checked against all their targets."""
    found = []
    for root in shapes.roots:
        reach = Reach(shapes, frozenset(), RdflibGraph())
        try:
            reach._inside(root)
            if shapes.advanced or any(kind == "target" for kind, _ in shapes.targets(root)):
                found.append(root)
        except Unbounded:
            found.append(root)
    return tuple(found)


def focus_nodes(shapes: ShapeSet, shape: Node, graph: RdflibGraph) -> Iterator[Node]:
    """All focus nodes of a shape in a graph (W3C SHACL 2.1.3), each once."""
    seen: set[Node] = set()
    for kind, term in shapes.targets(shape):
        for node in _targeted(kind, term, graph):
            if node not in seen:
                seen.add(node)
                yield node


def _targeted(kind: str, term: Node, graph: RdflibGraph) -> Iterator[Node]:
    match kind:
        case "node":
            yield term
        case "class":
            for each in graph.transitive_subjects(RDFS.subClassOf, term):
                yield from graph.subjects(RDF.type, each)
        case "subjectsOf":
            yield from graph.subjects(term, None)
        case "objectsOf":
            yield from graph.objects(None, term)


def is_target(shapes: ShapeSet, shape: Node, node: Node, *, graph: RdflibGraph) -> bool:
    """Whether the node is a focus node of the shape in the graph."""
    for kind, term in shapes.targets(shape):
        match kind:
            case "node":
                hit = node == term
            case "class":
                hit = term in classes_of(node, graph)
            case "subjectsOf":
                hit = not isinstance(node, Literal) and (node, term, None) in graph
            case "objectsOf":
                hit = (None, term, node) in graph
            case _:
                hit = True
        if hit:
            return True
    return False


def read_targets(shapes: ShapeSet, shape: Node, node: Node, *, graph: RdflibGraph) -> None:
    """Reads all triples that make the node a focus node of the shape, for a graph that notes what is read."""
    for kind, term in shapes.targets(shape):
        match kind:
            case "class":
                classes_of(node, graph)
            case "subjectsOf":
                list(graph.objects(node, term))
            case "objectsOf":
                list(graph.subjects(term, node))


def classes_of(node: Node, graph: RdflibGraph) -> set[Node]:
    """The classes of a node with all their superclasses; empty for a literal."""
    if isinstance(node, Literal):
        return set()
    found: set[Node] = set()
    for direct in graph.objects(node, RDF.type):
        if direct not in found:
            found |= {each for each in graph.transitive_objects(direct, RDFS.subClassOf) if each is not None}
    return found - {OWL.Thing, RDFS.Resource, OWL.NamedIndividual}
