"""The graph: read-only look-ups by integer identifier, labels, origins, and SPARQL.

Invariants: a ``Graph`` never changes; identifiers are stable for the same files in the same order; data and ontology
files are one graph for look-ups, shapes files are kept apart. Look-ups of a subject or object are decoded once and then
answered from a dictionary. SPARQL runs on a store that is built on first use from the same terms.
"""

from __future__ import annotations

import hashlib
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph import cache
from imprimatur.sources.graph.files import GraphFile, file_hash
from imprimatur.sources.graph.index import IRI, LITERAL, TRIPLE, Index
from imprimatur.sources.graph.labels import label_ranks, rank_of
from imprimatur.sources.graph.statistics import LoadStatistics, statistics_of
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

_Row = dict[int, tuple[int, ...]]


def _rows(start: int, end: int, *, keys: Sequence[int], values: Sequence[int]) -> _Row:
    """The values of each key in one stretch; both columns are sorted there."""
    row: _Row = {}
    while start < end:
        key = keys[start]
        stop = start + 1
        while stop < end and keys[stop] == key:
            stop += 1
        row[key] = tuple(values[start:stop])
        start = stop
    return row


class Graph:
    """A read-only RDF graph. Load it with ``Graph.load``."""

    __slots__ = (
        "_date_memo",
        "_ids",
        "_in",
        "_index",
        "_label_ranks",
        "_literals",
        "_origins",
        "_out",
        "_predicates",
        "_store",
        "content_hash",
        "files",
        "shapes_files",
        "statistics",
        "years",
    )

    def __init__(self, index: Index, origins: tuple[Origin, ...], *, statistics: LoadStatistics) -> None:
        self._index = index
        self._origins = origins
        self._ids = {text: number for number, (text, kind) in enumerate(zip(index.texts, index.kinds)) if kind <= 1}
        self._out: dict[int, _Row] = {}
        self._in: dict[int, _Row] = {}
        self._label_ranks: dict[int, int] | None = None
        self._literals: dict[RdfLiteral, int] | None = None
        self._date_memo: dict[int, DateValue | None] = {}
        self._predicates: tuple[int, ...] | None = None
        self._store: ox.Store | None = None
        self.statistics = statistics
        self.content_hash = ""
        self.files: tuple[GraphFile, ...] = ()
        self.shapes_files: tuple[GraphFile, ...] = ()
        self.years = "xsd10"

    @classmethod
    def load(cls, files: Sequence[GraphFile], *, cache_dir: Path | None = None, years: str = "xsd10") -> Graph:
        """The graph of some files, from the compiled cache where it is current.

        Args:
            files: data, ontology and shapes files; a triple in several files has the most trusted of them as origin.
            cache_dir: where compiled graphs are kept; None for ``~/.cache/imprimatur``.
            years: ``xsd10`` (-0384 is 384 BC) or ``xsd11`` (385 BC).

        Raises:
            KnowledgeBaseError: a file cannot be read; names file, line and how to mend it.
        """
        begun = time.perf_counter()
        read = sorted((file for file in files if file.role != "shapes"), key=lambda f: TRUST_CLASSES.index(f.trust))
        hashes = [file_hash(file.path) for file in read]
        content = _digest(f"{f.role} {f.trust} {h}" for f, h in zip(read, hashes, strict=True))
        key = _digest([str(cache.FORMAT_VERSION), content, *(str(file.path) for file in read)])
        path = (cache_dir or cache.default_directory()) / f"{key[:32]}.graph"
        stored = cache.read(path)
        extra: list[str] = [stored] if isinstance(stored, str) else []
        if isinstance(stored, tuple):
            index, origins, warnings = stored
        else:
            # Reading needs the parser; a graph from the cache does without it.
            from imprimatur.sources.graph.load import Loader

            loader = Loader()
            for file in read:
                loader.read(file)
            index, origins, warnings = loader.builder.build(), tuple(loader.origins), tuple(loader.warnings)
            problem = cache.write(path, index, origins=origins, warnings=warnings)
            extra += [problem] if problem else []
        graph = cls(index, origins, statistics=statistics_of(index, len(read), (*warnings, *extra)))
        graph.content_hash, graph.years = content, years
        graph.files = tuple(file for file in files if file.role != "shapes")
        graph.shapes_files = tuple(file for file in files if file.role == "shapes")
        graph.statistics = replace(
            graph.statistics, seconds=time.perf_counter() - begun, from_cache=isinstance(stored, tuple)
        )
        return graph

    def __len__(self) -> int:
        """The number of distinct triples."""
        return len(self._index.s_object)

    # Terms

    @property
    def term_count(self) -> int:
        """Identifiers run from 0 to this, exclusive."""
        return len(self._index.texts)

    def id(self, iri: str) -> int | None:
        """The identifier of an IRI (or of a blank node by its ``_:b0`` label); None when the graph lacks it."""
        return self._ids.get(iri)

    def literal_id(self, literal: RdfLiteral) -> int | None:
        """The identifier of exactly this literal; None when the graph lacks it."""
        if self._literals is None:
            kinds = self._index.kinds
            self._literals = {self.literal(n): n for n in range(len(kinds)) if kinds[n] == LITERAL}
        return self._literals.get(literal)

    def iri(self, number: int) -> str:
        """The IRI, or ``_:b0`` for a blank node. For a literal its lexical form."""
        return self._index.texts[number]

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
            return RdfLiteral(index.texts[number], RDF + "langString", index.langs[-1 - tag])
        return RdfLiteral(index.texts[number], index.texts[tag])

    def triple_term(self, number: int) -> TripleTerm | None:
        """The parts of an RDF 1.2 triple term; None for any other term."""
        if self._index.kinds[number] != TRIPLE:
            return None
        subject, predicate, object_ = map(int, self._index.texts[number].split(" "))
        return TripleTerm(subject, predicate, object_)

    def n3(self, number: int) -> str:
        """The term in N-Triples, escaped."""
        kind = self._index.kinds[number]
        if kind == LITERAL:
            return literal_text(self.literal(number))
        if kind == IRI:
            return iri_text(self._index.texts[number])
        parts = self.triple_term(number)
        if parts is None:
            return self._index.texts[number]
        return f"<<( {self.n3(parts.subject)} {self.n3(parts.predicate)} {self.n3(parts.object)} )>>"

    def number(self, number: int) -> Fraction | None:
        """The exact value of a numeric literal; None for anything else."""
        if self._index.kinds[number] != LITERAL or self._index.tags[number] < 0:
            return None
        return parse_number(self._index.texts[number], self._index.texts[self._index.tags[number]])

    def date(self, number: int) -> DateValue | None:
        """The value of a date, or of an integer or text that reads as a year or date; None for anything else."""
        if self._index.kinds[number] != LITERAL or self._index.tags[number] < 0:
            return None
        if number not in self._date_memo:
            from imprimatur.language import dates

            literal = self.literal(number)
            self._date_memo[number] = dates.stored(literal.lexical, literal.datatype, years=self.years)
        return self._date_memo[number]

    # Triples

    def _out_row(self, subject: int) -> _Row:
        row = self._out.get(subject)
        if row is None:
            i = self._index
            start, end = i.s_start[subject], i.s_start[subject + 1]
            row = self._out[subject] = _rows(start, end, keys=i.s_predicate, values=i.s_object)
        return row

    def _in_row(self, object_: int) -> _Row:
        row = self._in.get(object_)
        if row is None:
            i = self._index
            start, end = i.o_start[object_], i.o_start[object_ + 1]
            row = self._in[object_] = _rows(start, end, keys=i.o_predicate, values=i.o_subject)
        return row

    def objects(self, subject: int, predicate: int) -> tuple[int, ...]:
        """The objects of a subject and predicate, ascending."""
        return self._out_row(subject).get(predicate, ())

    def subjects(self, predicate: int, object_: int) -> tuple[int, ...]:
        """The subjects of a predicate and object, ascending."""
        return self._in_row(object_).get(predicate, ())

    def out(self, subject: int) -> tuple[tuple[int, int], ...]:
        """All (predicate, object) of a subject."""
        return tuple((p, o) for p, objects in self._out_row(subject).items() for o in objects)

    def into(self, object_: int) -> tuple[tuple[int, int], ...]:
        """All (subject, predicate) of an object."""
        return tuple((s, p) for p, subjects in self._in_row(object_).items() for s in subjects)

    def predicates_of(self, subject: int) -> tuple[int, ...]:
        """The predicates a subject has."""
        return tuple(self._out_row(subject))

    def has(self, subject: int, predicate: int, object_: int) -> bool:
        """Whether the triple is asserted."""
        objects = self._out_row(subject).get(predicate, ())
        at = bisect_left(objects, object_)
        return at < len(objects) and objects[at] == object_

    def pairs(self, predicate: int) -> Iterator[tuple[int, int]]:
        """All (subject, object) of a predicate, by ascending subject."""
        i = self._index
        for position in i.p_position[i.p_start[predicate] : i.p_start[predicate + 1]]:
            yield self._subject_at(position), i.s_object[position]

    def count(self, predicate: int) -> int:
        """How many triples have the predicate."""
        return self._index.p_start[predicate + 1] - self._index.p_start[predicate]

    def objects_of(self, predicate: int) -> Iterator[int]:
        """The object of every triple of a predicate, by ascending subject; a value comes once for each triple."""
        i = self._index
        return map(i.s_object.__getitem__, i.p_position[i.p_start[predicate] : i.p_start[predicate + 1]])

    def predicates(self) -> tuple[int, ...]:
        """All predicates that occur, ascending."""
        if self._predicates is None:
            self._predicates = tuple(sorted(set(self._index.s_predicate)))
        return self._predicates

    def subjects_all(self) -> tuple[int, ...]:
        """All subjects, ascending."""
        starts = self._index.s_start
        return tuple(n for n in range(self.term_count) if starts[n + 1] > starts[n])

    def triples(self) -> Iterator[tuple[int, int, int]]:
        """All triples, by ascending subject."""
        i = self._index
        for subject in self.subjects_all():
            for position in range(i.s_start[subject], i.s_start[subject + 1]):
                yield subject, i.s_predicate[position], i.s_object[position]

    def _subject_at(self, position: int) -> int:
        return bisect_right(self._index.s_start, position) - 1

    def origin(self, subject: int, predicate: int, object_: int) -> Origin:
        """Where an asserted triple comes from.

        Raises:
            KeyError: the triple is not asserted.
        """
        i = self._index
        for position in range(i.s_start[subject], i.s_start[subject + 1]):
            if i.s_object[position] == object_ and i.s_predicate[position] == predicate:
                return self._origins[i.origins[position]]
        raise KeyError((subject, predicate, object_))

    # Names

    def named(self, subject: int) -> tuple[tuple[str, str, bool], ...]:
        """All (text, language, is the main kind) of a term, preferred first; empty when the graph gives no label."""
        if self._label_ranks is None:
            self._label_ranks = label_ranks(self._index, self._ids)
        found = []
        for predicate, objects in self._out_row(subject).items():
            rank = self._label_ranks.get(predicate)
            if rank is None:
                continue
            for number in objects:
                if self.is_literal(number):
                    literal = self.literal(number)
                    found.append((rank >= 100, rank_of(literal.lang), rank, number, literal))
        found.sort(key=lambda entry: entry[:4])
        return tuple((literal.lexical, literal.lang, not alt) for alt, _, _, _, literal in found)

    def labels(self, subject: int) -> tuple[str, ...]:
        """All labels, the main one first; the local name as words when the graph gives none."""
        found = tuple(dict.fromkeys(text for text, _, _ in self.named(subject) if text.strip()))
        return found or (spoken_name(self._index.texts[subject]),)

    def label(self, subject: int) -> str:
        """The main label; for a literal its lexical form."""
        return self._index.texts[subject] if self.is_literal(subject) else self.labels(subject)[0]

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


def graph_of(loader: Loader) -> Graph:
    """The graph of what a loader has read, without cache and without files."""
    index = loader.builder.build()
    statistics = statistics_of(index, len(loader.origins), tuple(loader.warnings))
    return Graph(index, tuple(loader.origins), statistics=statistics)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
