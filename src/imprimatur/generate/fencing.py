"""The fence: a model answers in claims that are tagged with ids of what it was shown, and each is held to these alone.

Contract: what a claim cites must be there, and one of it must say the claim by itself; no graph, table or other passage
can stand in for a citation. Items are often bare lines of facts ("X: length: 12 km"), of which several together have
the words of much that none of them says. The claims come as JSON by a schema; what cannot be read as such after it was
sent back is no answer. The text is the claims one below the other. This compares words with words, and is weaker than
the graph: it is here to be measured, and `ask` does not offer it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from imprimatur.answer import MemoryEntry, Message
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.knowledge import open_knowledge
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import quoted, template
from imprimatur.models.structured import Structured
from imprimatur.oracle import Oracle
from imprimatur.policy import Policy
from imprimatur.report import Report
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.sources.memory.prompt import claims_of
from imprimatur.tagged import TaggedClaim, joined
from imprimatur.verdict import Label

__all__ = ["Fence", "Fenced", "entries_of"]

_MOST_CLAIMS = 6
_CLAIM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 400},
        "kind": {"type": "string", "enum": ["MEMORY", "INFERENCE"]},
        # A claim that cites nothing is withheld in any case, so that a model which follows schemas need not try.
        "citations": {
            "type": "array",
            "items": {"type": "string", "maxLength": 20},
            "minItems": 1,
            "maxItems": _MOST_CLAIMS,
        },
    },
    "required": ["text", "kind", "citations"],
    "additionalProperties": False,
}
_SHAPE = Shape(
    name="claims",
    schema={
        "type": "object",
        "properties": {"claims": {"type": "array", "items": _CLAIM, "maxItems": _MOST_CLAIMS}},
        "required": ["claims"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Fenced:
    """The claims of a model, the report on them (None where there are none), and whether a claim is left of them."""

    claims: tuple[TaggedClaim, ...]
    report: Report | None = None
    stands: bool = False

    @property
    def draft(self) -> str:
        """What the model said, without its tags."""
        return joined(self.claims)


class Fence:
    """Judges tagged claims by what they cite, under one policy."""

    def __init__(self, policy: Policy) -> None:
        # Nothing but what comes with a call: a graph beside would let a claim pass that its citation does not bear out.
        config = KnowledgeBaseConfig(folder=Path(), name="fence")
        self._oracle = Oracle(open_knowledge(config), policy)

    def ask(
        self, question: str, trail: EvidenceTrail, model: Model, *, seconds: float, tokens: int | None = None
    ) -> Fenced:
        """The claims of a model on a question, from the items of a trail, judged.

        Raises:
            ImprimaturError: the model cannot be asked, gives nothing that can be read, or its time is used up.
        """
        entries = entries_of(trail)
        said = Structured(model).ask(_prompt(question, entries, tokens), _SHAPE, seconds=seconds)
        claims = tuple(claim for claim in claims_of(_with_texts(said)) if claim.text.strip())
        if not claims:
            return Fenced(())
        return self.judged(claims, entries, question)

    def judged(
        self, claims: tuple[TaggedClaim, ...], entries: tuple[MemoryEntry, ...], question: str | None = None
    ) -> Fenced:
        """Claims, judged by the entries that they cite."""
        narrowed = tuple(self._narrowed(claim, entries, question) for claim in claims)
        report = self._oracle.check_claims(narrowed, question, memory=entries)
        left = report.decision.text.removesuffix(self._oracle.policy.abstention_text)
        supported = any(segment.label is Label.SUPPORTED for segment in report.segments)
        return Fenced(narrowed, report, stands=bool(left.strip()) and supported)

    def _narrowed(self, claim: TaggedClaim, entries: tuple[MemoryEntry, ...], question: str | None) -> TaggedClaim:
        """A claim with the one citation that bears it out; with its first where only several together seem to."""
        cited = tuple(dict.fromkeys(claim.citations))
        if len(cited) < 2 or not self._supports(claim, cited, entries, question):
            return claim
        alone = (each for each in cited if self._supports(claim, (each,), entries, question))
        return replace(claim, citations=(next(alone, cited[0]),))

    def _supports(
        self, claim: TaggedClaim, cited: tuple[str, ...], entries: tuple[MemoryEntry, ...], question: str | None
    ) -> bool:
        report = self._oracle.check_claims((replace(claim, citations=cited),), question, memory=entries)
        return [segment.label for segment in report.segments] == [Label.SUPPORTED]


def entries_of(trail: EvidenceTrail) -> tuple[MemoryEntry, ...]:
    """The items of a trail as memory entries; their ids count from 1."""
    return tuple(MemoryEntry(f"m{number}", item.text) for number, item in enumerate(trail.items, 1))


def _prompt(question: str, entries: tuple[MemoryEntry, ...], tokens: int | None) -> Prompt:
    lines = ", ".join(f'{{"id": {quoted(entry.id)}, "text": {quoted(entry.text)}}}' for entry in entries)
    material = f'{{"question": {quoted(question)}, "entries": [{lines}]}}'
    return Prompt(messages=(Message("system", template("fence").text), Message("user", material)), tokens=tokens)


def _with_texts(said: dict[str, Any]) -> str:
    """The answer without claims that say nothing, on one line each: claims are told apart by their lines."""
    claims = [{**claim, "text": " ".join(claim["text"].split())} for claim in said["claims"]]
    return json.dumps({"claims": [claim for claim in claims if claim["text"]]})
