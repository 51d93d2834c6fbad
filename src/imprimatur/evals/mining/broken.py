"""A second opinion on which claims break a shape: pySHACL, run on the graph with the claim's triple put in.

The judge has shapes compiled to look-ups of its own; here the reference implementation reads graph and shapes with
rdflib. A triple breaks a shape when validation at its two ends gives a result that it does not give without the triple.
Shapes at other nodes are not looked at, so what is called breaking is, and some that breaks is not called so. Where the
judge cannot compile a shape it asks pySHACL too: then both opinions rest on it (``shared``).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import rdflib
from rdflib.namespace import RDF, SH
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query

from imprimatur.errors import CheckFailed
from imprimatur.evals.mining.book import Literal, Node, Triple

__all__ = ["Broken", "Fault"]

#: Components that something missing breaks: the judge calls such a claim not found, or contradicted.
_MISSING = (
    *("MinCount", "Class", "Node", "QualifiedMinCount", "QualifiedValueShape", "Property", "HasValue", "Or", "Xone"),
    *("And", "Not", "SPARQL"),
)
_Terms: TypeAlias = tuple[rdflib.term.Node, rdflib.URIRef, rdflib.term.Node]
#: So many parsed queries are kept.
_PARSED = 500


@dataclass(frozen=True, slots=True)
class Fault:
    """One validation result: which shape, by which kind of constraint, where."""

    shape: str
    component: str
    focus: str
    value: str

    @property
    def missing(self) -> bool:
        """Whether more facts could mend it, so that "not found" is right of the claim too."""
        return self.component in _MISSING


class _Graph(rdflib.Graph):
    """A graph that parses each query once: pySHACL gives the same text for every node that it looks at."""

    def __init__(self) -> None:
        super().__init__(bind_namespaces="none")
        self._parsed: dict[tuple[str, tuple[tuple[str, str], ...]], Query] = {}

    def query(
        self,
        query_object: Any,
        processor: Any = "sparql",
        result: Any = "sparql",
        initNs: Any = None,
        *given: Any,
        **named: Any,
    ) -> Any:
        """As of any graph."""
        if isinstance(query_object, str):
            spaces = dict(initNs or {})
            key = query_object, tuple(sorted((str(name), str(space)) for name, space in spaces.items()))
            if key not in self._parsed:
                if len(self._parsed) >= _PARSED:
                    self._parsed.clear()
                self._parsed[key] = prepareQuery(query_object, initNs=spaces)
            query_object = self._parsed[key]
        return super().query(query_object, processor, result, initNs, *given, **named)


class Broken:
    """A graph with shapes, asked about single triples.

    Args:
        triples: the stored triples, ontology included.
        files: the files of the shapes.

    Raises:
        CheckFailed: the shapes cannot be read.
    """

    def __init__(self, triples: Iterable[Triple], files: Sequence[Path]) -> None:
        self._graph = _Graph()
        for triple in triples:
            self._graph.add(_terms(triple))
        self.shapes = rdflib.Graph(bind_namespaces="none")
        try:
            for path in files:
                self.shapes.parse(str(path), format=_format(path))
        except Exception as fault:
            raise CheckFailed(f"the shapes cannot be read: {str(fault)[:200]}") from fault
        self._advanced = any((None, name, None) in self.shapes for name in (SH.rule, SH.target, SH.expression))
        self._before: dict[str, frozenset[Fault]] = {}

    def look(self, nodes: Iterable[Node]) -> None:
        """Looks at many nodes of the graph as it is at once, which is much faster than one by one."""
        new = tuple(name for name in dict.fromkeys(_names(*nodes)) if name not in self._before)
        found: dict[str, set[Fault]] = {name: set() for name in new}
        for fault in self._faults(new):
            found.setdefault(fault.focus, set()).add(fault)
        self._before.update({name: frozenset(found[name]) for name in new})

    def at(self, *nodes: Node) -> frozenset[Fault]:
        """The faults of the graph as it is at some nodes."""
        self.look(nodes)
        return frozenset[Fault]().union(*(self._before[name] for name in _names(*nodes)))

    def suspects(self, triples: Sequence[Triple]) -> list[Triple]:
        """Those of some triples at whose ends there is a fault that the graph has not, when all of them are put in.

        A coarse look at many triples at once: ``by`` says what one of them does.
        """
        new = [triple for triple in triples if _terms(triple) not in self._graph]
        ends = {triple: _names(triple[0], triple[2]) for triple in new}
        self.look(name for names in ends.values() for name in names)
        with self._with(*map(_terms, new)):
            found = self._faults(tuple(dict.fromkeys(name for names in ends.values() for name in names)))
        known = frozenset[Fault]().union(*self._before.values())
        at = {fault.focus for fault in found - known}
        return [triple for triple in new if not at.isdisjoint(ends[triple])]

    def by(self, triple: Triple, *, around: bool = False) -> frozenset[Fault]:
        """The faults that a triple brings in; none where it is stored.

        Args:
            around: also look at all that its ends are linked with.

        Raises:
            CheckFailed: a shape cannot be evaluated.
        """
        subject, _, value = triple
        terms = _terms(triple)
        if terms in self._graph:
            return frozenset()
        names = _names(subject, value, *(self._near(terms[0], terms[2]) if around else ()))
        with self._with(terms):
            after = self._faults(names)
        return after - self.at(*names) if after else after

    @contextmanager
    def _with(self, *terms: _Terms) -> Iterator[None]:
        """The graph with some triples in it."""
        for each in terms:
            self._graph.add(each)
        try:
            yield
        finally:
            for each in terms:
                self._graph.remove(each)

    def _near(self, *ends: rdflib.term.Node) -> list[str]:
        """The things that are linked with either end, but not by their class."""
        found: dict[str, None] = {}
        for end in ends:
            if isinstance(end, rdflib.URIRef):
                linked = [o for p, o in self._graph.predicate_objects(end) if p != RDF.type]
                linked += [s for s, p in self._graph.subject_predicates(end) if p != RDF.type]
                found.update({str(node): None for node in linked if isinstance(node, rdflib.URIRef)})
        return list(found)

    def _faults(self, names: Sequence[str]) -> frozenset[Fault]:
        if not names:
            return frozenset()
        import pyshacl

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _, report, _ = pyshacl.validate(
                    self._graph,
                    shacl_graph=self.shapes,
                    advanced=self._advanced,
                    inplace=True,
                    focus_nodes=list(names),
                )
        except Exception as fault:
            raise CheckFailed(f"pySHACL cannot evaluate the shapes: {str(fault)[:200]}") from fault
        if not isinstance(report, rdflib.Graph):
            raise CheckFailed(f"pySHACL cannot evaluate the shapes: {str(report)[:200]}")
        return frozenset(self._read(report))

    def _read(self, report: rdflib.Graph) -> Iterable[Fault]:
        for result in report.subjects(RDF.type, SH.ValidationResult):
            if report.value(result, SH.resultSeverity) not in (SH.Violation, None):
                continue
            component = str(report.value(result, SH.sourceConstraintComponent) or "")
            yield Fault(
                shape=self._name(report.value(result, SH.sourceShape)),
                component=component.rpartition("#")[2].removesuffix("ConstraintComponent"),
                focus=str(report.value(result, SH.focusNode)),
                value=str(report.value(result, SH.value) or ""),
            )

    def _name(self, shape: object) -> str:
        """The IRI of a shape; of one without, that of the shape that it belongs to."""
        node = shape
        for _ in range(8):
            if not isinstance(node, rdflib.BNode):
                break
            node = next(iter(self.shapes.subjects(None, node)), None)
        return str(node) if isinstance(node, rdflib.URIRef) else "a shape without a name"


def _names(*nodes: Node) -> tuple[str, ...]:
    return tuple(node for node in nodes if isinstance(node, str) and not node.startswith("_:"))


def _format(path: Path) -> str | None:
    suffix = path.suffix.lower()
    known = {".ttl": "turtle", ".turtle": "turtle", ".nt": "nt", ".rdf": "xml", ".owl": "xml", ".jsonld": "json-ld"}
    return known.get(suffix, "turtle")


def _terms(triple: Triple) -> _Terms:
    subject, name, value = triple
    return _term(subject), rdflib.URIRef(name), _term(value)


def _term(node: Node) -> rdflib.term.Node:
    if isinstance(node, Literal):
        datatype = rdflib.URIRef(node.datatype) if node.datatype else None
        return rdflib.Literal(node.text, datatype=datatype, lang=node.language or None)
    return rdflib.BNode(node[2:]) if node.startswith("_:") else rdflib.URIRef(node)
