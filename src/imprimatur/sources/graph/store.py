"""The graph: read-only look-ups by integer identifier, labels, origins, and SPARQL.

Invariants: a ``Graph`` never changes; identifiers are stable for the same files in the same order; data and ontology
files are one graph for look-ups, shapes files are kept apart. A look-up is a binary search in the columns of the index,
which are mapped from the cache file: nothing is decoded when a graph is opened, and what is kept decoded is bounded.
SPARQL runs on a store that is built on first use from the same terms.
"""

from __future__ import annotations

import hashlib
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph import cache
from imprimatur.sources.graph.derived import may_hold_rules, with_rules
from imprimatur.sources.graph.files import GraphFile, file_hash
from imprimatur.sources.graph.index import IRI, LITERAL, MASK, SHIFT, TRIPLE, Index
from imprimatur.sources.graph.labels import label_ranks, rank_of
from imprimatur.sources.graph.statistics import LoadStatistics, statistics_of
from imprimatur.sources.graph.term_table import find_literal, find_node
from imprimatur.sources.graph.terms import (
    RDF,
    TRUST_CLASSES,
    Origin,
    RdfLiteral,
    TripleTerm,
    iri_text,
    literal_text,
    parse_number,
    spoken_name,
)

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.graph.load import Loader
    from imprimatur.values import DateValue

__all__ = ["Graph", "GraphFile", "LoadStatistics", "graph_of"]

#: How many texts and identifiers are kept decoded; the hundred most used ones are what matters.
_KEPT = 1 << 16
#: Longer texts are looked up without being kept.
_LONG = 1000
#: In a column of pairs seen as a column of 32-bit items: where the first and the second item of a pair lie.
_FIRST, _SECOND = (1, 0) if sys.byteorder == "little" else (0, 1)


def _halves(pairs: memoryview[int]) -> tuple[memoryview[int], memoryview[int]]:
    """The first and the second items of a column of pairs, without copying."""
    items = pairs.cast("B").cast("I")
    return items[_FIRST::2], items[_SECOND::2]


@lru_cache(_KEPT)
def _date(lexical: str, datatype: str, years: str) -> DateValue | None:
    from imprimatur.language import dates

    return dates.stored(lexical, datatype, years=years)


class Graph:
    """A read-only RDF graph. Load it with ``Graph.load``."""

    __slots__ = (
        "_find",
        "_index",
        "_label_ranks",
        "_o_pairs",
        "_o_seconds",
        "_o_start",
        "_origins",
        "_p_halves",
        "_s_pairs",
        "_s_seconds",
        "_s_start",
        "_store",
        "_text",
        "content_hash",
        "files",
        "language",
        "shapes_files",
        "statistics",
        "years",
    )

    def __init__(self, index: Index, origins: tuple[Origin, ...], *, statistics: LoadStatistics) -> None:
        self._index = index
        self._origins = origins
        # Per graph, so that they go with it; lru_cache is bounded and safe between threads.
        self._text: Callable[[int], str] = lru_cache(_KEPT)(index.text_of)
        self._find: Callable[[str], int | None] = lru_cache(_KEPT)(partial(find_node, index))
        self._s_start, self._s_pairs, self._s_seconds = index.s_start, index.s_pairs, _halves(index.s_pairs)[1]
        self._o_start, self._o_pairs, self._o_seconds = index.o_start, index.o_pairs, _halves(index.o_pairs)[1]
        self._p_halves = _halves(index.p_pairs)
        self._label_ranks: dict[int, int] | None = None
        self._store: ox.Store | None = None
        self.statistics = statistics
        self.content_hash = ""
        self.files: tuple[GraphFile, ...] = ()
        self.shapes_files: tuple[GraphFile, ...] = ()
        self.years = "xsd10"
        self.language = "en"  # whose labels come first, besides those without a language

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
        """
        begun = time.perf_counter()
        folder = cache_dir or cache.default_directory()
        read = sorted((file for file in files if file.role != "shapes"), key=lambda f: TRUST_CLASSES.index(f.trust))
        hashes = [file_hash(file.path, folder) for file in read]
        content = _digest(f"{f.role} {f.trust} {h}" for f, h in zip(read, hashes, strict=True))
        key = _digest([str(cache.FORMAT_VERSION), content, *(str(file.path) for file in read)])
        path = folder / f"{key[:32]}.graph"
        stored = cache.read(path)
        warm = isinstance(stored, tuple)
        extra: tuple[str, ...] = (stored,) if isinstance(stored, str) else ()
        index, origins, warnings = stored if isinstance(stored, tuple) else _compiled(read, path)
        graph = cls(index, origins, statistics=statistics_of(index, len(read), (*warnings, *extra)))
        graph.content_hash, graph.years = content, years
        graph.files = tuple(file for file in files if file.role != "shapes")
        graph.shapes_files = tuple(file for file in files if file.role == "shapes")
        if any(may_hold_rules(file.path) for file in graph.shapes_files):
            hashes = [content, *(file_hash(file.path) for file in graph.shapes_files)]
            derived = with_rules(graph, _digest([str(cache.FORMAT_VERSION), *hashes]), folder)
            graph, derived.content_hash = derived, content if derived is graph else _digest(hashes)
        graph.statistics = replace(graph.statistics, seconds=time.perf_counter() - begun, from_cache=warm)
        return graph

    def __len__(self) -> int:
        """The number of distinct triples."""
        return len(self._s_pairs)

    # Terms

    @property
    def index(self) -> Index:
        """The columns that it is made of."""
        return self._index

    @property
    def term_count(self) -> int:
        """Identifiers run from 0 to this, exclusive."""
        return len(self._index.kinds)

    def id(self, iri: str) -> int | None:
        """The identifier of an IRI (or of a blank node by its ``_:b0`` label); None when the graph lacks it."""
        return self._find(iri) if len(iri) < _LONG else find_node(self._index, iri)

    def literal_id(self, literal: RdfLiteral) -> int | None:
        """The identifier of exactly this literal; None when the graph lacks it."""
        return find_literal(self._index, literal.lexical, datatype=literal.datatype, lang=literal.lang)

    def iri(self, number: int) -> str:
        """The IRI, or ``_:b0`` for a blank node. For a literal its lexical form."""
        return self._text(number)

    def is_iri(self, number: int) -> bool:
        """Whether the term is an IRI."""
        return self._index.kinds[number] == IRI

    def is_literal(self, number: int) -> bool:
        """Whether the term is a literal."""
        return self._index.kinds[number] == LITERAL

    def literal(self, number: int) -> RdfLiteral:
        """The literal; only for an identifier for which ``is_literal`` holds."""
        index = self._index
        tag = index.tags[number]
        if tag < 0:
            return RdfLiteral(self._text(number), RDF + "langString", index.langs[-1 - tag])
        return RdfLiteral(self._text(number), self._text(tag))

    def triple_term(self, number: int) -> TripleTerm | None:
        """The parts of an RDF 1.2 triple term; None for any other term."""
        if self._index.kinds[number] != TRIPLE:
            return None
        subject, predicate, object_ = map(int, self._text(number).split(" "))
        return TripleTerm(subject, predicate, object_)

    def n3(self, number: int) -> str:
        """The term in N-Triples, escaped."""
        kind = self._index.kinds[number]
        if kind == LITERAL:
            return literal_text(self.literal(number))
        if kind == IRI:
            return iri_text(self._text(number))
        parts = self.triple_term(number)
        if parts is None:
            return self._text(number)
        return f"<<( {self.n3(parts.subject)} {self.n3(parts.predicate)} {self.n3(parts.object)} )>>"

    def number(self, number: int) -> Fraction | None:
        """The exact value of a numeric literal; None for anything else."""
        if self._index.kinds[number] != LITERAL or self._index.tags[number] < 0:
            return None
        return parse_number(self._text(number), self._text(self._index.tags[number]))

    def date(self, number: int) -> DateValue | None:
        """The value of a date, or of an integer or text that reads as a year or date; None for anything else."""
        if self._index.kinds[number] != LITERAL or self._index.tags[number] < 0:
            return None
        return _date(self._text(number), self._text(self._index.tags[number]), self.years)

    # Triples

    def objects(self, subject: int, predicate: int) -> tuple[int, ...]:
        """The objects of a subject and predicate, ascending."""
        pairs, end = self._s_pairs, self._s_start[subject + 1]
        first = bisect_left(pairs, predicate << SHIFT, self._s_start[subject], end)
        last = bisect_left(pairs, predicate + 1 << SHIFT, first, end)
        if last - first > 1:
            return tuple(self._s_seconds[first:last])
        return (pairs[first] & MASK,) if last > first else ()

    def subjects(self, predicate: int, object_: int) -> tuple[int, ...]:
        """The subjects of a predicate and object, ascending."""
        pairs, end = self._o_pairs, self._o_start[object_ + 1]
        first = bisect_left(pairs, predicate << SHIFT, self._o_start[object_], end)
        last = bisect_left(pairs, predicate + 1 << SHIFT, first, end)
        if last - first > 1:
            return tuple(self._o_seconds[first:last])
        return (pairs[first] & MASK,) if last > first else ()

    def out(self, subject: int) -> tuple[tuple[int, int], ...]:
        """All (predicate, object) of a subject."""
        pairs = self._s_pairs[self._s_start[subject] : self._s_start[subject + 1]]
        return tuple([(pair >> SHIFT, pair & MASK) for pair in pairs])

    def into(self, object_: int) -> tuple[tuple[int, int], ...]:
        """All (subject, predicate) of an object."""
        pairs = self._o_pairs[self._o_start[object_] : self._o_start[object_ + 1]]
        return tuple([(pair & MASK, pair >> SHIFT) for pair in pairs])

    def degree(self, term: int) -> int:
        """How many triples have the term as subject or object."""
        starts, ends = self._s_start, self._o_start
        return starts[term + 1] - starts[term] + ends[term + 1] - ends[term]

    def predicates_of(self, subject: int) -> tuple[int, ...]:
        """The predicates a subject has."""
        pairs = self._s_pairs[self._s_start[subject] : self._s_start[subject + 1]]
        return tuple(dict.fromkeys([pair >> SHIFT for pair in pairs]))

    def has(self, subject: int, predicate: int, object_: int) -> bool:
        """Whether the triple is asserted."""
        pairs, pair, end = self._s_pairs, predicate << SHIFT | object_, self._s_start[subject + 1]
        at = bisect_left(pairs, pair, self._s_start[subject], end)
        return at < end and pairs[at] == pair

    def _stretch_of(self, predicate: int) -> tuple[int, int]:
        """Where the triples of a predicate begin and end in the order by predicate."""
        i = self._index
        rank = bisect_left(i.predicates, predicate)
        if rank == len(i.predicates) or i.predicates[rank] != predicate:
            return 0, 0
        return i.p_start[rank], i.p_start[rank + 1]

    def pairs(self, predicate: int) -> Iterator[tuple[int, int]]:
        """All (subject, object) of a predicate, by ascending subject."""
        start, end = self._stretch_of(predicate)
        return zip(self._p_halves[0][start:end], self._p_halves[1][start:end], strict=True)

    def count(self, predicate: int) -> int:
        """How many triples have the predicate."""
        start, end = self._stretch_of(predicate)
        return end - start

    def objects_of(self, predicate: int) -> Iterator[int]:
        """The object of every triple of a predicate, by ascending subject; a value comes once for each triple."""
        start, end = self._stretch_of(predicate)
        return iter(self._p_halves[1][start:end])

    def predicates(self) -> tuple[int, ...]:
        """All predicates that occur, ascending."""
        return tuple(self._index.predicates)

    def subjects_all(self) -> tuple[int, ...]:
        """All subjects, ascending."""
        return tuple(self.iter_subjects())

    def iter_subjects(self) -> Iterator[int]:
        """All subjects, ascending, found as they are asked for."""
        return (subject for subject, _, _ in self._index.stretch("s"))

    def triples(self) -> Iterator[tuple[int, int, int]]:
        """All triples, by ascending subject."""
        for subject, start, end in self._index.stretch("s"):
            for pair in self._s_pairs[start:end]:
                yield subject, pair >> SHIFT, pair & MASK

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


def _compiled(files: Sequence[GraphFile], path: Path) -> tuple[Index, tuple[Origin, ...], tuple[str, ...]]:
    """What the files hold, read and then written to the cache; mapped from there where that was possible."""
    # Reading needs the parser; a graph from the cache does without it.
    from imprimatur.sources.graph.load import Loader

    loader = Loader()
    for file in files:
        loader.read(file)
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
