"""What retrofitting is made of: claims, entities, triples, findings, rounds, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from imprimatur.report import Report
from imprimatur.verdict import Label

__all__ = [
    "UNVERIFIED",
    "Ended",
    "Entity",
    "Finding",
    "Retrofitted",
    "Round",
    "Stage",
    "Stated",
    "Triple",
    "Turn",
    "Verified",
]

_SCHEMA = "1.0"


class Stage(StrEnum):
    """The five stages, in order."""

    EXTRACTION = "extraction"
    DETECTION = "detection"
    SELECTION = "selection"
    VERIFICATION = "verification"
    RETROFITTING = "retrofitting"


class Ended(StrEnum):
    """Why no further round was made.

    ``licensed``: every claim agrees. ``unchanged``: a round changed nothing. ``circle``: a round gave a text that was
    there before. ``rounds``: there were as many as allowed. ``late``: time or budget is used up. ``failed``: the model
    could not be asked.
    """

    LICENSED = "licensed"
    UNCHANGED = "unchanged"
    CIRCLE = "circle"
    ROUNDS = "rounds"
    LATE = "late"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Stated:
    """An atomic claim; ``response[start:end]`` are the words that make it (-1 and -1 where they are not told)."""

    says: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that a claim names, as it is written; ``iris`` are the things of the graph that it may be."""

    name: str
    iris: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact around an entity: in words, and as N-Triples."""

    text: str
    content: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a claim came to, and what should be changed; "" where nothing should, or nobody knows what."""

    label: Label
    suggestion: str = ""


#: Of a claim that nobody has verified.
UNVERIFIED = Verified(Label.NOT_FOUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One claim on its way through a round."""

    claim: Stated
    entities: tuple[Entity, ...] = ()
    triples: tuple[Triple, ...] = ()
    verified: Verified = UNVERIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a round begins with: the response, how the stages judge it, and what the round before could not take."""

    question: str
    response: str
    report: Report
    refused: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round.

    ``refused`` are the sentences that were proposed and not taken, with the reason. ``fault`` says why the round was
    not gone through to its end; its findings are then as far as they came.
    """

    response: str
    findings: tuple[Finding, ...]
    revised: str
    refused: tuple[tuple[str, str], ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrofitted:
    """A draft, what became of it, and how. Nothing here says that the text is licensed."""

    question: str
    draft: str
    text: str
    ended: Ended
    rounds: tuple[Round, ...] = ()
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The rounds as JSON-ready values."""
        return {
            "schema_version": _SCHEMA,
            "question": self.question,
            "draft": self.draft,
            "text": self.text,
            "ended": self.ended.value,
            "why": self.why or None,
            "rounds": [_round(each) for each in self.rounds],
        }


def _round(made: Round) -> dict[str, Any]:
    findings = [
        {
            "claim": each.claim.says,
            "start": each.claim.start,
            "end": each.claim.end,
            "entities": [entity.name for entity in each.entities],
            "triples": [triple.text for triple in each.triples],
            "label": each.verified.label.value,
            "suggestion": each.verified.suggestion or None,
        }
        for each in made.findings
    ]
    refused = [{"sentence": said, "why": why} for said, why in made.refused]
    told = {"response": made.response, "claims": findings, "revised": made.revised, "refused": refused}
    return told | ({"fault": made.fault} if made.fault else {})
