"""The look-ups in a property graph that Imprimatur makes itself: fixed texts, every value a parameter.

Contract: each gives all there is or raises; pages go by internal numbers, so that nothing is given twice or skipped
while nothing is written. Labels, types and keys come from the server as values, never as a part of a query, but where a
look-up names the label and key of an index, in backticks that nothing in them can end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from imprimatur.errors import CheckFailed, StoreUnavailable
from imprimatur.sources.property.connection import Connection, Table
from imprimatur.sources.property.schema import PropertySchema
from imprimatur.sources.property.translation import Edge, Node

__all__ = ["Reading", "quoted"]

_NODE = "id({0}) AS {0}_id, labels({0}) AS {0}_labels, [k IN keys({0}) WHERE NOT k IN $hidden | [k, {0}[k]]] AS {0}_has"
#: Of the end of a relationship only what says which thing it is.
_END = (
    "id({0}) AS {0}_id, labels({0}) AS {0}_labels, [k IN $identity WHERE {0}[k] IS NOT NULL | [k, {0}[k]]] AS {0}_has"
)
_EDGE = "id(r) AS number, type(r) AS type, [k IN keys(r) | [k, r[k]]] AS has, id(a) AS start, id(b) AS finish"
_PAGE = f"MATCH (n) WHERE id(n) > $after RETURN {_NODE.format('n')} ORDER BY n_id LIMIT $page"
_EDGES = (
    "MATCH (a)-[r]->(b) WHERE id(a) > $low AND id(a) <= $high AND id(r) > $after "
    f"RETURN {_EDGE} ORDER BY number LIMIT $page"
)
_BY_NUMBER = f"UNWIND $numbers AS i MATCH (n) WHERE id(n) = i RETURN DISTINCT {_NODE.format('n')}"
_BY_KEY = f"MATCH (n{{label}}) WHERE n.{{key}} IN $values RETURN {_NODE.format('n')}"
_OUT = f"UNWIND $numbers AS i MATCH (a)-[r]->(b) WHERE id(a) = i RETURN {_EDGE}, {_END.format('b')}"
_IN = (
    f"UNWIND $numbers AS i MATCH (a)-[r]->(b) WHERE id(b) = i AND type(r) IN $types RETURN {_EDGE}, {_END.format('a')}"
)
_HELD = (
    f"UNWIND $pairs AS p MATCH (a)-[r]->(b) WHERE id(a) = p[0] AND id(r) = p[1] "
    f"RETURN {_EDGE}, {_END.format('a')}, {_END.format('b')}"
)


def quoted(name: str) -> str:
    """A label, type or key in backticks. Raises CheckFailed where it cannot be written so."""
    if "`" in name or "\x00" in name or not name:
        raise CheckFailed(f"{name[:40]!r} cannot stand in a query")
    return f"`{name}`"


class Reading:
    """Reads nodes and relationships over a connection.

    Args:
        connection: the server.
        seconds: the longest for one request.
        page: rows that are asked for at once. most: the most nodes, and the most relationships.
    """

    def __init__(
        self, connection: Connection, *, seconds: float = 60.0, page: int = 2000, most: int = 2_000_000
    ) -> None:
        self.connection = connection
        self.seconds, self.page, self.most = seconds, page, most
        self.hidden: tuple[str, ...] = ()
        self.identity: tuple[str, ...] = ()

    def nodes(self) -> Iterator[list[Node]]:
        """All nodes, in pages, in the order of their numbers."""
        after = -1
        while True:
            found = [_node(row) for row in self._read(_PAGE, after=after, page=self.page, hidden=self._hidden()).rows]
            if not found:
                return
            numbers = [node.number for node in found]
            if numbers != sorted(set(numbers)) or numbers[0] <= after:
                raise CheckFailed("the server gives nodes in another order", where=self.connection.where)
            yield found
            after = numbers[-1]

    def edges(self, low: int, high: int) -> Iterator[Edge]:
        """All relationships that start at nodes with these numbers (without the first, with the last)."""
        after = -1
        while True:
            given = self._read(_EDGES, low=low, high=high, after=after, page=self.page).rows
            found = [_edge(row) for row in given]
            yield from found
            if len(found) < self.page:
                return
            if found[-1].number <= after:
                raise CheckFailed("the server gives relationships in another order", where=self.connection.where)
            after = found[-1].number

    def by_number(self, numbers: Iterable[int]) -> list[Node]:
        """The nodes that are there of those with these internal numbers."""
        wanted = sorted(set(numbers))
        return [_node(row) for row in self._all(_BY_NUMBER, numbers=wanted, hidden=self._hidden())] if wanted else []

    def by_key(self, key: str, values: Sequence[Any], schema: PropertySchema) -> list[Node]:
        """The nodes that have one of these values in a key; by an index where all of them are in one."""
        if not values or key not in schema.kinds:
            return []
        found: dict[int, Node] = {}
        for label in self._indexed(key, schema) or [""]:
            query = _BY_KEY.format(label=f":{quoted(label)}" if label else "", key=quoted(key))
            for row in self._all(query, values=list(values), hidden=self._hidden()):
                found[_node(row).number] = _node(row)
        return list(found.values())

    def out_of(self, numbers: Iterable[int]) -> list[tuple[Edge, Node]]:
        """The relationships that start at nodes with these numbers, with the nodes that they lead to."""
        wanted = sorted(set(numbers))
        rows = self._all(_OUT, numbers=wanted, identity=list(self.identity)) if wanted else []
        return [(_edge(row[:5]), _node(row[5:8])) for row in rows]

    def into(self, numbers: Iterable[int], types: Sequence[str]) -> list[tuple[Edge, Node]]:
        """The relationships of these types that lead to nodes with these numbers, with the nodes where they start."""
        wanted = sorted(set(numbers))
        if not wanted or not types:
            return []
        rows = self._all(_IN, numbers=wanted, types=list(types), identity=list(self.identity))
        return [(_edge(row[:5]), _node(row[5:8])) for row in rows]

    def held(self, pairs: Iterable[tuple[int, int]]) -> list[tuple[Edge, Node, Node]]:
        """The relationships with these numbers (of their start, and their own), with both ends."""
        wanted = [list(pair) for pair in sorted(set(pairs))]
        rows = self._all(_HELD, pairs=wanted, identity=list(self.identity)) if wanted else []
        return [(_edge(row[:5]), _node(row[5:8]), _node(row[8:11])) for row in rows]

    def _indexed(self, key: str, schema: PropertySchema) -> list[str]:
        """Labels with an index over the key, where every node with the key has one of them."""
        labels = {each.label for each in schema.indexes if each.key == key and each.kind == "range"}
        labels = {label for label in labels if "`" not in label}
        with_key = [each.labels for each in schema.keys if each.key == key]
        return sorted(labels) if all(labels & set(each) for each in with_key) else []

    def _hidden(self) -> list[str]:
        return list(self.hidden)

    def _all(self, query: str, **parameters: Any) -> tuple[tuple[Any, ...], ...]:
        return self._read(query, **parameters).rows

    def _read(self, query: str, **parameters: Any) -> Table:
        return self.connection.read(query, parameters, seconds=self.seconds, most=self.most)


def _node(row: Sequence[Any]) -> Node:
    number, labels, pairs = row
    return Node(int(number), tuple(sorted(str(each) for each in labels)), _pairs(pairs))


def _edge(row: Sequence[Any]) -> Edge:
    number, kind, pairs, start, finish = row
    return Edge(int(number), str(kind), int(start), int(finish), _pairs(pairs))


def _pairs(value: Any) -> dict[str, Any]:
    made = {str(key): each for key, each in value}
    if len(made) != len(value):
        raise StoreUnavailable("the server gives a key twice")
    return made
