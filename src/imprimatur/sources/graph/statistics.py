"""What loading a graph did, in numbers."""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.index import Index

__all__ = ["LoadStatistics", "statistics_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadStatistics:
    """What loading did: counts, seconds, whether the compiled cache was used, and warnings about the files.

    ``derived`` triples, of all, were added by rules.
    """

    triples: int
    terms: int
    subjects: int
    predicates: int
    literals: int
    files: int
    seconds: float
    from_cache: bool
    warnings: tuple[str, ...]
    derived: int = 0


def statistics_of(index: Index, files: int, warnings: tuple[str, ...]) -> LoadStatistics:
    """The counts of an index; an empty one adds a warning."""
    triples = len(index.s_pairs)
    if not triples:
        warnings = (*warnings, "the graph is empty: every claim will be not_found")
    return LoadStatistics(
        triples=triples,
        terms=len(index.kinds),
        subjects=index.subjects,
        predicates=len(index.predicates),
        literals=index.literals,
        files=files,
        seconds=0.0,
        from_cache=False,
        warnings=warnings,
    )
