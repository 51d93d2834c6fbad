"""The property graph that a knowledge base mirrors, as retrieval asks for it (implements ``PropertyStore``).

The connection, the mapping and the schema are those of the knowledge base, so that what retrieval reads is what judging
reads: one graph, and with it one tenant. Hidden labels, types and keys are told to nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from imprimatur.knowledge import Knowledge
from imprimatur.retrieve.chain import Facts
from imprimatur.retrieve.cypher_terms import GraphTerms, TypeTerms

if TYPE_CHECKING:
    from imprimatur.sources.property.graph import PropertyGraph
    from imprimatur.sources.property.schema import PropertySchema
    from imprimatur.sources.property.translation import Translation

__all__ = ["StoredGraph", "stored_graph"]

#: Keys that hold the whole IRI of a thing.
_IRIS = ("iri", "uri")


def stored_graph(knowledge: Knowledge, facts: Facts) -> StoredGraph | None:
    """The property graph that a knowledge base mirrors; None where it mirrors none."""
    part = knowledge.part
    if part is None or part.live is None or part.live.remote.language != "cypher":
        return None
    from imprimatur.sources.property.graph import PropertyGraph

    remote = part.live.remote
    named = knowledge.config.graph.endpoint
    trust = named.trust if named is not None else "derived"
    return StoredGraph(remote, facts, trust) if isinstance(remote, PropertyGraph) else None


class StoredGraph:
    """One property graph with its mirror."""

    def __init__(self, graph: PropertyGraph, facts: Facts, trust: str) -> None:
        self.connection = graph.connection
        self.trust = trust
        self._graph, self._facts = graph, facts

    def terms(self) -> GraphTerms:
        """Labels, types and keys, as they were when the graph was last read as a whole. Raises as ``read``.

        A label that a hidden node has beside its hidden one is not among them: who matches it would read that node.
        """
        translation = self._graph.translation
        mapping, schema = translation.mapping, translation.schema
        hidden = set(translation.hidden_keys)
        unread = [names for names in schema.nodes if translation.is_hidden(names)]
        beside = {name for names in unread for name in names}
        labels = {
            label: {
                key: " or ".join(sorted(kinds)) for key, kinds in schema.keys_of(label).items() if key not in hidden
            }
            for label in schema.labels
            if label not in beside
        }
        types = {}
        for name in schema.types:
            ends, open_ = _ends(schema, name, translation)
            if ends and not mapping.type(name).hidden:
                types[name] = TypeTerms(_edge_keys(schema, name, hidden), ends, open_)
        return GraphTerms(
            labels=labels, types=types, label_needed=bool(unread), type_needed=len(types) < len(schema.types)
        )

    def iri(self, node: Mapping[str, Any]) -> str:
        """Which thing of the mirror a node is; "" for one that is hidden, or is no node."""
        from imprimatur.sources.property.translation import Node

        try:
            number, labels, properties = node["id"], tuple(sorted(node["labels"])), node["properties"]
        except (KeyError, TypeError):
            return ""
        translation = self._graph.translation
        return "" if translation.is_hidden(labels) else translation.iri(Node(number, labels, properties))

    def found_by(self, iri: str) -> tuple[str, str, str] | None:
        """A label, a key and a text by which a query finds a thing: its name where it has one, else its IRI."""
        number = self._facts.graph.id(iri)
        if number is None:
            return None
        translation = self._graph.translation
        name = self._facts.graph.label(number)
        for label in self._labels_of(number):
            keys = translation.schema.keys_of(label)
            key = next((key for key in self._naming.get(label, ()) if key in keys), "")
            if key and name:
                return label, key, name
            own = next((key for key in _IRIS if key in keys), "")
            if own:
                return label, own, iri
        return None

    def means(self, name: str) -> Sequence[str]:
        """The properties of the mirror that a relationship type or a key stands for."""
        translation = self._graph.translation
        found = (translation.type_iri(name), translation.key_iri(name))
        return tuple(iri for iri in dict.fromkeys(found) if self._facts.schema.property(iri) is not None)

    def _labels_of(self, number: int) -> Sequence[str]:
        classes = set(self._facts.schema.types(number))
        return [label for label, iri in self._classes.items() if iri in classes]

    @cached_property
    def _classes(self) -> Mapping[str, str]:
        """The class of each label."""
        translation = self._graph.translation
        return {label: translation.class_iri(label) for label in translation.schema.labels}

    @cached_property
    def _naming(self) -> Mapping[str, tuple[str, ...]]:
        """The keys that name nodes with a label."""
        translation = self._graph.translation
        found: dict[str, dict[str, None]] = {}
        for labels in translation.schema.nodes:
            for label in labels:
                found.setdefault(label, {})[translation.naming_key(labels)] = None
        return {label: tuple(key for key in keys if key) for label, keys in found.items()}


def _edge_keys(schema: PropertySchema, name: str, hidden: Collection[str]) -> Mapping[str, str]:
    found: dict[str, set[str]] = {}
    for each in schema.edge_keys:
        if each.type == name and each.key not in hidden:
            found.setdefault(each.key, set()).add(each.kind)
    return {key: " or ".join(sorted(kinds)) for key, kinds in found.items()}


def _ends(schema: PropertySchema, name: str, translation: Translation) -> tuple[frozenset[tuple[str, str]], bool]:
    """The pairs of labels that a type leads between ("" is a node without any), and whether there are hidden ends."""
    all_ = [each for each in schema.ends if each.type == name]
    read = [each for each in all_ if not (translation.is_hidden(each.start) or translation.is_hidden(each.finish))]
    pairs = {(one, other) for each in read for one in each.start or ("",) for other in each.finish or ("",)}
    return frozenset(pairs), len(read) < len(all_)
