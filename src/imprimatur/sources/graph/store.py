"""The graph: read-only look-ups by integer identifier, labels, origins, and SPARQL.

Invariants: a ``Graph`` never changes; identifiers are stable for the same files in the same order; data and ontology
files are one graph for look-ups, shapes files are kept apart. A look-up is a binary search in the columns of the index,
which are mapped from the cache file: nothing is decoded when a graph is opened, and what is kept decoded is bounded.
SPARQL runs on a store that is built on first use from the same terms.
"""

from __future__ import annotations

import hashlib
import time
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from imprimatur.errors import KnowledgeBaseError, StoreUnavailable
from imprimatur.sources.graph import cache
from imprimatur.sources.graph.columns import Columns
from imprimatur.sources.graph.derived import may_hold_rules, with_rules
from imprimatur.sources.graph.files import GraphFile, file_hash
from imprimatur.sources.graph.index import LITERAL, MASK, SHIFT, Index
from imprimatur.sources.graph.labels import label_ranks, rank_of
from imprimatur.sources.graph.places import Places, places_of
from imprimatur.sources.graph.statistics import LoadStatistics, statistics_of
from imprimatur.sources.graph.switched import settle, stamps
from imprimatur.sources.graph.terms import (
    TRUST_CLASSES,
    Origin,
    spoken_name,
)

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.graph.load import Loader

__all__ = ["Graph", "GraphFile", "LoadStatistics", "graph_of"]

#: How often files are read that change meanwhile.
_TRIES = 5
_Stored = tuple[Index, tuple[Origin, ...], tuple[str, ...]]


class Graph(Columns):
    """A read-only RDF graph. Load it with ``Graph.load``."""

    __slots__ = (
        "_label_ranks",
        "_origins",
        "_store",
        "content_hash",
        "files",
        "language",
        "places",
        "shapes_files",
        "statistics",
    )

    def __init__(self, index: Index, origins: tuple[Origin, ...], *, statistics: LoadStatistics) -> None:
        super().__init__(index)
        self._origins = origins
        self._label_ranks: dict[int, int] | None = None
        self._store: ox.Store | None = None
        self.statistics = statistics
        self.content_hash = ""
        self.files: tuple[GraphFile, ...] = ()
        self.shapes_files: tuple[GraphFile, ...] = ()
        self.language = "en"  # whose labels come first, besides those without a language
        self.places: Places | None = None  # the sentences behind facts that came from documents

    @classmethod
    def load(cls, files: Sequence[GraphFile], *, cache_dir: Path | None = None, years: str = "xsd10") -> Graph:
        """The graph of some files, from the compiled cache where it is current.

        Args:
            files: data, ontology and shapes files; a triple in several files has the most trusted of them as origin.
                What the rules of shapes files add is part of the graph (``derived``).
            cache_dir: where compiled graphs are kept; None for ``~/.cache/imprimatur``.
            years: ``xsd10`` (-0384 is 384 BC) or ``xsd11`` (385 BC).

        Raises:
            KnowledgeBaseError: a file cannot be read; names file, line and how to mend it.
            StoreUnavailable: the files change again and again while they are read.
        """
        begun = time.perf_counter()
        folder = cache_dir or cache.default_directory()
        read = sorted((file for file in files if file.role != "shapes"), key=lambda f: TRUST_CLASSES.index(f.trust))
        opened = _opened(read, folder)
        content, warm, extra = opened.content_hash, opened.warm, opened.warnings
        index, origins, warnings = opened.stored
        graph = cls(index, origins, statistics=statistics_of(index, len(read), (*warnings, *extra)))
        graph.content_hash, graph.years = content, years
        graph.files = tuple(file for file in files if file.role != "shapes")
        graph.shapes_files = tuple(file for file in files if file.role == "shapes")
        if any(may_hold_rules(file.path) for file in graph.shapes_files):
            hashes = [content, *(file_hash(file.path) for file in graph.shapes_files)]
            derived = with_rules(graph, _digest([str(cache.FORMAT_VERSION), *hashes]), folder)
            graph, derived.content_hash = derived, content if derived is graph else _digest(hashes)
        graph.places = opened.places
        graph.statistics = replace(graph.statistics, seconds=time.perf_counter() - begun, from_cache=warm)
        return graph

    def __len__(self) -> int:
        """The number of distinct triples."""
        return len(self._s_pairs)

    @property
    def index(self) -> Index:
        """The columns that it is made of."""
        return self._index

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The files and named graphs that it was read from."""
        return self._origins

    def origin(self, subject: int, predicate: int, object_: int) -> Origin:
        """Where an asserted triple comes from.

        Raises:
            KeyError: the triple is not asserted.
        """
        pair, end = predicate << SHIFT | object_, self._s_start[subject + 1]
        at = bisect_left(self._s_pairs, pair, self._s_start[subject], end)
        if at < end and self._s_pairs[at] == pair:
            return self._origins[self._index.origins[at]]
        raise KeyError((subject, predicate, object_))

    # Names

    def named(self, subject: int) -> tuple[tuple[str, str, bool], ...]:
        """All (text, language, is the main kind) of a term, preferred first; empty when the graph gives no label."""
        if self._label_ranks is None:
            self._label_ranks = label_ranks(self.id, self.subjects)
        ranks, index = self._label_ranks, self._index
        found = []
        for pair in self._s_pairs[self._s_start[subject] : self._s_start[subject + 1]]:
            rank = ranks.get(pair >> SHIFT)
            number = pair & MASK
            if rank is not None and index.kinds[number] == LITERAL:
                tag = index.tags[number]
                lang = index.langs[-1 - tag] if tag < 0 else ""
                found.append((rank >= 100, rank_of(lang, self.language), rank, number, lang))
        if len(found) > 1:
            found.sort()
        return tuple([(self._text(number), lang, not alt) for alt, _, _, number, lang in found])

    def labels(self, subject: int) -> tuple[str, ...]:
        """All labels, the main one first; the local name as words when the graph gives none."""
        found = tuple(dict.fromkeys(text for text, _, _ in self.named(subject) if text.strip()))
        return found or (spoken_name(self._text(subject)),)

    def label(self, subject: int) -> str:
        """The main label; for a literal its lexical form."""
        return self._text(subject) if self.is_literal(subject) else self.labels(subject)[0]

    # SPARQL

    def store(self) -> ox.Store:
        """The triples as a pyoxigraph store, built on first use. Do not write to it."""
        if self._store is None:
            from imprimatur.sources.graph.sparql import build_store

            self._store = build_store(self)
        return self._store

    def query(self, sparql: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """The result of a SPARQL query over all triples as one default graph.

        Raises:
            KnowledgeBaseError: the query is malformed, or it names a service.
        """
        from imprimatur.sources.graph.sparql import run

        return run(self.store(), sparql)

    def ask(self, sparql: str) -> bool:
        """The truth of a SPARQL ASK query.

        Raises:
            KnowledgeBaseError: the query is malformed or is no ASK query.
        """
        import pyoxigraph as ox

        result = self.query(sparql)
        if not isinstance(result, ox.QueryBoolean):
            raise KnowledgeBaseError("this is no ASK query", where=sparql[:200])
        return bool(result)


class _Changed(Exception):
    """A file has changed while the files were read."""


class _Opened(NamedTuple):
    """Some files, as they were at one moment; ``warm``: their content was in the cache."""

    content_hash: str
    stored: _Stored
    warm: bool
    warnings: tuple[str, ...]
    places: Places | None


def _opened(files: Sequence[GraphFile], folder: Path) -> _Opened:
    """The files' hash and content, all of one moment.

    A file that is replaced while it is read would be kept under the hash of the other: then all is read again.
    """
    paths = [file.path for file in files if file.mapped is None]
    for _ in range(_TRIES):
        for parent in dict.fromkeys(path.parent for path in paths):
            settle(parent)
        before = stamps(paths)
        hashes = [file.mapped.content_hash if file.mapped else file_hash(file.path, folder) for file in files]
        content = _digest(f"{f.role} {f.trust} {h}" for f, h in zip(files, hashes, strict=True))
        key = _digest([str(cache.FORMAT_VERSION), content, *(str(file.path) for file in files)])
        path = folder / f"{key[:32]}.graph"
        stored = cache.read(path)
        extra = (stored,) if isinstance(stored, str) else ()
        with suppress(_Changed):
            warm = isinstance(stored, tuple)
            found = stored if isinstance(stored, tuple) else _compiled(files, path, paths, before)
            places = places_of(paths)
            if stamps(paths) == before:
                return _Opened(content, found, warm, extra, places)
    where = ", ".join(map(str, paths[:3]))
    raise StoreUnavailable("the files change while they are read", where=where, hint="try again when they rest")


def _compiled(files: Sequence[GraphFile], path: Path, paths: Sequence[Path], before: object) -> _Stored:
    """What the files hold, read and then written to the cache; mapped from there where that was possible.

    Args:
        before: the stamps of ``paths``, the files that are RDF, when their hash was taken.

    Raises:
        _Changed: they do not hold it any more.
    """
    # Reading needs the parser; a graph from the cache does without it.
    from imprimatur.sources.graph.load import Loader

    loader = Loader()
    try:
        for file in files:
            loader.read(file)
    except KnowledgeBaseError:
        if stamps(paths) == before:
            raise
        raise _Changed from None
    if stamps(paths) != before:
        raise _Changed
    index, origins = loader.index(), tuple(loader.origins)
    problem = cache.write(path, index, origins=origins, warnings=tuple(loader.warnings))
    stored = None if problem else cache.read(path)
    if isinstance(stored, tuple):
        return stored
    return index, origins, (*loader.warnings, *([problem] if problem else []))


def graph_of(loader: Loader) -> Graph:
    """The graph of what a loader has read, without cache and without files."""
    index = loader.index()
    statistics = statistics_of(index, len(loader.origins), tuple(loader.warnings))
    return Graph(index, tuple(loader.origins), statistics=statistics)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
