"""Nodes and relationships as triples, by a mapping, a local ontology and what the graph has (its schema).

A label is a class, a key a property, a type of relationships a property; one whose name the ontology knows is the
ontology's. A relationship with a time becomes a statement: ``start –held→ statement –property→ end``, with the first
and last day at the statement. Contract: what a node or relationship says depends on it, the mapping, the ontology and
the schema alone, so that what is read now can be compared with what was read before; a value that cannot be written
exactly is left out, which ``left_of`` tells; a time that cannot be read leaves a time that is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.sources.graph.terms import RDF, RDFS, SKOS, RdfLiteral
from imprimatur.sources.property.doubts import falls_short, is_doubt, is_taken_back
from imprimatur.sources.property.identity import is_iri, is_taken, node_iri, shown_label, statement_iri
from imprimatur.sources.property.literals import literals, time_literal
from imprimatur.sources.property.mapping import IRI, PropertyMapping, time_of
from imprimatur.sources.property.ontology import OntologyTerms
from imprimatur.sources.property.schema import PropertySchema
from imprimatur.sources.property.tenses import times
from imprimatur.sources.property.values import Unread

__all__ = ["TIMES", "Edge", "Node", "Translation", "Triple"]

#: Subject, predicate and value, an IRI or a literal.
Triple = tuple[str, str, str | RdfLiteral]
#: The properties of a statement by the side of its time; the graph engine knows them whatever their values look like.
TIMES = {
    "first": "https://schema.org/startDate",
    "last": "https://schema.org/endDate",
    "point": "http://www.wikidata.org/prop/qualifier/P585",
}
_LABEL, _OTHER = RDFS + "label", SKOS + "altLabel"
_LONGEST_NAME = 200
#: What is no name though it is a text: numbers, hashes, UUIDs and the like.
_CODE = expression(
    r"[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{2,}){0,8}|[\W\d_]*|[^\s]*[0-9][^\s]*|[A-Za-z][A-Za-z0-9+.-]*:[^\s]*"
)


class Node(NamedTuple):
    """A node as the server has it; ``properties`` without vectors and hidden keys."""

    number: int
    labels: tuple[str, ...]
    properties: Mapping[str, Any]


class Edge(NamedTuple):
    """A relationship as the server has it."""

    number: int
    type: str
    start: int
    finish: int
    properties: Mapping[str, Any]


class Translation:
    """See the module."""

    def __init__(self, mapping: PropertyMapping, ontology: OntologyTerms, schema: PropertySchema) -> None:
        self.mapping, self.ontology, self.schema = mapping, ontology, schema
        self._naming: dict[tuple[str, ...], str] = {}

    # -- terms --------------------------------------------------------------------------------------------------------
    def class_iri(self, label: str) -> str:
        """The class that a label is."""
        return self.mapping.label(label).iri or self.ontology.class_of(label) or self._made("class", label)

    def key_iri(self, key: str) -> str:
        """The property that a key of nodes is."""
        return self.mapping.key(key).property or self.ontology.property_of(key) or self._made("property", key)

    def type_iri(self, type_: str) -> str:
        """The property that a type of relationships is."""
        return self.mapping.type(type_).property or self.ontology.property_of(type_) or self._made("relation", type_)

    def held_iri(self, type_: str) -> str:
        """The property that leads to the statements of a type of relationships."""
        return self._made("held", type_)

    def datatype(self, key: str) -> str:
        """The datatype of a key's values; empty where each has its own."""
        return self.mapping.key(key).datatype or self.ontology.datatypes.get(self.key_iri(key), "")

    def _made(self, kind: str, name: str) -> str:
        return f"{self.mapping.base}{kind}/{quote(name, safe='', errors='surrogatepass')}"

    @cached_property
    def hidden_keys(self) -> tuple[str, ...]:
        """Keys that are not read at all: those that are said to be hidden, and those that hold nothing but vectors."""
        kinds = self.schema.kinds
        vectors = [key for key, found in kinds.items() if set(found) == {"vector"}]
        said = [key for key, rule in self.mapping.keys.items() if rule.hidden]
        return tuple(sorted({*self.mapping.hidden, *vectors, *said}))

    @cached_property
    def place_keys(self) -> tuple[str, ...]:
        """All keys that may say which thing a node is."""
        return tuple(dict.fromkeys([*self.mapping.id, *(k for each in self.mapping.labels.values() for k in each.id)]))

    @cached_property
    def identity_keys(self) -> tuple[str, ...]:
        """All keys that may say which thing a node is, or how it is called: what must be known of the end of a link."""
        found = [*self.mapping.id, *self.mapping.names]
        for rule in self.mapping.labels.values():
            found += [*rule.id, *rule.names]
        return tuple(dict.fromkeys(found))

    @cached_property
    def end_keys(self) -> tuple[str, ...]:
        """All keys of the end of a link that are read with it: which thing it is, and whether it is one at all."""
        doubts = [key for key in self.schema.kinds if is_doubt(key) and key not in self.hidden_keys]
        return tuple(dict.fromkeys([*self.identity_keys, *doubts]))

    # -- nodes --------------------------------------------------------------------------------------------------------
    def is_hidden(self, labels: Sequence[str]) -> bool:
        """Whether nodes with these labels are left out."""
        return any(self.mapping.label(label).hidden for label in labels)

    def is_left(self, node: Node) -> bool:
        """Whether a node is left out: by its labels, or because the graph takes it back."""
        return self.is_hidden(node.labels) or is_taken_back(node.properties, self.hidden_keys)

    def id_keys(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The keys that say which thing a node with these labels is."""
        for label in sorted(labels):
            if found := self.mapping.label(label).id:
                return found
        return self.mapping.id

    def iri(self, node: Node) -> str:
        """The thing that a node is."""
        keys = self.id_keys(node.labels)
        # A node that were one of the ontology's terms would say what that means, and is called.
        told = {key: v for key in keys if (v := node.properties.get(key)) is not None and not self._is_taken(v)}
        return node_iri(self.mapping.base, (node.number, node.labels, told), keys, bool(self._names(node)))

    def _is_taken(self, value: Any) -> bool:
        return isinstance(value, str) and (value in self.ontology.known or is_taken(self.mapping.base, value))

    def node(self, node: Node) -> Iterator[Triple]:
        """What a node says of itself."""
        thing = self.iri(node)
        for label in node.labels:
            if not label.startswith("__"):
                yield thing, RDF + "type", self.class_iri(label)
        naming, aliases = self.naming_key(node.labels), self._aliases(node.labels)
        names = self._names(node)
        for at, name in enumerate(names):
            yield thing, _OTHER if at else self._name_property(naming), name
        identity = set(self.id_keys(node.labels)) - set(self.mapping.keys)
        for key in sorted(node.properties):
            if key in identity or key in self.hidden_keys or (key == naming and names):
                continue
            value = node.properties[key]
            if key in aliases:
                yield from ((thing, _OTHER, each) for each in self._literals(key, value))
            elif self.datatype(key) == IRI:
                yield from ((thing, self.key_iri(key), each) for each in self._things(key, value))
            else:
                yield from ((thing, self.key_iri(key), each) for each in self._literals(key, value))

    def _name_property(self, key: str) -> str:
        return self.mapping.key(key).property or _LABEL

    def naming_key(self, labels: tuple[str, ...]) -> str:
        """The key that names nodes with these labels; empty where none does."""
        found = self._naming.get(labels)
        if found is None:
            wanted = next((names for label in labels if (names := self.mapping.label(label).names)), self.mapping.names)
            found = self._naming[labels] = next((key for key in wanted if self.schema.has(labels, key)), "")
        return found

    def _aliases(self, labels: Sequence[str]) -> frozenset[str]:
        return frozenset((*self.mapping.aliases, *(key for each in labels for key in self.mapping.label(each).aliases)))

    def _names(self, node: Node) -> list[RdfLiteral]:
        """What a node is called, the main name first: by the key that names its like, or else by a key that says which
        it is, where that is a word and no code."""
        naming = self.naming_key(node.labels)
        language = self.mapping.key(naming).language if naming else ""
        if naming:
            found = node.properties.get(naming)
        else:
            keys = (key for key in self.id_keys(node.labels) if key not in ("iri", "uri"))
            found = next((v for key in keys if isinstance(v := node.properties.get(key), str)), None)
            found = None if found is None or _CODE.fullmatch(found) else found
        texts = [each for each in (found if isinstance(found, list) else [found]) if isinstance(each, str)]
        kept = [each for each in texts if each.strip() and len(each) <= _LONGEST_NAME]
        return [RdfLiteral(each, lang=language) if language else RdfLiteral(each) for each in dict.fromkeys(kept)]

    def _literals(self, key: str, value: Any) -> Iterator[RdfLiteral]:
        found = literals(value, self.datatype(key), self.mapping.key(key).language)
        yield from (each for each in found if not isinstance(each, Unread))

    def _things(self, key: str, value: Any) -> Iterator[str]:
        yield from (each for each in (value if isinstance(value, list) else [value]) if is_iri(each))

    def left_of(self, node: Node) -> Iterator[tuple[str, str]]:
        """The values of a node that are not read: the key, and what they are."""
        if self.is_hidden(node.labels):
            return
        if self.is_left(node):
            yield shown_label(node.labels) or "node", "node that the graph takes back"
            return
        identity = self.id_keys(node.labels)
        for key, value in node.properties.items():
            if key in identity or key in self.hidden_keys:
                continue
            datatype = self.datatype(key)
            if datatype == IRI:
                values = value if isinstance(value, list) else [value]
                yield from ((key, "value that is no IRI") for each in values if not is_iri(each))
            else:
                found = literals(value, datatype, self.mapping.key(key).language)
                yield from ((key, each.kind) for each in found if isinstance(each, Unread))

    # -- relationships ------------------------------------------------------------------------------------------------
    def edge(self, edge: Edge, start: str, finish: str) -> Iterator[Triple]:
        """What a relationship says; ``start`` and ``finish`` are the things that its ends are."""
        rule = self.mapping.type(edge.type)
        if rule.hidden or self._is_no_fact(edge):
            return
        subject, value = (finish, start) if rule.inverse else (start, finish)
        relation = self.type_iri(edge.type)
        told = self._times(edge)
        if not told:
            yield subject, relation, value
            return
        statement = self.statement(edge, start, finish)
        yield subject, self.held_iri(edge.type), statement
        yield statement, relation, value
        yield from ((statement, TIMES[side], found) for side, found in told)

    def _is_no_fact(self, edge: Edge) -> bool:
        """Whether the graph takes a relationship back, or it is not sure enough."""
        rule = self.mapping.type(edge.type)
        return is_taken_back(edge.properties, rule.times) or falls_short(edge.properties, rule)

    def statement(self, edge: Edge, start: str, finish: str) -> str:
        """The statement that a relationship with a time is."""
        said = (start, edge.type, finish, [(side, each.lexical, each.datatype) for side, each in self._times(edge)])
        return statement_iri(edge.start, edge.number, said)

    def _times(self, edge: Edge) -> list[tuple[str, RdfLiteral]]:
        return times(edge.type, edge.properties, self.mapping.type(edge.type))

    def is_timed(self, type_: str) -> bool:
        """Whether some relationships of a type are statements with a time."""
        rule = self.mapping.type(type_)
        keys = (each.key for each in self.schema.edge_keys if each.type == type_)
        return bool(times(type_, {}, rule)) or any(time_of(rule, key) != "none" for key in keys)

    def left_of_edge(self, edge: Edge) -> Iterator[tuple[str, str]]:
        """The values of a relationship that are not read: type and key, and what they are."""
        rule = self.mapping.type(edge.type)
        if rule.hidden:
            return
        if self._is_no_fact(edge):
            yield edge.type, "relationship that the graph takes back, or that is not sure enough"
            return
        told = {*rule.times, *rule.only, *rule.least}
        for key, value in edge.properties.items():
            side = time_of(rule, key)
            if side == "none" and key not in told and not is_doubt(key):
                yield f"{edge.type}.{key}", "key of a relationship"
            elif side != "none" and isinstance(read := time_literal(value), Unread):
                yield f"{edge.type}.{key}", read.kind
