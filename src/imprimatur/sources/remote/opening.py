"""From what a configuration says of a graph behind an address to that graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imprimatur.config import RemoteConfig, SparqlConfig

if TYPE_CHECKING:
    from pathlib import Path

    from imprimatur.sources.remote.graph import RemoteGraph
    from imprimatur.sources.remote.mirror import Mirror

__all__ = ["open_mirror", "open_remote"]


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
