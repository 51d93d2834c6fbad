"""The entry under ``graph: endpoint:`` in imprimatur.yaml: a graph behind an address, and how it is asked.

    graph:
      endpoint: https://example.org/sparql    # the address alone, or
      endpoint:
        url: https://example.org/sparql
        graph: https://example.org/graph      # a named graph; without it the endpoint's default graph
        key_env: GRAPH_KEY                    # or key_file: sent as `Authorization: Bearer …`
        auth: bearer                          # or basic: then the key is `name:password`
        revision: "SELECT ?r { <https://example.org/graph> <http://purl.org/dc/terms/modified> ?r }"
        seconds: 60                           # for one request; a live check has at most 10 of them
        page: 10000                           # rows that are asked for at once
        pause: 0                              # milliseconds between requests while the graph is read
        fresh: 60                             # seconds for which what the server said of the whole graph holds
        most: 2000000                         # more triples are an error
        trust: curated                        # the trust class of all its triples

Invariants: nothing here is opened or reached; a key shows in nothing that is printed of a configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from imprimatur._config_models import Key, read_address, read_key
from imprimatur._expressions import expression
from imprimatur.settings_file import Section

__all__ = ["RemoteConfig", "SparqlConfig", "read_endpoint", "read_remote"]

_IRI = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20]{1,2000}")
_QUERY = expression(r"(?:(?:PREFIX|BASE)\s[^\n{}]*?>\s*)*SELECT\b")
_TRUST = ("curated", "derived", "model")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteConfig:
    """What is the same for every graph behind an address, whatever it is queried in.

    Attributes:
        url: its address, without any secret.
        key: what the server is shown.
        seconds: for one request.
        page: rows that are asked for at once.
        fresh: for so many seconds what the server said of the whole graph holds.
        most: so many triples are read at most.
        trust: the trust class of all its triples.
    """

    url: str
    key: Key | None = field(default=None, repr=False)
    seconds: int = 60
    page: int = 10_000
    fresh: int = 60
    most: int = 2_000_000
    trust: str = _TRUST[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SparqlConfig(RemoteConfig):
    """A SPARQL endpoint.

    Attributes:
        graph: the IRI of a named graph; None for the endpoint's default graph.
        auth: how the key is sent, ``bearer`` or ``basic``.
        revision: a query whose answer is another one whenever the graph has changed.
        pause: the least time between two requests while the graph is read, in milliseconds.
    """

    graph: str | None = None
    auth: str = "bearer"
    revision: str | None = None
    pause: int = 0


def read_remote(part: Section, made: RemoteConfig, folder: Path, environ: Mapping[str, str]) -> RemoteConfig:
    """``made`` with what a section says of the things that are the same everywhere; its class stays."""
    return replace(
        made,
        key=read_key(part, folder, environ),
        seconds=part.integer("seconds", made.seconds, low=1, high=3600),
        page=part.integer("page", made.page, low=1, high=1_000_000),
        fresh=part.integer("fresh", made.fresh, low=0, high=86_400),
        most=part.integer("most", made.most, low=1, high=1 << 31),
        trust=part.choice("trust", _TRUST, made.trust),
    )


def read_endpoint(top: Section, folder: Path, environ: Mapping[str, str]) -> SparqlConfig | None:
    """The endpoint; None where none is named. Raises the section's error for whatever is wrong with it."""
    if not isinstance(top.values.get("endpoint"), Mapping):
        url = _address(top, "endpoint")
        return None if url is None else SparqlConfig(url=url)
    part = top.section("endpoint")
    url = _address(part, "url")
    if url is None:
        raise part.fault("url", "an endpoint needs its address", hint="for instance https://example.org/sparql")
    made = read_remote(part, SparqlConfig(url=url), folder, environ)
    assert isinstance(made, SparqlConfig)
    made = replace(
        made,
        graph=_graph(part),
        auth=part.choice("auth", ("bearer", "basic"), "bearer"),
        revision=_revision(part),
        pause=part.integer("pause", 0, low=0, high=60_000),
    )
    part.close()
    return made


def _address(part: Section, key: str) -> str | None:
    """The address as it stands: unlike a base address it may end with a slash."""
    url = read_address(part, key)
    return None if url is None else str(part.values[key])


def _graph(part: Section) -> str | None:
    iri = part.text("graph")
    if iri is not None and not _IRI.fullmatch(iri):
        hint = "write it in full, without < and >, for instance https://example.org/graph"
        raise part.fault("graph", f"{iri[:100]!r} is not an IRI", hint=hint)
    return iri


def _revision(part: Section) -> str | None:
    query = part.text("revision")
    if query is None:
        return None
    if not _QUERY.match(query.strip()) or len(query) > 4000:
        hint = "a SELECT query with one answer, which is another one whenever the graph has changed"
        raise part.fault("revision", "is no SELECT query", hint=hint)
    return query.strip()
