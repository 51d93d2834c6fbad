"""What is in a property graph: labels, types of relationships, keys with the kinds of their values, and indexes.

Five queries that count, each within a time and a number of rows; what is more is an error. Kinds are words: ``string``,
``integer``, ``float``, ``boolean``, ``list``, ``date``, ``datetime``, ``time``, ``duration``, ``point``, ``vector``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import CheckFailed
from imprimatur.sources.property.connection import Connection, Table

__all__ = ["EdgeKey", "Ends", "Index", "NodeKey", "PropertySchema", "discover"]

#: By the words of FalkorDB (``typeOf``) and Neo4j (``valueType``) in small letters, without what follows the first one.
_KINDS = {
    **{"string": "string", "integer": "integer", "float": "float", "boolean": "boolean", "list": "list"},
    **{"date": "date", "datetime": "datetime", "localdatetime": "datetime", "zoned": "datetime", "time": "time"},
    **{"duration": "duration", "point": "point", "vectorf32": "vector", "vector": "vector", "array": "list"},
}
_LOCAL = {"local datetime": "datetime", "local time": "time", "zoned datetime": "datetime", "zoned time": "time"}
_NODES = "MATCH (n) RETURN labels(n) AS labels, count(*) AS count"
_KEYS = "MATCH (n) UNWIND keys(n) AS key RETURN labels(n) AS labels, key, {kind}(n[key]) AS kind, count(*) AS count"
_ENDS = "MATCH (a)-[r]->(b) RETURN type(r) AS type, labels(a) AS start, labels(b) AS finish, count(*) AS count"
_EDGES = "MATCH ()-[r]->() UNWIND keys(r) AS key RETURN type(r) AS type, key, {kind}(r[key]) AS kind, count(*) AS count"
_INDEXES = {
    "falkordb": "CALL db.indexes() YIELD label, properties, types, entitytype "
    "RETURN label, properties, types, entitytype",
    "bolt": "SHOW INDEXES YIELD labelsOrTypes, properties, type, entityType",
}


@dataclass(frozen=True, slots=True)
class NodeKey:
    """A key of the nodes that have exactly these labels, with one kind of its values, and how many there are."""

    labels: tuple[str, ...]
    key: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class EdgeKey:
    """A key of the relationships of a type, with one kind of its values, and how many there are."""

    type: str
    key: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Ends:
    """How many relationships of a type lead from nodes with these labels to nodes with those."""

    type: str
    start: tuple[str, ...]
    finish: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Index:
    """An index: of nodes with a label or relationships of a type, over keys; ``kind``: range, fulltext or vector."""

    label: str
    key: str
    kind: str
    relationships: bool = False


@dataclass(frozen=True, kw_only=True)
class PropertySchema:
    """What a graph has. ``nodes`` counts nodes by all their labels, sorted."""

    nodes: Mapping[tuple[str, ...], int]
    keys: tuple[NodeKey, ...] = ()
    ends: tuple[Ends, ...] = ()
    edge_keys: tuple[EdgeKey, ...] = ()
    indexes: tuple[Index, ...] = ()

    @cached_property
    def labels(self) -> Mapping[str, int]:
        """Nodes by label, sorted by label."""
        return _summed((label, count) for labels, count in self.nodes.items() for label in labels)

    @cached_property
    def types(self) -> Mapping[str, int]:
        """Relationships by type, sorted by type."""
        return _summed((each.type, each.count) for each in self.ends)

    @cached_property
    def kinds(self) -> Mapping[str, Mapping[str, int]]:
        """For each key of nodes how many values of each kind it has."""
        found: dict[str, Counter[str]] = {}
        for each in self.keys:
            found.setdefault(each.key, Counter())[each.kind] += each.count
        return {key: dict(sorted(found[key].items())) for key in sorted(found)}

    def keys_of(self, label: str) -> Mapping[str, frozenset[str]]:
        """The keys of nodes with a label, and the kinds of their values there."""
        found: dict[str, set[str]] = {}
        for each in self.keys:
            if label in each.labels:
                found.setdefault(each.key, set()).add(each.kind)
        return {key: frozenset(found[key]) for key in sorted(found)}

    def has(self, labels: tuple[str, ...], key: str) -> bool:
        """Whether a node with exactly these labels has a key."""
        return (labels, key) in self._pairs

    @cached_property
    def _pairs(self) -> frozenset[tuple[tuple[str, ...], str]]:
        return frozenset((each.labels, each.key) for each in self.keys)


def discover(connection: Connection, *, seconds: float = 30.0, most: int = 20_000) -> PropertySchema:
    """The schema of a graph, exactly.

    Raises:
        RuntimeFault: as ``Connection.read``.
    """

    def read(query: str) -> Table:
        return connection.read(query, seconds=seconds, most=most)

    dialect = connection.dialect
    kind = "typeOf" if dialect == "falkordb" else "valueType"
    nodes: Counter[tuple[str, ...]] = Counter()
    for labels, count in read(_NODES).rows:
        nodes[_labels(labels)] += int(count)
    keys: Counter[tuple[tuple[str, ...], str, str]] = Counter()
    for labels, key, named, count in read(_KEYS.format(kind=kind)).rows:
        keys[_labels(labels), str(key), _kind(named)] += int(count)
    ends: Counter[tuple[str, tuple[str, ...], tuple[str, ...]]] = Counter()
    for type_, start, finish, count in read(_ENDS).rows:
        ends[str(type_), _labels(start), _labels(finish)] += int(count)
    edge_keys: Counter[tuple[str, str, str]] = Counter()
    for type_, key, named, count in read(_EDGES.format(kind=kind)).rows:
        edge_keys[str(type_), str(key), _kind(named)] += int(count)
    return PropertySchema(
        nodes=dict(sorted(nodes.items())),
        keys=tuple(NodeKey(*each, count) for each, count in sorted(keys.items())),
        ends=tuple(Ends(*each, count) for each, count in sorted(ends.items())),
        edge_keys=tuple(EdgeKey(*each, count) for each, count in sorted(edge_keys.items())),
        indexes=_indexes(connection, seconds),
    )


def _indexes(connection: Connection, seconds: float) -> tuple[Index, ...]:
    """The indexes; none where the server does not tell them, for they only make things quick."""
    try:
        rows = connection.read(_INDEXES[connection.dialect], seconds=seconds).rows
    except CheckFailed:
        return ()
    found = set()
    for label, keys, kinds, entity in rows:
        edges = "REL" in str(entity).upper()
        for name in label if isinstance(label, list) else [label]:
            for key in keys or ():
                for kind in kinds.get(key, ()) if isinstance(kinds, dict) else [kinds]:
                    found.add(Index(str(name), str(key), str(kind).lower(), edges))
    return tuple(sorted(found, key=lambda each: (each.label, each.key, each.kind, each.relationships)))


def _labels(value: Any) -> tuple[str, ...]:
    return tuple(sorted(str(each) for each in value or ()))


def _kind(value: Any) -> str:
    low = str(value).lower().removesuffix(" not null")
    return _LOCAL.get(low) or _KINDS.get(low.partition("<")[0].partition(" ")[0], low)


def _summed(pairs: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    for name, count in pairs:
        found[name] += count
    return dict(sorted(found.items()))
