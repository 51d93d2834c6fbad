"""Claims that come ready made instead of an answer's text, each tagged with its kind and its citations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Kind, Segment

__all__ = ["TaggedClaim", "joined", "segments_of", "spans"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedClaim:
    """One claim: ``memory`` restates the cited entries, ``inference`` concludes from them."""

    text: str
    kind: Literal["memory", "inference"] = "memory"
    citations: tuple[str, ...] = ()


def joined(claims: Sequence[TaggedClaim]) -> str:
    """The answer that the claims make: their texts joined by newlines."""
    return "\n".join(claim.text for claim in claims)


def spans(claims: Sequence[TaggedClaim]) -> tuple[tuple[int, int], ...]:
    """Where each claim's text stands in ``joined(claims)``, 0-based and half-open."""
    found, start = [], 0
    for claim in claims:
        found.append((start, start + len(claim.text)))
        start += len(claim.text) + 1
    return tuple(found)


def segments_of(claims: Sequence[TaggedClaim]) -> tuple[Segment, ...]:
    """One segment a claim; the newline behind it belongs to it."""
    found = spans(claims)
    ends = [start for start, _ in found[1:]] + [found[-1][1]] if found else []
    return tuple(Segment(start, stop, Kind.SENTENCE, (start, end)) for (start, end), stop in zip(found, ends))
