"""Which focus nodes of a ``sh:sparql`` constraint can a triple change?

Every triple pattern of the query, also inside NOT EXISTS, MINUS, OPTIONAL and UNION, is unified with the triple; from
there the patterns that must hold in the same solution lead back to ``$this``. Filters are ignored, so the answer is an
over-approximation. What cannot be analysed (sub-queries, GRAPH, SERVICE, variables that nothing joins to ``$this``)
raises ``Unbounded``: then every target is affected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rdflib import Graph as RdflibGraph
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Query
from rdflib.term import BNode, Node, Variable

from imprimatur.sources.graph.shapes_overlay import Triple
from imprimatur.sources.graph.shapes_paths import Path, Step, forward, inverse, of_sparql, starts

__all__ = ["Pattern", "Unbounded", "by_absence", "foci_of_query", "patterns"]

_THIS = Variable("this")
#: More nodes than this on the way back to ``$this``: checking every target is no dearer.
_WIDEST = 5_000


#: Of these parts of a query, what stands under the keys is an alternative, an option or a negation.
_OWN_SCOPE: dict[str, tuple[str, ...]] = {
    "Union": ("p1", "p2"),
    "LeftJoin": ("p2",),
    "Minus": ("p2",),
    "Builtin_EXISTS": ("graph",),
    "Builtin_NOTEXISTS": ("graph",),
}
_NOT_ANALYSED = ("Graph", "ServiceGraphPattern", "SubSelect", "GroupGraphPatternSub")


class Unbounded(Exception):
    """Any target may be affected. A signal inside the analysis, never shown."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple pattern; ``scope`` is the nest of alternatives and negations that it stands in, outermost first."""

    subject: Node
    path: Path
    object: Node
    scope: tuple[int, ...]


def patterns(query: Query) -> tuple[Pattern, ...]:
    """All triple patterns of a query.

    Raises:
        Unbounded: it holds a construct that is not analysed.
    """
    fresh = iter(range(1, 1_000_000))
    return tuple(_walk(query.algebra, (), fresh, top=True))


def _walk(part: object, scope: tuple[int, ...], fresh: Iterator[int], *, top: bool = False) -> Iterator[Pattern]:
    if isinstance(part, list | tuple | set | frozenset):
        for each in part:
            yield from _walk(each, scope, fresh)
        return
    if not isinstance(part, CompValue):
        return
    if part.name in _NOT_ANALYSED or (part.name == "Project" and not top):
        raise Unbounded
    if part.name == "BGP":
        yield from (_pattern(triple, scope) for triple in part.triples)
        return
    own = _OWN_SCOPE.get(part.name, ())
    for key, child in _children(part):
        inner = (*scope, next(fresh)) if key in own else scope
        yield from _walk(child, inner, fresh, top=top and key == "p" and part.name != "Project")


def _children(part: CompValue) -> Iterator[tuple[str, object]]:
    """The parts of a part. rdflib keeps the algebra of EXISTS as an attribute, not as the item."""
    for key, child in part.items():
        if key not in ("_vars", "datasetClause"):
            yield key, vars(part).get(key, child)


def _pattern(triple: tuple[Node, object, Node], scope: tuple[int, ...]) -> Pattern:
    subject, predicate, object_ = triple
    if isinstance(predicate, Variable):
        return Pattern(subject, Step(None), object_, scope)
    try:
        return Pattern(subject, of_sparql(predicate), object_, scope)
    except ValueError as error:
        raise Unbounded from error


def foci_of_query(found: tuple[Pattern, ...], triples: frozenset[Triple], graph: RdflibGraph) -> set[Node]:
    """The values of ``$this`` whose solutions may use one of ``triples``.

    Raises:
        Unbounded: some pattern that may match is not joined to ``$this``, or by too many nodes.
    """
    foci: set[Node] = set()
    for pattern in found:
        first = starts(pattern.path, triples, graph)
        last = starts(inverse(pattern.path), triples, graph)
        known: dict[Node, set[Node]] = {}
        for term, nodes in ((pattern.subject, first), (pattern.object, last)):
            if isinstance(term, Variable | BNode):
                known[term] = nodes & known.get(term, nodes)
            elif term not in nodes:
                break
        else:
            if all(known.values()):
                foci |= _back_to_this(known, pattern, found=found, graph=graph)
    return foci


def _back_to_this(
    known: dict[Node, set[Node]], origin: Pattern, *, found: tuple[Pattern, ...], graph: RdflibGraph
) -> set[Node]:
    if _THIS in known:
        return known[_THIS]
    links = [each for each in found if origin.scope[: len(each.scope)] == each.scope and each is not origin]
    way = _shortest(set(known), links)
    nodes: set[Node] = set()
    for source, path, target in way:
        nodes = forward(path, known[source], graph)
        if len(nodes) > _WIDEST:
            raise Unbounded
        known[target] = nodes
    return nodes


def _shortest(sources: set[Node], links: list[Pattern]) -> list[tuple[Node, Path, Node]]:
    """The shortest chain of patterns from a known variable to ``$this``."""
    came: dict[Node, tuple[Node, Path]] = {}
    queue = list(sources)
    seen = set(sources)
    for variable in queue:
        if variable == _THIS:
            break
        for link in links:
            for here, path, there in ((link.subject, link.path, link.object), (link.object, None, link.subject)):
                if here == variable and isinstance(there, Variable | BNode) and there not in seen:
                    seen.add(there)
                    came[there] = (here, path or inverse(link.path))
                    queue.append(there)
    if _THIS not in came:
        raise Unbounded
    way: list[tuple[Node, Path, Node]] = []
    at: Node = _THIS
    while at not in sources:
        before, path = came[at]
        way.append((before, path, at))
        at = before
    return way[::-1]


def by_absence(query: Query) -> bool:
    """Whether a solution of the query may rest on triples that are missing (NOT EXISTS, MINUS, unbound, counts)."""
    return _lacks(query.algebra)


def _lacks(part: object) -> bool:
    if isinstance(part, list | tuple | set | frozenset):
        return any(map(_lacks, part))
    if not isinstance(part, CompValue):
        return False
    if part.name in ("Builtin_NOTEXISTS", "Minus", "AggregateJoin"):
        return True
    if part.name in ("UnaryNot", "Builtin_COALESCE", "Builtin_IF") and "BOUND" in repr(part):
        return True
    return any(_lacks(child) for _, child in _children(part))
