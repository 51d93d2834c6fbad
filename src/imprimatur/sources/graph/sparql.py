"""SPARQL over the graph: the store it runs on, and ASK queries that find evidence again.

Terms are always written by ``terms`` (escaped), so no label or literal of a graph can change a query. Blank nodes of
the evidence become variables. Queries that call other services are refused: nothing leaves the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from imprimatur._expressions import expression
from imprimatur.errors import KnowledgeBaseError

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.graph.facts import Fact
    from imprimatur.sources.graph.store import Graph

    _Object = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

__all__ = ["ask", "ask_triples", "build_store", "calls_service", "run"]

_SERVICE = expression(r"\bSERVICE\b", re.IGNORECASE)
#: What may hide the word in a query that calls no service: strings, IRIs and comments.
_QUOTED = expression(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|<[^<>"{}|^`\\\s]*>|#[^\n]*')


def build_store(graph: Graph) -> ox.Store:
    """A new in-memory store that holds the graph's triples in its default graph."""
    import pyoxigraph as ox  # only for queries: most checks write some and run none

    terms: list[_Object | None] = [None] * graph.term_count

    def term(number: int) -> _Object:
        made = terms[number]
        if made is None:
            made = terms[number] = _term(graph, number)
        return made

    def quads() -> Iterator[ox.Quad]:
        for s, p, o in graph.triples():
            yield ox.Quad(term(s), term(p), term(o))  # type: ignore[arg-type]

    store = ox.Store()
    store.bulk_extend(quads())
    return store


def _term(graph: Graph, number: int) -> _Object:
    import pyoxigraph as ox

    if graph.is_literal(number):
        literal = graph.literal(number)
        if literal.lang:
            return ox.Literal(literal.lexical, language=literal.lang)
        return ox.Literal(literal.lexical, datatype=ox.NamedNode(literal.datatype))
    if graph.is_iri(number):
        return ox.NamedNode(graph.iri(number))
    parts = graph.triple_term(number)
    if parts is None:
        return ox.BlankNode(graph.iri(number)[2:])
    inner = [_term(graph, part) for part in (parts.subject, parts.predicate, parts.object)]
    return ox.Triple(*inner)  # type: ignore[arg-type]


def calls_service(query: str) -> bool:
    """Whether a query may call another service."""
    return bool(_SERVICE.search(query) and _SERVICE.search(_QUOTED.sub(" ", query)))


def run(store: ox.Store, query: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
    """The result of a query.

    Raises:
        KnowledgeBaseError: malformed, failed, or it calls a service.
    """
    if calls_service(query):
        raise KnowledgeBaseError("SERVICE is not allowed", hint="load what you need as a file", where=query[:200])
    try:
        return store.query(query)
    except (SyntaxError, ValueError, RuntimeError, OSError) as error:
        raise KnowledgeBaseError(f"the query failed: {error}", where=query[:200]) from error


def ask_triples(graph: Graph, triples: Iterable[tuple[int, int, int]]) -> str:
    """An ASK query that is true exactly where these triples stand (blank nodes: up to renaming)."""

    def text(number: int) -> str:
        if graph.iri(number).startswith("_:") and not graph.is_literal(number):
            return "?" + graph.iri(number)[2:]
        parts = graph.triple_term(number)
        if parts is None:
            return graph.n3(number)
        return f"<<( {text(parts.subject)} {text(parts.predicate)} {text(parts.object)} )>>"

    lines = dict.fromkeys(" ".join(text(number) for number in triple) + " ." for triple in triples)
    return "ASK { " + " ".join(lines) + " }"


def ask(graph: Graph, fact: Fact) -> str:
    """An ASK query over the asserted triples that a fact rests on; it finds the evidence again when run as given."""
    return ask_triples(graph, ((step.s, step.p, step.o) for step in fact.steps))
