"""Evidence: what a source found, with its origin and a query that finds it again."""

from __future__ import annotations

from imprimatur._dataclasses import dataclass

__all__ = ["Evidence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence.

    Attributes:
        source: the source's name, for instance ``graph``.
        kind: ``triple``, ``entry``, ``row``, ``passage`` or ``constraint``.
        content: what was found, as a person reads it; for a triple its N-Triples form, derivation after it.
        query: SPARQL, SQL, Cypher or an entry id that finds the content again when run as given.
        origin: the file or address it came from.
        trust: ``curated``, ``derived`` or ``model``.
        correction: the value that would have been right, in words, where the evidence refutes by a value.
        terms: the triples of the graph that it is, in N-Triples form, where ``content`` is something else; no part of a
            report.
        spots: for cells of a document: the line (from 1) of each, and its characters from ``start`` up to ``end``.
    """

    source: str
    kind: str
    content: str
    query: str
    origin: str
    trust: str = "curated"
    correction: str | None = None
    terms: str = ""
    spots: tuple[tuple[int, int, int], ...] = ()
