"""The ways in which a model may be asked a question: the conditions that are compared with each other.

A table: which instructions the model gets, which sections of the evidence trail it is shown and how much of them, how
what it writes is revised, and whether that goes through the five stages. Invariant: only what is checked can be called
licensed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from imprimatur.retrieve.trail import EvidenceTrail, Section

__all__ = ["CONDITIONS", "Condition", "How", "Revision", "relevant", "shown"]


class How(StrEnum):
    """How a question is put to a model."""

    PLAIN = "plain"
    COT = "cot"
    RAG = "rag"
    QKR = "qkr"
    GRAPH_RAG = "graph-rag"
    CRITIC = "critic"
    KGR_WRITTEN = "kgr-written"
    KGR = "kgr"
    FENCE = "fence"
    ORACLE = "oracle"


class Revision(StrEnum):
    """How a draft is revised: criticised by passages, or retrofitted by the graph."""

    CRITICISED = "criticised"
    RETROFITTED = "retrofitted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One way to ask.

    Attributes:
        template: the name of the instructions.
        sections: what of the trail is shown; nothing is retrieved where it is empty.
        most: how many items are shown.
        thinks: whether the model thinks aloud first, so that only what follows its last ``Answer:`` is an answer.
        revision: how a draft is revised; what is retrieved for it is retrieved by the draft, and no gate comes before.
        tagged: whether the model answers in claims that cite what it was shown, and are judged by that alone.
        checked: whether the five stages license what it writes.
    """

    template: str
    sections: tuple[Section, ...] = ()
    most: int = 0
    thinks: bool = False
    revision: Revision | None = None
    tagged: bool = False
    checked: bool = False


_ALL = tuple(Section)
CONDITIONS: dict[How, Condition] = {
    How.PLAIN: Condition(template="plain"),
    How.COT: Condition(template="chain-of-thought", thinks=True),
    How.RAG: Condition(template="rag", sections=(Section.ENTRIES, Section.PASSAGES), most=5),
    How.QKR: Condition(template="question-relevant-facts", sections=(Section.FACTS,), most=10),
    How.GRAPH_RAG: Condition(template="evidence", sections=_ALL, most=30),
    How.CRITIC: Condition(
        template="plain", sections=(Section.ENTRIES, Section.PASSAGES), most=5, revision=Revision.CRITICISED
    ),
    How.KGR_WRITTEN: Condition(template="plain", revision=Revision.RETROFITTED),
    How.KGR: Condition(template="plain", revision=Revision.RETROFITTED, checked=True),
    How.FENCE: Condition(
        template="fence", sections=(Section.FACTS, Section.ENTRIES), most=10, tagged=True, checked=True
    ),
    How.ORACLE: Condition(template="evidence", sections=_ALL, most=30, checked=True),
}


def relevant(trail: EvidenceTrail, condition: Condition) -> EvidenceTrail:
    """The part of a trail that a condition may show: what its gate decides on."""
    return replace(trail, items=tuple(item for item in trail.items if item.section in condition.sections))


def shown(trail: EvidenceTrail, condition: Condition, *, most: int | None = None) -> EvidenceTrail:
    """What is shown of a relevant trail: the items that fit best, in its order; citations count these from 1."""
    limit = condition.most if most is None else min(most, condition.most)
    best = set(map(id, sorted(trail.items, key=lambda item: -item.score)[:limit]))
    kept = tuple(item for item in trail.items if id(item) in best)
    return replace(trail, items=kept, left_out=trail.left_out + len(trail.items) - len(kept))
