"""What is asked of a graph that is elsewhere, whatever server holds it and whatever it is queried in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from imprimatur.sources.graph.terms import RdfLiteral, literal_text

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.remote.endpoint import Triple

__all__ = ["AsksTogether", "RemoteGraph", "Warns", "hanging"]


class RemoteGraph(Protocol):
    """A graph behind an address.

    Contract: an answer is whole or an error. ``StoreUnavailable`` where the server cannot be reached or a graph of that
    name is not there, ``CheckFailed`` where its answer cannot be read, ``LimitExceeded`` where it took too long or gave
    too much. What is read never changes anything on the server.
    """

    #: The address and the graph's name, without any secret: as reports name it.
    where: str
    #: The language of ``query``: "sparql" or "cypher".
    language: str

    def stamp(self) -> str:
        """A text that is another one when the graph has changed, as far as the server tells that at little cost."""
        ...

    def quads(self) -> Iterator[ox.Quad]:
        """All triples, page by page, each once; together with ``stamp`` before and after, one state of the graph."""
        ...

    def facts(self, things: Sequence[str]) -> Mapping[str, frozenset[Triple]]:
        """All triples that have a thing as their subject, as the server has them now, in one request for many things.

        A value that is a blank node is named by what it has itself (``hanging``); one that has nothing but blank nodes
        is left out. A thing without any triple has an empty set.
        """
        ...

    def query(self, subject: str, predicate: str, value: str) -> str:
        """The query that finds a triple again; the three in N-Triples."""
        ...

    def close(self) -> None:
        """Lets go of connections."""
        ...


@runtime_checkable
class AsksTogether(Protocol):
    """A graph whose language asks for several triples in one query; else each has a query, and a line, of its own."""

    def query_all(self, triples: Sequence[tuple[str, str, str]]) -> str:
        """The query that finds some triples again, in N-Triples; a blank node in them is any node."""
        ...


@runtime_checkable
class Warns(Protocol):
    """A graph that is not read whole where something in it cannot be said in triples."""

    def warnings(self) -> tuple[str, ...]:
        """What was not read when the graph was stamped last; the same for the same graph."""
        ...


def hanging(has: Iterable[tuple[str, str | RdfLiteral]]) -> str:
    """The name of a blank node, from the predicates and values that it has; blank nodes are not among them."""
    lines = {f"{predicate} {value if isinstance(value, str) else literal_text(value)}" for predicate, value in has}
    return f"_:{hashlib.sha256(chr(10).join(sorted(lines)).encode('utf-8', 'surrogatepass')).hexdigest()}"
