"""What a graph states around some things, in words: those facts first that share most words with a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from imprimatur.extract.words import forms
from imprimatur.language.tokens import TokenKind, tokenise
from imprimatur.sources.graph.facts import Fact, Step
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.telling import told

__all__ = ["Around"]

#: So many facts of one thing are looked at, and so many things.
_FACTS, _THINGS = 500, 20


class Around:
    """Tells asserted facts of one graph; what only gives labels is left out."""

    def __init__(self, graph: Graph, schema: Schema, *, most: int) -> None:
        self._graph, self._schema, self._most = graph, schema, most

    def __call__(self, things: Sequence[str], text: str) -> tuple[str, ...]:
        """At most so many facts of some things, by IRI; of equal words, in the order of the graph."""
        wanted = _words(text)
        numbers = [number for iri in things[:_THINGS] if (number := self._graph.id(iri)) is not None]
        lines = dict.fromkeys(told(fact, self._graph, self._schema) for each in numbers for fact in self._facts(each))
        ranked = sorted(lines, key=lambda line: -len(wanted & _words(line)))
        return tuple(ranked[: self._most])

    def _facts(self, thing: int) -> Iterator[Fact]:
        graph = self._graph
        for p, o in islice(graph.out(thing), _FACTS):
            if not self._schema.gives_labels(graph.iri(p)):
                yield Fact(thing, graph.iri(p), o, (Step(thing, p, o, "asserted"),))
        for s, p in islice(graph.into(thing), _FACTS):
            if not self._schema.gives_labels(graph.iri(p)):
                yield Fact(thing, graph.iri(p), s, (Step(s, p, thing, "asserted"),), None, True)


def _words(text: str) -> frozenset[str]:
    found: set[str] = set()
    for token in tokenise(text[:4000]):
        if token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL):
            continue
        known = forms(token.lower)
        if not known.closed:
            found |= {form for form in (known.noun, known.verb, known.adj) if form} or {token.lower}
    return frozenset(found)
