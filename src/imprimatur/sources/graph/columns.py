"""Terms and triples by integer identifier: the look-ups in the columns of an index.

Invariants: nothing here changes; a look-up is a binary search in columns that are mapped from the cache file, and what
is kept decoded is bounded. Identifiers run from 0 on, in the order of appearance.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from imprimatur.sources.graph.index import IRI, LITERAL, MASK, SHIFT, TRIPLE, Index
from imprimatur.sources.graph.term_table import find_literal, find_node
from imprimatur.sources.graph.terms import RDF, RdfLiteral, TripleTerm, iri_text, literal_text, parse_number

if TYPE_CHECKING:
    from imprimatur.values import DateValue

__all__ = ["Columns"]

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


class Columns:
    """The terms and triples of a graph."""

    __slots__ = (
        "_find",
        "_index",
        "_o_pairs",
        "_o_seconds",
        "_o_start",
        "_p_halves",
        "_s_pairs",
        "_s_seconds",
        "_s_start",
        "_text",
        "years",
    )

    def __init__(self, index: Index) -> None:
        self._index = index
        # Per graph, so that they go with it; lru_cache is bounded and safe between threads.
        self._text: Callable[[int], str] = lru_cache(_KEPT)(index.text_of)
        self._find: Callable[[str], int | None] = lru_cache(_KEPT)(partial(find_node, index))
        self._s_start, self._s_pairs, self._s_seconds = index.s_start, index.s_pairs, _halves(index.s_pairs)[1]
        self._o_start, self._o_pairs, self._o_seconds = index.o_start, index.o_pairs, _halves(index.o_pairs)[1]
        self._p_halves = _halves(index.p_pairs)
        self.years = "xsd10"

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
