"""What retrieval asks of a property graph: its server, its vocabulary, and how both relate to the mirrored graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from imprimatur.retrieve.cypher_terms import GraphTerms
from imprimatur.sources.property.connection import Connection

__all__ = ["PropertyStore"]


class PropertyStore(Protocol):
    """One property graph on a server, of which a mirror is judged by.

    The connection is that of the knowledge base: of one graph, and so of one tenant. What it raises is raised.
    """

    connection: Connection
    #: ``model`` where the graph is one that a model had a part in, so that no row of it is worth more.
    trust: str

    def terms(self) -> GraphTerms:
        """Labels, types and keys, as the server has them now."""
        ...

    def iri(self, node: Mapping[str, Any]) -> str:
        """Which thing of the mirror a node is, as ``Connection.read`` has it; "" where that cannot be told."""
        ...

    def found_by(self, iri: str) -> tuple[str, str, str] | None:
        """A label, a key and a text by which a query finds a thing; None where there are none."""
        ...

    def means(self, name: str) -> Sequence[str]:
        """The IRIs of the properties that a relationship type or a key stands for."""
        ...
