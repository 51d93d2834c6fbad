"""The evidence trail: what was found for a question, by which paths, and what failed.

Invariants: every item carries evidence with an origin and a query that finds it again; nothing in a trail is a hint or
an instruction; a path that failed or was cut short stands in ``failures``, so that a failure never reads as "nothing
found". ``Item.score`` (how well the item fits the question, 0 to 1) is what a gate may hold against a floor;
``Item.fused`` only orders one trail and means nothing beside another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from imprimatur.evidence import Evidence

__all__ = ["EvidenceTrail", "Failure", "Item", "Section"]

_SCHEMA = "1.0"


class Section(StrEnum):
    """What an item is, in the order of preference: structured evidence first."""

    RESULTS = "query results"
    FACTS = "facts"
    ENTRIES = "entries"
    PASSAGES = "passages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that was found.

    Attributes:
        text: it, as a person reads it.
        evidence: what it rests on; several triples for a chain of facts.
        score: how much of what is asked it speaks of, 0 to 1.
        similarity: the cosine with the question; None where no vector is stored.
        fused: what the trail is ordered by.
        ranks: its rank in each path that found it, from 1.
    """

    section: Section
    text: str
    evidence: tuple[Evidence, ...]
    score: float
    fused: float
    similarity: float | None = None
    ranks: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The item as JSON-ready values."""
        return {
            "text": self.text,
            "score": round(self.score, 4),
            "similarity": None if self.similarity is None else round(self.similarity, 4),
            "fused": round(self.fused, 6),
            "ranks": dict(sorted(self.ranks.items())),
            "evidence": [
                {"source": e.source, "kind": e.kind, "content": e.content}
                | {"query": e.query, "origin": e.origin, "trust": e.trust}
                for e in self.evidence
            ],
        }


@dataclass(frozen=True, slots=True)
class Failure:
    """A path that failed or was cut short, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceTrail:
    """All that was found for a question.

    Attributes:
        items: what was found, best first within each section; structured sections first.
        paths: the paths that were searched, in a fixed order, each with how many candidates it gave.
        left_out: how many items the token budget left no room for.
        understood: the names in the question that the knowledge base knows.
    """

    question: str
    items: tuple[Item, ...] = ()
    paths: Mapping[str, int] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    left_out: int = 0
    understood: tuple[str, ...] = ()

    def section(self, section: Section) -> tuple[Item, ...]:
        """The items of one section, best first."""
        return tuple(item for item in self.items if item.section is section)

    @property
    def best(self) -> float:
        """The highest score of any item; 0 when there is none."""
        return max((item.score for item in self.items), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """The trail as JSON-ready values; the same question and knowledge base give the same, unless a path failed."""
        return {
            "schema_version": _SCHEMA,
            "question": self.question,
            "understood": list(self.understood),
            "sections": {str(each): [item.to_dict() for item in self.section(each)] for each in Section},
            "paths": dict(self.paths),
            "failures": [{"path": failure.path, "why": failure.why} for failure in self.failures],
            "left_out": self.left_out,
        }
