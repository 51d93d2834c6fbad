"""A graph as rdflib sees it: a read-only view with triples added and removed, and no copy of the data.

Invariants: the graph underneath is never written to, whatever happens; a view is cheap and lives for one run. Literals
keep the lexical form they have in the graph (rdflib would normalise it), and ``xsd:string`` is the plain literal, so
that terms compare as SHACL compares them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import pyoxigraph as ox
from rdflib import Graph as RdflibGraph
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query
from rdflib.query import Result
from rdflib.store import Store
from rdflib.term import BNode, Literal, Node, URIRef

from imprimatur.errors import InputError, LimitExceeded
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral, iri_text, literal_text

__all__ = ["Base", "Term", "Triple", "View", "memory_copy", "node_of", "term_of", "text_of", "view"]

Term = Node
Triple = tuple[Node, Node, Node]
_STRING = XSD + "string"


def _literal(lexical: str, datatype: str, lang: str) -> Literal:
    if lang:
        return Literal(lexical, lang=lang)
    return Literal(lexical, datatype=None if datatype == _STRING else URIRef(datatype), normalize=False)


def _of_oxigraph(term: object) -> Node:
    if isinstance(term, ox.NamedNode):
        return URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return BNode(term.value)
    if isinstance(term, ox.Literal):
        return _literal(term.value, term.datatype.value, term.language or "")
    raise InputError(f"a triple of a claim cannot hold {str(term)[:100]!r}", hint="give IRIs, blank nodes or literals")


@lru_cache(maxsize=4096)
def _of_text(text: str) -> Node:
    try:
        quad = next(iter(ox.parse(f"<x:s> <x:p> {text} .", format=ox.RdfFormat.N_TRIPLES)))
    except (SyntaxError, StopIteration) as error:
        raise InputError(f"{text[:100]!r} is no N-Triples term", hint='write <iri>, _:b0 or "text"') from error
    return _of_oxigraph(quad.object)


def term_of(term: object) -> Node:
    """The rdflib term for a term in N-Triples text, a pyoxigraph term or an rdflib term.

    Raises:
        InputError: it is none of these, or a triple term.
    """
    if isinstance(term, URIRef | BNode | Literal):
        return term
    return _of_text(term) if isinstance(term, str) else _of_oxigraph(term)


def node_of(term: str | RdfLiteral) -> Node:
    """The rdflib term for an IRI, a blank node as ``_:label``, or a literal."""
    if isinstance(term, RdfLiteral):
        return _literal(term.lexical, term.datatype, term.lang)
    return BNode(term.removeprefix("_:")) if term.startswith("_:") else URIRef(term)


def text_of(term: Node | None) -> str:
    """The term in N-Triples; empty for None."""
    if term is None:
        return ""
    if isinstance(term, Literal):
        return literal_text(_stored_literal(term))
    return iri_text(str(term)) if isinstance(term, URIRef) else f"_:{str(term).removeprefix('_:')}"


def _stored_literal(term: Literal) -> RdfLiteral:
    if term.language:
        return RdfLiteral(str(term), RDF + "langString", term.language)
    return RdfLiteral(str(term), str(term.datatype or _STRING))


class Base:
    """The triples of a ``Graph`` as rdflib terms. Terms are converted once and remembered."""

    __slots__ = ("_graph", "_terms")

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._terms: dict[int, Node | None] = {}

    def __len__(self) -> int:
        return len(self._graph)

    def _term(self, number: int) -> Node | None:
        """The rdflib term; None for an RDF 1.2 triple term, which SHACL 1.0 does not know."""
        if number not in self._terms:
            graph = self._graph
            term: Node | None = None
            if graph.is_literal(number):
                literal = graph.literal(number)
                term = _literal(literal.lexical, literal.datatype, literal.lang)
            elif graph.is_iri(number):
                term = URIRef(graph.iri(number))
            elif graph.triple_term(number) is None:
                term = BNode(graph.iri(number).removeprefix("_:"))
            self._terms[number] = term
        return self._terms[number]

    def _number(self, term: Node) -> int | None:
        if isinstance(term, Literal):
            return self._graph.literal_id(_stored_literal(term))
        return self._graph.id(str(term) if isinstance(term, URIRef) else f"_:{term}")

    def triples(self, subject: Node | None, predicate: Node | None, object_: Node | None) -> Iterator[Triple]:
        """All triples that match; None matches anything."""
        numbers = []
        for term in (subject, predicate, object_):
            number = None if term is None else self._number(term)
            if number is None and term is not None:
                return
            numbers.append(number)
        for found in self._match(*numbers):
            terms = (self._term(found[0]), self._term(found[1]), self._term(found[2]))
            if terms[0] is not None and terms[1] is not None and terms[2] is not None:
                yield terms[0], terms[1], terms[2]

    def _match(self, s: int | None, p: int | None, o: int | None) -> Iterable[tuple[int, int, int]]:
        graph = self._graph
        match (s is None, p is None, o is None):
            case (False, False, False):
                return [(s, p, o)] if graph.has(s, p, o) else []  # type: ignore[arg-type,list-item]
            case (False, False, True):
                return [(s, p, each) for each in graph.objects(s, p)]  # type: ignore[arg-type,misc]
            case (False, True, _):
                return [(s, q, each) for q, each in graph.out(s) if o in (None, each)]  # type: ignore[arg-type,misc]
            case (True, False, False):
                return [(each, p, o) for each in graph.subjects(p, o)]  # type: ignore[arg-type,misc]
            case (True, True, False):
                return [(each, q, o) for each, q in graph.into(o)]  # type: ignore[arg-type,misc]
            case (True, False, True):
                return ((a, p, b) for a, b in graph.pairs(p))  # type: ignore[arg-type,misc]
        return graph.triples()


class _Overlay(Store):
    """rdflib's store over a ``Base``, with triples added and removed; it notes what is read when asked to."""

    #: pySHACL wraps every graph as a dataset and asks for this; there is one context only.
    context_aware = True
    graph_aware = True
    formula_aware = False
    transaction_aware = False

    def __init__(self, base: Base, added: frozenset[Triple], removed: frozenset[Triple]) -> None:
        super().__init__()
        self._base, self._added, self._removed = base, added - removed, removed
        self._prefixes: dict[str, URIRef] = {}
        self.reads: set[Triple] | None = None
        self.deadline = float("inf")
        self._read = 0

    def _tick(self) -> None:
        """Ends work that reads on and on, such as a query that joins everything with everything."""
        self._read += 1
        if not self._read & 255 and time.monotonic() > self.deadline:
            raise LimitExceeded("the shapes took too long", hint="raise the limit, or narrow the shapes' targets")

    def triples(self, triple_pattern: Any, context: Any = None) -> Iterator[tuple[Triple, Iterator[None]]]:
        s, p, o = triple_pattern
        self._tick()
        for triple in self._base.triples(s, p, o):
            self._tick()
            if triple not in self._removed and triple not in self._added:
                if self.reads is not None:
                    self.reads.add(triple)
                yield triple, iter(())
        for triple in self._added:
            if (s is None or s == triple[0]) and (p is None or p == triple[1]) and (o is None or o == triple[2]):
                if self.reads is not None:
                    self.reads.add(triple)
                yield triple, iter(())

    def add_graph(self, graph: Any) -> None:
        """Nothing: the one context is there."""

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
        raise TypeError("this view of the graph is read-only")

    def remove(self, triple: Any, context: Any = None) -> None:
        raise TypeError("this view of the graph is read-only")

    def __len__(self, context: Any = None) -> int:
        new = sum(not any(self._base.triples(*triple)) for triple in self._added)
        return len(self._base) + new - sum(any(self._base.triples(*triple)) for triple in self._removed)

    def bind(self, prefix: str, namespace: URIRef, override: bool = True) -> None:
        self._prefixes[prefix] = namespace

    def namespaces(self) -> Iterator[tuple[str, URIRef]]:
        yield from list(self._prefixes.items())

    def namespace(self, prefix: str) -> URIRef | None:
        return self._prefixes.get(prefix)

    def prefix(self, namespace: URIRef) -> str | None:
        return next((prefix for prefix, known in self._prefixes.items() if known == namespace), None)


class _Queried(RdflibGraph):
    """An rdflib graph that parses each SPARQL query once (parsing costs more than evaluating at one focus node)."""

    parsed: dict[str, Query] | None = None

    def query(self, query_object: Any, *rest: Any, **options: Any) -> Result:
        if isinstance(query_object, str) and self.parsed is not None:
            known = self.parsed.get(query_object)
            if known is None:
                known = self.parsed[query_object] = prepareQuery(query_object, initNs=dict(self.namespaces()))
            query_object = known
        return super().query(query_object, *rest, **options)


class View(_Queried):
    """A read-only rdflib graph: a graph with some triples more and some fewer."""

    def __init__(self, store: _Overlay) -> None:
        super().__init__(store=store, bind_namespaces="none")
        self._overlay = store

    def until(self, deadline: float) -> View:
        """The view itself, which from ``deadline`` (of ``time.monotonic``) on raises LimitExceeded when it is read."""
        self._overlay.deadline = deadline
        return self

    def watch(self) -> set[Triple]:
        """From now on, the triples that are read: the set grows as they are."""
        self._overlay.reads = set()
        return self._overlay.reads


def view(
    base: Base,
    *,
    added: Iterable[Triple] = (),
    removed: Iterable[Triple] = (),
    prefixes: Mapping[str, str] | None = None,
    parsed: dict[str, Query] | None = None,
) -> View:
    """The graph with ``added`` and without ``removed`` (which wins). ``parsed`` is a cache of queries to share."""
    seen = View(_Overlay(base, frozenset(added), frozenset(removed)))
    seen.parsed = {} if parsed is None else parsed
    for prefix, namespace in (prefixes or {}).items():
        seen.bind(prefix, namespace)
    return seen


def memory_copy(base: Base, prefixes: Mapping[str, str]) -> RdflibGraph:
    """All triples in rdflib's own memory, for checks of the whole graph."""
    copy = _Queried(bind_namespaces="none")
    copy.parsed = {}
    for prefix, namespace in prefixes.items():
        copy.bind(prefix, namespace)
    for triple in base.triples(None, None, None):
        copy.add(triple)
    return copy
