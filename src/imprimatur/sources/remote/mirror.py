"""A graph behind an address, mirrored whole: read once, put into one order, and compiled like a file.

Invariants: the mirror is one state of the graph, for its stamp is the same before and after it was read; its hash, and
the order of its triples, depend on the triples alone, not on pages or on the labels of blank nodes; a compiled mirror
is used again only where the graph, asked when it is opened, has the stamp that it had.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.errors import StoreUnavailable
from imprimatur.sources.graph import cache
from imprimatur.sources.graph.files import GraphFile
from imprimatur.sources.remote.graph import Warns

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.remote.graph import RemoteGraph

__all__ = ["Mirror", "Progress", "ordered"]

#: Is told what is being read, now and then.
Progress = Callable[[str], None]
_EVERY = 10_000
_TRIES = 3
#: So many rounds tell blank nodes apart by what hangs on them.
_ROUNDS = 8


class Mirror:
    """The triples of a remote graph (implements ``files.Mapped``). Make it with ``Mirror.of``."""

    def __init__(
        self, remote: RemoteGraph, stamp: str, content_hash: str, stamped: float, *, progress: Progress | None
    ) -> None:
        self.remote = remote
        self.stamp = stamp
        #: When the server was asked for it, of ``time.monotonic``.
        self.stamped = stamped
        self.content_hash = content_hash
        self.warnings = remote.warnings() if isinstance(remote, Warns) else ()
        self._progress = progress
        self._read: Sequence[ox.Quad] | None = None

    @classmethod
    def of(
        cls, remote: RemoteGraph, folder: Path | None = None, *, known: bool = True, progress: Progress | None = None
    ) -> Mirror:
        """The mirror of a graph.

        Args:
            remote: the graph.
            folder: where compiled graphs are kept; None for the user's cache folder.
            known: whether one that was compiled before may be used again; else everything is read.
            progress: is told how far the reading is.

        Raises:
            RuntimeFault: as ``RemoteGraph``; also where the graph changes again and again while it is read.
        """
        place = (folder or cache.default_directory()) / f"{_digest('mirror', remote.where)[:32]}.mirror"
        begun, stamp = time.monotonic(), remote.stamp()
        kept = _kept(place) if known else None
        if kept is not None and kept[0] == stamp:
            return cls(remote, stamp, kept[1], begun, progress=progress)
        for _ in range(_TRIES):
            made = cls(remote, stamp, "", begun, progress=progress)
            made.content_hash = made._fetch()
            begun, after = time.monotonic(), remote.stamp()
            if after == stamp:
                made.stamped = begun
                _keep(place, stamp, made.content_hash)
                return made
            stamp = after
        raise StoreUnavailable("the graph changes while it is read", where=remote.where, hint="try again later")

    def file(self, trust: str) -> GraphFile:
        """The mirror as a file of a graph: what evidence names as its origin is the address."""
        where = self.remote.where
        return GraphFile(Path(where), "data", trust, mapped=self, name=where)

    def quads(self) -> Iterator[ox.Quad]:
        """The triples, in their order. They can be taken once; after that they are read again.

        Raises:
            StoreUnavailable: what is there now is no longer what the hash is of.
        """
        if self._read is None and self._fetch() != self.content_hash:
            raise StoreUnavailable("the graph has changed while it was opened", where=self.remote.where)
        read, self._read = self._read or (), None
        yield from read

    def _fetch(self) -> str:
        """Reads everything; the hash of it."""
        self._read, found = ordered(self._told(self.remote.quads()))
        return found

    def _told(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        for number, quad in enumerate(quads):
            if self._progress is not None and number % _EVERY == 0:
                self._progress(f"{self.remote.where}: {number:,} triples")
            yield quad


def ordered(quads: Iterable[ox.Quad]) -> tuple[list[ox.Quad], str]:
    """Triples in the order of their N-Triples, and a hash of them; blank nodes are named by what hangs on them."""
    import pyoxigraph as ox

    found = list(quads)
    names = {name: ox.BlankNode(f"b{number}") for number, name in enumerate(_ranked(found))}
    lines: list[tuple[str, ox.Quad]] = []
    for quad in found:
        ends = [names[end] if isinstance(end, ox.BlankNode) else end for end in (quad.subject, quad.object)]
        made = ox.Quad(ends[0], quad.predicate, ends[1], quad.graph_name)  # type: ignore[arg-type]
        lines.append((str(made), made))
    lines.sort(key=lambda pair: pair[0])
    digest = hashlib.sha256()
    for line, _ in lines:
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return [quad for _, quad in lines], digest.hexdigest()


def _ranked(quads: Sequence[ox.Quad]) -> list[ox.BlankNode]:
    """The blank nodes in an order that depends on what hangs on them: each round looks one step further."""
    import pyoxigraph as ox

    hanging: dict[ox.BlankNode, list[tuple[str, str, object]]] = defaultdict(list)
    for quad in quads:
        for role, end, other in (("s", quad.subject, quad.object), ("o", quad.object, quad.subject)):
            if isinstance(end, ox.BlankNode):
                hanging[end].append((role, quad.predicate.value, other))
    colours = dict.fromkeys(hanging, "")
    kinds = 1
    for _ in range(_ROUNDS if hanging else 0):
        colours = {
            node: _digest(*sorted(f"{r} {p} {colours[o] if isinstance(o, ox.BlankNode) else o}" for r, p, o in each))
            for node, each in hanging.items()
        }
        before, kinds = kinds, len(set(colours.values()))
        if kinds in (before, len(colours)):
            break
    return sorted(hanging, key=lambda node: colours[node])


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _kept(place: Path) -> tuple[str, str] | None:
    """The stamp and the hash of the mirror that was read last; None where nothing that can be used is kept."""
    try:
        told = json.loads(place.read_bytes())
        stamp, content = told["stamp"], told["content"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return (stamp, content) if isinstance(stamp, str) and isinstance(content, str) else None


def _keep(place: Path, stamp: str, content: str) -> None:
    """Remembers them; where that cannot be, everything is read again the next time."""
    beside = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside.write_text(json.dumps({"stamp": stamp, "content": content}), encoding="utf-8")
        os.replace(beside, place)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
