"""The gateway's settings, from a YAML file or the command line.

    version: 1
    listen: {host: 127.0.0.1, port: 8317}
    upstream:
      base_url: http://localhost:8000/v1     # the model server that stands behind
      key_env: UPSTREAM_KEY                  # or key_file; without one the caller's own key is never passed on
      seconds: 600                           # for one reply
    knowledge_bases: {rivers: rivers, house: ./kb}   # name: folder, or a bundled name; the first is the default
                                             # or {acme: {folder: ./kb, tenant: acme}}: a tenant's graph, by a name of
                                             # its own, which keys allow or not
    mode: hold                               # hold | buffer | audit | shadow
    workers: 2                               # processes; by default one for each core, at most four
    block: content_filter                    # how a stream that is stopped ends: content_filter | error
    keys: keys.yaml                          # needed unless the gateway listens on this machine only
    ledger: ledger.sqlite                    # where reports are recorded; nowhere by default
    limits: {bytes: 4194304, calls: 256, questions: 8, connections: 1024, seconds: 10, body_seconds: 30,
      stall_seconds: 30}
    abstention: {low: "0.1 %", high: "60 %", window: 500}   # outside of it a warning is given
    telemetry: {endpoint: http://collector:4318}            # see ``telemetry.settings``

Invariants: where requests go is said here only, never by a request; an address beyond this machine needs keys.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from imprimatur._config_models import Key, read_address, read_key
from imprimatur.errors import ConfigError
from imprimatur.settings_file import Section, read
from imprimatur.stream import Mode
from imprimatur.telemetry.settings import TelemetrySettings, read_telemetry

__all__ = ["LONGEST_HEAD", "Bounds", "Limits", "Settings", "Upstream", "read_settings", "usual_workers"]

_MODES = tuple(mode.value for mode in Mode)
_BLOCKS = ("content_filter", "error")
PORT = 8317
#: Bytes of a request's headers at most.
LONGEST_HEAD = 16 << 10
_MOST_USUAL_WORKERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """The model server behind the gateway. ``seconds`` are for one reply, from the request to its end."""

    base_url: str
    key: Key | None = None
    seconds: int = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one process takes.

    Attributes:
        bytes: of a request.
        calls: at once.
        questions: of these, how many are answered at once (``/v1/ask``).
        connections: at once; most of them idle.
        seconds: of checking a call.
        body_seconds: until the body of a request is there.
        stall_seconds: until its head is there; and how long a caller may not read what it is sent.
    """

    bytes: int = 4 << 20
    calls: int = 256
    questions: int = 8
    connections: int = 1024
    seconds: int = 10
    body_seconds: int = 30
    stall_seconds: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The share of the last ``window`` answers that may be withheld: below, the gate is too loose; above, too tight."""

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    window: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that a gateway is told. ``knowledge_bases`` are names with folders; the first is the default. ``tenants``
    are the tenants whose graphs those are that are a tenant's, by the same names.
    """

    knowledge_bases: tuple[tuple[str, str], ...]
    tenants: Mapping[str, str] = field(default_factory=dict)
    upstream: Upstream | None = None
    host: str = "127.0.0.1"
    port: int = PORT
    policy: str | None = None
    mode: Mode = Mode.HOLD
    workers: int = 1
    block: str = "content_filter"
    keys: Path | None = None
    ledger: Path | None = None
    limits: Limits = field(default_factory=Limits)
    bounds: Bounds = field(default_factory=Bounds)
    telemetry: TelemetrySettings | None = None

    def __post_init__(self) -> None:
        if not self.knowledge_bases:
            raise ConfigError("no knowledge base is named", hint="name one: `knowledge_bases: {rivers: rivers}`")
        if self.keys is None and not _on_this_machine(self.host):
            raise ConfigError(
                f"{self.host} can be reached from other machines, and no keys are asked for",
                hint="name a file with `keys`, or listen on 127.0.0.1",
            )


def usual_workers() -> int:
    """The number of processes where none is given: one for each core that may be used, at most four."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST_USUAL_WORKERS)


def read_settings(path: Path, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings that a file holds; relative places in it are meant from its folder.

    Raises:
        ConfigError: the file cannot be read, or says something that it must not.
    """
    environ = os.environ if environ is None else environ
    top = Section(read(path, error=ConfigError, environ=environ), str(path), ConfigError)
    top.version()
    folder = path.parent
    listen, limits, bounds = top.section("listen"), top.section("limits"), top.section("abstention")
    bases = _bases(top.section("knowledge_bases"), folder)
    made = Settings(
        knowledge_bases=tuple((name, place) for name, place, _ in bases),
        tenants={name: tenant for name, _, tenant in bases if tenant is not None},
        upstream=_upstream(top.section("upstream"), folder, environ),
        host=listen.text("host") or "127.0.0.1",
        port=listen.integer("port", PORT, low=0, high=65535),
        policy=top.text("policy"),
        mode=Mode(top.choice("mode", _MODES, "hold")),
        workers=top.integer("workers", usual_workers(), low=1, high=256),
        block=top.choice("block", _BLOCKS, "content_filter"),
        keys=_place(top, "keys", folder),
        ledger=_place(top, "ledger", folder),
        limits=Limits(
            bytes=limits.integer("bytes", 4 << 20, low=1024, high=1 << 30),
            calls=limits.integer("calls", 256, low=1, high=100_000),
            questions=limits.integer("questions", 8, low=1, high=256),
            connections=limits.integer("connections", 1024, low=1, high=100_000),
            seconds=limits.integer("seconds", 10, low=1, high=3600),
            body_seconds=limits.integer("body_seconds", 30, low=1, high=3600),
            stall_seconds=limits.integer("stall_seconds", 30, low=1, high=3600),
        ),
        bounds=Bounds(
            low=bounds.share("low", Fraction(0), high=Fraction(1)),
            high=bounds.share("high", Fraction(1), high=Fraction(1)),
            window=bounds.integer("window", 500, low=10, high=1_000_000),
        ),
        telemetry=read_telemetry(top, environ),
    )
    for part in (listen, limits, bounds, top):
        part.close()
    return made


def _bases(part: Section, folder: Path) -> tuple[tuple[str, str, str | None], ...]:
    """Names with folders, and with tenants where the graph is a tenant's."""
    found: list[tuple[str, str, str | None]] = []
    for name in part.values:
        tenant = None
        if isinstance(part.values[name], dict):
            inner = part.section(name)
            place, tenant = inner.text("folder") or "", inner.text("tenant")
            inner.close()
        else:
            place = part.text(name) or ""
        if not name or not all(char.isalnum() or char in "._-" for char in name):
            raise part.fault(name, "a name has letters, digits, `.`, `_` and `-` only")
        inside = folder / Path(place).expanduser()
        found.append((name, str(inside) if inside.exists() else place, tenant))
    return tuple(found)


def _upstream(part: Section, folder: Path, environ: Mapping[str, str]) -> Upstream | None:
    if not part.values:
        return None
    base_url = read_address(part, "base_url")
    if base_url is None:
        raise part.fault("base_url", "the address of the model server is missing")
    made = Upstream(
        base_url=base_url,
        key=read_key(part, folder, environ),
        seconds=part.integer("seconds", 600, low=1, high=24 * 3600),
    )
    part.close()
    return made


def _place(part: Section, key: str, folder: Path) -> Path | None:
    value = part.text(key)
    return None if value is None else folder / Path(value).expanduser()


def _on_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
