"""A property graph as a graph of triples behind an address (implements ``RemoteGraph``).

All of it is read by ``quads`` in pages; ``facts`` reads what some things have now, the same way. The stamp is a hash of
all that was read, with the mapping: where the server counts its changes, and has counted none since, nothing is read
again. Invariants: two nodes that would be one thing by their label and key are an error, and so is a relationship whose
end is not there; nothing is written.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from imprimatur.errors import CheckFailed, LimitExceeded, StoreUnavailable
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.property.asking import cypher
from imprimatur.sources.property.connection import Connection
from imprimatur.sources.property.declarations import declarations
from imprimatur.sources.property.identity import Place, place_of
from imprimatur.sources.property.mapping import PropertyMapping
from imprimatur.sources.property.ontology import OntologyTerms
from imprimatur.sources.property.reading import Reading
from imprimatur.sources.property.schema import PropertySchema, discover
from imprimatur.sources.property.translation import Edge, Node, Translation, Triple

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["PropertyGraph"]

#: So many things are asked about in one request.
_BATCH = 200
_LIVE_SECONDS = 10.0
_MOST_NAMED_LEFT = 5
#: Another number when nodes and relationships are translated in another way, so that no old mirror is used.
_FORM = 1


class PropertyGraph:
    """One property graph; it may be used by several threads."""

    language = "cypher"

    def __init__(
        self,
        connection: Connection,
        mapping: PropertyMapping | None = None,
        ontology: OntologyTerms | None = None,
        *,
        reading: Reading | None = None,
    ) -> None:
        """Asks nothing yet.

        Args:
            connection: the server.
            mapping: how it becomes triples.
            ontology: the terms of the knowledge base's own ontology.
            reading: how much is read at once; over the same connection.
        """
        self.connection = connection
        self.where = connection.where
        self.mapping = mapping or PropertyMapping()
        self.ontology = ontology or OntologyTerms()
        self._reading = reading or Reading(connection)
        self._live = Reading(connection, seconds=min(_LIVE_SECONDS, self._reading.seconds), most=self._reading.most)
        self._lock = threading.RLock()
        self._translation: Translation | None = None
        self._declared: tuple[Triple, ...] = ()
        self._known: tuple[str, str] | None = None
        self._left: Counter[tuple[str, str]] = Counter()

    # -- all of it ----------------------------------------------------------------------------------------------------
    def stamp(self) -> str:
        """A hash of the mapping and of everything in the graph.

        Raises:
            RuntimeFault: as ``Connection.read``.
        """
        with self._lock:
            revision = self.connection.revision()
            if revision is not None and self._known is not None and self._known[0] == revision:
                return self._known[1]
            told = repr((_FORM, self.mapping, self.ontology.content_hash))
            digest = hashlib.sha256(told.encode("utf-8", "surrogatepass"))
            self._left = Counter()
            for line in self._lines():
                digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
            made = digest.hexdigest()
            # What was written meanwhile is another revision: then it is read again the next time.
            self._known = (revision, made) if revision is not None and self.connection.revision() == revision else None
            return made

    def quads(self) -> Iterator[ox.Quad]:
        """All triples, each once.

        Raises:
            RuntimeFault: as ``Connection.read``; CheckFailed for two nodes that would be one thing.
        """
        import pyoxigraph as ox

        nodes: dict[str, ox.NamedNode] = {}

        def node(iri: str) -> ox.NamedNode:
            found = nodes.get(iri)
            if found is None:
                found = nodes[iri] = ox.NamedNode(iri)
            return found

        seen: set[Triple] = set()
        for triple in self._triples():
            if triple in seen:
                continue
            seen.add(triple)
            subject, predicate, value = triple
            try:
                term = _literal(value, node) if isinstance(value, RdfLiteral) else node(value)
                quad = ox.Quad(node(subject), node(predicate), term)
            except ValueError as fault:
                raise CheckFailed(f"a term that is none of RDF: {str(fault)[:200]}", where=self.where) from fault
            yield quad

    def _triples(self) -> Iterator[Triple]:
        translation = self._discovered()
        yield from self._declared
        things: dict[int, str] = {}
        hidden: set[int] = set()
        made: dict[str, int] = {}
        spans: list[tuple[int, int]] = []
        low = -1
        for page in self._reading.nodes():
            for each in page:
                if translation.is_left(each):
                    hidden.add(each.number)
                    continue
                iri = things[each.number] = translation.iri(each)
                self._once(made, iri, each.number)
                yield from translation.node(each)
            if len(things) > self._reading.most:
                raise LimitExceeded(f"more than {self._reading.most} nodes", where=self.where, hint="raise `most`")
            spans.append((low, page[-1].number))
            low = page[-1].number
        for span in spans:
            for edge in self._reading.edges(*span):
                if edge.start in hidden or edge.finish in hidden:
                    continue
                if edge.start not in things or edge.finish not in things:
                    raise StoreUnavailable("the graph changes while it is read", where=self.where)
                yield from translation.edge(edge, things[edge.start], things[edge.finish])

    def _once(self, made: dict[str, int], iri: str, number: int) -> None:
        """Raises CheckFailed where another node is the same thing by its label and key. (One IRI in two nodes is one
        thing of which both speak.)"""
        if place_of(self.mapping.base, iri).iri:
            return
        if made.setdefault(iri, number) != number:
            hint = "name the key that tells them apart under `id` in the file of the mapping"
            raise CheckFailed(f"two nodes are {iri[:200]}", where=self.where, hint=hint)

    def _lines(self) -> Iterator[str]:
        translation = self._discovered()
        yield repr((self.mapping.base, translation.schema.nodes, translation.schema.keys, translation.schema.ends))
        low = -1
        for page in self._reading.nodes():
            for node in page:
                self._left.update(translation.left_of(node))
                yield repr((node.number, node.labels, sorted(node.properties.items(), key=_first)))
            for edge in self._reading.edges(low, page[-1].number):
                self._left.update(translation.left_of_edge(edge))
                yield repr((edge[:4], sorted(edge.properties.items(), key=_first)))
            low = page[-1].number

    # -- some of it ---------------------------------------------------------------------------------------------------
    def facts(self, things: Sequence[str]) -> Mapping[str, frozenset[Triple]]:
        """What some things have now; a thing that is not there has an empty set.

        What classes and properties have is not on the server: it follows from what the graph had when it was read.

        Raises:
            RuntimeFault: as ``Connection.read``.
        """
        translation = self._settled()
        found: dict[str, set[Triple]] = {thing: set() for thing in things}
        wanted = list(found)
        for start in range(0, len(wanted), _BATCH):
            self._facts(wanted[start : start + _BATCH], translation, found)
        return {thing: frozenset(triples) for thing, triples in found.items()}

    def _facts(self, things: Sequence[str], translation: Translation, found: dict[str, set[Triple]]) -> None:
        for triple in self._declared:
            if triple[0] in found:
                found[triple[0]].add(triple)
        places = {thing: place_of(self.mapping.base, thing) for thing in things}
        nodes = {
            node.number: iri
            for node in self._nodes(places.values(), translation)
            if not translation.is_left(node) and (iri := self._said(node, translation, found)) in found
        }
        made: dict[str, int] = {}
        for number, iri in nodes.items():
            self._once(made, iri, number)
        for edge, end in self._live.out_of(nodes):
            self._edge(edge, (nodes[edge.start], None), (None, end), translation, found)
        inverse = [type_ for type_, rule in self.mapping.types.items() if rule.inverse]
        for edge, end in self._live.into(nodes, inverse):
            self._edge(edge, (None, end), (nodes[edge.finish], None), translation, found)
        pairs = [place.statement for place in places.values() if place.statement is not None]
        for edge, start, finish in self._live.held(pairs):
            self._edge(edge, (None, start), (None, finish), translation, found)

    def _said(self, node: Node, translation: Translation, found: dict[str, set[Triple]]) -> str:
        """Adds what a node says of itself, where it was asked for; the thing that it is."""
        iri = translation.iri(node)
        if iri in found:
            found[iri].update(translation.node(node))
        return iri

    def _edge(
        self,
        edge: Edge,
        start: tuple[str | None, Node | None],
        finish: tuple[str | None, Node | None],
        translation: Translation,
        found: dict[str, set[Triple]],
    ) -> None:
        """Adds what a relationship says of things that were asked for."""
        ends = []
        for iri, node in (start, finish):
            if node is not None and translation.is_left(node):
                return
            ends.append(iri if iri is not None else translation.iri(node) if node is not None else "")
        for triple in translation.edge(edge, *ends):
            if triple[0] in found:
                found[triple[0]].add(triple)

    def _nodes(self, places: Any, translation: Translation) -> list[Node]:
        """The nodes that may be the things at some places."""
        wanted = list(places)
        found = {node.number: node for node in self._live.by_number(p.number for p in wanted if p.number is not None)}
        for key in translation.place_keys:
            values = _values(wanted, iris=key in ("iri", "uri"))
            for node in self._live.by_key(key, values, translation.schema):
                found[node.number] = node
        return list(found.values())

    def query(self, subject: str, predicate: str, value: str) -> str:
        """Cypher that finds a triple again when it is run as it stands; the three in N-Triples."""
        return cypher(self._settled(), subject, predicate, value)

    # -- what is known of it ------------------------------------------------------------------------------------------
    @property
    def schema(self) -> PropertySchema:
        """What the graph had when it was last read as a whole."""
        return self._settled().schema

    @property
    def translation(self) -> Translation:
        """How it becomes triples, by what it had when it was last read as a whole."""
        return self._settled()

    def warnings(self) -> tuple[str, ...]:
        """What is not read, by key and kind of value, the most frequent first."""
        with self._lock:
            left = sorted(self._left.items(), key=lambda each: (-each[1], each[0]))
        told = [f"{count} × {key} ({kind})" for (key, kind), count in left[:_MOST_NAMED_LEFT]]
        more = [f"{len(left) - len(told)} more"] if len(left) > len(told) else []
        return (f"{self.where}: not read: {', '.join([*told, *more])}",) if told else ()

    def close(self) -> None:
        """Lets go of the connection."""
        self.connection.close()

    def _settled(self) -> Translation:
        with self._lock:
            return self._translation or self._discovered()

    def _discovered(self) -> Translation:
        with self._lock:
            schema = discover(self.connection, seconds=self._reading.seconds)
            made = Translation(self.mapping, self.ontology, schema)
            for reading in (self._reading, self._live):
                reading.hidden, reading.identity = made.hidden_keys, made.end_keys
            self._translation, self._declared = made, tuple(declarations(made))
            return made


def _first(pair: tuple[str, Any]) -> str:
    return pair[0]


def _values(places: Sequence[Place], *, iris: bool) -> list[Any]:
    """What a key may hold of the things at some places: whole IRIs, or texts and the numbers that they are."""
    found: dict[Any, None] = {place.iri: None for place in places if place.iri}
    if iris:
        return list(found)
    for place in places:
        if place.value:
            found[place.value] = None
            if place.value.lstrip("-").isdecimal() and place.value.isascii() and len(place.value) < 19:
                found[int(place.value)] = None
    return list(found)


def _literal(value: RdfLiteral, node: Any) -> ox.Literal:
    import pyoxigraph as ox

    if value.lang:
        return ox.Literal(value.lexical, language=value.lang)
    return ox.Literal(value.lexical, datatype=node(value.datatype))
