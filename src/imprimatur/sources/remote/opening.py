"""From what a configuration says of a graph behind an address to that graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imprimatur.config import BoltConfig, FalkorConfig, PropertyConfig, RemoteConfig, SparqlConfig

if TYPE_CHECKING:
    from pathlib import Path

    from imprimatur.sources.property.connection import Connection
    from imprimatur.sources.remote.graph import RemoteGraph
    from imprimatur.sources.remote.mirror import Mirror

__all__ = ["open_connection", "open_mirror", "open_remote"]


def open_remote(named: RemoteConfig) -> RemoteGraph:
    """The graph that an entry names. Nothing is asked yet.

    Each kind of server has a class of its own for its entry, and is imported only where it is named.

    Raises:
        ConfigError: the address is none that may be asked, a key is missing, or what speaks to it is not installed.
    """
    if isinstance(named, SparqlConfig):
        from imprimatur.sources.remote.sparql import SparqlGraph

        return SparqlGraph(named)
    if isinstance(named, FalkorConfig | BoltConfig):
        return _property(named)
    raise AssertionError(f"no kind of server: {type(named).__name__}")


def open_mirror(named: RemoteConfig | None, folder: Path | None = None) -> Mirror | None:
    """The mirror of the graph that an entry names; None where there is no entry. Raises as ``Mirror.of``.

    Args:
        named: the entry.
        folder: where compiled graphs are kept; None for the user's cache folder.
    """
    if named is None:
        return None
    from imprimatur.sources.remote.mirror import Mirror

    return Mirror.of(open_remote(named), folder)


def open_connection(named: PropertyConfig) -> Connection:
    """The connection to the server of a property graph. Nothing is asked yet. Raises ConfigError as ``open_remote``."""
    if isinstance(named, FalkorConfig):
        from imprimatur.sources.property.falkor import FalkorAddress, FalkorConnection

        address = FalkorAddress(
            graph=named.named(),
            host=named.host,
            port=named.port,
            user=named.user,
            password=named.password,
            tls=named.tls,
            authority=named.authority,
            seconds=float(named.seconds),
        )
        return FalkorConnection(address)
    from imprimatur.sources.property.bolt import BoltAddress, BoltConnection

    database = named.named()
    return BoltConnection(BoltAddress(named.url, database, named.user, named.password, float(named.seconds)))


def _property(named: PropertyConfig) -> RemoteGraph:
    from imprimatur.sources.property.graph import PropertyGraph
    from imprimatur.sources.property.mapping import read_mapping
    from imprimatur.sources.property.ontology import read_terms
    from imprimatur.sources.property.reading import Reading

    connection = open_connection(named)
    mapping = read_mapping(named.mapping, base=named.base)
    reading = Reading(connection, seconds=float(named.seconds), page=named.page, most=named.most)
    return PropertyGraph(connection, mapping, read_terms(named.ontology), reading=reading)
