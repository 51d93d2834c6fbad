"""The gate before generation: whether the evidence for a question is enough, by count and score.

Contract: the gate looks at a trail and nothing else; it asks no model. What it refuses is answered with one fixed text,
so that a refusal is told by comparing. A path that failed is no reason to pass: what the others found must be enough. A
floor is chosen by ``imprimatur eval calibrate-gate`` from questions whose support is known; the one that comes with the
package was chosen in that way on questions about the bundled rivers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from imprimatur.config import KnowledgeBaseConfig
from imprimatur.decision import INSUFFICIENT_EVIDENCE
from imprimatur.errors import ConfigError
from imprimatur.retrieve.trail import EvidenceTrail, Item

__all__ = ["INSUFFICIENT_EVIDENCE", "Gate", "GateDecision", "is_refusal"]

_FLOOR = 0.65


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether there is enough evidence, the items that count, and why not."""

    enough: bool
    items: tuple[Item, ...]
    why: str = ""

    @property
    def text(self) -> str:
        """The refusal; empty when there is enough evidence."""
        return "" if self.enough else INSUFFICIENT_EVIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Lets a question through that has at least so many items which fit it at least so well."""

    floor: float = _FLOOR
    items: int = 1

    @classmethod
    def of(cls, config: KnowledgeBaseConfig) -> Gate:
        """The gate of a knowledge base: the file that it names, else the shipped one. Raises ConfigError."""
        return cls() if config.gate is None else cls.read(config.gate)

    @classmethod
    def read(cls, path: Path) -> Gate:
        """The gate in a file that ``imprimatur eval calibrate-gate`` wrote. Raises ConfigError."""
        hint = "`imprimatur eval calibrate-gate FILE --kb DIR --out GATE.json` writes one"
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            floor, items = said["floor"], said["items"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
            raise ConfigError(f"holds no gate: {str(fault)[:100]}", where=str(path), hint=hint) from fault
        if not isinstance(floor, int | float) or not 0 <= floor <= 1 or not isinstance(items, int) or items < 1:
            raise ConfigError("a gate has a `floor` of 0 to 1 and `items` from 1", where=str(path), hint=hint)
        return cls(floor=float(floor), items=items)

    def decide(self, trail: EvidenceTrail) -> GateDecision:
        """Whether a trail is enough."""
        enough = tuple(item for item in trail.items if item.text.strip() and item.score >= self.floor)
        if len(enough) >= self.items:
            return GateDecision(True, enough)
        if not trail.items:
            return GateDecision(False, (), "nothing was found")
        told = f"{len(enough)} of {len(trail.items)} items fit the question well enough, {self.items} must"
        return GateDecision(False, enough, f"{told} (the best fits to {trail.best:.2f}, the floor is {self.floor:.2f})")


def is_refusal(text: str) -> bool:
    """Whether a text is the gate's refusal."""
    return text.strip() == INSUFFICIENT_EVIDENCE
