"""The queries of SPARQL rules (SHACL Advanced Features, 8.4), and the store that they run on.

A store is a copy of the graph, made when the first query needs it. ``Store.changed`` lends it with some triples more or
fewer and puts it back as it was, one borrower at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.shacl.facts import text_of
from imprimatur.sources.shacl.given import term_of
from imprimatur.sources.shacl.view import Edge, Term, Terms, View

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.graph.shapes_paths import Path
    from imprimatur.sources.graph.store import Graph

    _Oxigraph = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

__all__ = ["RuleQuery", "Store"]


class Store:
    """The triples of a graph for queries, copied on first use."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._store: ox.Store | None = None
        self._early: list[tuple[Edge, Terms]] = []
        self._lock = Lock()

    def copy(self) -> Store:
        """Another one of the same graph."""
        return Store(self._graph)

    def opened(self) -> ox.Store:
        """The store itself."""
        if self._store is None:
            from imprimatur.sources.graph.sparql import build_store

            self._store = build_store(self._graph)
            self._store.extend([_quad(edge, terms) for edge, terms in self._early])
            self._early.clear()
        return self._store

    def add(self, edges: Iterable[Edge], terms: Terms) -> None:
        """Adds triples for good."""
        if self._store is None:
            self._early += [(edge, terms) for edge in edges]
        else:
            self._store.extend([_quad(edge, terms) for edge in edges])

    @contextmanager
    def changed(self, view: View, *, added: Iterable[Edge] = (), removed: Iterable[Edge] = ()) -> Iterator[Store]:
        """The store with some triples more and some fewer, for as long as the context lasts."""
        more = [_quad(edge, view.terms) for edge in added]
        fewer = [_quad(edge, view.terms) for edge in removed]
        with self._lock:
            store = self.opened()
            new = [quad for quad in more if quad not in store]
            gone = [quad for quad in fewer if quad in store]
            try:
                store.extend(new)
                for quad in gone:
                    store.remove(quad)
                yield self
            finally:
                store.extend(gone)
                for quad in new:
                    store.remove(quad)


class RuleQuery:
    """The query of a rule, a CONSTRUCT with ``$this``, or of a target, a SELECT of ``?this``.

    Raises:
        KnowledgeBaseError: it is no text.
    """

    def __init__(self, text: Term, prefixes: Mapping[str, str], *, where: str) -> None:
        if not isinstance(text, RdfLiteral):
            raise KnowledgeBaseError("a query is no text", where=where)
        self.text, self._prefixes, self._where = text.lexical, dict(prefixes), where

    def run(self, store: Store, focus: int, view: View) -> Iterator[Edge]:
        """The triples that it constructs at a focus node.

        Raises:
            KnowledgeBaseError: it is malformed, or no CONSTRUCT query, or it calls a service.
            LimitExceeded: no time is left.
        """
        import pyoxigraph as ox

        view.check()
        found = self._asked(store, {ox.Variable("this"): _oxigraph(view.terms.term(focus))})
        if not isinstance(found, ox.QueryTriples):
            raise KnowledgeBaseError("sh:construct holds no CONSTRUCT query", where=self._where)
        for triple in found:
            view.tick()
            subject, predicate, object_ = (
                view.terms.number(term_of(part)) for part in (triple.subject, triple.predicate, triple.object)
            )
            yield subject, predicate, object_

    def nodes(self, store: Store, view: View) -> Iterator[int]:
        """The nodes that it selects.

        Raises:
            KnowledgeBaseError: it is malformed, or no SELECT query of ``?this``, or it calls a service.
            LimitExceeded: no time is left.
        """
        import pyoxigraph as ox

        view.check()
        found = self._asked(store, {})
        if not isinstance(found, ox.QuerySolutions) or ox.Variable("this") not in found.variables:
            raise KnowledgeBaseError("the sh:select of a target holds no SELECT of ?this", where=self._where)
        for solution in found:
            view.tick()
            node = solution["this"]
            if node is not None:
                yield view.terms.number(term_of(node))

    def _asked(
        self, store: Store, this: dict[ox.Variable, _Oxigraph]
    ) -> ox.QueryTriples | ox.QuerySolutions | ox.QueryBoolean:
        from imprimatur.sources.graph.sparql import calls_service

        if calls_service(self.text):
            raise KnowledgeBaseError("SERVICE is not allowed in a rule", where=self._where)
        try:
            return store.opened().query(self.text, prefixes=self._prefixes, substitutions=this)
        except (SyntaxError, ValueError, RuntimeError, OSError) as error:
            raise KnowledgeBaseError(f"bad SPARQL in a rule: {str(error)[:200]}", where=self._where) from error

    def reads(self) -> tuple[str, ...] | None:
        """The IRIs of the predicates that it reads; None when it may read any.

        Raises:
            KnowledgeBaseError: it is malformed.
        """
        from rdflib.plugins.sparql import prepareQuery

        from imprimatur.sources.graph.shapes_sparql import Unbounded, patterns

        try:
            parsed = prepareQuery(self.text, initNs=self._prefixes)
            found = [iri for each in patterns(parsed) for iri in _predicates(each.path)]
        except Unbounded:
            return None
        except Exception as error:  # rdflib raises many kinds; each means that it is no query
            raise KnowledgeBaseError(f"bad SPARQL in a rule: {str(error)[:200]}", where=self._where) from error
        known = tuple(dict.fromkeys(iri for iri in found if iri is not None))
        return None if None in found else known


def _predicates(path: Path) -> Iterator[str | None]:
    from imprimatur.sources.graph.shapes_paths import Repeat, Step

    if isinstance(path, Step):
        yield None if path.predicate is None else str(path.predicate)
    else:
        for part in (path.part,) if isinstance(path, Repeat) else path.parts:
            yield from _predicates(part)


def _quad(edge: Edge, terms: Terms) -> ox.Quad:
    import pyoxigraph as ox

    line = " ".join(text_of(terms.term(part)) for part in edge)
    quads: list[ox.Quad] = list(ox.parse(f"{line} .", format=ox.RdfFormat.N_TRIPLES))
    return quads[0]


def _oxigraph(term: Term) -> _Oxigraph:
    import pyoxigraph as ox

    if isinstance(term, RdfLiteral):
        if term.lang:
            return ox.Literal(term.lexical, language=term.lang)
        return ox.Literal(term.lexical, datatype=ox.NamedNode(term.datatype))
    return ox.BlankNode(term[2:]) if term.startswith("_:") else ox.NamedNode(term)
