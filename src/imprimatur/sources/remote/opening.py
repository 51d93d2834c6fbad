"""From what a configuration says of a graph behind an address to that graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imprimatur.config import RemoteConfig, SparqlConfig

if TYPE_CHECKING:
    from imprimatur.sources.remote.graph import RemoteGraph

__all__ = ["open_remote"]


def open_remote(named: RemoteConfig) -> RemoteGraph:
    """The graph that an entry names. Nothing is asked yet.

    Each kind of server has a class of its own for its entry, and is imported only where it is named.

    Raises:
        ConfigError: the address is none that may be asked, a key is missing, or what speaks to it is not installed.
    """
    if isinstance(named, SparqlConfig):
        from imprimatur.sources.remote.sparql import SparqlGraph

        return SparqlGraph(named)
    raise AssertionError(f"no kind of server: {type(named).__name__}")
