"""The compiled form of a graph: integer-coded terms and triples in sorted columns, in memory or mapped from a file.

Every term has an identifier (its rank of appearance). Every triple stands in three orders, each one column of 64-bit
pairs: by subject (predicate and object), by object (predicate and subject) and by predicate (subject and object). The
stretch ``s_start[i]:s_start[i+1]`` of ``s_pairs`` belongs to subject ``i`` and is sorted, so a triple is found by one
binary search. Columns are flat memory that is never changed: nothing is decoded until it is asked for, and a graph that
is mapped from a file costs no time to open and only the pages that are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from imprimatur._dataclasses import dataclass

__all__ = ["BLANK", "COLUMNS", "IRI", "LITERAL", "MASK", "SHIFT", "TRIPLE", "Index", "column_sizes"]

#: Kinds of terms.
IRI, BLANK, LITERAL, TRIPLE = 0, 1, 2, 3

#: A pair is ``first << SHIFT | second``.
SHIFT = 32
MASK = (1 << SHIFT) - 1

#: The columns and the type of their items (as in ``array`` and ``struct``), in the order in which a file holds them.
COLUMNS: Mapping[str, str] = {
    "text_start": "Q",
    "s_pairs": "Q",
    "o_pairs": "Q",
    "p_pairs": "Q",
    "entries": "Q",
    "buckets": "I",
    "tags": "i",
    "s_start": "I",
    "o_start": "I",
    "p_start": "I",
    "predicates": "I",
    "origins": "H",
    "kinds": "B",
    "text": "B",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Terms and triples of a graph, as columns.

    Attributes:
        text: the UTF-8 texts of all terms, one after another: the IRI, the blank node's label, the lexical form, or
            "s p o" (identifiers) of a triple term.
        text_start: where each term's text begins, and the end of the last.
        kinds: per term ``IRI``, ``BLANK``, ``LITERAL`` or ``TRIPLE``.
        tags: per literal the identifier of its datatype, or ``-1 - k`` for language ``langs[k]``; otherwise 0.
        buckets: where each bucket of ``entries`` begins, and the end of the last.
        entries: per term that can be looked up by its text, the check part of its hash and its identifier.
        predicates: the predicates that occur, ascending; ``p_start`` goes by rank in it, not by identifier.
        origins: per triple in subject order, the rank of its origin.
        subjects: how many terms are subjects.
        literals: how many terms are literals.
    """

    text_start: memoryview[int]
    s_pairs: memoryview[int]
    o_pairs: memoryview[int]
    p_pairs: memoryview[int]
    entries: memoryview[int]
    buckets: memoryview[int]
    tags: memoryview[int]
    s_start: memoryview[int]
    o_start: memoryview[int]
    p_start: memoryview[int]
    predicates: memoryview[int]
    origins: memoryview[int]
    kinds: memoryview[int]
    text: memoryview[int]
    langs: tuple[str, ...]
    subjects: int
    literals: int

    def text_of(self, number: int) -> str:
        """The text of a term."""
        starts = self.text_start
        return str(self.text[starts[number] : starts[number + 1]], "utf-8", "surrogatepass")

    def stretch(self, order: str) -> Iterator[tuple[int, int, int]]:
        """Each identifier that has a stretch in an order (``s`` or ``o``), with its begin and end."""
        starts = self.s_start if order == "s" else self.o_start
        return ((number, a, b) for number, (a, b) in enumerate(pairwise(starts)) if a != b)

    def check(self) -> None:
        """Raises ValueError when columns do not fit together by their lengths and ends."""
        terms, triples, predicates = len(self.kinds), len(self.s_pairs), len(self.predicates)
        for name, size in column_sizes(terms, triples, predicates).items():
            if len(getattr(self, name)) != size:
                raise ValueError(f"{name} does not fit")
        ends = (("s_start", triples), ("o_start", triples), ("p_start", triples), ("text_start", len(self.text)))
        for name, end in (*ends, ("buckets", len(self.entries))):
            starts = getattr(self, name)
            if not len(starts) or starts[-1] != end:
                raise ValueError(f"{name} does not fit")

    def faults(self, origins: int) -> str:
        """What is wrong with the content of the columns, given the number of origins; empty when nothing is seen."""
        if len(self.origins) and max(self.origins) >= origins:
            return "an origin is missing"
        if len(self.predicates) and self.predicates[-1] >= len(self.kinds):
            return "a predicate is missing"
        return ""


def column_sizes(terms: int, triples: int, predicates: int) -> dict[str, int]:
    """How many items the columns have whose length follows from these counts."""
    return {
        "tags": terms,
        "text_start": terms + 1,
        "s_start": terms + 1,
        "o_start": terms + 1,
        "p_start": predicates + 1,
        "s_pairs": triples,
        "o_pairs": triples,
        "p_pairs": triples,
        "origins": triples,
    }
