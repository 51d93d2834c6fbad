"""What a remote graph says of some things, as triples with the words for all that is in them.

Contract: of each thing all direct facts are there, or it is listed as left out and none are. Values are named too, so
that they can be spoken of, but their own facts are not fetched. Whatever an endpoint sends, what is written is one
triple a line, each term escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from imprimatur.sources.graph.terms import RDFS, SKOS, RdfLiteral, iri_text, literal_text
from imprimatur.sources.remote.endpoint import Endpoint, TooMany, Triple, Words

__all__ = ["Subgraph", "local", "triple_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subgraph:
    """Facts around some things.

    Attributes:
        facts: direct facts, each once, in the order in which they came.
        words: what things and properties are called.
        left_out: the things with too many facts.
    """

    facts: tuple[Triple, ...] = ()
    words: dict[str, Words]
    left_out: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The facts and names as N-Triples; of a fact whose property or value has no name, the fact alone."""
        yield from map(triple_text, self.facts)
        for thing, words in self.words.items():
            if words.label:
                yield triple_text((thing, RDFS + "label", RdfLiteral(words.label)))
            for alias in words.aliases:
                yield triple_text((thing, SKOS + "altLabel", RdfLiteral(alias)))


def local(endpoint: Endpoint, things: Iterable[str], *, incoming: bool = False) -> Subgraph:
    """The direct facts of things, with names; also those that have them as values, where these are wanted.

    Raises:
        ImprimaturError: as ``Endpoint.facts``, but for TooMany: such things are left out.
    """
    found: dict[Triple, None] = {}
    left_out: list[str] = []
    wanted = tuple(dict.fromkeys(things))
    for thing in wanted:
        try:
            facts = endpoint.facts(thing)
            if incoming:
                facts = (*facts, *endpoint.facts(thing, incoming=True))
        except TooMany:
            left_out.append(thing)
            continue
        found.update(dict.fromkeys(facts))
    named = dict.fromkeys(wanted)
    for subject, _, value in found:
        named[subject] = None
        if isinstance(value, str):
            named[value] = None
    words = endpoint.words(tuple(named)) | endpoint.property_words(tuple({p: None for _, p, _ in found}))
    return Subgraph(facts=tuple(found), words=words, left_out=tuple(left_out))


def triple_text(triple: Triple) -> str:
    """A triple as a line of N-Triples, without its line end."""
    subject, predicate, value = triple
    written = literal_text(value) if isinstance(value, RdfLiteral) else iri_text(value)
    return f"{iri_text(subject)} {iri_text(predicate)} {written} ."
