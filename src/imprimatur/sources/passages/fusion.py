"""Reciprocal rank fusion: several ranked lists made into one order, and several retrievers into one.

The score of a thing is the sum of ``1 / (10 + rank)`` over the lists in which it stands; ranks begin at 1, and things
that a list does not tell apart share a rank. What is measured on different scales (BM25, cosine) is never added up.
(Cormack, Clarke and Büttcher, 2009, with 60 for lists of a thousand; these are short, and among their ranks 60 makes
hardly a difference. ``python -m imprimatur.evals.retrieval`` measures what it does.)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from imprimatur.sources.passages.passage import Passage
from imprimatur.sources.passages.retriever import Query, Retriever, Scored

__all__ = ["Joined", "fused", "ranked"]

T = TypeVar("T", bound=Hashable)
_K = 10


def ranked(scores: Mapping[T, float]) -> dict[T, int]:
    """The rank of each thing by its score, the highest first; equal scores share a rank."""
    ranks: dict[T, int] = {}
    rank, before = 0, None
    for place, (thing, score) in enumerate(sorted(scores.items(), key=lambda each: -each[1]), 1):
        if score != before:
            rank, before = place, score
        ranks[thing] = rank
    return ranks


def fused(lists: Iterable[Mapping[T, int]]) -> dict[T, float]:
    """The fused score of everything that stands in some list of ranks."""
    found: dict[T, list[int]] = {}
    for ranks in lists:
        for thing, rank in ranks.items():
            found.setdefault(thing, []).append(rank)
    # Added up in order of size: the sum does not depend on the order of the lists.
    return {thing: sum(1 / (_K + rank) for rank in sorted(ranks)) for thing, ranks in found.items()}


class Joined:
    """Several retrievers as one (implements ``Retriever``); an earlier one wins where ids are the same."""

    def __init__(self, retrievers: Sequence[Retriever]) -> None:
        self._retrievers = tuple(retrievers)

    def find(self, query: Query, *, limit: int = 12) -> tuple[Scored, ...]:
        """The best of all, by each one's own fused scores."""
        found = [scored for each in self._retrievers for scored in each.find(query, limit=limit)]
        found.sort(key=lambda scored: (-scored.score, scored.sentence.document, scored.sentence.start))
        return tuple(found[:limit])

    def passage(self, id_: str) -> Passage | None:
        """The passage of that id in the first that has it."""
        return next((passage for each in self._retrievers if (passage := each.passage(id_)) is not None), None)

    def __len__(self) -> int:
        """How many passages there are in all."""
        return sum(len(each) for each in self._retrievers)
