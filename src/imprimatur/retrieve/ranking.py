"""From what the paths propose to the items of a trail: fusion, reranking, floor, budget.

Ranks of all paths are fused (reciprocal rank fusion); then that order is reranked: fused with the order by fit and,
where vectors are stored, with the order by cosine. What fits less than the floor and is less similar than the
similarity floor is no evidence: nothing is kept for being the nearest.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from imprimatur.retrieve.candidates import Candidate
from imprimatur.retrieve.limits import RetrievalLimits
from imprimatur.retrieve.trail import Item, Section
from imprimatur.sources.passages.fusion import fused, ranked

__all__ = ["ranking", "ranks_of"]

#: Characters to a token, roughly, in English.
_CHARACTERS = 4


def ranks_of(found: Sequence[Candidate]) -> dict[Hashable, int]:
    """The rank of each candidate in its path, from 1; those that the path does not tell apart share one."""
    orders = sorted({_order(each) for each in found}, reverse=True)
    places = {order: place for place, order in enumerate(orders, 1)}
    ranks: dict[Hashable, int] = {}
    for each in found:
        ranks[each.key] = min(places[_order(each)], ranks.get(each.key, len(places)))
    return ranks


def _order(candidate: Candidate) -> tuple[float, ...]:
    return (candidate.score,) if candidate.order is None else candidate.order


def ranking(
    paths: Mapping[str, Sequence[Candidate]], similar: Mapping[Hashable, float], limits: RetrievalLimits
) -> tuple[tuple[Item, ...], int]:
    """The items of a trail, and how many were left out for want of room.

    Args:
        paths: what each path proposes.
        similar: cosines of candidates with the question, from stored vectors.
    """
    merged = _merged(paths, similar)
    ranks = {name: ranks_of(found) for name, found in paths.items()}
    scores = fused(
        (
            ranked(fused(ranks.values())),
            ranked({key: _fit(each) for key, each in merged.items()}),
            ranked({key: each.similarity for key, each in merged.items() if each.similarity is not None}),
        )
    )
    kept = [each for each in merged.values() if _is_evidence(each, limits)]
    kept.sort(key=lambda each: (-scores[each.key], str(each.key)))
    items, left_out, room = [], 0, limits.tokens * _CHARACTERS
    for section in Section:
        taken = 0
        for each in (one for one in kept if one.section is section):
            text, evidence = each.tell()
            if taken == limits.items or len(text) > room:
                left_out += 1
                continue
            taken, room = taken + 1, room - len(text)
            items.append(
                Item(
                    section=section,
                    text=text,
                    evidence=evidence,
                    score=each.score,
                    similarity=each.similarity,
                    fused=scores[each.key],
                    ranks={name: found[each.key] for name, found in ranks.items() if each.key in found},
                )
            )
    return tuple(items), left_out


def _merged(paths: Mapping[str, Sequence[Candidate]], similar: Mapping[Hashable, float]) -> dict[Hashable, Candidate]:
    """Each candidate once: the one that fits best, with the cosine that some path or the store knows."""
    merged: dict[Hashable, Candidate] = {}
    for each in (one for found in paths.values() for one in found):
        known = merged.get(each.key)
        better = each if known is None or _fit(each) > _fit(known) else known
        cosine = next((c.similarity for c in (each, known) if c is not None and c.similarity is not None), None)
        merged[each.key] = replace(better, similarity=similar.get(each.key, cosine))
    return merged


def _is_evidence(candidate: Candidate, limits: RetrievalLimits) -> bool:
    similar = candidate.similarity is not None and candidate.similarity >= limits.similarity
    return candidate.section is Section.RESULTS or candidate.score >= limits.floor or similar


def _fit(candidate: Candidate) -> float:
    return candidate.score if candidate.fit is None else candidate.fit
