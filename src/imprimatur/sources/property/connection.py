"""What is asked of a server of property graphs, whatever protocol it speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from imprimatur._dataclasses import dataclass

__all__ = ["Connection", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """What a query gave: the names of its columns, and its rows of plain values (nodes and edges as ``dict``)."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class Connection(Protocol):
    """One graph on one server, for reading alone.

    Contract: ``read`` runs in a mode in which the server itself refuses to write. ``StoreUnavailable`` where the server
    cannot be reached, or has no graph of that name (that is never "nothing found"); ``CheckFailed`` where it refuses
    the query (its message is in ``message``); ``LimitExceeded`` where the time or the number of rows is over. A value
    goes in as a parameter and never into the text of a query.
    """

    #: Address and graph, without any secret.
    where: str
    #: Whose Cypher it speaks: "falkordb", or "bolt" for Neo4j and Memgraph.
    dialect: str

    def read(
        self, query: str, parameters: Mapping[str, Any] | None = None, *, seconds: float = 10.0, most: int = 10_000
    ) -> Table:
        """The rows of a query."""
        ...

    def graphs(self) -> Sequence[str]:
        """The names of the graphs that the server has."""
        ...

    def revision(self) -> str | None:
        """A text that is another one after each write, at no cost; None where the server tells of no such thing."""
        ...

    def close(self) -> None:
        """Lets go of the connection."""
        ...
