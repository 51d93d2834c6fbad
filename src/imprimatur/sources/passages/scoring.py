"""From ranked passages to ranked sentences: the same for passages given with a call and for an index.

Three lists are fused: passages by BM25, passages by similarity, and sentences by the share of the query's terms that
stand in them. A sentence has the ranks of its passage in the first two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from imprimatur.sources.passages.fusion import fused, ranked
from imprimatur.sources.passages.passage import Passage
from imprimatur.sources.passages.retriever import Query, Scored
from imprimatur.sources.passages.terms import terms_of

__all__ = ["Candidate", "rarity", "scored", "weights_of"]

#: How much more a word counts that is part of a name, or a number.
_NAME = 2.0
_NUMBER = 1.5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that was found, with the terms of each of its sentences."""

    passage: Passage
    terms: Sequence[frozenset[str]]


def weights_of(query: Query) -> dict[str, float]:
    """The terms of a query, each with how much it counts; in a fixed order."""
    weights: dict[str, float] = {}
    for texts, weight in ((query.names, _NAME), (query.numbers, _NUMBER), (query.words, 1.0)):
        for text in texts:
            for term in terms_of(text):
                weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def rarity(passages: int, having: int) -> float:
    """How much a term tells that so many of all passages have (BM25's inverse document frequency)."""
    return log(1 + (passages - having + 0.5) / (having + 0.5))


def scored(
    candidates: Mapping[int, Candidate],
    full_text: Mapping[int, float],
    similar: Mapping[int, float],
    *,
    asked: Mapping[str, float],
    limit: int,
) -> tuple[Scored, ...]:
    """The sentences of some passages, best first.

    Args:
        candidates: passages by number; the numbers are the keys of all that follows.
        full_text, similar: the scores by which passages were found.
        asked: the query's terms with their weights (rarity included).
    """
    overlaps = _overlaps(candidates, asked)
    by_text = _spread(ranked(full_text), candidates)
    by_similarity = _spread(ranked(similar), candidates)
    scores = fused((by_text, by_similarity, ranked({place: share for place, share in overlaps.items() if share > 0})))
    found = []
    for (number, place), score in scores.items():
        passage = candidates[number].passage
        found.append(
            Scored(
                sentence=passage.sentences[place],
                passage=passage,
                score=score,
                full_text=full_text.get(number),
                similarity=similar.get(number),
                overlap=overlaps[number, place],
            )
        )
    found.sort(key=lambda each: (-each.score, each.sentence.document, each.sentence.start))
    return tuple(found[:limit])


def _overlaps(candidates: Mapping[int, Candidate], asked: Mapping[str, float]) -> dict[tuple[int, int], float]:
    whole = sum(asked.values())
    return {
        (number, place): sum(weight for term, weight in asked.items() if term in terms) / whole if whole else 0.0
        for number, candidate in candidates.items()
        for place, terms in enumerate(candidate.terms)
    }


def _spread(ranks: Mapping[int, int], candidates: Mapping[int, Candidate]) -> dict[tuple[int, int], int]:
    """The rank of each passage given to all of its sentences."""
    return {
        (number, place): rank
        for number, rank in ranks.items()
        if number in candidates
        for place in range(len(candidates[number].terms))
    }
