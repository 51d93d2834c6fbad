"""The entries ``falkordb`` and ``bolt`` under ``graph:`` in imprimatur.yaml: a property graph behind an address.

    graph:
      falkordb:
        host: localhost                 # and port: 6379
        graph: kb                       # the graph's name; "kb_{tenant}" with tenants: [acme, bolt]
        tenants: []                     # who may be judged for; each has a graph of its own
        user_env: FALKOR_USER           # environment variables with the user's name and the password
        password_env: FALKOR_PASSWORD
        tls: false                      # and authority: ca.pem, a file of certificates to trust
        mapping: map.yaml               # how it becomes triples (docs/property-graphs.md)
        base: https://example.org/kb/   # IRIs that are made begin with it
        seconds: 60                     # and page, fresh, most, trust as for an endpoint
      bolt:
        url: neo4j+s://example.org      # bolt, bolt+s, neo4j or neo4j+s: Neo4j and Memgraph
        database: neo4j                 # or "kb_{tenant}"
        user_env: NEO4J_USER            # …

Invariants: nothing here is opened or reached but to see that the mapping's file exists; a name or password shows in
nothing that is printed of a configuration; a tenant has a graph of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from imprimatur._config_models import Key, named_key
from imprimatur._config_paths import NamedFiles
from imprimatur._config_remote import RemoteConfig, read_remote
from imprimatur._expressions import expression
from imprimatur.errors import ConfigError, nearest
from imprimatur.settings_file import Section

__all__ = ["BoltConfig", "FalkorConfig", "PropertyConfig", "for_tenant", "read_property"]

_TENANT = "{tenant}"
_VARIABLE = expression(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME = expression(r"[^\x00-\x1f\x7f]{1,200}")
_TENANT_NAME = expression(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_HOST = expression(r"[A-Za-z0-9:][A-Za-z0-9._:-]{0,252}")
_BASE = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20]{1,500}[/#:]")
_SCHEMES = ("bolt", "bolt+s", "neo4j", "neo4j+s")


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyConfig(RemoteConfig):
    """What is the same for every property graph.

    Attributes:
        graph: the graph's or database's name, in which ``{tenant}`` stands for a tenant; "" for the server's own.
        tenants: the names of tenants. tenant: the one that was chosen.
        user, password: how the server knows who asks.
        mapping: the file that says how the graph becomes triples. base: how IRIs begin that are made.
        ontology: the files of the knowledge base's own ontology.
    """

    graph: str = ""
    tenants: tuple[str, ...] = ()
    tenant: str = ""
    user: Key | None = field(default=None, repr=False)
    password: Key | None = field(default=None, repr=False)
    mapping: Path | None = None
    base: str | None = None
    ontology: tuple[Path, ...] = ()

    def named(self) -> str:
        """The graph's name. Raises ConfigError where it is a tenant's, and none was chosen."""
        if self.tenants and not self.tenant:
            hint = f"choose one of {', '.join(self.tenants[:10])}: --tenant NAME, or Oracle.from_folder(…, tenant=NAME)"
            raise ConfigError("each tenant has a graph of its own, and none is named", where=self.url, hint=hint)
        return self.graph.replace(_TENANT, self.tenant)


@dataclass(frozen=True, slots=True, kw_only=True)
class FalkorConfig(PropertyConfig):
    """A graph in FalkorDB."""

    host: str = "localhost"
    port: int = 6379
    tls: bool = False
    authority: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoltConfig(PropertyConfig):
    """A database that speaks Bolt; its address is ``url``."""


def for_tenant(named: RemoteConfig | None, tenant: str | None, where: str) -> RemoteConfig | None:
    """The entry for one tenant.

    Raises:
        ConfigError: there is no such tenant, or there are none.
    """
    if tenant is None:
        return named
    known = named.tenants if isinstance(named, PropertyConfig) else ()
    if tenant not in known:
        near = nearest(tenant, known)
        hint = f"did you mean {near!r}?" if near else f"it has {', '.join(known[:10])}" if known else "leave it out"
        told = f"no tenant {tenant[:64]!r}" if known else "no tenants"
        raise ConfigError(f"the knowledge base has {told}", where=where, hint=hint)
    assert isinstance(named, PropertyConfig)
    return replace(named, tenant=tenant)


def read_property(
    top: Section, named: NamedFiles, ontology: tuple[Path, ...], environ: Mapping[str, str]
) -> PropertyConfig | None:
    """The property graph; None where none is named. Raises the section's error for whatever is wrong with it."""
    falkor, bolt = (top.section(key) if key in top.values else None for key in ("falkordb", "bolt"))
    top.known.update(("falkordb", "bolt"))
    if falkor is not None and bolt is not None:
        raise top.fault("bolt", "one graph is in FalkorDB or behind Bolt, not both", hint="leave one of them out")
    part = falkor if falkor is not None else bolt
    if part is None:
        return None
    made = _falkor(part, named) if part is falkor else _bolt(part)
    made = _shared(part, made, named, environ)
    part.close()
    return replace(made, ontology=ontology)


def _falkor(part: Section, named: NamedFiles) -> PropertyConfig:
    host = part.text("host", "localhost") or ""
    if not _HOST.fullmatch(host):
        raise part.fault("host", "is no name of a host", hint="for instance localhost, without a scheme")
    port = part.integer("port", 6379, low=1, high=65535)
    graph = _graph(part, "graph")
    if not graph:
        raise part.fault("graph", "is missing", hint="name the graph, as `GRAPH.LIST` gives it")
    authority = part.text("authority")
    return FalkorConfig(
        url=f"falkordb://{f'[{host}]' if ':' in host else host}:{port}/{graph}",
        host=host,
        port=port,
        graph=graph,
        tls=part.flag("tls", False),
        authority=None if authority is None else named.existing(part, "authority", authority, folders=False),
    )


def _bolt(part: Section) -> PropertyConfig:
    url = part.text("url") or ""
    try:
        found = urlsplit(url)
        sound = found.scheme in _SCHEMES and bool(found.hostname) and found.path in ("", "/") and not found.query
        _ = found.port
    except ValueError:
        sound = False
    if not sound or len(url) > 500:
        hint = f"it starts with {', '.join(_SCHEMES[:-1])} or {_SCHEMES[-1]}, and has no path: bolt://localhost:7687"
        raise part.fault("url", "is no address of a server that speaks Bolt", hint=hint)
    if "@" in found.netloc:
        hint = "put them into environment variables, and name these with `user_env` and `password_env`"
        raise part.fault("url", "has a name or password in it", hint=hint)
    return BoltConfig(url=url.rstrip("/"), graph=_graph(part, "database"))


def _shared(part: Section, made: PropertyConfig, named: NamedFiles, environ: Mapping[str, str]) -> PropertyConfig:
    for key in ("user", "password", "api_key"):
        if part.values.get(key) is not None:
            # Whoever puts the password itself here must not find it in the error.
            raise part.fault(key, "does not stand in this file", hint="name an environment variable: `password_env`")
    tenants = tuple(dict.fromkeys(part.texts("tenants")))
    if bool(tenants) != (_TENANT in made.graph):
        hint = 'for instance graph: "kb_{tenant}" with tenants: [acme, bolt]'
        raise part.fault("tenants", "tenants and the place of their name in the graph's belong together", hint=hint)
    for tenant in tenants:
        if not _TENANT_NAME.fullmatch(tenant):
            raise part.fault("tenants", f"{tenant[:64]!r} is no name of a tenant", hint="letters, digits, - _ .")
    base = part.text("base")
    if base is not None and not _BASE.fullmatch(base):
        hint = "an IRI that ends with / or #, for instance https://example.org/kb/"
        raise part.fault("base", f"{base[:100]!r} is nothing that IRIs begin with", hint=hint)
    mapping = part.text("mapping")
    password, user = _secret(part, "password_env", environ), _secret(part, "user_env", environ)
    shared = read_remote(part, made, named.folder, environ)
    assert isinstance(shared, PropertyConfig)
    if shared.key is not None and password is not None:
        raise part.fault("password_env", "the password is named twice", hint="leave `key_env` and `key_file` out")
    return replace(
        shared,
        tenants=tenants,
        user=user,
        password=password or shared.key,
        mapping=None if mapping is None else named.existing(part, "mapping", mapping, folders=False),
        base=base,
    )


def _secret(part: Section, key: str, environ: Mapping[str, str]) -> Key | None:
    variable = part.text(key)
    if variable is None:
        return None
    if not _VARIABLE.fullmatch(variable):
        # Whoever puts the secret itself here must not find it in the error.
        raise part.fault(key, "is not the name of an environment variable", hint="for instance FALKOR_PASSWORD")
    return named_key(variable, environ)


def _graph(part: Section, key: str) -> str:
    name = part.text(key, "") or ""
    if name and not _NAME.fullmatch(name):
        raise part.fault(key, f"{name[:60]!r} is no name of a graph")
    return name
